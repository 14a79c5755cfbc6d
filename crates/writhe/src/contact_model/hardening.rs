//! Contacts whose stiffness was raised while they were compressed.
//!
//! A contact at the gap g0 that is given the stiffness k + K in place of k would gain the energy K
//! E(g0) from nowhere, E being the energy of its law at unit stiffness. It keeps its law instead
//! and gets a spring that begins where it is: the law of stiffness K less its tangent at g0,
//!
//! ```text
//! K (E(g) - E(g0) - E'(g0) (g - g0))   for g < g0,    0 beyond.
//! ```
//!
//! Energy and force of the spring are zero at g0, so the raise changes neither; it is convex, since
//! E is, and as stiff as the law. What it stores it gives back. Once the contact has parted it
//! starts anew with the stiffness of all the others (decision 0041).

use serde::{Deserialize, Serialize};

use crate::contact_model::law::{NormalLaw, Response};
use crate::contact_model::settings::ContactModel;

/// Identity of a contact: what touches what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ContactId {
    /// Two edges of rods: flat indices, first < second.
    Pair([u32; 2]),
    /// A part of a rod and an obstacle.
    Obstacle {
        /// Index of the obstacle.
        obstacle: u32,
        /// 0 and a node, or 1 and an edge, flat.
        part: [u32; 2],
        /// Which of the obstacle's features an edge touches, or which of its facets a node does.
        feature: u32,
    },
}

/// A spring that stands for a raise of the stiffness.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Spring {
    /// Gap at which it begins, m.
    pub begin: f64,
    /// What the stiffness was raised by, N m.
    pub stiffness: f64,
}

/// A contact with springs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hardened {
    /// Identity of the contact.
    pub contact: ContactId,
    /// Stiffness with which it began, N m.
    pub stiffness: f64,
    /// Its springs, oldest first.
    pub springs: Vec<Spring>,
}

/// A spring and its law.
#[derive(Debug, Clone, Copy)]
struct SpringLaw {
    /// Gap at which it begins, m.
    begin: f64,
    /// That of the contact with the stiffness of the spring.
    law: NormalLaw,
    /// What the law answers there.
    at_begin: Response,
}

/// The law of a contact with springs, or without any.
#[derive(Debug, Clone)]
pub(crate) struct Stiffened {
    base: NormalLaw,
    springs: Vec<SpringLaw>,
}

impl SpringLaw {
    fn new(law: NormalLaw, begin: f64) -> Self {
        let at_begin = law.evaluate(begin);
        Self {
            begin,
            law,
            at_begin,
        }
    }

    /// Energy, force and stiffness at `gap`, m.
    fn evaluate(&self, gap: f64) -> Response {
        if gap >= self.begin {
            return Response::default();
        }
        // K (E(g) - E(g0) - E'(g0) (g - g0)), where -K E'(g0) is the force of the law at g0
        let (at, begin) = (self.law.evaluate(gap), self.at_begin);
        Response {
            energy: at.energy - begin.energy + begin.force * (gap - self.begin),
            force: at.force - begin.force,
            stiffness: at.stiffness,
        }
    }
}

impl From<NormalLaw> for Stiffened {
    fn from(base: NormalLaw) -> Self {
        Self {
            base,
            springs: Vec::new(),
        }
    }
}

impl Stiffened {
    /// Gap from which on there is no force, m: springs add none where the law has none.
    pub(crate) fn range(&self) -> f64 {
        self.base.range()
    }

    /// Energy, force and stiffness at `gap`, m.
    pub(crate) fn evaluate(&self, gap: f64) -> Response {
        sum(&self.base, self.springs.iter().copied(), gap)
    }
}

/// Energy, force and stiffness of a law and its springs at `gap`, m.
fn sum(base: &NormalLaw, springs: impl Iterator<Item = SpringLaw>, gap: f64) -> Response {
    springs.fold(base.evaluate(gap), |sum, spring| {
        let more = spring.evaluate(gap);
        Response {
            energy: sum.energy + more.energy,
            force: sum.force + more.force,
            stiffness: sum.stiffness + more.stiffness,
        }
    })
}

impl Hardened {
    /// A contact without springs.
    pub fn new(contact: ContactId, stiffness: f64) -> Self {
        Self {
            contact,
            stiffness,
            springs: Vec::new(),
        }
    }

    /// Energy, force and stiffness at `gap`, m; `law` makes the law of the contact with a given
    /// stiffness, N m.
    pub(crate) fn evaluate(&self, law: impl Fn(f64) -> NormalLaw, gap: f64) -> Response {
        sum(&law(self.stiffness), self.laws(&law), gap)
    }

    /// Its law, to be asked often.
    pub(crate) fn law(&self, law: impl Fn(f64) -> NormalLaw) -> Stiffened {
        Stiffened {
            base: law(self.stiffness),
            springs: self.laws(&law).collect(),
        }
    }

    fn laws(&self, law: &impl Fn(f64) -> NormalLaw) -> impl Iterator<Item = SpringLaw> {
        let springs = self.springs.iter();
        springs.map(move |spring| SpringLaw::new(law(spring.stiffness), spring.begin))
    }

    /// Makes the contact no stiffer than `most`, N m, where springs add up: the last ones lose
    /// stiffness first. It holds less energy then at every gap.
    pub fn soften(&mut self, most: f64) {
        self.stiffness = self.stiffness.min(most);
        let mut left = most - self.stiffness;
        for spring in &mut self.springs {
            spring.stiffness = spring.stiffness.min(left);
            left -= spring.stiffness;
        }
        self.springs.retain(|spring| spring.stiffness > 0.0);
    }

    /// Gap at which the last spring begins, m; `range` without springs.
    pub fn room(&self, range: f64) -> f64 {
        self.springs.iter().map(|s| s.begin).fold(range, f64::min)
    }

    /// Lets springs that do not push at `gap`, m, begin there: what they hold is zero before and
    /// after.
    pub fn follow(&mut self, gap: f64) {
        for spring in &mut self.springs {
            spring.begin = spring.begin.max(gap);
        }
    }
}

impl ContactModel {
    /// Energy, force and stiffness of a contact with springs at `gap`, m, between surfaces of mean
    /// radius `scale`, m.
    pub(crate) fn hardened(&self, contact: &Hardened, scale: f64, gap: f64) -> Response {
        contact.evaluate(|k| self.law_or_none(scale, k), gap)
    }

    /// The law of a contact with springs between surfaces of mean radius `scale`, m.
    pub(crate) fn stiffened(&self, contact: &Hardened, scale: f64) -> Stiffened {
        contact.law(|k| self.law_or_none(scale, k))
    }

    fn law_or_none(&self, scale: f64, stiffness: f64) -> NormalLaw {
        self.law(scale, stiffness).unwrap_or(NormalLaw::Touching)
    }
}

/// All contacts with springs, sorted.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Hardening(pub Vec<Hardened>);

impl Hardening {
    /// A contact, if it has springs.
    pub(crate) fn of(&self, contact: ContactId) -> Option<&Hardened> {
        let found = self.0.binary_search_by_key(&contact, |h| h.contact);
        found.ok().map(|at| &self.0[at])
    }
}

/// A contact at some configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Touch {
    /// Identity of the contact.
    pub contact: ContactId,
    /// Mean radius of what touches, m.
    pub scale: f64,
    /// Part of its law that counts, 0 to 1.
    pub weight: f64,
    /// Gap that its law sees, m.
    pub gap: f64,
    /// Its energy, J.
    pub energy: f64,
}

impl Touch {
    /// Energy that the contact would gain, J, with the law of `stiffness`, N m, in place of its
    /// own; `None` without contact.
    pub(crate) fn gain(&self, model: &ContactModel, stiffness: f64) -> Option<f64> {
        let law = model.law(self.scale, stiffness)?;
        Some(self.weight * law.evaluate(self.gap).energy - self.energy)
    }

    /// The same with these springs, J.
    pub(crate) fn gain_hardened(&self, model: &ContactModel, own: &Hardened) -> f64 {
        self.weight * model.hardened(own, self.scale, self.gap).energy - self.energy
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact_model::{ImcSettings, ImcSmoothSettings, IpcSettings};

    const H: f64 = 2e-3;

    fn models() -> [ContactModel; 3] {
        [
            ContactModel::Imc(ImcSettings::default()),
            ContactModel::ImcSmooth(ImcSmoothSettings::default()),
            ContactModel::Ipc(IpcSettings::default()),
        ]
    }

    fn hardened(springs: &[(f64, f64)]) -> Hardened {
        Hardened {
            contact: ContactId::Pair([0, 5]),
            stiffness: 0.3,
            springs: springs
                .iter()
                .map(|&(begin, stiffness)| Spring { begin, stiffness })
                .collect(),
        }
    }

    /// A law that is asked often answers what the contact does.
    #[test]
    fn springs_are_part_of_the_law() {
        for model in models() {
            let law = |k: f64| model.law(H, k).unwrap();
            for springs in [&[][..], &[(8e-3 * H, 2.0), (4e-3 * H, 40.0)]] {
                let contact = hardened(springs);
                let whole = contact.law(law);
                for step in 1..40 {
                    let gap = 2.5e-4 * f64::from(step) * H;
                    assert_eq!(whole.evaluate(gap), contact.evaluate(law, gap));
                }
            }
            assert_ne!(
                hardened(&[(5e-3 * H, 2.0)]).law(law).evaluate(2e-3 * H),
                Stiffened::from(law(0.3)).evaluate(2e-3 * H)
            );
        }
    }

    /// A raise changes neither energy nor force where it is made; deeper down the contact is as
    /// stiff as with the sum of all.
    #[test]
    fn a_raise_changes_no_energy_where_it_is_made() {
        for model in models() {
            let law = |k: f64| model.law(H, k).unwrap();
            for gap in [1e-3 * H, 4e-3 * H] {
                let (before, after) = (hardened(&[]), hardened(&[(gap, 30.0)]));
                let [a, b] = [&before, &after].map(|h| h.evaluate(law, gap));
                assert_eq!((a.energy, a.force), (b.energy, b.force));
                let deeper = after.evaluate(law, 0.5 * gap);
                let whole = law(30.3).evaluate(0.5 * gap);
                assert!((deeper.stiffness - whole.stiffness).abs() < 1e-12 * whole.stiffness);
                assert!(deeper.force < whole.force && deeper.energy < whole.energy);
            }
        }
    }

    #[test]
    fn forces_and_stiffness_are_derivatives() {
        for model in models() {
            let law = |k: f64| model.law(H, k).unwrap();
            let contact = hardened(&[(5e-3 * H, 2.0), (2e-3 * H, 40.0)]);
            for gap in [6e-3 * H, 4e-3 * H, 1e-3 * H] {
                let step = 1e-6 * H;
                let [low, high] = [gap - step, gap + step].map(|g| contact.evaluate(law, g));
                let at = contact.evaluate(law, gap);
                let force = (low.energy - high.energy) / (2.0 * step);
                let stiffness = (low.force - high.force) / (2.0 * step);
                assert!((force - at.force).abs() < 1e-5 * at.force, "{force} {at:?}");
                assert!(
                    (stiffness - at.stiffness).abs() < 1e-5 * at.stiffness,
                    "{stiffness} {at:?}"
                );
            }
        }
    }

    #[test]
    fn springs_that_do_not_push_follow_their_contact() {
        let law = |k: f64| models()[0].law(H, k).unwrap();
        let mut contact = hardened(&[(-2e-3 * H, 2.0), (-1e-3 * H, 5.0)]);
        let before = contact.evaluate(law, -1.5e-3 * H);
        contact.follow(-1.5e-3 * H);
        let begins: Vec<f64> = contact.springs.iter().map(|s| s.begin / H).collect();
        assert_eq!(begins, [-1.5e-3, -1e-3]);
        assert_eq!(contact.evaluate(law, -1.5e-3 * H).energy, before.energy);
    }
}
