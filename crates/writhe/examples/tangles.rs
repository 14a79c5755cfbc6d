//! Random tangles of rods thrown together: `tangles [COUNT] [FIRST SEED] [FRICTION]`.

use glam::DVec3;
use writhe::contact::{ContactModel, Friction, ImcSettings};
use writhe::integrate::{Scheme, StepSettings};
use writhe::model::ModelBuilder;
use writhe::rod::{Material, Rod, Section};
use writhe::simulation::Simulation;

struct Random(u64);
impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |i: usize, default: f64| {
        arguments
            .get(i)
            .and_then(|a| a.parse().ok())
            .unwrap_or(default)
    };
    let (count, first, friction) = (
        number(1, 20.0) as u64,
        number(2, 0.0) as u64,
        number(3, 0.0),
    );
    let mut failed = 0;
    for seed in first..first + count {
        let mut random = Random(seed * 7919 + 13);
        let rods = 2 + (seed % 7) as usize;
        let material = Material::new(1e6, 0.3, 1000.0);
        let mut builder = ModelBuilder::new().contact(ContactModel::Imc(ImcSettings {
            friction: Friction::coulomb(friction),
            ..Default::default()
        }));
        let mut velocities = Vec::new();
        for _ in 0..rods {
            let axis = random.vector().normalize();
            let middle = random.vector().normalize() * 0.12;
            let n = 16;
            let nodes: Vec<DVec3> = (0..n)
                .map(|i| middle + axis * (0.2 * (i as f64 / (n - 1) as f64 - 0.5)))
                .collect();
            builder = builder.rod(Rod::open(nodes, Section::circle(material, 3e-3)).unwrap());
            velocities.push((
                n,
                -middle.normalize() * 10.0 * (0.5 + 0.5 * random.next().abs()),
            ));
        }
        let Ok((model, mut state)) = builder.build() else {
            continue;
        };
        let mut node = 0;
        for (n, v) in velocities {
            for _ in 0..n {
                let dof = model.topology.node_dof[node];
                state.velocity[dof..dof + 3].copy_from_slice(&v.to_array());
                node += 1;
            }
        }
        let settings = StepSettings {
            dt: 0.01,
            scheme: Scheme::BackwardEuler,
            ..StepSettings::default()
        };
        let mut simulation = Simulation::new(model, state, settings);
        let clock = std::time::Instant::now();
        let outcome = simulation.run_until(0.5, |_, _| true);
        let s = simulation.statistics;
        println!(
            "seed {seed} rods {rods} t {:.3} steps {} rejected {} (crossings {} raises {}) newton {:.1} gap {:?} pen {:.1e} k {:.1e} {:.2}s {}",
            simulation.state.time,
            s.steps,
            s.rejected_steps,
            s.crossings_prevented,
            s.stiffness_raises,
            s.newton_iterations as f64 / s.steps as f64,
            s.smallest_gap,
            s.deepest_penetration,
            simulation.state.contact.stiffness,
            clock.elapsed().as_secs_f64(),
            outcome
                .as_ref()
                .err()
                .map_or(String::new(), |e| e.to_string())
        );
        failed += usize::from(outcome.is_err());
    }
    println!("failed {failed}");
}
