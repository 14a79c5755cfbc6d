//! The scenes of `examples/problems` that stand on repetition, crossings, files and numbers in time:
//! each is short, and has a number that is right.

use std::f64::consts::PI;
use std::path::{Path, PathBuf};

use glam::DVec3;
use writhe::simulation::Simulation;
use writhe_scenes::{Files, Scene};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/problems")
}

/// The scene of this name, with these changes.
fn scene(name: &str, set: &[&str]) -> Scene {
    let text = std::fs::read_to_string(folder().join(name)).unwrap();
    assert!(text.lines().count() <= 25, "{name} is long");
    let files = Files::new(folder(), |path: &Path| std::fs::read(path));
    let mut scene = Scene::parse_with(&text, name, files).unwrap_or_else(|e| panic!("{e}"));
    scene.set_all(set).unwrap_or_else(|e| panic!("{e}"));
    let report = scene.describe().unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.warnings().count(), 0, "{report}");
    let lines = report.to_string().lines().count();
    assert!(lines < 100, "{lines} lines:\n{report}");
    scene
}

fn begun(name: &str, set: &[&str]) -> Simulation {
    let setup = scene(name, set).build().unwrap_or_else(|e| panic!("{e}"));
    setup.begin().unwrap_or_else(|e| panic!("{e}"))
}

/// Runs it for this time, s.
fn run(simulation: &mut Simulation, until: f64, step: f64) {
    while simulation.state.time < until - 1e-9 {
        simulation
            .step_towards(until, step)
            .unwrap_or_else(|e| panic!("{e}"));
    }
}

/// Nodes of each rod.
fn rods(s: &Simulation) -> Vec<Vec<DVec3>> {
    let places = s.model.positions(&s.state);
    let rods = s.model.topology.rods.iter();
    rods.map(|r| places[r.first_node..r.first_node + r.nodes].to_vec())
        .collect()
}

/// The drop of a bob that hangs at a helical spring is F R^2 int (cos^2/GJ + sin^2/EI) ds, with the
/// angle of pitch, and its thickness as measured: by Castigliano from the moment F R about the
/// tangent and the binormal of each section.
#[test]
fn a_measured_spring_is_as_stiff_as_its_helix() {
    let drop = |grams: f64| {
        let mass = format!("bodies[0].mass={grams} g");
        let s = begun("spring.toml", &["time.settle=true", &mass]);
        let q = s.model.topology.rods[0].dofs;
        s.state.q[q + 2]
    };
    // Small loads, and what does not depend on the load, the weight of the wire, taken out.
    let compliance = (drop(4.0) - drop(14.0)) / (0.01 * 9.81);
    let (coil, pitch, turns) = (10e-3_f64, 5e-3, 5.0);
    let length = turns * (2.0 * PI * coil).hypot(pitch);
    let sin2 = (turns * pitch / length).powi(2);
    let (young, shear) = (200e9, 200e9 / 2.6);
    let count = 10_000;
    let sum: f64 = (0..count)
        .map(|k| {
            let radius = 0.55e-3 - 0.1e-3 * (k as f64 + 0.5) / count as f64;
            let inertia = 0.25 * PI * f64::powi(radius, 4);
            (1.0 - sin2) / (shear * 2.0 * inertia) + sin2 / (young * inertia)
        })
        .sum();
    let wanted = coil * coil * length * sum / count as f64;
    let off = compliance / wanted - 1.0;
    assert!(off.abs() < 0.01, "{compliance} m/N, {wanted} wanted: {off}");
}

/// Where tension T0 is large and bending small, the joints of the net sag as those of strings do:
/// the second differences of their heights are the weight of what hangs at each over T0.
#[test]
fn a_net_sags_as_strings_do() {
    let light: Vec<String> = (0..2)
        .map(|k| format!("rods[{k}].material.density=800 kg/m^3"))
        .collect();
    let light: Vec<&str> = light.iter().map(String::as_str).collect();
    let s = begun("net.toml", &light);
    assert_eq!(s.model.bodies.list.len(), 49);
    let all = rods(&s);
    // Height of the joint: mean of the nodes of the edge in its middle.
    let height = |warp: usize, weft: usize| {
        let e = ((35.0 + 30.0 * weft as f64) / (250.0 / 75.0)) as usize;
        0.5 * (all[warp][e].z + all[warp][e + 1].z)
    };
    let (area, young, gravity) = (PI * 0.25e-3_f64.powi(2), 10e6, 9.81);
    let tension = young * area * (250.0 / 248.0 - 1.0);
    // The mass of a cord is that of its rest length.
    let weight = 800.0 * area * gravity * 248.0 / 250.0;
    // Spans of 35 mm at the ends, of 30 mm between; Gauss-Seidel on the 7 by 7 joints.
    let span = |k: usize| if k == 0 || k == 7 { 0.035 } else { 0.03 };
    let mut z = [[0.0_f64; 9]; 9];
    for _ in 0..4000 {
        for i in 1..8 {
            for j in 1..8 {
                let [a, b, c, d] = [span(i - 1), span(i), span(j - 1), span(j)];
                let load = 0.5 * weight * (a + b + c + d) / tension;
                let pulled = z[i - 1][j] / a + z[i + 1][j] / b + z[i][j - 1] / c + z[i][j + 1] / d;
                z[i][j] = (pulled - load) / (1.0 / a + 1.0 / b + 1.0 / c + 1.0 / d);
            }
        }
    }
    let middle = z[4][4];
    assert!(middle < -5e-4, "{middle}");
    for (warp, weft) in [(3, 3), (0, 0), (0, 3), (3, 1), (6, 5)] {
        let (found, wanted) = (height(warp, weft), z[warp + 1][weft + 1]);
        let off = (found - wanted).abs() / middle.abs();
        assert!(off < 0.02, "({warp}, {weft}): {found} m, {wanted} wanted");
    }
}

/// Which strand crosses over which, from below to above: pairs of strands in the order in which they
/// change sides, with the sign of the crossing.
fn braid_word(strands: &[Vec<DVec3>]) -> Vec<(usize, usize, bool)> {
    let at = |strand: &[DVec3], z: f64| {
        let k = strand.windows(2).position(|w| w[0].z <= z && z < w[1].z)?;
        let [a, b] = [strand[k], strand[k + 1]];
        Some(a + (b - a) * ((z - a.z) / (b.z - a.z)))
    };
    let mut word = Vec::new();
    // Not where nodes are.
    let step = 1.93e-4;
    let mut before: Option<Vec<DVec3>> = None;
    for k in 0..1000 {
        let z = step * (k as f64 + 0.37);
        let now: Option<Vec<DVec3>> = strands.iter().map(|s| at(s, z)).collect();
        if let (Some(before), Some(now)) = (&before, &now) {
            for (a, b) in [(0, 1), (0, 2), (1, 2)] {
                let [was, is] = [before[a].x - before[b].x, now[a].x - now[b].x];
                if was * is < 0.0 {
                    word.push((a, b, (is > 0.0) == (now[a].y > now[b].y)));
                }
            }
        }
        before = now;
    }
    word
}

/// A braid that is pulled tight is the same braid: no strand passes another, which they would if
/// contact let them. They touch, and do not overlap.
#[test]
fn a_braid_stays_a_braid() {
    let mut s = begun("braid.toml", &[]);
    let start = braid_word(&rods(&s));
    assert!(start.len() >= 8, "{start:?}");
    // A plait: crossings of one kind and of the other follow each other.
    assert!(start.windows(2).all(|w| w[0].2 != w[1].2), "{start:?}");
    run(&mut s, 1.0, 5e-3);
    let end = rods(&s);
    let word = braid_word(&end);
    // Crossings near the ends, where one strand ends, may come into sight or leave it.
    let known = |part: &[(usize, usize, bool)], all: &[(usize, usize, bool)]| {
        all.windows(part.len()).any(|w| w == part)
    };
    let inner = &start[1..start.len() - 1];
    assert!(known(inner, &word), "{start:?} {word:?}");
    // Distance of the strands' centrelines, from finely cut edges.
    let fine: Vec<Vec<DVec3>> = end
        .iter()
        .map(|s| {
            let parts = |w: &[DVec3]| [0.0, 0.25, 0.5, 0.75].map(|p| w[0] + (w[1] - w[0]) * p);
            s.windows(2).flat_map(parts).collect()
        })
        .collect();
    let pairs = [(0, 1), (0, 2), (1, 2)];
    let least = pairs.iter().flat_map(|(a, b)| {
        let [a, b] = [&fine[*a], &fine[*b]];
        a.iter()
            .flat_map(move |x| b.iter().map(move |y| x.distance(*y)))
    });
    let least = least.fold(f64::INFINITY, f64::min);
    assert!((0.97 * 3e-3..1.05 * 3e-3).contains(&least), "{least}");
}

/// What falls onto the table comes to lie on it, a radius above it, and none goes through.
#[test]
fn hairs_lie_on_their_table() {
    let mut s = begun("hair.toml", &[]);
    assert_eq!(s.model.topology.rods.len(), 12);
    run(&mut s, 0.2, 1e-3);
    for (hair, nodes) in rods(&s).iter().enumerate() {
        let least = nodes.iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
        assert!((0.9e-4..1.2e-4).contains(&least), "hair {hair}: {least}");
    }
}
