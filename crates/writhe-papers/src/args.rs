//! What a user types.

use std::path::PathBuf;

use clap::Parser;

/// Runs a paper's experiment and prints ours beside the paper's; without a name, lists them.
#[derive(Debug, Parser)]
#[command(name = "writhe-papers", version)]
#[command(after_help = "Examples:
  writhe-papers tong2022-table1
      runs what is not recorded yet and prints the table; Ctrl-C or a kill
      loses at most a minute: the same command goes on
  writhe-papers tong2022-table1 --quick
      the same, shortened to a minute or so
  writhe-papers tong2022-table1 --only m2-imc m2-ipc
      two of its rows

Finished rows stand in DIR/NAME.csv with date, commit and machine, and are
not measured again. Runs are shared by all experiments.")]
pub struct Arguments {
    /// Name of the experiment; leave it out for a list.
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
