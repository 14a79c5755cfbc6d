//! Which values the file leaves to their defaults.

use super::words;
use crate::error::SceneError;
use crate::scene::Scene;
use crate::spec::FluidKind;
use crate::tree::{Node, Value};

/// `key = value` of every value of the resolved scene that the file does not hold; what is alike in
/// entries of a list stands once.
pub(super) fn used(scene: &Scene) -> Result<Vec<String>, SceneError> {
    let resolved = Node::parse(&scene.resolved()?, "resolved scene")?;
    let mut list = Vec::new();
    collect(scene, &resolved, "", &mut list);
    Ok(together(&list))
}

/// Entries of a list that have the same default are told together beyond this number.
const APART: usize = 2;

/// Keys but for the number of the entry, their value, and the entries.
type Alike<'a> = (Option<[&'a str; 2]>, &'a str, Vec<usize>);

fn together(list: &[(String, String)]) -> Vec<String> {
    // Keys without the number of the entry: `rods`, `.closed`.
    let mut groups: Vec<Alike> = Vec::new();
    let mut told: Vec<&(String, String)> = Vec::new();
    for entry in list {
        let apart = numbered(&entry.0);
        let kind = apart.map(|(list, _, rest)| [list, rest]);
        let number = apart.map_or(0, |(_, number, _)| number);
        let known = |g: &&mut Alike| g.0.is_some() && g.0 == kind && g.1 == entry.1;
        match groups.iter_mut().find(known) {
            Some(group) => group.2.push(number),
            None => {
                groups.push((kind, &entry.1, vec![number]));
                told.push(entry);
            }
        }
    }
    let mut lines = Vec::new();
    for (at, ((kind, value, numbers), (key, _))) in groups.iter().zip(told).enumerate() {
        // What differs from entry to entry.
        let others = groups.iter().filter(|g| kind.is_some() && g.0 == *kind);
        let others: Vec<&Alike> = others.collect();
        if let Some([list, rest]) = kind
            && others.len() > APART
        {
            // Places and directions that follow from those of copies are no defaults.
            let is_made = value.starts_with('[');
            if !is_made && groups[..at].iter().all(|g| g.0 != *kind) {
                let mut all: Vec<usize> = others.iter().flat_map(|g| g.2.clone()).collect();
                all.sort_unstable();
                let (all, more) = (words::ranges(&all), others.len() - 1);
                lines.push(format!("{list}[{all}]{rest} = {value} and {more} others"));
            }
            continue;
        }
        match kind {
            Some([list, rest]) if numbers.len() > APART => {
                let numbers = words::ranges(numbers);
                lines.push(format!("{list}[{numbers}]{rest} = {value}"));
            }
            Some([list, rest]) => {
                let line = |n: &usize| format!("{list}[{n}]{rest} = {value}");
                lines.extend(numbers.iter().map(line));
            }
            None => lines.push(format!("{key} = {value}")),
        }
    }
    lines
}

/// A key of an entry of a list: the list, the entry, what follows.
fn numbered(key: &str) -> Option<(&str, usize, &str)> {
    let (list, rest) = key.split_once('[')?;
    let (number, rest) = rest.split_once(']')?;
    Some((list, number.parse().ok()?, rest))
}

fn collect(scene: &Scene, node: &Node, path: &str, list: &mut Vec<(String, String)>) {
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
        _ if is_made(scene, path) => {}
        Value::Array(elements) if !scene.has(path) && from_a_file(scene, path).is_none() => {
            let shown: Vec<String> = elements.iter().map(Node::shown).collect();
            list.push((path.to_owned(), format!("[{}]", shown.join(", "))));
        }
        Value::Array(_) => {}
        _ if scene.has(path) || without_effect(scene, path) => {}
        _ => list.push((path.to_owned(), node.shown())),
    }
}

/// What follows from other keys of a rod is no default: a copy that is turned has a director, and
/// edges differ where values vary along the rod.
fn is_made(scene: &Scene, path: &str) -> bool {
    let turned = scene.written(path).1.is_some() && path.ends_with(".first_director");
    let varies = || {
        let (rod, rest) = path.split_once(".overrides[")?;
        let (number, _) = rest.split_once(']')?;
        Some(!scene.has(&format!("{rod}.overrides[{number}]")))
    };
    turned || varies().unwrap_or(false)
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
