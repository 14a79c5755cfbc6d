//! Rods whose moments and tension know the rate and the past of their strains.
//!
//! With e the strains of a vertex (both curvatures and the twist) or of an edge (the stretch) less
//! those at rest, K their stiffness, `T = sqrt(tau) K sqrt(tau)` and `G = sqrt(g) K sqrt(g)`, where
//! tau and g are diagonal, the moments are
//!
//! ```text
//! m = K e + T de/dt - G v,        dv/dt = (e - v)/lambda
//! ```
//!
//! The middle term is a dashpot beside the spring (Kelvin and Voigt) with the retardation time tau.
//! The last one makes a part g of the spring relax: that part stands in series with a dashpot
//! (Maxwell), v is what the dashpot has given way, and lambda the relaxation time. With g = 1 all of
//! it flows. Heat is `(de/dt) T (de/dt) + (e - v) G (e - v)/lambda`, and never negative.

use serde::{Deserialize, Serialize};

use crate::rod::Topology;

/// What of a rod is viscous. Numbers are those of bending, twisting and stretching, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Viscoelasticity {
    /// Retardation times tau, s: of the dashpots beside the springs.
    pub retardation: [f64; 3],
    /// The part that relaxes.
    pub relaxation: Option<Relaxation>,
}

/// Springs in series with dashpots.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Relaxation {
    /// Relaxation time lambda, s.
    pub time: f64,
    /// Parts g of the stiffness that relax, 0 to 1.
    pub shares: [f64; 3],
}

impl Viscoelasticity {
    /// Parts of the stiffness that relax.
    pub(crate) fn shares(&self) -> [f64; 3] {
        self.relaxation.map_or([0.0; 3], |r| r.shares)
    }

    /// Whether any part carries nothing in the long run.
    pub(crate) fn flows(&self) -> bool {
        self.shares().contains(&1.0)
    }

    /// What is wrong with it: which number, its value, and what it must be.
    pub(crate) fn fault(&self) -> Option<(&'static str, f64, &'static str)> {
        let times = self.retardation.iter();
        let bad = times.copied().find(|t| !(t.is_finite() && *t >= 0.0));
        let retardation = bad.map(|t| ("a retardation time", t, "finite and not negative"));
        let relaxation = self.relaxation.and_then(|r| {
            let bad = r.shares.into_iter().find(|g| !(0.0..=1.0).contains(g));
            let share = bad.map(|g| ("a part that relaxes", g, "between 0 and 1"));
            let time = !(r.time.is_finite() && r.time > 0.0);
            let time =
                time.then_some(("a relaxation time", r.time, "finite and greater than zero"));
            time.or(share)
        });
        retardation.or(relaxation)
    }
}

/// Strains of all rods, or what is measured by them.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Strains {
    /// Both curvatures and the twist, rad, `(vertices)`.
    pub vertices: Vec<[f64; 3]>,
    /// Stretches, `(edges)`.
    pub edges: Vec<f64>,
}

impl Strains {
    /// No strain of any rod.
    pub(crate) fn zeros(topology: &Topology) -> Self {
        Self {
            vertices: vec![[0.0; 3]; topology.vertices()],
            edges: vec![0.0; topology.edges()],
        }
    }

    /// Of a vertex, zero where there are none.
    pub(crate) fn vertex(&self, vertex: usize) -> [f64; 3] {
        self.vertices.get(vertex).copied().unwrap_or_default()
    }

    /// Of an edge, zero where there are none.
    pub(crate) fn edge(&self, edge: usize) -> f64 {
        self.edges.get(edge).copied().unwrap_or_default()
    }

    /// Changes all of them as `f` says, by those of `other`.
    pub(crate) fn combine(&mut self, other: &Self, f: impl Fn(f64, f64) -> f64) {
        for (own, other) in self.vertices.iter_mut().zip(&other.vertices) {
            *own = [0, 1, 2].map(|c| f(own[c], other[c]));
        }
        for (own, other) in self.edges.iter_mut().zip(&other.edges) {
            *own = f(*own, *other);
        }
    }
}

/// What viscous rods remember between steps; empty without any.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct StrainMemory {
    /// Strains less those at rest at the start of the last step.
    pub before: Strains,
    /// Their rate in the last step, 1/s.
    pub rate: Strains,
    /// v: what the dashpots in series have given way.
    pub dashpot: Strains,
}
