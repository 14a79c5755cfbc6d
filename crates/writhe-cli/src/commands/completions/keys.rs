//! The keys of scene files that shells offer behind `--set` and `--vary`.

use clap::Command;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell;
use writhe_scenes::{Key, Kind, Table, tables};

/// Dotted keys that hold a value: `contact.friction`, `rods[0].clamps[0].edge`. Of a list the first
/// entry stands for all.
pub fn all() -> Vec<String> {
    let tables = tables();
    let mut found = Vec::new();
    if let Some(scene) = tables.iter().find(|table| table.name.is_empty()) {
        let mut above = Vec::new();
        Walk { tables: &tables }.table(scene, "", &mut above, &mut found);
    }
    found.sort();
    found.dedup();
    found
}

/// A walk through the tables of the scene file.
struct Walk<'a> {
    tables: &'a [Table],
}

impl<'a> Walk<'a> {
    /// The keys of a table at `path`; `above` are the tables that hold it, which are not entered
    /// again: a motion may hold motions.
    fn table(&self, table: &'a Table, path: &str, above: &mut Vec<&'a str>, out: &mut Vec<String>) {
        if above.contains(&table.name.as_str()) {
            return;
        }
        above.push(&table.name);
        for key in &table.keys {
            let dot = if path.is_empty() { "" } else { "." };
            self.value(
                (table, key),
                &key.kind,
                &format!("{path}{dot}{}", key.name),
                above,
                out,
            );
        }
        above.pop();
    }

    fn value(
        &self,
        (table, key): (&'a Table, &'a Key),
        kind: &Kind,
        path: &str,
        above: &mut Vec<&'a str>,
        out: &mut Vec<String>,
    ) {
        match kind {
            Kind::Either(kinds) => {
                for kind in kinds {
                    self.value((table, key), kind, path, above, out);
                }
            }
            Kind::List(of) if matches!(**of, Kind::Table(_)) => {
                self.value((table, key), of, &format!("{path}[0]"), above, out);
            }
            Kind::Table(of) => {
                for held in self.held(table, key, of) {
                    self.table(held, path, above, out);
                }
            }
            Kind::Inner => {
                for held in self.held(table, key, "") {
                    self.table(held, path, above, out);
                }
            }
            _ => out.push(path.to_owned()),
        }
    }

    /// The tables that a key may hold: the one called by both, or that of the type, or those of the
    /// named scenes.
    fn held(&self, table: &Table, key: &Key, of: &str) -> Vec<&'a Table> {
        let own = format!("{}.{}", table.name, key.name);
        let find = |is: &dyn Fn(&&Table) -> bool| -> Vec<&'a Table> {
            self.tables.iter().filter(is).collect()
        };
        let found = find(&|held| held.name == own);
        match (
            found.is_empty(),
            table.name.is_empty() && key.name == "scene",
        ) {
            (_, true) => find(&|held| held.name.starts_with("scene.")),
            (true, _) => find(&|held| held.of == of).into_iter().take(1).collect(),
            (false, _) => found,
        }
    }
}

/// The command line without its hidden commands and with these keys as values of `--set` and `--vary`,
/// from which completions are made; it parses nothing.
pub fn offered(line: &Command) -> Command {
    let shown = line.get_subcommands().filter(|c| !c.is_hide_set());
    let mut command = Command::new("writhe")
        .version(env!("CARGO_PKG_VERSION"))
        .args(line.get_arguments())
        .subcommands(shown.cloned());
    let keys = all();
    let assigned: Vec<String> = keys.iter().map(|key| format!("{key}=")).collect();
    let names: Vec<String> = command
        .get_subcommands()
        .map(|c| c.get_name().to_owned())
        .collect();
    for name in names {
        command = command.mut_subcommand(name.clone(), |mut command| {
            for option in ["set", "vary"] {
                if command
                    .get_arguments()
                    .any(|argument| argument.get_id() == option)
                {
                    // `follow` takes a key alone.
                    let alone = name == "follow" && option == "vary";
                    let offers = if alone {
                        keys.clone()
                    } else {
                        assigned.clone()
                    };
                    command = command.mut_arg(option, |a| {
                        a.value_parser(PossibleValuesParser::new(offers))
                    });
                }
            }
            command
        });
    }
    command
}

/// The script without the blank that shells put behind what they complete: after `key=` the value
/// follows.
pub fn without_blanks(shell: Shell, script: &str) -> String {
    match shell {
        Shell::Bash => {
            let options = ["--set)", "--vary)"];
            let lines = script
                .lines()
                .map(|line| match options.contains(&line.trim()) {
                    true => format!("{line}\n                    compopt -o nospace 2>/dev/null\n"),
                    false => format!("{line}\n"),
                });
            lines.collect()
        }
        Shell::Zsh => {
            let mut parts = script.split("=VALUE");
            let first = parts.next().unwrap_or_default().to_owned();
            parts.fold(first, |script, part| {
                script + "=VALUE" + &without_blank(part)
            })
        }
        _ => script.to_owned(),
    }
}

/// `:(a b)` or `S:(a b)` as what adds `a` and `b` without a blank behind them.
fn without_blank(part: &str) -> String {
    let plural = part.strip_prefix('S').map_or("", |_| "S");
    let list = part[plural.len()..]
        .strip_prefix(":(")
        .and_then(|rest| rest.split_once(')'));
    match list {
        Some((words, rest)) => format!("{plural}:{{compadd -S \"\" -- {words}}}{rest}"),
        None => part.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::all;

    #[test]
    fn keys_of_all_depths_are_offered() {
        let keys = all();
        for wanted in [
            "title",
            "contact.friction",
            "contact.friction_solve.lagged",
            "gravity.acceleration",
            "scene.twist",
            "scene.name",
            "rods[0].closed",
            "rods[0].shape.helix.pitch",
            "rods[0].section.circle.radius",
            "rods[0].clamps[0].motion.rotation.speed",
            "obstacles[0].shape.tube.radius",
            "bodies[0].solid.box.size",
        ] {
            assert!(keys.iter().any(|key| key == wanted), "{wanted}");
        }
        assert!((200..3000).contains(&keys.len()), "{}", keys.len());
    }

    /// What is offered is known: a scene refuses none of these keys as unknown.
    #[test]
    fn no_offered_key_is_unknown() {
        let text = writhe_scenes::template("free").unwrap_or_default();
        let scene = writhe_scenes::Scene::parse(text, "free").expect("the template is a scene");
        let own = |key: &&String| !key.contains('[') && !key.starts_with("scene.");
        for key in all().iter().filter(own) {
            let error = scene.clone().set(&format!("{key}=\"no such value\"")).err();
            let unknown = error.is_some_and(|e| e.to_string().contains("there is no key"));
            assert!(!unknown, "{key}");
        }
    }
}
