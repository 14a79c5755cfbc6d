//! What a run does: changes to a scene, where it starts, when it ends.

use writhe_rundir::Outputs;

/// A run, named by what it does.
#[derive(Debug, Clone, PartialEq)]
pub struct RunPlan {
    /// Name of its run directory.
    pub name: String,
    /// Name of the scene: one with a template, or `choi2021`.
    pub scene: &'static str,
    /// Changes to the scene, as for `--set`.
    pub sets: Vec<String>,
    /// Where it starts.
    pub start: Start,
    /// When it ends.
    pub end: End,
    /// Simulated time between frames, s.
    pub every: f64,
}

/// Where a run starts.
#[derive(Debug, Clone, PartialEq)]
pub enum Start {
    /// At rest, at t = 0; in static equilibrium if the scene asks for it.
    Rest,
    /// At the last state of another run, of which contact remembers nothing.
    EndOf(Box<RunPlan>),
    /// Where another run of the same model ends: it goes on as if there had been no end.
    GoingOn(Box<RunPlan>),
    /// At the last state of another run that ends at first contact.
    BeforeContact(Box<RunPlan>),
}

/// When a run ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum End {
    /// At this time, s.
    At(f64),
    /// After this time, s.
    After(f64),
    /// With the last state without contact; at this time, s, if there is none.
    FirstContact {
        /// Latest end, s.
        by: f64,
    },
}

impl RunPlan {
    /// When frames are written by a run that starts at `start`, s.
    pub(crate) fn outputs(&self, start: f64) -> Outputs {
        let end = match self.end {
            End::At(time) | End::FirstContact { by: time } => time,
            End::After(time) => start + time,
        };
        Outputs::new(self.every, start, end)
    }

    /// Everything that makes this run what it is, in one line. Defaults of the scene are not in it:
    /// a run of an earlier version of the program is the same run.
    pub fn identity(&self) -> String {
        let start = match &self.start {
            Start::Rest => "rest".to_owned(),
            Start::EndOf(before) => format!("end of [{}]", before.identity()),
            Start::GoingOn(before) => format!("going on from [{}]", before.identity()),
            Start::BeforeContact(before) => {
                format!("last state before contact of [{}]", before.identity())
            }
        };
        let end = match self.end {
            End::At(time) => format!("at {time} s"),
            End::After(time) => format!("after {time} s"),
            End::FirstContact { by } => format!("at first contact or {by} s"),
        };
        format!(
            "{} with {}; start: {start}; end: {end}; frames: {} s",
            self.scene,
            self.sets.join(", "),
            self.every
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_start_is_another_run() {
        let before = RunPlan {
            name: "a".into(),
            scene: "flagella",
            sets: vec!["scene.count=2".into()],
            start: Start::Rest,
            end: End::FirstContact { by: 80.0 },
            every: 0.5,
        };
        let after = RunPlan {
            start: Start::BeforeContact(Box::new(before.clone())),
            end: End::After(10.0),
            ..before.clone()
        };
        let from_rest = RunPlan {
            start: Start::Rest,
            ..after.clone()
        };
        assert_ne!(after.identity(), from_rest.identity());
        assert!(after.identity().contains(&before.identity()));
        let end_of = RunPlan {
            start: Start::EndOf(Box::new(before.clone())),
            ..after.clone()
        };
        let going_on = RunPlan {
            start: Start::GoingOn(Box::new(before.clone())),
            ..after.clone()
        };
        let other_scene = RunPlan {
            scene: "knot",
            ..after.clone()
        };
        assert_ne!(end_of.identity(), after.identity());
        assert_ne!(end_of.identity(), going_on.identity());
        assert_ne!(other_scene.identity(), after.identity());
    }
}
