//! How a scene gets a finer mesh: the keys that say how many edges there are.

use toml::{Table, Value};

/// How many edges a rod of so many has after so many halvings of their length, which need not be
/// whole.
pub fn edges_after(edges: usize, halvings: f64) -> usize {
    // Rounding must not add an edge.
    (edges as f64 * halvings.exp2() * (1.0 - 1e-12)).ceil() as usize
}

/// The keys that say how many edges there are, with how many it takes for so many halvings of every
/// edge. The scene is given with every default.
///
/// # Errors
/// Why it cannot be: rods that are given node by node, or places that are counted in edges.
pub fn finer(scene: &str, halvings: f64) -> Result<Vec<(String, usize)>, String> {
    let table: Table = toml::from_str(scene).map_err(|error| error.to_string())?;
    let after = |edges: i64| edges_after(usize::try_from(edges).unwrap_or(0), halvings);
    let mut sets = Vec::new();
    if let Some(named) = table.get("scene").and_then(Value::as_table) {
        let edges = named.get("edges").and_then(Value::as_integer);
        let edges = edges.ok_or("this named scene has no key `edges`")?;
        sets.push(("scene.edges".to_owned(), after(edges)));
        if let Some(lead_in) = named.get("lead_in_edges").and_then(Value::as_integer) {
            sets.push(("scene.lead_in_edges".to_owned(), after(lead_in)));
        }
    }
    let rods = table.get("rods").and_then(Value::as_array);
    for (i, rod) in rods.into_iter().flatten().enumerate() {
        for part in ["shape", "rest"] {
            // A rest shape may be a word.
            let Some(shape) = rod.get(part).and_then(Value::as_table) else {
                continue;
            };
            for (kind, keys) in shape {
                let edges = keys.get("edges").and_then(Value::as_integer);
                let edges = edges
                    .ok_or_else(|| format!("rods[{i}].{part}.{kind} is given node by node"))?;
                sets.push((format!("rods[{i}].{part}.{kind}.edges"), after(edges)));
            }
        }
    }
    for list in ["rods", "bodies"] {
        let all = table.get(list).and_then(Value::as_array);
        for (i, item) in all.into_iter().flatten().enumerate() {
            if let Some(key) = counted(item, &format!("{list}[{i}]")) {
                return Err(format!("{key} is a number that belongs to this mesh alone"));
            }
        }
    }
    if sets.is_empty() {
        return Err("the scene has no rods".to_owned());
    }
    Ok(sets)
}

/// The key of a place that is counted in edges or nodes from the start of a rod, if there is one;
/// the start itself is the same in every mesh.
fn counted(value: &Value, path: &str) -> Option<String> {
    match value {
        Value::Table(table) => table.iter().find_map(|(key, value)| {
            let here = format!("{path}.{key}");
            let place = ["edge", "node", "edges"].contains(&key.as_str());
            let inside = |n: &Value| n.as_integer().is_some_and(|n| n > 0);
            let places = value.as_array();
            let numbered = inside(value) && key != "edges"
                || places.is_some_and(|list| place && list.iter().any(inside));
            match place && numbered {
                true => Some(here),
                false => counted(value, &here),
            }
        }),
        Value::Array(list) => {
            let mut items = list.iter().enumerate();
            items.find_map(|(i, item)| counted(item, &format!("{path}[{i}]")))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(scene: &str, halvings: f64) -> Vec<String> {
        let sets = finer(scene, halvings).unwrap();
        sets.iter()
            .map(|(key, edges)| format!("{key}={edges}"))
            .collect()
    }

    #[test]
    fn named_scenes_have_a_key() {
        let scene = "[scene]\nname = \"x\"\nedges = 50\nlead_in_edges = 2";
        assert_eq!(
            told(scene, 2.0),
            ["scene.edges=200", "scene.lead_in_edges=8"]
        );
        assert_eq!(
            told(scene, 0.5),
            ["scene.edges=71", "scene.lead_in_edges=3"]
        );
        let none = finer("[scene]\nname = \"x\"", 1.0).unwrap_err();
        assert!(none.contains("`edges`"), "{none}");
    }

    #[test]
    fn rods_have_their_shapes() {
        let rods = "
            [[rods]]
            shape = { straight = { edges = 10 } }
            rest = \"straight\"
            clamps = [{ edge = \"last\" }, { edge = 0 }]
            [[rods]]
            shape = { helix = { edges = 7 } }
            rest = { helix = { edges = 7 } }";
        assert_eq!(
            told(rods, 1.0),
            [
                "rods[0].shape.straight.edges=20",
                "rods[1].shape.helix.edges=14",
                "rods[1].rest.helix.edges=14",
            ]
        );
    }

    #[test]
    fn what_belongs_to_one_mesh_is_named() {
        for (line, key) in [
            ("held = [{ node = 3 }]", "rods[0].held[0].node"),
            ("clamps = [{ edge = 5 }]", "rods[0].clamps[0].edge"),
            (
                "overrides = [{ edges = [2, 4] }]",
                "rods[0].overrides[0].edges",
            ),
        ] {
            let rods = format!("[[rods]]\nshape = {{ straight = {{ edges = 10 }} }}\n{line}");
            assert!(finer(&rods, 1.0).unwrap_err().starts_with(key), "{line}");
        }
        let nodes = "[[rods]]\nshape = { nodes = [[0, 0, 0], [1, 0, 0]] }";
        assert!(finer(nodes, 1.0).unwrap_err().contains("node by node"));
    }
}
