//! Two beads joined by an edge sink side by side as their mobility says, with a fluid that is
//! solved for and with one that lags.

use glam::DVec3;
use writhe::fluid::{Coupling, Fluid, Resistance};
use writhe::model::ModelBuilder;
use writhe::rod::{Material, Rod, Section};
use writhe::simulation::Simulation;
use writhe::step::StepSettings;
use writhe_extension::beads::Beads;

const APART: f64 = 0.01;
const GRAVITY: f64 = 9.81;

#[test]
fn two_beads_sink_as_their_mobility_says() {
    let beads = Beads {
        viscosity: 1.0,
        radius: 2e-3,
    };
    for (coupling, dt) in [(Coupling::Implicit, 1e-3), (Coupling::Lagged, 1e-5)] {
        let section = Section::circle(Material::new(1e7, 0.5, 1000.0), 1e-3);
        let rod = Rod::open(vec![DVec3::ZERO, DVec3::X * APART], section).unwrap();
        let (model, state) = ModelBuilder::new()
            .rod(rod)
            .gravity(DVec3::Z * -GRAVITY)
            .fluid(Fluid::new(beads, coupling))
            .build()
            .unwrap();
        let weight = model.mass[model.topology.node_dof[0]] * GRAVITY;
        let settings = StepSettings {
            dt,
            ..StepSettings::default()
        };
        let mut simulation = Simulation::new(model, state, settings);
        simulation.run_until(0.02, |_, _| true).unwrap();
        let found = -simulation.state.velocity[2];
        let expected = weight * (beads.alone() + beads.pair(DVec3::X * APART).z_axis.z);
        assert!(
            (found / expected - 1.0).abs() < 1e-6,
            "{coupling:?}: {found} m/s, expected {expected} m/s"
        );
    }
}

/// What a fluid has to say reaches who runs it.
#[test]
fn a_fluid_that_fails_is_quoted() {
    #[derive(Debug)]
    struct Gone;
    impl writhe::fluid::Medium for Gone {
        fn mobility(&self) -> Box<dyn writhe::fluid::Mobility> {
            Box::new(Gone)
        }
        fn resolution(&self, _: writhe::fluid::Rods) -> f64 {
            1e-3
        }
    }
    impl writhe::fluid::Mobility for Gone {
        fn assemble(
            &mut self,
            _: writhe::fluid::Rods,
            _: &[DVec3],
        ) -> Result<(), writhe::fluid::FluidError> {
            Err(writhe::fluid::FluidError::Other(
                "the tank has leaked".to_owned(),
            ))
        }
        fn apply(&self, _: &[f64], _: &mut [f64]) -> Result<(), writhe::fluid::FluidError> {
            Ok(())
        }
        fn resistance(&self) -> &Resistance {
            static NONE: Resistance = Resistance {
                nodes: Vec::new(),
                edges: Vec::new(),
            };
            &NONE
        }
    }
    let section = Section::circle(Material::new(1e7, 0.5, 1000.0), 1e-3);
    let rod = Rod::open(vec![DVec3::ZERO, DVec3::X * APART], section).unwrap();
    let (model, state) = ModelBuilder::new()
        .rod(rod)
        .fluid(Fluid::new(Gone, Coupling::Implicit))
        .build()
        .unwrap();
    let mut simulation = Simulation::new(model, state, StepSettings::default());
    let error = simulation.step(1e-3).unwrap_err().to_string();
    assert!(error.contains("the tank has leaked"), "{error}");
}
