//! One check: a command with a name, timed.

use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// A command to run in the workspace.
pub struct Step {
    name: String,
    program: String,
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
    remedy: Option<&'static str>,
    silent: bool,
}

impl Step {
    /// `program` with `arguments`.
    pub fn new(name: &str, program: &str, arguments: &[&str]) -> Self {
        Self {
            name: name.to_owned(),
            program: program.to_owned(),
            arguments: arguments.iter().map(|a| (*a).to_owned()).collect(),
            environment: Vec::new(),
            remedy: None,
            silent: false,
        }
    }

    /// A cargo command, its arguments separated by spaces.
    pub fn cargo(name: &str, arguments: &str) -> Self {
        // Cargo says which cargo started us.
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        Self::new(name, &cargo, &arguments.split(' ').collect::<Vec<_>>())
    }

    /// With an environment variable.
    pub fn env(mut self, key: &str, value: &str) -> Self {
        self.environment.push((key.to_owned(), value.to_owned()));
        self
    }

    /// Compiles with clippy's compiler, which is the compiler and lints besides: `cargo clippy` sets
    /// the same variables, for crates of the workspace alone. To lint in a step of its own would read
    /// all dependencies and all of ours once more (decision 0086).
    ///
    /// What is built so is not shared with what cargo builds without.
    pub fn linted(self) -> Self {
        self.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver")
            .env("CLIPPY_ARGS", "-Dwarnings")
    }

    /// Throws its standard output away.
    pub fn silent(mut self) -> Self {
        self.silent = true;
        self
    }

    /// What to do when it fails.
    pub fn remedy(mut self, remedy: &'static str) -> Self {
        self.remedy = Some(remedy);
        self
    }

    /// The command, which reads nothing.
    fn command(&self, root: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .envs(self.environment.iter().map(|(key, value)| (key, value)))
            .current_dir(root)
            .stdin(Stdio::null());
        command
    }

    fn no_start(&self, error: &std::io::Error) -> String {
        format!("{}: cannot start `{}`: {error}", self.name, self.program)
    }

    /// Says that it is done, or how to repeat what failed.
    fn judge(&self, status: ExitStatus, took: Duration) -> Result<(), String> {
        let (name, seconds) = (&self.name, took.as_secs_f64());
        if !status.success() {
            let remedy = self.remedy.map_or(String::new(), |r| format!("; {r}"));
            let line = self.line();
            return Err(format!(
                "{name} failed ({status}) after {seconds:.1} s: `{line}`{remedy}"
            ));
        }
        println!("== {name}: ok, {seconds:.1} s");
        Ok(())
    }

    /// As a user would type it.
    fn line(&self) -> String {
        let program = Path::new(&self.program).file_stem().map_or_else(
            || self.program.clone(),
            |s| s.to_string_lossy().into_owned(),
        );
        let mut words: Vec<String> = self
            .environment
            .iter()
            .map(|(key, value)| format!("{key}={}", quoted(value)))
            .collect();
        words.push(program);
        words.extend(self.arguments.iter().map(|a| quoted(a)));
        words.join(" ")
    }
}

fn quoted(word: &str) -> String {
    if word.is_empty() || word.contains([' ', '>', '<', '\'', '$']) {
        format!("'{word}'")
    } else {
        word.to_owned()
    }
}

/// Runs a step; the error says how to repeat it.
pub fn run(root: &Path, step: &Step) -> Result<(), String> {
    println!("\n== {}: {}", step.name, step.line());
    let clock = Instant::now();
    let mut command = step.command(root);
    if step.silent {
        command.stdout(Stdio::null());
    }
    let status = command.status().map_err(|e| step.no_start(&e))?;
    step.judge(status, clock.elapsed())
}

/// Runs a step and at the same time others, one after the other, whose output is printed after that
/// of the first. All that has begun is waited for; the error is that of the first in this order.
pub fn run_beside(root: &Path, step: &Step, others: &[Step]) -> Result<(), String> {
    std::thread::scope(|scope| {
        let beside = scope.spawn(|| {
            let mut done = Vec::new();
            for other in others {
                let clock = Instant::now();
                let output = other.command(root).output().map_err(|e| other.no_start(&e));
                let failed = !matches!(&output, Ok(output) if output.status.success());
                done.push((other, output, clock.elapsed()));
                if failed {
                    break;
                }
            }
            done
        });
        let mut result = run(root, step);
        let done = beside
            .join()
            .map_err(|_| "a thread of a step ended early")?;
        for (other, output, took) in done {
            println!("\n== {}, at the same time: {}", other.name, other.line());
            result = result.and(output.and_then(|output| {
                print!("{}", String::from_utf8_lossy(&output.stdout));
                eprint!("{}", String::from_utf8_lossy(&output.stderr));
                other.judge(output.status, took)
            }));
        }
        result
    })
}

/// Runs a check that is a function.
pub fn check(name: &str, f: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    println!("\n== {name}");
    let clock = Instant::now();
    f().map_err(|e| format!("{name}: {e}"))?;
    println!("== {name}: ok, {:.1} s", clock.elapsed().as_secs_f64());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_failing_step_says_how_to_repeat_it() {
        let root = std::env::temp_dir();
        let step = Step::new("nothing", "false", &["all"])
            .env("KEY", "a b")
            .remedy("do better");
        let message = run(&root, &step).unwrap_err();
        assert!(
            message.contains("`KEY='a b' false all`; do better"),
            "{message}"
        );
    }

    #[test]
    #[cfg(unix)]
    fn of_steps_at_the_same_time_all_are_done_and_the_first_failure_is_told() {
        let root = std::env::temp_dir();
        let fails = |name: &str| Step::new(name, "false", &[]);
        let passes = |name: &str| Step::new(name, "true", &[]);
        let tell = |first: Step, others: &[Step]| run_beside(&root, &first, others);
        assert_eq!(tell(passes("a"), &[passes("b"), passes("c")]), Ok(()));
        let message = tell(passes("a"), &[passes("b"), fails("c"), fails("d")]).unwrap_err();
        assert!(message.starts_with("c failed"), "{message}");
        let message = tell(fails("a"), &[fails("b")]).unwrap_err();
        assert!(message.starts_with("a failed"), "{message}");
        let ghost = Step::new("ghost", "writhe-no-such-program", &[]);
        let message = tell(passes("a"), &[ghost]).unwrap_err();
        assert!(message.contains("cannot start"), "{message}");
    }

    #[test]
    fn a_program_that_does_not_exist_is_an_error() {
        let step = Step::new("ghost", "writhe-no-such-program", &[]);
        assert!(
            run(&std::env::temp_dir(), &step)
                .unwrap_err()
                .contains("cannot start")
        );
    }
}
