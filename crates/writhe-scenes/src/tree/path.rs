//! Dotted paths: `rods[0].clamps[1].edge`.

use super::Node;

/// One step of a path.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Step {
    Key(String),
    Index(usize),
}

impl Step {
    /// Takes a path apart; `None` if it is no path.
    pub fn parse(path: &str) -> Option<Vec<Self>> {
        let mut steps = Vec::new();
        for part in path.split('.') {
            let part = part.trim();
            let name_end = part.find('[').unwrap_or(part.len());
            let (name, mut indices) = part.split_at(name_end);
            let good = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
            if name.is_empty() || !name.chars().all(good) {
                return None;
            }
            steps.push(Self::Key(name.to_owned()));
            while let Some(rest) = indices.strip_prefix('[') {
                let (index, after) = rest.split_once(']')?;
                steps.push(Self::Index(index.trim().parse().ok()?));
                indices = after;
            }
            if !indices.is_empty() {
                return None;
            }
        }
        Some(steps)
    }
}

impl Node {
    /// The node at a path, and whether all of the path exists; otherwise its nearest ancestor that
    /// does.
    pub fn nearest_at(&self, path: &str) -> (&Node, bool) {
        let mut node = self;
        if path.is_empty() {
            return (node, true);
        }
        for step in Step::parse(path).unwrap_or_default() {
            let next = match &step {
                Step::Key(name) => node.get(name),
                Step::Index(i) => node.element(*i),
            };
            match next {
                Some(n) => node = n,
                None => return (node, false),
            }
        }
        (node, true)
    }
}
