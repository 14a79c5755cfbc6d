//! What a user calls rods, obstacles and bodies, put into what the core says of their numbers.

use writhe_scenes::SceneSpec;

/// Names of a scene's parts.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// What a message calls a part before its number, and the names by number, with their quotes.
    kinds: [(&'static str, Vec<Option<String>>); 3],
}

impl Names {
    /// Those of a scene; `on` says of each obstacle of its model on which body it is.
    pub fn new(spec: &SceneSpec, on: impl Iterator<Item = Option<usize>>) -> Self {
        let quoted = |name: Option<String>| name.map(|name| format!("`{name}`"));
        let rods = spec.all_rods().into_iter();
        let bodies: Vec<Option<String>> =
            spec.all_bodies().into_iter().map(|(_, b)| b.name).collect();
        // What of a body is touched is an obstacle of its own, after those of the scene.
        let obstacle = |(index, on): (usize, Option<usize>)| match on {
            None => quoted(spec.obstacles.get(index)?.name.clone()),
            Some(body) => {
                let name = quoted(bodies.get(body)?.clone());
                let name = name.map_or(String::new(), |name| format!(" {name}"));
                Some(format!("(body {body}{name})"))
            }
        };
        Self {
            kinds: [
                ("rod", rods.map(|(_, rod)| quoted(rod.name)).collect()),
                ("obstacle", on.enumerate().map(obstacle).collect()),
                ("body", bodies.iter().cloned().map(quoted).collect()),
            ],
        }
    }

    /// A message of the core with names after numbers: "edge 3 of rod 1" becomes "edge 3 of rod 1
    /// `left`".
    pub fn tell(&self, text: &str) -> String {
        let mut told = String::new();
        let mut rest = text;
        while let Some((before, found, name)) = self.first(rest) {
            told += &rest[..before + found];
            told.push(' ');
            told += name;
            rest = &rest[before + found..];
        }
        told + rest
    }

    /// The first part of `text` with a name: where it is, its length, and the name.
    fn first<'a>(&'a self, text: &str) -> Option<(usize, usize, &'a str)> {
        let found = |(kind, names): &'a (&'static str, Vec<Option<String>>)| {
            text.match_indices(kind).find_map(|(at, _)| {
                let begins = !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
                let number = text[at + kind.len()..]
                    .strip_prefix(' ')
                    .filter(|_| begins)?;
                let digits = number.bytes().take_while(u8::is_ascii_digit).count();
                let index: usize = number[..digits].parse().ok()?;
                let name = names.get(index)?.as_deref()?;
                Some((at, kind.len() + 1 + digits, name))
            })
        };
        self.kinds
            .iter()
            .filter_map(found)
            .min_by_key(|(at, ..)| *at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_after_numbers() {
        let names = |all: &[&str]| -> Vec<Option<String>> {
            let name = |n: &&str| (!n.is_empty()).then(|| (*n).to_owned());
            all.iter().map(name).collect()
        };
        let names = Names {
            kinds: [
                ("rod", names(&["`left`", "", "`right`"])),
                ("obstacle", names(&["`plate`"])),
                ("body", Vec::new()),
            ],
        };
        let told = names.tell(
            "edges 3 of rod 0 and 4 of rod 1: rod 2's end, obstacle 0, rod 7, ramrod 0, body 0",
        );
        let expected = "edges 3 of rod 0 `left` and 4 of rod 1: rod 2 `right`'s end, obstacle 0 `plate`, rod 7, ramrod 0, body 0";
        assert_eq!(told, expected);
        assert_eq!(names.tell("rod"), "rod");
        assert_eq!(names.tell("rod 0"), "rod 0 `left`");
    }
}
