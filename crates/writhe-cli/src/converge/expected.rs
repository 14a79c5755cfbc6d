//! What a scene's method lets expect of halved steps and edges.

use writhe_scenes::SceneSpec;
use writhe_scenes::spec::{IntegratorKind, SchemeKind};

/// Order of rods in the length of their edges: forces at nodes that lie in the middle of what they
/// stand for.
pub const OF_MESH: f64 = 2.0;

/// Order of a scene's steps: that of its time scheme, and one where drag is that of the step before.
pub fn of_steps(scene: &SceneSpec) -> f64 {
    match (scene.time.integrator, scene.time.scheme) {
        _ if scene.fluid.lags() => 1.0,
        (IntegratorKind::SymplecticProjected, _) | (_, SchemeKind::BackwardEuler) => 1.0,
        (
            IntegratorKind::Implicit,
            SchemeKind::Bdf2 | SchemeKind::FittedBdf2 | SchemeKind::ImplicitMidpoint,
        ) => 2.0,
    }
}

#[cfg(test)]
mod tests {
    use writhe_scenes::Scene;

    use super::*;

    #[test]
    fn orders_are_those_of_the_schemes() {
        let of = |text: &str| of_steps(&Scene::parse(text, "scene").unwrap().spec);
        let cantilever =
            |time: &str| of(&format!("[scene]\nname = \"cantilever\"\n[time]\n{time}"));
        for (time, order) in [
            ("", 2.0),
            ("scheme = \"implicit-midpoint\"", 2.0),
            ("scheme = \"backward-euler\"", 1.0),
        ] {
            assert_eq!(cantilever(time), order, "{time}");
        }
        let flagella = |more: &str| of(&format!("[scene]\nname = \"flagella\"\n{more}"));
        assert_eq!(flagella(""), 2.0);
        assert_eq!(flagella("[fluid]\ncoupling = \"lagged\""), 1.0);
    }
}
