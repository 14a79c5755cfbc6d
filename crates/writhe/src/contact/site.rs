//! Contacts that act or may come to act, as functions of a small change of the unknowns.
//!
//! About a trial the gap of a contact and its slip are linear in the change dq of the unknowns, to
//! first order; what the laws of normal force and of friction make of them stays as it is:
//!
//! ```text
//! gap = gap_0 + w_0 . dq,   s = s_0 + rate (w_1 . dq, w_2 . dq),   force on the unknowns  sum f_k w_k
//! ```

mod balance;
mod blocks;
mod contact;

pub(crate) use balance::{Balance, MOST_ROWS, admit};
pub(crate) use blocks::{Block, blocks};
pub(crate) use contact::{Contact, forces};

use std::iter;

use glam::{DVec2, DVec3};
use rayon::prelude::*;

use crate::assembly::Trial;
use crate::contact::ContactFrame;
use crate::contact::frame::pair;
use crate::contact::obstacle::frame::{Near, edge_dofs, nodes as contact_nodes};
use crate::contact::obstacle::set::id as contact_id;
use crate::contact::pair::PairContact;
use crate::contact::set::Penetration;
use crate::contact_model::hardening::{ContactId, Hardened, Stiffened};
use crate::contact_model::law::NormalLaw;
use crate::kernels::distance::PairDistance;
use crate::kernels::friction::{Friction, SlipLaw};
use crate::model::Model;
use crate::model::pairs::unknowns::friction_dofs;
use crate::threads;

/// Candidates that a thread looks at in a row, at least.
const PAIRS_TOGETHER: usize = 64;

/// A linear function of the unknowns of two edges at most.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    /// Unknowns with their factors.
    pub terms: Vec<(usize, f64)>,
}

/// Friction through one edge.
#[derive(Clone, Debug)]
pub(crate) struct SlipSite {
    /// By which the unknowns move the surface along two directions in the plane of contact.
    pub rows: [Row; 2],
    /// Slip at the trial along these, m/s or m.
    pub slip: DVec2,
    /// Change of the slip by that of a row, 1/s or 1.
    pub rate: f64,
    /// Part of the normal force.
    pub share: f64,
    /// Its law.
    pub law: SlipLaw,
}

/// A contact about a trial.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    /// What touches what, and which of the two ends of an overlap it is.
    pub id: (ContactId, u8),
    /// Derivative of the gap.
    pub normal: Row,
    /// Gap at the trial, m.
    pub gap: f64,
    /// Friction: none, through one edge, or through both of a node.
    pub slips: Vec<SlipSite>,
    /// Part of the law that counts.
    weight: f64,
    law: Stiffened,
    /// Mean radius of what touches, m.
    scale: f64,
}

impl Row {
    fn new(dofs: &[usize], values: impl Iterator<Item = f64>) -> Self {
        let terms = dofs.iter().copied().zip(values);
        Self {
            terms: terms.filter(|(_, v)| *v != 0.0).collect(),
        }
    }
}

impl Site {
    /// Its rows: that of the gap, then two of each slip.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        let slips = self.slips.iter().flat_map(|slip| &slip.rows);
        iter::once(&self.normal).chain(slips)
    }

    /// Number of its rows.
    pub fn count(&self) -> usize {
        1 + 2 * self.slips.len()
    }

    /// Way until it exerts a force, m, below 0 if it does.
    pub fn distance_to_act(&self) -> f64 {
        self.gap - self.law.range()
    }

    /// The contact at a gap, m; `None` of one that counts little, whose depth is no matter.
    pub fn penetration(&self, gap: f64) -> Option<Penetration> {
        (self.weight > 0.5).then(|| Penetration {
            contact: self.id.0,
            scale: self.scale,
            depth: -gap / self.scale,
            gap,
            force: self.law.evaluate(gap).force,
        })
    }
}

impl ContactFrame {
    /// All candidates at a trial, those far apart too; for contact by an energy of the gap.
    /// `stiffness`, N m, is that of contacts without springs.
    pub(crate) fn sites(&self, model: &Model, at: &Trial, stiffness: f64) -> Vec<Site> {
        let grain = |items| threads::grain(items, PAIRS_TOGETHER);
        let pairs = self.candidates();
        let pairs = pairs.par_iter().with_min_len(grain(pairs.len()));
        let sites = pairs.flat_map_iter(|(i, j)| {
            self.pair_sites(model, at, stiffness, [*i as usize, *j as usize])
        });
        let mut sites: Vec<Site> = sites.collect();
        let obstacles = self.obstacles().near(model, at, stiffness);
        let grain = grain(obstacles.len());
        let obstacles = obstacles.into_par_iter().with_min_len(grain);
        sites.par_extend(obstacles.map(|near| self.obstacle_site(model, at, near)));
        sites
    }

    /// The contacts of two edges.
    fn pair_sites(
        &self,
        model: &Model,
        at: &Trial,
        stiffness: f64,
        edges: [usize; 2],
    ) -> Vec<Site> {
        let friction = self.solved_friction(model);
        let touching = model.radius[edges[0]] + model.radius[edges[1]];
        let Some(law) = model.contact.law(0.5 * touching, stiffness) else {
            return Vec::new();
        };
        let (distances, weight) = self.pair_distances(model, at, edges);
        let site = |(end, distance): (u8, PairDistance)| {
            let normal = distance.gradient();
            let normal = normal.iter().flat_map(|g| g.to_array());
            let contact = PairContact::at(&law, touching, distance);
            let hardened = self.hardening().of(pair(edges));
            Site {
                id: (pair(edges), end),
                normal: Row::new(&friction_dofs(model, edges), normal),
                gap: contact.gap,
                slips: Vec::from_iter(
                    friction.map(|f| self.pair_slip(model, at, edges, &distance, &contact, f)),
                ),
                weight,
                law: stiffened(model, law, hardened, 0.5 * touching),
                scale: 0.5 * touching,
            }
        };
        (0..)
            .zip(distances.into_iter().flatten())
            .map(site)
            .collect()
    }

    fn pair_slip(
        &self,
        model: &Model,
        at: &Trial,
        edges: [usize; 2],
        distance: &PairDistance,
        contact: &PairContact,
        friction: Friction,
    ) -> SlipSite {
        let (law, found) = self.friction_of((edges, contact), friction, model, at);
        let surface = (&friction_dofs(model, edges)[..], &found.columns()[..]);
        let rate = at.rate * found.slip_rate();
        slip_site(surface, distance.normal, (found.slip(), rate), 1.0, law)
    }

    fn obstacle_site(&self, model: &Model, at: &Trial, near: Near) -> Site {
        let Near {
            contact,
            law,
            hardened,
        } = near;
        let n = contact.distance.normal;
        let nodes = contact_nodes(model, contact.part).into_iter();
        let terms = nodes
            .zip(contact.distance.weights)
            .flat_map(|(node, weight)| {
                let dof = model.topology.node_dof[node];
                (dof..dof + 3).zip((weight * n).to_array())
            });
        let obstacles = self.obstacles();
        let frame = &obstacles.frames()[contact.obstacle];
        let parts: Vec<_> = obstacles.friction(model, at, frame, &contact).collect();
        let share = 1.0 / parts.len().max(1) as f64;
        let slips = parts.iter().filter_map(|(edge, found)| {
            let slip_law = obstacles.law(model, &contact)?;
            let surface = (&edge_dofs(model, *edge)[..], &found.columns()[..]);
            let rate = at.rate * found.slip_rate();
            Some(slip_site(surface, n, (found.slip(), rate), share, slip_law))
        });
        Site {
            id: (contact_id(&contact), 0),
            normal: Row {
                terms: terms.filter(|(_, v)| *v != 0.0).collect(),
            },
            gap: contact.gap,
            slips: slips.collect(),
            weight: contact.weight.value,
            law: stiffened(model, law, hardened.as_ref(), contact.radius),
            scale: contact.radius,
        }
    }
}

fn stiffened(model: &Model, law: NormalLaw, own: Option<&Hardened>, scale: f64) -> Stiffened {
    match own {
        Some(own) => model.contact.stiffened(own, scale),
        None => law.into(),
    }
}

fn slip_site(
    (dofs, columns): (&[usize], &[DVec3]),
    normal: DVec3,
    (slip, rate): (DVec3, f64),
    share: f64,
    law: SlipLaw,
) -> SlipSite {
    let (t1, t2) = normal.any_orthonormal_pair();
    let row = |t: DVec3| Row::new(dofs, columns.iter().map(move |w| t.dot(*w)));
    SlipSite {
        rows: [row(t1), row(t2)],
        slip: DVec2::new(t1.dot(slip), t2.dot(slip)),
        rate,
        share,
        law,
    }
}
