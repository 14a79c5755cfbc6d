use super::*;
use crate::assembly::Trial;
use crate::contact::site::{Balance, Contact};
use crate::contact::{Beginning, ContactFrame, ContactSet};
use crate::contact_model::{ContactModel, Friction, ImcSettings};
use crate::kernels::testing::Random;
use crate::model::{Model, ModelBuilder};
use crate::obstacle::Obstacle;
use crate::obstacle::surface::Instants;
use crate::rod::{Kinematics, Material, Rod, Section};
use crate::state::State;
use glam::DVec3;

const RADIUS: f64 = 1e-3;
const RATE: f64 = 750.0;
const STIFFNESS: f64 = 1e-3;

/// A rod across another that lies on a floor, all of them pressed together a little.
fn crossed() -> (Model, State) {
    let section = Section::circle(Material::new(1e6, 0.5, 1200.0), RADIUS);
    let line = |centre: DVec3, along: DVec3| -> Vec<DVec3> {
        (0..8)
            .map(|i| centre + 4e-3 * (f64::from(i) - 3.05) * along)
            .collect()
    };
    let rod = |centre, along| Rod::open(line(centre, along), section).unwrap();
    ModelBuilder::new()
        .rod(rod(DVec3::Z * 0.999 * RADIUS, DVec3::X))
        .rod(rod(
            DVec3::Z * 2.997 * RADIUS,
            DVec3::new(0.3, 1.0, 0.0).normalize(),
        ))
        .obstacle(Obstacle::half_space(DVec3::ZERO, DVec3::Z).with_friction(0.4))
        .contact(ContactModel::Imc(ImcSettings {
            friction: Friction {
                coefficient: 0.3,
                ..Friction::default()
            },
            ..ImcSettings::default()
        }))
        .build()
        .unwrap()
}

/// A rod that lies along itself.
fn hairpin() -> (Model, State) {
    let section = Section::circle(Material::new(1e6, 0.5, 1200.0), RADIUS);
    let at = |x: f64, y: f64| DVec3::new(x, y, 0.0);
    let strand = |y: f64| (0..7).map(move |i| DVec3::new(4e-3 * f64::from(i), y, 0.0));
    let bend = [at(28e-3, -2e-3), at(32e-3, 1e-3), at(28e-3, 4e-3)];
    let back: Vec<DVec3> = strand(1.998 * RADIUS).collect();
    let nodes = strand(0.0).chain(bend).chain(back.into_iter().rev());
    ModelBuilder::new()
        .rod(Rod::open(nodes.collect::<Vec<_>>(), section).unwrap())
        .contact(ContactModel::Imc(ImcSettings::default()))
        .build()
        .unwrap()
}

/// What there is to see of the contacts where the unknowns are `q` and move by `velocity`: the frame,
/// the set that was found in it, the trial, and their forces on the unknowns.
fn with_contacts<T>(
    (model, state): (&Model, &State),
    q: &[f64],
    velocity: &[f64],
    see: impl FnOnce(&ContactFrame, &ContactSet, &Trial, Vec<f64>) -> T,
) -> T {
    let beginning = Beginning::new(model, state, Instants::ending(1e-3, 1e-3));
    let mut frame = ContactFrame::new(model, &beginning);
    let mut kinematics = Kinematics::default();
    kinematics
        .update(&model.topology, &state.frames, q)
        .unwrap();
    let at = Trial {
        topology: &model.topology,
        kinematics: &kinematics,
        time: 1e-3,
        q,
        velocity,
        rate: RATE,
    };
    let (mut set, mut force) = (ContactSet::default(), vec![0.0; q.len()]);
    set.find(&mut frame, model, &at, STIFFNESS, &mut force);
    see(&frame, &set, &at, force)
}

/// Contacts in all, those that make a step begin contact by contact, and the same where it may end.
fn counts((model, state): &(Model, State)) -> [usize; 3] {
    let still = vec![0.0; state.q.len()];
    with_contacts((model, state), &state.q, &still, |frame, set, _, _| {
        let may_end = frame.count_between_at(model, &state.q, STIFFNESS);
        [set.count(), set.count_between(model), may_end]
    })
}

/// Strands of one rod along each other are coupled by all of it: sweeps over them hardly settle.
#[test]
fn contacts_of_a_rod_with_itself_do_not_count() {
    let [all, between, may_end] = counts(&hairpin());
    assert!(
        all >= 7 && between == 0 && may_end == 0,
        "{all} {between} {may_end}"
    );
    let [all, between, may_end] = counts(&crossed());
    assert!(
        all >= 8 && between == all && may_end == all,
        "{all} {between} {may_end}"
    );
}

/// Sites, and forces of contact as the set has them, where the unknowns are `q` and move by `velocity`.
fn look(model: &Model, state: &State, q: &[f64], velocity: &[f64]) -> (Vec<Site>, Vec<f64>) {
    with_contacts((model, state), q, velocity, |frame, _, at, force| {
        (frame.sites(model, at, STIFFNESS), force)
    })
}

fn noise(random: &mut Random, n: usize, size: f64) -> Vec<f64> {
    (0..n).map(|_| size * random.range(-1.0, 1.0)).collect()
}

/// Forces of sites on the unknowns are those of the contacts themselves, sliding and sticking.
#[test]
fn forces_are_those_of_contact() {
    let (model, state) = crossed();
    let mut random = Random(3);
    for speed in [0.0, 2e-5, 1e-2] {
        let velocity = noise(&mut random, state.q.len(), speed);
        let (sites, force) = look(&model, &state, &state.q, &velocity);
        let mut sum = vec![0.0; force.len()];
        let forces = forces(&sites);
        push(&sites, &forces, 1.0, &vec![false; force.len()], &mut sum);
        let largest = force.iter().fold(0.0_f64, |a, f| a.max(f.abs()));
        assert!(largest > 1e-3, "{largest:e}");
        for (a, b) in sum.iter().zip(&force) {
            assert!((a - b).abs() < 1e-12 * largest, "{a:e} {b:e} at {speed}");
        }
    }
}

/// Gaps and slips change as their rows say.
#[test]
fn rows_are_derivatives() {
    let (model, state) = crossed();
    let mut random = Random(7);
    let n = state.q.len();
    let (sites, _) = look(&model, &state, &state.q, &vec![0.0; n]);
    assert!(sites.iter().map(|s| s.slips.len()).max() == Some(2));
    let by = noise(&mut random, n, 1.0);
    let step = 1e-9;
    let moved = |sign: f64| {
        let q: Vec<f64> = state
            .q
            .iter()
            .zip(&by)
            .map(|(q, d)| q + sign * step * d)
            .collect();
        // v = rate (q - q0).
        let velocity: Vec<f64> = by.iter().map(|d| sign * RATE * step * d).collect();
        look(&model, &state, &q, &velocity).0
    };
    let (after, before) = (moved(1.0), moved(-1.0));
    let value = |row: &crate::contact::site::Row| -> f64 {
        row.terms.iter().map(|(dof, v)| v * by[*dof]).sum()
    };
    for ((site, a), b) in sites.iter().zip(&after).zip(&before) {
        let gap = (a.gap - b.gap) / (2.0 * step);
        assert!((gap - value(&site.normal)).abs() < 1e-5, "{:?}", site.id);
        for ((slip, a), b) in site.slips.iter().zip(&a.slips).zip(&b.slips) {
            let change = (a.slip - b.slip) / (2.0 * step);
            for (row, change) in slip.rows.iter().zip(change.to_array()) {
                let wanted = slip.rate * value(row);
                assert!((change - wanted).abs() < 1e-5 * RATE, "{:?}", site.id);
            }
        }
    }
}

/// Whatever the others do, the forces that a block finds are those that its contacts have at the gaps
/// and slips that these forces lead to.
#[test]
fn blocks_find_their_balance() {
    let (model, state) = crossed();
    let mut random = Random(11);
    let (mut sites, _) = look(&model, &state, &state.q, &vec![0.0; state.q.len()]);
    let blocks = blocks(&model, &mut sites);
    let most = blocks.iter().map(|b| b.sites.len()).max();
    assert!(most > Some(1), "{most:?}");
    let (mut stick, mut slide, mut open) = (0, 0, 0);
    for block in blocks.iter().cycle().take(4_000) {
        let sites = &sites[block.sites.clone()];
        let n = block.rows.len();
        // A compliance like that of a soft rod, with rows that are nearly one.
        let mut own = vec![0.0; n * n];
        for _ in 0..n {
            let v = noise(&mut random, n, 0.1);
            for j in 0..n {
                for i in 0..n {
                    own[j * n + i] += v[i] * v[j];
                }
            }
        }
        let reach = 1e-3 * RADIUS * 300_f64.powf(random.range(0.0, 1.0));
        let free = noise(&mut random, n, reach);
        let mut y = vec![0.0; n];
        let contacts: Vec<Contact> = sites.iter().map(Contact::new).collect();
        let balance = Balance {
            contacts: &contacts,
            free: &free,
            own: &own,
        };
        assert!(balance.find(&mut y));
        let mut row = 0;
        let value = |row: usize| free[row] + (0..n).map(|j| own[j * n + row] * y[j]).sum::<f64>();
        let largest = y.iter().fold(0.0_f64, |a, f| a.max(f.abs()));
        for site in sites {
            let force = Contact::new(site).response(value(row)).force;
            let normal = y[row];
            assert!(
                (force - normal).abs() <= 1e-5 * largest,
                "{force:e} {normal:e}"
            );
            open += u32::from(normal == 0.0);
            row += 1;
            for slip in &site.slips {
                let s = [0, 1].map(|k| slip.slip[k] + slip.rate * value(row + k));
                let (f, speed) = (y[row].hypot(y[row + 1]), s[0].hypot(s[1]));
                let most = slip.law.coefficient * slip.share * normal;
                assert!(f <= most * (1.0 + 1e-4) + 1e-5 * largest, "{f:e} {most:e}");
                // Against the slip.
                let along = y[row] * s[0] + y[row + 1] * s[1];
                assert!(along <= -0.999 * f * speed + 1e-5 * largest * speed);
                if most > 1e-3 * largest {
                    let slides = speed > 1e-4;
                    assert!(!slides || f > 0.99 * most - 1e-5 * largest);
                    (slide, stick) = (slide + u32::from(slides), stick + u32::from(!slides));
                }
                row += 2;
            }
        }
    }
    assert!(
        stick > 100 && slide > 100 && open > 100,
        "{stick} {slide} {open}"
    );
}
