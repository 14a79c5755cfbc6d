//! Prints a scene file: curly hairs that fall onto a floor and pile up.
//!
//! `cargo run -p writhe-scenes --example hairs -- 50 2.5 > hairs.toml` makes 50 of them, in rows of
//! ten 4 mm apart, with an output every 2.5 ms; then `writhe run hairs.toml`.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let count: usize = arguments.next().map_or(Ok(50), |n| n.parse())?;
    let every: f64 = arguments.next().map_or(Ok(2.5), |ms| ms.parse())?;
    println!(
        "title = \"{count} curly hairs fall onto a floor\"

[gravity]
acceleration = [0, 0, -9.81]

[damping]
viscosity = \"0.005 Pa s\"

[contact]
friction = 0.3

[time]
duration = \"0.5 s\"
step = \"1 ms\"

[output]
every = \"{every} ms\"

[[obstacles]]
name = \"floor\"
shape = {{ half_space = {{ point = [0, 0, 0], normal = [0, 0, 1] }} }}
friction = 0.4"
    );
    for hair in 0..count {
        let [x, y] = [hair % 10, hair / 10].map(|place| 4.0 * place as f64);
        // Radii and directions that look random and repeat from run to run.
        let radius = 1.2 + 0.3 * fraction(hair, 0.618_033_988_749_895);
        let turn = std::f64::consts::TAU * fraction(hair, 0.754_877_666_246_693);
        let (sin, cos) = turn.sin_cos();
        println!(
            "
[[rods]]
shape = {{ helix = {{ center = [\"{x} mm\", \"{y} mm\", \"10 mm\"], axis = [0, 0, 1], start = [{cos:.6}, {sin:.6}, 0], \
             radius = \"{radius:.4} mm\", pitch = \"20 mm\", turns = 4, edges = 60 }} }}
section = {{ circle = {{ radius = \"0.1 mm\" }} }}
material = {{ young = \"10 MPa\", poisson = 0.5, density = \"1300 kg/m^3\" }}"
        );
    }
    Ok(())
}

/// Fraction of a multiple of an irrational number: spread evenly over [0, 1).
fn fraction(index: usize, irrational: f64) -> f64 {
    (index as f64 * irrational).fract()
}
