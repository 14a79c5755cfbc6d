//! Derivatives of friction for several pairs at once.
//!
//! With the matrix A of an edge, by which the velocity of its surface is `u0 + A (u1 - u0) + theta' c`
//! (`surface.rs`; r the arm, t the tangent, a the turn of the reference frame):
//!
//! ```text
//! A = (s + r.t/|e|) 1 + c a^T - t r^T/|e|,     c = t x r,
//! ```
//!
//! the derivatives by velocities are `W^T B W`, whose blocks are sums of B, B A_l, A_k^T B and A_k^T B
//! A_l. Those by positions are linear in the few vectors and matrices by which nodes differ: with the
//! weight w_l of node l and p_l = U A^-1 S_l (`distance.rs`)
//!
//! ```text
//! dn    = w_l P/D - p_l n^T
//! d(Dn) = w_l G - D p_l n^T,     G = n n^T + P
//! df    = w_l M + (H st_a) ds^T - (H st_b) dt^T - (+-) H turning + q(p_l) n^T,
//! ```
//!
//! so that what costs a product of matrices is made once for all nodes.

use glam::DMat3;
use pulp::Simd;

use super::matrix::{
    Matrix, add_cross, add_identity, add_outer, add_scaled, outer, product, scaled, times,
    transposed_product, transposed_times,
};
use super::{PairDerivatives, PairFriction};
use crate::kernels::distance::{PARAMETER, SIGN};
use crate::kernels::friction::surface::Surface;
use crate::lanes::{
    Column, Columns3, Lanes, Pack, Pack3, add, cross, dot, put, scale, scale_add, sub,
};

/// A matrix for each pair, column by column.
type Columns9 = [Columns3; 3];

/// Derivatives of several pairs side by side: the entries of [`PairDerivatives`].
pub(crate) type DerivativeColumns = [[Column; 16]; 16];

/// What the derivatives of as many pairs as a column has places are made of.
#[derive(Default)]
pub(crate) struct PairColumns {
    normal: Columns3,
    distance: Column,
    /// P/D.
    tangential: Columns9,
    /// U A^-1.
    slopes: [Columns3; 2],
    /// A^-1.
    inverse: [[Column; 2]; 2],
    edges: [EdgeColumns; 2],
    /// v.
    relative: Columns3,
    /// F_n, -dF_n/dD, ds/dv_T.
    force: Column,
    stiffness: Column,
    rate: Column,
    /// t and dt/ds.
    traction: Columns3,
    slope: Columns9,
    /// What directions that turn with the edges add to df/dx_l, by node.
    turning: [Columns9; 4],
    /// Whether any of that is not zero.
    turns: bool,
}

/// One edge of each pair.
#[derive(Default)]
struct EdgeColumns {
    along: Column,
    /// Part of D n that is its arm.
    share: Column,
    stretching: Columns3,
    spin: Column,
    length: Column,
    tangent: Columns3,
    tangent_start: Columns3,
    /// a.
    turn: Columns3,
}

impl PairColumns {
    /// Forgets what turns in the places of earlier pairs.
    pub(crate) fn begin(&mut self) {
        if self.turns {
            self.turning = Default::default();
            self.turns = false;
        }
    }

    /// Puts a pair in place `lane`, the slope of its traction by the slip being `slope`.
    pub(crate) fn put(&mut self, lane: usize, pair: &PairFriction, slope: DMat3) {
        let distance = &pair.contact.distance;
        put(&mut self.normal, lane, distance.normal);
        self.distance[lane] = distance.closest.distance;
        put_matrix(&mut self.tangential, lane, distance.tangential());
        for (columns, slope) in self.slopes.iter_mut().zip(distance.slopes()) {
            put(columns, lane, slope);
        }
        let inverse = distance.inverse();
        for (columns, row) in self.inverse.iter_mut().zip(inverse) {
            columns[0][lane] = row[0];
            columns[1][lane] = row[1];
        }
        let edges = pair.surfaces.iter().zip(pair.shares);
        for (columns, (surface, share)) in self.edges.iter_mut().zip(edges) {
            columns.put(lane, surface, share);
        }
        put(&mut self.relative, lane, pair.relative);
        self.force[lane] = pair.contact.force;
        self.stiffness[lane] = pair.contact.stiffness;
        self.rate[lane] = pair.slip.rate;
        put(&mut self.traction, lane, pair.traction.value);
        put_matrix(&mut self.slope, lane, slope);
        if pair.turns() {
            for (l, columns) in self.turning.iter_mut().enumerate() {
                put_matrix(columns, lane, pair.turning(l, slope));
            }
            self.turns = true;
        }
    }

    /// `by_velocity` d force/d velocities plus `by_position` d force/d positions at fixed velocities,
    /// N s/m to N m s and N/m to N (T22 Eq. 21, complete), which become those of all places.
    ///
    /// The first, F_n W^T (dt/ds)(ds/dv_T) (I - n n^T) W, is symmetric and negative semidefinite;
    /// friction by direction makes it neither. The second is not symmetric: through the normal force,
    /// the normal, the contact point, the arms, the edges' frames and what is remembered. Angles have
    /// no part in it.
    #[inline(always)]
    pub(crate) fn differentiate<S: Simd>(
        &self,
        simd: S,
        [by_velocity, by_position]: [f64; 2],
        out: &mut DerivativeColumns,
    ) {
        for lanes in Lanes::all(simd) {
            let factors = [lanes.splat(by_velocity), lanes.splat(by_position)];
            self.differentiate_lanes(lanes, factors, out);
        }
    }

    #[inline(always)]
    fn differentiate_lanes<S: Simd>(
        &self,
        lanes: Lanes<S>,
        [by_velocity, by_position]: [Pack<S>; 2],
        out: &mut DerivativeColumns,
    ) {
        let n = lanes.load3(&self.normal);
        let distance = lanes.load(&self.distance);
        let reach = scale(distance, n);
        let edges = [
            Edge::load(lanes, &self.edges[0], reach),
            Edge::load(lanes, &self.edges[1], reach),
        ];
        let [a, b] = &edges;
        let force = lanes.load(&self.force);
        let slope = load_matrix(lanes, &self.slope);
        // H = F_n (dt/ds)(ds/dv_T), and H (I - n n^T).
        let by_slip = scaled(force * lanes.load(&self.rate), slope);
        let in_plane = add_outer(by_slip, scale(lanes.splat(-1.0), times(&by_slip, n)), n);
        let by_speed = scaled(by_velocity, in_plane);
        let Sums {
            mut blocks,
            mut rows,
        } = by_velocities(lanes, &edges, by_speed, out);

        // By positions.
        let tangential = load_matrix(lanes, &self.tangential);
        let relative = lanes.load3(&self.relative);
        let traction = lanes.load3(&self.traction);
        let f = scale(force, traction);
        let approach = dot(relative, n);
        // d(D n) = w_l G - D p_l n^T.
        let g = add_outer(scaled(distance, tangential), n, n);
        let omega = sub(
            scale(a.share, a.angular_velocity),
            scale(b.share, b.angular_velocity),
        );
        // What of df is by w_l alone: -dF_n/dD t n^T + H ((I - n n^T) omega x G - n (P/D v)^T - (v.n) P/D).
        let turned = [cross(omega, g[0]), cross(omega, g[1]), cross(omega, g[2])];
        let by_normal = add_outer(
            scaled(-approach, tangential),
            scale(lanes.splat(-1.0), n),
            transposed_times(&tangential, relative),
        );
        let mut by_weight = product(&in_plane, &turned);
        by_weight = add_scaled(lanes.splat(1.0), product(&by_slip, &by_normal), by_weight);
        by_weight = add_outer(by_weight, scale(-lanes.load(&self.stiffness), traction), n);
        let stretched = [
            times(&in_plane, a.stretching),
            times(&in_plane, b.stretching),
        ];
        let gradients = [
            Gradients::new(a, f),
            Gradients::new(b, scale(lanes.splat(-1.0), f)),
        ];
        let turnings = [
            product(&in_plane, &a.turning()),
            product(&in_plane, &b.turning()),
        ];
        let slopes = [lanes.load3(&self.slopes[0]), lanes.load3(&self.slopes[1])];
        // q: H (D (I - n n^T) p x omega + (v.p) n + (v.n) p)
        let mut by_slope = slopes;
        for (q, p) in by_slope.iter_mut().zip(slopes) {
            let along = scale_add(approach, p, scale(dot(relative, p), n));
            let around = times(&in_plane, scale(distance, cross(p, omega)));
            *q = add(times(&by_slip, along), around);
        }
        let one = lanes.splat(1.0);
        let weights = [one - a.along, a.along, b.along - one, -b.along];
        for l in 0..4 {
            let (parameter, sign) = (PARAMETER[l], lanes.splat(SIGN[l]));
            let w = weights[l];
            let p = scale(sign, slopes[parameter]);
            // ds/dx_l and dt/dx_l.
            let mut along = [scale(-w, slopes[0]), scale(-w, slopes[1])];
            for (along, inverse) in along.iter_mut().zip(&self.inverse) {
                *along = scale_add(-(sign * lanes.load(&inverse[parameter])), reach, *along);
            }
            let mut df = scaled(w, by_weight);
            df = add_outer(df, stretched[0], along[0]);
            df = add_outer(df, scale(lanes.splat(-1.0), stretched[1]), along[1]);
            df = add_outer(df, scale(sign, by_slope[parameter]), n);
            // Nodes 0, 1 are those of edge a, 2, 3 those of b; e = x1 - x0.
            let own = l / 2;
            let end = if l % 2 == 0 { -1.0 } else { 1.0 };
            let towards = if own == 0 { -end } else { end };
            df = add_scaled(lanes.splat(towards), turnings[own], df);
            if self.turns {
                let turning = load_matrix(lanes, &self.turning[l]);
                df = add_scaled(one, turning, df);
            }
            let arm = add_outer(scaled(w, g), scale(-distance, p), n);
            for k in 0..2 {
                let edge = (k == own).then(|| lanes.splat(end));
                let df = scaled(lanes.splat(if k == 0 { 1.0 } else { -1.0 }), df);
                let (nodes, angle) = gradients[k].reaction(&edges[k], (&df, &arm), along[k], edge);
                for (node, block) in nodes.into_iter().enumerate() {
                    let to = &mut blocks[4 * (2 * k + node) + l];
                    *to = add_scaled(by_position, block, *to);
                }
                rows[k][l] = scale_add(by_position, angle, rows[k][l]);
            }
        }
        for (block, out) in blocks.iter().zip(out.iter_mut()) {
            for (c, column) in block.iter().enumerate() {
                for (r, value) in column.iter().enumerate() {
                    lanes.store(*value, &mut out[4 * c + r]);
                }
            }
        }
        for (k, rows) in rows.iter().enumerate() {
            for (l, row) in rows.iter().enumerate() {
                for (c, value) in row.iter().enumerate() {
                    lanes.store(*value, &mut out[8 * k + l][4 * c + 3]);
                }
            }
        }
    }
}

/// Derivatives by positions of nodes.
struct Sums<S: Simd> {
    /// Of the nodes' forces, as in [`PairDerivatives`].
    blocks: [Matrix<S>; 16],
    /// Of the moment on the angle of edge k by node l.
    rows: [[Pack3<S>; 4]; 2],
}

/// W^T B W; what is in columns of angles goes to `out`.
#[inline(always)]
fn by_velocities<S: Simd>(
    lanes: Lanes<S>,
    edges: &[Edge<S>; 2],
    by: Matrix<S>,
    out: &mut DerivativeColumns,
) -> Sums<S> {
    let zero = [lanes.splat(0.0); 3];
    let (mut blocks, mut rows) = ([[zero; 3]; 16], [[zero; 4]; 2]);
    let along = [edges[0].along_matrix(), edges[1].along_matrix()];
    let by_along = [product(&by, &along[0]), product(&by, &along[1])];
    let minus_one = lanes.splat(-1.0);
    for k in 0..2 {
        let left = transposed_product(&along[k], &by);
        let c = edges[k].by_angle;
        let by_own = transposed_times(&by, c);
        for l in 0..2 {
            // v = v_a - v_b, so those of b count with a minus.
            let sign = lanes.splat(if k == l { 1.0 } else { -1.0 });
            let both = transposed_product(&along[k], &by_along[l]);
            let right = add_scaled(minus_one, both, by_along[l]);
            let left = add_scaled(minus_one, both, left);
            // (1 - A_k)^T B (1 - A_l), by way of (1 - A_k)^T B A_l
            let rest = add_scaled(minus_one, add_scaled(lanes.splat(1.0), right, left), by);
            let first = add_scaled(minus_one, both, rest);
            let at = 8 * k + 2 * l;
            blocks[at] = scaled(sign, first);
            blocks[at + 1] = scaled(sign, right);
            blocks[at + 4] = scaled(sign, left);
            blocks[at + 5] = scaled(sign, both);
            let far = transposed_times(&by_along[l], c);
            rows[k][2 * l] = scale(sign, sub(by_own, far));
            rows[k][2 * l + 1] = scale(sign, far);
            // The angle of edge l stands in group 2 l.
            let pushed = scale(sign, times(&by, edges[l].by_angle));
            let far = transposed_times(&along[k], pushed);
            let near = sub(pushed, far);
            for r in 0..3 {
                lanes.store(near[r], &mut out[at][12 + r]);
                lanes.store(far[r], &mut out[at + 4][12 + r]);
            }
            lanes.store(dot(c, pushed), &mut out[at][15]);
        }
    }
    Sums { blocks, rows }
}

impl EdgeColumns {
    fn put(&mut self, lane: usize, surface: &Surface, share: f64) {
        let e = &surface.edge;
        self.along[lane] = surface.along;
        self.share[lane] = share;
        put(
            &mut self.stretching,
            lane,
            surface.velocities[1] - surface.velocities[0],
        );
        self.spin[lane] = surface.spin;
        self.length[lane] = e.length;
        put(&mut self.tangent, lane, e.tangent);
        put(&mut self.tangent_start, lane, e.tangent_start);
        put(&mut self.turn, lane, e.spin);
    }
}

/// An edge of each pair, and what its derivatives use several times.
struct Edge<S: Simd> {
    along: Pack<S>,
    share: Pack<S>,
    /// r.
    arm: Pack3<S>,
    /// e'.
    stretching: Pack3<S>,
    /// 1/|e|.
    per_length: Pack<S>,
    tangent: Pack3<S>,
    /// a.
    turn: Pack3<S>,
    /// theta' + a . e'.
    axial_spin: Pack<S>,
    /// omega.
    angular_velocity: Pack3<S>,
    /// c = t x r.
    by_angle: Pack3<S>,
    /// t . r.
    axial: Pack<S>,
    /// da/de.
    by_edge: Matrix<S>,
}

impl<S: Simd> Edge<S> {
    #[inline(always)]
    fn load(lanes: Lanes<S>, from: &EdgeColumns, reach: Pack3<S>) -> Self {
        let (one, length) = (lanes.splat(1.0), lanes.load(&from.length));
        let per_length = one / length;
        let share = lanes.load(&from.share);
        let arm = scale(share, reach);
        let stretching = lanes.load3(&from.stretching);
        let tangent = lanes.load3(&from.tangent);
        let turn = lanes.load3(&from.turn);
        let axial_spin = dot(turn, stretching) + lanes.load(&from.spin);
        // omega = (theta' + a . e') t + t x e'/|e|
        let turning = scale(per_length, cross(tangent, stretching));
        // da/de = -[t0]x/D + (t0 x e) (dD/de)^T/D^2 with D = |e|^2 (1 + t0 . t), dD/de = (2 + t0 . t) e + |e| t0
        let start = lanes.load3(&from.tangent_start);
        let cos = dot(start, tangent);
        let per_square = per_length * per_length / (one + cos);
        let slope = scale_add(cos + lanes.splat(2.0), tangent, start);
        let weight = scale(per_square / (one + cos), cross(start, tangent));
        let by_edge = add_cross(-per_square, start, outer(weight, slope));
        Self {
            along: lanes.load(&from.along),
            share,
            arm,
            stretching,
            per_length,
            tangent,
            turn,
            axial_spin,
            angular_velocity: scale_add(axial_spin, tangent, turning),
            by_angle: cross(tangent, arm),
            axial: dot(tangent, arm),
            by_edge,
        }
    }

    /// A.
    #[inline(always)]
    fn along_matrix(&self) -> Matrix<S> {
        let m = outer(self.by_angle, self.turn);
        let m = add_outer(m, scale(-self.per_length, self.tangent), self.arm);
        add_identity(self.axial.mul_add(self.per_length, self.along), m)
    }

    /// [r]x d omega/de, d omega/de = (theta' + a . e') (1 - t t^T)/|e| + t (da^T e')^T - [e']x/|e|^2
    /// + 2 (e' x t) t^T/|e|^2.
    #[inline(always)]
    fn turning(&self) -> Matrix<S> {
        let (r, t, e) = (self.arm, self.tangent, self.stretching);
        let square = self.per_length * self.per_length;
        let spin = self.axial_spin * self.per_length;
        // r x t = -c, [r]x[e']x = e' r^T - (r . e') 1
        let c = self.by_angle;
        let twice = square + square;
        let mut m = outer(scale_add(spin, c, scale(twice, cross(r, cross(e, t)))), t);
        m = add_cross(spin, r, m);
        m = add_outer(
            m,
            scale(-spin.constant(1.0), c),
            transposed_times(&self.by_edge, e),
        );
        m = add_outer(m, scale(-square, e), r);
        add_identity(square * dot(r, e), m)
    }
}

/// What a force on the surface of an edge does to its unknowns, as nodes move: what is the same for
/// all nodes.
struct Gradients<S: Simd> {
    /// f.
    force: Pack3<S>,
    /// t x f and t . f/|e|.
    around: Pack3<S>,
    axial: Pack<S>,
    /// d(t . m) and dg by the edge vector, m = r x f held.
    axial_by_edge: Pack3<S>,
    couple_by_edge: Matrix<S>,
}

impl<S: Simd> Gradients<S> {
    #[inline(always)]
    fn new(edge: &Edge<S>, force: Pack3<S>) -> Self {
        let (t, r, per_length) = (edge.tangent, edge.arm, edge.per_length);
        let around = cross(t, force);
        let m = cross(r, force);
        let axial = dot(t, m);
        let axial_by_edge = scale(per_length, scale_add(-axial, t, m));
        // a (d(t . m))^T + (t . m) da + [m]x/|e|^2 - 2 (m x t) t^T/|e|^2
        let square = per_length * per_length;
        let mut by_edge = add_outer(scaled(axial, edge.by_edge), edge.turn, axial_by_edge);
        by_edge = add_cross(square, m, by_edge);
        by_edge = add_outer(by_edge, scale(square + square, cross(t, m)), t);
        Self {
            force,
            around,
            axial: dot(t, force) * per_length,
            axial_by_edge,
            couple_by_edge: by_edge,
        }
    }

    /// Derivative by a node of the nodes' forces and of the moment on theta: given `df`, the force's
    /// own, `arm`, that of D n, `along`, that of s, and 1 or -1 for a node of the edge.
    ///
    /// g = (t . m) a + (m x t)/|e|, dm = r x df + dr x f, makes of df and of dr
    ///
    /// ```text
    /// a (df^T c)^T - r (df^T t)^T/|e| + (t . r)/|e| df,   -a (dr^T (t x f))^T + f (dr^T t)^T/|e| - (t . f)/|e| dr.
    /// ```
    #[inline(always)]
    fn reaction(
        &self,
        edge: &Edge<S>,
        (df, arm): (&Matrix<S>, &Matrix<S>),
        along: Pack3<S>,
        end: Option<Pack<S>>,
    ) -> ([Matrix<S>; 2], Pack3<S>) {
        let (per_length, share) = (edge.per_length, edge.share);
        let by_force = transposed_times(df, edge.by_angle);
        // dr^T (t x f), dr^T t
        let around = scale(share, transposed_times(arm, self.around));
        let towards = scale(share, transposed_times(arm, edge.tangent));
        // f ds^T + dg
        let f = self.force;
        let mut shift = outer(f, scale_add(per_length, towards, along));
        shift = add_outer(shift, edge.turn, sub(by_force, around));
        let pull = scale(-per_length, transposed_times(df, edge.tangent));
        shift = add_outer(shift, edge.arm, pull);
        shift = add_scaled(edge.axial * per_length, *df, shift);
        shift = add_scaled(-(self.axial * share), *arm, shift);
        // d(t . m) = df . c + dr . (f x t)
        let mut axial = sub(by_force, around);
        if let Some(end) = end {
            shift = add_scaled(end, self.couple_by_edge, shift);
            axial = scale_add(end, self.axial_by_edge, axial);
        }
        let second = add_scaled(edge.along, *df, shift);
        let first = add_scaled(edge.along.constant(-1.0), second, *df);
        ([first, second], axial)
    }
}

/// Adds what stands in place `lane`.
pub(crate) fn take_derivatives(from: &DerivativeColumns, lane: usize, to: &mut PairDerivatives) {
    for (to, from) in to.iter_mut().zip(from) {
        for (to, column) in to.iter_mut().zip(from) {
            *to += column[lane];
        }
    }
}

fn put_matrix(columns: &mut Columns9, lane: usize, m: DMat3) {
    for (columns, column) in columns.iter_mut().zip([m.x_axis, m.y_axis, m.z_axis]) {
        put(columns, lane, column);
    }
}

#[inline(always)]
fn load_matrix<S: Simd>(lanes: Lanes<S>, columns: &Columns9) -> Matrix<S> {
    [
        lanes.load3(&columns[0]),
        lanes.load3(&columns[1]),
        lanes.load3(&columns[2]),
    ]
}
