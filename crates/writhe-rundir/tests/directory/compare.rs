//! Two runs of the same rods, node by node.

use crate::common;
use common::{SCENE, layout};
use writhe_rundir::{
    Comparison, Frame, RodLayout, RunDirError, RunDirectory, RunLayout, RunReader,
};

/// A run with frames at `times` whose node `i` is at `x(time, i)` on the x axis.
fn run(
    layout: &RunLayout,
    times: &[f64],
    x: impl Fn(f64, usize) -> f64,
) -> (tempfile::TempDir, RunReader) {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("run");
    let mut run = RunDirectory::create(&path, layout, SCENE).unwrap();
    for &time in times {
        let positions: Vec<[f64; 3]> = (0..layout.nodes())
            .map(|i| [x(time, i), 0.0, 0.0])
            .collect();
        let extra: Vec<Vec<f64>> = layout
            .extra
            .iter()
            .map(|e| vec![0.0; layout.extra_length(e)])
            .collect();
        let extra: Vec<&[f64]> = extra.iter().map(Vec::as_slice).collect();
        let frame = Frame {
            time,
            positions: &positions,
            directors: &vec![[0.0; 3]; layout.edges()],
            extra: &extra,
            contacts: &[],
        };
        run.append(&frame, &vec![0.0; layout.observables.len()])
            .unwrap();
    }
    run.checkpoint(&0_u8).unwrap();
    let reader = RunReader::open(&path).unwrap();
    (place, reader)
}

/// Nodes of an open rod with edges of 1 and 2 mm have radii of 1, 1.5 and 2 mm; those of the ring
/// of 3 to 6 mm the means of theirs.
const RADII: [f64; 7] = [1e-3, 1.5e-3, 2e-3, 4.5e-3, 3.5e-3, 4.5e-3, 5.5e-3];

#[test]
fn the_mean_is_over_all_nodes_and_each_distance_over_the_radius_there() {
    let layout = layout(None);
    let (_keep, a) = run(&layout, &[0.0, 0.1, 0.2], |_, i| i as f64);
    let (_keep, b) = run(&layout, &[0.0, 0.2], |t, i| {
        i as f64 + if t > 0.0 { 1e-3 * i as f64 } else { 0.0 }
    });
    let found = Comparison::new(&a, &b).unwrap();
    assert_eq!(found.frames, [3, 2]);
    assert_eq!(found.differences().len(), 2);
    assert_eq!(found.differences()[0].mean, 0.0);
    let late = found.differences()[1];
    assert_eq!(late.time, 0.2);
    // (0 + 1 + .. + 6)/7 mm.
    assert!((late.mean - 3e-3).abs() < 1e-12);
    let wanted = (0..7)
        .map(|i| 1e-3 * f64::from(i) / RADII[i as usize])
        .sum::<f64>()
        / 7.0;
    assert!(
        (late.mean_radii / wanted - 1.0).abs() < 1e-9,
        "{} {wanted}",
        late.mean_radii
    );
    assert_eq!((late.largest.rod, late.largest.node), (1, 3));
    assert!((late.largest.distance - 6e-3).abs() < 1e-12);
    assert!((late.largest.radii - 6.0 / 5.5).abs() < 1e-9);
    assert_eq!(found.largest_mean().time, 0.2);
    assert_eq!(found.largest_node().time, 0.2);
}

#[test]
fn runs_that_cannot_be_compared_say_why() {
    let layout = layout(None);
    let still = |_: f64, i: usize| i as f64;
    let (_keep, a) = run(&layout, &[0.0, 1.0], still);
    let (_keep, late) = run(&layout, &[0.5, 1.5], still);
    let error = Comparison::new(&a, &late).unwrap_err();
    assert!(matches!(error, RunDirError::NoCommonTime { .. }));
    let message = error.to_string();
    assert!(
        message.contains("2 frames from 0 to 1 s") && message.contains("output.every"),
        "{message}"
    );

    let mut longer = layout.clone();
    longer.rods[0] = RodLayout {
        nodes: 4,
        closed: false,
    };
    longer.radius.push(1e-3);
    let (_keep, longer) = run(&longer, &[0.0], still);
    let message = Comparison::new(&a, &longer).unwrap_err().to_string();
    assert!(
        message.contains("rod 0 has 3 nodes in one, 4 in the other"),
        "{message}"
    );

    let mut fewer = layout.clone();
    fewer.rods.pop();
    fewer.radius.truncate(2);
    let (_keep, fewer) = run(&fewer, &[0.0], still);
    let message = Comparison::new(&a, &fewer).unwrap_err().to_string();
    assert!(
        message.contains("2 rods in one, 1 in the other"),
        "{message}"
    );

    let (_keep, empty) = run(&layout, &[], still);
    let message = Comparison::new(&a, &empty).unwrap_err().to_string();
    assert!(message.contains("no frame yet"), "{message}");
}
