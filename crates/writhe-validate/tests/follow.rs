//! B08 Fig. 7 as a branch of equilibria: a straight rod, twisted by 27 turns, whose ends come
//! together until it buckles and its helix localizes, against the infinite rod of theory.

use std::rc::Rc;

use writhe::follow::{Ending, Equilibrium, Event, FollowError, InTime, Settings, follow};
use writhe_scenes::{Scene, template};
use writhe_validate::reference::localized_buckling::Imposed;

/// Angle of the steepest edge to the axis, rad, and the tension, N: the derivative of the energy by
/// the distance of the ends, from two neighbours on the branch.
fn measured(edges: usize) -> (f64, f64) {
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
    let end = all.iter().rfind(|e| e.branch == 1).unwrap();
    let positions = end.model.positions(&end.state);
    let angle = |pair: &[glam::DVec3]| {
        let along = pair[1] - pair[0];
        (along.x / along.length()).acos()
    };
    let steepest = positions.windows(2).map(angle).fold(0.0, f64::max);
    let seen = writhe::observe::observe(&end.model, &end.state).unwrap();
    let force = seen.reactions.last().unwrap().force.x.abs();
    (steepest, force)
}

#[test]
fn a_twisted_rod_localizes_along_its_branch() {
    let theory = Imposed::FIG_7.shape();
    let errors = [90, 180].map(|edges| {
        let (steepest, tension) = measured(edges);
        println!(
            "{edges}: {steepest} of {}, {tension} of {}",
            theory.phi0,
            theory.tension()
        );
        [
            steepest / theory.phi0 - 1.0,
            tension / theory.tension() - 1.0,
        ]
        .map(f64::abs)
    });
    // Second order in the length of edges; a wave of the helix is some 12 of them with 180.
    assert!(errors[1][0] < 0.03 && errors[1][1] < 0.02, "{errors:?}");
    let fell = |k: usize| errors[0][k] > 2.5 * errors[1][k];
    assert!(fell(0) && fell(1), "{errors:?}");
}
