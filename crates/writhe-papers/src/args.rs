//! What a user types.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Runs a paper's experiment and prints ours beside the paper's; without a name, lists them.
#[derive(Debug, Parser)]
#[command(
    name = "writhe-papers",
    version,
    max_term_width = 100,
    args_conflicts_with_subcommands = true
)]
#[command(after_help = "Examples:
  writhe-papers tong2022-table1
      runs what is not recorded yet and prints the table; Ctrl-C or a kill
      loses at most a minute: the same command goes on
  writhe-papers tong2022-table1 --quick
      the same, shortened to a minute or so
  writhe-papers tong2022-table1 --only m2-imc m2-ipc
      two of its rows

  writhe-papers record --jobs 2
      everything below validation, where it is not of these sources
  writhe-papers outdated
      what is recorded of other sources than those that stand here

Finished rows stand in DIR/NAME.csv with date, commit and machine, and are
not measured again. Runs are shared by all experiments.")]
pub struct Arguments {
    /// What is done with all results at once.
    #[command(subcommand)]
    pub all: Option<All>,
    /// Name of the experiment, or of a case of `writhe validate`; leave it out
    /// for a list.
    pub name: Option<String>,
    /// List the experiments, or the rows of the one named.
    #[arg(long)]
    pub list: bool,
    /// Shorten everything, to see that it works.
    #[arg(long)]
    pub quick: bool,
    /// Measure only these rows.
    #[arg(long, value_name = "ROW", num_args = 1..)]
    pub only: Vec<String>,
    /// Folder of the results [default: reproduce/NAME].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Folder of the run directories.
    #[arg(long, value_name = "DIR", default_value = "reproduce/runs")]
    pub runs: PathBuf,
    /// Measure again what is recorded of other sources.
    #[arg(long)]
    pub again: bool,
}

/// What is done with all results at once.
#[derive(Debug, Subcommand)]
pub enum All {
    /// Measure everything below `validation` that is missing or of other sources.
    Record(RecordArgs),
    /// Tell what is recorded of other sources than those that stand here.
    Outdated(OutdatedArgs),
    /// Write a page of the book for each paper from what is recorded.
    Pages(PagesArgs),
}

/// Arguments of `record`.
#[derive(Debug, Args)]
#[command(
    after_help = "What it costs is told first. A result names the commit and a hash of the sources
that it depends on, so the checkout must have no changes outside of
validation, and the program must be built of it. Ctrl-C or a kill loses at
most a minute: the same command goes on."
)]
pub struct RecordArgs {
    /// Processes at a time; experiments of one paper share runs and go one by one.
    #[arg(long, short, value_name = "N", default_value_t = 1, value_parser = at_least_one)]
    pub jobs: usize,
    /// Only these experiments and cases.
    #[arg(long, value_name = "NAME", num_args = 1..)]
    pub only: Vec<String>,
    /// Tell what would be done and what it costs.
    #[arg(long)]
    pub list: bool,
    /// Folder of the results.
    #[arg(long, value_name = "DIR", default_value = "validation")]
    pub out: PathBuf,
    /// Folder of the run directories.
    #[arg(long, value_name = "DIR", default_value = "reproduce/runs")]
    pub runs: PathBuf,
}

/// Arguments of `outdated`.
#[derive(Debug, Args)]
pub struct OutdatedArgs {
    /// Folder of the results.
    #[arg(long, value_name = "DIR", default_value = "validation")]
    pub out: PathBuf,
}

/// Arguments of `pages`.
#[derive(Debug, Args)]
pub struct PagesArgs {
    /// Folder of the results.
    #[arg(long, value_name = "DIR", default_value = "validation")]
    pub from: PathBuf,
    /// Folder of the pages.
    #[arg(long, value_name = "DIR", default_value = "docs/book/src")]
    pub out: PathBuf,
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(n) if n > 0 => Ok(n),
        _ => Err("a whole number of at least 1 is wanted".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn definition_is_consistent() {
        Arguments::command().debug_assert();
    }
}
