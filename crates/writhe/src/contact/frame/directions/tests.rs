use glam::DVec3;

use super::*;
use crate::contact::Beginning;
use crate::contact_model::{ContactModel, Friction, ImcSettings};
use crate::kernels::testing::Random;
use crate::model::ModelBuilder;
use crate::obstacle::surface::Instants;
use crate::rod::{Kinematics, Material, Rod, Section};

const RADIUS: f64 = 1e-3;
const STIFFNESS: f64 = 1e-3;
const RATE: f64 = 500.0;

/// Of a spread contact each end keeps the direction of its own slip, however often they are brought up.
#[test]
fn both_ends_of_an_overlap_have_directions_of_their_own() {
    let section = Section::circle(Material::new(1e6, 0.5, 1200.0), RADIUS);
    let line = |y: f64| (0..4).map(move |i| DVec3::new(4e-3 * f64::from(i), y, 0.0));
    let rod = |y: f64| Rod::open(line(y).collect::<Vec<_>>(), section).unwrap();
    let (model, state) = ModelBuilder::new()
        .rod(rod(0.0))
        .rod(rod(1.999 * RADIUS))
        .contact(ContactModel::Imc(ImcSettings {
            friction: Friction {
                coefficient: 0.5,
                ..Friction::default()
            },
            ..ImcSettings::default()
        }))
        .build()
        .unwrap();
    let beginning = Beginning::new(&model, &state, Instants::ending(1e-3, 1e-3));
    let mut frame = ContactFrame::new(&model, &beginning);
    let mut kinematics = Kinematics::default();
    (kinematics.update(&model.topology, &state.frames, &state.q)).unwrap();
    let (mut set, mut random) = (ContactSet::default(), Random(5));
    for trial in 0..3 {
        let n = state.q.len();
        let velocity: Vec<f64> = (0..n).map(|_| 1e-2 * random.range(-1.0, 1.0)).collect();
        let at = Trial {
            topology: &model.topology,
            kinematics: &kinematics,
            time: 1e-3,
            q: &state.q,
            velocity: &velocity,
            rate: RATE,
        };
        let mut force = vec![0.0; n];
        set.find(&mut frame, &model, &at, STIFFNESS, &mut force);
        if trial == 0 {
            assert!(frame.spread_parallel(&model, &at, set.pairs()));
            set.find(&mut frame, &model, &at, STIFFNESS, &mut force);
        }
        frame.update_directions(&model, &set, (trial > 0).then_some(1.0));
        let ends = set.pairs().windows(2);
        let both = ends.filter(|ends| ends[0].edges == ends[1].edges);
        let mut apart = 0;
        for ends in both {
            let [a, b] = [&ends[0], &ends[1]].map(|pair| frame.direction(pair).unwrap());
            apart += u32::from(ends[0].slip != ends[1].slip);
            assert_eq!(a.slip(), ends[0].slip, "{:?}", ends[0].edges);
            assert_eq!(b.slip(), ends[1].slip, "{:?}", ends[1].edges);
        }
        assert!(apart >= 3, "{apart}");
    }
}
