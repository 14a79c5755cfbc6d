//! The units that a scene may use.

use super::Dimension;

/// A unit without prefix.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unit {
    /// As it is written.
    pub symbol: &'static str,
    /// Its size in SI.
    pub factor: f64,
    /// Its dimension.
    pub dimension: Dimension,
    /// Whether it takes SI prefixes.
    pub prefixable: bool,
}

const fn unit(symbol: &'static str, factor: f64, powers: [i32; 4], prefixable: bool) -> Unit {
    let [m, kg, s, rad] = powers;
    Unit {
        symbol,
        factor,
        dimension: Dimension::new(m, kg, s, rad),
        prefixable,
    }
}

const TURN: f64 = std::f64::consts::TAU;

/// All units, in the order in which they are looked up.
const UNITS: [Unit; 21] = [
    unit("m", 1.0, [1, 0, 0, 0], true),
    unit("g", 1e-3, [0, 1, 0, 0], true),
    unit("s", 1.0, [0, 0, 1, 0], true),
    unit("N", 1.0, [1, 1, -2, 0], true),
    unit("Pa", 1.0, [-1, 1, -2, 0], true),
    unit("J", 1.0, [2, 1, -2, 0], true),
    unit("W", 1.0, [2, 1, -3, 0], true),
    unit("P", 0.1, [-1, 1, -1, 0], true),
    unit("bar", 1e5, [-1, 1, -2, 0], true),
    unit("dyn", 1e-5, [1, 1, -2, 0], false),
    unit("L", 1e-3, [3, 0, 0, 0], true),
    unit("rad", 1.0, [0, 0, 0, 1], true),
    unit("deg", TURN / 360.0, [0, 0, 0, 1], false),
    unit("°", TURN / 360.0, [0, 0, 0, 1], false),
    unit("rev", TURN, [0, 0, 0, 1], false),
    unit("turn", TURN, [0, 0, 0, 1], false),
    unit("turns", TURN, [0, 0, 0, 1], false),
    unit("rpm", TURN / 60.0, [0, 0, -1, 1], false),
    unit("min", 60.0, [0, 0, 1, 0], false),
    unit("h", 3600.0, [0, 0, 1, 0], false),
    unit("day", 86400.0, [0, 0, 1, 0], false),
];

const PREFIXES: [(&str, f64); 12] = [
    ("T", 1e12),
    ("G", 1e9),
    ("M", 1e6),
    ("k", 1e3),
    ("d", 1e-1),
    ("c", 1e-2),
    ("m", 1e-3),
    ("u", 1e-6),
    ("µ", 1e-6),
    ("μ", 1e-6),
    ("n", 1e-9),
    ("p", 1e-12),
];

/// Size in SI and dimension of a unit with or without a prefix.
pub(super) fn find(symbol: &str) -> Option<(f64, Dimension)> {
    if let Some(u) = UNITS.iter().find(|u| u.symbol == symbol) {
        return Some((u.factor, u.dimension));
    }
    PREFIXES.iter().find_map(|(prefix, size)| {
        let rest = symbol.strip_prefix(prefix)?;
        let u = UNITS.iter().find(|u| u.prefixable && u.symbol == rest)?;
        Some((size * u.factor, u.dimension))
    })
}

/// Other spellings, with the one that is understood.
const SPELLINGS: [(&str, &str); 17] = [
    ("sec", "s"),
    ("second", "s"),
    ("seconds", "s"),
    ("msec", "ms"),
    ("meter", "m"),
    ("metre", "m"),
    ("meters", "m"),
    ("kilogram", "kg"),
    ("Kg", "kg"),
    ("pa", "Pa"),
    ("mpa", "MPa"),
    ("newton", "N"),
    ("degrees", "deg"),
    ("degree", "deg"),
    ("RPM", "rpm"),
    ("revs", "rev"),
    ("poise", "P"),
];

/// The unit that was perhaps meant.
pub(super) fn nearest(symbol: &str) -> Option<String> {
    if let Some((_, right)) = SPELLINGS.iter().find(|(wrong, _)| *wrong == symbol) {
        return Some((*right).to_owned());
    }
    let all = UNITS.iter().flat_map(|u| {
        let plain = std::iter::once(u.symbol.to_owned());
        let prefixes = PREFIXES
            .iter()
            .filter(|(p, _)| u.prefixable && p.is_ascii());
        plain.chain(prefixes.map(|(p, _)| format!("{p}{}", u.symbol)))
    });
    let best = all.min_by_key(|u| {
        let exact_case = usize::from(!u.eq_ignore_ascii_case(symbol));
        (strsim::levenshtein(u, symbol), exact_case)
    })?;
    (strsim::levenshtein(&best, symbol) <= symbol.len() / 2).then_some(best)
}
