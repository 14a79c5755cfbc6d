//! The table of pictures.

/// A run that pictures are made of.
#[derive(Debug)]
pub struct Run {
    /// By which commands name it, and its label in a sheet.
    pub name: &'static str,
    /// Scene file.
    pub scene: &'static str,
    /// Changes, separated by spaces.
    pub set: &'static str,
    /// What else `writhe follow` is told, where the run is one of it.
    pub vary: &'static str,
}

/// A picture.
#[derive(Debug)]
pub struct Picture {
    /// Where it is shown from.
    pub file: &'static str,
    /// Arguments of `writhe`, or `screenshot @RUN LINK` with what follows # in the address of the
    /// viewer's page; `@NAME` is the directory of that run and `@out` the picture.
    pub command: &'static str,
}

impl Picture {
    /// The name of its file without the ending.
    pub fn name(&self) -> &'static str {
        let file = self.file.rsplit('/').next().unwrap_or(self.file);
        file.split('.').next().unwrap_or(file)
    }

    /// Whether it shows the viewer in a browser.
    pub fn is_screenshot(&self) -> bool {
        self.command.starts_with("screenshot ")
    }
}

const fn run(name: &'static str, scene: &'static str, set: &'static str) -> Run {
    Run {
        name,
        scene,
        set,
        vary: "",
    }
}

const fn follow(name: &'static str, scene: &'static str, vary: &'static str) -> Run {
    Run {
        name,
        scene,
        set: "",
        vary,
    }
}

const fn picture(file: &'static str, command: &'static str) -> Picture {
    Picture { file, command }
}

/// The runs: seconds to a minute or two each.
pub const RUNS: &[Run] = &[
    run(
        "cantilever",
        "examples/cantilever.toml",
        "output.every=0.01",
    ),
    run("free", "examples/free.toml", ""),
    follow(
        "arch",
        "examples/problems/arch.toml",
        "--vary rods[0].forces[0].amplitude --from 0 --to 1",
    ),
    run("ring", "examples/ring.toml", ""),
    run("m2", "examples/flagella.toml", "time.duration=60"),
    run(
        "m5",
        "examples/flagella.toml",
        "time.duration=60 scene.count=5",
    ),
    run(
        "m3",
        "examples/flagella.toml",
        "time.duration=30 scene.count=3",
    ),
    run(
        "literal",
        "examples/flagella-literal.toml",
        "time.duration=12",
    ),
    run("hair", "examples/problems/hair.toml", ""),
    run("net", "examples/problems/net.toml", ""),
    run("braid", "examples/problems/braid.toml", ""),
    run("spring", "examples/problems/spring.toml", ""),
    run("slope", "examples/slope.toml", ""),
    run("drum", "examples/drum.toml", ""),
    run("tube", "examples/problems/tube.toml", ""),
    run("foundation", "examples/problems/foundation.toml", ""),
    run("knot", "examples/knot.toml", ""),
    run(
        "thick-knot",
        "examples/knot.toml",
        "scene.rod_radius=0.006 scene.end_distance=0.35",
    ),
    run("slip", "examples/knot-slip.toml", ""),
    run("square", "examples/knot-square.toml", ""),
    run("granny", "examples/knot-granny.toml", ""),
    run("trefoil", "examples/knot-trefoil.toml", "time.duration=5"),
    run(
        "figure-eight",
        "examples/knot-figure-eight.toml",
        "time.duration=5",
    ),
    run("torus", "examples/knot-torus.toml", "time.duration=5"),
    run("localized-buckling", "examples/localized-buckling.toml", ""),
    run("michell-ring", "examples/michell-ring.toml", ""),
    run("twisted-knot", "examples/twisted-knot.toml", ""),
    run("plectoneme", "examples/plectoneme.toml", "time.duration=4"),
    run(
        "asymmetry",
        "examples/asymmetry-of-twist.toml",
        // Later the bent rod is out of balance, and rounding decides when it leaves its plane.
        "time.duration=46",
    ),
    run("helical-perversion", "examples/helical-perversion.toml", ""),
    run("hanging-chain", "examples/hanging-chain.toml", ""),
    run("wilberforce", "examples/wilberforce.toml", ""),
    run("transducer", "examples/torque-transducer.toml", ""),
    run("motor-arm", "examples/motor-arm.toml", ""),
    run("tree", "examples/tree-in-wind.toml", "time.duration=10"),
    run("snake", "examples/problems/snake.toml", ""),
    run("scales", "examples/problems/scales.toml", ""),
    run("magnetic", "examples/problems/magnetic.toml", ""),
];

/// The pictures.
pub const PICTURES: &[Picture] = &[
    picture(
        "docs/images/flagella.png",
        "render @m2 --sheet @m5 --times 0,15,30,45,60 --out @out",
    ),
    picture(
        "docs/images/knot-tight.gif",
        "render @thick-knot --movie @out --every 2 --fps 12 --size 640x200 --zoom 1.7 --colour curvature --no-legend --no-clamps",
    ),
    picture(
        "docs/images/viewer.png",
        "screenshot @knot t=55.5&colour=curvature&view=0.01,-0.138,0.096,-0.005,-0.168,0.002",
    ),
    picture(
        "docs/images/flow.png",
        "screenshot @m3 t=22&colour=rod&flow=y2&view=0.35,-2.1,0.95,0.05,0,0",
    ),
    picture(
        "docs/book/src/images/viewer-flagella.png",
        "screenshot @m5 t=45&colour=twist",
    ),
    picture(
        "docs/book/src/images/cantilever.png",
        "render @cantilever --times 0,0.1,0.2,0.3,5 --out @out",
    ),
    picture(
        "docs/book/src/images/cantilever-energies.svg",
        "plot @cantilever energy --out @out",
    ),
    picture(
        "docs/book/src/images/free.png",
        "render @free --count 4 --view 0.3,-1,0.4 --out @out",
    ),
    picture(
        "docs/book/src/images/ring.png",
        "render @ring --times 0,0.25,0.5,2 --out @out",
    ),
    picture(
        "docs/book/src/images/bundle.gif",
        "render @m2 --movie @out --every 2 --size 240x380 --fps 12",
    ),
    picture(
        "docs/book/src/images/flagella-literal.png",
        "render @literal --times 0,3,6,9,12 --out @out",
    ),
    picture(
        "docs/book/src/images/hair.png",
        "render @hair --times 0.2 --view 0.4,-1,0.6 --out @out",
    ),
    picture(
        "docs/book/src/images/net.png",
        "render @net --times 0 --view 0.5,-1,0.5 --out @out",
    ),
    picture(
        "docs/book/src/images/braid.png",
        "render @braid --times 0,1 --size 150x460 --out @out",
    ),
    picture(
        "docs/book/src/images/spring.png",
        "render @spring --times 0,0.03,0.06 --size 240x320 --out @out",
    ),
    picture(
        "docs/book/src/images/slope.png",
        "render @slope --count 4 --out @out",
    ),
    picture(
        "docs/book/src/images/drum.png",
        "render @drum --count 1 --colour curvature --contacts --size 640x480 --out @out",
    ),
    picture(
        "docs/book/src/images/tube.png",
        "render @tube --times 5,14,17,20 --size 740x90 --out @out",
    ),
    picture(
        "docs/book/src/images/foundation.png",
        "render @foundation --count 1 --view 0,-1,0.1 --size 900x200 --out @out",
    ),
    picture(
        "docs/book/src/images/knot.png",
        "render @knot --times 45,50,53,55.5,57 --size 380x220 --out @out",
    ),
    picture(
        "docs/book/src/images/follow-arch.svg",
        "plot @arch rod0_middle_z --against parameter --out @out",
    ),
    picture(
        "docs/book/src/images/knot-force.svg",
        "plot @knot rod0_pull_force --against rod0_shortening --mean 0.5 --out @out",
    ),
    picture(
        "docs/book/src/images/knot-slip.png",
        "render @slip --times 0,7.5,15,21 --size 460x220 --zoom 1.8 --out @out",
    ),
    picture(
        "docs/book/src/images/knot-square.png",
        "render @square --times 0,12,18,22,25 --out @out",
    ),
    picture(
        "docs/book/src/images/knot-granny.png",
        "render @granny --times 0,12,18,22,25 --out @out",
    ),
    picture(
        "docs/book/src/images/knot-closed.png",
        "render @trefoil --sheet @figure-eight @torus --times 0,1,2,5 --out @out",
    ),
    picture(
        "docs/book/src/images/localized-buckling.png",
        "render @localized-buckling --times 5,15,30,60 --out @out",
    ),
    picture(
        "docs/book/src/images/michell-ring.png",
        "render @michell-ring --times 0,6,7,8,20 --out @out",
    ),
    picture(
        "docs/book/src/images/twisted-knot.png",
        "render @twisted-knot --times 0,35,41,60,82 --out @out",
    ),
    picture(
        "docs/book/src/images/plectoneme.png",
        "render @plectoneme --times 0,2,2.8,3.2,4 --out @out",
    ),
    picture(
        "docs/book/src/images/asymmetry-of-twist.png",
        "render @asymmetry --times 10,25,40,43,45 --out @out",
    ),
    picture(
        "docs/book/src/images/helical-perversion.png",
        "render @helical-perversion --times 0,600,1100,1650 --out @out",
    ),
    picture(
        "docs/book/src/images/hanging-chain.png",
        "render @hanging-chain --times 0,12,20,22,32 --out @out",
    ),
    picture(
        "docs/book/src/images/wilberforce.png",
        "render @wilberforce --times 0,3,6,9,12 --out @out",
    ),
    picture(
        "docs/book/src/images/wilberforce-bob.svg",
        "plot @wilberforce body0_velocity_z body0_spin_z --out @out",
    ),
    picture(
        "docs/book/src/images/torque-transducer.png",
        "render @transducer --times 0,0.06,0.12 --view 0.6,-1,0.4 --out @out",
    ),
    picture(
        "docs/book/src/images/torque-transducer-spin.svg",
        "plot @transducer body0_spin_x body1_spin_x --out @out",
    ),
    picture(
        "docs/book/src/images/motor-arm.png",
        "render @motor-arm --times 0,0.5,1,1.5,2 --view 0.3,-0.6,1 --out @out",
    ),
    picture(
        "docs/book/src/images/tree-in-wind.gif",
        "render @tree --movie @out --size 400x500 --colour speed --range 0,1 --every 2 --fps 10",
    ),
    picture(
        "docs/book/src/images/snake.gif",
        "render @snake --movie @out --every 2 --fps 20 --size 640x170 --view 0,0,1 --up 0,1,0",
    ),
    picture(
        "docs/book/src/images/scales.png",
        "render @scales --times 0,2,4,6,8 --view 0,0,1 --up 0,1,0 --size 640x170 --out @out",
    ),
    picture(
        "docs/book/src/images/magnetic.png",
        "render @magnetic --times 0,0.1,0.3,0.5,2 --view 0,0,1 --up 0,1,0 --out @out",
    ),
];
