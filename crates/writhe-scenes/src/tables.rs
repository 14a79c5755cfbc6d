//! Every table of the scene file with its keys, as the readers know them: for whoever offers the
//! same in another form, as the book, shells and the Python package do.

use toml::Value;

use crate::scene::{Scene, SceneSpec};
use crate::spec::{ContactKind, ContactSpec};
use crate::tree::{Key, Kind, Table, written};
use crate::{named, spec};

/// All tables: the scene itself, called "", the parameters of the named scenes, `scene.NAME` each,
/// and the parts of a scene.
pub fn tables() -> Vec<Table> {
    let mut all = Table::of::<SceneSpec>("");
    all.extend(named::parameters().into_iter().map(|(name, keys)| Table {
        name: format!("scene.{name}"),
        keys: with_defaults(name, keys),
        is_choice: false,
        of: "",
    }));
    all.extend(Table::of::<named::PhaseSpec>("schedule of a knot"));
    all.extend(spec::tables());
    let contact = all.iter_mut().filter(|table| table.name == "contact");
    let keys = contact.flat_map(|table| table.keys.iter_mut());
    keys.filter(|key| key.name != "model").for_each(by_model);
    all
}

/// The keys of a named scene with the defaults that it has, and its name.
fn with_defaults(name: &'static str, mut keys: Vec<Key>) -> Vec<Key> {
    let scene = Scene::parse(&format!("[scene]\nname = \"{name}\""), name);
    let spec = scene
        .ok()
        .and_then(|scene| Value::try_from(scene.spec.named).ok());
    for key in &mut keys {
        let default = spec.as_ref().and_then(|spec| spec.get(key.name));
        key.default = default.map(written).or(key.default.take());
        key.is_needed = key.is_needed && key.default.is_none();
    }
    let which = Key {
        name: "name",
        meaning: "Which named scene".to_owned(),
        kind: Kind::Words(vec![(name, "")]),
        is_needed: true,
        default: None,
        bound: None,
    };
    [vec![which], keys].concat()
}

/// The default of a key of contact, which differs from model to model.
fn by_model(key: &mut Key) {
    let mut defaults: Vec<(String, Vec<&str>)> = Vec::new();
    for &model in ContactKind::ALL {
        let spec = Value::try_from(ContactSpec::of(model)).ok();
        let Some(default) = spec.as_ref().and_then(|spec| spec.get(key.name)) else {
            continue;
        };
        let (default, word) = (written(default), model.word());
        match defaults.iter_mut().find(|(other, _)| *other == default) {
            Some((_, models)) => models.push(word),
            None => defaults.push((default, vec![word])),
        }
    }
    key.default = match &defaults[..] {
        [(all, _)] => Some(all.clone()),
        some => {
            let told = some
                .iter()
                .map(|(default, of)| format!("`{default}` with {}", of.join(", ")));
            Some(format!("({})", told.collect::<Vec<_>>().join("; ")))
        }
    };
}
