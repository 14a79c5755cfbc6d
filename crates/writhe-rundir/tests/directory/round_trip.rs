//! What is written is read back, during the run, after it, and after an export.

use crate::common;
use crate::npz;
use std::fs;

use common::{SCENE, START, append, fast_place, layout, run, values};
use writhe_rundir::{Frame, export_csv, export_npz};
use writhe_rundir::{RodLayout, RunDirError, RunDirectory, RunLayout, RunReader, RunSummary};

#[test]
fn frames_and_observables_read_back_exactly() {
    let place = fast_place();
    let path = place.path().join("run");
    run(&path, 3, 8, 100);
    let reader = RunReader::open(&path).unwrap();

    assert_eq!(reader.frames(), 8);
    assert_eq!(reader.layout(), &layout(Some(3)));
    assert_eq!(reader.scene_toml(), SCENE);
    assert_eq!(reader.summary(), Some(&common::summary(8)));
    let mut state = START;
    for index in 0..8 {
        let expected = values(&state);
        let frame = reader.frame(index).unwrap();
        assert_eq!(frame.time, expected.time);
        assert_eq!(frame.positions, expected.positions);
        assert_eq!(frame.directors, expected.directors);
        assert_eq!(frame.extra["tension"], expected.extra[0]);
        assert_eq!(frame.extra["body_pose"], expected.extra[1]);
        assert_eq!(frame.extra["dt"], expected.extra[2]);
        assert_eq!(reader.times().unwrap()[index], expected.time);
        assert_eq!(reader.observable("t").unwrap().values[index], expected.time);
        assert_eq!(
            reader.observable("energy_stretch").unwrap().values[index],
            expected.observables[0]
        );
        state.step();
    }
    assert_eq!(reader.observable("energy_stretch").unwrap().unit, "J");
    assert!(matches!(
        reader.positions(8),
        Err(RunDirError::NoSuchFrame {
            index: 8,
            frames: 8
        })
    ));
    let unknown = reader.array("tensoin", 0).unwrap_err().to_string();
    assert!(unknown.contains("tension"), "{unknown}");
}

#[test]
fn a_run_in_progress_shows_whole_frames_only() {
    let place = fast_place();
    let path = place.path().join("run");
    let mut run = RunDirectory::create(&path, &layout(Some(3)), SCENE).unwrap();
    let frames = || RunReader::open(&path).unwrap().frames();
    let mut state = START;
    let mut next = |run: &mut RunDirectory| {
        append(run, &state).unwrap();
        state.step();
    };

    assert_eq!(frames(), 0);
    (0..3).for_each(|_| next(&mut run));
    assert_eq!(frames(), 0, "the chunk is in memory");
    next(&mut run);
    assert_eq!(frames(), 3, "the next frame flushes the full chunk");
    run.checkpoint(&1_u8).unwrap();
    assert_eq!(frames(), 4);

    let observables = path.join("observables.csv");
    let mut text = fs::read_to_string(&observables).unwrap();
    text.truncate(text.len() - 3);
    fs::write(&observables, text).unwrap();
    assert_eq!(frames(), 3, "the last row is torn");
    assert!(RunReader::open(&path).unwrap().summary().is_none());
}

#[test]
fn a_scene_without_rods_or_observables_is_a_run_too() {
    let place = fast_place();
    let path = place.path().join("run");
    let mut run = RunDirectory::create(&path, &RunLayout::default(), "").unwrap();
    for time in [0.0, 0.5] {
        run.append(
            &Frame {
                time,
                positions: &[],
                directors: &[],
                extra: &[],
                contacts: &[],
            },
            &[],
        )
        .unwrap();
    }
    run.checkpoint(&()).unwrap();
    drop(run);
    let (run, ()) = RunDirectory::resume(&path).unwrap();
    assert_eq!(run.frames(), 2);
    let reader = RunReader::open(&path).unwrap();
    assert_eq!(reader.times().unwrap(), [0.0, 0.5]);
    assert!(reader.positions(1).unwrap().is_empty());
}

#[test]
fn default_chunks_hold_many_frames_and_resume() {
    let place = fast_place();
    let path = place.path().join("run");
    let layout = RunLayout {
        rods: vec![RodLayout {
            nodes: 1000,
            closed: false,
        }],
        radius: vec![1.0; 999],
        ..RunLayout::default()
    };
    let directors = vec![[1.0, 0.0, 0.0]; 999];
    let mut run = RunDirectory::create(&path, &layout, "").unwrap();
    for i in 0..50 {
        let positions = vec![[f64::from(i), 0.0, 0.0]; 1000];
        let frame = Frame {
            time: f64::from(i),
            positions: &positions,
            directors: &directors,
            extra: &[],
            contacts: &[],
        };
        run.append(&frame, &[]).unwrap();
    }
    run.checkpoint(&50).unwrap();
    drop(run);
    assert_eq!(RunDirectory::resume::<i32>(&path).unwrap().1, 50);
    let size = fs::metadata(path.join("trajectory.zarr/positions/c/0/0/0"))
        .unwrap()
        .len();
    assert!((900_000..=1 << 20).contains(&size), "{size}");
    assert_eq!(
        RunReader::open(&path).unwrap().positions(47).unwrap()[999],
        [47.0, 0.0, 0.0]
    );
}

#[test]
fn the_summary_keeps_fields_it_does_not_know() {
    let place = fast_place();
    let path = place.path().join("run");
    let mut run = RunDirectory::create(&path, &RunLayout::default(), "").unwrap();
    let summary = RunSummary {
        outcome: "stopped".into(),
        reason: "knot is tight".into(),
        simulated_s: 0.1 + 0.2,
        first_contact_s: Some(0.25),
        crossings: 1,
        phases_s: [("contact".to_owned(), 1.5)].into(),
        extra: [("dt_smallest_s".to_owned(), 1e-6.into())].into(),
        ..RunSummary::default()
    };
    run.finish(&summary).unwrap();
    assert_eq!(RunReader::open(&path).unwrap().summary(), Some(&summary));
    let json = fs::read_to_string(path.join("summary.json")).unwrap();
    assert!(json.contains("\"dt_smallest_s\": 1e-6"), "{json}");

    run.finish(&RunSummary {
        wall_s: f64::NAN,
        ..summary
    })
    .unwrap();
    assert!(
        RunReader::open(&path)
            .unwrap()
            .summary()
            .unwrap()
            .wall_s
            .is_nan()
    );
}

#[test]
fn the_log_only_grows() {
    let place = fast_place();
    let path = place.path().join("run");
    let mut run = RunDirectory::create(&path, &RunLayout::default(), "").unwrap();
    run.log("began").unwrap();
    run.checkpoint(&0).unwrap();
    run.log("went on").unwrap();
    drop(run);
    let (run, _) = RunDirectory::resume::<i32>(&path).unwrap();
    run.log("resumed").unwrap();
    assert_eq!(
        fs::read_to_string(path.join("log.txt")).unwrap(),
        "began\nwent on\nresumed\n"
    );
}

#[test]
fn csv_export_is_one_row_per_node_and_frame() {
    let place = fast_place();
    let (path, out) = (place.path().join("run"), place.path().join("out/csv"));
    run(&path, 3, 4, 2);
    export_csv(&path, &out).unwrap();
    export_csv(&path, &out).unwrap();

    let nodes = fs::read_to_string(out.join("nodes.csv")).unwrap();
    let rows: Vec<&str> = nodes.lines().collect();
    assert_eq!(rows[0], "t [s],rod,node,x [m],y [m],z [m]");
    assert_eq!(rows.len(), 1 + 4 * 7);
    let cells: Vec<f64> = rows[1 + 7 + 3]
        .split(',')
        .map(|cell| cell.parse().unwrap())
        .collect();
    let mut second = START;
    second.step();
    let [x, y, z] = values(&second).positions[3];
    assert_eq!(cells, [1.0 / 30.0, 1.0, 0.0, x, y, z]);

    let exported = fs::read(out.join("observables.csv")).unwrap();
    assert_eq!(exported, fs::read(path.join("observables.csv")).unwrap());
}

#[test]
fn npz_export_reads_back_with_another_implementation() {
    let place = fast_place();
    let (path, out) = (place.path().join("run"), place.path().join("run.npz"));
    run(&path, 3, 5, 2);
    export_npz(&path, &out).unwrap();

    let bytes = fs::read(&out).unwrap();
    let archive = npz::arrays(&bytes);
    let mut names: Vec<String> = archive.keys().cloned().collect();
    names.sort();
    let mut expected = vec![
        "time",
        "positions",
        "directors",
        "radius",
        "rod_first_node",
        "rod_nodes",
        "rod_edges",
    ];
    expected.extend([
        "rod_closed",
        "tension",
        "body_pose",
        "dt",
        "energy_stretch",
        "linking_number",
    ]);
    expected.sort();
    assert_eq!(names, expected);

    let positions = &archive["positions"];
    assert_eq!(positions.shape, [5, 7, 3]);
    let positions = positions.numbers("<f8", f64::from_le_bytes);
    let reader = RunReader::open(&path).unwrap();
    assert_eq!(
        positions[4 * 21..],
        *reader.positions(4).unwrap().as_flattened()
    );
    let first = archive["rod_first_node"].numbers("<i8", i64::from_le_bytes);
    assert_eq!(first, [0, 3]);
    let closed = archive["rod_closed"].numbers("|i1", i8::from_le_bytes);
    assert_eq!(closed, [0, 1]);
    let energy = archive["energy_stretch"].numbers("<f8", f64::from_le_bytes);
    assert_eq!(energy, reader.observable("energy_stretch").unwrap().values);
}
