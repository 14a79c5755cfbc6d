//! Bodies and welds of a model: checked, and made into assemblies.

use std::sync::Arc;

use glam::{DMat3, DQuat};

use crate::bodies::{Assemblies, Assembly, Body, Joint, Link, Welded};
use crate::constraints::{Constraint, Initial};
use crate::model::{Model, ModelError};
use crate::obstacle::{Obstacle, Riding};
use crate::rod::Topology;
use crate::schedule::Pose;
use crate::state::State;

/// Makes assemblies of `bodies` and `welds` (body, flat edge), takes the mass of what is welded out
/// of `mass` and puts theirs there, and appends their poses to `initial`.
pub(super) fn assemble(
    bodies: &[Body],
    welds: &[(usize, usize)],
    topology: &Topology,
    initial: &mut Initial,
    mass: &mut [f64],
) -> Result<Assemblies, ModelError> {
    let mut all = Assemblies::default();
    if bodies.is_empty() {
        return Ok(all);
    }
    all.dependent = vec![false; topology.dofs];
    check_welds(welds, topology)?;
    for (index, body) in bodies.iter().enumerate() {
        check(index, body)?;
        let edges: Vec<usize> = welds.iter().filter(|w| w.0 == index).map(|w| w.1).collect();
        let rods = Welded {
            topology,
            positions: &initial.positions,
            directors: &initial.directors,
            mass,
        };
        let (assembly, centre) = Assembly::new(body, &edges, &rods);
        let orientation = body.orientation.normalize();
        initial.bodies.push((centre, orientation));
        check_inertia(index, &assembly)?;
        for dof in assembly.dependents(topology) {
            all.dependent[dof] = true;
        }
        all.list.push(assembly);
    }
    for (dof, _) in all.dependent.iter().enumerate().filter(|(_, d)| **d) {
        // It counts in its body's mass and inertia.
        mass[dof] = 0.0;
    }
    for (dof, assembly) in topology.body_dof.iter().zip(&all.list) {
        mass[*dof..dof + 3].fill(assembly.mass);
    }
    Ok(all)
}

fn check(body: usize, b: &Body) -> Result<(), ModelError> {
    let refuse = |key, value, need| {
        Err(ModelError::Body {
            body,
            key,
            value,
            need,
        })
    };
    if !(b.mass.is_finite() && b.mass >= 0.0) {
        return refuse("mass", b.mass, "finite and not negative");
    }
    let j = b.inertia;
    let skewness = (j - j.transpose()).to_cols_array();
    if let Some(worst) = skewness.iter().find(|v| !v.is_finite() || **v != 0.0) {
        return refuse("inertia", *worst, "a symmetric matrix of finite numbers");
    }
    let finite = b.position.is_finite() && b.velocity.is_finite() && b.angular_velocity.is_finite();
    if !finite {
        return refuse("position or velocity", f64::NAN, "finite");
    }
    if !(b.orientation.length() - 1.0).abs().le(&1e-6) {
        let length = DQuat::length(b.orientation);
        return refuse("orientation", length, "a quaternion of length 1");
    }
    Ok(())
}

/// A body with its edges must resist every motion, and be possible: no principal moment may exceed
/// the sum of the others.
fn check_inertia(body: usize, assembly: &Assembly) -> Result<(), ModelError> {
    let refuse = |key, value, need| {
        Err(ModelError::Body {
            body,
            key,
            value,
            need,
        })
    };
    if assembly.mass <= 0.0 {
        return refuse(
            "mass",
            0.0,
            "greater than zero where no edge is welded to it",
        );
    }
    // E >= 0 is the triangle inequality of the principal moments.
    let (e, j) = (assembly.second_moment, assembly.inertia);
    let scale = e
        .to_cols_array()
        .iter()
        .fold(0.0_f64, |a, v| a.max(v.abs()));
    let slightly = DMat3::IDENTITY * (1e-9 * scale);
    if !positive(e + slightly) {
        return refuse(
            "inertia",
            0.0,
            "that of a real body: no principal moment larger than the sum of the other two",
        );
    }
    if !positive(j - slightly * 1e-3) {
        return refuse("inertia", 0.0, "greater than zero about every axis");
    }
    Ok(())
}

fn positive(m: DMat3) -> bool {
    // Leading minors (Sylvester).
    let minor = m.x_axis.x * m.y_axis.y - m.x_axis.y * m.y_axis.x;
    m.x_axis.x > 0.0 && minor > 0.0 && m.determinant() > 0.0
}

fn check_welds(welds: &[(usize, usize)], topology: &Topology) -> Result<(), ModelError> {
    let mut owner = vec![None; topology.nodes()];
    for (i, (body, edge)) in welds.iter().enumerate() {
        if welds[..i].iter().any(|(_, e)| e == edge) {
            return Err(ModelError::Welded {
                what: "edge",
                rod: topology.edge_rod[*edge],
                index: edge - topology.rods[topology.edge_rod[*edge]].first_edge,
            });
        }
        for node in topology.edge_nodes[*edge] {
            // Two edges at a node may go to one body, not to two.
            if owner[node].is_some_and(|other| other != *body) {
                return Err(ModelError::Welded {
                    what: "node",
                    rod: topology.node_rod[node],
                    index: node - topology.rods[topology.node_rod[node]].first_node,
                });
            }
            owner[node] = Some(*body);
        }
    }
    Ok(())
}

/// What is welded to a body cannot be held as well.
pub(super) fn check_held(
    list: &[Constraint],
    bodies: &Assemblies,
    topology: &Topology,
) -> Result<(), ModelError> {
    let held = list
        .iter()
        .flat_map(|c| crate::constraints::dofs(c, topology));
    let both = held.into_iter().find(|dof| bodies.follows(*dof));
    match both {
        Some(dof) => {
            let node = topology.node_dof.partition_point(|first| *first <= dof) - 1;
            let rod = topology.node_rod[node];
            Err(ModelError::WeldedAndHeld {
                rod,
                node: node - topology.rods[rod].first_node,
            })
        }
        None => Ok(()),
    }
}

/// Length at which an angle moves what it turns, m: the smallest radius for edges, the size of a
/// body; 1 for positions.
pub(super) fn levers(topology: &Topology, bodies: &Assemblies, radius: f64) -> Vec<f64> {
    let angle = |angle: &bool| if *angle { radius } else { 1.0 };
    let mut levers: Vec<f64> = topology.angle.iter().map(angle).collect();
    for (dof, assembly) in topology.body_dof.iter().zip(&bodies.list) {
        levers[dof + 3..dof + 6].fill(assembly.size());
    }
    levers
}

/// Velocities of bodies as described: that of a body's own centre becomes that of the assembly's.
pub(super) fn first_velocities(model: &Model, bodies: &[Body], state: &mut State) {
    let all = bodies.iter().zip(&model.bodies.list);
    for ((body, assembly), dof) in all.zip(&model.topology.body_dof) {
        // The velocity at the assembly's centre: v + omega x (from the body's own centre to it)
        let to_centre = body.orientation * -assembly.origin;
        let v = body.velocity + body.angular_velocity.cross(to_centre);
        state.velocity[*dof..dof + 3].copy_from_slice(&v.to_array());
        state.velocity[dof + 3..dof + 6].copy_from_slice(&body.angular_velocity.to_array());
    }
}

/// Velocities of what is welded, that belong to the bodies' velocities.
pub(super) fn first_rates(model: &Model, state: &mut State) {
    model.carry_velocities(&state.frames.orientation, &mut state.velocity);
}

/// Joints in the axes of their bodies.
pub(super) fn links(
    joints: &[Joint],
    topology: &Topology,
    initial: &Initial,
    bodies: &Assemblies,
) -> Vec<Link> {
    let masses: Vec<_> = bodies.list.iter().map(|a| (a.mass, a.size())).collect();
    let all = joints.iter().zip(&topology.joint_dof).enumerate();
    all.map(|(index, (joint, dof))| joint.link(&initial.bodies, &masses, [index, *dof]))
        .collect()
}

/// Obstacles, those on bodies in the axes of their bodies; `radii` of edges.
pub(super) fn ride(
    mut obstacles: Vec<Obstacle>,
    topology: &Topology,
    initial: &Initial,
    bodies: &Assemblies,
    radii: &[f64],
    q: &[f64],
) -> Vec<Obstacle> {
    for obstacle in &mut obstacles {
        if let Some(body) = obstacle.on {
            let (translation, rotation) = initial.bodies[body];
            let at = Pose {
                rotation,
                translation,
            };
            let assembly = (body, &bodies.list[body]);
            let riding = Riding::new(obstacle, assembly, at, (topology, q), radii);
            obstacle.riding = Some(Arc::new(riding));
        }
    }
    obstacles
}
