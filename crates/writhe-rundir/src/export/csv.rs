//! Tables for a spreadsheet.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use super::place;
use crate::contacts::{self, CONTACTS_FILE};
use crate::error::{Result, RunDirError};
use crate::observables::{OBSERVABLES_FILE, push_row};
use crate::reader::RunReader;

const NODES_FILE: &str = "nodes.csv";

/// Writes the run in `directory` as comma-separated values into the folder `out`, created if
/// missing; files of an earlier export are replaced.
///
/// `nodes.csv` has one row per frame and node, `t [s],rod,node,x [m],y [m],z [m]`, nodes counted
/// from 0 in each rod; `observables.csv` one row per frame; `contacts.csv`, if the run records
/// contact, one row per frame and pair of touching parts.
pub fn export_csv(directory: impl AsRef<Path>, out: impl AsRef<Path>) -> Result<()> {
    let reader = RunReader::open(directory)?;
    let out = out.as_ref();
    place::folder(out)?;
    let nodes = out.join(NODES_FILE);
    place::streamed(&nodes, |file| write_nodes(&reader, &nodes, file))?;
    if let Some(all) = reader.contacts()? {
        let table = contacts::table(&reader.times()?, &all);
        place::file(&out.join(CONTACTS_FILE), table.as_bytes())?;
    }
    place::file(
        &out.join(OBSERVABLES_FILE),
        observables_table(&reader).as_bytes(),
    )
}

fn write_nodes(reader: &RunReader, path: &Path, file: &mut BufWriter<File>) -> Result<()> {
    let failed = |error| RunDirError::io("writing", path, error);
    writeln!(file, "t [s],rod,node,x [m],y [m],z [m]").map_err(failed)?;
    for (index, time) in reader.times()?.into_iter().enumerate() {
        let positions = reader.positions(index)?;
        let mut remaining = positions.as_slice();
        for (rod, layout) in reader.layout().rods.iter().enumerate() {
            let (of_rod, rest) = remaining
                .split_at_checked(layout.nodes)
                .unwrap_or((remaining, &[]));
            for (node, [x, y, z]) in of_rod.iter().enumerate() {
                writeln!(file, "{time:e},{rod},{node},{x:e},{y:e},{z:e}").map_err(failed)?;
            }
            remaining = rest;
        }
    }
    Ok(())
}

fn observables_table(reader: &RunReader) -> String {
    let mut text = String::new();
    for (i, column) in reader.observables().iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "{}{} [{}]",
            if i > 0 { "," } else { "" },
            column.name,
            column.unit
        );
    }
    text.push('\n');
    for row in 0..reader.frames() {
        push_row(
            &mut text,
            reader
                .observables()
                .iter()
                .filter_map(|column| column.values.get(row).copied()),
        );
    }
    text
}
