//! How rods answer where their rest shape is driven or their material is viscous.
//!
//! In a step everything that does not depend on its end is known before Newton's method begins: the
//! rest shape at the stage, the strains at the start, what dashpots have given way. What is left is
//! linear in the strains of the stage, so each vertex and edge is a spring with another stiffness
//! and another rest strain than the model's, and forces, second derivatives and the potential of
//! Newton's method are those of elasticity, exactly. With e the strain less that at rest, r the
//! scheme's derivative `de/dt = a e + h`, and v as below (symbols: `viscoelastic.rs`),
//!
//! ```text
//! m = K e + T (a e + h) - G (A + alpha e) = K' (e - e'),     K' = K + a T - alpha G,   e' = K'^-1 (G A - T h)
//! ```
//!
//! A dashpot in series follows exactly a strain that goes straight from e0 to e1 in the time x of
//! relaxation times: `v1 = E v0 + (f - E) e0 + (1 - f) e1` with `E = exp(-x)` and `f = (1 - E)/x`. That
//! is of second order, with any scheme, and neither overshoots nor limits the step.

use glam::{DMat3, DVec3};

use crate::kernels::elastic::half_edges::HalfEdges;
use crate::model::{Elastic, Model};
use crate::rod::Kinematics;
use crate::rod::kinematics::KinematicsError;
use crate::rod::strain::{VertexGeometry, twist};
use crate::state::State;
use crate::viscoelastic::{StrainMemory, Strains, Viscoelasticity};

/// Stiffness and rest shape that stand for those of the model.
#[derive(Debug, Clone, Default)]
pub(crate) struct Response {
    half_edges: Vec<HalfEdges>,
    stretching: Vec<f64>,
    rest_length: Vec<f64>,
    besides: [f64; 3],
}

/// A step as materials see it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Interval {
    /// a, b, c of the scheme's derivative `a y + b y_n + c y_{n-1}`, 1/s.
    pub rule: [f64; 3],
    /// Time of the stage, s.
    pub stage: f64,
    /// From the start to the stage, s.
    pub span: f64,
    /// Size of the step, s.
    pub dt: f64,
    /// Whether the stage is the middle of the step.
    pub midpoint: bool,
}

/// The response in a step, and what its balance needs.
#[derive(Debug, Clone)]
pub(crate) struct StepResponse {
    /// What stands for the model at the stage.
    pub response: Response,
    interval: Interval,
    /// Strains less those at rest at the start, and one step before; empty where nothing is viscous.
    start: Strains,
    before: Strains,
    /// Driven strains at rest at the stage, and their rate, 1/s.
    driven: Strains,
    driven_rate: Strains,
}

/// Powers of what drives the rest shape, and heat in dashpots, W.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct MaterialPowers {
    /// Of what drives the rest shape.
    pub driven: f64,
    /// Heat.
    pub heat: f64,
}

/// `v1 = keep v0 + first e0 + last e1`.
struct Flow {
    keep: f64,
    first: f64,
    last: f64,
}

impl Flow {
    /// Over `x` relaxation times.
    fn over(x: f64) -> Self {
        let keep = (-x).exp();
        let mean = if x > 0.0 { -(-x).exp_m1() / x } else { 1.0 };
        Self {
            keep,
            first: mean - keep,
            last: 1.0 - mean,
        }
    }

    fn go(&self, dashpot: f64, e0: f64, e1: f64) -> f64 {
        self.keep * dashpot + self.first * e0 + self.last * e1
    }

    fn of(law: &Viscoelasticity, time: f64) -> Self {
        Self::over(law.relaxation.map_or(0.0, |r| time / r.time))
    }
}

/// K, T and G of a vertex.
struct Matrices {
    spring: DMat3,
    beside: DMat3,
    series: DMat3,
}

impl Matrices {
    fn new(vertex: &HalfEdges, law: &Viscoelasticity) -> Self {
        let spring = DMat3::from_cols_array_2d(&vertex.stiffness);
        let scaled = |by: [f64; 3]| {
            let root = DVec3::new(by[0].sqrt(), by[0].sqrt(), by[1].sqrt());
            let root = DMat3::from_diagonal(root);
            root * spring * root
        };
        Self {
            spring,
            beside: scaled(law.retardation),
            series: scaled(law.shares()),
        }
    }
}

/// A spring of stiffness `k`, by columns, with strains at rest farther on.
fn spring(k: DMat3, rest: [f64; 3], further: DVec3) -> HalfEdges {
    // Symmetric to the last bit, as kernels take it.
    let k = (k + k.transpose()) * 0.5;
    HalfEdges {
        stiffness: k.to_cols_array_2d(),
        rest: (DVec3::from_array(rest) + further).to_array(),
    }
}

impl Response {
    /// The rods with this response.
    pub fn elastic<'a>(&'a self, model: &'a Model) -> Elastic<'a> {
        Elastic {
            half_edges: &self.half_edges,
            stretching: &self.stretching,
            rest_length: &self.rest_length,
            besides: self.besides,
            ..Elastic::from(model)
        }
    }

    /// A vertex and an edge after the other, each by what `vertex` and `edge` make of it: stiffness
    /// and strain at rest beyond the model's.
    fn build(
        model: &Model,
        driven: &Strains,
        vertex: impl Fn(usize, &Viscoelasticity) -> (DMat3, DVec3),
        edge: impl Fn(usize, &Viscoelasticity) -> (f64, f64),
    ) -> Self {
        let mut response = Self::default();
        let rods = model.topology.rods.iter().enumerate();
        for (rod, layout) in rods {
            let law = model.viscoelastic(rod);
            for v in layout.first_vertex..layout.first_vertex + layout.vertices {
                let own = &model.half_edges[v];
                let driven = DVec3::from_array(driven.vertex(v));
                let (k, further) = match law {
                    Some(law) => vertex(v, law),
                    None => (DMat3::from_cols_array_2d(&own.stiffness), DVec3::ZERO),
                };
                let answer = spring(k, own.rest, driven + further);
                response.half_edges.push(answer);
            }
            for e in layout.first_edge..layout.first_edge + layout.edges {
                let (ea, further) = match law {
                    Some(law) => edge(e, law),
                    None => (model.stretching[e], 0.0),
                };
                // N = EA' (|e|/l - 1 - s) with another length at rest, l (1 + s).
                let factor = 1.0 + driven.edge(e) + further;
                response.stretching.push(ea * factor);
                response.rest_length.push(model.rest_length[e] * factor);
            }
        }
        response
    }

    /// In equilibrium at `time`, s, where dashpots beside springs rest and those in series have given
    /// way as far as they do; `None` where the model's own stiffness and rest shape stand.
    pub fn at_rest(model: &Model, time: f64) -> Option<Self> {
        model.responds().then(|| {
            Self::build(
                model,
                &model.driven_strains(time),
                |v, law| {
                    let Matrices { spring, series, .. } = Matrices::new(&model.half_edges[v], law);
                    (spring - series, DVec3::ZERO)
                },
                |e, law| (model.stretching[e] * (1.0 - law.shares()[2]), 0.0),
            )
        })
    }

    /// At a state: the springs with what dashpots in series have given way, for energies; with
    /// `rates` also the moments of dashpots beside the springs, for forces.
    pub fn of_state(model: &Model, state: &State, rates: bool) -> Option<Self> {
        if !model.responds() {
            return None;
        }
        let memory = &state.strains;
        let rate = f64::from(u8::from(rates));
        let mut response = Self::build(
            model,
            &model.driven_strains(state.time),
            |v, law| {
                let m = Matrices::new(&model.half_edges[v], law);
                let moved = m.series * DVec3::from_array(memory.dashpot.vertex(v))
                    - m.beside * DVec3::from_array(memory.rate.vertex(v)) * rate;
                (m.spring, m.spring.inverse() * moved)
            },
            |e, law| {
                let (given, speed) = (memory.dashpot.edge(e), rate * memory.rate.edge(e));
                let further = law.shares()[2] * given - law.retardation[2] * speed;
                (model.stretching[e], further)
            },
        );
        response.besides = besides(model, memory);
        Some(response)
    }
}

/// Energy that springs in series hold beyond `1/2 (e - e') K (e - e')`: `1/2 v (G - G K^-1 G) v`, J, of
/// stretching, bending and twisting.
fn besides(model: &Model, memory: &StrainMemory) -> [f64; 3] {
    let mut energy = [0.0; 3];
    for (rod, layout) in model.topology.rods.iter().enumerate() {
        let Some(law) = model.viscoelastic(rod) else {
            continue;
        };
        for v in layout.first_vertex..layout.first_vertex + layout.vertices {
            let Matrices { spring, series, .. } = Matrices::new(&model.half_edges[v], law);
            let given = DVec3::from_array(memory.dashpot.vertex(v));
            let pull = series * given;
            let all = 0.5 * (pull.dot(given) - pull.dot(spring.inverse() * pull));
            let g = law.shares()[1];
            let twisting = 0.5 * g * (1.0 - g) * spring.z_axis.z * given.z * given.z;
            energy[1] += all - twisting;
            energy[2] += twisting;
        }
        for e in layout.first_edge..layout.first_edge + layout.edges {
            let (g, given) = (law.shares()[2], memory.dashpot.edge(e));
            let spring = model.stretching[e] * model.rest_length[e];
            energy[0] += 0.5 * g * (1.0 - g) * spring * given * given;
        }
    }
    energy
}

/// Strains of all rods less those at rest of the model, and less `driven`.
fn strains(model: &Model, kinematics: &Kinematics, q: &[f64], driven: &Strains) -> Strains {
    let mut strains = Strains::zeros(&model.topology);
    for (v, strain) in strains.vertices.iter_mut().enumerate() {
        let [minus, plus] = model.topology.vertex_edges[v].map(|e| kinematics.edge(e));
        let geometry = VertexGeometry::new(&minus, &plus);
        let turned = twist(&model.topology, kinematics, q, v);
        *strain = model.half_edges[v].strain(&geometry, turned);
    }
    for (e, strain) in strains.edges.iter_mut().enumerate() {
        *strain = kinematics.length(e) / model.rest_length[e] - 1.0;
    }
    strains.combine(driven, |strain, driven| strain - driven);
    strains
}

impl StepResponse {
    /// In a step from `start`; `None` where the model's own stiffness and rest shape stand.
    pub fn new(
        model: &Model,
        start: &State,
        interval: Interval,
    ) -> Result<Option<Self>, KinematicsError> {
        if !model.responds() {
            return Ok(None);
        }
        let [a, b, c] = interval.rule;
        let driven = model.driven_strains(interval.stage);
        let at_start = model.driven_strains(start.time);
        let mut driven_rate = Strains::default();
        if interval.midpoint && !model.driven.is_empty() {
            // What is driven is no line from end to end, and its middle not that of the ends.
            driven_rate = model.driven_strains(start.time + interval.dt);
            driven_rate.combine(&at_start, |end, start| (end - start) / interval.dt);
        } else if !model.driven.is_empty() {
            driven_rate.clone_from(&driven);
            driven_rate.combine(&at_start, |now, start| a * now + b * start);
            if let (Some(history), true) = (&start.history, c != 0.0) {
                let before = model.driven_strains(start.time - history.dt);
                driven_rate.combine(&before, |rate, before| rate + c * before);
            }
        }
        let mut own = Self {
            response: Response::default(),
            interval,
            start: Strains::default(),
            before: Strains::default(),
            driven,
            driven_rate,
        };
        if model.is_viscous() {
            let mut kinematics = Kinematics::default();
            kinematics.update(&model.topology, &start.frames, &start.q)?;
            own.start = strains(model, &kinematics, &start.q, &at_start);
            // A state that another model led to knows none: it has had these all the time.
            let known = !start.strains.before.edges.is_empty();
            let before = if known {
                &start.strains.before
            } else {
                &own.start
            };
            own.before = before.clone();
        }
        own.response = Response::build(
            model,
            &own.driven,
            |v, law| {
                let flow = Flow::of(law, interval.span);
                let m = Matrices::new(&model.half_edges[v], law);
                let (given, history) = own.known_of_vertex(start, &flow, v);
                let k = m.spring + m.beside * a - m.series * flow.last;
                let further = k.inverse() * (m.series * given - m.beside * history);
                (k, further)
            },
            |e, law| {
                let flow = Flow::of(law, interval.span);
                let (share, tau) = (law.shares()[2], law.retardation[2]);
                let given = flow.go(start.strains.dashpot.edge(e), own.start.edge(e), 0.0);
                let history = own.history(own.start.edge(e), own.before.edge(e));
                let factor = 1.0 + a * tau - flow.last * share;
                let further = (share * given - tau * history) / factor;
                (model.stretching[e] * factor, further)
            },
        );
        Ok(Some(own))
    }

    /// `b e_n + c e_{n-1}`, 1/s.
    fn history(&self, start: f64, before: f64) -> f64 {
        let [_, b, c] = self.interval.rule;
        if c == 0.0 {
            b * start
        } else {
            b * start + c * before
        }
    }

    /// Of a vertex: A, and h.
    fn known_of_vertex(&self, start: &State, flow: &Flow, v: usize) -> (DVec3, DVec3) {
        let given = start.strains.dashpot.vertex(v);
        let (at_start, before) = (self.start.vertex(v), self.before.vertex(v));
        let known = |c: usize| {
            let given = flow.go(given[c], at_start[c], 0.0);
            (given, self.history(at_start[c], before[c]))
        };
        let [x, y, z] = [known(0), known(1), known(2)];
        (DVec3::new(x.0, y.0, z.0), DVec3::new(x.1, y.1, z.1))
    }

    /// Powers at the stage, with the `kinematics` of its unknowns `y`.
    pub fn powers(
        &self,
        model: &Model,
        start: &State,
        kinematics: &Kinematics,
        y: &[f64],
    ) -> MaterialPowers {
        let mut powers = MaterialPowers::default();
        let a = self.interval.rule[0];
        let at_stage = strains(model, kinematics, y, &self.driven);
        for (rod, layout) in model.topology.rods.iter().enumerate() {
            let law = model.viscoelastic(rod);
            for v in layout.first_vertex..layout.first_vertex + layout.vertices {
                let [minus, plus] = model.topology.vertex_edges[v].map(|e| kinematics.edge(e));
                let geometry = VertexGeometry::new(&minus, &plus);
                let turned = twist(&model.topology, kinematics, y, v);
                let spring = &self.response.half_edges[v];
                let moments = spring.moments(spring.strain(&geometry, turned));
                let moments = DVec3::from_array(moments);
                // -m d(rest)/dt: moving the rest strain the way the moment pulls takes energy out.
                let rate = DVec3::from_array(self.driven_rate.vertex(v));
                powers.driven -= moments.dot(rate);
                let Some(law) = law else { continue };
                let m = Matrices::new(&model.half_edges[v], law);
                let flow = Flow::of(law, self.interval.span);
                let (given, history) = self.known_of_vertex(start, &flow, v);
                let e = DVec3::from_array(at_stage.vertex(v));
                let rate = e * a + history;
                powers.heat += rate.dot(m.beside * rate);
                if let Some(relaxation) = law.relaxation {
                    let left = e - (given + e * flow.last);
                    powers.heat += left.dot(m.series * left) / relaxation.time;
                }
            }
            for edge in layout.first_edge..layout.first_edge + layout.edges {
                let (length, rest) = (kinematics.length(edge), model.rest_length[edge]);
                let response = &self.response;
                let tension =
                    response.stretching[edge] * (length / response.rest_length[edge] - 1.0);
                powers.driven -= tension * rest * self.driven_rate.edge(edge);
                let Some(law) = law else { continue };
                let flow = Flow::of(law, self.interval.span);
                let start_strain = self.start.edge(edge);
                let e = at_stage.edge(edge);
                let rate = a * e + self.history(start_strain, self.before.edge(edge));
                let volume = model.stretching[edge] * rest;
                powers.heat += law.retardation[2] * volume * rate * rate;
                if let Some(relaxation) = law.relaxation {
                    let left = e - flow.go(start.strains.dashpot.edge(edge), start_strain, e);
                    powers.heat += law.shares()[2] * volume * left * left / relaxation.time;
                }
            }
        }
        powers
    }

    /// What is remembered at the end of the step, at `time`, s, with the `kinematics` of its unknowns
    /// `q`; `stage` are those of the stage.
    pub fn memory(
        &self,
        model: &Model,
        start: &State,
        time: f64,
        (kinematics, q): (&Kinematics, &[f64]),
        stage: (&Kinematics, &[f64]),
    ) -> StrainMemory {
        if !model.is_viscous() {
            return StrainMemory::default();
        }
        let [a, b, c] = self.interval.rule;
        let end = strains(model, kinematics, q, &model.driven_strains(time));
        let mut rate = strains(model, stage.0, stage.1, &self.driven);
        rate.combine(&self.start, |now, start| a * now + b * start);
        if c != 0.0 {
            rate.combine(&self.before, |rate, before| rate + c * before);
        }
        StrainMemory {
            before: self.start.clone(),
            rate,
            dashpot: dashpots(model, &start.strains.dashpot, &self.start, &end, |law| {
                Flow::of(law, self.interval.dt)
            }),
        }
    }
}

/// What is remembered of an equilibrium: dashpots in series have given way as far as they do.
pub(crate) fn memory_at_rest(
    model: &Model,
    time: f64,
    kinematics: &Kinematics,
    q: &[f64],
) -> StrainMemory {
    if !model.is_viscous() {
        return StrainMemory::default();
    }
    let end = strains(model, kinematics, q, &model.driven_strains(time));
    let none = Strains::zeros(&model.topology);
    let whole = |_: &Viscoelasticity| Flow {
        keep: 0.0,
        first: 0.0,
        last: 1.0,
    };
    StrainMemory {
        dashpot: dashpots(model, &none, &none, &end, whole),
        ..StrainMemory::default()
    }
}

/// Where dashpots in series are after the strains went from `start` to `end`; empty where no rod has
/// any.
fn dashpots(
    model: &Model,
    before: &Strains,
    start: &Strains,
    end: &Strains,
    flow: impl Fn(&Viscoelasticity) -> Flow,
) -> Strains {
    let rods = 0..model.topology.rods.len();
    let relaxes = |rod: usize| {
        let law = model.viscoelastic(rod)?;
        law.relaxation.map(|_| law)
    };
    if !rods.clone().any(|rod| relaxes(rod).is_some()) {
        return Strains::default();
    }
    let mut given = Strains::zeros(&model.topology);
    for (rod, layout) in model.topology.rods.iter().enumerate() {
        let Some(law) = relaxes(rod) else { continue };
        let flow = flow(law);
        for v in layout.first_vertex..layout.first_vertex + layout.vertices {
            let (v0, e0, e1) = (before.vertex(v), start.vertex(v), end.vertex(v));
            given.vertices[v] = [0, 1, 2].map(|c| flow.go(v0[c], e0[c], e1[c]));
        }
        for e in layout.first_edge..layout.first_edge + layout.edges {
            given.edges[e] = flow.go(before.edge(e), start.edge(e), end.edge(e));
        }
    }
    given
}

/// Stiffness and rest shape of rods in a step.
#[derive(Debug, Clone)]
pub(crate) enum StepMaterial {
    /// The model's own.
    Own,
    /// Those of a step in time.
    Step(Box<StepResponse>),
    /// Those of an equilibrium.
    Rest(Response),
}

impl StepMaterial {
    /// In a step in time.
    pub fn of_step(
        model: &Model,
        start: &State,
        interval: Interval,
    ) -> Result<Self, KinematicsError> {
        let response = StepResponse::new(model, start, interval)?;
        Ok(response.map_or(Self::Own, |response| Self::Step(Box::new(response))))
    }

    /// In equilibrium at `time`, s.
    pub fn at_rest(model: &Model, time: f64) -> Self {
        Response::at_rest(model, time).map_or(Self::Own, Self::Rest)
    }

    /// The rods.
    pub fn rods<'a>(&'a self, model: &'a Model) -> Elastic<'a> {
        match self {
            Self::Own => Elastic::from(model),
            Self::Step(step) => step.response.elastic(model),
            Self::Rest(response) => response.elastic(model),
        }
    }
}

/// The rods at a state, for whoever looks at their strains or energies: the model, or what stands for
/// it.
pub(crate) fn rods_of<'a>(model: &'a Model, response: Option<&'a Response>) -> Elastic<'a> {
    response.map_or_else(|| Elastic::from(model), |response| response.elastic(model))
}

#[cfg(test)]
mod tests;
