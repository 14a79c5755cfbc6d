//! Throws in which single steps once made a fifth to a half of the energy of the run: Newton's
//! method ended where an edge had jumped over its own fold, or a two-step scheme differenced across
//! an impact.

use writhe_validate::cases::{fast_tangles, tangles};
use writhe_validate::setup::tangle::{Throws, tangle, throw};

/// Seeds and what their largest step gained before such steps were refused, over the largest energy
/// of the run.
const FAST: [(u64, f64); 5] = [
    (671, 0.55),
    (513, 0.23),
    (26, 0.20),
    (159, 0.03),
    (27, 0.04),
];

#[test]
fn no_step_makes_energy() {
    for (seed, before) in FAST {
        let contact = fast_tangles::touch(seed).model;
        let (outcome, _, gains) = throw(tangle(&Throws::FAST, seed, contact).unwrap());
        let [step, run] = gains.parts();
        assert!(
            step < 1e-3 && run < 1e-2,
            "seed {seed}: {step:.1e} a step (once {before}), {run:.1e} in all, {outcome:?}"
        );
    }
    let (_, _, gains) = throw(tangle(&Throws::SOFT, 27, tangles::lagged()).unwrap());
    assert!(gains.parts()[0] < 1e-3, "{gains:?}");
}
