use std::collections::BTreeMap;

use super::*;

fn root() -> PathBuf {
    crate::root()
}

/// Documents that show pictures, with their text: README and the chapters of the book.
fn documents() -> Vec<(PathBuf, String)> {
    let chapters = fs::read_dir(root().join("docs/book/src")).unwrap();
    let chapters = chapters.map(|entry| entry.unwrap().path());
    let chapters = chapters.filter(|path| path.extension().is_some_and(|e| e == "md"));
    let all = chapters.chain([root().join("README.md")]);
    all.map(|path| (path.clone(), fs::read_to_string(path).unwrap()))
        .collect()
}

/// Pictures in a text: `![caption](target)`, relative to the document.
fn shown(text: &str) -> impl Iterator<Item = &str> {
    let after = |part: &'static str| move |text: &&str| text.contains(part);
    text.split("![")
        .skip(1)
        .filter(after("]("))
        .filter_map(|part| part.split("](").nth(1)?.split(')').next())
}

#[test]
fn documents_show_what_the_table_makes_and_only_that() {
    let mut places: BTreeMap<PathBuf, usize> = PICTURES
        .iter()
        .map(|picture| (root().join(picture.file), 0))
        .collect();
    assert_eq!(places.len(), PICTURES.len(), "a file is made twice");
    let documents = documents();
    assert!(documents.len() > 5);
    for (document, text) in documents {
        // Pictures of results are recorded with them.
        for target in shown(&text).filter(|target| !target.contains("/validation/")) {
            let file = document.with_file_name(target);
            match places.get_mut(&file) {
                Some(count) => *count += 1,
                None => panic!("{}: {target} is not in the gallery", document.display()),
            }
        }
    }
    for (file, count) in places {
        assert!(count > 0, "nothing shows {}", file.display());
        assert!(file.exists(), "{} is not there", file.display());
    }
}

#[test]
fn images_are_those_of_the_table() {
    for folder in ["docs/images", "docs/book/src/images"] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let file = format!("{folder}/{}", entry.unwrap().file_name().to_string_lossy());
            assert!(
                PICTURES.iter().any(|picture| picture.file == file),
                "{file} is not in the gallery"
            );
        }
    }
}

#[test]
fn commands_name_runs_and_runs_name_scenes() {
    for picture in PICTURES {
        for word in picture.command.split_whitespace() {
            if let Some(name) = word.strip_prefix('@') {
                let known = name == "out" || RUNS.iter().any(|run| run.name == name);
                assert!(known, "{}: no run {name}", picture.file);
            }
        }
        assert!(!runs_of(picture).is_empty(), "{}", picture.file);
    }
    for run in RUNS {
        assert!(root().join(run.scene).exists(), "{}", run.scene);
        let used = |p: &Picture| runs_of(p).iter().any(|r| r.name == run.name);
        assert!(PICTURES.iter().any(used), "nothing shows {}", run.name);
    }
    let names: BTreeSet<_> = PICTURES.iter().map(Picture::name).collect();
    assert_eq!(names.len(), PICTURES.len(), "two pictures of one name");
}

#[test]
fn every_example_has_a_picture() {
    for folder in ["examples", "examples/problems"] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let scene = format!("{folder}/{}", entry.unwrap().file_name().to_string_lossy());
            // Scripts and notebooks in Python are tested as such; tables belong to scenes.
            // The curve of the sweep is drawn by a test of the command line.
            let other = [".csv", ".py", "/sweep.toml"]
                .iter()
                .any(|e| scene.ends_with(e));
            if !root().join(&scene).is_file() || other {
                continue;
            }
            assert!(RUNS.iter().any(|run| run.scene == scene), "{scene}");
        }
    }
}

#[test]
fn options() {
    assert_eq!(Options::parse(&[]), Ok(Options::default()));
    let some = Options::parse(&["--only", "knot", "--check"]).unwrap();
    assert!(some.check && some.only == ["knot"]);
    assert!(
        Options::parse(&["--only", "no-such"])
            .unwrap_err()
            .contains("--list")
    );
    assert!(Options::parse(&["--only"]).is_err());
    assert!(Options::parse(&["--onyl"]).unwrap_err().contains("--onyl"));
}
