//! Branches with contact against closed forms: a column between walls, two cantilevers that press on
//! each other; that no step leaps through a wall; what contact is refused.

use std::f64::consts::PI;
use std::rc::Rc;

use glam::DVec3;
use writhe::contact::{ContactModel, ImcSettings, IpcSettings};
use writhe::follow::{
    Branch, Ending, Equilibrium, Event, Family, FollowError, InTime, Member, Settings, follow,
};
use writhe::model::{Model, ModelBuilder};
use writhe::observe::{Observables, observe};
use writhe::obstacle::Obstacle;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::{Motion, Schedule};
use writhe::state::State;

const YOUNG: f64 = 1e9;
const LENGTH: f64 = 0.5;
/// Width and thickness of the strip, m.
const STRIP: [f64; 2] = [20e-3, 1e-3];
/// Radius for contact with which contacts are nearly points, and the strip's own, m.
const THIN: f64 = 0.2e-3;
const THICK: f64 = 2.5e-3;
/// Way of the column from its axis to a wall, m.
const ROOM: f64 = 2e-3;

fn material() -> Material {
    Material::new(YOUNG, 0.5, 1000.0)
}

fn imc(friction: f64) -> ContactModel {
    let mut settings = ImcSettings::default();
    settings.friction.coefficient = friction;
    ContactModel::Imc(settings)
}

fn followed(
    family: &dyn Family,
    start: &State,
    settings: &Settings,
) -> Result<(Vec<Equilibrium>, Vec<Branch>), FollowError> {
    let mut all = Vec::new();
    let branches = follow(family, start, settings, &mut |equilibrium: Equilibrium| {
        all.push(equilibrium);
        Ok::<(), FollowError>(())
    })?;
    Ok((all, branches))
}

fn seen(equilibrium: &Equilibrium) -> Observables {
    observe(&equilibrium.model, &equilibrium.state).unwrap()
}

/// A strip along x between two walls, clamped at both ends, which may come together; a force (1 N
/// times the time) presses on the second. For contact it is as thick as `radius`.
fn confined(edges: usize, radius: f64, contact: ContactModel) -> (Model, State) {
    let l = LENGTH / (edges as f64 - 1.0);
    let x = |i: usize| DVec3::new((i as f64 - 0.5) * l, 0.0, 0.0);
    let [width, thick] = STRIP;
    let mut section = Section::rectangle(material(), thick, width);
    section.radius = radius;
    let nodes = (0..=edges).map(x).collect();
    let rod = Rod::at_rest(nodes, section, false, Some(DVec3::Y)).unwrap();
    let along = [false, true, true];
    let force = Schedule::Rate {
        value: 0.0,
        rate: 1.0,
    };
    let wall =
        |side: f64| Obstacle::half_space(side * (ROOM + radius) * DVec3::Y, -side * DVec3::Y);
    ModelBuilder::new()
        .rod(rod)
        .clamp(0, 0, Motion::Still)
        .hold_node(0, edges - 1, along, Motion::Still)
        .hold_node(0, edges, along, Motion::Still)
        .hold_angle(0, edges - 1, Schedule::Constant(0.0))
        .force(0, edges, -DVec3::X, force)
        .contact(contact)
        .obstacle(wall(1.0))
        .obstacle(wall(-1.0))
        .build()
        .unwrap()
}

/// Load at which the column buckles, N.
fn critical() -> f64 {
    let [width, thick] = STRIP;
    4.0 * PI * PI * YOUNG * width * thick.powi(3) / 12.0 / (LENGTH * LENGTH)
}

/// What a wall holds, N, of a column that deflects by `room` under `load` and touches it in one point:
/// up to four times the critical load, where the curvature at the wall vanishes (Domokos, Holmes and
/// Royce 1997, small deflections).
fn wall_force(load: f64, room: f64) -> f64 {
    let ei = critical() * LENGTH * LENGTH / (4.0 * PI * PI);
    let k = (load / ei).sqrt();
    let angle = 0.5 * k * LENGTH;
    2.0 * ei * k.powi(3) * room / (angle - 2.0 * (0.5 * angle).tan())
}

/// Load, over the critical one, at which the column with one point at the wall rolls over to a side:
/// `x = tan(x)` for half of `k L`.
fn rolls_over() -> f64 {
    let (mut low, mut high) = (PI, 1.5 * PI - 1e-9);
    for _ in 0..80 {
        let x = 0.5 * (low + high);
        match x.tan() < x {
            true => low = x,
            false => high = x,
        }
    }
    (low / PI).powi(2)
}

/// It buckles and meets a wall, lies against it with one point, and is unstable from a second
/// bifurcation on. Both sides are mirror images, and forces are those of the beam.
#[test]
fn a_column_between_walls() {
    let mut errors = Vec::new();
    for (edges, radius) in [(40, THICK), (40, THIN), (80, THIN)] {
        let (model, start) = confined(edges, radius, imc(0.0));
        let family = InTime(Rc::new(model));
        let settings = Settings {
            branches: 1,
            ..Settings::new(0.5 * critical(), 3.5 * critical())
        };
        let (all, branches) = followed(&family, &start, &settings).unwrap();
        let endings: Vec<_> = branches.iter().map(|b| b.ending).collect();
        assert_eq!(endings, [Ending::Left, Ending::Reached, Ending::Reached]);
        let event = |branch: usize| {
            let mut events = all.iter().filter(|e| e.event != Event::Regular);
            events.find(|e| e.branch == branch).unwrap()
        };
        assert_eq!(event(0).event, Event::Bifurcation(1));
        assert_eq!(event(1).event, Event::Bifurcation(1));
        let buckles = event(0).parameter / critical() - 1.0;
        let rolls = event(1).parameter / critical() / rolls_over() - 1.0;
        let (mut worst, mut least, mut most) = (0.0_f64, f64::INFINITY, 0.0_f64);
        for e in all.iter().filter(|e| e.branch > 0) {
            let positions = e.model.positions(&e.state);
            let room = positions.iter().map(|x| x.y.abs()).fold(0.0, f64::max);
            // It never leaves its walls: they give way by three thousandths of a radius.
            assert!(room < ROOM * 1.005, "{room}");
            let part = e.parameter / critical();
            let force = seen(e)
                .obstacles
                .iter()
                .map(|o| o.force.y.abs())
                .fold(0.0, f64::max);
            if part < 1.2 || force == 0.0 {
                continue;
            }
            let is_near = (0.97..1.03).contains(&(part / rolls_over()));
            // A thick one lies against the wall with more than a point.
            if !is_near && radius == THIN {
                let negative = usize::from(part > rolls_over());
                assert_eq!(e.negative, Some(negative), "{edges} edges, at {part}");
            }
            (least, most) = (least.min(part), most.max(part));
            worst = worst.max((force / wall_force(e.parameter, room) - 1.0).abs());
        }
        let ends = [1, 2].map(|branch| all.iter().rfind(|e| e.branch == branch).unwrap());
        let [a, b] = ends.map(|e| e.model.positions(&e.state));
        for (a, b) in a.iter().zip(&b) {
            assert!(
                (a.x - b.x).abs() < 1e-8 && (a.y + b.y).abs() < 1e-8,
                "{a} {b}"
            );
        }
        println!(
            "{edges} edges, {radius} m: {} equilibria, it buckles {buckles:.2e} and rolls over {rolls:.2e} off; {least:.3} to {most:.3} of the critical load, force off by {worst:.2e}",
            all.len()
        );
        assert!(least < 1.5 && most == 3.5, "{least} {most}");
        errors.push([buckles.abs(), rolls.abs(), worst]);
    }
    let [coarse, fine] = [errors[1], errors[2]];
    assert!(errors[0][2] < 0.02, "{errors:?}");
    assert!(
        fine[0] < 1e-3 && fine[1] < 2e-3 && fine[2] < 4e-3,
        "{errors:?}"
    );
    assert!((0..3).all(|k| fine[k] < 0.3 * coarse[k]), "{errors:?}");
}

/// As long steps as there are do not take it through a wall.
#[test]
fn long_steps_stay_before_the_wall() {
    let (model, start) = confined(30, THIN, imc(0.0));
    let family = InTime(Rc::new(model));
    let settings = Settings {
        branches: 1,
        first_step: 0.5,
        largest_step: 1.0,
        ..Settings::new(0.5 * critical(), 4.0 * critical())
    };
    let (all, branches) = followed(&family, &start, &settings).unwrap();
    assert!(
        branches[1..].iter().all(|b| b.ending == Ending::Reached),
        "{branches:?}"
    );
    for e in &all {
        let out = e.model.positions(&e.state);
        let out = out.iter().map(|x| x.y.abs()).fold(0.0, f64::max);
        assert!(out < ROOM * 1.005, "{out}");
    }
}

/// Two cantilevers across each other, one a gap above the other: a force on the tip of the upper
/// one bends it alone, then both.
#[test]
fn two_cantilevers_share_a_force() {
    const RADIUS: f64 = 4e-3;
    const LONG: f64 = 0.2;
    const GAP: f64 = 1e-3;
    let ei = YOUNG * PI * RADIUS.powi(4) / 4.0;
    let mut errors = Vec::new();
    for edges in [20, 40] {
        let l = LONG / (edges as f64 - 0.5);
        let along = |direction: DVec3, from: DVec3| {
            let at = |i: usize| from + (i as f64 - 0.5) * l * direction;
            let section = Section::circle(material(), RADIUS);
            Rod::open((0..=edges).map(at).collect(), section).unwrap()
        };
        // They cross where each has this length behind it.
        let arm = 0.95 * LONG;
        let lower = along(DVec3::Y, DVec3::new(arm, -arm, -2.0 * RADIUS - GAP));
        let force = Schedule::Rate {
            value: 0.0,
            rate: 1.0,
        };
        let (model, start) = ModelBuilder::new()
            .rod(along(DVec3::X, DVec3::ZERO))
            .rod(lower)
            .clamp(0, 0, Motion::Still)
            .clamp(1, 0, Motion::Still)
            .force(0, edges, -DVec3::Z, force)
            .contact(imc(0.0))
            .build()
            .unwrap();
        let most = 10.0 * GAP * 3.0 * ei / LONG.powi(3);
        let family = InTime(Rc::new(model));
        let (all, branches) = followed(&family, &start, &Settings::new(0.0, most)).unwrap();
        assert_eq!(branches[0].ending, Ending::Reached);
        let end = all.last().unwrap();
        assert_eq!(end.negative, Some(0));
        let seen = seen(end);
        let (mut force, mut gap) = (0.0, 0.0);
        for contact in &seen.contact_points {
            force += contact.force;
            gap += contact.force * contact.gap;
        }
        gap /= force;
        let alone = most * arm * arm * (3.0 * LONG - arm) / (6.0 * ei);
        let wanted = (alone - (GAP - gap)) / (2.0 * arm.powi(3) / (3.0 * ei));
        // As the force grows contact is made stiffer, and is never deep.
        let stiffness = |e: &Equilibrium| e.state.contact.stiffness;
        assert!(
            stiffness(end) > 1.5 * stiffness(&all[0]),
            "{}",
            stiffness(end)
        );
        assert!(gap > -4e-3 * RADIUS, "{gap}");
        println!("{edges} edges: {force} N of {wanted} N, gap {gap}");
        errors.push((force / wanted - 1.0).abs());
        assert!(all.iter().any(|e| self::seen(e).contacts == 0));
    }
    assert!(errors[1] < 5e-3, "{errors:?}");
}

#[test]
fn other_contact_is_refused() {
    let told = |contact: ContactModel| {
        let (model, start) = confined(6, THIN, contact);
        let family = InTime(Rc::new(model));
        let told = followed(&family, &start, &Settings::new(0.0, 1.0));
        told.map(|_| ()).unwrap_err()
    };
    assert_eq!(told(imc(0.1)), FollowError::Obstacles);
    assert_eq!(
        told(ContactModel::Ipc(IpcSettings::default())),
        FollowError::Obstacles
    );
    let growing = |parameter: f64| -> Result<Member, FollowError> {
        let rod = Rod::open(
            vec![DVec3::ZERO, DVec3::X, 2.0 * DVec3::X],
            Section::circle(material(), 0.01),
        );
        let ball = Obstacle::sphere(5.0 * DVec3::Z, 1.0 + parameter);
        let built = ModelBuilder::new()
            .rod(rod.unwrap())
            .clamp(0, 0, Motion::Still)
            .contact(imc(0.0))
            .obstacle(ball)
            .build();
        Ok(Member {
            model: Rc::new(built.unwrap().0),
            time: 0.0,
        })
    };
    let (_, start) = confined(2, THIN, imc(0.0));
    let told = followed(&growing, &start, &Settings::new(0.0, 1.0));
    assert_eq!(told.map(|_| ()).unwrap_err(), FollowError::Shapes);
}
