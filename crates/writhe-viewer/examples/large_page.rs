//! A page of 10 rods of 68 nodes over 2,500 frames, to measure how fast it loads and moves.
//!
//! `cargo run -p writhe-viewer --example large_page -- FILE`

use std::error::Error;
use std::f64::consts::TAU;

use writhe_viewer::{Block, Column, Field, Frame, Mark, Rod, Setting, page};

const RODS: usize = 10;
const NODES: usize = 68;
const FRAMES: usize = 2500;
const CONTACTS: usize = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("which file?")?;
    let names = ["curvature", "twist", "stretch", "speed", "force"];
    let setting = Setting {
        title: "large".into(),
        name: "large".into(),
        rods: vec![
            Rod {
                nodes: NODES,
                closed: false
            };
            RODS
        ],
        radius: vec![1e-3; RODS * (NODES - 1)],
        fields: names
            .map(|name| Field {
                name: name.into(),
                label: name.into(),
                unit: "1".into(),
                signed: name == "twist",
            })
            .to_vec(),
        columns: (0..60)
            .map(|i| Column {
                name: format!("column_{i}"),
                unit: "J".into(),
            })
            .collect(),
        ..Setting::default()
    };
    let mut block = Block::new(&setting);
    for frame in 0..FRAMES {
        push(&mut block, frame as f64 * 0.1);
    }
    std::fs::write(file, page(&setting, Some(&block.pack())))?;
    Ok(())
}

/// Helices that turn, side by side.
fn push(block: &mut Block, time: f64) {
    let point = |rod: usize, node: f64| {
        let around = TAU * rod as f64 / RODS as f64;
        let phase = TAU * (node / 16.0 - 0.25 * time);
        let [y, z] = [around.cos(), around.sin()].map(|x| 0.04 * x);
        [3e-3 * node, y + 0.01 * phase.cos(), z + 0.01 * phase.sin()]
    };
    let all = |count: usize| (0..RODS).flat_map(move |rod| (0..count).map(move |i| (rod, i)));
    let positions: Vec<_> = all(NODES).map(|(rod, i)| point(rod, i as f64)).collect();
    let directors: Vec<_> = all(NODES - 1)
        .map(|(_, i)| {
            let turn = 0.2 * i as f64 + time;
            [0.0, turn.cos(), turn.sin()]
        })
        .collect();
    let field = |k: usize| {
        all(NODES)
            .map(|(rod, i)| ((k + rod) as f64 + 0.1 * i as f64 + time).sin())
            .collect()
    };
    let marks: Vec<Mark> = (0..CONTACTS)
        .map(|i| Mark {
            points: [point(0, i as f64), point(1, i as f64)],
            rods: [0, 1],
            force: 1e-3 * i as f64,
            ..Mark::default()
        })
        .collect();
    let fields: Vec<Vec<f64>> = (0..5).map(field).collect();
    block.push(&Frame {
        time,
        positions: &positions,
        directors: &directors,
        fields: &fields,
        marks: &marks,
        poses: &[],
        holding: &[],
        flow: None,
    });
    block.push_row(time, (0..60).map(|i| (time + f64::from(i)).sin()));
}
