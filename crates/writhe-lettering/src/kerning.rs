//! Pairs of letters that stand nearer together or farther apart (OpenType's `GPOS`, feature `kern`).

use ttf_parser::gpos::{PairAdjustment, PositioningSubtable};
use ttf_parser::opentype_layout::LayoutTable;
use ttf_parser::{Face, GlyphId, Tag};

/// The tables of pairs of a font.
pub(crate) struct Kerning<'a> {
    /// A list for each lookup; in a list the first table that has the pair counts.
    lookups: Vec<Vec<PairAdjustment<'a>>>,
}

impl<'a> Kerning<'a> {
    pub fn of(face: &Face<'a>) -> Self {
        let lookups = face.tables().gpos.map(lookups).unwrap_or_default();
        Self { lookups }
    }

    /// What is added to the way between two glyphs, units of the font.
    pub fn between(&self, left: GlyphId, right: GlyphId) -> i16 {
        let found = |tables: &Vec<PairAdjustment<'a>>| {
            tables.iter().find_map(|table| in_table(table, left, right))
        };
        self.lookups.iter().filter_map(found).sum()
    }
}

fn lookups(table: LayoutTable<'_>) -> Vec<Vec<PairAdjustment<'_>>> {
    let kern = |tag| tag == Tag::from_bytes(b"kern");
    let features = table.features.into_iter().filter(|f| kern(f.tag));
    let mut indices: Vec<u16> = features.flat_map(|f| f.lookup_indices).collect();
    indices.sort_unstable();
    indices.dedup();
    let lookups = indices.iter().filter_map(|i| table.lookups.get(*i));
    lookups
        .map(|lookup| {
            let subtables = lookup.subtables.into_iter::<PositioningSubtable>();
            let pairs = subtables.filter_map(|subtable| match subtable {
                PositioningSubtable::Pair(pair) => Some(pair),
                _ => None,
            });
            pairs.collect()
        })
        .collect()
}

/// What a table says of a pair; `None` if the next is to be asked.
fn in_table(table: &PairAdjustment, left: GlyphId, right: GlyphId) -> Option<i16> {
    let covered = table.coverage().get(left)?;
    let (first, _) = match table {
        PairAdjustment::Format1 { sets, .. } => sets.get(covered)?.get(right)?,
        PairAdjustment::Format2 {
            classes, matrix, ..
        } => matrix.get((classes.0.get(left), classes.1.get(right)))?,
    };
    Some(first.x_advance)
}
