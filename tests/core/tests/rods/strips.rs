//! Strips that bend more easily one way than the other: which stiffness resists which bend.

use glam::DVec3;
use writhe::kernels::elastic::bend::BendingModel;
use writhe::model::ModelBuilder;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::Simulation;
use writhe::step::StepSettings;

const LENGTH: f64 = 0.2;
const EDGES: usize = 40;
const YOUNG: f64 = 1e9;
/// Full widths along m1 and m2, m.
const WIDTHS: [f64; 2] = [4e-3, 1e-3];

/// A cantilever along `axis` whose material frame is turned by `angle`, rad, pulled at its tip by
/// `force`, N, along m1 and m2 of its last edge: displacement of the tip along these, m.
fn deflection(axis: DVec3, angle: f64, bending: BendingModel, force: [f64; 2]) -> [f64; 2] {
    let edge = LENGTH / (EDGES as f64 - 0.5);
    let nodes = (0..=EDGES).map(|i| axis.normalize() * ((i as f64 - 0.5) * edge));
    let material = Material::new(YOUNG, 0.3, 1000.0);
    let section = Section::rectangle(material, WIDTHS[0], WIDTHS[1]);
    let mut rod = Rod::open(nodes.collect(), section).unwrap();
    let tangent = axis.normalize();
    for director in &mut rod.directors {
        *director = *director * angle.cos() + tangent.cross(*director) * angle.sin();
    }
    let [m1, m2] = [rod.directors[0], tangent.cross(rod.directors[0])];
    let pull = m1 * force[0] + m2 * force[1];
    let (model, state) = ModelBuilder::new()
        .rod(rod)
        .bending(bending)
        .clamp(0, 0, Motion::Still)
        .force(0, EDGES, pull, Schedule::Constant(1.0))
        .build()
        .unwrap();
    let start = model.positions(&state)[EDGES];
    let mut simulation = Simulation::new(model, state, StepSettings::default());
    simulation.settle().unwrap();
    let moved = simulation.model.positions(&simulation.state)[EDGES] - start;
    [moved.dot(m1), moved.dot(m2)]
}

/// `F L^3 / 3 EI` with `EI = E a^3 b / 12`, a the width along which the strip bends.
#[test]
fn a_strip_bends_along_each_width_with_its_own_stiffness() {
    let [a, b] = WIDTHS;
    let stiffness = [a.powi(3) * b, a * b.powi(3)].map(|i| YOUNG * i / 12.0);
    for bending in [BendingModel::Averaged, BendingModel::PerEdge] {
        for (axis, angle) in [(DVec3::X, 0.0), (DVec3::new(1.0, 2.0, -0.5), 0.7)] {
            for along in [0, 1] {
                // A thousandth of the length, so that the closed form is exact to a millionth.
                let wanted = 1e-3 * LENGTH;
                let mut force = [0.0; 2];
                force[along] = 3.0 * stiffness[along] * wanted / LENGTH.powi(3);
                let found = deflection(axis, angle, bending, force);
                assert!(
                    (found[along] / wanted - 1.0).abs() < 1e-3,
                    "{bending:?}, pulled along m{}: {found:?} instead of {wanted}",
                    along + 1
                );
                assert!(found[1 - along].abs() < 1e-5 * wanted, "{found:?}");
            }
        }
    }
}

/// Pulled askew, a strip gives way towards its soft side.
#[test]
fn a_strip_pulled_askew_bends_towards_its_soft_side() {
    let found = deflection(DVec3::X, 0.3, BendingModel::Averaged, [1e-4, 1e-4]);
    let ratio = (WIDTHS[0] / WIDTHS[1]).powi(2);
    assert!(
        (found[1] / found[0] / ratio - 1.0).abs() < 1e-3,
        "{found:?}"
    );
}
