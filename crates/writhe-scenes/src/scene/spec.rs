//! A whole scene as its file says it.

use crate::copies;
use crate::crossings;
use crate::error::{Problem, SceneError};
use crate::named::NamedScene;
use crate::spec::{
    BendingSpec, BodySpec, ContactKind, ContactSpec, CrossingsSpec, DampingSpec, Defaults,
    FluidSpec, GravitySpec, JointSpec, MagneticFieldSpec, MotionSpec, ObstacleSpec, OutputSpec,
    PerturbationSpec, RodSpec, SpinInertiaSpec, StopSpec, TimeSpec, WindSpec, part,
};
use crate::tree::{At, Keys, Known, Origin, Read, fields};
use crate::units::AngularSpeed;

fields! {
    /// A whole scene, with every default.
    pub struct SceneSpec {
        /// What the scene is called in reports.
        pub title: String | "that of the scene",
        /// A named scene, which makes its own rods: its `name` and its own keys.
        pub named as "scene": Option<NamedScene>,
        /// How far rods deviate from their shapes, initial and at rest: a length, or a table.
        pub perturbation: Option<PerturbationSpec>,
        /// How a vertex bends.
        pub bending: BendingSpec = BendingSpec::HalfEdges,
        // Runs of earlier versions, which can be gone on with, do not say.
        /// Which inertia of spinning edges counts; explicit steps know `"full"` of rods with a held
        /// angle.
        pub spin_inertia: SpinInertiaSpec | "`\"angles\"`" = SpinInertiaSpec::Angles,
        /// Gravity.
        pub gravity: GravitySpec | "none",
        /// Damping by the surroundings.
        pub damping: DampingSpec | "none",
        /// Wind.
        pub wind: Option<WindSpec>,
        /// Magnetic field, which rods with a `magnetisation` feel.
        pub magnetic_field: Option<MagneticFieldSpec>,
        /// Fluid around the rods.
        pub fluid: FluidSpec | "none",
        /// Contact.
        pub contact: ContactSpec | "see below",
        /// Time stepping.
        pub time: TimeSpec | "see below",
        /// What ends the run before its time.
        pub stop: StopSpec | "nothing",
        /// What is written when.
        pub output: OutputSpec | "see below",
        /// Rods of a scene without a name.
        pub rods: Vec<RodSpec> | "those of the named scene",
        /// Rigid things that stand or are driven.
        pub obstacles: Vec<ObstacleSpec> = Vec::new(),
        /// Rigid things that rods move.
        pub bodies: Vec<BodySpec> = Vec::new(),
        /// What joins bodies.
        pub joints: Vec<JointSpec> = Vec::new(),
    }
    also {
        /// Whether rods are welded wherever two of them cross, as in a net; or which rods, in a
        /// table.
        weld_crossings: CrossingsSpec | "false",
    }
}

impl SceneSpec {
    pub(crate) fn read(root: &At) -> Result<Self, SceneError> {
        let keys = Keys::new(root, &Self::known())?;
        if let (Some(at), Some(_)) = (keys.at(&Self::named()), keys.at(&Self::rods()))
            && matches!(at.node.origin, Origin::Set(_))
        {
            return at.fail(no_named_scene());
        }
        let named = Self::named().read(&keys)?;
        let defaults = named
            .as_ref()
            .map_or_else(Defaults::default, NamedScene::defaults);
        let contact = ContactSpec::read(keys.at(&Self::contact()), defaults.contact)?;
        let touch = contact.model != ContactKind::None;
        let rods = match keys.at(&Self::rods()).filter(|_| named.is_some()) {
            Some(at) => return at.fail(both_kinds_of_rods()),
            None => keys
                .at(&Self::rods())
                .map_or(Ok(Vec::new()), |at| copies::read(&at, touch))?,
        };
        if named.is_none() && rods.is_empty() {
            return Err(keys.missing(
                &Self::rods(),
                "[[rods]] sections, or [scene] name = \"flagella\"".into(),
            ));
        }
        let mut bodies = Self::bodies().read(&keys)?;
        if let Some(at) = keys.at(&Self::weld_crossings())
            && let CrossingsSpec(Some(spec)) = CrossingsSpec::read(&at)?
        {
            let own = named.as_ref().map(|_| "a named scene joins its own rods");
            if let Some(message) = own {
                return at.fail(Problem::conflict(message, "leave out `weld_crossings`"));
            }
            bodies.extend(crossings::joints(&at, &spec, &rods)?);
        }
        let rate = named
            .as_ref()
            .map_or_else(|| largest_rate(&rods), NamedScene::rate)
            .map(AngularSpeed::new);
        let output = keys.at(&Self::output());
        let time = TimeSpec::read(keys.at(&Self::time()), defaults.time, rate)?;
        Ok(Self {
            title: Self::title().or(&keys, defaults.title)?,
            perturbation: Self::perturbation().read(&keys)?,
            bending: Self::bending().read(&keys)?,
            spin_inertia: Self::spin_inertia().read(&keys)?,
            gravity: part(keys.at(&Self::gravity()), defaults.gravity)?,
            damping: part(keys.at(&Self::damping()), defaults.damping)?,
            wind: WindSpec::read(keys.at(&Self::wind()), defaults.wind)?,
            magnetic_field: Self::magnetic_field().read(&keys)?,
            fluid: part(keys.at(&Self::fluid()), defaults.fluid)?,
            contact,
            stop: part(keys.at(&Self::stop()), StopSpec::default())?,
            output: OutputSpec::read(output, &time, defaults.certify, defaults.joined)?,
            time,
            named,
            rods,
            obstacles: Self::obstacles().read(&keys)?,
            bodies,
            joints: Self::joints().read(&keys)?,
        })
    }

    /// The rods to build and the key under which errors about them are reported.
    pub fn all_rods(&self) -> Vec<(String, RodSpec)> {
        match &self.named {
            Some(named) => {
                let rods = named.rods().into_iter();
                rods.map(|r| ("scene".to_owned(), r)).collect()
            }
            None => {
                let rods = self.rods.iter().enumerate();
                rods.map(|(i, r)| (format!("rods[{i}]"), r.clone()))
                    .collect()
            }
        }
    }

    /// How long steps are, s, where outputs follow each other so closely that they end them; those whose
    /// size follows from an accuracy go on beyond outputs.
    pub fn step_between_outputs(&self) -> Option<f64> {
        let (every, step) = (self.output.every.si(), self.time.step.si());
        // Times are multiples with rounding.
        let ends = every < (1.0 - 1e-9) * step;
        (self.time.accuracy.is_none() && ends).then_some(every)
    }

    /// The bodies to build, those of a named scene first, and the key under which errors about them
    /// are reported.
    pub fn all_bodies(&self) -> Vec<(String, BodySpec)> {
        self.all(NamedScene::bodies, &Self::bodies(), &self.bodies)
    }

    /// The joints between bodies, in the same way.
    pub fn all_joints(&self) -> Vec<(String, JointSpec)> {
        self.all(NamedScene::joints, &Self::joints(), &self.joints)
    }

    /// What a named scene brings, then what stands in a section, with keys.
    fn all<T: Clone>(
        &self,
        brings: fn(&NamedScene) -> Vec<T>,
        section: &str,
        own: &[T],
    ) -> Vec<(String, T)> {
        let named = self.named.as_ref().map_or_else(Vec::new, brings);
        let named = named.into_iter().map(|item| ("scene".to_owned(), item));
        let own = own.iter().enumerate();
        let own = own.map(|(i, item)| (format!("{section}[{i}]"), item.clone()));
        named.chain(own).collect()
    }
}

/// Largest rate, rad/s, at which any clamp or held node turns steadily.
fn largest_rate(rods: &[RodSpec]) -> Option<f64> {
    let clamps = rods.iter().flat_map(|r| r.clamps.iter().map(|c| &c.motion));
    let held = rods.iter().flat_map(|r| r.held.iter().map(|h| &h.motion));
    clamps
        .chain(held)
        .filter_map(MotionSpec::rate)
        .reduce(f64::max)
}

fn no_named_scene() -> Problem {
    Problem::conflict(
        "the scene has no [scene], since it lists its [[rods]]",
        "set a key of a rod, such as rods[0].material.young",
    )
}

fn both_kinds_of_rods() -> Problem {
    Problem::conflict(
        "a named scene makes its own rods",
        "remove [[rods]], or remove [scene] and describe all rods here",
    )
}
