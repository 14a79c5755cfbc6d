//! B08 Fig. 7: localized helical buckling, the envelope against theory as the rod is refined.

use glam::DVec3;
use writhe::model::BendingModel;
use writhe_plot::{Axis, Color, Curve, Panel, Style};
use writhe_results::table::number;
use writhe_validate::reference::localized_buckling::Imposed;
use writhe_validate::setup::localized_buckling::{
    Envelope, edge_lengths, equilibrium, total_twist,
};

use super::figures::{self, points, titled};
use super::{Experiment, Row};
use crate::bench::{Bench, Span};
use crate::error::Result;
use crate::picture::{gallery, shown};
use crate::rows::Rows;

/// B08 Fig. 7.
#[derive(Debug)]
pub struct Fig7;

const NAME: &str = "bergou2008-fig7";

/// Edges of the paper, and finer ones.
const EDGES: [usize; 8] = [40, 60, 80, 110, 140, 180, 360, 720];
/// What is to be shown with the paper's finest rod: largest error of the envelope, and relative
/// error of phi0.
const BOUNDS: (usize, f64, f64) = (180, 0.02, 0.01);

fn edges(span: Span) -> &'static [usize] {
    span.choose(&EDGES[..], &EDGES[..2])
}

/// How a rod is cut into edges, and how it bends.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Mesh {
    /// Edges of one length, bending per edge: the paper's.
    Uniform,
    /// The same with edges half as long in one half of the rod.
    Graded,
    /// Edges of one length, half edges in series: what a scene has unless it says otherwise.
    HalfEdges,
}

impl Mesh {
    const ALL: [Self; 3] = [Self::Uniform, Self::Graded, Self::HalfEdges];

    fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Graded => "graded",
            Self::HalfEdges => "half-edges",
        }
    }

    fn bending(self) -> BendingModel {
        match self {
            Self::Uniform | Self::Graded => BendingModel::PerEdge,
            Self::HalfEdges => BendingModel::HalfEdges,
        }
    }

    /// The row with so many edges.
    fn row(self, edges: usize) -> String {
        format!("{}-n{edges}", self.name())
    }
}

impl Experiment for Fig7 {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "localized helical buckling: envelope against theory, n = 40 to 180 and finer (B08 Fig. 7)"
    }

    fn columns(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("edges", "n"),
            ("phi0_rad", "phi0 rad"),
            ("phi0_error", "off theory"),
            ("largest_error", "max error of f"),
            ("rms_error", "rms error of f"),
            ("twist_turns", "turns of twist"),
            ("twist_per_edge_rad", "rad an edge"),
        ]
    }

    fn rows(&self, span: Span) -> Vec<Row> {
        let all = Mesh::ALL.into_iter();
        let pairs = all.flat_map(|mesh| edges(span).iter().map(move |n| (*n, mesh)));
        pairs
            .map(|(n, mesh)| Row::new(mesh.row(n), move |bench| measure(n, mesh, bench)))
            .collect()
    }

    fn notes(&self, rows: &Rows, _bench: &Bench) -> String {
        let theory = Imposed::FIG_7.shape();
        let mut text = format!(
            "Equilibria of a rod whose clamped end is turned by 27 turns, between the middles of its clamped edges; f = (cos phi - cos phi0)/\n\
             (1 - cos phi0) over s/s* on [-3, 3] with the phi0 of the rod, against tanh^2. Theory: phi0 = {}, s* = {} m. graded: one half twice as fine.\n\
             Bending per edge (B08 Eq. 2), half-edges: as scenes have it; inextensible to 1e-6. Curves: {NAME}-ROW.csv\n",
            number(theory.phi0, 6),
            number(theory.envelope_length(), 5),
        );
        for mesh in Mesh::ALL {
            text += &verdicts(rows, mesh);
        }
        text
    }

    fn finish(&self, _rows: &Rows, bench: &mut Bench) -> Result<Vec<String>> {
        let imposed = Imposed::FIG_7;
        let mut pictures = Vec::new();
        for n in bench.span.choose(&[40, 80, 180][..], &[40][..]) {
            let lengths = edge_lengths(imposed.length, *n, false);
            let simulation = equilibrium(&imposed, &lengths, Mesh::Uniform.bending())?;
            let mut scene = shown(&simulation.model, &simulation.state);
            for tube in &mut scene.tubes {
                tube.radius = vec![0.04];
                tube.material_directors = None;
            }
            pictures.push((format!("n = {n}"), vec![scene]));
        }
        let file = format!("{NAME}{}.png", bench.span.suffix());
        let png = gallery(pictures, Vec::new(), DVec3::Y, DVec3::Z)?;
        bench.write(&file, &png)?;
        let mut written = vec![format!("Picture: {file}")];
        written.extend(figures::write(bench, NAME, envelopes(bench))?);
        Ok(written)
    }
}

/// Envelopes of all meshes, n by n, and theory.
fn envelopes(bench: &Bench) -> Vec<Panel> {
    let drawn = edges(bench.span).iter().filter(|n| **n <= BOUNDS.0);
    let count = drawn.clone().count();
    let panel = |mesh: Mesh| {
        let x = Axis::new("s/s*", "").between(-3.0, 3.0);
        let y = Axis::new("f", "").between(0.0, 1.0);
        let mut panel = titled(mesh.name(), x, y);
        for (i, n) in drawn.clone().enumerate() {
            let row = mesh.row(*n);
            if let Some(points) = points(bench, [NAME, &row], ["s_over_s*", "f"]) {
                // The finest is the darkest.
                let color = Color::of_family(1.0 - (i + 1) as f64 / count as f64);
                let label = format!("n = {n}");
                panel.curves.push(Curve {
                    color,
                    ..Curve::new(label, points, 0)
                });
            }
        }
        if !panel.curves.is_empty() {
            let theory = (-60..=60).map(|i| 0.05 * f64::from(i));
            let theory = theory.map(|s| [s, s.tanh().powi(2)]).collect();
            panel
                .curves
                .push(Curve::new("theory", theory, 0).styled(Style::Dashed));
        }
        panel
    };
    Mesh::ALL.map(panel).to_vec()
}

fn measure(n: usize, mesh: Mesh, bench: &mut Bench) -> Result<Vec<String>> {
    let imposed = Imposed::FIG_7;
    let theory = imposed.shape();
    let lengths = edge_lengths(imposed.length, n, mesh == Mesh::Graded);
    let simulation = equilibrium(&imposed, &lengths, mesh.bending())?;
    let envelope = Envelope::of(&simulation, &lengths, theory.envelope_length());
    let points = envelope.s.iter().zip(&envelope.f);
    let lines: Vec<Vec<String>> = points
        .map(|(s, f)| [*s, *f, s.tanh().powi(2)].map(|v| number(v, 7)).to_vec())
        .collect();
    bench.write_curve(NAME, &mesh.row(n), &["s_over_s*", "f", "theory"], &lines)?;
    let [largest, rms] = envelope.errors();
    let twist = total_twist(&simulation);
    Ok(vec![
        n.to_string(),
        number(envelope.phi0, 6),
        number(envelope.phi0 / theory.phi0 - 1.0, 3),
        number(largest, 3),
        number(rms, 3),
        number(twist / std::f64::consts::TAU, 6),
        number(twist / (n as f64 - 1.0), 4),
    ])
}

fn verdicts(rows: &Rows, mesh: Mesh) -> String {
    let verdict = |met: bool| if met { "met" } else { "NOT met" };
    let value = |n: usize, column: &str| rows.number(&mesh.row(n), column);
    let errors: Vec<(usize, f64)> = EDGES
        .iter()
        .filter_map(|n| Some((*n, value(*n, "largest_error")?)))
        .collect();
    let mesh = mesh.name();
    let falls = errors.windows(2).all(|pair| pair[1].1 < pair[0].1);
    let mut text = format!(
        "  {mesh}: the error falls from n to n ({})\n",
        verdict(falls)
    );
    let (n, bound, relative) = BOUNDS;
    if let (Some(largest), Some(off)) = (value(n, "largest_error"), value(n, "phi0_error")) {
        text += &format!(
            "  {mesh}: n = {n}: largest error {} of at most {bound} ({}), phi0 {} % off, at most {} % ({})\n",
            number(largest, 3),
            verdict(largest <= bound),
            number(100.0 * off, 3),
            100.0 * relative,
            verdict(off.abs() <= relative),
        );
    }
    if let [.., (coarse, before), (fine, after)] = errors[..] {
        let order = (before / after).ln() / ((fine as f64 / coarse as f64).ln());
        text += &format!(
            "  {mesh}: order {} from n = {coarse} to {fine}\n",
            number(order, 3)
        );
    }
    text
}
