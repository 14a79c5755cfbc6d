//! One rod of a free scene.

use serde::Serialize;

use super::along::{Places, at_vertices, for_each_edge, varies};
use super::{
    ClampSpec, Direction, DrivenSpec, ForceSpec, FoundationSpec, HeldAngleSpec, HeldSpec,
    LineLoadSpec, MaterialSpec, MomentSpec, RelaxingSpec, SectionSpec, ShapeSpec, ViscousSpec,
    check_direction,
};
use crate::error::{Problem, SceneError};
use crate::tree::{AlongRod, At, Keys, Read, Value, table};
use crate::units::{Angle, AnglePerLength, Curvature, Mass, Number};

/// One rod: initial shape, rest shape, sections, supports and loads.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RodSpec {
    /// Name in reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether the last node is joined to the first.
    pub closed: bool,
    /// Initial twist on top of the rest shape's, spread evenly over the rod, rad.
    pub twist: Angle,
    /// Material director m1 of the first edge; its part along the edge is ignored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_director: Option<Direction>,
    /// Mass of every edge, kg, instead of density times volume.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edge_mass: Option<Mass>,
    /// Rest shape.
    pub rest: RestSpec,
    /// Curvature at rest along m1 and m2 in place of that of the rest shape, 1/m, `(vertices)`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest_curvature: Option<Vec<[Curvature; 2]>>,
    /// Twist at rest in place of that of the rest shape, rad/m, `(vertices)`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest_twist: Option<Vec<AnglePerLength>>,
    /// Initial shape.
    pub shape: ShapeSpec,
    /// Cross section.
    pub section: SectionSpec,
    /// Material; not needed where every section is given by its stiffness.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub material: Option<MaterialSpec>,
    /// Edges that differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub overrides: Vec<OverrideSpec>,
    /// Clamped edges.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clamps: Vec<ClampSpec>,
    /// Held nodes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub held: Vec<HeldSpec>,
    /// Held angles.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub held_angles: Vec<HeldAngleSpec>,
    /// Forces on nodes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forces: Vec<ForceSpec>,
    /// Moments on edges.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moments: Vec<MomentSpec>,
    /// Springs along it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub foundation: Option<FoundationSpec>,
    /// Forces per length that follow the rod.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub line_loads: Vec<LineLoadSpec>,
    /// Strains at rest that are driven.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub driven: Vec<DrivenSpec>,
    /// Retardation times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub viscous: Option<ViscousSpec>,
    /// What of the stiffness relaxes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relaxing: Option<RelaxingSpec>,
    /// Magnetisation along m1, m2 and the tangent, A/m, of as many equal parts of the rod as there
    /// are rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub magnetisation: Option<Vec<[Number; 3]>>,
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
        /// First and last edge, from 0, both included.
        pub edges: [usize; 2],
        /// Their section.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub section: Option<SectionSpec>,
        /// Their material.
        #[serde(skip_serializing_if = "Option::is_none")]
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
            magnetisation: None,
        }
    }
}

pub(crate) const KEYS: &[&str] = &[
    "name",
    "closed",
    "twist",
    "first_director",
    "edge_mass",
    "rest",
    "rest_curvature",
    "rest_twist",
    "shape",
    "section",
    "material",
    "repeat",
    "overrides",
    "clamps",
    "held",
    "held_angles",
    "forces",
    "moments",
    "foundation",
    "line_loads",
    "driven",
    "viscous",
    "relaxing",
    "magnetisation",
];

impl Read for RodSpec {
    fn wanted() -> String {
        "a [[rods]] section with `shape`, `section` and `material`".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        let keys = Keys::new(at, KEYS)?;
        let shape: ShapeSpec = keys.required("shape")?;
        let ring = matches!(shape, ShapeSpec::Ring(_));
        let closed = keys.or("closed", ring)?;
        if ring && !closed {
            let message = "a ring is closed";
            let remedy = "use the shape `arc` for an open rod";
            return keys.conflict("closed", Problem::conflict(message, remedy));
        }
        let made = Made::read(&keys, &shape, closed)?;
        let first_director = keys.optional("first_director")?;
        if let Some(d) = &first_director {
            check_direction(&keys, "first_director", d)?;
        }
        let edge_mass: Option<Mass> = keys.optional("edge_mass")?;
        edge_mass.map_or(Ok(()), |m| keys.positive("edge_mass", m.si()))?;
        Ok(Self {
            name: keys.optional("name")?,
            closed,
            twist: keys.or("twist", Angle::default())?,
            first_director,
            edge_mass,
            rest: keys.or("rest", RestSpec::Initial)?,
            rest_curvature: made.rest_curvature,
            rest_twist: made.rest_twist,
            shape,
            section: made.section,
            material: made.material,
            overrides: made.overrides,
            clamps: made.clamps,
            held: keys.or("held", Vec::new())?,
            held_angles: keys.or("held_angles", Vec::new())?,
            forces: keys.or("forces", Vec::new())?,
            moments: keys.or("moments", Vec::new())?,
            foundation: keys.optional("foundation")?,
            line_loads: keys.or("line_loads", Vec::new())?,
            driven: keys.or("driven", Vec::new())?,
            viscous: keys.optional("viscous")?,
            relaxing: keys.optional("relaxing")?,
            magnetisation: keys.optional("magnetisation")?,
        })
    }
}

/// What of a rod may vary along it, and what says where its edges are.
struct Made {
    section: SectionSpec,
    material: Option<MaterialSpec>,
    overrides: Vec<OverrideSpec>,
    clamps: Vec<ClampSpec>,
    rest_curvature: Option<Vec<[Curvature; 2]>>,
    rest_twist: Option<Vec<AnglePerLength>>,
}

impl Made {
    fn read(keys: &Keys, shape: &ShapeSpec, closed: bool) -> Result<Self, SceneError> {
        let given: Vec<OverrideSpec> = keys.or("overrides", Vec::new())?;
        let clamps: Vec<ClampSpec> = keys.or("clamps", Vec::new())?;
        let places = || Places::of(shape, closed, &clamps);
        let varying = |name: &str, depth| keys.at(name).is_some_and(|at| varies(&at, depth));
        let edges = match varying("section", 2) || varying("material", 1) {
            true => for_each_edge(&places(), |spot| Self::edge(keys, Some(spot)))?,
            false => vec![Self::edge(keys, None)?],
        };
        let Some((section, material)) = edges.first().copied() else {
            return Err(keys.missing("section", SectionSpec::wanted()));
        };
        let mut overrides = differing(&edges);
        overrides.extend(given);
        Ok(Self {
            section,
            material,
            overrides,
            rest_curvature: rest_curvature(keys, &places)?,
            rest_twist: rest_twist(keys, &places)?,
            clamps,
        })
    }

    /// Section and material of an edge.
    fn edge(
        keys: &Keys,
        spot: Option<&dyn AlongRod>,
    ) -> Result<(SectionSpec, Option<MaterialSpec>), SceneError> {
        let at = |name: &str| keys.at(name).map(|at| At { spot, ..at });
        let Some(section) = at("section") else {
            return Err(keys.missing("section", SectionSpec::wanted()));
        };
        let section = SectionSpec::read(&section)?;
        let material = at("material")
            .map(|at| MaterialSpec::read(&at))
            .transpose()?;
        if material.is_none() && !matches!(section, SectionSpec::Stiffness { .. }) {
            return Err(keys.missing("material", MaterialSpec::wanted()));
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

fn rest_curvature(
    keys: &Keys,
    places: &dyn Fn() -> Places,
) -> Result<Option<Vec<[Curvature; 2]>>, SceneError> {
    let table = keys.at("rest_curvature").filter(is_table);
    let Some(at) = table else {
        return keys.optional("rest_curvature");
    };
    let columns = [
        ("along m1", Curvature::DIMENSION),
        ("along m2", Curvature::DIMENSION),
    ];
    let rows = at_vertices(&at, &columns, &places())?;
    Ok(Some(
        rows.iter()
            .map(|r| [r[0], r[1]].map(Curvature::new))
            .collect(),
    ))
}

fn rest_twist(
    keys: &Keys,
    places: &dyn Fn() -> Places,
) -> Result<Option<Vec<AnglePerLength>>, SceneError> {
    let table = keys.at("rest_twist").filter(is_table);
    let Some(at) = table else {
        return keys.optional("rest_twist");
    };
    let rows = at_vertices(&at, &[("twist", AnglePerLength::DIMENSION)], &places())?;
    Ok(Some(
        rows.iter().map(|r| AnglePerLength::new(r[0])).collect(),
    ))
}

fn is_table(at: &At) -> bool {
    matches!(at.node.value, Value::Table(_))
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
        keys.check_shown("edges", &shown, first <= last, need)
    }
}
