//! Kills at random moments over scenes that keep different things in their state: each run ends
//! with the bytes of one that nobody killed.
//!
//! A short form runs with the other tests. The long one, whose result is under `validation/kills`:
//!
//! ```text
//! WRITHE_KILLS=100 WRITHE_KILLS_RECORD=validation/kills/kills.txt cargo test -p writhe-cli --test kills
//! ```

#![cfg(unix)]

mod common;

use std::fmt::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::time::{Duration, Instant};

use common::{Dice, Place, with};
use writhe_results::provenance;

/// What is in the state, the example, and how it is made short.
struct Scene {
    name: &'static str,
    example: &'static str,
    sets: &'static [&'static str],
}

const SCENES: [Scene; 12] = [
    Scene {
        name: "bodies of Rapier",
        example: "motor-arm",
        sets: &[
            "time.integrator=symplectic-projected",
            "time.engine=rapier",
            "time.step=20us",
            "time.duration=0.2",
            "output.every=2ms",
        ],
    },
    Scene {
        name: "lengths kept by projection, explicit contact",
        example: "plectoneme",
        sets: &[
            "time.integrator=symplectic-projected",
            "contact.model=spillmann-teschner",
            "time.step=100us",
            "time.duration=0.05",
            "output.every=1ms",
        ],
    },
    Scene {
        name: "friction that remembers, on an obstacle",
        example: "slope",
        sets: &[
            "contact.static_friction=anchor",
            "time.step=1ms",
            "time.duration=0.3",
            "output.every=2ms",
        ],
    },
    Scene {
        name: "joints that let go",
        example: "hanging-chain",
        sets: &["time.duration=0.3", "output.every=5ms"],
    },
    Scene {
        name: "lagged drag",
        example: "flagella",
        sets: &[
            "fluid.coupling=lagged",
            "time.step=1ms",
            "time.duration=0.2",
            "output.every=5ms",
        ],
    },
    Scene {
        name: "drag that is solved for",
        example: "flagella",
        sets: &["time.step=1ms", "time.duration=0.1", "output.every=2ms"],
    },
    Scene {
        name: "a knot that rubs, its type certified",
        example: "knot",
        sets: &["time.duration=0.5", "output.every=10ms"],
    },
    Scene {
        name: "a barrier on a moving obstacle",
        example: "drum",
        sets: &["contact.model=ipc", "time.duration=0.2", "output.every=5ms"],
    },
    Scene {
        name: "contact and friction of Choi et al. 2021",
        example: "knot",
        sets: &[
            "contact.model=imc-smooth",
            "time.duration=0.1",
            "output.every=2ms",
        ],
    },
    Scene {
        name: "rigid bodies",
        example: "wilberforce",
        sets: &["time.duration=0.3", "output.every=5ms"],
    },
    Scene {
        name: "a tree in gusts",
        example: "tree-in-wind",
        sets: &["time.duration=0.1", "output.every=5ms"],
    },
    Scene {
        name: "a closed rod that buckles",
        example: "michell-ring",
        sets: &["time.duration=0.3", "output.every=5ms"],
    },
];

/// What became of the kills of a scene.
#[derive(Default)]
struct Tally {
    /// Processes that a kill ended.
    kills: u32,
    /// Those of them before the first checkpoint.
    early: u32,
    /// Runs that were compared.
    runs: u32,
}

impl Scene {
    fn arguments<'a>(&self, out: &'a str) -> Vec<&'a str> {
        with(&["run", "my.toml", "--out", out, "--resume"], self.sets)
    }

    /// Kills runs of the scene `kills` times, each process at a moment drawn from the time that a
    /// whole run takes, and compares every run that comes to its end with one that nobody killed.
    fn kill(&self, kills: u32, dice: &mut Dice) -> Tally {
        let place = Place::new();
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        let scene = std::fs::read_to_string(examples.join(format!("{}.toml", self.example)));
        place.write("my.toml", &scene.unwrap());
        let start = Instant::now();
        place.succeeds(&self.arguments("whole"));
        let whole = start.elapsed();
        let mut tally = Tally::default();
        while tally.kills < kills {
            let out = format!("killed{}", tally.runs);
            while tally.kills < kills {
                let mut child = place.spawn(&self.arguments(&out));
                let wait = dice.below(whole.as_micros() as u64);
                std::thread::sleep(Duration::from_micros(wait));
                child.kill().unwrap();
                if child.wait().unwrap().signal().is_none() {
                    break;
                }
                tally.kills += 1;
                let saved = place.path(&out).join("checkpoint.bin").exists();
                tally.early += u32::from(!saved);
            }
            place.succeeds(&self.arguments(&out));
            place.assert_same_results("whole", &out);
            tally.runs += 1;
        }
        tally
    }
}

#[test]
fn runs_killed_at_random_moments_end_with_the_same_bytes() {
    let all: Option<u32> = std::env::var("WRITHE_KILLS")
        .ok()
        .map(|text| text.parse().expect("WRITHE_KILLS is a number of kills"));
    let each = all.map_or(1, |all| all.div_ceil(SCENES.len() as u32));
    let mut dice = Dice(20_260_722);
    let mut table = format!(
        "Kills at random moments, and runs compared byte for byte with one that nobody killed\n# {}\n\n{:<50}{:>6}{:>30}{:>15}\n",
        provenance::COLUMNS
            .iter()
            .zip(provenance::values())
            .map(|(name, value)| format!("{name} {value}"))
            .collect::<Vec<_>>()
            .join(", "),
        "scene",
        "kills",
        "before the first checkpoint",
        "runs compared"
    );
    let mut total = 0;
    for scene in &SCENES {
        let tally = scene.kill(each, &mut dice);
        total += tally.kills;
        writeln!(
            table,
            "{:<50}{:>6}{:>30}{:>15}",
            scene.name, tally.kills, tally.early, tally.runs
        )
        .unwrap();
    }
    writeln!(
        table,
        "\n{total} kills; every run ended with the same bytes"
    )
    .unwrap();
    println!("{table}");
    if let Ok(file) = std::env::var("WRITHE_KILLS_RECORD") {
        let file = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, table).unwrap();
    }
}
