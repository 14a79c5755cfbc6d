//! The scenes that are timed.

use std::fmt::Write as _;

/// Flagella of Tong et al. 2022, so many, as the named scene has them.
pub(crate) fn flagella(count: usize) -> String {
    format!("[scene]\nname = \"flagella\"\ncount = {count}\n{NO_FRAMES}")
}

/// The same by the authors' method: backward Euler, drag of the step before, equal masses.
pub(crate) fn lagged_flagella(count: usize) -> String {
    format!(
        "[scene]\nname = \"flagella\"\ncount = {count}\nequal_masses = true\n
[fluid]\ncoupling = \"lagged\"\n
[time]\nscheme = \"backward-euler\"\nstep = \"1 ms\"\n{NO_FRAMES}"
    )
}

/// An overhand knot that is pulled tight, of unknotting number n (Choi et al. 2021).
pub(crate) fn knot(n: usize) -> String {
    format!(
        "[scene]\nname = \"knot\"\nunknotting_number = {n}\n
[time]\nstep = \"10 ms\"\n{NO_FRAMES}"
    )
}

/// The trefoil with its ends so far apart, m, which part at once; with this contact model.
pub(crate) fn pulled_knot(end_distance: f64, contact: &str) -> String {
    format!(
        "[scene]\nname = \"knot\"\nend_distance = {end_distance}
schedule = [{{ for = \"20 s\", speed = \"6 mm/s\" }}]\n
[contact]\nmodel = \"{contact}\"\n
[time]\nstep = \"10 ms\"\n{NO_FRAMES}"
    )
}

/// A heavy cantilever of this Young's modulus, Pa, with a frame every 25 ms.
pub(crate) fn cantilever(young: f64) -> String {
    format!(
        "[scene]\nname = \"cantilever\"\nyoung = {young:e}\n
[time]\nstep = \"5 ms\"\n
[output]\nevery = \"25 ms\"\n"
    )
}

/// A cantilever of 4,000 edges, with a frame after each step.
pub(crate) fn fine_cantilever() -> String {
    "[scene]\nname = \"cantilever\"\nedges = 4000\n
[time]\nstep = \"5 ms\"\n
[output]\nevery = \"5 ms\"\n"
        .to_owned()
}

/// A hundred rods of a hundred nodes in ten layers, each across the last, on a floor.
pub(crate) fn heap() -> String {
    let mut scene = format!(
        "title = \"A heap of crossed rods\"\n
[gravity]\nacceleration = [0, 0, -9.81]\n
[damping]\nviscosity = \"0.01 Pa s\"\n
[contact]\nfriction = 0.3\n
[time]\nduration = \"0.2 s\"\nstep = \"2 ms\"\n{NO_FRAMES}{FLOOR}"
    );
    for rod in 0..100 {
        let (layer, place) = (rod / 10, rod % 10);
        let height = 1.05 + 2.05 * layer as f64;
        // Places and directions that look random and repeat from run to run.
        let across = 20.0 * (place as f64 - 4.5) + 2.0 * fraction(rod, GOLDEN) - 1.0;
        let tilt = 6.0 * fraction(rod, PLASTIC) - 3.0;
        let ends = [[-100.0, across - tilt], [100.0, across + tilt]];
        // Every other layer lies across.
        let [a, b] = ends.map(|[x, y]| if layer % 2 == 0 { [x, y] } else { [y, x] });
        let _ = writeln!(
            scene,
            "\n[[rods]]
shape = {{ straight = {{ from = [\"{:.3} mm\", \"{:.3} mm\", \"{height:.3} mm\"], to = [\"{:.3} mm\", \"{:.3} mm\", \"{height:.3} mm\"], edges = 99 }} }}
section = {{ circle = {{ radius = \"1 mm\" }} }}
material = {{ young = \"1 MPa\", poisson = 0.5, density = \"1200 kg/m^3\" }}",
            a[0], a[1], b[0], b[1],
        );
    }
    scene
}

/// Fifty curly hairs, 4 mm apart, that fall onto a table.
pub(crate) fn hairs() -> String {
    let mut scene = format!(
        "title = \"Curly hairs fall onto a table\"\n
[gravity]\nacceleration = [0, 0, -9.81]\n
[damping]\nviscosity = \"0.005 Pa s\"\n
[contact]\nfriction = 0.3\n
[time]\nduration = \"1 s\"\nstep = \"1 ms\"\n{NO_FRAMES}{FLOOR}"
    );
    for hair in 0..50 {
        let [x, y] = [hair % 10, hair / 10].map(|place| 4.0 * place as f64);
        let radius = 1.2 + 0.3 * fraction(hair, GOLDEN);
        let (sin, cos) = (std::f64::consts::TAU * fraction(hair, PLASTIC)).sin_cos();
        let _ = writeln!(
            scene,
            "\n[[rods]]
shape = {{ helix = {{ center = [\"{x} mm\", \"{y} mm\", \"10 mm\"], axis = [0, 0, 1], start = [{cos:.6}, {sin:.6}, 0], radius = \"{radius:.4} mm\", pitch = \"20 mm\", turns = 4, edges = 60 }} }}
section = {{ circle = {{ radius = \"0.1 mm\" }} }}
material = {{ young = \"10 MPa\", poisson = 0.5, density = \"1300 kg/m^3\" }}",
        );
    }
    scene
}

/// Outputs that cost nothing beside the steps.
const NO_FRAMES: &str = "\n[output]\nevery = \"1000 s\"\n";

const FLOOR: &str = "
[[obstacles]]
name = \"floor\"
shape = { half_space = { point = [0, 0, 0], normal = [0, 0, 1] } }
friction = 0.3
";

/// Multiples of these spread evenly over [0, 1), along two axes independently of each other.
const GOLDEN: f64 = 0.618_033_988_749_895;
const PLASTIC: f64 = 0.754_877_666_246_693;

fn fraction(index: usize, irrational: f64) -> f64 {
    (index as f64 * irrational).fract()
}
