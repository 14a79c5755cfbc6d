//! All rows. Figures of other programs and aims are those of one machine, with one thread: the
//! authors' flagella program as shipped and their knot program in its sparse build (Tong et al.
//! 2022, Choi et al. 2021), and PyElastica.

use crate::row::{Per, Row, Source};
use crate::scenes;

const AUTHORS: &str = "the authors' program";
const PYELASTICA: &str = "PyElastica, 200 GPa";

/// The rows, in the order of the table.
pub fn all() -> Vec<Row> {
    let mut rows = flagella();
    rows.extend(knots());
    rows.extend(cantilevers());
    rows.extend(tangles());
    rows.extend(threads());
    rows
}

/// The rows whose names begin with `name`; a whole name means that row alone.
pub fn named(name: &str) -> Vec<Row> {
    let all = all();
    if let Some(row) = all.iter().find(|row| row.name == name) {
        return vec![row.clone()];
    }
    let begins = |row: &Row| row.name.starts_with(name);
    all.into_iter().filter(begins).collect()
}

fn flagella() -> Vec<Row> {
    let implicit = |name, what, count, window, other: f64, before, ratio: f64| Row {
        name: str::to_owned(name),
        what: str::to_owned(what),
        scene: Source::Text(scenes::flagella(count)),
        per: Per::Run,
        step: 0.02,
        window,
        whole: 250.0,
        other: Some((other, AUTHORS)),
        before: Some(before),
        wanted: Some(other / ratio),
    };
    let lagged = |name, what, count, window, other: f64, before| Row {
        name: str::to_owned(name),
        what: str::to_owned(what),
        scene: Source::Text(scenes::lagged_flagella(count)),
        per: Per::Step,
        step: 1e-3,
        window,
        whole: 10.0,
        other: Some((other, AUTHORS)),
        before: Some(before),
        wanted: Some(other / 10.0),
    };
    vec![
        implicit(
            "flagella-2",
            "2 flagella, 64 edges, 250 s by 20 ms",
            2,
            8.0,
            2255.0,
            46.0,
            80.0,
        ),
        implicit("flagella-3", "3 flagella", 3, 6.0, 4740.0, 73.0, 90.0),
        implicit("flagella-5", "5 flagella", 5, 2.0, 12_900.0, 264.0, 100.0),
        implicit(
            "flagella-10",
            "10 flagella",
            10,
            0.6,
            69_800.0,
            1360.0,
            120.0,
        ),
        lagged(
            "lagged-2",
            "2 flagella by the authors' method, 1 ms",
            2,
            0.5,
            9.0e-3,
            1.34e-3,
        ),
        lagged(
            "lagged-10",
            "10 flagella by the authors' method",
            10,
            0.04,
            279e-3,
            36e-3,
        ),
    ]
}

fn knots() -> Vec<Row> {
    let pull = |name, what, n, window, other, before, wanted| Row {
        name: str::to_owned(name),
        what: str::to_owned(what),
        scene: Source::Text(scenes::knot(n)),
        per: Per::Run,
        step: 0.01,
        window,
        whole: WHOLE_PULL,
        other: Some((other, AUTHORS)),
        before: Some(before),
        wanted: Some(wanted),
    };
    let iteration = |name, what, (end_distance, contact), before, wanted| Row {
        name: str::to_owned(name),
        what: str::to_owned(what),
        scene: Source::Text(scenes::pulled_knot(end_distance, contact)),
        per: Per::Iteration,
        step: 0.01,
        window: 1.0,
        whole: 10.0,
        other: None,
        before: Some(before),
        wanted: Some(wanted),
    };
    vec![
        pull(
            "knot-1",
            "knot n = 1, whole pull by 10 ms",
            1,
            4.0,
            240.0,
            22.0,
            10.0,
        ),
        pull("knot-4", "knot n = 4", 4, 3.0, 500.0, 86.0, 25.0),
        iteration(
            "newton-free",
            "301 nodes, a loose loop without contact",
            (0.33, "none"),
            0.65e-3,
            0.12e-3,
        ),
        iteration(
            "newton-tight",
            "301 nodes, a tight knot",
            (0.86, "imc"),
            1.2e-3,
            0.4e-3,
        ),
    ]
}

/// Simulated time of the named scene's pull, s.
const WHOLE_PULL: f64 = 57.83;

fn cantilevers() -> Vec<Row> {
    let bends = |name, what, young, other| Row {
        name: str::to_owned(name),
        what: str::to_owned(what),
        scene: Source::Text(scenes::cantilever(young)),
        per: Per::Second,
        step: 5e-3,
        window: 2.0,
        whole: 5.0,
        other,
        before: Some(0.075),
        wanted: Some(0.02),
    };
    vec![
        bends(
            "cantilever-1MPa",
            "cantilever of 50 edges by 5 ms, with frames",
            1e6,
            None,
        ),
        bends(
            "cantilever-200GPa",
            "cantilever of 200 GPa",
            200e9,
            Some((46.6, PYELASTICA)),
        ),
        bends("cantilever-1TPa", "cantilever of 1 TPa", 1e12, None),
        Row {
            name: "frame-4000".to_owned(),
            what: "one frame of a cantilever of 4,000 edges".to_owned(),
            scene: Source::Text(scenes::fine_cantilever()),
            per: Per::Frame,
            step: 5e-3,
            window: 0.2,
            whole: 1.0,
            other: None,
            before: Some(2.7),
            wanted: Some(2e-3),
        },
    ]
}

fn tangles() -> Vec<Row> {
    vec![
        Row {
            name: "heap".to_owned(),
            what: "100 crossed rods of 100 nodes on a floor, friction .3, 2 ms".to_owned(),
            scene: Source::Text(scenes::heap()),
            per: Per::Step,
            step: 2e-3,
            window: 8e-3,
            whole: 0.1,
            other: None,
            before: Some(14.5),
            wanted: Some(1.0),
        },
        Row {
            name: "hairs".to_owned(),
            what: "50 curly hairs of 60 edges fall on a table, 1 ms".to_owned(),
            scene: Source::Text(scenes::hairs()),
            per: Per::Second,
            step: 1e-3,
            // They land after some 40 ms.
            window: 0.1,
            whole: 1.0,
            other: None,
            before: None,
            wanted: Some(900.0),
        },
    ]
}

fn threads() -> Vec<Row> {
    let twice = |name, what, scene, step, window, before, wanted| Row {
        name: str::to_owned(name),
        what: str::to_owned(what),
        scene: Source::Text(scene),
        per: Per::Threads,
        step,
        window,
        whole: 4.0 * window,
        other: None,
        before: Some(before),
        wanted: Some(wanted),
    };
    let flagella = scenes::flagella;
    vec![
        twice("threads-2", "2 flagella", flagella(2), 0.02, 6.0, 1.0, 1.15),
        twice(
            "threads-10",
            "10 flagella",
            flagella(10),
            0.02,
            0.4,
            1.43,
            1.8,
        ),
        twice(
            "threads-100",
            "100 flagella",
            flagella(100),
            0.02,
            0.04,
            1.46,
            1.9,
        ),
        twice(
            "threads-heap",
            "the heap",
            scenes::heap(),
            2e-3,
            6e-3,
            1.0,
            1.7,
        ),
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use writhe_scenes::Scene;

    use super::*;

    #[test]
    fn names_differ_and_are_found() {
        let names: BTreeSet<_> = all().into_iter().map(|row| row.name).collect();
        assert_eq!(names.len(), all().len());
        assert_eq!(named("knot-1").len(), 1);
        assert_eq!(named("knot").len(), 2);
        assert!(named("nought").is_empty());
    }

    fn parsed(row: &Row) -> Scene {
        match &row.scene {
            Source::Text(text) => Scene::parse(text, &row.name).unwrap(),
            Source::File { path, .. } => panic!("a file: {}", path.display()),
        }
    }

    #[test]
    fn scenes_are_what_their_rows_say() {
        for row in all() {
            let scene = parsed(&row);
            let setup = scene.build().unwrap();
            assert_eq!(setup.step.dt, row.step, "{}", row.name);
            // A window has several steps, so that one can be taken off for the start.
            assert!(
                row.window >= 2.0 * row.step && row.window <= row.whole,
                "{}",
                row.name
            );
            let duration = setup.duration;
            let whole = row.per != Per::Run || (duration - row.whole).abs() < 0.01;
            assert!(whole, "{}: {duration} s", row.name);
        }
    }

    #[test]
    fn tangles_have_the_rods_that_their_rows_say() {
        let of = |name: &str| {
            let scene = parsed(&named(name)[0]);
            let setup = scene.build().unwrap();
            let topology = &setup.model.topology;
            (topology.rods.len(), topology.nodes())
        };
        assert_eq!(of("heap"), (100, 10_000));
        assert_eq!(of("hairs"), (50, 50 * 61));
    }
}
