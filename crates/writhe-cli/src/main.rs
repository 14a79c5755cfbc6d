//! The binary `writhe`; everything is in the library beside it.

use std::process::ExitCode;

fn main() -> ExitCode {
    writhe_cli::main()
}
