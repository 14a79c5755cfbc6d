//! Order of the time schemes with implicit drag; `examples/convergence.rs` is the long version.

use glam::DVec3;
use writhe::fluid::Coupling;
use writhe::simulation::Simulation;
use writhe::step::{Scheme, StepSettings};
use writhe_tests::flagella;

/// Two flagella in one fluid and when to compare them.
struct Case {
    density: f64,
    viscosity: f64,
    omega: f64,
    end: f64,
    /// Largest step, s.
    dt: f64,
}

const SHIPPED: Case = Case {
    density: 1e4,
    viscosity: 1.0,
    omega: flagella::OMEGA,
    end: 3.0,
    dt: 0.04,
};

const LITERAL: Case = Case {
    density: 1e3,
    viscosity: 0.1,
    omega: 15.0,
    end: 0.6,
    dt: 0.02,
};

impl Case {
    /// Node positions at the end with equal steps.
    fn run(&self, scheme: Scheme, steps: u32) -> Vec<DVec3> {
        let (model, state) = flagella::model(
            2,
            self.density,
            self.viscosity,
            self.omega,
            Coupling::Implicit,
        );
        let dt = self.end / f64::from(steps);
        let settings = StepSettings {
            dt,
            scheme,
            step_tolerance: 1e-7,
            residual_tolerance: 1e-7,
            adaptive: false,
            ..StepSettings::default()
        };
        let mut simulation = Simulation::new(model, state, settings);
        for _ in 0..steps {
            simulation.step(dt).unwrap();
        }
        simulation.model.positions(&simulation.state)
    }

    fn fitted(&self) -> Scheme {
        Scheme::FittedBdf2 { omega: self.omega }
    }

    /// Fitted BDF2 with an eighth and a sixteenth of the largest step, extrapolated with order 2.
    fn reference(&self) -> Vec<DVec3> {
        let steps = (self.end / self.dt).round() as u32;
        let [wide, fine] = [8, 16].map(|n| self.run(self.fitted(), n * steps));
        let extrapolate = |(f, w): (&DVec3, &DVec3)| (4.0 * *f - *w) / 3.0;
        fine.iter().zip(&wide).map(extrapolate).collect()
    }

    /// Mean node differences from `reference` with the largest step, half and a quarter of it,
    /// radii (T22 Eq. 22).
    fn errors(&self, scheme: Scheme, reference: &[DVec3]) -> [f64; 3] {
        let steps = (self.end / self.dt).round() as u32;
        [1, 2, 4].map(|n| {
            let x = self.run(scheme, n * steps);
            let sum: f64 = x.iter().zip(reference).map(|(a, b)| a.distance(*b)).sum();
            sum / (x.len() as f64 * flagella::RADIUS)
        })
    }

    fn check(&self, largest: f64) {
        let reference = self.reference();
        for (scheme, ratios) in [
            (self.fitted(), 3.5..4.5),
            (Scheme::Bdf2, 3.5..4.5),
            (Scheme::BackwardEuler, 1.7..2.3),
        ] {
            let e = self.errors(scheme, &reference);
            for ratio in [e[0] / e[1], e[1] / e[2]] {
                assert!(ratios.contains(&ratio), "{scheme:?}: {e:?}");
            }
            if scheme == self.fitted() {
                assert!(e[0] < largest, "{scheme:?}: {e:?}");
            }
        }
    }
}

/// At 40 ms fitted BDF2 is off by a hundredth of a radius.
#[test]
fn errors_fall_with_the_order_of_the_scheme_as_shipped() {
    SHIPPED.check(0.02);
}

#[test]
fn errors_fall_with_the_order_of_the_scheme_with_literal_parameters() {
    LITERAL.check(0.4);
}
