//! Memory of the slip since a contact began to stick.
//!
//! A contact that sticks under a constant load must not move at all, so its friction is a function
//! of a displacement, as that of a spring, and not of a velocity. The displacement is
//!
//! ```text
//! s = xi + dt v_T,
//! ```
//!
//! with xi what the contact remembers from before the step. Beyond the presliding length l it
//! slides: f has its limit mu F_n, and what is remembered is s l/|s|. xi is kept by its components
//! along tau = P t/|P t| and n x tau, where t is the tangent of one of the edges, its carrier, and
//! P projects on the plane of contact: it turns with the contact as a whole, and stays behind when
//! a rod rolls.

use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

use crate::kernels::distance::outer;
use crate::rod::geometry::skew;

/// Slip that a contact remembers.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Anchor {
    /// Along tau and n x tau, m.
    pub slip: [f64; 2],
    /// Which edge of the pair carries tau.
    pub carrier: u8,
}

impl Anchor {
    /// Remembers the slip `s`, m, of a contact with normal `n` between edges with these tangents,
    /// up to the length `limit`, m.
    pub fn remember(s: DVec3, limit: f64, n: DVec3, tangents: &[DVec3]) -> Self {
        // The carrier whose tangent lies best in the plane of contact; the first of equals.
        let mut carrier = 0;
        for (k, t) in tangents.iter().enumerate() {
            if across(n, *t).length_squared() > across(n, tangents[carrier]).length_squared() {
                carrier = k;
            }
        }
        let [along, across] = frame(n, tangents[carrier]);
        // Beyond the limit the contact slides: what is remembered is s l/|s|.
        let scale = limit / s.length().max(limit);
        Self {
            slip: [scale * s.dot(along), scale * s.dot(across)],
            carrier: carrier as u8,
        }
    }

    /// The carrier's tangent among those of the contact's edges.
    pub fn tangent(&self, tangents: &[DVec3]) -> DVec3 {
        tangents[(self.carrier as usize).min(tangents.len() - 1)]
    }

    /// xi, m, at the normal `n` with the carrier's tangent `t`.
    pub fn slip(&self, n: DVec3, t: DVec3) -> DVec3 {
        let [along, across] = frame(n, t);
        self.slip[0] * along + self.slip[1] * across
    }

    /// Derivative of [`Anchor::slip`], given those of n and t.
    pub fn gradient(&self, n: DVec3, t: DVec3, dn: DMat3, dt: DMat3) -> DMat3 {
        let Some([dtau, dside]) = frame_gradient(n, t, dn, dt) else {
            return DMat3::ZERO;
        };
        dtau * self.slip[0] + dside * self.slip[1]
    }
}

/// Below this sine between the tangent and the normal any direction of the plane does.
const END_ON: f64 = 1e-6;

/// P t.
fn across(n: DVec3, t: DVec3) -> DVec3 {
    t - t.dot(n) * n
}

/// Derivatives of tau and n x tau, given those of n and t.
pub(crate) fn frame_gradient(n: DVec3, t: DVec3, dn: DMat3, dt: DMat3) -> Option<[DMat3; 2]> {
    let size = across(n, t).length();
    if size < END_ON {
        // Seen end-on tau is any direction of the plane, and follows nothing.
        return None;
    }
    let [tau, _] = frame(n, t);
    let project = |axis: DVec3, m: DMat3| m - outer(axis, m.transpose() * axis);
    // d(P t) = P dt - (n . t) dn - n (t . dn), then its direction.
    let in_plane = project(n, dt) - dn * n.dot(t) - outer(n, dn.transpose() * t);
    // dtau = (I - tau tau^T) d(P t)/|P t|, d(n x tau) = n x dtau - tau x dn
    let dtau = project(tau, in_plane) * (1.0 / size);
    let dside = skew(n) * dtau - skew(tau) * dn;
    Some([dtau, dside])
}

/// tau and n x tau.
pub(crate) fn frame(n: DVec3, t: DVec3) -> [DVec3; 2] {
    let in_plane = across(n, t);
    let size = in_plane.length();
    let tau = if size < END_ON {
        n.any_orthonormal_vector()
    } else {
        in_plane / size
    };
    [tau, n.cross(tau)]
}
