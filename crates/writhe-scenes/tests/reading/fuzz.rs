//! No text makes the reader panic, and whatever it accepts survives being resolved.

use proptest::prelude::*;
use writhe_scenes::{FREE, Scene, names, template};

const FRAGMENTS: &[&str] = &[
    "0",
    "-1",
    "1e308",
    "-1e-308",
    "nan",
    "inf",
    "true",
    "[]",
    "{}",
    "\"\"",
    "\"1 mm\"",
    "\"first\"",
    "\"15 rpm\"",
    "[0, 0, 0]",
    "[[0, 0, 0]]",
    "9223372036854775807",
    "1",
    "2",
    "3",
    "0.5",
    "1979-05-27",
    "{ circle = { radius = 1 } }",
];

fn everything(text: &str) {
    let Ok(scene) = Scene::parse(text, "fuzz") else {
        return;
    };
    if let Ok(resolved) = scene.resolved() {
        let again =
            Scene::parse(&resolved, "fuzz").unwrap_or_else(|e| panic!("{e}\n{text}\n{resolved}"));
        assert_eq!(again.spec, scene.spec);
    }
    // Large counts are legal but slow.
    let edges: usize = scene
        .spec
        .all_rods()
        .iter()
        .map(|(_, r)| format!("{:?}", r.shape).len())
        .sum();
    if edges < 1_000_000 && !text.contains("000000") {
        let _ = scene.describe().map(|r| r.to_string());
        let _ = scene.build();
    }
}

fn sources() -> Vec<&'static str> {
    names()
        .iter()
        .copied()
        .chain(FREE.iter().copied())
        .filter_map(template)
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn values_replaced(source in 0..5_usize, line in any::<prop::sample::Index>(), value in prop::sample::select(FRAGMENTS)) {
        let lines: Vec<&str> = sources()[source].lines().collect();
        let at = line.index(lines.len());
        let changed: Vec<String> = lines.iter().enumerate().map(|(i, l)| match l.split_once('=') {
            Some((key, _)) if i == at => format!("{key}= {value}"),
            _ => (*l).to_owned(),
        }).collect();
        everything(&changed.join("\n"));
    }

    #[test]
    fn characters_replaced(source in 0..5_usize, edits in prop::collection::vec((any::<prop::sample::Index>(), any::<char>()), 1..4)) {
        let mut text: Vec<char> = sources()[source].chars().collect();
        for (at, c) in edits {
            let i = at.index(text.len());
            text[i] = c;
        }
        everything(&text.into_iter().collect::<String>());
    }

    #[test]
    fn lines_dropped_and_doubled(source in 0..5_usize, drop in any::<prop::sample::Index>(), double in any::<prop::sample::Index>()) {
        let mut lines: Vec<&str> = sources()[source].lines().collect();
        lines.remove(drop.index(lines.len()));
        let at = double.index(lines.len());
        lines.insert(at, lines[at]);
        everything(&lines.join("\n"));
    }

    #[test]
    fn anything_set(source in 0..5_usize, path in "[a-z_.\\[\\]0-9]{0,20}", value in "\\PC{0,12}") {
        let Ok(mut scene) = Scene::parse(sources()[source], "fuzz") else { panic!("template") };
        let _ = scene.set(&format!("{path}={value}"));
        let _ = scene.set(&value);
    }

    #[test]
    fn known_keys_set_to_anything(source in 0..5_usize, key in any::<prop::sample::Index>(), value in prop::sample::select(FRAGMENTS)) {
        let Ok(mut scene) = Scene::parse(sources()[source], "fuzz") else { panic!("template") };
        let Ok(report) = scene.describe() else { panic!("described") };
        let Some(default) = report.defaults.get(key.index(report.defaults.len())) else { return Ok(()) };
        let Some((path, _)) = default.split_once(" = ") else { return Ok(()) };
        if scene.set(&format!("{path}={value}")).is_ok() && !value.contains("92233") {
            let _ = scene.describe().map(|r| r.to_string());
            let _ = scene.build();
        }
    }
}
