use super::*;
use crate::measure::{bundle, rods};

struct Nobody;

impl Watch for Nobody {
    fn say(&mut self, _line: &str) {}
    fn step(&mut self, _name: &str, _time: f64, _end: f64) {}
    fn stop(&self) -> bool {
        false
    }
}

fn plan(name: &str, sets: &[&str], start: Start, end: End) -> RunPlan {
    let sets = sets.iter().copied().chain(["scene.edges=16"]);
    RunPlan {
        name: name.to_owned(),
        scene: "flagella",
        sets: sets.map(str::to_owned).collect(),
        start,
        end,
        every: 0.1,
    }
}

#[test]
fn a_step_that_cannot_be_made_ends_a_run_with_a_reason() {
    let place = tempfile::tempdir().unwrap();
    let sets = ["time.max_iterations=1", "time.smallest_step=0.02"];
    let plan = plan("stuck", &sets, Start::Rest, End::At(1.0));
    let run = complete(&plan, place.path(), &mut Nobody).unwrap();
    assert_eq!(run.summary.outcome, "stopped");
    assert!(
        run.summary.reason.contains("step"),
        "{}",
        run.summary.reason
    );
    assert!(run.counts.end < 1.0);
    // It is over: asking again does not run it again.
    let again = complete(&plan, place.path(), &mut Nobody).unwrap();
    assert_eq!(again.counts, run.counts);
}

#[test]
fn runs_go_on_from_the_last_state_without_contact() {
    let place = tempfile::tempdir().unwrap();
    let near = ["scene.side=4 mm"];
    let end = End::FirstContact { by: 60.0 };
    let before = plan("before", &near, Start::Rest, end);
    let start = Start::BeforeContact(Box::new(before.clone()));
    let sets = ["scene.side=4 mm", "time.step=0.002"];
    let after = plan("after", &sets, start, End::After(0.2));
    let after = complete(&after, place.path(), &mut Nobody).unwrap();
    let before = complete(&before, place.path(), &mut Nobody).unwrap();

    let last = rods(&before.reader, before.reader.frames() - 1).unwrap();
    assert_eq!(rods(&after.reader, 0).unwrap(), last);
    assert!(bundle(&last, 2.01e-3).contact.is_none());
    let contact = before.counts.first_contact.unwrap();
    assert!(contact > before.counts.end);
    assert_eq!(before.counts.statistics.contact_steps, 0);
    assert!(after.counts.statistics.contact_steps > 0);
    assert_eq!(after.counts.start, before.counts.end);
    assert!((after.counts.end - after.counts.start - 0.2).abs() < 1e-12);
}

#[test]
fn a_run_without_contact_starts_none() {
    let place = tempfile::tempdir().unwrap();
    let before = plan("before", &[], Start::Rest, End::FirstContact { by: 0.2 });
    let start = Start::BeforeContact(Box::new(before));
    let after = plan("after", &[], start, End::After(0.2));
    assert!(matches!(
        complete(&after, place.path(), &mut Nobody),
        Err(ReproduceError::NoContact { .. })
    ));
}

#[test]
fn counts_without_processor_time_are_read_again() {
    let counts = Counts {
        statistics: Statistics::default(),
        start: 0.0,
        end: 1.0,
        first_contact: None,
        cpu: f64::NAN,
        cost: vec![Cost {
            time: 1.0,
            steps: 3,
            iterations: 4,
            cpu: f64::NAN,
        }],
    };
    let stored = serde_json::to_value(&counts).unwrap();
    let read: Counts = serde_json::from_value(stored).unwrap();
    assert!(read.cpu.is_nan() && read.cost[0].cpu.is_nan());
    assert_eq!((read.end, read.cost[0].steps), (1.0, 3));
}

#[test]
fn runs_go_on_where_another_ended_and_end_where_the_scene_says() {
    let place = tempfile::tempdir().unwrap();
    let knot = |name: &str, set: &str, start: Start, end: End| RunPlan {
        scene: "knot",
        sets: [
            "scene.edges=80",
            "scene.rod_radius=0.004",
            "scene.end_distance=0.6",
            "time.step=0.01",
            set,
        ]
        .map(str::to_owned)
        .to_vec(),
        ..plan(name, &[], start, end)
    };
    let pulled = "scene.schedule=[{ for = 1.0, speed = 0.1 }]";
    let settled = knot("settled", pulled, Start::Rest, End::At(0.0));
    let first = knot(
        "first",
        pulled,
        Start::EndOf(Box::new(settled.clone())),
        End::At(0.15),
    );
    // Whoever goes on may make other steps, and is done when its scene says so.
    let second = RunPlan {
        sets: [first.sets.clone(), vec!["stop.force=0.01".to_owned()]].concat(),
        ..knot(
            "second",
            pulled,
            Start::EndOf(Box::new(first.clone())),
            End::After(10.0),
        )
    };
    // In two parts.
    let half = RunPlan {
        name: "half".to_owned(),
        end: End::At(0.07),
        ..first.clone()
    };
    let rest = RunPlan {
        name: "rest".to_owned(),
        start: Start::GoingOn(Box::new(half)),
        ..first.clone()
    };
    let run = |plan: &RunPlan| complete(plan, place.path(), &mut Nobody).unwrap();
    let (second, rest) = (run(&second), run(&rest));
    let (settled, first) = (run(&settled), run(&first));
    let last = |run: &FinishedRun| rods(&run.reader, run.reader.frames() - 1).unwrap();
    assert_eq!(settled.reader.frames(), 1);
    assert_eq!(rods(&first.reader, 0).unwrap(), last(&settled));
    assert_eq!(rods(&second.reader, 0).unwrap(), last(&first));
    assert_eq!(second.counts.start, first.counts.end);
    // Contact remembers too: in two parts it is the same run, to rounding of the time.
    let (whole, parts) = (last(&first), last(&rest));
    for (a, b) in whole[0].iter().zip(&parts[0]) {
        assert!(a.distance(*b) < 1e-10, "{a} {b}");
    }
    assert_eq!(second.summary.outcome, "finished");
    let reason = &second.summary.reason;
    assert!(reason.contains("`stop.force`"), "{reason}");
    assert!(second.counts.end < 2.0);
    // It was in equilibrium: nothing moves but what is pulled.
    let kinetic = &settled.reader.observable("energy_kinetic").unwrap().values;
    assert_eq!(kinetic[0], 0.0);
}
