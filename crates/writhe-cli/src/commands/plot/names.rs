//! Columns of runs in the words of people: `rod0_pull_force` is the pull force.

use std::collections::BTreeSet;

use writhe_rundir::RunReader;
use writhe_scenes::Scene;
use writhe_session::follow::Over;

/// Things that are counted in names of columns, and how they are called; quantities are *of* rods
/// and bodies, *at* supports and joints, *on* obstacles.
const THINGS: [(&str, &str, &str); 9] = [
    ("rod", "of", "rod"),
    ("body", "of", "body"),
    ("clamp", "at", "clamp"),
    ("held_node", "at", "held node"),
    ("held_angle", "at", "held angle"),
    ("moved_body", "on", "moved body"),
    ("guided_body", "on", "guided body"),
    ("obstacle", "on", "obstacle"),
    ("joint", "at", "joint"),
];

/// What columns are called; after the name of a thing, its name is left out.
const QUANTITIES: [(&str, &str); 52] = [
    ("t", "Time"),
    ("energy_stretch", "Stretching energy"),
    ("energy_bend", "Bending energy"),
    ("energy_twist", "Twisting energy"),
    ("energy_kinetic", "Kinetic energy"),
    ("energy_loads", "Potential energy of loads"),
    ("energy_contact", "Contact energy"),
    ("contacts", "Number of contacts"),
    ("contact_force", "Contact force"),
    ("sticking", "Sticking contacts"),
    ("creep", "Creep of sticking contacts"),
    ("smallest_gap", "Smallest gap"),
    ("hover", "Hover"),
    ("penetration", "Penetration"),
    ("work_loads", "Work of loads"),
    ("work_supports", "Work of supports"),
    ("work_motors", "Work of motors"),
    ("work_contact", "Work of contact"),
    ("heat_drag", "Heat of drag"),
    ("heat_damping", "Heat of damping"),
    ("heat_friction", "Heat of friction"),
    ("scheme_gain", "Gain by the time scheme"),
    ("momentum", "Momentum"),
    ("angular_momentum", "Angular momentum"),
    ("joints_broken", "Broken joints"),
    ("obstacle_gap", "Gap to obstacles"),
    ("force", "Force"),
    ("torque", "Torque"),
    ("velocity", "Velocity"),
    ("spin", "Angular velocity"),
    ("quaternion", "Orientation quaternion"),
    ("kinetic", "Kinetic energy"),
    ("", "Position"),
    ("hydrodynamic_force", "Hydrodynamic force"),
    ("hydrodynamic_torque", "Hydrodynamic torque"),
    ("end_distance", "End-to-end distance"),
    ("shortening", "End-to-end shortening"),
    ("shortening_radius", "Shortening / 2π"),
    ("pull_force", "Pull force"),
    ("loop_length", "Loop length"),
    ("loop_radius", "Loop radius"),
    ("twist", "Twist"),
    ("writhe", "Writhe"),
    ("closed_up_linking", "Linking number"),
    ("knot_determinant", "Knot determinant"),
    ("knot_signature", "Knot signature"),
    ("middle", "Position of the middle"),
    ("tip", "Position of the end"),
    ("step_size", "Time step"),
    ("steps", "Steps"),
    ("rejected_steps", "Rejected steps"),
    ("newton_iterations", "Newton iterations"),
];

/// What quantities of a unit are, where they have no name in common.
const KINDS: [(&str, &str); 9] = [
    ("J", "Energy"),
    ("N", "Force"),
    ("N m", "Torque"),
    ("m", "Length"),
    ("s", "Time"),
    ("m/s", "Velocity"),
    ("rad/s", "Angular velocity"),
    ("kg m/s", "Momentum"),
    ("kg m^2/s", "Angular momentum"),
];

/// A column as its name says it: the thing that it is of, its quantity and its component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts<'a> {
    /// Kind and number of the thing.
    pub thing: Option<(&'a str, usize)>,
    /// What is left of the name.
    pub quantity: &'a str,
    /// `x`, `y`, `z` or `w`.
    pub component: Option<&'a str>,
}

impl<'a> Parts<'a> {
    /// The parts of a name.
    pub fn of(name: &'a str) -> Self {
        let (name, component) = match name.rsplit_once('_') {
            Some((rest, last @ ("x" | "y" | "z" | "w"))) => (rest, Some(last)),
            _ => (name, None),
        };
        let thing = THINGS.iter().find_map(|(kind, ..)| {
            let rest = name.strip_prefix(kind)?;
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let number = rest[..digits].parse().ok()?;
            let quantity = match &rest[digits..] {
                "" => "",
                rest => rest.strip_prefix('_')?,
            };
            Some(((*kind, number), quantity))
        });
        match thing {
            Some((thing, quantity)) => Self {
                thing: Some(thing),
                quantity,
                component,
            },
            None => Self {
                thing: None,
                quantity: name,
                component,
            },
        }
    }

    fn quantity(&self) -> String {
        let known = QUANTITIES.iter().find(|(name, _)| *name == self.quantity);
        known.map_or_else(
            || capital(&self.quantity.replace('_', " ")),
            |q| q.1.to_owned(),
        )
    }
}

/// What the things of a run are called.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// How many there are of each kind.
    counts: Vec<(&'static str, usize)>,
    /// Key of the scene that equilibria follow.
    followed: Option<String>,
    /// Names of rods and bodies, where the scene has them.
    rods: Vec<Option<String>>,
    bodies: Vec<Option<String>>,
}

impl Names {
    /// Those of a run.
    pub fn of(run: &RunReader) -> Self {
        // A scene whose files are gone is read no more: then things go by their numbers.
        let scene = Scene::parse(run.scene_toml(), "scene.toml").ok();
        let spec = scene.as_ref().map(|scene| &scene.spec);
        let all_rods = spec.map_or(Vec::new(), |spec| spec.all_rods());
        let all_bodies = spec.map_or(Vec::new(), |spec| spec.all_bodies());
        let columns = run.observables().iter().map(|o| Parts::of(&o.name));
        let things: BTreeSet<(&str, usize)> = columns.filter_map(|parts| parts.thing).collect();
        let count = |kind: &str| things.iter().filter(|(of, _)| *of == kind).count();
        let rods = run.layout().rods.len();
        let counts = THINGS.map(|(kind, ..)| match kind {
            "rod" => (kind, rods),
            kind => (kind, count(kind)),
        });
        let rod_names = all_rods.into_iter().map(|(_, rod)| rod.name).collect();
        let body_names = all_bodies.into_iter().map(|(_, body)| body.name).collect();
        Self {
            followed: run.summary().and_then(Over::of).map(|over| over.key),
            rods: telling(rod_names),
            bodies: telling(body_names),
            counts: counts.into(),
        }
    }

    /// A column in full: `Force at clamp 1, x`.
    pub fn whole(&self, name: &str) -> String {
        if let ("parameter", Some(key)) = (name, &self.followed) {
            return key.clone();
        }
        let parts = Parts::of(name);
        let thing = self
            .thing(&parts)
            .map_or(String::new(), |(word, thing)| format!(" {word} {thing}"));
        let component = parts.component.map_or(String::new(), |c| format!(", {c}"));
        format!("{}{thing}{component}", parts.quantity())
    }

    /// What several columns of one unit have in common, and what each is called beside it.
    pub fn together(&self, names: &[&str], unit: &str) -> (String, Vec<String>) {
        if let [name] = names {
            return (self.whole(name), vec![String::new()]);
        }
        let all: Vec<Parts> = names.iter().map(|name| Parts::of(name)).collect();
        let quantities: Vec<String> = all.iter().map(Parts::quantity).collect();
        let is_same = |of: &dyn Fn(&Parts) -> Option<String>| {
            all.windows(2).all(|pair| of(&pair[0]) == of(&pair[1]))
        };
        let same_thing = is_same(&|p| p.thing.map(|(kind, i)| format!("{kind}{i}")));
        let same_component = is_same(&|p| p.component.map(str::to_owned));
        if quantities.windows(2).all(|pair| pair[0] == pair[1]) {
            let thing = self.thing(&all[0]).filter(|_| same_thing);
            let thing = thing.map_or(String::new(), |(word, thing)| format!(" {word} {thing}"));
            let component = all[0].component.filter(|_| same_component);
            let component = component.map_or(String::new(), |c| format!(", {c}"));
            let label = |parts: &Parts| {
                let thing = self.thing(parts).filter(|_| !same_thing).map(|(_, t)| t);
                let component = parts.component.filter(|_| !same_component);
                let words = thing.into_iter().chain(component.map(str::to_owned));
                words.collect::<Vec<_>>().join(", ")
            };
            let labels = all.iter().map(label).collect();
            return (format!("{}{thing}{component}", quantities[0]), labels);
        }
        let short = |name: &&str| {
            let whole = self.whole(name);
            whole
                .strip_suffix(" energy")
                .map_or(whole.clone(), str::to_owned)
        };
        let kind = KINDS.iter().find(|(of, _)| *of == unit);
        match kind {
            Some((_, kind)) => ((*kind).to_owned(), names.iter().map(short).collect()),
            None => {
                let labels: Vec<String> = names.iter().map(|name| self.whole(name)).collect();
                (labels.join(" / "), labels)
            }
        }
    }

    /// How quantities stand to the thing of a column, and what it is called; `None` where it goes
    /// without saying.
    fn thing(&self, parts: &Parts<'_>) -> Option<(&'static str, String)> {
        let (kind, number) = parts.thing?;
        let (_, word, said) = THINGS.iter().find(|(of, ..)| *of == kind)?;
        let given = match kind {
            "rod" => self.rods.get(number),
            "body" => self.bodies.get(number),
            _ => None,
        };
        let count = self.counts.iter().find(|(of, _)| *of == kind);
        let is_only = count.is_some_and(|(_, count)| *count == 1);
        let thing = match given.and_then(Option::clone) {
            Some(name) if kind != "rod" || !is_only => name,
            _ if kind == "rod" && is_only => return None,
            _ if is_only => format!("the {said}"),
            _ => format!("{said} {number}"),
        };
        Some((word, thing))
    }
}

/// The names that only one thing has: copies have that of what is copied.
fn telling(names: Vec<Option<String>>) -> Vec<Option<String>> {
    let is_one = |name: &String| names.iter().flatten().filter(|n| *n == name).count() == 1;
    names
        .iter()
        .map(|name| name.clone().filter(is_one))
        .collect()
}

/// A text that begins with a capital.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().collect::<String>());
    first.unwrap_or_default() + letters.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(rods: usize, clamps: usize) -> Names {
        Names {
            followed: Some("rods[0].twist".to_owned()),
            counts: vec![("rod", rods), ("clamp", clamps), ("body", 2)],
            rods: Vec::new(),
            bodies: vec![Some("bob".to_owned()), None],
        }
    }

    #[test]
    fn names_are_taken_apart() {
        let parts = |name| {
            let parts = Parts::of(name);
            (parts.thing, parts.quantity, parts.component)
        };
        assert_eq!(
            parts("rod12_pull_force"),
            (Some(("rod", 12)), "pull_force", None)
        );
        assert_eq!(
            parts("held_node3_force_x"),
            (Some(("held_node", 3)), "force", Some("x"))
        );
        assert_eq!(parts("body0_y"), (Some(("body", 0)), "", Some("y")));
        assert_eq!(parts("contact_force"), (None, "contact_force", None));
        assert_eq!(parts("rodeo"), (None, "rodeo", None));
    }

    #[test]
    fn columns_are_said() {
        let (one, many) = (names(1, 1), names(3, 2));
        assert_eq!(one.whole("rod0_pull_force"), "Pull force");
        assert_eq!(many.whole("rod1_pull_force"), "Pull force of rod 1");
        assert_eq!(one.whole("clamp0_force_x"), "Force at the clamp, x");
        assert_eq!(many.whole("clamp1_torque_z"), "Torque at clamp 1, z");
        assert_eq!(one.whole("body0_velocity_z"), "Velocity of bob, z");
        assert_eq!(one.whole("body1_x"), "Position of body 1, x");
        assert_eq!(one.whole("parameter"), "rods[0].twist");
        assert_eq!(one.whole("t"), "Time");
        assert_eq!(one.whole("my_own_thing"), "My own thing");
    }

    #[test]
    fn names_of_several_things_tell_nothing() {
        let names = ["hair", "bob", "hair"].map(|n| Some(n.to_owned()));
        assert_eq!(telling(names.into()), [None, Some("bob".to_owned()), None]);
    }

    #[test]
    fn what_columns_share_is_said_once() {
        let names = names(3, 2);
        let said = |all: &[&str], unit| {
            let (label, each) = names.together(all, unit);
            (label, each.join("; "))
        };
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(
            said(&["energy_bend", "energy_kinetic", "work_loads"], "J"),
            pair("Energy", "Bending; Kinetic; Work of loads")
        );
        assert_eq!(
            said(&["rod0_pull_force", "rod2_pull_force"], "N"),
            pair("Pull force", "rod 0; rod 2")
        );
        assert_eq!(
            said(&["body0_velocity_x", "body0_velocity_z"], "m/s"),
            pair("Velocity of bob", "x; z")
        );
        assert_eq!(
            said(&["body0_spin_x", "body1_spin_x"], "rad/s"),
            pair("Angular velocity, x", "bob; body 1")
        );
        assert_eq!(
            said(&["rod0_pull_force", "contact_force"], "N"),
            pair("Force", "Pull force of rod 0; Contact force")
        );
    }
}
