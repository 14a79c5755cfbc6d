//! Catalogue 4.3: the smoothed Coulomb law (T22 Eq. 17).

use writhe::kernels::friction::traction::{Weight, stick_slip_weight};

use crate::case::{Case, CaseError, Context, Source};
use crate::row::Row;

/// The case.
pub const CASE: Case = Case {
    name: "friction-weight",
    section: "4.3",
    measures: "weight gamma of T22 Eq. 17 and its slope by v/nu; the creep at which it carries a part of the limit",
    source: Source::ClosedForm,
    origin: "2/(1 + exp(-15 v/nu)) - 1; v/nu = ln((1 + s)/(1 - s))/15",
    run,
};

/// Slip tolerance, m/s.
const NU: f64 = 1e-4;

/// v/nu, gamma, nu d gamma/dv where it is given; 7.5 (1 - gamma^2) elsewhere.
const TABLE: [(f64, f64, Option<f64>); 6] = [
    (0.0, 0.0, Some(7.5)),
    (0.01, 0.0748596906874991, Some(7.45797020032629)),
    (0.1, 0.6351489523872873, Some(4.474393562109986)),
    (0.2, 0.9051482536448664, Some(1.355299791927364)),
    (0.5, 0.9988944427261528, None),
    (1.0, 0.9999993881955461, None),
];

fn run(_: &Context) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for (v, gamma, slope) in TABLE {
        let found = stick_slip_weight(v * NU, NU);
        rows.push(Row::absolute(
            format!("gamma at v = {v} nu"),
            found.0,
            gamma,
            1e-14,
        ));
        let slope = slope.unwrap_or(7.5 * (1.0 - gamma * gamma));
        let what = format!("nu d gamma/dv at v = {v} nu");
        rows.push(Row::absolute(what, found.1 * NU, slope, 1e-12));
        let what = format!("gamma of the traction at v = {v} nu");
        rows.push(Row::absolute(
            what,
            Weight::Tanh.ratio(v).0 * v,
            gamma,
            1e-14,
        ));
    }
    for s in [0.5_f64, 0.9, 0.99, 0.999] {
        let creep = ((1.0 + s) / (1.0 - s)).ln() / 15.0;
        let found = stick_slip_weight(creep * NU, NU).0;
        rows.push(Row::relative(
            format!("gamma at the creep of s = {s}, v = {creep:.6} nu"),
            found,
            s,
            1e-12,
        ));
    }
    Ok(rows)
}
