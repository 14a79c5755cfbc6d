//! The ten problems of `examples/problems`: each from a file of at most 25 lines to a picture. The
//! tests of their numbers run them to their ends; here a few steps are enough.

use crate::common;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use common::Place;

/// The files, and how long each runs here.
const PROBLEMS: [(&str, &str); 10] = [
    ("hair", "4 ms"),
    ("tube", "20 ms"),
    ("net", "10 ms"),
    ("braid", "20 ms"),
    ("scales", "20 ms"),
    ("magnetic", "50 ms"),
    ("arch", "5 ms"),
    ("foundation", "50 ms"),
    ("spring", "5 ms"),
    ("sweep", "10 ms"),
];
/// Lines of a file, at most.
const LINES: usize = 25;

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Pixels of different colours: a picture has something in it.
fn colors(file: &Path) -> usize {
    let mut reader = png::Decoder::new(BufReader::new(File::open(file).unwrap()));
    reader.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = reader.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    let pixels = bytes.chunks_exact(info.color_type.samples());
    let all: std::collections::BTreeSet<&[u8]> = pixels.collect();
    all.len()
}

/// The commands that a file names in its head, as a shell takes them.
fn commands(text: &str) -> Vec<Vec<&str>> {
    let lines = text
        .lines()
        .filter_map(|line| line.strip_prefix("#   writhe "));
    lines.map(|line| line.split(' ').collect()).collect()
}

#[test]
fn each_of_ten_problems_becomes_a_picture() {
    let folder = sources().join("examples/problems");
    let place = Place::new();
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(
            &path,
            place.path(path.file_name().unwrap().to_str().unwrap()),
        )
        .unwrap();
    }
    for (name, duration) in PROBLEMS {
        let file = format!("{name}.toml");
        let text = place.read(&file);
        let lines = text.lines().count();
        assert!(lines <= LINES, "{file} has {lines} lines");
        let picture = format!("{name}.png");
        let named = commands(&text);
        if let Some((plot, before)) = named.split_last() {
            // Curves: of equilibria over a load, of runs over a stiffness.
            for command in before {
                place.succeeds(&[&command[..], &["-q"]].concat());
            }
            place.succeeds(&[&plot[..], &["--out", &picture]].concat());
        } else {
            let every = format!("output.every={duration}");
            let run = ["run", &file, "--duration", duration, "--set", &every];
            let output = place.run(&[&run[..], &["--out", name, "-q"]].concat());
            assert!(output.status.success(), "{}", common::text(&output.stderr));
            let render = ["render", name, "--count", "1", "--size", "160x120"];
            place.succeeds(&[&render[..], &["--out", &picture]].concat());
        }
        let colors = colors(&place.path(&picture));
        assert!(colors > 20, "{picture} has {colors} colours");
    }
    // The softest end hangs far down, the stiffest as a beam does.
    let table = place.read("beams/results.json");
    let table: serde_json::Value = serde_json::from_str(&table).unwrap();
    let tip = table["rows"][3]["values"]["rod0_tip_z"].as_f64().unwrap();
    let wanted = -1000.0 * 9.81 * 0.2_f64.powi(4) / (8.0 * 0.25 * 4e8 * 2e-3_f64.powi(2));
    assert!((tip / wanted - 1.0).abs() < 5e-3, "{tip} {wanted}");
}

#[test]
fn the_page_of_problems_lists_them_all() {
    let page = sources().join("docs/book/src/problems.md");
    let page = fs::read_to_string(page).unwrap();
    for (name, _) in PROBLEMS {
        assert!(page.contains(&format!("[`{name}.toml`]")), "{name}");
    }
}
