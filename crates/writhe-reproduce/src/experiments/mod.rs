//! The experiments, one file each.

mod bergou2008_fig1;
mod bergou2008_fig10;
mod bergou2008_fig11;
mod bergou2008_fig12;
mod bergou2008_fig2;
mod bergou2008_fig5;
mod bergou2008_fig6;
mod bergou2008_fig7;
mod bergou2008_fig8;
mod bergou2008_fig9;
mod bergou2008_table1;
mod choi2021_contact;
mod choi2021_fig1;
mod choi2021_fig3;
mod choi2021_fig5a;
mod choi2021_fig5b;
mod choi2021_fig6;
mod choi2021_table1;
mod choi2021_theory;
mod columns;
mod figures;
mod flagella;
mod knot_columns;
mod knot_curve;
mod knots;
mod oscillation;
mod plans;
mod sheets;
mod smooth_curve;
mod tong2022_c6;
mod tong2022_c7;
mod tong2022_fig1;
mod tong2022_fig4d;
mod tong2022_fig5;
mod tong2022_parametric;
mod tong2022_table1;
mod tong2022_table2;

use std::fmt;

use crate::bench::{Bench, Span};
use crate::error::{ReproduceError, Result};
use crate::rows::Rows;

/// A table or figure of a paper.
pub trait Experiment: Sync {
    /// Name on the command line.
    fn name(&self) -> &'static str;

    /// One line: what it shows, and where the paper has it.
    fn about(&self) -> &'static str;

    /// Columns after the row's name: name with unit in the CSV file, and heading in the printed
    /// table (empty: not printed).
    fn columns(&self) -> &'static [(&'static str, &'static str)];

    /// Its rows, the most valuable first.
    fn rows(&self, span: Span) -> Vec<Row>;

    /// How to read the table, and which claims hold.
    fn notes(&self, rows: &Rows, bench: &Bench) -> String;

    /// Pictures and curves from what is there so far; a line about each.
    ///
    /// # Errors
    /// When a run cannot be read or a file written.
    fn finish(&self, _rows: &Rows, _bench: &mut Bench) -> Result<Vec<String>> {
        Ok(Vec::new())
    }
}

/// A row of an experiment: its name, and how it is measured.
pub struct Row {
    name: String,
    measure: Box<Measure>,
}

/// The values of a row, in the order of the columns; an error when a run cannot be made or read.
type Measure = dyn Fn(&mut Bench) -> Result<Vec<String>>;

impl Row {
    /// The row `name`, whose values `measure` finds.
    pub fn new(
        name: impl Into<String>,
        measure: impl Fn(&mut Bench) -> Result<Vec<String>> + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            measure: Box::new(measure),
        }
    }

    /// Name on the command line and in the table.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The values, in the order of the columns.
    ///
    /// # Errors
    /// When a run cannot be made or read.
    pub fn measure(&self, bench: &mut Bench) -> Result<Vec<String>> {
        (self.measure)(bench)
    }
}

/// A row for each of `items`, whose name and values these functions give.
fn rows_of<T: 'static>(
    items: impl IntoIterator<Item = T>,
    name: fn(&T) -> String,
    measure: fn(&T, &mut Bench) -> Result<Vec<String>>,
) -> Vec<Row> {
    let row = |item: T| Row::new(name(&item), move |bench| measure(&item, bench));
    items.into_iter().map(row).collect()
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Row").field(&self.name).finish()
    }
}

/// All experiments.
pub fn all() -> &'static [&'static dyn Experiment] {
    &[
        &tong2022_table1::Table1,
        &tong2022_table2::Table2,
        &tong2022_fig1::Fig1,
        &tong2022_fig4d::Fig4d,
        &tong2022_fig5::Fig5,
        &tong2022_c6::C6,
        &tong2022_c7::C7,
        &tong2022_parametric::Parametric,
        &choi2021_table1::Table1,
        &choi2021_fig5a::Fig5a,
        &choi2021_fig5b::Fig5b,
        &choi2021_fig6::Fig6,
        &choi2021_fig1::Fig1,
        &choi2021_contact::Contact,
        &choi2021_fig3::Fig3,
        &choi2021_fig3::Fig4,
        &choi2021_theory::Theory,
        &bergou2008_fig1::Fig1,
        &bergou2008_fig2::Fig2,
        &bergou2008_fig5::Fig5,
        &bergou2008_fig7::Fig7,
        &bergou2008_fig8::Fig8,
        &bergou2008_fig9::Fig9,
        &bergou2008_fig10::Fig10,
        &bergou2008_fig6::Fig6,
        &bergou2008_fig11::Fig11,
        &bergou2008_fig12::Fig12,
        &bergou2008_table1::Table1,
    ]
}

/// The experiment of this name.
///
/// # Errors
/// When there is none.
pub fn find(name: &str) -> Result<&'static dyn Experiment> {
    let known = || {
        let names: Vec<&str> = all().iter().map(|experiment| experiment.name()).collect();
        names.join(", ")
    };
    all()
        .iter()
        .find(|experiment| experiment.name() == name)
        .copied()
        .ok_or_else(|| ReproduceError::NoSuchExperiment {
            name: name.to_owned(),
            known: known(),
        })
}
