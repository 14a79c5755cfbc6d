//! The tables of the book's page of keys. A block of them begins with a comment that names the
//! tables of the scene file, `<!-- keys: gravity damping -->`, and ends with `<!-- end -->`; what
//! stands between is made.

use writhe_scenes::{Key, Kind, Table};

use crate::words;

const BEGIN: &str = "<!-- keys: ";
const END: &str = "<!-- end -->";

/// The names that blocks of a page say; `""` is written as `scene`.
pub fn shown(page: &str) -> impl Iterator<Item = String> {
    let blocks = page
        .split(BEGIN)
        .skip(1)
        .filter_map(|rest| rest.split_once(" -->"));
    let names = blocks.flat_map(|(names, _)| names.split(", "));
    names.map(|name| {
        if name == "the scene" {
            String::new()
        } else {
            name.to_owned()
        }
    })
}

/// The page with its blocks made.
pub fn filled(page: &str, tables: &[Table]) -> String {
    let mut out = String::new();
    let mut parts = page.split(BEGIN);
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (names, rest) = part.split_once(" -->").expect("a comment that ends");
        let (_, after) = rest
            .split_once(END)
            .unwrap_or_else(|| panic!("{names}: no {END}"));
        let found: Vec<&Table> = shown(&format!("{BEGIN}{names} -->"))
            .map(|name| {
                let table = tables.iter().find(|table| table.name == name);
                table
                    .or_else(|| (name == "scene.*").then(|| &tables[0]))
                    .unwrap_or_else(|| panic!("there is no table `{name}`"))
            })
            .collect();
        let block = match names {
            "scene.*" => named(tables),
            _ => of(&found),
        };
        out.push_str(&format!("{BEGIN}{names} -->\n{block}{END}{after}"));
    }
    out
}

/// The keys of one table, or of several with the name of theirs before them.
fn of(tables: &[&Table]) -> String {
    let mut lines = vec![
        "| key | value | default | meaning |".to_owned(),
        "|---|---|---|---|".to_owned(),
    ];
    for table in tables {
        for key in &table.keys {
            let name = match tables {
                [_] => format!("`{}`", key.name),
                _ => format!("`{}`: `{}`", table.name, key.name),
            };
            lines.push(row(&name, key, table.is_choice));
        }
    }
    lines.join("\n") + "\n"
}

/// A section for each named scene.
fn named(tables: &[Table]) -> String {
    let mut text = String::new();
    for table in tables {
        let Some(name) = table.name.strip_prefix("scene.") else {
            continue;
        };
        let keys = table
            .keys
            .iter()
            .filter(|key| key.name != "name")
            .cloned()
            .collect();
        let own = Table {
            keys,
            ..table.clone()
        };
        text.push_str(&format!("\n### `{name}`\n\n{}", of(&[&own])));
    }
    text + "\n"
}

fn row(name: &str, key: &Key, is_choice: bool) -> String {
    let default = match (words::default(key), key.is_needed) {
        (Some(told), _) if key.default.as_deref() != Some(told) => told.to_owned(),
        (Some(told), _) => format!("`{told}`"),
        (None, true) if !is_choice => "*needed*".to_owned(),
        (None, _) => String::new(),
    };
    let meaning = [vec![words::meaning(&key.meaning).to_owned()], choices(key)].concat();
    let cells = [name.to_owned(), value(key), default, meaning.join(". ")];
    let cells = cells.map(|cell| cell.replace('|', "\\|"));
    format!("| {} |", cells.join(" | "))
        .replace("|  |", "| |")
        .replace("|  |", "| |")
}

/// Words with their meanings.
fn choices(key: &Key) -> Vec<String> {
    let told = words::choices(&key.kind).into_iter();
    // What the meaning of the key has told already.
    let is_told = |word: &str, meaning: &str| {
        meaning.is_empty() && key.meaning.contains(&format!("\"{word}\""))
    };
    let told = told.filter(|(word, meaning)| !is_told(word, meaning));
    let told = told.map(|(word, meaning)| match words::meaning(meaning) {
        "" => format!("`\"{word}\"`"),
        meaning => format!("`\"{word}\"`: {}", lowered(meaning)),
    });
    let told: Vec<String> = told.collect();
    if told.is_empty() {
        Vec::new()
    } else {
        vec![told.join("; ")]
    }
}

/// A sentence as it goes on behind a colon.
fn lowered(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next();
    let second = letters.clone().next();
    match (first, second) {
        // BDF2, T(2, 3), Gray: names stay as they are.
        (Some(a), Some(b)) if b.is_lowercase() && !NAMES.iter().any(|n| text.starts_with(n)) => {
            format!("{}{}", a.to_lowercase(), letters.as_str())
        }
        (Some('A'), Some(' ')) => format!("a{}", letters.as_str()),
        _ => text.to_owned(),
    }
}

const NAMES: [&str; 8] = [
    "Gray",
    "Lighthill",
    "Rapier",
    "Goldstein",
    "Incremental",
    "Implicit Contact",
    "Symplectic",
    "Newton",
];

/// What the value is: its unit, or its type.
fn value(key: &Key) -> String {
    let kind = kind(&key.kind);
    match key.bound {
        Some(bound) if kind.is_empty() => bound.told(),
        Some(writhe_scenes::Bound::Direction) | None => kind,
        Some(bound) => format!("{kind}; {}", bound.told()),
    }
}

fn kind(kind_of: &Kind) -> String {
    match kind_of {
        Kind::Quantity(_) => words::unit(kind_of).unwrap_or_else(|| "number".to_owned()),
        Kind::Whole => "whole number".to_owned(),
        Kind::Flag => "true, false".to_owned(),
        Kind::Text => "text".to_owned(),
        Kind::File => "path".to_owned(),
        Kind::Words(_) => "word".to_owned(),
        Kind::List(of) => format!("list: {}", kind(of)),
        Kind::Several(3, of) if matches!(**of, Kind::Quantity(_)) => match words::unit(kind_of) {
            Some(unit) => format!("`[x, y, z]`, {unit}"),
            None => "`[x, y, z]`".to_owned(),
        },
        Kind::Several(count, of) => format!("{count} of: {}", kind(of)),
        Kind::Rows => "rows".to_owned(),
        Kind::Table(_) | Kind::Inner => "table".to_owned(),
        Kind::Either(kinds) => {
            let all: Vec<String> = kinds.iter().map(kind).collect();
            all.join(" or ")
        }
    }
}
