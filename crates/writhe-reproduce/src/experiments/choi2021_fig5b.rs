//! C21 Fig. 5b: pull force of a knot with friction 0.1, 0.2, 0.3; here for n = 1 to 4.

use writhe_results::table::number;

use super::figures::{add, force_by_shortening, write};
use super::knot_columns::{self, COLUMNS, READING, by};
use super::knot_curve::Curve;
use super::knots::Pull;
use super::{Experiment, Row};
use crate::bench::{Bench, Span};
use crate::error::Result;
use crate::rows::Rows;

/// C21 Fig. 5b.
#[derive(Debug)]
pub struct Fig5b;

const NAME: &str = "choi2021-fig5b";

/// Where forces are compared between frictions, m, in steps of a centimetre: beyond 0.1 m of pulled
/// length, before the loops are gone.
const COMPARED: (usize, usize) = (15, 57);

/// Our contact, and C21's own method.
const METHODS: [fn(Pull) -> Pull; 2] = [|pull| pull, Pull::by_c21];

fn pull(n: usize, friction_tenths: usize) -> Pull {
    Pull {
        friction_tenths,
        ..Pull::new(n)
    }
}

fn pulls(span: Span) -> Vec<Pull> {
    match span {
        // The paper shows n = 4.
        Span::Full => METHODS
            .into_iter()
            .flat_map(|method| [4, 3, 1, 2].map(|n| (method, n)))
            .flat_map(|(method, n)| [1, 2, 3].map(|mu| method(pull(n, mu))))
            .collect(),
        Span::Quick => vec![pull(1, 1), pull(1, 3), pull(1, 3).by_c21()],
    }
}

fn name(pull: &Pull) -> String {
    format!("n{}-mu{:.1}{}", pull.n, pull.friction(), pull.method())
}

impl Experiment for Fig5b {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "pull force of knots n = 1 to 4 with friction 0.1, 0.2, 0.3 (C21 Fig. 5b)"
    }

    fn columns(&self) -> &'static [(&'static str, &'static str)] {
        COLUMNS
    }

    fn rows(&self, span: Span) -> Vec<Row> {
        knot_columns::rows(NAME, pulls(span), name)
    }

    fn notes(&self, rows: &Rows, bench: &Bench) -> String {
        let mut text = READING.to_owned();
        text += "All at 6 mm/s; the paper pulls faster with more friction (6, 9, 12 mm/s), because its friction pushes rods back at low speeds.\n";
        let all = METHODS
            .into_iter()
            .flat_map(|method| (1..=4).map(move |n| (method, n)));
        for (method, n) in all {
            let pulls = [1, 2, 3].map(|mu| method(pull(n, mu)));
            let label = format!("n = {n}{}", by(&pulls[0]));
            let verdict = |met: bool| if met { "met" } else { "NOT met" };
            if let Some((rising, compared)) = rises(&pulls, bench) {
                text += &format!(
                    "  {label}: force rises with mu at {rising} of {compared} shortenings from e = {} to {} m ({})\n",
                    number(1e-2 * COMPARED.1 as f64, 2),
                    number(1e-2 * COMPARED.0 as f64, 2),
                    verdict(rising == compared)
                );
            }
            let recorded = pulls.iter().map(name).filter(|row| rows.has(row));
            let snaps: Vec<Option<f64>> = recorded
                .map(|row| rows.number(&row, "snap_shortening_m"))
                .collect();
            if snaps.len() == 3 && snaps.iter().any(Option::is_some) {
                let told = snaps.iter().map(|snap| match snap {
                    Some(e) => format!("{} m", number(*e, 4)),
                    None => "none".to_owned(),
                });
                let told: Vec<String> = told.collect();
                let earlier = snaps
                    .windows(2)
                    .all(|s| matches!(s, [Some(a), Some(b)] if b > a));
                text += &format!(
                    "  {label}: snap-through at {} for mu = 0.1, 0.2, 0.3, earlier with more friction ({})\n",
                    told.join(", "),
                    verdict(earlier)
                );
            }
        }
        text
    }

    fn finish(&self, _rows: &Rows, bench: &mut Bench) -> Result<Vec<String>> {
        let panel = |n: usize| {
            let mut panel = force_by_shortening(&format!("n = {n}"));
            panel.y = panel.y.logarithmic();
            for (index, mu) in [1, 2, 3].into_iter().enumerate() {
                let pull = pull(n, mu);
                let label = format!("μ = {:.1}", pull.friction());
                let columns = ["shortening_m", "pull_N"];
                add(
                    &mut panel,
                    bench,
                    [NAME, &name(&pull)],
                    columns,
                    (&label, index),
                );
            }
            panel
        };
        write(bench, NAME, (1..=4).map(panel).collect())
    }
}

/// At how many shortenings the force rises with friction, and how many there are, where all three
/// curves are recorded.
fn rises(pulls: &[Pull], bench: &Bench) -> Option<(usize, usize)> {
    let mut curves = Vec::new();
    for pull in pulls {
        curves.push(Curve::recorded([NAME, &name(pull)], bench)?);
    }
    let at = |e: f64| -> Option<Vec<f64>> { curves.iter().map(|c| c.force_at(e)).collect() };
    let grid = (COMPARED.0..=COMPARED.1).map(|cm| 1e-2 * cm as f64);
    let all: Vec<Vec<f64>> = grid.filter_map(at).collect();
    let rising = all.iter().filter(|f| f[0] < f[1] && f[1] < f[2]).count();
    Some((rising, all.len()))
}
