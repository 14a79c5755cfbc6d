//! The papers' figures, as printed. T22: Tong et al. 2022, Extreme Mechanics Letters 58; T22a: its
//! preprint with appendices; C21: Choi et al. 2021, Journal of Applied Mechanics 88; B08: Bergou et
//! al. 2008, ACM Transactions on Graphics 27.

/// A row of T22 Table 1: 250 s of rotation in steps of 1 ms without friction, counted over steps
/// with contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Table1 {
    /// Number of flagella M.
    pub count: usize,
    /// Contact model: `imc` or `ipc`.
    pub model: &'static str,
    /// Average iterations a step (AIPTS); the last check counts as an iteration.
    pub iterations: f64,
    /// Average time a step (ATPTS), ms.
    pub milliseconds: f64,
    /// Total run time, h.
    pub hours: f64,
}

const fn table1(
    count: usize,
    model: &'static str,
    iterations: f64,
    milliseconds: f64,
    hours: f64,
) -> Table1 {
    Table1 {
        count,
        model,
        iterations,
        milliseconds,
        hours,
    }
}

/// T22 Table 1.
pub const TABLE_1: [Table1; 8] = [
    table1(2, "imc", 3.00, 10.2, 0.57),
    table1(3, "imc", 3.01, 21.3, 1.19),
    table1(5, "imc", 3.02, 67.5, 3.34),
    table1(10, "imc", 3.12, 389.4, 22.77),
    table1(2, "ipc", 4.00, 18.75, 1.04),
    table1(3, "ipc", 4.00, 39.5, 2.17),
    table1(5, "ipc", 4.01, 95.3, 4.68),
    table1(10, "ipc", 4.02, 477.47, 27.88),
];

/// The row of T22 Table 1 for so many flagella and this model.
pub fn table_1(count: usize, model: &str) -> Option<&'static Table1> {
    TABLE_1
        .iter()
        .find(|row| row.count == count && row.model == model)
}

/// A row of T22 Table 2: two flagella with friction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Table2 {
    /// Friction coefficient mu, in tenths.
    pub friction_tenths: usize,
    /// Average iterations a step.
    pub iterations: f64,
    /// Total iterations.
    pub total: f64,
    /// Simulated time reached, s.
    pub end: f64,
}

const fn table2(friction_tenths: usize, iterations: f64, total: f64, end: f64) -> Table2 {
    Table2 {
        friction_tenths,
        iterations,
        total,
        end,
    }
}

/// T22 Table 2.
pub const TABLE_2: [Table2; 10] = [
    table2(1, 3.01, 6.02e5, 250.0),
    table2(2, 3.01, 6.04e5, 250.0),
    table2(3, 3.61, 7.25e5, 250.0),
    table2(4, 4.89, 9.83e5, 250.0),
    table2(5, 6.67, 1.34e6, 250.0),
    table2(6, 8.71, 1.76e6, 250.0),
    table2(7, 14.47, 2.72e6, 235.89),
    table2(8, 14.16, 1.89e6, 180.98),
    table2(9, 11.1, 1.05e6, 142.72),
    table2(10, 11.65, 1.02e6, 135.32),
];

/// The row of T22 Table 2 for this friction coefficient, in tenths.
pub fn table_2(friction_tenths: usize) -> Option<&'static Table2> {
    TABLE_2
        .iter()
        .find(|row| row.friction_tenths == friction_tenths)
}

/// A row of C21 Table 1: knots pulled at 6 mm/s in steps of 0.5 ms with mu = 0.1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KnotTable {
    /// Unknotting number n.
    pub n: usize,
    /// Average iterations a step (AIPT).
    pub iterations: f64,
    /// Average time an iteration (ATPI), ms.
    pub milliseconds: f64,
    /// Total iterations.
    pub total: f64,
    /// Time, s.
    pub seconds: f64,
}

const fn knot(n: usize, iterations: f64, milliseconds: f64, total: f64, seconds: f64) -> KnotTable {
    KnotTable {
        n,
        iterations,
        milliseconds,
        total,
        seconds,
    }
}

/// C21 Table 1 with the Implicit Contact Model.
pub const KNOTS_IMC: [KnotTable; 4] = [
    knot(1, 2.23, 2.24, 245_824.0, 551.0),
    knot(2, 2.67, 2.20, 245_830.0, 542.0),
    knot(3, 3.04, 2.18, 261_707.0, 570.0),
    knot(4, 3.24, 2.12, 239_987.0, 509.0),
];

/// C21 Table 1 with the contact of Spillmann and Teschner.
pub const KNOTS_SPT: [KnotTable; 4] = [
    knot(1, 8.25, 2.30, 907_541.0, 2085.0),
    knot(2, 9.28, 2.26, 853_935.0, 1931.0),
    knot(3, 10.25, 2.26, 881_907.0, 1990.0),
    knot(4, 10.94, 2.21, 810_160.0, 1790.0),
];

/// A row of B08 Table 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RodTable {
    /// Figure of the paper that shows the scene.
    pub figure: usize,
    /// Vertices.
    pub vertices: usize,
    /// Step, ms.
    pub step: f64,
    /// Time a step, ms.
    pub total: f64,
    /// Of it forces, contact, the quasistatic update of the frames and fast projection, ms; NaN where
    /// the paper has none.
    pub parts: [f64; 4],
}

const fn rods(figure: usize, vertices: usize, step: f64, parts: [f64; 4], total: f64) -> RodTable {
    RodTable {
        figure,
        vertices,
        step,
        total,
        parts,
    }
}

/// Not in the paper.
const NONE: f64 = f64::NAN;

/// B08 Table 1. The parts of Fig. 10 add up to more than its total as printed.
pub const RODS: [RodTable; 9] = [
    rods(1, 60, 4.0, [0.026, 0.05, 0.021, 0.21], 0.31),
    rods(5, 49, 1.0, [0.025, 0.018, 0.021, 0.12], 0.18),
    rods(6, 200, 2.0, [0.072, 0.09, 0.064, 0.81], 1.0),
    rods(9, 275, 1.0, [0.13, 0.19, 0.17, 0.42], 0.92),
    rods(7, 75, 2.0, [0.043, NONE, 0.1, 0.2], 0.34),
    rods(8, 67, 50.0, [0.039, NONE, 0.096, 0.28], 0.42),
    rods(10, 31, 1.0, [0.016, NONE, 0.13, 0.13], 0.2),
    rods(11, 20, 1.0, [0.0036, NONE, 0.0043, 0.019], 0.027),
    rods(12, 2158, 0.1, [0.87, NONE, 0.64, 21.0], 22.0),
];

/// Points of the force curve that the authors' program gives for the knot n = 1 or 3, undamped:
/// shortening, m, and pull force, N.
pub fn pull_curve(n: usize) -> Vec<[f64; 2]> {
    let text = match n {
        1 => include_str!("../data/choi2021/pull_n1.csv"),
        3 => include_str!("../data/choi2021/pull_n3.csv"),
        _ => "",
    };
    let point = |line: &str| {
        let (e, force) = line.split_once(',')?;
        Some([e.parse().ok()?, force.parse().ok()?])
    };
    text.lines().filter_map(point).collect()
}

/// Simulated time of every run of T22, s.
pub const DURATION: f64 = 250.0;
/// Step of every run of T22, s.
pub const STEP: f64 = 1e-3;
/// Time over which T22a Fig. C.7(b) averages, s: the end of the run with mu = 1.
pub const SHORT_AVERAGE: f64 = 135.0;
