//! The runs of T22's flagella that experiments share.
//!
//! All are of the scene `flagella`, which has the numbers of the authors' program (15 rpm, 1 Pa s,
//! 1e4 kg/m^3; those printed in the paper contradict its Reynolds number, decision 0004).

use crate::bench::Span;
use crate::paper;
use crate::plan::{End, RunPlan, Start};

/// The step that we advise, s: that of the scene, with implicit drag and the fitted scheme.
const ADVISED_STEP: f64 = 0.02;
/// Simulated time after first contact in steps of 1 ms, s.
const MEASURED: f64 = 10.0;
/// The same of a quick run, s.
const MEASURED_QUICK: f64 = 0.3;
/// End of a quick run of the whole, s.
const WHOLE_QUICK: f64 = 32.0;
/// First contact must come before this time, s.
const LATEST_CONTACT: f64 = 120.0;
/// Where a run at the advised step gives up, s: nothing moves visibly in a step so small.
const SMALLEST_STEP: f64 = 1e-6;

/// What is varied.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Case {
    /// Number of flagella M.
    pub count: usize,
    /// Contact model, as in a scene.
    pub model: &'static str,
    /// Friction coefficient in tenths.
    pub friction_tenths: usize,
    /// Whether equations are solved to a tolerance 100 times tighter.
    pub tight: bool,
}

impl Case {
    /// `count` flagella with the Implicit Contact Model, no friction, the default tolerance.
    pub(super) fn new(count: usize) -> Self {
        Self {
            count,
            model: "imc",
            friction_tenths: 0,
            tight: false,
        }
    }

    /// Two flagella with this friction coefficient, in tenths.
    pub(super) fn with_friction(friction_tenths: usize) -> Self {
        Self {
            friction_tenths,
            ..Self::new(2)
        }
    }

    /// Friction coefficient mu.
    pub(super) fn friction(&self) -> f64 {
        self.friction_tenths as f64 / 10.0
    }

    /// Its name among cases that differ in friction.
    pub(super) fn friction_name(&self) -> String {
        format!("mu{:.1}", self.friction())
    }

    /// Tolerance of Newton's method, both on corrections and on the residual.
    pub(super) fn tolerance(&self) -> f64 {
        if self.tight { 1e-8 } else { 1e-6 }
    }

    fn sets(&self) -> Vec<String> {
        let mut sets = vec![
            format!("scene.count={}", self.count),
            format!("contact.model={}", self.model),
        ];
        if self.friction_tenths > 0 {
            sets.push(format!("contact.friction={}", self.friction()));
            // T22's friction sees centrelines only.
            sets.push("contact.friction_on_twist=false".to_owned());
        }
        for key in ["tolerance", "residual_tolerance"] {
            sets.push(format!("time.{key}={:e}", self.tolerance()));
        }
        sets
    }

    fn name(&self) -> String {
        let friction = match self.friction_tenths {
            0 => String::new(),
            _ => format!("-{}", self.friction_name()),
        };
        let tight = if self.tight { "-tight" } else { "" };
        format!("m{}-{}{friction}{tight}", self.count, self.model)
    }
}

/// From rest to first contact at the advised step: the same for every contact model and friction.
pub(super) fn approach(count: usize) -> RunPlan {
    RunPlan {
        name: format!("m{count}-approach"),
        scene: "flagella",
        sets: vec![format!("scene.count={count}")],
        start: Start::Rest,
        end: End::FirstContact { by: LATEST_CONTACT },
        every: 0.5,
    }
}

fn before_contact(count: usize) -> Start {
    Start::BeforeContact(Box::new(approach(count)))
}

/// From first contact as the papers do it: steps of 1 ms, backward Euler, drag of the start of the
/// step.
pub(super) fn paper_steps(case: &Case, span: Span) -> RunPlan {
    let mut sets = case.sets();
    sets.push(format!("time.step={}", paper::STEP));
    sets.push("time.scheme=backward-euler".to_owned());
    sets.push("fluid.coupling=lagged".to_owned());
    RunPlan {
        name: format!("{}-1ms{}", case.name(), span.suffix()),
        scene: "flagella",
        sets,
        start: before_contact(case.count),
        end: End::After(span.choose(MEASURED, MEASURED_QUICK)),
        every: span.choose(0.1, 0.02),
    }
}

/// From first contact to the end of the papers' runs at the advised step.
pub(super) fn whole(case: &Case, span: Span) -> RunPlan {
    let mut sets = case.sets();
    sets.push(format!("time.step={ADVISED_STEP}"));
    sets.push(format!("time.smallest_step={SMALLEST_STEP}"));
    RunPlan {
        name: format!("{}-whole{}", case.name(), span.suffix()),
        scene: "flagella",
        sets,
        start: before_contact(case.count),
        end: End::At(span.choose(paper::DURATION, WHOLE_QUICK)),
        every: 0.5,
    }
}

/// When the bundle of a case is looked at in the papers' steps, s.
const BUNDLED: f64 = 200.0;
/// For how long, s.
const LOOKED_AT: f64 = 2.0;

/// As [`paper_steps`], from the tight bundle that the case has wound at [`BUNDLED`].
pub(super) fn in_the_bundle(case: &Case, span: Span) -> RunPlan {
    let steps = paper_steps(case, span);
    let wound = whole(case, span);
    let before = RunPlan {
        name: format!("{}-until-{BUNDLED}s", wound.name),
        end: End::At(span.choose(BUNDLED, WHOLE_QUICK)),
        ..wound
    };
    RunPlan {
        name: format!("{}-bundle", steps.name),
        start: Start::EndOf(Box::new(before)),
        end: End::After(span.choose(LOOKED_AT, MEASURED_QUICK)),
        ..steps
    }
}

/// A run of a case that a row of a table is about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct CaseRun {
    pub case: Case,
    pub part: Part,
}

/// What of a case is run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Part {
    /// All of it, at the advised step.
    Whole,
    /// What follows first contact, in the papers' steps.
    FirstContact,
    /// A while in the bundle, in the papers' steps.
    Bundle,
}

impl CaseRun {
    pub(super) fn is_whole(&self) -> bool {
        self.part == Part::Whole
    }

    pub(super) fn plan(&self, span: Span) -> RunPlan {
        match self.part {
            Part::Whole => whole(&self.case, span),
            Part::FirstContact => paper_steps(&self.case, span),
            Part::Bundle => in_the_bundle(&self.case, span),
        }
    }

    /// Its time step, ms.
    pub(super) fn step_ms(&self) -> f64 {
        1e3 * if self.is_whole() {
            ADVISED_STEP
        } else {
            paper::STEP
        }
    }
}
