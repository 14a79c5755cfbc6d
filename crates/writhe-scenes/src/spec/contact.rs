//! Contact between rods.

use serde::Serialize;

use super::subsection;
use crate::error::SceneError;
use crate::tree::{
    At, Bound, Keys, Kind, Known, Measured, POSITIVE, Read, Section, Value, choice, described,
    keys, section, words,
};
use crate::units::{Length, Moment, Number, Speed};

words! {
    /// Which contact model.
    pub enum ContactKind {
        /// Implicit Contact Model: a penalty that stops rods smoothly.
        Imc = "imc",
        /// Incremental Potential Contact: a barrier that never lets rods touch.
        Ipc = "ipc",
        /// The method of Choi et al. 2021, by a smoothed distance.
        ImcSmooth = "imc-smooth",
        /// Forces found by solving the step again.
        SpillmannTeschner = "spillmann-teschner",
        /// Rods pass through each other.
        None = "none",
    }
}

words! {
    /// How friction holds what sticks.
    pub enum StaticFrictionSpec {
        /// By a slow slip.
        Creep = "creep",
        /// By a spring that remembers the slip.
        Anchor = "anchor",
    }
}

choice! {
    /// When Newton's matrix holds the derivatives of contact forces.
    #[derive(Copy)]
    pub enum JacobianSpec: "\"full\" or { hybrid = iterations }" {
        /// Iterations without them.
        Hybrid(usize) = "hybrid",
    }
    /// Always.
    word Full = "full";
}

choice! {
    /// How friction enters the equations of a step.
    #[derive(Copy)]
    pub enum FrictionSolveSpec: "\"implicit\" or { lagged = solves of a step }" {
        /// Solves of a step, each with the normal forces of the one before.
        Lagged(usize) = "lagged",
    }
    /// With the normal forces of its end.
    word Implicit = "implicit";
}

section! {
    /// Keys of one contact model or of a few; the others have none.
    #[derive(Copy)]
    pub struct OwnKeys {
        /// Penalty stiffness: `"automatic"` raises it until rods penetrate by less than 0.3 % of the
        /// radius, a number in N m is kept, and `{ largest_force = .. }` is in proportion to the
        /// largest force on a node.
        pub stiffness: Option<StiffnessSpec> = None => POSITIVE,
        /// Slip speed below which friction is less than the full one.
        pub slip_tolerance: Option<Speed> = None => POSITIVE,
        /// Whether friction acts on surfaces, which spin; otherwise on axes.
        pub friction_on_twist: Option<bool> = None,
        /// How friction holds what sticks.
        pub static_friction: Option<StaticFrictionSpec> = None,
        /// Slip at which an anchor slides, over the radius.
        pub presliding: Option<Number> = None => OF_RADIUS,
        /// How friction enters the equations of a step; or `{ lagged = n }`, n solves of a step, each
        /// with the normal forces of the one before.
        pub friction_solve: Option<FrictionSolveSpec> = None => Bound::within(1.0, 100.0),
        /// How sharply the energy of contact turns on, times the radius: ce of C21.
        pub energy_sharpness: Option<Number> = None => Bound::at_least(5.0),
        /// How sharply closest points are clamped to their edges: k of C21.
        pub distance_sharpness: Option<Number> = None => Bound::at_least(5.0),
        /// When Newton's matrix holds the derivatives of contact forces; or `{ hybrid = n }`, after n
        /// iterations without them.
        pub jacobian: Option<JacobianSpec> = None => Bound::within(0.0, 1000.0),
        /// Slip speed at which half the friction acts, radii per second: c of C21.
        pub slip_limit: Option<Number> = None => POSITIVE,
        /// How sharply friction turns on, seconds per radius: K of C21.
        pub slip_sharpness: Option<Number> = None => POSITIVE,
    }
}

/// A part of the radius that contact is thin against.
const OF_RADIUS: Bound = Bound::within(0.0, 0.5)
    .open([true, true])
    .why("it is a fraction of the radius");
/// A coefficient of friction.
pub(super) const COEFFICIENT: Bound = Bound::within(0.0, 100.0).why("dry surfaces have 0.1 to 2");

/// Rule for the penalty stiffness.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StiffnessSpec {
    /// Raised until rods penetrate by less than 0.3 % of the radius.
    Automatic,
    /// Scale, m, times the largest nodal force without contact (the paper's rule).
    LargestForce(Length),
    /// A given value, N m.
    #[serde(untagged)]
    Given(Moment),
}

section! {
    /// Contact between rods.
    #[derive(Copy)]
    pub struct ContactSpec {
        /// Which contact model.
        pub model: ContactKind = ContactKind::Imc,
        /// Gap at which contact begins, over the radius.
        pub tolerance: Number | "by the model" = Number::new(0.01) => OF_RADIUS,
        /// Coefficient of friction of rods that have none of their own.
        pub friction: Number = Number::new(0.0) => COEFFICIENT,
    }
    /// What only some models have.
    with own: OwnKeys = OwnKeys::of(ContactKind::Imc);
}

keys! {
    /// A stiffness in proportion to a force.
    pub(crate) struct LargestForce {
        /// Stiffness over the largest force on a node without contact (the rule of T22).
        largest_force: Length,
    }
}

described! {
    StiffnessSpec => Either(vec![
        Words(vec![("automatic", "")]),
        Moment::kind(),
        Kind::table::<LargestForce>(),
    ]);
}

impl OwnKeys {
    /// The defaults of a model, which has no other keys.
    fn of(model: ContactKind) -> Self {
        let of_gap = |friction_solve| Self {
            stiffness: Some(StiffnessSpec::Automatic),
            slip_tolerance: Some(Speed::new(1e-4)),
            friction_on_twist: Some(true),
            static_friction: Some(StaticFrictionSpec::Creep),
            presliding: Some(Number::new(1e-3)),
            friction_solve: Some(friction_solve),
            ..Self::default()
        };
        let of_slip = Self {
            slip_limit: Some(Number::new(0.15)),
            slip_sharpness: Some(Number::new(50.0)),
            ..Self::default()
        };
        match model {
            ContactKind::None | ContactKind::Imc => of_gap(FrictionSolveSpec::Implicit),
            ContactKind::Ipc => of_gap(FrictionSolveSpec::Lagged(1)),
            ContactKind::SpillmannTeschner => of_slip,
            ContactKind::ImcSmooth => Self {
                stiffness: Some(StiffnessSpec::Automatic),
                energy_sharpness: Some(Number::new(50.0)),
                distance_sharpness: Some(Number::new(50.0)),
                jacobian: Some(JacobianSpec::Full),
                ..of_slip
            },
        }
    }

    /// Refuses keys that have no default with this model, as those that mean nothing with it.
    fn refuse_others(&self, keys: &Keys, model: ContactKind) -> Result<(), SceneError> {
        let has = toml::Table::try_from(self).unwrap_or_default();
        let known = Self::known();
        let mut others = known.iter().filter(|name| !has.contains_key(**name));
        let Some(name) = others.find(|name| keys.at(name).is_some()) else {
            return Ok(());
        };
        let message = format!(
            "`{name}` means nothing with the contact model \"{}\"",
            model.word()
        );
        let remedy = "leave it out or choose another model";
        keys.refuse(name, message, remedy)
    }
}

impl ContactSpec {
    /// The defaults of a model.
    pub(crate) fn of(model: ContactKind) -> Self {
        Self {
            model,
            tolerance: Number::new(match model {
                ContactKind::ImcSmooth => 0.15,
                ContactKind::SpillmannTeschner => 1e-4,
                _ => 0.01,
            }),
            own: OwnKeys::of(model),
            ..Self::default()
        }
    }

    pub(crate) fn read(at: Option<At>, default: Self) -> Result<Self, SceneError> {
        let Some(keys) = subsection::<Self>(at)? else {
            return Ok(default);
        };
        let model = Self::model().or(&keys, default.model)?;
        let default = match model == default.model {
            true => default,
            false => Self::of(model),
        };
        default.own.refuse_others(&keys, model)?;
        let spec = Self::keyed(&keys, default)?;
        let lagged = matches!(spec.own.friction_solve, Some(FrictionSolveSpec::Lagged(_)));
        if lagged && spec.own.static_friction == Some(StaticFrictionSpec::Anchor) {
            let message = "anchors need friction that is solved for; lagged friction has no memory";
            let remedy = "set `friction_solve = \"implicit\"` or leave `static_friction` out";
            return keys.refuse(&OwnKeys::static_friction(), message, remedy);
        }
        Ok(spec)
    }
}

impl Measured for StiffnessSpec {
    fn numbers(&self) -> Vec<f64> {
        match self {
            Self::Automatic => Vec::new(),
            Self::LargestForce(scale) => scale.numbers(),
            Self::Given(stiffness) => stiffness.numbers(),
        }
    }
}

impl Measured for FrictionSolveSpec {
    fn numbers(&self) -> Vec<f64> {
        match self {
            Self::Implicit => Vec::new(),
            Self::Lagged(rounds) => rounds.numbers(),
        }
    }
}

impl Measured for JacobianSpec {
    fn numbers(&self) -> Vec<f64> {
        match self {
            Self::Full => Vec::new(),
            Self::Hybrid(iterations) => iterations.numbers(),
        }
    }
}

impl Read for StiffnessSpec {
    fn wanted() -> String {
        "\"automatic\", a stiffness such as \"1e-6 N m\", or { largest_force = scale in m }".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        match &at.node.value {
            Value::Table(_) => {
                let keys = Keys::new(at, &LargestForce::known())?;
                LargestForce::largest_force()
                    .read(&keys)
                    .map(Self::LargestForce)
            }
            Value::Text(t) if t.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) => {
                Moment::read(at).map(Self::Given)
            }
            Value::Text(_) => at.word(&[("automatic", Self::Automatic)]),
            Value::Integer(_) | Value::Float(_) => Moment::read(at).map(Self::Given),
            _ => at.wrong_type(Self::wanted()),
        }
    }
}
