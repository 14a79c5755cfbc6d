//! The arguments of the Python package's classes: fields with their types, and what the docstring
//! says of each. The rest of a class stays as it is.

use std::collections::BTreeMap;

use writhe_scenes::{Key, Kind, Table};

use crate::words;

/// Longest line of the sources.
const WIDTH: usize = 100;

/// The source with the arguments of its classes made, and how many classes that are.
pub fn filled(source: &str, tables: &[Table], classes: &Classes) -> (String, usize) {
    let lines: Vec<&str> = source.lines().collect();
    let (mut out, mut at, mut count) = (Vec::new(), 0, 0);
    while at < lines.len() {
        let class = Class::begins(lines[at]).and_then(|name| {
            let table = tables.iter().find(|table| table.name == name);
            Some((table?, Class::of(&lines, at)?))
        });
        let Some((table, class)) = class else {
            out.push(lines[at].to_owned());
            at += 1;
            continue;
        };
        out.extend(
            lines[at..=class.arguments]
                .iter()
                .map(|line| (*line).to_owned()),
        );
        let keys = class.keys(table);
        for key in &keys {
            out.extend(told(table, key));
        }
        // Arguments that are no keys keep their place at the end.
        out.extend(class.others.clone());
        out.extend(
            lines[class.told..class.fields]
                .iter()
                .map(|line| (*line).to_owned()),
        );
        out.extend(keys.iter().map(|key| field(table, key, (tables, classes))));
        out.extend(class.other_fields.clone());
        at = class.end;
        count += 1;
    }
    (out.join("\n") + "\n", count)
}

/// Where the parts of a class stand, by line.
struct Class {
    /// The line `Arguments:`.
    arguments: usize,
    /// Where what is said of them ends.
    told: usize,
    /// Where the fields begin and end.
    fields: usize,
    end: usize,
    /// Names of the fields.
    names: Vec<String>,
    /// What is said of arguments that are no keys, and their fields.
    others: Vec<String>,
    other_fields: Vec<String>,
}

/// Arguments that are no keys of the scene file.
const OWN: [&str; 1] = ["folder"];

impl Class {
    /// The table of a class, if a line begins one.
    fn begins(line: &str) -> Option<String> {
        let inside = line
            .strip_prefix("class ")?
            .split_once("(Part, table=\"")?
            .1;
        let (table, rest) = inside.split_once('"')?;
        let choice = rest
            .split_once("choice=\"")
            .and_then(|(_, c)| c.split_once('"'));
        Some(match choice {
            Some((choice, _)) => format!("{table}.{choice}"),
            None => table.to_owned(),
        })
    }

    fn of(lines: &[&str], start: usize) -> Option<Self> {
        let from = |at: usize, wanted: &dyn Fn(&str) -> bool| {
            (at..lines.len()).find(|i| wanted(lines[*i]))
        };
        let arguments = from(start, &|line| line == "    Arguments:")?;
        let told = from(arguments, &|line| line.trim() == "\"\"\"")?;
        let fields = from(told, &|line| {
            line.starts_with("    ") && line.contains(": ")
        })?;
        let is_field = |line: &str| {
            let name = line
                .strip_prefix("    ")
                .and_then(|line| line.split_once(": "));
            name.is_some_and(|(name, _)| name.chars().all(|c| c.is_alphanumeric() || c == '_'))
        };
        let end = from(fields, &|line| !is_field(line)).unwrap_or(lines.len());
        let name = |line: &&str| line.trim().split(':').next().unwrap_or_default().to_owned();
        let own = |line: &&&str| OWN.contains(&name(line).as_str());
        let begins = (arguments..told).find(|i| own(&&lines[*i]));
        Some(Self {
            arguments,
            told,
            fields,
            end,
            names: lines[fields..end].iter().map(name).collect(),
            others: begins
                .map_or(&[][..], |at| &lines[at..told])
                .iter()
                .map(|line| (*line).to_owned())
                .collect(),
            other_fields: lines[fields..end]
                .iter()
                .filter(own)
                .map(|l| (*l).to_owned())
                .collect(),
        })
    }

    /// The keys that are arguments, those that are needed first. A class of a choice is for some of
    /// its keys, any other for all.
    fn keys(&self, table: &Table) -> Vec<Key> {
        let mut keys = table.keys.clone();
        keys.retain(|key| !table.is_choice || self.names.iter().any(|name| *name == python(key)));
        keys.iter_mut()
            .for_each(|key| key.is_needed |= table.is_choice);
        keys.sort_by_key(|key| !key.is_needed);
        keys
    }
}

/// The name of an argument: Python reserves some words.
fn python(key: &Key) -> String {
    match key.name {
        "from" | "for" => format!("{}_", key.name),
        name => name.to_owned(),
    }
}

/// What the docstring says of an argument.
fn told(table: &Table, key: &Key) -> Vec<String> {
    let mut sentences = vec![code(words::meaning(&key.meaning))];
    let mut facts = Vec::new();
    facts.extend(words::unit(&key.kind).map(|unit| format!("in {unit}")));
    facts.extend(shape(&key.kind));
    let direction = matches!(key.bound, Some(writhe_scenes::Bound::Direction));
    facts.extend(key.bound.filter(|_| !direction).map(|bound| bound.told()));
    let choices: Vec<String> = words::choices(&key.kind)
        .iter()
        .map(|(word, _)| format!("``\"{word}\"``"))
        .collect();
    if !choices.is_empty() && matches!(&key.kind, Kind::Either(of) if of[0] == Kind::Whole) {
        facts.push("a number from 0".to_owned());
    }
    match choices.as_slice() {
        [] => {}
        [one] if key.default.as_ref().is_some_and(|told| one.contains(told)) => {}
        [one] => facts.push(format!("or {one}")),
        [some @ .., last] => facts.push(format!("{} or {last}", some.join(", "))),
    }
    let mut fact = facts.join(", ");
    if let Some(default) = words::default(key).filter(|_| !key.is_needed) {
        let in_words = key.default.as_deref() != Some(default);
        let default = match default {
            "false" => "no".to_owned(),
            "true" => "yes".to_owned(),
            told if in_words => code(told),
            told if told.starts_with(['"', '[', '{']) => format!("``{told}``"),
            told => told.to_owned(),
        };
        let join = if fact.is_empty() { "" } else { "; " };
        fact = format!("{fact}{join}{default} unless given");
    }
    if varies(table) && matches!(key.kind, Kind::Quantity(_)) {
        fact = format!("{fact}; may be an array of shape (edges,)");
    }
    if !fact.is_empty() {
        sentences.push(raised(&fact));
    }
    let text = format!("{}: {}.", python(key), sentences.join(". "));
    wrapped(&text)
}

/// Rods may differ from edge to edge in what these tables hold.
fn varies(table: &Table) -> bool {
    table.name.starts_with("section.") || table.name == "material"
}

fn shape(kind: &Kind) -> Option<String> {
    match kind {
        Kind::Several(n, of) => match &**of {
            Kind::Quantity(_) => Some(format!("shape ({n},)")),
            Kind::Several(m, _) => Some(format!("shape ({n}, {m})")),
            _ => None,
        },
        Kind::List(of) => match &**of {
            Kind::Several(n, inner) if !matches!(**inner, Kind::Table(_)) => {
                Some(format!("shape (.., {n})"))
            }
            _ => None,
        },
        Kind::Either(kinds) => kinds.iter().find_map(shape),
        _ => None,
    }
}

/// Code as docstrings have it.
fn code(text: &str) -> String {
    text.replace('`', "``")
}

fn raised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    format!("{}{}", first.unwrap_or_default(), letters.as_str())
}

/// A field with its type.
fn field(table: &Table, key: &Key, known: Known) -> String {
    let kind = match (varies(table), &key.kind) {
        (true, Kind::Quantity(_)) => "AlongRod".to_owned(),
        _ => annotation(&key.kind, table, key, known),
    };
    match key.is_needed {
        true => format!("    {}: {kind}", python(key)),
        false => format!("    {}: {kind} | None = None", python(key)),
    }
}

/// What stands for a table with exactly one key in Python: any of several classes.
const CHOICES: [(&str, &str); 6] = [
    ("motion", "Motion"),
    ("shape", "Shape"),
    ("section", "Section"),
    ("solid", "Solid"),
    ("wind.drag", "Drag"),
    ("obstacles.shape", "ObstacleShape"),
];

/// The classes of sources by the tables that they stand for.
pub fn classes<'a>(sources: impl Iterator<Item = &'a str>) -> Classes {
    let mut found = BTreeMap::new();
    for line in sources.flat_map(str::lines) {
        let name = line
            .strip_prefix("class ")
            .and_then(|rest| rest.split_once('('));
        if let (Some((name, _)), Some(table)) = (name, Class::begins(line)) {
            found.insert(table, name.to_owned());
        }
    }
    let choices = CHOICES.map(|(table, alias)| (table.to_owned(), alias.to_owned()));
    found.extend(choices);
    found.insert("scene".to_owned(), "Mapping[str, Any]".to_owned());
    found
}

/// Names of classes by tables.
pub type Classes = BTreeMap<String, String>;

/// Types that the kinds do not say: who may be a list of what, and what is a list too.
const TYPES: [(&str, &str, &str); 9] = [
    (
        "motion",
        "path",
        "Sequence[Sequence[Quantity]] | NDArray[Any] | TableFile",
    ),
    (
        "motion",
        "sequence",
        "Sequence[Velocity | Translation | Rotation | Path | Combined]",
    ),
    (
        "rods",
        "rest_curvature",
        "Sequence[Quantity] | Sequence[Vector] | NDArray[Any] | Along",
    ),
    (
        "rods",
        "rest_twist",
        "Quantity | Sequence[Quantity] | NDArray[Any] | Along",
    ),
    ("rods", "magnetisation", "Sequence[Vector] | NDArray[Any]"),
    (
        "driven",
        "table",
        "Sequence[Sequence[Quantity]] | NDArray[Any]",
    ),
    ("repeat", "count", "int | Sequence[int]"),
    ("output", "joined", "Sequence[Sequence[int]]"),
    (
        "obstacles.shape.mesh",
        "triangles",
        "Sequence[Sequence[int]] | NDArray[Any]",
    ),
];

/// All tables, and the classes that stand for them.
type Known<'a> = (&'a [Table], &'a Classes);

fn annotation(kind: &Kind, table: &Table, key: &Key, known: Known) -> String {
    let of_key = TYPES
        .iter()
        .find(|(t, k, _)| *t == table.name && *k == key.name);
    if let Some((.., types)) = of_key {
        return (*types).to_owned();
    }
    let inner = |kind: &Kind| annotation(kind, table, key, known);
    match kind {
        Kind::Quantity(_) => "Quantity".to_owned(),
        Kind::Whole => "int".to_owned(),
        Kind::Flag => "bool".to_owned(),
        Kind::Text | Kind::Words(_) => "str".to_owned(),
        Kind::File => "str | PathLike[str]".to_owned(),
        Kind::Rows => "Sequence[Sequence[Quantity]] | NDArray[Any]".to_owned(),
        Kind::Several(_, of) if matches!(**of, Kind::Quantity(_)) => "Vector".to_owned(),
        Kind::List(of) | Kind::Several(_, of) => {
            let element = inner(of);
            match element.as_str() {
                "Quantity" | "Vector" => format!("Sequence[{element}] | NDArray[Any]"),
                _ => format!("Sequence[{element}]"),
            }
        }
        Kind::Table(of) => {
            let (tables, classes) = known;
            let name = match tables.iter().find(|table| table.of == *of) {
                Some(table) => table.name.as_str(),
                None => "scene",
            };
            classes
                .get(name)
                .unwrap_or_else(|| panic!("no class of `{name}`"))
                .clone()
        }
        Kind::Inner => panic!("{} is no argument", key.name),
        Kind::Either(kinds) => {
            let mut all: Vec<String> = Vec::new();
            for part in kinds.iter().map(inner) {
                if !all.contains(&part) {
                    all.push(part);
                }
            }
            match all.join(" | ").as_str() {
                "int | str" if matches!(kinds[1], Kind::Words(_)) => "End".to_owned(),
                "Quantity | Schedule" => "InTime".to_owned(),
                "str | Motion" => "Motion".to_owned(),
                other => other.to_owned(),
            }
        }
    }
}

/// A text of the docstring's list, broken into lines.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = "       ".to_owned();
    for word in text.split_whitespace() {
        if line.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push(std::mem::replace(&mut line, "           ".to_owned()));
        }
        line.push(' ');
        line.push_str(word);
    }
    lines.push(line);
    lines
}
