//! What takes observables: a row, a header, or both.

use std::fmt::Display;

use glam::DVec3;

/// Takes observables one by one, each with its name, unit and value.
///
/// Names are written by those alone who want them: a row of numbers costs no text.
pub trait ObservableSink {
    /// Takes one; the name of letters, digits and underscores, the unit `1` for a pure number, NaN
    /// for what does not exist.
    fn visit(&mut self, name: &dyn Display, unit: &str, value: f64);

    /// Takes the components of a vector.
    fn visit_vector(&mut self, name: &dyn Display, unit: &str, value: DVec3) {
        for (axis, component) in ["x", "y", "z"].iter().zip(value.to_array()) {
            self.visit(&format_args!("{name}_{axis}"), unit, component);
        }
    }
}

/// An observable as it was visited.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Name.
    pub name: String,
    /// Unit; `1` for a pure number.
    pub unit: String,
    /// Value.
    pub value: f64,
}

/// Everything that is visited.
impl ObservableSink for Vec<Entry> {
    fn visit(&mut self, name: &dyn Display, unit: &str, value: f64) {
        self.push(Entry {
            name: name.to_string(),
            unit: unit.to_owned(),
            value,
        });
    }
}

/// Values alone: a row.
impl ObservableSink for Vec<f64> {
    fn visit(&mut self, _: &dyn Display, _: &str, value: f64) {
        self.push(value);
    }
}

#[cfg(test)]
mod tests {
    use std::fmt;

    use super::*;

    #[test]
    fn a_vector_is_three_observables() {
        let mut all: Vec<Entry> = Vec::new();
        all.visit_vector(&format_args!("body{}", 2), "m", DVec3::new(1.0, 2.0, 3.0));
        let told: Vec<_> = (all.iter())
            .map(|e| format!("{} [{}] {}", e.name, e.unit, e.value))
            .collect();
        assert_eq!(told, ["body2_x [m] 1", "body2_y [m] 2", "body2_z [m] 3"]);
    }

    #[test]
    fn a_row_writes_no_names() {
        struct Unwritten;
        impl Display for Unwritten {
            fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
                panic!("the name was written");
            }
        }
        let mut row: Vec<f64> = Vec::new();
        row.visit_vector(&Unwritten, "m", DVec3::X);
        assert_eq!(row, [1.0, 0.0, 0.0]);
    }
}
