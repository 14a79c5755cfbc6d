//! Every table of the scene file with its keys, as the readers know them: for whoever offers the
//! same in another form, as the Python package does.

use crate::scene::spec::KEYS;
use crate::tree::Table;
use crate::{named, spec};

/// All tables: the scene itself, called "", the parameters of the named scenes, `scene.NAME` each,
/// and the parts of a scene.
pub fn tables() -> Vec<Table> {
    let mut all = vec![Table::new("", KEYS)];
    all.extend(named::parameters().into_iter().map(|(name, keys)| {
        let keys = [vec!["name"], keys].concat();
        Table::new(&format!("scene.{name}"), &keys)
    }));
    all.push(Table::new("schedule of a knot", named::PHASE));
    all.extend(spec::tables());
    all
}
