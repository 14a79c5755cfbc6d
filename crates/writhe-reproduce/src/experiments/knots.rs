//! The runs of C21's knots that experiments share: a rod of silicone, 1 m long and 3.2 mm thick, in
//! the authors' initial shapes.
//!
//! Rods settle before the run; then their ends wait, and part along y. Changes of speed take two
//! periods of the slowest stretching wave, which is then left at rest: a jump would start one of
//! 0.7 mN, more than a loose knot resists.

use crate::bench::Span;
use crate::plan::{End, RunPlan, Start};

/// Contour of the rod, m.
pub(super) const LENGTH: f64 = 1.0;
/// Radius of the rod, m.
pub(super) const RADIUS: f64 = 1.6e-3;
/// Bending stiffness EI of a round section, N m^2.
pub(super) const BENDING: f64 =
    1.8e5 * std::f64::consts::PI / 4.0 * RADIUS * RADIUS * RADIUS * RADIUS;
/// C21's viscosity for all but loosening, Pa s.
pub(super) const VISCOSITY: f64 = 0.01;
/// Its viscosity for loosening, Pa s.
pub(super) const LOW_VISCOSITY: f64 = 5e-4;
/// Step that the scene `knot` recommends, s.
const ADVISED_STEP: f64 = 1e-2;
/// Where a run gives up, s.
const SMALLEST_STEP: f64 = 1e-6;
/// Ends wait for so long, s.
const WAIT: f64 = 2.0;
/// The same in a quick run, s.
const WAIT_QUICK: f64 = 0.2;
/// Simulated time of a quick run, s.
const QUICK: f64 = 3.0;
/// Way of each end in a whole run, m: more than the rod has to give.
const WAY: f64 = 0.36;
/// Time of a change of speed: two periods 2 L / c of the slowest stretching wave, s.
const RAMP: f64 = 0.324;
/// Parts of a change of speed.
const RAMP_PARTS: usize = 16;
/// Simulated time between frames, s.
const EVERY: f64 = 0.05;
/// C21's own contact with its own Newton method, as [`Pull::model_sets`] knows it.
const BY_C21: &str = "imc-smooth-hybrid";
/// C21's step of 0.5 ms, as part of the advised one.
const FINER_BY_C21: usize = 20;

/// A knot and how it is pulled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pull {
    /// Unknotting number n, 1 to 4.
    pub n: usize,
    /// Friction coefficient in tenths.
    pub friction_tenths: usize,
    /// Speed of each end, mm/s.
    pub speed_mm: usize,
    /// C21's eta, Pa s.
    pub viscosity: f64,
    /// Contact model, as [`Pull::model_sets`] knows it.
    pub model: &'static str,
    /// Steps are so many times smaller than advised.
    pub finer: usize,
    /// Whether edges are half as long as the authors'.
    pub half_mesh: bool,
}

/// A stretch of time in which the ends part at one speed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Leg {
    /// How long, s.
    pub lasts: f64,
    /// Speed of each end, m/s; negative loosens.
    pub speed: f64,
}

impl Pull {
    /// As in C21 section 3.3: mu = 0.1, 6 mm/s; with our contact.
    pub(super) fn new(n: usize) -> Self {
        Self {
            n,
            friction_tenths: 1,
            speed_mm: 6,
            viscosity: VISCOSITY,
            model: "imc",
            finer: 1,
            half_mesh: false,
        }
    }

    /// The same on 600 edges.
    pub(super) fn on_half_the_mesh(self) -> Self {
        Self {
            half_mesh: true,
            ..self
        }
    }

    /// The same by C21's own method: its contact of the smoothed distance, friction in the direction
    /// of the step before, contact left out of Newton's matrix for 20 iterations, backward Euler in
    /// steps of 0.5 ms.
    pub(super) fn by_c21(self) -> Self {
        Self {
            model: BY_C21,
            finer: FINER_BY_C21,
            ..self
        }
    }

    /// Whether the method is C21's own.
    pub(super) fn is_by_c21(&self) -> bool {
        self.model == BY_C21
    }

    /// What the name of a row ends with that tells its method.
    pub(super) fn method(&self) -> &'static str {
        if self.is_by_c21() { "-c21" } else { "" }
    }

    /// Its time step, s.
    pub(super) fn step(&self) -> f64 {
        ADVISED_STEP / self.finer as f64
    }

    /// Friction coefficient.
    pub(super) fn friction(&self) -> f64 {
        self.friction_tenths as f64 / 10.0
    }

    /// Speed of each end, m/s.
    pub(super) fn speed(&self) -> f64 {
        1e-3 * self.speed_mm as f64
    }

    fn name(&self) -> String {
        let model = match self.model {
            "imc" => String::new(),
            model => format!("-{model}"),
        };
        let finer = match self.finer {
            1 => String::new(),
            finer => format!("-finer{finer}"),
        };
        let mesh = self.mesh();
        format!(
            "knot-n{}-mu{:.1}-{}mms-eta{}{model}{finer}{mesh}",
            self.n,
            self.friction(),
            self.speed_mm,
            self.viscosity
        )
    }

    /// What a name ends with that tells the mesh.
    fn mesh(&self) -> &'static str {
        if self.half_mesh { "-half-mesh" } else { "" }
    }

    /// What the scene `choi2021` changes for this knot at rest.
    pub(super) fn sets(&self) -> Vec<String> {
        let mut sets = vec![
            format!("rods[0].shape={{ file = \"n{}{}\" }}", self.n, self.mesh()),
            format!("contact.friction={}", self.friction()),
            format!("damping.viscosity={:e}", self.viscosity),
            format!("time.smallest_step={SMALLEST_STEP:e}"),
            // Types are certified from the frames, afterwards.
            "output.certify=false".to_owned(),
        ];
        sets.extend(self.model_sets().iter().map(|set| (*set).to_owned()));
        if self.half_mesh {
            let rest = "rods[0].rest={ straight = { to = [0, \"1 m\", 0], edges = 600 } }";
            sets.push(rest.to_owned());
        }
        sets
    }

    fn model_sets(&self) -> &'static [&'static str] {
        match self.model {
            // C21's friction sees centrelines only.
            "imc" => &["contact.friction_on_twist=false"],
            "imc-smooth-hybrid" => &[
                "contact.model=imc-smooth",
                "contact.jacobian={ hybrid = 20 }",
            ],
            // Newton's method stops about where the authors' program does: at a thousandth of the
            // imbalance that it starts from.
            "imc-smooth-hybrid-rough" => &[
                "contact.model=imc-smooth",
                "contact.jacobian={ hybrid = 20 }",
                "time.tolerance=1e-3",
                "time.residual_tolerance=1e-3",
            ],
            "imc-smooth" => &["contact.model=imc-smooth"],
            _ => &["contact.model=spillmann-teschner"],
        }
    }

    /// The knot in static equilibrium with our contact: one start for all contact models, of which
    /// one has no statics.
    pub(super) fn settled(&self) -> RunPlan {
        RunPlan {
            name: format!("knot-n{}-settled{}", self.n, self.mesh()),
            scene: "choi2021",
            sets: Self {
                half_mesh: self.half_mesh,
                ..Self::new(self.n)
            }
            .sets(),
            start: Start::Rest,
            end: End::At(0.0),
            every: 1.0,
        }
    }

    /// A run over these legs from rest.
    pub(super) fn over(&self, name: &str, legs: &[Leg], span: Span) -> RunPlan {
        let end = legs.iter().map(|leg| leg.lasts).sum();
        let mut sets = self.sets();
        sets.push(format!("time.step={}", self.step()));
        sets.extend(motion(legs));
        let start = match self.is_by_c21() {
            true => {
                sets.push("time.scheme=backward-euler".to_owned());
                Start::EndOf(Box::new(self.settled()))
            }
            false => Start::Rest,
        };
        RunPlan {
            name: format!("{}{name}{}", self.name(), span.suffix()),
            scene: "choi2021",
            sets,
            start,
            end: End::At(end),
            every: EVERY,
        }
    }

    /// Legs of the whole pull: a wait, then at this speed to the end of the rod.
    pub(super) fn legs(&self, span: Span) -> Vec<Leg> {
        let (wait, lasts) =
            span.choose((WAIT, WAY / self.speed()), (WAIT_QUICK, QUICK - WAIT_QUICK));
        let leg = |lasts, speed| Leg { lasts, speed };
        vec![leg(wait, 0.0), leg(lasts, self.speed())]
    }

    /// The whole pull.
    pub(super) fn whole(&self, span: Span) -> RunPlan {
        self.over("", &self.legs(span), span)
    }
}

/// Motion of both ends over these legs, as changes of the scene.
pub(super) fn motion(legs: &[Leg]) -> [String; 2] {
    let rows = displacements(legs);
    [(0, -1.0), (1, 1.0)].map(|(clamp, side)| {
        let row = |(t, d): &(f64, f64)| format!("[{t}, 0.0, {:e}, 0.0]", side * d);
        let rows: Vec<String> = rows.iter().map(row).collect();
        format!(
            "rods[0].clamps[{clamp}].motion={{ path = [{}] }}",
            rows.join(", ")
        )
    })
}

/// Way of an end at instants between which it is linear: (s, m).
fn displacements(legs: &[Leg]) -> Vec<(f64, f64)> {
    let mut rows = vec![(0.0, 0.0)];
    let (mut begin, mut way, mut before) = (0.0, 0.0, 0.0);
    for leg in legs {
        let ramp = RAMP.min(leg.lasts);
        if leg.speed != before {
            for k in 1..=RAMP_PARTS {
                let u = k as f64 / RAMP_PARTS as f64;
                // The speed is linear in time.
                let d = way + ramp * u * (before + 0.5 * u * (leg.speed - before));
                rows.push((begin + ramp * u, d));
            }
            way += 0.5 * ramp * (before + leg.speed);
        } else {
            way += ramp * leg.speed;
        }
        way += (leg.lasts - ramp) * leg.speed;
        begin += leg.lasts;
        if leg.lasts > ramp || leg.speed == before {
            rows.push((begin, way));
        }
        before = leg.speed;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_change_their_speed_smoothly() {
        let leg = |lasts, speed| Leg { lasts, speed };
        let rows = displacements(&[leg(2.0, 0.0), leg(10.0, 6e-3), leg(5.0, -6e-3)]);
        assert!(rows.windows(2).all(|r| r[1].0 > r[0].0));
        let at = |time: f64| {
            let k = rows.partition_point(|r| r.0 < time).max(1);
            let ((t0, d0), (t1, d1)) = (rows[k - 1], rows[k]);
            d0 + (d1 - d0) * (time - t0) / (t1 - t0)
        };
        assert_eq!(at(2.0), 0.0);
        // The ramp costs half of itself.
        assert!((at(12.0) - 6e-3 * (10.0 - 0.5 * RAMP)).abs() < 1e-12);
        // Forth and back again while the speed turns round.
        assert!((at(12.0 + RAMP) - at(12.0)).abs() < 1e-12);
        assert!((at(17.0) - at(12.0) + 6e-3 * (5.0 - RAMP)).abs() < 1e-12);
        let jump = rows.windows(3).map(|r| {
            let speed = |a: (f64, f64), b: (f64, f64)| (b.1 - a.1) / (b.0 - a.0);
            (speed(r[1], r[2]) - speed(r[0], r[1])).abs()
        });
        assert!(jump.fold(0.0, f64::max) < 12e-3 / RAMP_PARTS as f64 * 1.001);
    }

    #[test]
    fn plans_are_scenes() {
        let with = |model: &'static str| Pull {
            model,
            ..Pull::new(2)
        };
        for pull in [
            Pull::new(2),
            with("imc-smooth"),
            with("spillmann-teschner"),
            with("imc-smooth-hybrid-rough"),
            Pull::new(2).by_c21(),
            Pull::new(2).on_half_the_mesh(),
        ] {
            let plan = pull.whole(Span::Full);
            let mut scene = crate::scenes::scene(plan.scene).unwrap();
            scene.set_all(&plan.sets).unwrap();
            scene.build().unwrap();
        }
    }
}
