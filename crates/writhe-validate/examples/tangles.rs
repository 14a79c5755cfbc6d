//! Random tangles one by one: `tangles [COUNT] [FIRST SEED] [TOUCH]`; without a TOUCH they take turns.

use std::time::Instant;

use writhe_validate::cases::tangles::{touch, touches};
use writhe_validate::setup::tangle::{Outcome, tangle, throw};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |i: usize, default: u64| arguments.get(i).map_or(Ok(default), |a| a.parse());
    let (count, first) = (number(1, 20)?, number(2, 0)?);
    let mut failed = 0;
    for seed in first..first + count {
        let touch = match arguments.get(3) {
            Some(index) => touches()[index.parse::<usize>()?],
            None => touch(seed),
        };
        let name = touch.name;
        let tangle = tangle(seed, touch.model)?;
        let rods = tangle.model.topology.rods.len();
        let clock = Instant::now();
        let (outcome, s) = throw(tangle);
        failed += u32::from(outcome != Outcome::Finished);
        println!(
            "seed {seed} ({name}) {rods} rods: {outcome:?}; steps {} of which touching {}, rejected {} (crossings {}, raises {}), Newton {:.1}, gap {:.1e} m, {:.2} s",
            s.steps,
            s.contact_steps,
            s.rejected_steps,
            s.crossings_prevented,
            s.stiffness_raises,
            s.newton_iterations as f64 / s.steps as f64,
            s.smallest_gap.unwrap_or(f64::NAN),
            clock.elapsed().as_secs_f64(),
        );
    }
    println!("{failed} of {count} did not finish");
    Ok(())
}
