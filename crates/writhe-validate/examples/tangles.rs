//! Random tangles one by one: `tangles [COUNT] [FIRST SEED] [TOUCH] [THROWS] [STEP s]`, all with
//! one model: `imc-smooth`, `spillmann-teschner` (mu = 0.3), `lagged` (imc, mu = 0.7 in two
//! rounds), the number of one of the case's, or `turns` for those of the case in turn; throws are
//! `gentle`, `fast` or `soft`.

use std::time::Instant;

use writhe::contact::{ContactModel, ImcSmoothSettings, LaggedFriction, SpillmannTeschnerSettings};
use writhe_validate::cases::tangles::{lagged, touch, touches};
use writhe_validate::setup::tangle::{Outcome, Throws, tangle, throw};

fn named(model: &str) -> Result<ContactModel, String> {
    let friction = LaggedFriction::coulomb(0.3);
    match model {
        "imc-smooth" => Ok(ContactModel::ImcSmooth(ImcSmoothSettings {
            friction,
            ..ImcSmoothSettings::default()
        })),
        "spillmann-teschner" => Ok(ContactModel::SpillmannTeschner(SpillmannTeschnerSettings {
            friction,
            ..SpillmannTeschnerSettings::default()
        })),
        "lagged" => Ok(lagged()),
        other => {
            let of_case = other
                .parse()
                .ok()
                .and_then(|i: usize| touches().get(i).copied());
            of_case
                .map(|touch| touch.model)
                .ok_or_else(|| format!("no model {other}"))
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |i: usize, default: u64| arguments.get(i).map_or(Ok(default), |a| a.parse());
    let (count, first) = (number(1, 20)?, number(2, 0)?);
    let throws = match arguments.get(4).map(String::as_str) {
        None | Some("gentle") => &Throws::GENTLE,
        Some("fast") => &Throws::FAST,
        Some("soft") => &Throws::SOFT,
        Some(other) => return Err(format!("no throws {other}").into()),
    };
    let mut failed = 0;
    for seed in first..first + count {
        let (name, model) = match arguments.get(3) {
            Some(name) if name != "turns" => (name.as_str(), named(name)?),
            _ => (touch(seed).name, touch(seed).model),
        };
        let mut tangle = tangle(throws, seed, model)?;
        if let Some(dt) = arguments.get(5) {
            tangle.settings.dt = dt.parse()?;
        }
        let rods = tangle.model.topology.rods.len();
        let clock = Instant::now();
        let (outcome, s, gains) = throw(tangle);
        let [step, run] = gains.parts();
        failed += u32::from(outcome != Outcome::Finished);
        println!(
            "seed {seed} ({name}) {rods} rods: {outcome:?}; steps {} of which touching {}, rejected {} (crossings {}, raises {}), Newton {:.1}, gains {step:.1e} at {:.6} s, {run:.1e}, depth {:.1e}, gap {:.1e} m, {:.2} s",
            s.steps,
            s.contact_steps,
            s.rejected_steps,
            s.crossings_prevented,
            s.stiffness_raises,
            s.newton_iterations as f64 / s.steps as f64,
            gains.at,
            s.deepest_penetration,
            s.smallest_gap.unwrap_or(f64::NAN),
            clock.elapsed().as_secs_f64(),
        );
    }
    println!("{failed} of {count} did not finish");
    Ok(())
}
