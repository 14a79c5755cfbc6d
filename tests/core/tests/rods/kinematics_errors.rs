//! Configurations that no frame can follow are told by rod, and by edge or node within the rod.

use glam::DVec3;
use writhe::rod::kinematics::KinematicsError;
use writhe::rod::{Frames, Kinematics, Topology};

/// Rods of 10 and 20 edges along x, and the second one's frames; `change` moves its nodes.
fn updated(change: impl Fn(usize, DVec3) -> DVec3) -> Result<(), KinematicsError> {
    let mut topology = Topology::default();
    topology.push(11, false);
    topology.push(21, false);
    let start = Frames {
        tangent: vec![DVec3::X; 30],
        director: vec![DVec3::Y; 30],
        twist: vec![0.0; topology.vertices()],
        orientation: Vec::new(),
    };
    let mut q = vec![0.0; topology.dofs];
    for node in 0..topology.nodes() {
        let [rod, local] = topology.node_in_rod(node);
        let straight = DVec3::new(local as f64, rod as f64, 0.0);
        let x = if rod == 1 {
            change(local, straight)
        } else {
            straight
        };
        let dof = topology.node_dof[node];
        q[dof..dof + 3].copy_from_slice(&x.to_array());
    }
    Kinematics::default().update(&topology, &start, &q)
}

#[test]
fn edges_and_nodes_are_counted_within_their_rod() {
    assert_eq!(updated(|_, x| x), Ok(()));
    // The last edge points backwards, a little aside.
    let turned = updated(|node, x| match node {
        20 => DVec3::new(18.0, 1.05, 0.0),
        _ => x,
    });
    assert_eq!(turned, Err(KinematicsError::TurnedTooFar { edge: [1, 19] }));
    let told = turned.unwrap_err().to_string();
    assert!(told.starts_with("edge 19 of rod 1 turned"), "{told}");
    let collapsed = updated(|node, x| match node {
        4 => DVec3::new(3.0, 1.0, 0.0),
        _ => x,
    });
    let told = collapsed.unwrap_err().to_string();
    assert!(
        told.starts_with("edge 3 of rod 1 has no direction"),
        "{told}"
    );
}
