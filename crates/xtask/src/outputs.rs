//! What outputs cost beside the steps between them, in instructions that valgrind's callgrind counts:
//! the figures of docs/performance.md. Clocks are of no use for parts of a hundredth.
//!
//! ```text
//! an output = (with outputs - without) of outputs 6 to 20, over 15
//! a step    = without outputs, from the 5th to the 20th, over the steps
//! ```

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::gallery;

/// Examples, with the time between their outputs, s.
const EXAMPLES: [(&str, f64); 5] = [
    ("cantilever", 0.025),
    ("hanging-chain", 0.16),
    ("knot", 0.25),
    ("knot-trefoil", 0.1),
    ("plectoneme", 0.08),
];
/// Outputs at which the counts begin and end.
const BETWEEN: [u32; 2] = [5, 20];
/// Longer than any of the runs: the start and the end are the only outputs.
const NEVER: f64 = 1e3;
/// Has memory copied by registers: instructions that copy by themselves count once for each byte.
const COPIES: &str =
    "glibc.cpu.x86_rep_movsb_threshold=1000000000:glibc.cpu.x86_rep_stosb_threshold=1000000000";

/// The examples that are asked for.
#[derive(Debug)]
pub struct Options(Vec<(&'static str, f64)>);

impl Options {
    /// Those of the command line; all without words.
    pub fn parse(words: &[&str]) -> Result<Self, String> {
        if words.is_empty() {
            return Ok(Self(EXAMPLES.to_vec()));
        }
        let known = |word: &&str| {
            let found = EXAMPLES.iter().find(|(name, _)| name == word).copied();
            found.ok_or_else(|| {
                let names = EXAMPLES.map(|(name, _)| name).join(", ");
                format!("no example `{word}`: take some of {names}")
            })
        };
        words.iter().map(known).collect::<Result<_, _>>().map(Self)
    }
}

/// Counts and prints.
pub fn count(root: &Path, options: &Options) -> Result<(), String> {
    let program = gallery::program(root)?;
    let place = std::env::temp_dir().join(format!("writhe-outputs-{}", std::process::id()));
    fs::create_dir_all(&place).map_err(|error| format!("{}: {error}", place.display()))?;
    println!(
        "{:16} {:>14} {:>12} {:>10} {:>8}",
        "example", "steps/output", "a step", "an output", "part"
    );
    let all = options.0.iter().try_for_each(|(name, every)| {
        let scene = root.join(format!("examples/{name}.toml"));
        // Each in a place of its own: to remove a run counts, too.
        let run = |outputs: u32, shown: f64| {
            let out = place.join(format!("{name}-{outputs}-{shown}"));
            counted(&program, &scene, f64::from(outputs) * every, shown, &out)
        };
        let [few, many] = BETWEEN;
        let (start, end) = (run(few, *every)?, run(many, *every)?);
        let (start_without, end_without) = (run(few, NEVER)?, run(many, NEVER)?);
        let outputs = f64::from(many - few);
        let steps = end_without.steps - start_without.steps;
        if steps != end.steps - start.steps {
            return Err(format!(
                "{name}: outputs change its steps, so they cannot be told apart"
            ));
        }
        let without = end_without.instructions - start_without.instructions;
        let output = (end.instructions - start.instructions - without) / outputs;
        println!(
            "{name:16} {:14.1} {:10.2} M {:8.3} M {:6.2} %",
            steps / outputs,
            without / steps / 1e6,
            output / 1e6,
            100.0 * output * outputs / without
        );
        Ok(())
    });
    let _ = fs::remove_dir_all(&place);
    all
}

/// What a run took.
struct Counted {
    instructions: f64,
    steps: f64,
}

fn counted(
    program: &Path,
    scene: &Path,
    duration: f64,
    every: f64,
    out: &Path,
) -> Result<Counted, String> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    command.arg(program).arg("run").arg(scene);
    command.args(["--set", &format!("time.duration={duration:e}")]);
    command.args(["--set", &format!("output.every={every:e}")]);
    command.args(["--threads", "1", "--out"]).arg(out);
    command.env("GLIBC_TUNABLES", COPIES).stdin(Stdio::null());
    let output = command
        .output()
        .map_err(|error| format!("valgrind cannot be started: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("{command:?} failed ({}):\n{said}", output.status));
    }
    let summary = fs::read_to_string(out.join("summary.json")).unwrap_or_default();
    let instructions = number_after(&said, "Collected : ");
    let counted = instructions.zip(number_after(&summary, "\"steps\": "));
    let counted = counted.map(|(instructions, steps)| Counted {
        instructions,
        steps,
    });
    counted.ok_or_else(|| format!("{command:?} tells no count or no steps:\n{said}"))
}

/// The number that follows `mark` in a text.
fn number_after(text: &str, mark: &str) -> Option<f64> {
    let (_, rest) = text.split_once(mark)?;
    let end = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    rest[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_behind_their_marks() {
        let said = "==1== Collected : 49242330\n==1== \n";
        assert_eq!(number_after(said, "Collected : "), Some(49_242_330.0));
        assert_eq!(
            number_after("{\n  \"steps\": 25,\n", "\"steps\": "),
            Some(25.0)
        );
        assert_eq!(number_after(said, "steps"), None);
    }

    #[test]
    fn examples_are_known_by_name() {
        assert_eq!(Options::parse(&[]).unwrap().0.len(), EXAMPLES.len());
        assert_eq!(Options::parse(&["knot"]).unwrap().0, [("knot", 0.25)]);
        assert!(
            Options::parse(&["nought"])
                .unwrap_err()
                .contains("plectoneme")
        );
    }
}
