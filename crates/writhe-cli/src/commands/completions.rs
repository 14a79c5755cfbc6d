//! `writhe completions`, `writhe man`: what shells and `man` know of the command line, made from its
//! definition and from the keys of scene files.

mod keys;

use clap::{Command, CommandFactory as _};
use clap_mangen::Man;

use crate::args::{Arguments, CompletionsArgs, ManArgs};
use crate::console;
use crate::files;
use crate::format::count;
use crate::report::{Failure, Result};

/// Prints the completions for a shell.
///
/// # Errors
/// When they cannot be written.
pub fn run(args: &CompletionsArgs) -> Result<()> {
    let mut bytes = Vec::new();
    let mut command = keys::offered(&Arguments::command());
    clap_complete::generate(args.shell, &mut command, "writhe", &mut bytes);
    let script = String::from_utf8_lossy(&bytes);
    console::print_file(&keys::without_blanks(args.shell, &script))
}

/// Prints the manual page, or writes one for each command.
///
/// # Errors
/// When they cannot be written.
pub fn manual(args: &ManArgs) -> Result<()> {
    let mut all = Arguments::command();
    // Options that go with every command are on each page.
    all.build();
    let Some(folder) = &args.out else {
        return console::print_file(&page(all.clone())?);
    };
    let mut pages = vec![("writhe.1".to_owned(), page(all.clone())?)];
    for command in all.get_subcommands().filter(|c| !c.is_hide_set()) {
        let name = format!("writhe-{}", command.get_name());
        // Pages are called as files are, what is typed has a space.
        let typed = format!("writhe {}", command.get_name());
        let command = command.clone().name(name.clone()).bin_name(typed);
        pages.push((format!("{name}.1"), page(command)?));
    }
    for (name, text) in &pages {
        files::write_file(&folder.join(name), text)?;
    }
    let pages = count(pages.len(), "page");
    console::tell(&format!("Wrote {pages} into {}\n", folder.display()))
}

fn page(command: Command) -> Result<String> {
    let mut bytes = Vec::new();
    Man::new(command)
        .render(&mut bytes)
        .map_err(|error| Failure::failed(format!("the manual page cannot be made: {error}")))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
