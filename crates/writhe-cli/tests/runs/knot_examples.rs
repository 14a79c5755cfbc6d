//! The example scenes of knots, as they are but shorter, on fewer edges: at their own step, halved
//! where one fails, to the end, of the same type.

use crate::common;
use std::fs;
use std::path::Path;

use common::Place;

#[test]
fn every_example_runs_to_its_end_as_the_same_knot() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut run = 0;
    for entry in fs::read_dir(&examples).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        if !name.starts_with("knot-") {
            continue;
        }
        run += 1;
        let place = Place::new();
        place.write("my.toml", &fs::read_to_string(&path).unwrap());
        // Half as many edges settle in a few seconds.
        let less = ["--set", "scene.edges=150", "--duration", "0.4"];
        let every = [&less[..], &["--set", "output.every=0.1"]].concat();
        let command = ["run", "my.toml", "--out", "r"];
        place.succeeds(&[&command[..], &every[..]].concat());
        let summary = place.summary("r");
        assert_eq!(summary["outcome"], "finished", "{name}");
        let certificate = &summary["certificate"];
        assert_eq!(certificate["checked_outputs"], 5, "{name}: {certificate}");
        assert_eq!(certificate["uncertain_outputs"], 0, "{name}: {certificate}");
        let changes = certificate["changes"].as_array().map(Vec::len);
        assert_eq!(changes, Some(0), "{name}: {certificate}");
    }
    assert_eq!(run, 6, "slip, square, granny, trefoil, figure-eight, torus");
}
