//! What a run does: changes to the scene `flagella`, where it starts, when it ends.

/// A run, named by what it does.
#[derive(Debug, Clone, PartialEq)]
pub struct RunPlan {
    /// Name of its run directory.
    pub name: String,
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
    /// At rest, at t = 0.
    Rest,
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
    /// Everything that makes this run what it is, in one line. Defaults of the scene are not in it: a run of an earlier version of the
    /// program is the same run.
    pub fn identity(&self) -> String {
        let start = match &self.start {
            Start::Rest => "rest".to_owned(),
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
            "flagella with {}; start: {start}; end: {end}; frames: {} s",
            self.sets.join(", "),
            self.every
        )
    }
}

/// When frames are written: at multiples of `every` after the start, and at the end. Each time comes from its index, so that a resumed run
/// has the same bits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Grid {
    every: f64,
    end: f64,
}

/// Part of an interval below which two times are the same.
const SAME: f64 = 1e-9;

impl Grid {
    pub(crate) fn new(every: f64, end: f64) -> Self {
        Self { every, end }
    }

    /// Index of the first output after `time`, s.
    pub(crate) fn after(&self, time: f64) -> u64 {
        ((time / self.every + SAME).floor() + 1.0).max(0.0) as u64
    }

    /// Time of an output, s; never after the end.
    pub(crate) fn time(&self, index: u64) -> f64 {
        let time = index as f64 * self.every;
        if time > self.end - SAME * self.every {
            self.end
        } else {
            time
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_end_with_the_end() {
        let grid = Grid::new(0.1, 0.75);
        let first = grid.after(0.43);
        let times: Vec<f64> = (first..first + 5).map(|i| grid.time(i)).collect();
        assert_eq!(times, [0.5, 6.0 * 0.1, 7.0 * 0.1, 0.75, 0.75]);
        assert_eq!(grid.after(0.0), 1);
        assert_eq!(Grid::new(0.1, 0.3).time(3), 0.3);
        assert_eq!(grid.after(3.0 * 0.1), 4);
    }

    #[test]
    fn another_start_is_another_run() {
        let before = RunPlan {
            name: "a".into(),
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
    }
}
