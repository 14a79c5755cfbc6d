//! Frames in the form that the page reads.
//!
//! ```text
//! u32     length n of the header, bytes
//! n       header, JSON: number of frames, and of each array its type, offset from the start of the block, number of values
//! ...     the arrays, little-endian, each at a multiple of 8 bytes
//! ```
//!
//! Positions are 32-bit floats; a director is a point of the octahedron (Cigolle et al. 2014), two
//! 16-bit integers, good to 4e-5 rad; a field has 16 bits between its smallest and largest value in
//! the block; the velocity of a fluid 16 bits a component, in units that suit the fastest of its
//! frame.

use std::mem::size_of;

use serde_json::{Map, Value, json};

use crate::plane::Plane;
use crate::setting::Setting;

/// Numbers of a mark: see [`Mark::numbers`].
const MARK_NUMBERS: usize = 12;
/// Numbers of a pose: a quaternion x, y, z, w and a translation, m.
const POSE_NUMBERS: usize = 7;

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

/// Bytes that a frame without contacts takes in a block, about.
pub fn frame_bytes(setting: &Setting) -> usize {
    let nodes: usize = setting.rods.iter().map(|rod| rod.nodes).sum();
    nodes * (3 * size_of::<f32>() + setting.fields.len() * size_of::<u16>())
        + setting.radius.len() * 2 * size_of::<i16>()
        + setting.poses * POSE_NUMBERS * size_of::<f32>()
        + setting.joints.len()
        + size_of::<f64>()
}

/// Bytes that the flow of a frame takes in a block.
pub fn flow_bytes(setting: &Setting) -> usize {
    points(setting) * 3 * size_of::<i16>()
}

/// Number of points of all planes.
fn points(setting: &Setting) -> usize {
    setting.planes.iter().map(Plane::len).sum()
}

/// Bytes that a contact takes in a block.
pub const MARK_BYTES: usize = MARK_NUMBERS * size_of::<f32>();

/// Successive frames of a run.
#[derive(Debug, Clone)]
pub struct Block {
    next: usize,
    ended: Option<String>,
    nodes: usize,
    edges: usize,
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
    curves: Vec<Vec<f32>>,
}

impl Block {
    /// A block without frames.
    pub fn new(setting: &Setting) -> Self {
        Self {
            next: 0,
            ended: None,
            nodes: setting.rods.iter().map(|rod| rod.nodes).sum(),
            edges: setting.radius.len(),
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
            curves: vec![Vec::new(); setting.columns.len()],
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
        let values: Vec<f64> = values.into_iter().collect();
        assert_eq!(values.len(), self.curves.len(), "a value for each column");
        for (curve, value) in self.curves.iter_mut().zip(values) {
            curve.push(value as f32);
        }
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

    /// The bytes that the page reads.
    pub fn encode(&self) -> Vec<u8> {
        let mut arrays = Arrays::default();
        arrays.push("times", "f64", &self.times, f64::to_le_bytes);
        arrays.push("positions", "f32", &self.positions, f32::to_le_bytes);
        arrays.push("directors", "i16", &self.directors, i16::to_le_bytes);
        arrays.push("poses", "f32", &self.poses, f32::to_le_bytes);
        arrays.push("holding", "u8", &self.holding, u8::to_le_bytes);
        arrays.push("flowFrames", "u32", &self.flow_frames, u32::to_le_bytes);
        arrays.push("flowScales", "f32", &self.flow_scales, f32::to_le_bytes);
        arrays.push("flow", "i16", &self.flow, i16::to_le_bytes);
        arrays.push("markEnds", "u32", &self.mark_ends, u32::to_le_bytes);
        arrays.push("marks", "f32", &self.marks, f32::to_le_bytes);
        arrays.push("curveTimes", "f64", &self.curve_times, f64::to_le_bytes);
        arrays.push("curves", "f32", &self.curves.concat(), f32::to_le_bytes);
        let mut scales = Vec::new();
        for (index, values) in self.fields.iter().enumerate() {
            let (codes, low, step) = quantised(values);
            arrays.push(&format!("field{index}"), "u16", &codes, u16::to_le_bytes);
            scales.push(json!({ "low": low, "step": step }));
        }
        arrays.finish(json!({
            "frames": self.frames(),
            "scales": scales,
            "next": self.next,
            "ended": self.ended,
        }))
    }
}

/// Arrays with their places.
#[derive(Debug, Default)]
struct Arrays {
    places: Map<String, Value>,
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

    /// Header and arrays; places are counted from the first multiple of 8 after the header.
    fn finish(self, mut header: Value) -> Vec<u8> {
        header["arrays"] = Value::Object(self.places);
        let text = header.to_string();
        let mut block = (text.len() as u32).to_le_bytes().to_vec();
        block.extend_from_slice(text.as_bytes());
        block.resize(block.len().next_multiple_of(8), b' ');
        block.extend_from_slice(&self.bytes);
        block
    }
}

/// Codes, value of the code 0, and value of a unit of it; what is not finite counts as 0.
fn quantised(values: &[f32]) -> (Vec<u16>, f64, f64) {
    let finite = |x: &f32| if x.is_finite() { f64::from(*x) } else { 0.0 };
    let low = values.iter().map(finite).reduce(f64::min).unwrap_or(0.0);
    let high = values.iter().map(finite).reduce(f64::max).unwrap_or(0.0);
    let step = (high - low) / f64::from(u16::MAX);
    let code = |x: &f32| match step {
        0.0 => 0,
        step => ((finite(x) - low) / step).round() as u16,
    };
    (values.iter().map(code).collect(), low, step)
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
    folded.map(|x| (x * f64::from(i16::MAX)).round() as i16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setting::Rod;

    #[test]
    fn fields_keep_four_digits() {
        let values: Vec<f32> = (0..100).map(|i| (i as f32).sin() * 3e-4).collect();
        let (codes, low, step) = quantised(&values);
        for (value, code) in values.iter().zip(codes) {
            let back = low + step * f64::from(code);
            assert!((back - f64::from(*value)).abs() <= 0.51 * step);
        }
        assert_eq!(quantised(&[2.0; 3]), (vec![0; 3], 2.0, 0.0));
    }

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
            let [u, v] = octahedral(d).map(|x| f64::from(x) / f64::from(i16::MAX));
            let z = 1.0 - u.abs() - v.abs();
            let fold = (-z).max(0.0);
            let back = [u - fold.copysign(u), v - fold.copysign(v), z];
            let norm = back.iter().map(|x| x * x).sum::<f64>().sqrt();
            let dot: f64 = back.iter().zip(d).map(|(a, b)| a * b / norm).sum();
            assert!(dot > 1.0 - 1e-8, "{d:?}: {dot}");
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
        let place = header["arrays"]["positions"][1].as_u64().unwrap() as usize;
        let last = start + place + 5 * 4;
        assert_eq!(bytes[last..last + 4], 6.5_f32.to_le_bytes());
        assert_eq!(place % 8, 0);
    }
}
