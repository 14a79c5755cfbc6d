//! Every template parses, builds, is described, and survives being resolved.

use std::fs;
use std::path::{Path, PathBuf};

use writhe_scenes::{FREE, Scene, names, template};

fn all() -> Vec<&'static str> {
    names()
        .iter()
        .copied()
        .chain(FREE.iter().copied())
        .collect()
}

fn parsed(name: &str) -> Scene {
    let text = template(name).unwrap_or_else(|| panic!("{name} has no template"));
    Scene::parse(text, &format!("{name}.toml")).unwrap_or_else(|e| panic!("{name}: {e}"))
}

#[test]
fn every_template_builds_and_is_described() {
    for name in all() {
        let scene = parsed(name);
        let setup = scene.build().unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(setup.state.q.iter().all(|x| x.is_finite()), "{name}");
        assert!(setup.duration > setup.output_every && setup.step.dt > 0.0);
        let report = scene.describe().unwrap_or_else(|e| panic!("{name}: {e}"));
        let literal = name == "flagella-literal";
        assert_eq!(
            report.warnings().count(),
            usize::from(literal),
            "{name}: {report}"
        );
    }
}

#[test]
fn resolved_scenes_read_back_identically() {
    for name in all() {
        let scene = parsed(name);
        let text = scene.resolved().expect("resolves");
        let again =
            Scene::parse(&text, "resolved").unwrap_or_else(|e| panic!("{name}: {e}\n{text}"));
        assert_eq!(again.spec, scene.spec, "{name}");
        assert_eq!(again.resolved().expect("resolves"), text, "{name}");
        let defaults = again.describe().expect("described").defaults;
        assert!(defaults.is_empty(), "{name}: {defaults:?}");
    }
}

#[test]
fn templates_leave_named_scenes_as_they_are() {
    for name in names() {
        let bare = format!("[scene]\nname = \"{name}\"");
        let scene = Scene::parse(&bare, "bare").unwrap_or_else(|e| panic!("{name}: {e}"));
        scene.build().unwrap_or_else(|e| panic!("{name}: {e}"));
        if *name != "ring" {
            // The ring's template adds twist.
            assert_eq!(parsed(name).spec.named, scene.spec.named, "{name}");
        }
        assert_eq!(parsed(name).spec.time, scene.spec.time, "{name}");
        assert_eq!(parsed(name).spec.fluid, scene.spec.fluid, "{name}");
        assert_eq!(parsed(name).spec.gravity, scene.spec.gravity, "{name}");
        assert_eq!(parsed(name).spec.damping, scene.spec.damping, "{name}");
    }
}

#[test]
fn every_example_builds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    files.sort();
    assert!(files.len() >= names().len() + FREE.len());
    for file in files {
        let name = file.display().to_string();
        let text = fs::read_to_string(&file).unwrap();
        let scene = Scene::parse(&text, &name).unwrap_or_else(|e| panic!("{e}"));
        let setup = scene.build().unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(setup.state.q.iter().all(|x| x.is_finite()), "{name}");
        scene.describe().unwrap_or_else(|e| panic!("{name}: {e}"));
    }
}

#[test]
fn examples_are_the_templates() {
    for (name, example) in [
        (
            "flagella",
            include_str!("../../../../examples/flagella.toml"),
        ),
        (
            "flagella-literal",
            include_str!("../../../../examples/flagella-literal.toml"),
        ),
        (
            "cantilever",
            include_str!("../../../../examples/cantilever.toml"),
        ),
        ("ring", include_str!("../../../../examples/ring.toml")),
        ("knot", include_str!("../../../../examples/knot.toml")),
        (
            "wilberforce",
            include_str!("../../../../examples/wilberforce.toml"),
        ),
        (
            "torque-transducer",
            include_str!("../../../../examples/torque-transducer.toml"),
        ),
        (
            "tree-in-wind",
            include_str!("../../../../examples/tree-in-wind.toml"),
        ),
        (
            "localized-buckling",
            include_str!("../../../../examples/localized-buckling.toml"),
        ),
        (
            "michell-ring",
            include_str!("../../../../examples/michell-ring.toml"),
        ),
        (
            "twisted-knot",
            include_str!("../../../../examples/twisted-knot.toml"),
        ),
        (
            "plectoneme",
            include_str!("../../../../examples/plectoneme.toml"),
        ),
        (
            "asymmetry-of-twist",
            include_str!("../../../../examples/asymmetry-of-twist.toml"),
        ),
        (
            "helical-perversion",
            include_str!("../../../../examples/helical-perversion.toml"),
        ),
        (
            "hanging-chain",
            include_str!("../../../../examples/hanging-chain.toml"),
        ),
        ("free", include_str!("../../../../examples/free.toml")),
        ("slope", include_str!("../../../../examples/slope.toml")),
        ("drum", include_str!("../../../../examples/drum.toml")),
    ] {
        assert_eq!(template(name), Some(example), "{name}");
    }
    assert_eq!(template("no such scene"), None);
}
