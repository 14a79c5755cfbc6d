//! Frames in the form that the page reads.
//!
//! ```text
//! u32     length n of the header, bytes
//! n       header, JSON: number of frames, and of each array its type, offset from the start of the block, number of values
//! ...     the arrays, little-endian, each at a multiple of 8 bytes
//! ```
//!
//! Arrays that are long come as codes (`codes.rs`). Positions are in steps of a 256th of the
//! thinnest radius, or of the shortest edge if that is less: no coordinate is wrong by more than a
//! 512th of it. A director is a point of the octahedron (Cigolle et al. 2014), two codes, good to
//! 4e-4 rad; fields, gaps and forces of contacts have three digits; the velocity of a fluid 16 bits
//! a component, in units that suit the fastest of its frame. Curves and poses are 32-bit floats,
//! to their last bit.

use std::io::Write;
use std::mem::size_of;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde_json::{Map, Value, json};

use crate::codes::{Scale, ordered, planes};
use crate::plane::Plane;
use crate::setting::{Rod, Setting};

/// Numbers of a mark: see [`Mark::numbers`].
const MARK_NUMBERS: usize = 12;
/// Numbers of a pose: a quaternion x, y, z, w and a translation, m.
const POSE_NUMBERS: usize = 7;
/// Code of the length 1 in a director.
const DIRECTOR_UNIT: i16 = 4095;
/// Steps of positions in the thinnest radius or the shortest edge, whichever is less.
const STEPS: f64 = 256.0;
/// Steps of positions in what a run spans, at most: codes and their differences are 32-bit
/// integers.
const MOST_STEPS: f64 = 268_435_456.0;

/// A contact in a frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Mark {
    /// The points of both centrelines, m.
    pub points: [[f64; 3]; 2],
    /// The rods.
    pub rods: [usize; 2],
    /// Arc lengths on them at rest, m.
    pub arcs: [f64; 2],
    /// Distance of the surfaces, m.
    pub gap: f64,
    /// Normal force, N.
    pub force: f64,
}

impl Mark {
    fn numbers(&self) -> [f32; MARK_NUMBERS] {
        let [[a, b, c], [d, e, f]] = self.points;
        let [i, j] = self.rods.map(|rod| rod as f64);
        let [s, t] = self.arcs;
        [a, b, c, d, e, f, i, j, s, t, self.gap, self.force].map(|x| x as f32)
    }
}

/// A frame of a run.
#[derive(Debug, Clone, Copy, Default)]
pub struct Frame<'a> {
    /// Time, s.
    pub time: f64,
    /// Nodes of all rods, m, `(nodes, 3)`.
    pub positions: &'a [[f64; 3]],
    /// Material director m1 of each edge, `(edges, 3)`.
    pub directors: &'a [[f64; 3]],
    /// The fields of the setting, each `(nodes)`.
    pub fields: &'a [Vec<f64>],
    /// Contacts.
    pub marks: &'a [Mark],
    /// Quaternion x, y, z, w and translation, m, as many as the setting says.
    pub poses: &'a [[f64; 7]],
    /// Whether each joint of the setting holds: where it is false, it has let go.
    pub holding: &'a [bool],
    /// Velocity of the fluid at the points of all planes, m/s, if this frame has it.
    pub flow: Option<&'a [[f64; 3]]>,
}

/// Bytes that a frame without contacts takes in the memory of a page, about.
pub fn frame_bytes(setting: &Setting) -> usize {
    let nodes: usize = setting.rods.iter().map(|rod| rod.nodes).sum();
    nodes * (3 * size_of::<f32>() + setting.fields.len() * size_of::<u16>())
        + setting.radius.len() * 2 * size_of::<i16>()
        + setting.poses * POSE_NUMBERS * size_of::<f32>()
        + setting.joints.len()
        + size_of::<f64>()
}

/// Bytes that the flow of a frame takes in the memory of a page.
pub fn flow_bytes(setting: &Setting) -> usize {
    points(setting) * 3 * size_of::<i16>()
}

/// Number of points of all planes.
fn points(setting: &Setting) -> usize {
    setting.planes.iter().map(Plane::len).sum()
}

/// Bytes that a contact takes in the memory of a page.
pub const MARK_BYTES: usize = MARK_NUMBERS * size_of::<f32>();

/// Successive frames of a run.
#[derive(Debug, Clone)]
pub struct Block {
    next: usize,
    ended: Option<String>,
    nodes: usize,
    edges: usize,
    thinnest: f64,
    rods: Vec<Rod>,
    times: Vec<f64>,
    positions: Vec<f32>,
    directors: Vec<i16>,
    fields: Vec<Vec<f32>>,
    poses: Vec<f32>,
    poses_per_frame: usize,
    holding: Vec<u8>,
    joints: usize,
    points: usize,
    flow_frames: Vec<u32>,
    flow_scales: Vec<f32>,
    flow: Vec<i16>,
    mark_ends: Vec<u32>,
    marks: Vec<f32>,
    curve_times: Vec<f64>,
    columns: usize,
    /// By output time, and then by column.
    curves: Vec<f32>,
}

impl Block {
    /// A block without frames.
    pub fn new(setting: &Setting) -> Self {
        Self {
            next: 0,
            ended: None,
            nodes: setting.rods.iter().map(|rod| rod.nodes).sum(),
            edges: setting.radius.len(),
            thinnest: (setting.radius.iter().copied()).fold(f64::INFINITY, f64::min),
            rods: setting.rods.clone(),
            times: Vec::new(),
            positions: Vec::new(),
            directors: Vec::new(),
            fields: vec![Vec::new(); setting.fields.len()],
            poses: Vec::new(),
            poses_per_frame: setting.poses,
            holding: Vec::new(),
            joints: setting.joints.len(),
            points: points(setting),
            flow_frames: Vec::new(),
            flow_scales: Vec::new(),
            flow: Vec::new(),
            mark_ends: vec![0],
            marks: Vec::new(),
            curve_times: Vec::new(),
            columns: setting.columns.len(),
            curves: Vec::new(),
        }
    }

    /// Adds a frame.
    ///
    /// # Panics
    /// When an array of it has another length than the setting says.
    pub fn push(&mut self, frame: &Frame<'_>) {
        assert_eq!(frame.positions.len(), self.nodes, "positions");
        assert_eq!(frame.directors.len(), self.edges, "directors");
        assert_eq!(frame.fields.len(), self.fields.len(), "fields");
        assert_eq!(frame.poses.len(), self.poses_per_frame, "poses");
        assert_eq!(frame.holding.len(), self.joints, "joints");
        self.holding
            .extend(frame.holding.iter().map(|holds| u8::from(*holds)));
        let single = |x: &f64| *x as f32;
        self.times.push(frame.time);
        self.positions
            .extend(frame.positions.iter().flatten().map(single));
        self.directors
            .extend(frame.directors.iter().flat_map(|d| octahedral(*d)));
        for (all, values) in self.fields.iter_mut().zip(frame.fields) {
            assert_eq!(values.len(), self.nodes, "a field");
            all.extend(values.iter().map(single));
        }
        self.poses.extend(frame.poses.iter().flatten().map(single));
        if let Some(velocities) = frame.flow {
            self.push_flow(velocities);
        }
        self.marks
            .extend(frame.marks.iter().flat_map(Mark::numbers));
        self.mark_ends
            .push((self.marks.len() / MARK_NUMBERS) as u32);
    }

    /// Adds the flow of the newest frame.
    fn push_flow(&mut self, velocities: &[[f64; 3]]) {
        assert_eq!(velocities.len(), self.points, "a velocity for each point");
        let numbers = || velocities.iter().flatten();
        let size = |x: &f64| if x.is_finite() { x.abs() } else { 0.0 };
        let step = numbers().map(size).fold(0.0, f64::max) / f64::from(i16::MAX);
        // What is not finite becomes 0.
        let code = |x: &f64| {
            if step > 0.0 {
                (x / step).round() as i16
            } else {
                0
            }
        };
        self.flow_frames.push(self.times.len() as u32 - 1);
        self.flow_scales.push(step as f32);
        self.flow.extend(numbers().map(code));
    }

    /// Adds an output time of the curves, s, with a value for each column of the setting.
    ///
    /// # Panics
    /// When there are more or fewer values than columns.
    pub fn push_row(&mut self, time: f64, values: impl IntoIterator<Item = f64>) {
        self.curve_times.push(time);
        let before = self.curves.len();
        self.curves
            .extend(values.into_iter().map(|value| value as f32));
        let added = self.curves.len() - before;
        assert_eq!(added, self.columns, "a value for each column");
    }

    /// [`Self::encode`], deflated, as a page holds it (RFC 1950).
    pub fn pack(&self) -> Vec<u8> {
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
        // Nothing fails that writes to memory.
        let _ = packed.write_all(&self.encode());
        packed.finish().unwrap_or_default()
    }

    /// What a page that follows the run asks for next, by its index in the run, and how the run
    /// ended, if it did.
    pub fn followed_by(self, next: usize, ended: Option<String>) -> Self {
        Self {
            next,
            ended,
            ..self
        }
    }

    /// How the run ended, if it did.
    pub fn ended(&self) -> Option<&str> {
        self.ended.as_deref()
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.times.len()
    }

    /// The block with one of `stride` frames and the last one, and all of the curves.
    #[must_use]
    pub fn thinned(&self, stride: usize) -> Self {
        let frames = self.frames();
        let kept: Vec<usize> = (0..frames)
            .filter(|i| i % stride.max(1) == 0 || i + 1 == frames)
            .collect();
        let mut thin = Self {
            times: pick(&self.times, &kept, 1),
            positions: pick(&self.positions, &kept, 3 * self.nodes),
            directors: pick(&self.directors, &kept, 2 * self.edges),
            fields: (self.fields.iter())
                .map(|field| pick(field, &kept, self.nodes))
                .collect(),
            poses: pick(&self.poses, &kept, POSE_NUMBERS * self.poses_per_frame),
            holding: pick(&self.holding, &kept, self.joints),
            flow_frames: Vec::new(),
            flow_scales: Vec::new(),
            flow: Vec::new(),
            mark_ends: vec![0],
            marks: Vec::new(),
            ended: self.ended.clone(),
            rods: self.rods.clone(),
            curve_times: self.curve_times.clone(),
            curves: self.curves.clone(),
            ..*self
        };
        for (at, frame) in kept.iter().enumerate() {
            let [from, to] = [0, 1].map(|k| MARK_NUMBERS * self.mark_ends[frame + k] as usize);
            thin.marks.extend_from_slice(&self.marks[from..to]);
            thin.mark_ends
                .push((thin.marks.len() / MARK_NUMBERS) as u32);
            let wanted = *frame as u32;
            if let Ok(index) = self.flow_frames.binary_search(&wanted) {
                thin.flow_frames.push(at as u32);
                thin.flow_scales.push(self.flow_scales[index]);
                let length = 3 * self.points;
                let flow = &self.flow[length * index..length * (index + 1)];
                thin.flow.extend_from_slice(flow);
            }
        }
        thin
    }

    /// Number of frames that have the flow of a fluid.
    pub fn flow_frames(&self) -> usize {
        self.flow_frames.len()
    }

    /// The bytes that the page reads.
    pub fn encode(&self) -> Vec<u8> {
        let mut arrays = Arrays::default();
        arrays.push("times", "f64", &self.times, f64::to_le_bytes);
        arrays.push("holding", "u8", &self.holding, u8::to_le_bytes);
        arrays.push("flowFrames", "u32", &self.flow_frames, u32::to_le_bytes);
        arrays.push("flowScales", "f32", &self.flow_scales, f32::to_le_bytes);
        arrays.push("markEnds", "u32", &self.mark_ends, u32::to_le_bytes);
        arrays.push("curveTimes", "f64", &self.curve_times, f64::to_le_bytes);
        let lattice = self.lattice();
        let positions = lattice.codes(&self.positions);
        arrays.push_codes("positions", &positions, self.nodes, 3);
        let wide = |all: &[i16]| all.iter().copied().map(i32::from).collect::<Vec<_>>();
        arrays.push_codes("directors", &wide(&self.directors), self.edges, 2);
        let bits = |all: &[f32]| all.iter().copied().map(ordered).collect::<Vec<_>>();
        let pose = POSE_NUMBERS * self.poses_per_frame;
        arrays.push_codes(
            "poses",
            &bits(&self.poses),
            self.poses.len() / pose.max(1),
            pose,
        );
        arrays.push_codes("flow", &wide(&self.flow), self.points, 3);
        let rows = self.curve_times.len();
        arrays.push_codes("curves", &bits(&self.curves), rows, self.columns);
        let mut scales = Vec::new();
        for (index, values) in self.fields.iter().enumerate() {
            let scale = Scale::of(values.iter().copied());
            let codes: Vec<i32> = values.iter().map(|value| scale.code(*value)).collect();
            arrays.push_codes(&format!("field{index}"), &codes, self.nodes, 1);
            scales.push(told(scale));
        }
        let [gaps, forces] = self.push_marks(&mut arrays, &lattice);
        arrays.finish(json!({
            "frames": self.frames(),
            "unit": DIRECTOR_UNIT,
            "origin": lattice.origin,
            "quantum": lattice.quantum,
            "scales": scales,
            "gaps": told(gaps),
            "forces": told(forces),
            "next": self.next,
            "ended": self.ended,
        }))
    }

    /// Adds the contacts; the scales of their gaps and forces.
    fn push_marks(&self, arrays: &mut Arrays, lattice: &Lattice) -> [Scale; 2] {
        let part = |k: usize| (self.marks.iter().skip(k).step_by(MARK_NUMBERS)).copied();
        let scales = [10, 11].map(|k| Scale::of(part(k)));
        let code = |(i, value): (usize, &f32)| match i % MARK_NUMBERS {
            k @ 0..6 => lattice.code(*value, lattice.origin[k % 3]),
            6 | 7 => *value as i32,
            8 | 9 => lattice.code(*value, 0.0),
            k => scales[k - 10].code(*value),
        };
        let codes: Vec<i32> = self.marks.iter().enumerate().map(code).collect();
        arrays.push_codes(
            "marks",
            &codes,
            self.marks.len() / MARK_NUMBERS,
            MARK_NUMBERS,
        );
        scales
    }

    /// The points that positions are rounded to.
    fn lattice(&self) -> Lattice {
        let along = |axis: usize| {
            let all = self.positions.iter().skip(axis).step_by(3);
            all.filter(|x| x.is_finite()).map(|x| f64::from(*x))
        };
        let low = [0, 1, 2].map(|axis| along(axis).fold(f64::INFINITY, f64::min));
        let high = [0, 1, 2].map(|axis| along(axis).fold(f64::NEG_INFINITY, f64::max));
        let span = (0..3).map(|k| high[k] - low[k]).fold(0.0, f64::max);
        let finest = self.thinnest.min(self.shortest_edge()) / STEPS;
        let quantum = if finest.is_finite() { finest } else { 0.0 };
        let quantum = quantum.max(span / MOST_STEPS);
        Lattice {
            origin: low.map(|x| if x.is_finite() { x } else { 0.0 }),
            quantum: if quantum > 0.0 { quantum } else { 1.0 },
        }
    }

    /// Length of the shortest edge of the first frame, m; infinite without one.
    fn shortest_edge(&self) -> f64 {
        if self.times.is_empty() {
            return f64::INFINITY;
        }
        let node = |i: usize| [0, 1, 2].map(|k| f64::from(self.positions[3 * i + k]));
        let mut first = 0;
        let mut shortest = f64::INFINITY;
        for rod in &self.rods {
            for i in 1..rod.nodes {
                let [a, b] = [node(first + i - 1), node(first + i)];
                let square: f64 = (0..3).map(|k| (b[k] - a[k]).powi(2)).sum();
                if square > 0.0 {
                    shortest = shortest.min(square.sqrt());
                }
            }
            first += rod.nodes;
        }
        shortest
    }
}

/// What `kept` frames have of an array with so many numbers a frame.
fn pick<T: Copy>(all: &[T], kept: &[usize], length: usize) -> Vec<T> {
    let of = |i: &usize| all[length * i..length * (i + 1)].iter().copied();
    kept.iter().flat_map(of).collect()
}

fn told(scale: Scale) -> Value {
    json!({ "least": scale.least, "steps": scale.steps })
}

/// Points of a cubic lattice.
#[derive(Debug)]
struct Lattice {
    /// One of them, m.
    origin: [f64; 3],
    /// Distance of neighbours, m.
    quantum: f64,
}

impl Lattice {
    fn codes(&self, positions: &[f32]) -> Vec<i32> {
        let of = |(i, x): (usize, &f32)| self.code(*x, self.origin[i % 3]);
        positions.iter().enumerate().map(of).collect()
    }

    /// What is not finite counts as the origin.
    fn code(&self, x: f32, origin: f64) -> i32 {
        let steps = (f64::from(x) - origin) / self.quantum;
        if steps.is_finite() {
            steps.round() as i32
        } else {
            0
        }
    }
}

/// Arrays with their places.
#[derive(Debug, Default)]
struct Arrays {
    places: Map<String, Value>,
    coded: Map<String, Value>,
    bytes: Vec<u8>,
}

impl Arrays {
    fn push<T: Copy, const N: usize>(
        &mut self,
        name: &str,
        kind: &str,
        values: &[T],
        to_bytes: impl Fn(T) -> [u8; N],
    ) {
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        let place = json!([kind, self.bytes.len(), values.len()]);
        self.places.insert(name.to_owned(), place);
        self.bytes.reserve(N * values.len());
        values
            .iter()
            .for_each(|value| self.bytes.extend_from_slice(&to_bytes(*value)));
    }

    /// Adds codes by frame, item and part: where their byte planes are, how many numbers, items of a
    /// frame, parts of an item and planes there are.
    fn push_codes(&mut self, name: &str, codes: &[i32], items: usize, parts: usize) {
        let (bytes, planes) = planes(codes, items, parts);
        let place = json!([self.bytes.len(), codes.len(), items, parts, planes]);
        self.coded.insert(name.to_owned(), place);
        self.bytes.extend_from_slice(&bytes);
    }

    /// Header and arrays; places are counted from the first multiple of 8 after the header.
    fn finish(self, mut header: Value) -> Vec<u8> {
        header["arrays"] = Value::Object(self.places);
        header["coded"] = Value::Object(self.coded);
        let text = header.to_string();
        let mut block = (text.len() as u32).to_le_bytes().to_vec();
        block.extend_from_slice(text.as_bytes());
        block.resize(block.len().next_multiple_of(8), b' ');
        block.extend_from_slice(&self.bytes);
        block
    }
}

/// A direction as a point of the octahedron |x| + |y| + |z| = 1, its lower half folded outwards.
fn octahedral([x, y, z]: [f64; 3]) -> [i16; 2] {
    let sum = x.abs() + y.abs() + z.abs();
    let (u, v) = (x / sum, y / sum);
    let folded = if z < 0.0 {
        [(1.0 - v.abs()).copysign(u), (1.0 - u.abs()).copysign(v)]
    } else {
        [u, v]
    };
    folded.map(|x| (x * f64::from(DIRECTOR_UNIT)).round() as i16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::decoded;

    #[test]
    fn the_flow_of_some_frames_keeps_four_digits() {
        let plane = Plane {
            normal: 2,
            at: 0.0,
            low: [0.0; 2],
            spacing: 1.0,
            counts: [2, 1],
        };
        let setting = Setting {
            planes: vec![plane],
            ..Setting::default()
        };
        assert_eq!(flow_bytes(&setting), 12);
        let mut block = Block::new(&setting);
        let flow = [[1e-3, -2e-3, 0.0], [5e-4, f64::NAN, 1.5e-3]];
        for flow in [None, Some(&flow[..]), Some(&[[0.0; 3]; 2])] {
            block.push(&Frame {
                flow,
                ..Frame::default()
            });
        }
        assert_eq!(block.flow_frames, [1, 2]);
        let back = |i: usize| f64::from(block.flow[i]) * f64::from(block.flow_scales[0]);
        let (first, second) = (flow[0], [5e-4, 0.0, 1.5e-3]);
        for (i, wanted) in first.into_iter().chain(second).enumerate() {
            assert!((back(i) - wanted).abs() < 4e-8, "{} {wanted}", back(i));
        }
        assert_eq!(block.flow[6..], [0; 6]);
    }

    #[test]
    fn directions_come_back() {
        for i in 0..200 {
            let (a, b) = (0.3 * f64::from(i), (0.7 * f64::from(i)).cos());
            let r = (1.0 - b * b).sqrt();
            let d = [r * a.cos(), r * a.sin(), b];
            let [u, v] = octahedral(d).map(|x| f64::from(x) / f64::from(DIRECTOR_UNIT));
            let z = 1.0 - u.abs() - v.abs();
            let fold = (-z).max(0.0);
            let back = [u - fold.copysign(u), v - fold.copysign(v), z];
            let norm = back.iter().map(|x| x * x).sum::<f64>().sqrt();
            let dot: f64 = back.iter().zip(d).map(|(a, b)| a * b / norm).sum();
            assert!(dot > (4e-4_f64).cos(), "{d:?}: {dot}");
        }
    }

    #[test]
    fn a_block_says_where_its_arrays_are() {
        let setting = Setting {
            rods: vec![Rod {
                nodes: 2,
                closed: false,
            }],
            radius: vec![0.5],
            ..Setting::default()
        };
        let mut block = Block::new(&setting).followed_by(7, None);
        let positions = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.5]];
        block.push(&Frame {
            time: 0.25,
            positions: &positions,
            directors: &[[0.0, 0.0, 1.0]],
            ..Frame::default()
        });
        let bytes = block.encode();
        let length = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
        let header: Value = serde_json::from_slice(&bytes[4..4 + length]).unwrap();
        assert_eq!((&header["next"], &header["frames"]), (&json!(7), &json!(1)));
        let start = (4 + length).next_multiple_of(8);
        let number = |value: &Value| value.as_u64().unwrap() as usize;
        let place = number(&header["arrays"]["times"][1]);
        let first = start + place;
        assert_eq!(bytes[first..first + 8], 0.25_f64.to_le_bytes());
        assert_eq!(place % 8, 0);
        // Of a radius of .5 m a step is 1/512 m.
        assert_eq!(header["quantum"], 1.0 / 512.0);
        let place = &header["coded"]["positions"];
        let [at, count, items, parts, planes] = [0, 1, 2, 3, 4].map(|i| number(&place[i]));
        let codes = &bytes[start + at..start + at + planes * count];
        let codes = decoded(codes, count, items, parts);
        assert_eq!(codes, [0, 0, 0, 3 * 512, 3 * 512, 7 * 256]);
    }

    /// A helix that turns and wanders, over 40 frames.
    fn wanderer() -> (Setting, Block, Vec<Vec<[f64; 3]>>) {
        let nodes = 50;
        let setting = Setting {
            rods: vec![Rod {
                nodes,
                closed: false,
            }],
            radius: vec![2e-3; nodes - 1],
            ..Setting::default()
        };
        let mut block = Block::new(&setting);
        let frames: Vec<Vec<[f64; 3]>> = (0..40)
            .map(|frame| {
                let t = f64::from(frame) * 0.05;
                let point = |i: usize| {
                    let s = i as f64;
                    let phase = 0.3 * s + t;
                    [
                        0.01 * s + 2.0 * t,
                        0.1 * phase.cos(),
                        0.1 * phase.sin() - t * t,
                    ]
                };
                (0..nodes).map(point).collect()
            })
            .collect();
        for (i, positions) in frames.iter().enumerate() {
            block.push(&Frame {
                time: i as f64,
                positions,
                directors: &vec![[0.0, 0.0, 1.0]; nodes - 1],
                ..Frame::default()
            });
        }
        (setting, block, frames)
    }

    #[test]
    fn no_coordinate_is_wrong_by_more_than_a_512th_of_the_radius() {
        let (_, block, frames) = wanderer();
        let lattice = block.lattice();
        let codes = lattice.codes(&block.positions);
        let exact = frames.iter().flatten().flatten();
        for (i, (code, exact)) in codes.iter().zip(exact).enumerate() {
            let shown = lattice.origin[i % 3] + lattice.quantum * f64::from(*code);
            // The block holds numbers of single precision.
            assert!(
                (shown - exact).abs() <= 2e-3 / 512.0 + 4e-7,
                "{shown} {exact}"
            );
        }
        // Motion is even in time and space: a coordinate takes two bytes at most, and few of these are large.
        let packed = block.pack().len();
        let plain = 12 * block.nodes * block.frames();
        assert!(4 * packed < plain, "{packed} of {plain} bytes");
    }

    #[test]
    fn a_thinned_block_keeps_the_last_frame_and_all_of_the_curves() {
        let (_, block, _) = wanderer();
        let thin = block.thinned(6);
        assert_eq!(thin.times, [0.0, 6.0, 12.0, 18.0, 24.0, 30.0, 36.0, 39.0]);
        let row = 3 * block.nodes;
        assert_eq!(
            thin.positions[row..2 * row],
            block.positions[6 * row..7 * row]
        );
        assert_eq!(thin.mark_ends, [0; 9]);
        assert_eq!(block.thinned(1).encode(), block.encode());
    }
}
