//! Tables of numbers, in files: columns parted by commas, semicolons, tabs or blanks, a header row if
//! there is one, lines that begin with `#` left out.

use crate::error::{Problem, SceneError};
use crate::tree::{At, Keys, Read, Value, described, keys};
use crate::units::{Dimension, Number, number_length, parse_as, parse_unit, scaled};

/// A column that is wanted: what it holds, and in which dimension.
pub(crate) type Wanted = (&'static str, Dimension);

/// Columns of points.
pub(crate) const POINTS: [Wanted; 3] = [
    ("x", Dimension::new(1, 0, 0, 0)),
    ("y", Dimension::new(1, 0, 0, 0)),
    ("z", Dimension::new(1, 0, 0, 0)),
];

keys! {
    /// A table of numbers in a file.
    pub(crate) struct TableFile {
        /// Its path, relative to the folder of the scene.
        file: TablePath,
        /// Which columns are meant, by name or by number from 0; all, in their order, unless given.
        columns: Option<Vec<Column>>,
        /// Units of bare numbers, such as `["ms", "mm"]`; those of the header, as in `t [ms]`, or
        /// SI unless given.
        units: Option<Vec<String>>,
    }
}

keys! {
    /// Values along a rod: a table over arc length, linear between its rows, which stands in the
    /// scene or in a file.
    pub(crate) struct TableAlong {
        /// Rows `[arc length, value]`, m from the start of the rod, ascending, over all of the rod;
        /// of a rest curvature `[arc length, along m1, along m2]`.
        table: Option<Rows>,
        /// A file with such a table, in place of `table`.
        file: Option<TablePath>,
        /// Which columns of the file are meant, by name or by number from 0.
        columns: Option<Vec<Column>>,
        /// Units of their bare numbers; those of the header, or SI unless given.
        units: Option<Vec<String>>,
    }
}

/// The path of a file.
pub(crate) struct TablePath;
/// Rows of numbers.
pub(crate) struct Rows;
/// A column by its name or its number.
pub(crate) struct Column;

described! {
    TablePath => File;
    Rows => Rows;
    Column => Either(vec![Text, Whole]);
    TableFile => Table(std::any::type_name::<TableFile>());
    TableAlong => Table(std::any::type_name::<TableAlong>());
}

/// A table, row by row, in SI, and the line of each row in its file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Numbers {
    pub rows: Vec<Vec<f64>>,
    lines: Vec<usize>,
    file: Option<String>,
}

impl Numbers {
    /// A list of rows: the value of `table` where there is one, or `at` itself.
    pub fn listed(at: &At, wanted: &[Wanted]) -> Result<Self, SceneError> {
        let names: Vec<&str> = wanted.iter().map(|(name, _)| *name).collect();
        let count = wanted.len();
        let row_wanted = format!("a list of {count}: {}", names.join(", "));
        let Some(elements) = at.elements() else {
            return at.wrong_type(format!("a list of rows, each {row_wanted}"));
        };
        let mut rows = Vec::new();
        for element in &elements {
            let cells = element.elements().unwrap_or_default();
            if cells.len() != count {
                return element.wrong_type(row_wanted);
            }
            let cells = cells.iter().zip(wanted);
            let row: Result<Vec<f64>, SceneError> = cells
                .map(|(cell, (_, dimension))| cell.number(*dimension))
                .collect();
            rows.push(row?);
        }
        let lines = (0..rows.len()).collect();
        Ok(Self {
            rows,
            lines,
            file: None,
        })
    }

    /// What the keys `file`, `columns` and `units` name.
    pub fn of_file(keys: &Keys, wanted: &[Wanted]) -> Result<Self, SceneError> {
        let Some(at) = keys.at(&TableFile::file()) else {
            return Err(keys.missing(&TableFile::file(), String::wanted()));
        };
        let path = String::read(&at)?;
        let text = text_of(&at, &path)?;
        let sheet = Sheet::of(&text);
        let fail = |line: Option<usize>, message: String, remedy: String| {
            let path = path.clone();
            at.fail(Problem::Table {
                path,
                line,
                message,
                remedy,
            })
        };
        let columns = match keys.at(&TableFile::columns()) {
            Some(columns) => chosen(&columns, &sheet, wanted.len())?,
            None => (0..wanted.len()).collect(),
        };
        let width = sheet.width();
        if keys.at(&TableFile::columns()).is_none()
            && width != wanted.len()
            && !sheet.rows.is_empty()
        {
            let names: Vec<&str> = wanted.iter().map(|(name, _)| *name).collect();
            let has = match width {
                1 => "1 column".to_owned(),
                n => format!("{n} columns"),
            };
            let message = format!(
                "it has {has} where {} belong: {}",
                wanted.len(),
                names.join(", ")
            );
            return fail(Some(sheet.rows[0].line), message, which(width, &names));
        }
        let units = units(keys, &sheet, &columns, wanted)?;
        sheet.numbers(&at, &path, (&columns, &units), wanted)
    }

    /// All columns of a file of plain numbers; `at` holds its path.
    pub fn all_of_file(at: &At) -> Result<Self, SceneError> {
        let path = String::read(at)?;
        let text = text_of(at, &path)?;
        let sheet = Sheet::of(&text);
        let columns: Vec<usize> = (0..sheet.width()).collect();
        let wanted = vec![("value", Dimension::NONE); columns.len()];
        sheet.numbers(at, &path, (&columns, &vec![1.0; columns.len()]), &wanted)
    }

    /// The rows as plain numbers.
    pub fn plain(self) -> Vec<Vec<Number>> {
        let row = |row: Vec<f64>| row.into_iter().map(Number::new).collect();
        self.rows.into_iter().map(row).collect()
    }

    /// The columns called x, y and z of a table with a header row, or else its first three, m;
    /// `None` without a header row. `at` holds the path.
    pub fn of_points(at: &At, path: &str, text: &str) -> Result<Option<Self>, SceneError> {
        let sheet = Sheet::of(text);
        if sheet.names.len() < 3 {
            return Ok(None);
        }
        let named = POINTS.map(|(name, _)| {
            let is = |n: &&str| name_and_unit(n).0.eq_ignore_ascii_case(name);
            sheet.names.iter().position(is)
        });
        let columns = match named {
            [Some(x), Some(y), Some(z)] => [x, y, z],
            _ => [0, 1, 2],
        };
        let units = header_units(at, &sheet, &columns, &POINTS)?;
        sheet
            .numbers(at, path, (&columns, &units), &POINTS)
            .map(Some)
    }

    /// Refuses a first column that does not rise; `at` is where messages point to.
    pub fn rising(self, at: &At, what: &str, unit: &str) -> Result<Self, SceneError> {
        if self.rows.is_empty() {
            return at.wrong_type("a table with at least one row".into());
        }
        let first = |row: usize| self.rows[row][0];
        let Some(row) = (1..self.rows.len()).find(|row| first(*row) <= first(row - 1)) else {
            return Ok(self);
        };
        let value = format!("{} {unit} after {} {unit}", first(row), first(row - 1));
        match &self.file {
            Some(path) => at.fail(Problem::Table {
                path: path.clone(),
                line: Some(self.lines[row]),
                message: format!("{value}: {what} ascend from row to row"),
                remedy: "sort the rows, and keep one of those that are equal".into(),
            }),
            None => at.fail(Problem::Range {
                value: format!("{value} (row {row})"),
                need: format!("a table whose {what} ascend"),
            }),
        }
    }
}

/// What to do about a file of so many columns where columns of these names belong.
fn which(width: usize, names: &[&str]) -> String {
    let last = width.saturating_sub(1);
    let columns: Vec<String> = (0..names.len()).map(|k| k.min(last).to_string()).collect();
    let columns = columns.join(", ");
    if width > names.len() {
        return format!(
            "say which columns are meant, by name or by number from 0: columns = [{columns}]"
        );
    }
    let along = match names {
        ["time", "x", ..] => {
            "; a motion along one axis is translation = { by = [0, 0, \"1 mm\"], amplitude = { file = .. } }"
        }
        _ => "",
    };
    let missing = names[width..].join(", ");
    format!(
        "add columns for {missing}; a column may be named more than once, as in columns = [{columns}]{along}"
    )
}

fn text_of(at: &At, path: &str) -> Result<String, SceneError> {
    at.files.read(path).or_else(|message| {
        let path = path.to_owned();
        at.fail(Problem::File { path, message })
    })
}

/// A table as a file has it.
struct Sheet<'a> {
    names: Vec<&'a str>,
    rows: Vec<Cells<'a>>,
}

struct Cells<'a> {
    line: usize,
    cells: Vec<&'a str>,
}

impl<'a> Sheet<'a> {
    fn of(text: &'a str) -> Self {
        let mut sheet = Self {
            names: Vec::new(),
            rows: Vec::new(),
        };
        for (line, cells) in lines(text) {
            if sheet.rows.is_empty() && sheet.names.is_empty() && is_header(&cells) {
                sheet.names = cells;
            } else {
                sheet.rows.push(Cells { line, cells });
            }
        }
        sheet
    }

    /// These columns in SI, by the sizes of their units; `at` holds the path.
    fn numbers(
        &self,
        at: &At,
        path: &str,
        (columns, units): (&[usize], &[f64]),
        wanted: &[Wanted],
    ) -> Result<Numbers, SceneError> {
        let fail = |line: Option<usize>, message: String, remedy: String| {
            at.fail(Problem::Table {
                path: path.to_owned(),
                line,
                message,
                remedy,
            })
        };
        let width = self.width();
        let mut rows = Vec::new();
        let mut lines = Vec::new();
        for row in &self.rows {
            let has = row.cells.len();
            if has != width {
                let message = format!("{has} columns in a table of {width}");
                let remedy = format!("give every line {width} values");
                return fail(Some(row.line), message, remedy);
            }
            let mut values = Vec::new();
            for ((column, (what, dimension)), factor) in columns.iter().zip(wanted).zip(units) {
                match value(row.cells[*column], *dimension, *factor) {
                    Ok(value) => values.push(value),
                    Err(why) => {
                        let message = match self.names.get(*column) {
                            Some(name) if name_and_unit(name).0 == *what => {
                                format!("column `{name}` {why}")
                            }
                            Some(name) => format!("column `{name}` ({what}) {why}"),
                            None => format!("column {column}, counted from 0, ({what}) {why}"),
                        };
                        let remedy =
                            "write a number there, with a decimal point, or remove the line";
                        return fail(Some(row.line), message, remedy.to_owned());
                    }
                }
            }
            rows.push(values);
            lines.push(row.line);
        }
        if rows.is_empty() {
            let message = "it has no row of numbers".to_owned();
            return fail(None, message, "give it at least one row".to_owned());
        }
        Ok(Numbers {
            rows,
            lines,
            file: Some(path.to_owned()),
        })
    }

    /// Number of columns.
    fn width(&self) -> usize {
        match (self.names.len(), self.rows.first()) {
            (0, Some(row)) => row.cells.len(),
            (names, _) => names,
        }
    }
}

/// Lines that hold something, counted from 1, and their cells.
fn lines(text: &str) -> impl Iterator<Item = (usize, Vec<&str>)> {
    let text = text.trim_start_matches('\u{feff}');
    let lines = text.lines().enumerate();
    let lines = lines.map(|(k, line)| (k + 1, line.trim()));
    lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(k, line)| (k, cells(line)))
}

fn cells(line: &str) -> Vec<&str> {
    let split = [';', ',', '\t'].into_iter().find(|c| line.contains(*c));
    match split {
        Some(split) => line.split(split).map(bare).collect(),
        None => line.split_whitespace().map(bare).collect(),
    }
}

fn bare(cell: &str) -> &str {
    cell.trim().trim_matches('"').trim()
}

/// Whether cells are names of columns: none begins with a number, and there is one.
fn is_header(cells: &[&str]) -> bool {
    let word = |cell: &&str| cell.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let nan = |cell: &&str| ["nan", "inf", "infinity"].contains(&cell.to_lowercase().as_str());
    cells.iter().any(|cell| word(cell) && !nan(cell))
        && cells
            .iter()
            .all(|cell| number_length(cell) == 0 && !nan(cell))
}

/// A name of a column without its unit, and the unit: `t [ms]`, `t (ms)`, `t/ms` stays as it is.
fn name_and_unit(name: &str) -> (&str, Option<&str>) {
    for (open, close) in [('[', ']'), ('(', ')')] {
        let unit = name.strip_suffix(close).and_then(|n| n.rsplit_once(open));
        if let Some((name, unit)) = unit {
            return (name.trim(), Some(unit.trim()));
        }
    }
    (name, None)
}

/// The columns that `columns` names.
fn chosen(at: &At, sheet: &Sheet, count: usize) -> Result<Vec<usize>, SceneError> {
    let wanted = || format!("a list of {count}: names or numbers, from 0, of columns");
    let elements = at.elements().unwrap_or_default();
    if elements.len() != count {
        return at.wrong_type(wanted());
    }
    let column = |at: &At| match &at.node.value {
        Value::Text(name) => {
            let is = |n: &&str| *n == name || name_and_unit(n).0 == name;
            match sheet.names.iter().position(is) {
                Some(column) => Ok(column),
                None => {
                    let known: Vec<&str> = sheet.names.iter().map(|n| name_and_unit(n).0).collect();
                    let remedy = match known.is_empty() {
                        true => {
                            "give the file a header row, or name columns by numbers from 0".into()
                        }
                        false => format!("its columns are {}", known.join(", ")),
                    };
                    let message = format!("the file has no column `{name}`");
                    at.fail(Problem::conflict(message, remedy))
                }
            }
        }
        _ => {
            let column = usize::read(at)
                .or_else(|_| at.wrong_type("a name or a number, from 0, of a column".into()))?;
            let width = sheet.width();
            match column < width {
                true => Ok(column),
                false => at.fail(Problem::Range {
                    value: column.to_string(),
                    need: format!("the number of a column, 0 to {}", width.saturating_sub(1)),
                }),
            }
        }
    };
    elements.iter().map(column).collect()
}

/// Sizes in SI of the units of bare numbers: of `units`, or else of the header; 1 where none is
/// given.
fn units(
    keys: &Keys,
    sheet: &Sheet,
    columns: &[usize],
    wanted: &[Wanted],
) -> Result<Vec<f64>, SceneError> {
    let size = |at: &At, unit: &str, dimension: Dimension| match parse_unit(unit) {
        Ok((factor, found)) if found.fits(dimension) => Ok(factor),
        _ => at.fail(Problem::conflict(
            format!("`{unit}` is no unit of {}", dimension.describe()),
            format!("write a unit as in {}; SI needs none", dimension.example()),
        )),
    };
    if let Some(at) = keys.at(&TableFile::units()) {
        let elements = at.elements().unwrap_or_default();
        if elements.len() != wanted.len() {
            return at.wrong_type(format!(
                "a list of {} units, one for each column that is read",
                wanted.len()
            ));
        }
        let all = elements.iter().zip(wanted);
        return all
            .map(|(at, (_, dimension))| match at.text() {
                Some("" | "1") => Ok(1.0),
                Some(unit) => size(at, unit, *dimension),
                None => at.wrong_type("a unit, such as \"mm\"".into()),
            })
            .collect();
    }
    match keys.at(&TableFile::file()) {
        Some(at) => header_units(&at, sheet, columns, wanted),
        None => Ok(vec![1.0; wanted.len()]),
    }
}

/// Sizes in SI of the units that the header gives.
fn header_units(
    at: &At,
    sheet: &Sheet,
    columns: &[usize],
    wanted: &[Wanted],
) -> Result<Vec<f64>, SceneError> {
    let all_wanted = wanted;
    let all = columns.iter().zip(wanted);
    all.map(|(column, (_, dimension))| {
        let name = sheet.names.get(*column).copied().unwrap_or_default();
        match name_and_unit(name).1 {
            None | Some("" | "1" | "-") => Ok(1.0),
            Some(unit) => match parse_unit(unit) {
                Ok((factor, found)) if found.fits(*dimension) => Ok(factor),
                _ => {
                    let wanted = dimension.describe();
                    let message =
                        format!("the header has `{name}`, and `{unit}` is no unit of {wanted}");
                    at.fail(Problem::conflict(message, units_of(all_wanted)))
                }
            },
        }
    })
    .collect()
}

/// How to say the units of these columns.
fn units_of(wanted: &[Wanted]) -> String {
    let units: Vec<String> = (wanted.iter())
        .map(|(_, dimension)| format!("\"{dimension}\""))
        .collect();
    // What a plain number multiplies has the unit.
    let by = match wanted.iter().any(|(_, d)| *d == Dimension::NONE) {
        true => "; what the numbers multiply has their unit, as in by = [0, \"1 mm\", 0]",
        false => "",
    };
    format!(
        "correct the header, or say the units: units = [{}]{by}",
        units.join(", ")
    )
}

fn value(cell: &str, dimension: Dimension, factor: f64) -> Result<f64, String> {
    if cell.is_empty() {
        return Err("is empty".to_owned());
    }
    // A bare number is of the column's unit.
    let value = match cell.parse::<f64>() {
        Ok(value) => scaled_by(value, factor),
        Err(_) => {
            parse_as(cell, dimension).map_err(|_| format!("holds `{cell}`, which is no number"))?
        }
    };
    match value.is_finite() {
        true => Ok(value),
        false => Err(format!("holds `{cell}`, which is not finite")),
    }
}

fn scaled_by(value: f64, factor: f64) -> f64 {
    match factor == 1.0 {
        true => value,
        false => scaled(value, factor),
    }
}
