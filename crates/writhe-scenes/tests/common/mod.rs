//! One rod, and a check of an error's key, text and place.

use writhe_scenes::{Scene, SceneError};

/// A complete rod.
#[allow(dead_code, reason = "not every test needs one")]
pub const ROD: &str = "[[rods]]
shape = { straight = { from = [0, 0, 0], to = [0.2, 0, 0], edges = 10 } }
section = { circle = { radius = \"1 mm\" } }
material = { young = \"3 MPa\", poisson = 0.5, density = 1000 }
";

/// The error that a scene must cause.
fn error(text: &str) -> SceneError {
    let scene = match Scene::parse(text, "my.toml") {
        Ok(scene) => scene,
        Err(e) => return e,
    };
    match scene.build() {
        Err(e) => e,
        Ok(_) => panic!("no error in\n{text}"),
    }
}

/// The message must hold all parts; the marked bytes must be `marked`.
pub fn check(text: &str, key: &str, parts: &[&str], marked: &str) {
    let e = error(text);
    let message = e.to_string();
    assert_eq!(e.key, key, "{message}");
    assert!(message.starts_with("my.toml: "), "{message}");
    for part in parts {
        assert!(message.contains(part), "`{part}` is not in: {message}");
    }
    assert!(!e.remedy().is_empty() && message.ends_with(&e.remedy()));
    let span = e.span.unwrap_or_else(|| panic!("no span: {message}"));
    let found = text.get(span).unwrap_or("?");
    assert!(found.starts_with(marked), "`{found}` is marked: {message}");
}
