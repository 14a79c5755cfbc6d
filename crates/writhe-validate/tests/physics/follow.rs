//! B08 Fig. 7 as a branch of equilibria: a straight rod, twisted by 27 turns, whose ends come
//! together until it buckles and its helix localizes, against the infinite rod of theory.

use std::rc::Rc;

use glam::DVec3;
use writhe::follow::{Ending, Equilibrium, Event, FollowError, InTime, Settings, follow};
use writhe_scenes::{Scene, template};
use writhe_validate::reference::localized_buckling::Imposed;
use writhe_validate::setup::localized_buckling::Envelope;

/// An equilibrium of the buckled rod, beside the infinite rod whose ends came as near.
struct Localized {
    /// Approach of the ends, m.
    shortening: f64,
    /// Length s* of theory's envelope, m.
    length: f64,
    /// Angle of the steepest edge to the axis, rad: found, and that of theory.
    angle: [f64; 2],
    /// Tension, N: found, and that of theory.
    tension: [f64; 2],
    /// The rod's envelope.
    envelope: Envelope,
}

impl Localized {
    fn of(at: &Equilibrium) -> Self {
        let positions = at.model.positions(&at.state);
        let lengths = &at.model.rest_length;
        let angle = |pair: &[DVec3]| {
            let along = pair[1] - pair[0];
            (along.x / along.length()).acos()
        };
        let steepest = positions.windows(2).map(angle).fold(0.0, f64::max);
        let seen = writhe::observe::observe(&at.model, &at.state).unwrap();
        let force = seen.reactions.last().unwrap().force.x.abs();
        let ends = positions[positions.len() - 1].x - positions[0].x;
        // Of the rod as it is: it is stretched by a thousandth, theory's is not.
        let long: f64 = positions.windows(2).map(|p| (p[1] - p[0]).length()).sum();
        let shortening = long - ends;
        let theory = Imposed {
            shortening,
            ..Imposed::FIG_7
        }
        .shape();
        let length = theory.envelope_length();
        Self {
            shortening,
            length,
            angle: [steepest, theory.phi0],
            tension: [force, theory.tension()],
            envelope: Envelope::of_nodes(&positions, lengths, length),
        }
    }

    fn errors(&self) -> [f64; 2] {
        [self.angle, self.tension].map(|[found, wanted]| (found / wanted - 1.0).abs())
    }
}

/// The branch along which the rod is buckled, ascending.
fn branch(edges: usize) -> Vec<Localized> {
    let mut scene = Scene::parse(template("localized-buckling").unwrap(), "scene").unwrap();
    let edges = format!("scene.edges={edges}");
    let changes = ["scene.perturbation=0", "contact.model=none", &edges];
    scene.set_all(&changes).unwrap();
    let setup = scene.build().unwrap();
    let settings = Settings {
        branches: 1,
        ..Settings::new(0.0, setup.duration)
    };
    let family = InTime(Rc::new(setup.model));
    let mut all: Vec<Equilibrium> = Vec::new();
    let branches = follow(&family, &setup.state, &settings, &mut |e: Equilibrium| {
        all.push(e);
        Ok::<(), FollowError>(())
    });
    let endings: Vec<_> = branches.unwrap().iter().map(|b| b.ending).collect();
    assert_eq!(endings, [Ending::Left, Ending::Reached, Ending::Reached]);
    // Two motions at once, across y and z; what branches off is stable to its end.
    let events: Vec<_> = all
        .iter()
        .map(|e| e.event)
        .filter(|e| *e != Event::Regular)
        .collect();
    assert_eq!(events, [Event::Bifurcation(2)]);
    assert!(all.iter().all(|e| e.negative == Some(0)));
    let buckled = all.iter().filter(|e| e.branch == 1);
    let mut branch: Vec<Localized> = buckled.map(Localized::of).collect();
    branch.sort_by(|a, b| a.shortening.total_cmp(&b.shortening));
    branch
}

#[test]
fn a_twisted_rod_localizes_along_its_branch() {
    let [coarse, fine] = [90, 180].map(branch);
    let ends = [&coarse, &fine].map(|branch| branch.last().unwrap());
    for end in ends {
        println!(
            "{} edges: angle {:?}, tension {:?}, envelope off by {:?}",
            end.envelope.s.len(),
            end.angle,
            end.tension,
            end.envelope.errors()
        );
    }
    // Second order in the length of edges; a wave of the helix is some 12 of them with 180.
    let errors = ends.map(Localized::errors);
    for k in [0, 1] {
        let [[a, a0], [b, b0]] = ends.map(|end| [end.angle, end.tension][k]);
        let limit = (4.0 * b / b0 - a / a0) / 3.0;
        println!("off by {errors:?}, in the limit {}", limit - 1.0);
        assert!(errors[1][k] < 0.032 && errors[0][k] > 3.3 * errors[1][k]);
        assert!((limit - 1.0).abs() < 5e-3, "{limit}");
    }
    // The curve by the approach of the ends, from where the helix is short against the rod: angle,
    // tension, and the whole envelope (cos phi - cos phi0)/(1 - cos phi0) = tanh^2(s/s*).
    let localized = |branch: &[Localized]| -> Vec<f64> {
        let short = (branch.iter()).filter(|at| at.length < Imposed::FIG_7.length / 13.0);
        let mut worst = vec![0.0_f64; 4];
        let (mut first, mut count) = (f64::INFINITY, 0);
        for at in short {
            let errors = [at.errors(), at.envelope.errors()].concat();
            for (worst, error) in worst.iter_mut().zip(errors) {
                *worst = worst.max(error);
            }
            (first, count) = (first.min(at.shortening), count + 1);
        }
        println!("angle, tension, envelope and its rms over {count} from {first} m on: {worst:?}");
        assert!(first < 0.2 && count > 10);
        worst
    };
    let [coarse, fine] = [localized(&coarse), localized(&fine)];
    for (k, most) in [0.032, 0.03, 0.035, 0.021].into_iter().enumerate() {
        assert!(
            fine[k] < most && coarse[k] > 3.3 * fine[k],
            "{coarse:?} {fine:?}"
        );
    }
}
