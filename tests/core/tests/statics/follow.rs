//! Branches of equilibria against closed forms, with their order in the length of edges: Euler's
//! column and its elastica, a cantilever, Michell's ring, a shallow arch.

use std::f64::consts::PI;
use std::rc::Rc;

use glam::DVec3;
use writhe::bodies::Body;
use writhe::contact::{ContactModel, Friction, ImcSettings};
use writhe::follow::{
    Branch, Ending, Equilibrium, Event, Family, FollowError, InTime, Member, Settings, follow,
};
use writhe::model::{Model, ModelBuilder};
use writhe::obstacle::Obstacle;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::{Motion, Schedule};
use writhe::solve::Poll;
use writhe::state::State;
use writhe::statics::Statics;

const YOUNG: f64 = 1e9;

fn material() -> Material {
    Material::new(YOUNG, 0.5, 1000.0)
}

fn followed(
    family: &dyn Family,
    start: &State,
    settings: &Settings,
) -> (Vec<Equilibrium>, Vec<Branch>) {
    let mut all = Vec::new();
    let branches = follow(family, start, settings, &mut |equilibrium: Equilibrium| {
        all.push(equilibrium);
        Ok::<(), FollowError>(())
    });
    (all, branches.unwrap())
}

/// Arithmetic-geometric mean: complete elliptic integrals K(k) and E(k).
fn elliptic(k: f64) -> (f64, f64) {
    let (mut a, mut b, mut c) = (1.0, (1.0 - k * k).sqrt(), k);
    let (mut sum, mut power) = (0.5 * c * c, 1.0);
    while c.abs() > 1e-16 {
        (a, b, c) = (0.5 * (a + b), (a * b).sqrt(), 0.5 * (a - b));
        sum += power * c * c;
        power *= 2.0;
    }
    let first = PI / (2.0 * a);
    (first, first * (1.0 - sum))
}

/// Width and thickness of the strip of columns, m: it bends in the plane of x and y.
const STRIP: [f64; 2] = [20e-3, 1e-3];
const LENGTH: f64 = 0.5;

fn strip() -> (Section, f64) {
    let [width, thick] = STRIP;
    // Initial frames have m1 along y or z; the softest is told apart by the modes themselves.
    let section = Section::rectangle(material(), width, thick);
    (section, YOUNG * width * thick.powi(3) / 12.0)
}

/// A straight rod along x with a force (1 N times the time) on its end, clamped at x = 0: that is
/// the middle of its first edge.
fn column(edges: usize, force: DVec3) -> (InTime, State) {
    let l = LENGTH / (edges as f64 - 0.5);
    let x = |i: usize| DVec3::new((i as f64 - 0.5) * l, 0.0, 0.0);
    let rod = Rod::open((0..=edges).map(x).collect(), strip().0).unwrap();
    let (model, state) = ModelBuilder::new()
        .rod(rod)
        .clamp(0, 0, Motion::Still)
        .force(
            0,
            edges,
            force,
            Schedule::Rate {
                value: 0.0,
                rate: 1.0,
            },
        )
        .build()
        .unwrap();
    (InTime(Rc::new(model)), state)
}

fn tip(equilibrium: &Equilibrium) -> DVec3 {
    *equilibrium
        .model
        .positions(&equilibrium.state)
        .last()
        .unwrap()
}

/// The load of the first bifurcation is `pi^2 EI / (4 L^2)`; beyond it the straight column has one
/// negative eigenvalue, and the bent ones, which are mirror images, have none.
#[test]
fn eulers_column_buckles_into_the_elastica() {
    let critical = PI * PI * strip().1 / (4.0 * LENGTH * LENGTH);
    let angle = 1.9_f64;
    let k = (0.5 * angle).sin();
    let (first, second) = elliptic(k);
    let load = critical * (2.0 * first / PI).powi(2);
    let wanted = [
        LENGTH * (2.0 * second / first - 1.0),
        LENGTH * 2.0 * k / first,
    ];
    let mut errors = Vec::new();
    for edges in [12, 24, 48] {
        let (family, start) = column(edges, -DVec3::X);
        let settings = Settings {
            branches: 1,
            ..Settings::new(0.0, load)
        };
        let (all, branches) = followed(&family, &start, &settings);
        assert_eq!(branches.len(), 3, "{branches:?}");
        let endings: Vec<_> = branches.iter().map(|b| b.ending).collect();
        assert_eq!(endings, [Ending::Left, Ending::Reached, Ending::Reached]);
        let crossings: Vec<_> = all.iter().filter(|e| e.event != Event::Regular).collect();
        assert_eq!(crossings.len(), 1, "{crossings:?}");
        assert_eq!(crossings[0].event, Event::Bifurcation(1));
        let buckled = crossings[0].parameter / critical - 1.0;
        let (straight, _) = followed(&family, &start, &Settings::new(0.0, load));
        // What is straight is stable up to there, and not beyond.
        let regular = all.iter().chain(&straight);
        for e in regular.filter(|e| e.event == Event::Regular) {
            let beyond = e.parameter > crossings[0].parameter;
            let negative = usize::from(e.branch == 0 && beyond);
            assert_eq!(
                e.negative,
                Some(negative),
                "branch {} at {}",
                e.branch,
                e.parameter
            );
        }
        let end = |branch: usize| all.iter().rfind(|e| e.branch == branch).unwrap();
        let tips = [1, 2].map(|branch| tip(end(branch)));
        assert!((tips[0].y + tips[1].y).abs() + (tips[0].z + tips[1].z).abs() < 1e-7);
        let sideways = tips[0].y.hypot(tips[0].z);
        let off = (tips[0].x - wanted[0]).hypot(sideways - wanted[1]) / LENGTH;
        // Equilibria they are, all of them.
        for e in &all {
            let statics = Statics::at(&e.model, &e.state).unwrap();
            assert!(
                statics.unbalanced < 1e-7 * critical,
                "{}",
                statics.unbalanced
            );
        }
        println!(
            "{edges} edges: load {buckled:.3e}, end {off:.3e}, {} equilibria",
            all.len()
        );
        errors.push([buckled.abs(), off]);
    }
    let order = |i: usize, k: usize| (errors[i][k] / errors[i + 1][k]).log2();
    for orders in [0, 1].map(|k| [order(0, k), order(1, k)]) {
        assert!(orders.iter().all(|o| (1.8..2.3).contains(o)), "{orders:?}");
    }
    assert!(errors[2][0] < 2e-4 && errors[2][1] < 1e-3, "{errors:?}");
}

/// A force across the end: deflections of Mattiasson 1981 for P L^2/EI = 10, which shooting
/// reproduces to all digits.
#[test]
fn a_cantilever_bends_as_the_elastica() {
    let load = 10.0 * strip().1 / (LENGTH * LENGTH);
    let mut errors = Vec::new();
    for edges in [12, 24, 48] {
        // Across the thin side, whichever axis that is.
        let mut least = f64::INFINITY;
        for across in [DVec3::Y, DVec3::Z] {
            let (family, start) = column(edges, across);
            let (all, branches) = followed(&family, &start, &Settings::new(0.0, load));
            let end = tip(all.last().unwrap());
            let off =
                (end.dot(across) / LENGTH - 0.810_609_05).hypot(1.0 - end.x / LENGTH - 0.554_995_5);
            assert_eq!(branches[0].ending, Ending::Reached);
            least = least.min(off);
        }
        errors.push(least);
    }
    let orders = [0, 1].map(|i: usize| (errors[i] / errors[i + 1]).log2());
    println!("{errors:?} {orders:?}");
    assert!(orders.iter().all(|o| (1.8..2.3).contains(o)), "{errors:?}");
    assert!(errors[2] < 1e-3, "{errors:?}");
}

/// The parameter is a support's place: a column whose end is pushed in by a clamp.
#[test]
fn a_clamp_that_pushes_finds_the_same_load() {
    let edges = 40;
    let l = LENGTH / (edges as f64 - 1.0);
    let x = |i: usize| DVec3::new((i as f64 - 0.5) * l, 0.0, 0.0);
    let rod = Rod::open((0..=edges).map(x).collect(), strip().0).unwrap();
    let (model, start) = ModelBuilder::new()
        .rod(rod)
        .clamp(0, 0, Motion::Still)
        .clamp(0, edges - 1, Motion::Velocity(-DVec3::X))
        .build()
        .unwrap();
    let settings = Settings {
        branches: 1,
        ..Settings::new(0.0, 0.2 * LENGTH)
    };
    let family = InTime(Rc::new(model));
    let (all, branches) = followed(&family, &start, &settings);
    let first = all.iter().find(|e| e.event != Event::Regular).unwrap();
    assert_eq!(first.event, Event::Bifurcation(1));
    // 4 pi^2 EI / L^2 over EA: the strain at which it buckles.
    let [_, thick] = STRIP;
    let strain = 4.0 * PI * PI * thick * thick / 12.0 / (LENGTH * LENGTH);
    let found = first.parameter / LENGTH;
    // The clamped edges themselves are not shortened.
    assert!((found / strain - 1.0).abs() < 0.05, "{found} {strain}");
    assert!(
        branches[1..].iter().all(|b| b.ending == Ending::Reached),
        "{branches:?}"
    );
    // Shortening 2 - 2 E/K of the elastica whose quarter is the column of one clamp.
    let end = all.iter().rfind(|e| e.branch == 1).unwrap();
    let (mut low, mut high) = (0.01, 0.99);
    for _ in 0..60 {
        let k = 0.5 * (low + high);
        let (first, second) = elliptic(k);
        match 2.0 - 2.0 * second / first < 0.2 {
            true => low = k,
            false => high = k,
        }
    }
    let deflection = LENGTH * low / elliptic(low).0;
    let positions = end.model.positions(&end.state);
    let middle = positions[edges / 2].y.hypot(positions[edges / 2].z);
    assert!(
        (middle / deflection - 1.0).abs() < 5e-3,
        "{middle} {deflection}"
    );
}

/// A ring of a straight rod whose twist is the parameter; its first edge is held.
fn ring(edges: usize) -> impl Family {
    move |twist: f64| {
        let radius = 0.1;
        let at = |i: usize| {
            let (sin, cos) = (2.0 * PI * i as f64 / edges as f64).sin_cos();
            radius * DVec3::new(cos, sin, 0.0)
        };
        let section = Section::circle(material(), 1e-3);
        let rod = Rod::closed((0..edges).map(at).collect(), section).unwrap();
        let mut rod = rod.straight_at_rest().unwrap();
        let vertices = rod.vertices() as f64;
        rod.rest_twist
            .iter_mut()
            .for_each(|t| *t -= twist / vertices);
        let built = ModelBuilder::new()
            .rod(rod)
            .clamp(0, 0, Motion::Still)
            .build();
        let (model, _) = built.map_err(|error| FollowError::NoModel {
            parameter: twist,
            why: error.to_string(),
        })?;
        Ok(Member {
            model: Rc::new(model),
            time: 0.0,
        })
    }
}

/// Michell 1889: a ring leaves its plane at a twist of 2 pi sqrt(3) EI/GJ, by two motions at once.
#[test]
fn michells_ring_leaves_its_plane() {
    // GJ = E/(2 (1 + .5)) pi r^4/2 and EI = E pi r^4/4.
    let critical = 2.0 * PI * 3.0_f64.sqrt() * 1.5;
    let mut errors = Vec::new();
    for edges in [24, 48] {
        let family = ring(edges);
        let model = family.at(0.0).unwrap().model;
        let start = start_of(&model);
        let settings = Settings {
            largest_step: 0.05,
            ..Settings::new(10.0, 20.0)
        };
        let (all, _) = followed(&family, &start, &settings);
        let found: Vec<_> = all.iter().filter(|e| e.event != Event::Regular).collect();
        assert_eq!(
            found[0].event,
            Event::Bifurcation(2),
            "{:?}",
            found[0].event
        );
        assert_eq!(all[0].negative, Some(0));
        let error = found[0].parameter / critical - 1.0;
        println!("{edges}: {} off by {error:.3e}", found[0].parameter);
        errors.push(error.abs());
    }
    let order = (errors[0] / errors[1]).log2();
    assert!((1.8..2.2).contains(&order), "{errors:?}");
    assert!(errors[1] < 5e-3, "{errors:?}");
}

/// The first state of the ring.
fn start_of(model: &Model) -> State {
    let edges = model.topology.edges();
    let radius = 0.1;
    let at = |i: usize| {
        let (sin, cos) = (2.0 * PI * i as f64 / edges as f64).sin_cos();
        radius * DVec3::new(cos, sin, 0.0)
    };
    let section = Section::circle(material(), 1e-3);
    let rod = Rod::closed((0..edges).map(at).collect(), section).unwrap();
    let rod = rod.straight_at_rest().unwrap();
    ModelBuilder::new()
        .rod(rod)
        .clamp(0, 0, Motion::Still)
        .build()
        .unwrap()
        .1
}

/// A shallow arch `a0 sin(pi x/L)` on hinges under a load q sin(pi x/L), whose crown stays in the
/// plane: `q L^4/(2 rho EI pi^4) = lambda - u + u (lambda^2 - u^2)` with the radius of gyration rho
/// of the section, `lambda = a0/(2 rho)` and the height `2 rho u` of the crown. It folds at
/// `u = +-sqrt((lambda^2 - 1)/3)`, at `lambda +- 2/3 (lambda^2 - 1)^(3/2)/sqrt(3)`.
fn arch(edges: usize, thick: f64, lambda: f64) -> (InTime, State, f64) {
    arch_with(ContactModel::None, (edges, thick, lambda))
}

fn arch_with(
    contact: ContactModel,
    (edges, thick, lambda): (usize, f64, f64),
) -> (InTime, State, f64) {
    let rho = thick / 12.0_f64.sqrt();
    let place = |i: usize| {
        let x = i as f64 / edges as f64;
        DVec3::new(x * LENGTH, 2.0 * rho * lambda * (PI * x).sin(), 0.0)
    };
    let section = Section::rectangle(material(), 20e-3, thick);
    let rod = Rod::open((0..=edges).map(place).collect(), section).unwrap();
    let bending = YOUNG * 20e-3 * thick.powi(3) / 12.0;
    let load = bending * (PI / LENGTH).powi(4) * 2.0 * rho;
    let mut builder = ModelBuilder::new()
        .rod(rod)
        .contact(contact)
        .hold_node(0, 0, [true; 3], Motion::Still)
        .hold_node(0, edges, [true; 3], Motion::Still)
        .hold_angle(0, 0, Schedule::Constant(0.0))
        .hold_angle(0, edges - 1, Schedule::Constant(0.0))
        .hold_node(0, edges / 2, [false, false, true], Motion::Still);
    for i in 1..edges {
        let x = i as f64 / edges as f64;
        let force = -load * LENGTH / edges as f64 * (PI * x).sin() * DVec3::Y;
        builder = builder.force(
            0,
            i,
            force,
            Schedule::Rate {
                value: 0.0,
                rate: 1.0,
            },
        );
    }
    let (model, state) = builder.build().unwrap();
    (InTime(Rc::new(model)), state, 2.0 * rho)
}

#[test]
fn a_shallow_arch_snaps_where_its_branch_folds() {
    let lambda: f64 = 1.5;
    let half = 2.0 / 3.0 * (lambda * lambda - 1.0).powf(1.5) / 3.0_f64.sqrt();
    let wanted = [lambda + half, lambda - half];
    let mut errors = Vec::new();
    for (edges, thick) in [(20, 10e-3), (40, 5e-3), (80, 2.5e-3)] {
        let (family, start, scale) = arch(edges, thick, lambda);
        let settings = Settings {
            first_step: 1e-3,
            ..Settings::new(0.0, 3.0)
        };
        let (all, branches) = followed(&family, &start, &settings);
        assert_eq!(branches[0].ending, Ending::Reached, "{branches:?}");
        let events: Vec<_> = all.iter().filter(|e| e.event != Event::Regular).collect();
        let kinds: Vec<_> = events.iter().map(|e| e.event).collect();
        assert_eq!(kinds, [Event::Fold, Event::Fold], "{events:?}");
        let folds = [0, 1].map(|i| events[i].parameter);
        // Between the folds it is unstable.
        let regular = all.iter().filter(|e| e.event == Event::Regular);
        for e in regular {
            let inside = e.length > events[0].length && e.length < events[1].length;
            assert_eq!(e.negative, Some(usize::from(inside)), "at {}", e.parameter);
        }
        let crown = |e: &Equilibrium| e.model.positions(&e.state)[edges / 2].y / scale;
        let places = [0, 1].map(|i| crown(events[i]));
        let u = ((lambda * lambda - 1.0) / 3.0).sqrt();
        println!("{edges} {thick}: {folds:?} of {wanted:?}, crown {places:?} of {u}");
        errors.push([folds[0] - wanted[0], folds[1] - wanted[1]].map(f64::abs));
    }
    // Edges half as long and arches half as high: a quarter of the error.
    let order = |i: usize, k: usize| (errors[i][k] / errors[i + 1][k]).log2();
    for orders in [0, 1].map(|k| [order(0, k), order(1, k)]) {
        assert!(
            orders.iter().all(|o| (1.7..2.4).contains(o)),
            "{errors:?} {orders:?}"
        );
    }
    assert!(errors[2].iter().all(|e| *e < 2e-3), "{errors:?}");
}

/// Contact with friction is not followed, but where nothing touches it costs no steps.
#[test]
fn rods_that_do_not_touch_go_on_with_any_contact() {
    let rough = ImcSettings {
        friction: Friction {
            coefficient: 0.2,
            ..Friction::default()
        },
        ..ImcSettings::default()
    };
    let [smooth, rough] = [ContactModel::None, ContactModel::Imc(rough)].map(|contact| {
        let (family, start, _) = arch_with(contact, (40, 5e-3, 1.5));
        let settings = Settings {
            first_step: 1e-3,
            ..Settings::new(0.0, 3.0)
        };
        let (all, branches) = followed(&family, &start, &settings);
        (branches[0].ending, all.len())
    });
    assert_eq!(smooth, rough);
    assert_eq!(smooth.0, Ending::Reached);
}

/// The same branch whatever the steps along it.
#[test]
fn equilibria_are_exact_whatever_the_steps() {
    let (family, start, _) = arch(20, 10e-3, 1.5);
    let fold = |step: f64| {
        let settings = Settings {
            first_step: step,
            largest_step: step,
            ..Settings::new(0.0, 3.0)
        };
        let (all, _) = followed(&family, &start, &settings);
        let fold = all
            .iter()
            .find(|e| e.event == Event::Fold)
            .unwrap()
            .parameter;
        (fold, all.last().unwrap().state.q.clone(), all.len())
    };
    let (a, b) = (fold(0.02), fold(0.005));
    assert!(b.2 > 2 * a.2, "{} {}", a.2, b.2);
    assert!((a.0 - b.0).abs() < 1e-8, "{} {}", a.0, b.0);
    let far =
        a.1.iter()
            .zip(&b.1)
            .fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
    assert!(far < 1e-10, "{far}");
}

#[test]
fn what_cannot_be_followed_is_refused() {
    let (family, start) = column(6, -DVec3::X);
    let refused = |family: &dyn Family, start: &State, settings: &Settings| {
        let mut none = |_: Equilibrium| Ok::<(), FollowError>(());
        follow(family, start, settings, &mut none)
            .unwrap_err()
            .to_string()
    };
    let told = refused(&family, &start, &Settings::new(1.0, 1.0));
    assert!(told.contains("must differ"), "{told}");
    let stopped = Settings {
        poll: Poll::new(|| true),
        ..Settings::new(0.0, 1.0)
    };
    assert_eq!(refused(&family, &start, &stopped), "stopped on request");
    let rod = || {
        let x = |i: usize| DVec3::new(0.1 * i as f64, 0.0, 0.0);
        Rod::open((0..6).map(x).collect(), strip().0).unwrap()
    };
    let build = |builder: ModelBuilder| {
        let (model, start) = builder.build().unwrap();
        (InTime(Rc::new(model)), start)
    };
    let mut rough = ImcSettings::default();
    rough.friction.coefficient = 0.3;
    let contact = ContactModel::Imc(rough);
    let floor = Obstacle::half_space(-DVec3::Z, DVec3::Z);
    let builder = ModelBuilder::new().rod(rod()).clamp(0, 0, Motion::Still);
    let (family, start) = build(builder.contact(contact).obstacle(floor));
    let told = refused(&family, &start, &Settings::new(0.0, 1.0));
    assert!(told.contains("without friction"), "{told}");
    let body = Body::new(1.0, DVec3::ONE, 0.3 * DVec3::Z);
    let builder = ModelBuilder::new().rod(rod()).clamp(0, 0, Motion::Still);
    let (family, start) = build(builder.body(body));
    let told = refused(&family, &start, &Settings::new(0.0, 1.0));
    assert!(told.contains("rigid bodies"), "{told}");
}
