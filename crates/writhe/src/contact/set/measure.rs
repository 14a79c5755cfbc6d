//! What the contacts of a trial amount to.

use crate::assembly::Trial;
use crate::contact::ContactFrame;
use crate::contact::frame::pair;
use crate::contact::obstacle::contact::ObstacleContact;
use crate::contact::set::ContactSet;
use crate::contact_model::hardening::ContactId;
use crate::kernels::friction::Sticking;
use crate::model::Model;
use crate::state::PairAnchor;

/// A contact and its depth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Penetration {
    /// Which contact.
    pub contact: ContactId,
    /// Mean radius of what touches, m.
    pub scale: f64,
    /// Depth over that radius; negative where there is a gap.
    pub depth: f64,
    /// Gap that its law sees, m.
    pub gap: f64,
    /// Normal force before weights, N.
    pub force: f64,
}

impl ContactSet {
    /// Pairs of edges, and points at obstacles, in contact.
    pub fn count(&self) -> usize {
        self.pairs.len() + self.obstacles.contacts().len()
    }

    /// Contacts but for those of a rod with itself.
    pub(crate) fn count_between(&self, model: &Model) -> usize {
        let pairs = self.pairs.iter();
        let others = pairs.filter(|pair| model.topology.between_rods(pair.edges));
        others.count() + self.obstacles.contacts().len()
    }

    /// Largest normal force, N.
    pub fn largest_force(&self) -> f64 {
        let pairs = self.pairs.iter();
        pairs.fold(self.obstacles.largest_force(), |f: f64, p| {
            f.max(p.contact.response.force)
        })
    }

    /// Deepest penetration over the radius; negative or 0 without.
    pub fn deepest(&self) -> f64 {
        let pairs = self.pairs.iter();
        pairs.fold(self.obstacles.deepest(), |d: f64, p| d.max(p.penetration()))
    }

    /// How deep the contacts are; of those at obstacles the ones that count.
    pub(crate) fn penetrations(&self) -> impl Iterator<Item = Penetration> + '_ {
        self.pair_penetrations()
            .chain(self.obstacles.penetrations())
    }

    /// The same of all contacts, those at obstacles too that count little: no gap of a barrier may
    /// close.
    pub fn touching(&self) -> impl Iterator<Item = Penetration> + '_ {
        self.pair_penetrations().chain(self.obstacles.touching())
    }

    fn pair_penetrations(&self) -> impl Iterator<Item = Penetration> + '_ {
        // What C21's law sees; with other contact there is no such list.
        let smoothed = |k: usize, touching: f64| {
            let contact = self.smooth.get(k)?;
            Some(contact.distance.distance - touching)
        };
        let pairs = self.pairs.iter().enumerate();
        pairs.map(move |(k, p)| Penetration {
            contact: pair(p.edges),
            scale: 0.5 * p.touching,
            depth: p.penetration(),
            gap: smoothed(k, p.touching).unwrap_or(p.contact.gap),
            force: p.contact.response.force,
        })
    }

    /// What pairs remember of their slip, sorted.
    pub fn anchors(&self) -> Vec<PairAnchor> {
        let remembered = self.pairs.iter().filter_map(|pair| {
            let edges = pair.edges.map(|e| e as u32);
            pair.anchor.map(|anchor| PairAnchor { edges, anchor })
        });
        remembered.collect()
    }

    /// How the contacts stick.
    pub fn sticking(&self, frame: &ContactFrame, model: &Model, at: &Trial) -> Sticking {
        let mut sticking = Sticking::default();
        for (friction, pair) in (frame.solved_friction(model).into_iter())
            .flat_map(|friction| self.pairs.iter().map(move |pair| (friction, pair)))
        {
            let (law, force) = frame.friction_of((pair.edges, &pair.contact), friction, model, at);
            let limit = force.limit(law.coefficient);
            sticking.count(force.contact_force(), limit, force.slip_velocity());
        }
        for pair in frame.lagged() {
            pair.contact.count_sticking(at, &mut sticking);
        }
        self.obstacles
            .sticking(frame.obstacles(), model, at, &mut sticking);
        sticking
    }

    /// Whether friction, however it enters the step, acts at any contact.
    pub(crate) fn has_friction(&self, model: &Model) -> bool {
        let rough = |c: &ObstacleContact| model.is_rough(&model.obstacles[c.obstacle]);
        let at_obstacles = self.obstacles.contacts().iter();
        model.rods_rub() && !self.pairs.is_empty() || at_obstacles.into_iter().any(rough)
    }
}
