//! Contacts that are solved for at once.

use std::ops::Range;

use super::Site;
use super::balance::MOST_ROWS;
use crate::contact_model::hardening::ContactId;
use crate::model::Model;

/// Some contacts, and their rows.
#[derive(Debug)]
pub(crate) struct Block {
    pub sites: Range<usize>,
    pub rows: Range<usize>,
}

/// Puts contacts of neighbouring edges with neighbouring edges beside each other: where rods touch
/// near a node there are up to four that are nearly one, and to solve one after the other would only
/// pass the force around.
pub(crate) fn blocks(model: &Model, sites: &mut Vec<Site>) -> Vec<Block> {
    let mut groups: Vec<Vec<Site>> = Vec::new();
    for site in sites.drain(..) {
        // Candidates are sorted by their first edge: a group that fits is one of the last.
        let fits = |group: &&mut Vec<Site>| {
            let rows: usize = group.iter().map(Site::count).sum();
            rows + site.count() <= MOST_ROWS && group.iter().any(|s| are_near(model, s, &site))
        };
        let recent = groups
            .iter_mut()
            .rev()
            .take_while(|g| may_be_near(g, &site));
        match recent.into_iter().find(|g| fits(g)) {
            Some(group) => group.push(site),
            None => groups.push(vec![site]),
        }
    }
    let (mut blocks, mut row) = (Vec::new(), 0);
    for group in groups {
        let (first, start) = (sites.len(), row);
        row += group.iter().map(Site::count).sum::<usize>();
        sites.extend(group);
        blocks.push(Block {
            sites: first..sites.len(),
            rows: start..row,
        });
    }
    blocks
}

/// Whether two contacts are of neighbouring edges on both sides.
fn are_near(model: &Model, a: &Site, b: &Site) -> bool {
    let rod = |edge: u32| model.topology.edge_rod[edge as usize];
    match (a.id.0, b.id.0) {
        (ContactId::Pair(a), ContactId::Pair(b)) => {
            let mut both = a.iter().zip(&b);
            both.all(|(a, b)| rod(*a) == rod(*b) && a.abs_diff(*b) <= 1)
        }
        _ => false,
    }
}

/// Whether a group, made of pairs that came before, may hold neighbours of a pair.
fn may_be_near(group: &[Site], site: &Site) -> bool {
    let first = |site: &Site| match site.id.0 {
        ContactId::Pair([first, _]) => Some(first),
        ContactId::Obstacle { .. } => None,
    };
    match (group.iter().filter_map(first).max(), first(site)) {
        (Some(last), Some(now)) => now.abs_diff(last) <= 1,
        _ => false,
    }
}
