//! Scenes that cannot be built.

use writhe_scenes::Scene;

/// What is said of a scene that cannot be read or built, with the remedy.
pub fn refused(text: &str) -> String {
    let scene = Scene::parse(text, "my.toml");
    let error = scene
        .and_then(|scene| scene.build().map(|_| ()))
        .unwrap_err();
    format!("{error} {}", error.remedy())
}
