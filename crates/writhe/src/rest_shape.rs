//! Rest shapes that are driven: strains at rest as functions of arc length and time.
//!
//! What is driven is added to the strains at rest that a rod has anyway. Strains at rest are curvature
//! along m1 and m2 (1/m), twist (rad/m) and stretch (a part of the length), all per length of the rod
//! as it was built: the stretch at rest moves the length at which an edge has no tension, and leaves
//! the stiffness of its neighbours against bending and twisting as it is.

use std::f64::consts::TAU;

use crate::rod::Topology;
use crate::schedule::endless;
use crate::viscoelastic::Strains;

/// A strain at rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RestStrain {
    /// Curvature along m1, 1/m.
    Curvature1,
    /// Curvature along m2, 1/m.
    Curvature2,
    /// Twist, rad/m.
    Twist,
    /// Stretch: change of the length over the length.
    Stretch,
}

/// How a strain at rest changes along a rod and in time.
#[derive(Debug, Clone, PartialEq)]
pub enum RestLaw {
    /// `amplitude envelope(s) ramp(t) sin(wavenumber s - rate t + phase)`.
    Wave(RestWave),
    /// A table, linear between its points and constant outside.
    Table(RestTable),
}

/// A wave that travels towards the end of the rod.
#[derive(Debug, Clone, PartialEq)]
pub struct RestWave {
    /// Largest value, in the unit of the strain.
    pub amplitude: f64,
    /// `2 pi` over the wavelength, rad/m; 0 where all of the rod goes in step, negative where the
    /// wave travels towards its start.
    pub wavenumber: f64,
    /// `2 pi` over the period, rad/s.
    pub rate: f64,
    /// Phase at the start of the rod at t = 0, rad.
    pub phase: f64,
    /// Factors at equally spaced places from the start of the rod to its end, linear between them; 1
    /// everywhere if empty.
    pub envelope: Vec<f64>,
    /// Time over which the wave grows from nothing, s, as `3 x^2 - 2 x^3`; 0 for all of it at once.
    pub ramp: f64,
}

/// Values over arc length and time.
#[derive(Debug, Clone, PartialEq)]
pub struct RestTable {
    /// Times, s, ascending.
    pub times: Vec<f64>,
    /// Arc lengths, m, ascending.
    pub places: Vec<f64>,
    /// Values, in the unit of the strain, `(times, places)`.
    pub values: Vec<Vec<f64>>,
}

/// What drives a strain at rest of a rod.
#[derive(Debug, Clone, PartialEq)]
pub struct DrivenStrain {
    /// The rod.
    pub rod: usize,
    /// Which strain.
    pub strain: RestStrain,
    /// How it changes.
    pub law: RestLaw,
    /// Arc lengths between which the law counts as from the start of a rod to its end, m; all of the
    /// rod if `None`.
    pub between: Option<[f64; 2]>,
}

impl RestWave {
    fn at(&self, s: f64, length: f64, time: f64) -> f64 {
        let envelope = match &self.envelope[..] {
            [] => 1.0,
            [only] => *only,
            values => {
                let x = (s / length).clamp(0.0, 1.0) * (values.len() - 1) as f64;
                let i = (x as usize).min(values.len() - 2);
                values[i] + (values[i + 1] - values[i]) * (x - i as f64)
            }
        };
        let grown = if self.ramp > 0.0 {
            let x = (time / self.ramp).clamp(0.0, 1.0);
            x * x * (3.0 - 2.0 * x)
        } else {
            1.0
        };
        let turn = self.wavenumber * s - (self.rate * time).rem_euclid(TAU) + self.phase;
        self.amplitude * envelope * grown * turn.sin()
    }

    /// Largest size, in the unit of the strain.
    fn largest(&self) -> f64 {
        let factor = self.envelope.iter().fold(0.0_f64, |a, e| a.max(e.abs()));
        let factor = if self.envelope.is_empty() {
            1.0
        } else {
            factor
        };
        self.amplitude.abs() * factor
    }
}

/// Index of the last point not after `x`, and how far `x` is on to the next one, 0 to 1.
fn between(points: &[f64], x: f64) -> (usize, f64) {
    let after = points.partition_point(|p| *p <= x);
    match after {
        0 => (0, 0.0),
        n if n == points.len() => (n - 1, 0.0),
        n => (n - 1, (x - points[n - 1]) / (points[n] - points[n - 1])),
    }
}

impl RestTable {
    fn at(&self, s: f64, time: f64) -> f64 {
        let (row, late) = between(&self.times, time);
        let (column, far) = between(&self.places, s);
        let in_row = |row: usize| {
            let values = &self.values[row];
            let next = values.get(column + 1).unwrap_or(&values[column]);
            values[column] + (next - values[column]) * far
        };
        let now = in_row(row);
        match late > 0.0 {
            true => now + (in_row(row + 1) - now) * late,
            false => now,
        }
    }

    fn fault(&self) -> Option<&'static str> {
        let rises = |points: &[f64]| {
            let finite = points.iter().all(|p| p.is_finite());
            finite && !points.is_empty() && points.windows(2).all(|p| p[0] < p[1])
        };
        let rows = self.values.len() == self.times.len();
        let columns = self.values.iter().all(|r| r.len() == self.places.len());
        match (rises(&self.times), rises(&self.places), rows && columns) {
            (false, ..) => Some("of times that rise"),
            (_, false, _) => Some("of places that rise"),
            (.., false) => Some("of a row of values for each time, with one for each place"),
            _ => None,
        }
    }
}

impl RestLaw {
    /// Value at the arc length `s`, m, of a rod of `length`, m, at `time`, s.
    pub fn at(&self, s: f64, length: f64, time: f64) -> f64 {
        match self {
            Self::Wave(wave) => wave.at(s, length, time),
            Self::Table(table) => table.at(s, time),
        }
    }

    /// The time, s, after which it stays as it is: infinite for a wave that travels.
    pub fn changes_until(&self) -> f64 {
        match self {
            Self::Wave(wave) => wave.ramp.max(endless(wave.amplitude * wave.rate != 0.0)),
            Self::Table(table) => {
                let rows = table.values.windows(2).zip(&table.times[1..]);
                let mut changes = rows.filter(|(rows, _)| rows[0] != rows[1]);
                changes.next_back().map_or(0.0, |(_, time)| *time)
            }
        }
    }

    /// Largest size, in the unit of the strain.
    pub(crate) fn largest(&self) -> f64 {
        match self {
            Self::Wave(wave) => wave.largest(),
            Self::Table(table) => {
                let values = table.values.iter().flatten();
                values.fold(0.0, |a: f64, v| a.max(v.abs()))
            }
        }
    }

    /// What is wrong with it: a value, and what it must be.
    pub(crate) fn fault(&self) -> Option<(f64, &'static str)> {
        const NUMBER: &str = "a number";
        match self {
            Self::Wave(wave) => {
                let numbers = [wave.amplitude, wave.wavenumber, wave.rate, wave.phase];
                let bad = numbers.into_iter().chain(wave.envelope.iter().copied());
                let bad = bad.into_iter().find(|v| !v.is_finite());
                let ramp = (!(wave.ramp.is_finite() && wave.ramp >= 0.0)).then_some(wave.ramp);
                bad.map(|v| (v, NUMBER))
                    .or(ramp.map(|v| (v, "finite and not negative")))
            }
            Self::Table(table) => {
                let bad = table.values.iter().flatten().find(|v| !v.is_finite());
                let shape = table.fault().map(|need| (table.values.len() as f64, need));
                shape.or(bad.map(|v| (*v, NUMBER)))
            }
        }
    }
}

/// Where strains are measured: arc lengths and lengths at rest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Places<'a> {
    pub topology: &'a Topology,
    /// Of the middles of edges from the start of their rod, m, `(edges)`.
    pub edge_arc: &'a [f64],
    /// Of edges, m, `(edges)`.
    pub rest_length: &'a [f64],
    /// Of rods, m, `(rods)`.
    pub rod_length: &'a [f64],
}

impl Places<'_> {
    /// What is driven at `time`, s: curvatures and twist times the length of the vertex, rad, and
    /// stretches.
    pub fn driven(&self, driven: &[DrivenStrain], time: f64) -> Strains {
        let mut strains = Strains::zeros(self.topology);
        for DrivenStrain {
            rod,
            strain,
            law,
            between,
        } in driven
        {
            let layout = &self.topology.rods[*rod];
            let [start, end] = between.unwrap_or([0.0, self.rod_length[*rod]]);
            let length = end - start;
            let component = match strain {
                RestStrain::Curvature1 => 0,
                RestStrain::Curvature2 => 1,
                RestStrain::Twist => 2,
                RestStrain::Stretch => {
                    for edge in layout.first_edge..layout.first_edge + layout.edges {
                        strains.edges[edge] += law.at(self.edge_arc[edge] - start, length, time);
                    }
                    continue;
                }
            };
            for vertex in layout.first_vertex..layout.first_vertex + layout.vertices {
                let [a, b] = self.topology.vertex_edges[vertex];
                let arc = self.edge_arc[a] + 0.5 * self.rest_length[a];
                let own = 0.5 * (self.rest_length[a] + self.rest_length[b]);
                strains.vertices[vertex][component] += law.at(arc - start, length, time) * own;
            }
        }
        strains
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_linear_between_its_points() {
        let table = RestTable {
            times: vec![0.0, 2.0],
            places: vec![0.0, 1.0, 4.0],
            values: vec![vec![0.0, 1.0, 4.0], vec![2.0, 3.0, 6.0]],
        };
        // s + t between the points, constant outside.
        for (s, t, value) in [
            (0.5, 0.0, 0.5),
            (3.0, 1.0, 4.0),
            (9.0, 9.0, 6.0),
            (-1.0, -1.0, 0.0),
            (4.0, 2.0, 6.0),
        ] {
            assert!((table.at(s, t) - value).abs() < 1e-15, "{s} {t}");
        }
    }

    #[test]
    fn a_wave_travels_to_the_end_of_the_rod() {
        let wave = RestWave {
            amplitude: 2.0,
            wavenumber: TAU / 0.5,
            rate: TAU / 4.0,
            phase: 0.3,
            envelope: vec![0.0, 1.0, 1.0],
            ramp: 1.0,
        };
        // A quarter of the period later everything stands an eighth of a metre farther on.
        let (now, later) = (wave.at(0.6, 1.0, 2.0), wave.at(0.725, 1.0, 3.0));
        assert!((now - later).abs() < 1e-14 && now.abs() > 0.1);
        assert_eq!(wave.at(0.0, 1.0, 2.0), 0.0);
        assert_eq!(wave.at(0.7, 1.0, 0.0), 0.0);
        let half = wave.at(0.7, 1.0, 0.5) / (TAU / 0.5 * 0.7 - TAU / 8.0 + 0.3).sin();
        assert!((half - 1.0).abs() < 1e-12);
    }
}
