//! Normal contact of a rod with an obstacle: weight times the energy of the gap.
//!
//! `E = W(x) e(D - touching)`; gradient and Hessian by the product rule. The weight is 1 unless the
//! contact is handed over to nodes.

use glam::{DMat3, DVec3};

use crate::contact_model::law::{NormalLaw, Response};
use crate::kernels::distance::outer;
use crate::obstacle::distance::SurfaceDistance;
use crate::obstacle::weight::Weight;

/// The part of a rod that touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Flat node index.
    Node(usize),
    /// Flat edge index; the point lies inside the edge or at one of its nodes.
    Edge(usize),
}

/// One contact, in the frame of the world.
#[derive(Clone, Copy, Debug)]
pub struct ObstacleContact {
    /// Index of the obstacle.
    pub obstacle: usize,
    /// Part of a rod that touches it.
    pub part: Part,
    /// Which of the obstacle's features an edge touches, or which of its facets a node does.
    pub feature: u32,
    /// Its radius there, m.
    pub radius: f64,
    /// Distance from the obstacle's surface or skeleton.
    pub(crate) distance: SurfaceDistance,
    /// Part of it that counts, 0 to 1, with derivatives.
    pub weight: Weight,
    /// Distance of the surfaces, m; negative where they penetrate.
    pub gap: f64,
    /// What the law makes of the gap, before the weight.
    pub(crate) response: Response,
}

impl ObstacleContact {
    /// Of a rod of radius `radius`, m, whose axis would be at the distance `touching`, m, if it
    /// touched; `None` beyond the range.
    pub(crate) fn new(
        law: &NormalLaw,
        (obstacle, part): (usize, Part),
        radius: f64,
        touching: f64,
        (distance, weight): (SurfaceDistance, Weight),
    ) -> Option<Self> {
        let gap = distance.distance - touching;
        (gap < law.range()).then(|| Self {
            obstacle,
            part,
            feature: 0,
            radius,
            distance,
            weight,
            gap,
            response: law.evaluate(gap),
        })
    }

    /// The same with a feature or facet of the obstacle.
    pub(crate) fn of_feature(self, feature: u32) -> Self {
        Self { feature, ..self }
    }

    /// Energy, J.
    pub fn energy(&self) -> f64 {
        self.weight.value * self.response.energy
    }

    /// Normal force, N.
    pub fn force(&self) -> f64 {
        self.weight.value * self.response.force
    }

    /// Gradient of the normal force by node k, N/m.
    pub(crate) fn force_gradient(&self, k: usize) -> DVec3 {
        let d = &self.distance;
        // F = -W E': dF/dx_k = -W E'' w_k n - E' dW/dx_k
        -self.weight.value * self.response.stiffness * d.weights[k] * d.normal
            + self.response.force * self.weight.gradient[k]
    }

    /// Gradient of the energy by node, N.
    pub fn gradient(&self) -> [DVec3; 2] {
        let d = &self.distance;
        [0, 1].map(|k| {
            // dE/dx_k = W E' w_k n + E dW/dx_k
            -self.force() * d.weights[k] * d.normal + self.response.energy * self.weight.gradient[k]
        })
    }

    /// Block (k, l) of the Hessian of the energy, N/m.
    pub fn hessian(&self, k: usize, l: usize) -> DMat3 {
        let (d, w, r) = (&self.distance, &self.weight, &self.response);
        let (normal_k, normal_l) = (d.weights[k] * d.normal, d.weights[l] * d.normal);
        // W (E'' n_k n_l^T + E' Hess_kl D) + E' (n_k dW_l^T + dW_k n_l^T) + E Hess_kl W
        (outer(normal_k, normal_l) * r.stiffness - d.hessian(k, l) * r.force) * w.value
            - (outer(normal_k, w.gradient[l]) + outer(w.gradient[k], normal_l)) * r.force
            + w.hessian[k][l] * r.energy
    }

    /// The Hessian, 6 x 6, symmetric, N/m.
    pub(crate) fn hessian_matrix(&self) -> [[f64; 6]; 6] {
        let mut matrix = [[0.0; 6]; 6];
        for k in 0..2 {
            for l in 0..2 {
                let block = self.hessian(k, l);
                for c in 0..3 {
                    for r in 0..3 {
                        matrix[3 * k + r][3 * l + c] = block.col(c)[r];
                    }
                }
            }
        }
        // Equal but for rounding.
        let mean = |i: usize, j: usize| 0.5 * (matrix[i][j] + matrix[j][i]);
        std::array::from_fn(|i| std::array::from_fn(|j| mean(i, j)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact_model::imc::ImcLaw;
    use crate::kernels::testing::Random;
    use crate::obstacle::body::{Body, Feature};
    use crate::obstacle::distance::node;
    use crate::obstacle::hollow::Hollow;
    use crate::obstacle::solid::Solid;
    use crate::obstacle::testing::{check_gradient, check_hessian};

    const H: f64 = 0.05;

    fn law() -> NormalLaw {
        NormalLaw::Imc(ImcLaw {
            scale: H,
            tolerance: 0.4 * H,
            stiffness: 0.1,
        })
    }

    fn of_feature(feature: &Feature, edge: [DVec3; 2]) -> Option<ObstacleContact> {
        let (law, touching) = (law(), feature.touching(H));
        let found = feature.edge(touching + law.range(), H, edge)?;
        ObstacleContact::new(&law, (0, Part::Edge(0)), H, touching, found)
    }

    #[test]
    fn energies_of_edges_agree_with_differences() {
        let solids = [
            Solid::Sphere { radius: 0.2 },
            Solid::Capsule {
                radius: 0.2,
                half_length: 0.3,
            },
            Solid::Cylinder {
                radius: 0.2,
                half_length: 0.3,
            },
            Solid::Box {
                half: DVec3::new(0.2, 0.2, 0.3),
            },
        ];
        let mut random = Random(9);
        let (mut tested, mut weighted, mut lines, mut shells) = (0, 0, 0, 0);
        let walls = [
            Hollow::Funnel {
                radii: [0.2, 0.3],
                half_length: 0.3,
            },
            Hollow::Cavity { radius: 0.2 },
        ];
        let bodies = solids.map(Body::solid).into_iter();
        for body in bodies.chain(walls.map(Body::hollow)) {
            for i in 0..6000 {
                let centre = 0.4 * random.vector();
                let u = if i % 2 == 0 {
                    0.3 * random.unit()
                } else {
                    0.3 * (DVec3::Z + 0.1 * random.vector()).normalize()
                };
                let edge = [
                    centre - random.range(0.2, 0.8) * u,
                    centre + random.range(0.2, 0.8) * u,
                ];
                body.near(&Aabb::of_edge(edge[0], edge[1], 0.1), |_, feature| {
                    let Some(at) = of_feature(feature, edge) else {
                        return;
                    };
                    // An edge through the wall: steps refuse it.
                    let through = |outward: &DVec3| at.distance.normal.dot(*outward) < 0.5;
                    if matches!(feature, Feature::Line { outward, .. } if through(outward)) {
                        return;
                    }
                    let s = at.distance.weights[1];
                    // Where the closest point leaves the edge (or the feature's) second derivatives
                    // jump.
                    let turns = (at.distance.turn[0] * edge[1]).length();
                    if !(0.05..=0.95).contains(&s)
                        || at.gap.abs() > 0.3 * H
                        || at.weight.value < 0.02
                        // Where the weight reaches 1 third derivatives jump.
                        || (at.weight.value > 0.999 && at.weight.value < 1.0)
                        || !turns.is_finite()
                    {
                        return;
                    }
                    if let Feature::Segment { ends, .. } | Feature::Line { ends, .. } = feature {
                        let point = at.distance.point(edge);
                        let line = ends[1] - ends[0];
                        let t = (point - ends[0]).dot(line) / line.length_squared();
                        if !(0.05..0.95).contains(&t) {
                            return;
                        }
                    }
                    tested += 1;
                    lines += i32::from(matches!(feature, Feature::Line { .. }));
                    shells += i32::from(matches!(feature, Feature::Shell { .. }));
                    weighted += i32::from(at.weight.value < 1.0);
                    let energy = |e| of_feature(feature, e).unwrap();
                    check_gradient(edge, 2e-5, |e| energy(e).energy(), &at.gradient());
                    check_hessian(
                        edge,
                        2e-5,
                        |e| energy(e).gradient(),
                        |k, l| at.hessian(k, l),
                    );
                    let force: [DVec3; 2] = [0, 1].map(|k| at.force_gradient(k));
                    check_gradient(edge, 2e-5, |e| energy(e).force(), &force);
                });
            }
        }
        assert!(
            tested > 100 && weighted > 10 && lines > 10 && shells > 10,
            "{tested} contacts, {weighted} weighted, {lines} with lines, {shells} with shells"
        );
    }

    #[test]
    fn energies_of_nodes_agree_with_differences() {
        let solid = Solid::Cylinder {
            radius: 0.2,
            half_length: 0.3,
        };
        let contact = |e: [DVec3; 2]| {
            let at = solid.at(e[0]);
            let distance = node(at.distance, at.normal, at.curvature);
            ObstacleContact::new(&law(), (0, Part::Node(0)), H, H, (distance, Weight::ONE)).unwrap()
        };
        for x in [
            DVec3::new(0.1, 0.23, 0.1),
            DVec3::new(0.02, 0.22, 0.33),
            DVec3::new(0.1, 0.1, 0.345),
        ] {
            let at = contact([x; 2]);
            assert!(at.energy() > 0.0);
            check_gradient([x; 2], 1e-5, |e| contact(e).energy(), &at.gradient());
            check_hessian(
                [x; 2],
                1e-5,
                |e| contact(e).gradient(),
                |k, l| at.hessian(k, l),
            );
        }
    }

    use crate::kernels::candidates::Aabb;
}
