//! One rod of a free scene.

use serde::Serialize;

use super::along::{Places, at_vertices, for_each_edge, varies};
use super::{
    ClampSpec, Direction, DirectionsSpec, DrivenSpec, ForceSpec, FoundationSpec, HeldAngleSpec,
    HeldSpec, LineLoadSpec, MaterialSpec, MomentSpec, RelaxingSpec, RepeatSpec, SectionSpec,
    ShapeSpec, ViscousSpec,
};
use crate::error::SceneError;
use crate::tree::{
    AlongRod, At, DIRECTION, Keys, Known, POSITIVE, Read, Stated, Value, described, fields, table,
};
use crate::units::{Angle, AnglePerLength, Curvature, Dimension, Mass, Number};

fields! {
    /// One rod: initial shape, rest shape, sections, supports and loads.
    pub struct RodSpec {
        /// Name in reports, and for welds; copies are called `name[0]`, `name[1]`, .., and the name
        /// means all of them.
        pub name: Option<String>,
        /// Whether the last node is joined to the first.
        pub closed: bool | "true for a ring, otherwise false",
        /// Initial twist on top of the rest shape's, spread evenly over the rod.
        pub twist: Angle = Angle::default(),
        /// Material director m1 of the first edge, whose part along the edge is ignored; any unless
        /// given.
        pub first_director: Option<Direction> => DIRECTION,
        /// Mass of every edge; density times volume unless given.
        pub edge_mass: Option<Mass> => POSITIVE,
        /// Rest shape: another shape has as many edges.
        pub rest: RestSpec = RestSpec::Initial,
        /// Curvature at rest in place of that of the rest shape, `[along m1, along m2]`, one for all
        /// or a list with one for each vertex: each node but the ends of an open rod, from the second
        /// on; as in `2 tan(angle/2)` over the length of a vertex.
        pub rest_curvature: Option<Vec<[Curvature; 2]>>,
        /// Twist at rest in place of that of the rest shape, one for all vertices or a list with one
        /// for each.
        pub rest_twist: Option<Vec<AnglePerLength>>,
        /// Initial shape.
        pub shape: ShapeSpec,
        /// Cross section.
        pub section: SectionSpec,
        /// Material; not needed where every section is given by its stiffness.
        pub material: Option<MaterialSpec>,
        /// Edges that differ.
        pub overrides: Vec<OverrideSpec> = Vec::new(),
        /// Clamped edges: both nodes and the angle follow a motion.
        pub clamps: Vec<ClampSpec> = Vec::new(),
        /// Held nodes.
        pub held: Vec<HeldSpec> = Vec::new(),
        /// Held angles of edges.
        pub held_angles: Vec<HeldAngleSpec> = Vec::new(),
        /// Forces on nodes.
        pub forces: Vec<ForceSpec> = Vec::new(),
        /// Moments on edges.
        pub moments: Vec<MomentSpec> = Vec::new(),
        /// Springs along it.
        pub foundation: Option<FoundationSpec>,
        /// Forces per length that follow the rod.
        pub line_loads: Vec<LineLoadSpec> = Vec::new(),
        /// Strains at rest that change in time.
        pub driven: Vec<DrivenSpec> = Vec::new(),
        /// Retardation times of dashpots beside the springs.
        pub viscous: Option<ViscousSpec>,
        /// Parts of the stiffness that relax.
        pub relaxing: Option<RelaxingSpec>,
        /// Coefficients of friction by the direction in which the rod slides on other rods and on
        /// itself, and on obstacles without their own.
        pub friction_by_direction: Option<DirectionsSpec>,
        /// Magnetisation along m1, m2 and the tangent, A/m (numbers alone), of as many equal parts of
        /// the rod as there are rows.
        pub magnetisation: Option<Vec<[Number; 3]>>,
    }
    also {
        /// Copies of the rod.
        repeat: Option<RepeatSpec>,
    }
}

/// Rest shape of a rod.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RestSpec {
    /// The initial shape.
    Initial,
    /// Straight and untwisted, with the initial edge lengths.
    Straight,
    /// Another shape with as many edges.
    #[serde(untagged)]
    Shape(ShapeSpec),
}

table! {
    /// Edges that differ from the rest of the rod.
    pub struct OverrideSpec:
        "a table such as { edges = [0, 4], section = { circle = { radius = \"2 mm\" } } }"
    {
        /// First and last of them, from 0, both included.
        pub edges: [usize; 2],
        /// Their section.
        pub section: Option<SectionSpec>,
        /// Their material.
        pub material: Option<MaterialSpec>,
    }
    check Self::check
}

impl RodSpec {
    /// A rod of one section and material, open, at rest, without supports and loads.
    pub fn new(shape: ShapeSpec, section: SectionSpec, material: MaterialSpec) -> Self {
        Self::of(shape, section, Some(material))
    }

    /// As [`RodSpec::new`]; a section given by its stiffnesses needs no material.
    pub(crate) fn of(
        shape: ShapeSpec,
        section: SectionSpec,
        material: Option<MaterialSpec>,
    ) -> Self {
        Self {
            name: None,
            closed: matches!(shape, ShapeSpec::Ring(_)),
            twist: Angle::default(),
            first_director: None,
            edge_mass: None,
            rest: RestSpec::Initial,
            rest_curvature: None,
            rest_twist: None,
            shape,
            section,
            material,
            overrides: Vec::new(),
            clamps: Vec::new(),
            held: Vec::new(),
            held_angles: Vec::new(),
            forces: Vec::new(),
            moments: Vec::new(),
            foundation: None,
            line_loads: Vec::new(),
            driven: Vec::new(),
            viscous: None,
            relaxing: None,
            friction_by_direction: None,
            magnetisation: None,
        }
    }
}

described! {
    RestSpec => Either(vec![
        Words(vec![
            ("initial", "The initial shape"),
            ("straight", "Straight and untwisted, with the initial edge lengths"),
        ]),
        ShapeSpec::kind(),
    ]);
}

impl Read for RodSpec {
    fn wanted() -> String {
        "a [[rods]] section with `shape`, `section` and `material`".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        let keys = Keys::new(at, &Self::known())?;
        let shape = Self::shape().read(&keys)?;
        let ring = matches!(shape, ShapeSpec::Ring(_));
        let closed = Self::closed().or(&keys, ring)?;
        if ring && !closed {
            let message = "a ring is closed";
            let remedy = "use the shape `arc` for an open rod";
            return keys.refuse(&Self::closed(), message, remedy);
        }
        let made = Made::read(&keys, &shape, closed)?;
        Ok(Self {
            closed,
            section: made.section,
            material: made.material,
            overrides: made.overrides,
            rest_curvature: made.rest_curvature,
            rest_twist: made.rest_twist,
            shape,
            name: Self::name().read(&keys)?,
            twist: Self::twist().read(&keys)?,
            first_director: Self::first_director().read(&keys)?,
            edge_mass: Self::edge_mass().read(&keys)?,
            rest: Self::rest().read(&keys)?,
            clamps: Self::clamps().read(&keys)?,
            held: Self::held().read(&keys)?,
            held_angles: Self::held_angles().read(&keys)?,
            forces: Self::forces().read(&keys)?,
            moments: Self::moments().read(&keys)?,
            foundation: Self::foundation().read(&keys)?,
            line_loads: Self::line_loads().read(&keys)?,
            driven: Self::driven().read(&keys)?,
            viscous: Self::viscous().read(&keys)?,
            relaxing: Self::relaxing().read(&keys)?,
            friction_by_direction: Self::friction_by_direction().read(&keys)?,
            magnetisation: Self::magnetisation().read(&keys)?,
        })
    }
}

/// What of a rod may vary along it, and what says where its edges are.
struct Made {
    section: SectionSpec,
    material: Option<MaterialSpec>,
    overrides: Vec<OverrideSpec>,
    rest_curvature: Option<Vec<[Curvature; 2]>>,
    rest_twist: Option<Vec<AnglePerLength>>,
}

impl Made {
    fn read(keys: &Keys, shape: &ShapeSpec, closed: bool) -> Result<Self, SceneError> {
        let given = RodSpec::overrides().read(keys)?;
        let clamps = RodSpec::clamps().read(keys)?;
        let places = || {
            let places = Places::of(shape, closed, &clamps);
            match keys.at(&RodSpec::shape()) {
                Some(at) => places.with_file(&at),
                None => places,
            }
        };
        let varying = |name: &str, depth| keys.at(name).is_some_and(|at| varies(&at, depth));
        let edges = match varying(&RodSpec::section(), 2) || varying(&RodSpec::material(), 1) {
            true => for_each_edge(&places(), |spot| Self::edge(keys, Some(spot)))?,
            false => vec![Self::edge(keys, None)?],
        };
        let Some((section, material)) = edges.first().copied() else {
            return Err(keys.missing(&RodSpec::section(), SectionSpec::wanted()));
        };
        let mut overrides = differing(&edges);
        overrides.extend(given);
        Ok(Self {
            section,
            material,
            overrides,
            rest_curvature: for_each_vertex(
                keys,
                RodSpec::rest_curvature(),
                ["along m1", "along m2"].map(|column| (column, Curvature::DIMENSION)),
                &places,
                |row| [row[0], row[1]].map(Curvature::new),
            )?,
            rest_twist: for_each_vertex(
                keys,
                RodSpec::rest_twist(),
                [("twist", AnglePerLength::DIMENSION)],
                &places,
                |row| AnglePerLength::new(row[0]),
            )?,
        })
    }

    /// Section and material of an edge.
    fn edge(
        keys: &Keys,
        spot: Option<&dyn AlongRod>,
    ) -> Result<(SectionSpec, Option<MaterialSpec>), SceneError> {
        let at = |name: &str| keys.at(name).map(|at| At { spot, ..at });
        let Some(section) = at(&RodSpec::section()) else {
            return Err(keys.missing(&RodSpec::section(), SectionSpec::wanted()));
        };
        let section = SectionSpec::read(&section)?;
        let material = at(&RodSpec::material())
            .map(|at| MaterialSpec::read(&at))
            .transpose()?;
        if material.is_none() && !matches!(section, SectionSpec::Stiffness { .. }) {
            return Err(keys.missing(&RodSpec::material(), MaterialSpec::wanted()));
        }
        Ok((section, material))
    }
}

/// Overrides for the edges that are not as the first one.
fn differing(edges: &[(SectionSpec, Option<MaterialSpec>)]) -> Vec<OverrideSpec> {
    let mut overrides: Vec<OverrideSpec> = Vec::new();
    for (edge, (section, material)) in edges.iter().enumerate() {
        if edges[edge] == edges[0] {
            continue;
        }
        match overrides.last_mut() {
            Some(o) if o.edges[1] + 1 == edge && edges[edge - 1] == edges[edge] => {
                o.edges[1] = edge;
            }
            _ => overrides.push(OverrideSpec {
                edges: [edge, edge],
                section: Some(*section),
                material: *material,
            }),
        }
    }
    overrides
}

/// A value for each vertex: one for all, a list, or a table over arc length.
fn for_each_vertex<T: Read, const N: usize>(
    keys: &Keys,
    key: Stated<Option<Vec<T>>>,
    columns: [(&'static str, Dimension); N],
    places: &dyn Fn() -> Places,
    of: fn(&Vec<f64>) -> T,
) -> Result<Option<Vec<T>>, SceneError> {
    match keys.at(&key) {
        None => Ok(None),
        Some(at) if matches!(at.node.value, Value::Table(_)) => {
            let rows = at_vertices(&at, &columns, &places())?;
            Ok(Some(rows.iter().map(of).collect()))
        }
        Some(at) if is_list(&at, N) => key.read(keys),
        Some(at) => {
            let row = match N {
                1 => Some(vec![at.clone()]),
                _ => at.elements().filter(|cells| cells.len() == N),
            };
            let Some(row) = row else {
                let names = columns.map(|(column, _)| column).join(", ");
                return at.wrong_type(format!(
                    "[{names}], or a list with one of these for each vertex, or {{ table = [[arc length, {names}], ..] }}, or {{ file = .. }}"
                ));
            };
            let row = row.iter().zip(&columns);
            let row = row.map(|(cell, (_, dimension))| cell.number(*dimension));
            let row = row.collect::<Result<Vec<f64>, SceneError>>()?;
            let vertices = 0..places().vertices.len();
            Ok(Some(vertices.map(|_| of(&row)).collect()))
        }
    }
}

/// Whether this is a list of values, each of so many numbers.
fn is_list(at: &At, numbers: usize) -> bool {
    match at.elements() {
        Some(elements) if numbers > 1 => elements.iter().any(|e| e.elements().is_some()),
        elements => elements.is_some(),
    }
}

impl Read for RestSpec {
    fn wanted() -> String {
        "\"initial\", \"straight\", or a shape such as { ring = { radius = \"5 cm\", edges = 100 } }".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        match at.node.value {
            Value::Text(_) => at
                .word(&[("initial", false), ("straight", true)])
                .map(|straight| {
                    if straight {
                        Self::Straight
                    } else {
                        Self::Initial
                    }
                }),
            Value::Table(_) => ShapeSpec::read(at).map(Self::Shape),
            _ => at.wrong_type(Self::wanted()),
        }
    }
}

impl OverrideSpec {
    fn check(&self, keys: &Keys) -> Result<(), SceneError> {
        let [first, last] = self.edges;
        let shown = format!("[{first}, {last}]");
        let need = "[first, last] with first not after last";
        keys.check_shown(&Self::edges(), &shown, first <= last, need)
    }
}
