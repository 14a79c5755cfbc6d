//! One check: a command with a name, timed.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

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
    let mut command = Command::new(&step.program);
    command
        .args(&step.arguments)
        .current_dir(root)
        .stdin(Stdio::null());
    for (key, value) in &step.environment {
        command.env(key, value);
    }
    if step.silent {
        command.stdout(Stdio::null());
    }
    let status = command
        .status()
        .map_err(|e| format!("{}: cannot start `{}`: {e}", step.name, step.program))?;
    let seconds = clock.elapsed().as_secs_f64();
    if !status.success() {
        let remedy = step.remedy.map_or(String::new(), |r| format!("; {r}"));
        return Err(format!(
            "{} failed ({status}) after {seconds:.1} s: `{}`{remedy}",
            step.name,
            step.line()
        ));
    }
    println!("== {}: ok, {seconds:.1} s", step.name);
    Ok(())
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
    fn a_program_that_does_not_exist_is_an_error() {
        let step = Step::new("ghost", "writhe-no-such-program", &[]);
        assert!(
            run(&std::env::temp_dir(), &step)
                .unwrap_err()
                .contains("cannot start")
        );
    }
}
