//! Which values the file leaves to their defaults.

use crate::error::SceneError;
use crate::scene::Scene;
use crate::spec::FluidKind;
use crate::tree::{Node, Value};

/// `key = value` of every value of the resolved scene that the file does not hold.
pub(super) fn used(scene: &Scene) -> Result<Vec<String>, SceneError> {
    let resolved = Node::parse(&scene.resolved()?, "resolved scene")?;
    let mut list = Vec::new();
    collect(scene, &resolved, "", &mut list);
    Ok(list)
}

fn collect(scene: &Scene, node: &Node, path: &str, list: &mut Vec<String>) {
    match &node.value {
        Value::Table(entries) => {
            for (name, child) in entries {
                let dot = if path.is_empty() { "" } else { "." };
                collect(scene, child, &format!("{path}{dot}{name}"), list);
            }
        }
        Value::Array(elements) if elements.iter().any(|e| matches!(e.value, Value::Table(_))) => {
            for (i, child) in elements.iter().enumerate() {
                collect(scene, child, &format!("{path}[{i}]"), list);
            }
        }
        Value::Array(elements) if !scene.has(path) && from_a_file(scene, path).is_none() => {
            let shown: Vec<String> = elements.iter().map(Node::shown).collect();
            list.push(format!("{path} = [{}]", shown.join(", ")));
        }
        Value::Array(_) => {}
        _ if scene.has(path) || without_effect(scene, path) => {}
        _ => list.push(format!("{path} = {}", node.shown())),
    }
}

/// Node lists that were read from a file are no defaults.
fn from_a_file<'a>(scene: &Scene, path: &'a str) -> Option<&'a str> {
    let shape = path.strip_suffix(".nodes")?;
    scene.has(&format!("{shape}.file")).then_some(shape)
}

/// Keys that the chosen fluid does not use.
fn without_effect(scene: &Scene, path: &str) -> bool {
    match path {
        "fluid.rule" => scene.spec.fluid.model != FluidKind::ResistiveForce,
        "fluid.regularisation" | "fluid.coupling" => {
            scene.spec.fluid.model != FluidKind::StokesletSegments
        }
        _ => false,
    }
}
