//! What must not change: energies under rigid motion, material under a change of reference frames,
//! sums of contact forces.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};
use writhe::assembly::Trial;
use writhe::contact::{
    Beginning, ContactFrame, ContactModel, ContactSet, Directions, Friction, ImcSettings, Stiffness,
};
use writhe::forces::{Acting, add_elastic, add_loads};
use writhe::model::{Model, ModelBuilder};
use writhe::observe::observe;
use writhe::obstacle::surface::Instants;
use writhe::rod::{Kinematics, Material, Rod, Section};
use writhe::schedule::{Motion, Schedule};
use writhe::state::State;
use writhe::step::{Scheme, StepSettings, Workspace, implicit_step};
use writhe_tests::support::{Random, kinematics};

const RADIUS: f64 = 2e-3;
/// Friction by direction of two of the rods.
const SCALES: [Directions; 2] = [
    Directions {
        forward: 0.2,
        backward: 0.5,
        across: 0.3,
    },
    Directions {
        forward: 0.6,
        backward: 0.1,
        across: 0.4,
    },
];

/// Contact acts from a gap of 0.2 mm on.
fn touching(friction: f64) -> ContactModel {
    ContactModel::Imc(ImcSettings {
        tolerance: 0.1,
        stiffness: Stiffness::Given(1e-5),
        friction: Friction {
            coefficient: friction,
            slip_tolerance: 0.05,
            ..Friction::default()
        },
    })
}

/// A turn about the origin, then a shift, m.
#[derive(Clone, Copy)]
struct Place(DQuat, DVec3);

impl Place {
    fn point(&self, x: DVec3) -> DVec3 {
        self.0 * x + self.1
    }
}

/// A curved and twisted rod in a turning clamp, a twisted ring, and a rod pulled across the first
/// that touches it, all moving, pushed by a dead and by a following force.
fn scene(place: Place, contact: ContactModel, prescribed: bool) -> (Model, State) {
    scaled_scene(place, contact, prescribed, false)
}

/// The same; with scales, friction of the rods that touch differs by direction.
fn scaled_scene(
    place: Place,
    contact: ContactModel,
    prescribed: bool,
    scales: bool,
) -> (Model, State) {
    let mut random = Random(11);
    let material = Material::new(1e6, 0.3, 1000.0);
    let put = |mut rod: Rod| {
        rod.positions.iter_mut().for_each(|x| *x = place.point(*x));
        rod.directors.iter_mut().for_each(|d| *d = place.0 * *d);
        rod
    };
    let arc = (0..9).map(|i| {
        let s = 0.01 * f64::from(i);
        DVec3::new(s, 2.0 * s * s, 0.3 * s)
    });
    let mut first = Rod::at_rest(
        arc.collect(),
        Section::ellipse(material, 2.5e-3, 1.6e-3),
        false,
        Some(DVec3::Z),
    )
    .unwrap();
    first
        .rest_curvature
        .iter_mut()
        .for_each(|k| *k = [k[0] + 0.1, k[1] - 0.05]);
    first
        .rest_twist
        .iter_mut()
        .for_each(|t| *t += 0.3 * random.next());
    let circle = (0..12).map(|i| {
        let a = TAU * f64::from(i) / 12.0;
        DVec3::new(
            0.02 * a.cos(),
            0.02 * a.sin() - 0.05,
            0.01 * (2.0 * a).sin(),
        )
    });
    let mut ring = Rod::at_rest(
        circle.collect(),
        Section::rectangle(material, 4e-3, 2.5e-3),
        true,
        Some(DVec3::Z),
    )
    .unwrap();
    ring.twist_directors(&[0.2; 11]);
    // Normal to the fourth edge of the first, above its middle.
    let (a, b) = (first.positions[3], first.positions[4]);
    let across = (b - a).cross(DVec3::Z).normalize();
    let up = across.cross(b - a).normalize();
    let above = 0.5 * (a + b) + up * (2.0 * RADIUS * 1.003);
    let line = (0..5).map(|i| above + across * (0.012 * (f64::from(i) - 1.9)));
    let second = Rod::at_rest(
        line.collect(),
        Section::circle(material, RADIUS),
        false,
        Some(up),
    )
    .unwrap();
    let push = DVec3::new(1e-3, -2e-3, 0.5e-3);
    let mut builder = ModelBuilder::new()
        .rod(put(first))
        .rod(put(ring))
        .rod(put(second))
        .contact(contact)
        .force(1, 2, place.0 * push, Schedule::Constant(1.0))
        .following_force(0, 8, 7, push, Schedule::Constant(1.0))
        .moment(2, 1, place.0 * push * 1e-2, Schedule::Constant(1.0), false);
    if prescribed {
        let spin = Motion::spin(place.point(DVec3::ZERO), place.0 * DVec3::Y, 2.0);
        let pull = Motion::Velocity(place.0 * DVec3::new(0.02, 0.05, -0.03));
        builder = builder.clamp(0, 0, spin).hold_node(2, 4, [true; 3], pull);
    }
    if scales {
        builder = (builder.friction_by_direction(0, SCALES[0])).friction_by_direction(2, SCALES[1]);
    }
    let (model, mut state) = builder.build().unwrap();
    for dof in &model.topology.node_dof {
        let u = place.0 * (random.vector() * 0.1);
        state.velocity[*dof..dof + 3].copy_from_slice(&u.to_array());
    }
    for dof in &model.topology.edge_dof {
        state.velocity[*dof] = random.next();
    }
    (model, state)
}

fn here() -> Place {
    Place(DQuat::IDENTITY, DVec3::ZERO)
}

fn elsewhere() -> Place {
    let axis = DVec3::new(1.0, -2.0, 0.7).normalize();
    Place(
        DQuat::from_axis_angle(axis, 2.1),
        DVec3::new(0.2, -0.1, 0.3),
    )
}

fn trial<'a>(model: &'a Model, state: &'a State, k: &'a Kinematics) -> Trial<'a> {
    Trial {
        topology: &model.topology,
        kinematics: k,
        time: state.time,
        q: &state.q,
        velocity: &state.velocity,
        rate: 100.0,
    }
}

/// Elastic, load and contact forces on all unknowns.
fn forces(model: &Model, state: &State) -> [Vec<f64>; 3] {
    let k = kinematics(model, &state.frames, &state.q);
    let at = trial(model, state, &k);
    let mut all = [(); 3].map(|()| vec![0.0; state.q.len()]);
    add_elastic(model, &k, &state.q, &mut all[0], None);
    add_loads(model, Acting::All, &at, &mut all[1]);
    let beginning = Beginning::new(model, state, Instants::still(state.time));
    let mut frame = ContactFrame::new(model, &beginning);
    let mut contact = ContactSet::default();
    contact.find(&mut frame, model, &at, state.contact.stiffness, &mut all[2]);
    assert!(!contact.pairs().is_empty(), "the rods must touch");
    all
}

#[test]
fn rigid_motion_changes_energies_by_rounding_and_turns_forces() {
    [false, true].into_iter().for_each(energies_and_forces);
}

fn energies_and_forces(scales: bool) {
    let (model, state) = scaled_scene(here(), touching(0.4), true, scales);
    let (moved_model, moved) = scaled_scene(elsewhere(), touching(0.4), true, scales);
    let [a, b] = [
        observe(&model, &state).unwrap(),
        observe(&moved_model, &moved).unwrap(),
    ];
    for (name, x, y) in [
        ("stretching", a.elastic.stretch, b.elastic.stretch),
        ("bending", a.elastic.bend, b.elastic.bend),
        ("twisting", a.elastic.twist, b.elastic.twist),
        ("contact", a.contact_energy, b.contact_energy),
        ("kinetic", a.kinetic, b.kinetic),
    ] {
        println!("{name} energy {x:e} {y:e}");
        // Stretching starts at zero.
        let scale = if name == "stretching" {
            a.elastic.bend
        } else {
            x
        };
        assert!(
            scale > 0.0 && (x - y).abs() < 1e-11 * scale,
            "{name}: {x:e} {y:e}"
        );
    }
    let turn = elsewhere().0;
    for ((here, there), name) in forces(&model, &state)
        .iter()
        .zip(&forces(&moved_model, &moved))
        .zip(["elastic", "loads", "contact"])
    {
        let largest = here.iter().fold(0.0_f64, |m, f| m.max(f.abs()));
        let mut error = 0.0_f64;
        for dof in &model.topology.node_dof {
            let turned = turn * DVec3::from_slice(&here[*dof..]);
            error = error.max((turned - DVec3::from_slice(&there[*dof..])).length());
        }
        for dof in &model.topology.edge_dof {
            error = error.max((here[*dof] - there[*dof]).abs());
        }
        println!("{name} forces turn to {:.1e}", error / largest);
        assert!(
            largest > 0.0 && error < 1e-10 * largest,
            "{name}: {error:e} of {largest:e}"
        );
    }
}

/// The same run in two places: prescribed motion, sliding contact, twisted rods.
#[test]
fn rigid_motion_turns_a_whole_run() {
    for (scheme, scales) in [
        (Scheme::BackwardEuler, false),
        (Scheme::Bdf2, false),
        (Scheme::ImplicitMidpoint, false),
        (Scheme::BackwardEuler, true),
    ] {
        let run = |place: Place| {
            let (model, mut state) = scaled_scene(place, touching(0.4), true, scales);
            let settings = StepSettings {
                scheme,
                step_tolerance: 1e-11,
                residual_tolerance: 1e-9,
                ..StepSettings::default()
            };
            let mut ws = Workspace::new(&model);
            let mut contacts = 0;
            for _ in 0..30 {
                let (next, report) =
                    implicit_step(&model, &state, 3e-4, &settings, &mut ws).unwrap();
                state = next;
                contacts += report.contacts;
            }
            assert!(contacts > 10, "the rods must touch: {contacts}");
            (model, state)
        };
        let ((model, a), (_, b)) = (run(here()), run(elsewhere()));
        let mut worst = 0.0_f64;
        for dof in &model.topology.node_dof {
            let turned = elsewhere().point(DVec3::from_slice(&a.q[*dof..]));
            worst = worst.max((turned - DVec3::from_slice(&b.q[*dof..])).length());
        }
        for dof in &model.topology.edge_dof {
            worst = worst.max(RADIUS * (a.q[*dof] - b.q[*dof]).abs());
        }
        println!(
            "{scheme:?}, scales {scales}: runs agree to {:.1e} radii",
            worst / RADIUS
        );
        assert!(
            worst < 1e-8 * RADIUS,
            "{scheme:?}, scales {scales}: {:.2e} radii",
            worst / RADIUS
        );
    }
}

#[test]
fn contact_and_friction_sum_to_zero_without_net_torque() {
    [false, true].into_iter().for_each(sums_of_contact_forces);
}

fn sums_of_contact_forces(scales: bool) {
    let contact_force = |friction: f64| {
        let scales = scales && friction > 0.0;
        let (model, state) = scaled_scene(elsewhere(), touching(friction), false, scales);
        let all = forces(&model, &state)[2].clone();
        (model, state, all)
    };
    let (model, state, normal) = contact_force(0.0);
    let (_, _, both) = contact_force(0.4);
    let friction: Vec<f64> = both.iter().zip(&normal).map(|(b, n)| b - n).collect();
    let mut sums = [DVec3::ZERO; 4];
    let mut largest = [0.0_f64; 2];
    for dof in &model.topology.node_dof {
        let (n, f) = (
            DVec3::from_slice(&normal[*dof..]),
            DVec3::from_slice(&friction[*dof..]),
        );
        sums[0] += n;
        sums[1] += DVec3::from_slice(&state.q[*dof..]).cross(n);
        sums[2] += f;
        sums[3] += DVec3::from_slice(&state.q[*dof..]).cross(f);
        largest = [largest[0].max(n.length()), largest[1].max(f.length())];
    }
    // Frames are those of the state: what acts on theta is the moment about the tangent.
    let kinematics = kinematics(&model, &state.frames, &state.q);
    let on_angles: DVec3 = (model.topology.edge_dof.iter().zip(kinematics.edges()))
        .map(|(dof, e)| friction[*dof] * e.tangent)
        .sum();
    sums[3] += on_angles;
    println!("sums {sums:?} of {largest:?}, moments on angles {on_angles}");
    assert!(largest[0] > 0.0 && largest[1] > 0.0);
    assert!(sums[0].length() < 1e-14 * largest[0]);
    assert!(sums[1].length() < 1e-14 * largest[0]);
    assert!(sums[2].length() < 1e-14 * largest[1]);
    assert!(sums[3].length() < 1e-14 * largest[1]);
    // Without friction on twist the moment would be off by a diameter times the force.
    assert!(on_angles.length() > 1e-4 * largest[1]);
}

/// Reference directors turned about their tangents, with angles and reference twist to match.
#[test]
fn change_of_reference_frames_changes_nothing() {
    let mut random = Random(5);
    let (model, state) = scene(here(), touching(0.4), true);
    let turns: Vec<f64> = model
        .topology
        .edge_dof
        .iter()
        .map(|_| 9.0 * random.next())
        .collect();
    let mut turned = state.clone();
    for (edge, angle) in turns.iter().enumerate() {
        let (t, d) = (state.frames.tangent[edge], state.frames.director[edge]);
        turned.frames.director[edge] = d * angle.cos() + t.cross(d) * angle.sin();
        turned.q[model.topology.edge_dof[edge]] -= angle;
    }
    for (vertex, [minus, plus]) in model.topology.vertex_edges.iter().enumerate() {
        turned.frames.twist[vertex] += turns[*plus] - turns[*minus];
    }
    let settings = StepSettings {
        step_tolerance: 1e-11,
        residual_tolerance: 1e-9,
        ..StepSettings::default()
    };
    let mut runs = [state, turned].map(|mut state| {
        let mut ws = Workspace::new(&model);
        for _ in 0..30 {
            state = implicit_step(&model, &state, 3e-4, &settings, &mut ws)
                .unwrap()
                .0;
        }
        state
    });
    for (edge, angle) in turns.iter().enumerate() {
        runs[1].q[model.topology.edge_dof[edge]] += angle;
    }
    let [a, b] = &runs;
    let worst = (0..a.q.len())
        .map(|dof| {
            (a.q[dof] - b.q[dof]).abs()
                * if model.topology.angle[dof] {
                    RADIUS
                } else {
                    1.0
                }
        })
        .fold(0.0, f64::max);
    println!("runs agree to {:.1e} radii", worst / RADIUS);
    assert!(worst < 1e-8 * RADIUS, "{:.2e} radii", worst / RADIUS);
}
