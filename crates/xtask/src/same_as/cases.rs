//! What both versions run: scenes of `crates/xtask/cases`, with settings of their own.

use std::fs;
use std::path::{Path, PathBuf};

/// A scene and what is set in it.
#[derive(Debug)]
pub struct Case {
    /// Its name.
    pub name: &'static str,
    /// File of `crates/xtask/cases`, without its ending.
    scene: &'static str,
    /// Keys set to values.
    pub set: &'static [&'static str],
    /// Simulated time between checkpoints, if the run is to go on from its last but one.
    pub restart: Option<&'static str>,
}

const fn case(name: &'static str, scene: &'static str, set: &'static [&'static str]) -> Case {
    Case {
        name,
        scene,
        set,
        restart: None,
    }
}

const fn restarted(
    name: &'static str,
    scene: &'static str,
    set: &'static [&'static str],
    restart: &'static str,
) -> Case {
    Case {
        name,
        scene,
        set,
        restart: Some(restart),
    }
}

/// All cases.
#[rustfmt::skip]
pub const CASES: &[Case] = &[
    // Tight contact of every model, from the state of a knot that has been pulled for 18 s.
    case("knot-imc", "knot", &[]),
    case("knot-imc-smooth-rods", "knot", &["contact.friction=0"]),
    case("knot-imc-of-axes", "knot", &["contact.friction_on_twist=false"]),
    case("knot-imc-anchors", "knot", &["contact.static_friction=anchor", "contact.presliding=1e-2"]),
    case("knot-imc-lagged", "knot", &["contact.friction_solve={ lagged = 2 }"]),
    case("knot-imc-largest-force", "knot", &["contact.stiffness={ largest_force = 100000 }"]),
    case("knot-imc-euler", "knot", &["time.scheme=backward-euler"]),
    case("knot-imc-goldstein", "knot", &["time.line_search=goldstein", "contact.friction=0"]),
    case("knot-ipc", "knot", &["contact.model=ipc", "rods[0].shape.file=knot-ipc.csv", "time.duration=30 ms"]),
    case("knot-ipc-smooth-rods", "knot", &["contact.model=ipc", "contact.friction=0", "rods[0].shape.file=knot-ipc.csv", "time.duration=30 ms"]),
    case("knot-c21", "knot", &["contact.model=imc-smooth"]),
    case("knot-c21-hybrid", "knot", &["contact.model=imc-smooth", "contact.jacobian={ hybrid = 20 }"]),
    case("knot-spillmann-teschner", "knot", &["contact.model=spillmann-teschner"]),
    restarted("knot-restart", "knot", &["contact.static_friction=anchor"], "50 ms"),
    // Obstacles of all shapes that move, friction that sticks, barriers.
    case("pile-imc", "pile", &[]),
    case("pile-ipc", "pile", &["contact.model=ipc"]),
    case("pile-anchors", "pile", &["contact.static_friction=anchor", "time.scheme=backward-euler"]),
    case("pile-none", "pile", &["contact.friction=0", "time.scheme=implicit-midpoint", "contact.model=imc"]),
    case("squeeze-ipc", "squeeze", &["contact.model=ipc"]),
    case("squeeze-sticking", "squeeze", &["contact.static_friction=anchor"]),
    restarted("squeeze-restart", "squeeze", &["contact.model=ipc"], "0.3 s"),
    // A snap; steps that fail and are tried again.
    case("snap-bdf2", "snap", &[]),
    case("snap-euler", "snap", &["time.scheme=backward-euler"]),
    case("snap-midpoint", "snap", &["time.scheme=implicit-midpoint"]),
    case("snap-retried", "snap", &["time.step=10 ms", "output.every=10 ms", "time.max_iterations=6"]),
    // Bodies, motors, joints that let go, contact with bodies.
    case("arm-bdf2", "arm", &[]),
    case("arm-midpoint", "arm", &["time.scheme=implicit-midpoint"]),
    restarted("arm-restart", "arm", &[], "60 ms"),
    case("perch-imc", "perch", &[]),
    // Explicit steps, Rapier, wind.
    case("strings-explicit", "strings", &[]),
    case("discs-explicit", "discs", &[]),
    case("discs-implicit", "discs", &["time.integrator=implicit", "time.step=1 ms"]),
    case("discs-rapier", "discs", &["time.engine=rapier", "bodies[0].collide=true", "bodies[1].collide=true"]),
    restarted("discs-rapier-restart", "discs", &["time.engine=rapier"], "6 ms"),
    case("tree-implicit", "tree", &[]),
    case("tree-explicit", "tree", &["time.integrator=symplectic-projected", "time.step=20 us", "time.duration=1 ms", "output.every=20 us", "time.settle=false"]),
    // Fluids, from flagella that touch.
    case("flagella-implicit", "flagella", &[]),
    case("flagella-fitted", "flagella", &["time.scheme=fitted-bdf2", "time.rate=1.5707963267948966"]),
    case("flagella-ipc", "flagella", &["contact.model=ipc", "contact.friction=0", "rods[0].shape.file=flagellum-0-ipc.csv", "rods[1].shape.file=flagellum-1-ipc.csv"]),
    case("flagella-lagged", "flagella", &["fluid.coupling=lagged", "time.step=1 ms", "time.duration=50 ms", "output.every=1 ms"]),
    restarted("flagella-restart", "flagella", &["fluid.coupling=lagged", "time.step=1 ms", "time.duration=40 ms", "output.every=1 ms"], "20 ms"),
    case("flagella-resistive", "flagella", &["fluid={ model = \"resistive-force\", viscosity = \"1 Pa s\", wavelength = \"50 mm\", helix_radius = \"10 mm\" }"]),
    // Loads, sections, equilibria, certificates.
    case("loads-bdf2", "loads", &[]),
    case("loads-per-edge", "loads", &["bending=per-edge", "time.scheme=implicit-midpoint"]),
    case("ring", "ring", &[]),
    case("column", "column", &[]),
    // What fails or is refused, and what it is told.
    case("crushed-imc", "crash", &[]),
    case("crushed-ipc", "crash", &["contact.model=ipc"]),
    case("crushed-fixed-step", "crash", &["time.adaptive=false"]),
    case("refused-start", "crash", &["contact.model=ipc", "rods[0].section.circle.radius=4 mm"]),
    case("refused-barrier", "perch", &["contact.model=ipc"]),
    case("refused-step", "flagella", &["fluid.coupling=lagged"]),
    case("stopped", "knot", &["stop.force=0.1 mN"]),
];

impl Case {
    /// Its scene.
    pub fn scene_file(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("cases")
            .join(format!("{}.toml", self.scene))
    }

    /// What it runs, in a line.
    pub fn line(&self) -> String {
        let restart = self
            .restart
            .map(|at| format!("going on from a checkpoint each {at}"));
        let sets = self.set.iter().map(|set| format!("--set '{set}'"));
        let words: Vec<String> = std::iter::once(self.scene.to_owned())
            .chain(sets)
            .chain(restart)
            .collect();
        words.join(" ")
    }

    /// Young's modulus of the first rod, larger by a part of 1e-12, as a setting.
    pub fn planted(&self) -> Result<String, String> {
        let file = self.scene_file();
        let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let after = text.split_once("young = \"");
        let (value, _) = after
            .and_then(|(_, rest)| rest.split_once('"'))
            .ok_or_else(|| format!("{}: no modulus", self.scene))?;
        let (number, unit) = value.split_once(' ').unwrap_or((value, "Pa"));
        let number: f64 = number.parse().map_err(|e| format!("{value}: {e}"))?;
        let named = text.contains("[scene]");
        let key = if named { "scene" } else { "rods[0].material" };
        let larger = number * (1.0 + 1e-12);
        Ok(format!("{key}.young={larger:.17e} {unit}"))
    }
}
