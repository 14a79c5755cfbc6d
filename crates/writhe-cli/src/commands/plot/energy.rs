//! `writhe plot RUN energy`: where the energy is, and where it came from and went.

use writhe_plot::{Axis, Color, Curve, Panel, Style};

use super::{Drawing, Run};

/// The name that asks for these panels.
pub const NAME: &str = "energy";

/// Where energy is: observables and how a figure calls them.
const STORED: [(&str, &str); 5] = [
    ("energy_kinetic", "Kinetic"),
    ("energy_bend", "Bending"),
    ("energy_twist", "Twisting"),
    ("energy_stretch", "Stretching"),
    ("energy_contact", "Contact"),
];
/// What changes it: observables, the sign with which they do, and how a figure calls them.
const FLOWS: [(&str, f64, &str); 7] = [
    ("work_loads", 1.0, "Loads"),
    ("work_supports", 1.0, "Supports"),
    ("work_motors", 1.0, "Motors"),
    ("heat_drag", -1.0, "Drag"),
    ("heat_damping", -1.0, "Damping"),
    ("heat_friction", -1.0, "Friction"),
    ("work_contact", 1.0, "Contact stiffness"),
];
const SCHEME: &str = "scheme_gain";
/// Curves that stay below this part of the largest value of their panel are left out.
const UNSEEN: f64 = 1e-3;

/// Whether a run has a balance of energy: those of older versions have none.
pub fn is_recorded(run: &Run) -> bool {
    run.reader.observable(SCHEME).is_some()
}

/// Two panels of a run: the energies that it stores, and what has changed their sum since the
/// start. The change is the sum of the other curves.
pub fn panels(run: &Run, of: &Drawing<'_>) -> Vec<Panel> {
    let sum = |names: &mut dyn Iterator<Item = &str>| {
        let columns: Vec<Vec<f64>> = names.map(|name| of.observed(run, name)).collect();
        let rows = columns.iter().map(Vec::len).min().unwrap_or(0);
        let row = |i: usize| columns.iter().map(|column| column[i]).sum();
        (0..rows).map(row).collect::<Vec<f64>>()
    };
    let total = sum(&mut STORED.iter().map(|(name, _)| *name));
    let start = total.first().copied().unwrap_or(0.0);
    let stored = STORED.map(|(name, label)| (label, of.observed(run, name)));
    let flow = |(name, sign, label): (&str, f64, &'static str)| {
        let values = of.observed(run, name);
        (label, values.iter().map(|v| sign * v).collect())
    };
    let flows = FLOWS.map(flow);
    let change = total.iter().map(|e| e - start).collect();
    let scheme = of.observed(run, SCHEME);
    let titled = |what: &str| match of.runs.len() {
        1 => String::new(),
        _ => format!("{}: {what}", run.label),
    };
    let title = [titled("energy"), titled("what changed it")];
    let energy = [Line::black("Sum", total)];
    let balance = [
        Line::black("Change of energy", change),
        Line {
            always: true,
            style: Style::Dashed,
            ..Line::black("Time scheme", scheme)
        },
    ];
    let coloured = |lines: Vec<(&'static str, Vec<f64>)>, more: Vec<Line>| {
        let lines = lines.into_iter().enumerate();
        let lines = lines.map(|(index, (label, values))| Line {
            label,
            values,
            // Black is for the sum: of seven colours the first six go round, dotted the second
            // time.
            color: Color::of_few(index % 6),
            style: if index < 6 {
                Style::Solid
            } else {
                Style::Dotted
            },
            always: false,
        });
        lines.chain(more).collect::<Vec<Line>>()
    };
    [
        ("Energy", coloured(stored.into(), energy.into())),
        ("Energy from and to", coloured(flows.into(), balance.into())),
    ]
    .into_iter()
    .zip(title)
    .map(|((label, lines), title)| {
        let axes = of.axes(label.to_owned(), "J");
        Panel {
            title,
            ..panel(run, axes, lines, of)
        }
    })
    .collect()
}

/// A curve before it has points.
struct Line {
    label: &'static str,
    values: Vec<f64>,
    color: Color,
    style: Style,
    /// Whether it is drawn even where it is small.
    always: bool,
}

impl Line {
    fn black(label: &'static str, values: Vec<f64>) -> Self {
        Self {
            label,
            values,
            color: Color::of_few(6),
            style: Style::Solid,
            always: false,
        }
    }

    fn largest(&self) -> f64 {
        let finite = self.values.iter().filter(|v| v.is_finite());
        finite.fold(0.0, |a, v| a.max(v.abs()))
    }
}

fn panel(run: &Run, (x, y): (Axis, Axis), lines: Vec<Line>, of: &Drawing<'_>) -> Panel {
    let largest = lines.iter().map(Line::largest).fold(0.0, f64::max);
    let seen = |line: &Line| line.always || line.largest() > UNSEEN * largest;
    let curve = |line: Line| {
        let at = of.observed(run, &of.against);
        let points = at.iter().zip(&line.values).map(|(x, y)| [*x, *y]);
        Curve {
            color: line.color,
            style: line.style,
            ..Curve::new(line.label, points.collect(), 0)
        }
    };
    Panel {
        curves: lines.into_iter().filter(seen).map(curve).collect(),
        ..Panel::new(x, y)
    }
}
