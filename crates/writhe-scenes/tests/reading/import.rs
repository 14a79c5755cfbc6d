//! Files of other programs that are damaged in all sorts of ways: a scene that can be read or a
//! clear error, never a panic.

use writhe_scenes::{ImportError, Scene, ShapeUse, import_options, import_shape, is_options};

const OPTIONS: &str = "RodLength 0.3
numVertices 5
rodRadius 0.002
density 1200
youngM 2e5
Poisson 0.45
gVector 0.0 0.0 -1.5
waitTime 0.1
pullTime 0.2
pullSpeed 0.004
deltaTime 5e-3
col 0.15
S 500
ce_k 50
contactMode 2
limit 12
mu_k 0.25
knotConfig bump
";

const SHAPE: &str = "0 0 0 0\n0 .1 0 0\n.02 .2 0 0\n0 .3 0 0\n0 .4 0 0\n";

/// Words to put in the place of others.
const WORDS: &[&str] = &[
    "",
    "nan",
    "-1",
    "1e308",
    "1e-308",
    "inf",
    "0",
    "99999999999999999999",
    "\u{7}",
    "\"",
    "\\",
    "é",
    "#",
    "[x]",
    "'''",
    "-0.0",
];

fn shape(config: &str) -> Result<String, ImportError> {
    if config.len() < 20 {
        return Ok(SHAPE.to_owned());
    }
    Err(ImportError {
        message: "there is none".to_owned(),
        remedy: "choose another".to_owned(),
    })
}

#[test]
fn damaged_files_make_a_scene_or_an_error() {
    let (mut good, mut bad) = (0, 0);
    let mut check = |result: Result<String, ImportError>| match result {
        Ok(toml) => {
            good += 1;
            // Values that no rod has are refused by the scene, with its key.
            if let Err(e) = Scene::parse(&toml, "imported").and_then(|s| s.build()) {
                assert!(!e.key.is_empty(), "{e}\n{toml}");
            }
        }
        Err(e) => {
            bad += 1;
            assert!(!e.message.is_empty() && !e.remedy.is_empty());
        }
    };
    let mut at = 0;
    for piece in OPTIONS.split_inclusive([' ', '\n']) {
        let word = piece.trim_end();
        for other in WORDS {
            let text = format!("{}{other}{}", &OPTIONS[..at], &OPTIONS[at + word.len()..]);
            assert!(is_options(&text) || at == 0, "{text}");
            check(import_options(&text, "option.txt", shape).map(|i| i.toml));
        }
        at += piece.len();
    }
    for at in 0..SHAPE.len() {
        for other in WORDS {
            let text = format!("{}{other}{}", &SHAPE[..at], &SHAPE[at + 1..]);
            for used in [ShapeUse::Knot, ShapeUse::Rod, ShapeUse::Ring] {
                check(import_shape(&text, "dir/shape\n\"", used).map(|i| i.toml));
            }
        }
    }
    assert!(good > 100 && bad > 100, "{good} scenes, {bad} errors");
}
