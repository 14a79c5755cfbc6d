//! The binary part of a glTF file with the accessors into it.

use glam::{DMat4, DVec3};
use serde_json::{Value, json};

use crate::bytes::joined;
use crate::export::tube::NodeFrame;

/// The binary part with the accessors into it.
#[derive(Debug, Default)]
pub(super) struct Document {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Document {
    pub fn vectors(&mut self, vectors: &[DVec3], bounded: bool) -> usize {
        let bytes = vectors
            .iter()
            .flat_map(|v| v.to_array())
            .flat_map(|x| (x as f32).to_le_bytes());
        let index = self.push(bytes.collect(), 5126, vectors.len(), "VEC3");
        if bounded {
            let over = |f: fn(DVec3, DVec3) -> DVec3| {
                let bound = vectors.iter().copied().reduce(f).unwrap_or_default();
                bound.to_array().map(|x| f64::from(x as f32))
            };
            self.accessors[index]["min"] = json!(over(DVec3::min));
            self.accessors[index]["max"] = json!(over(DVec3::max));
        }
        index
    }

    pub fn fours(&mut self, values: &[[f32; 4]]) -> usize {
        let bytes = joined(values.as_flattened(), f32::to_le_bytes);
        self.push(bytes, 5126, values.len(), "VEC4")
    }

    /// The inverses of poses, column by column.
    pub fn inverses(&mut self, poses: &[NodeFrame]) -> usize {
        let matrix = |pose: &NodeFrame| {
            let inverse = DMat4::from_rotation_translation(pose.rotation, pose.position).inverse();
            inverse.to_cols_array().map(|x| (x as f32).to_le_bytes())
        };
        let bytes = poses.iter().flat_map(matrix).flatten().collect();
        self.push(bytes, 5126, poses.len(), "MAT4")
    }

    pub fn joints(&mut self, values: &[[u16; 4]]) -> usize {
        let bytes = joined(values.as_flattened(), u16::to_le_bytes);
        self.push(bytes, 5123, values.len(), "VEC4")
    }

    pub fn scalars(&mut self, values: Vec<u32>) -> usize {
        let bytes = joined(&values, u32::to_le_bytes);
        self.push(bytes, 5125, values.len(), "SCALAR")
    }

    pub fn times(&mut self, times: &[f32]) -> usize {
        let bytes = joined(times, f32::to_le_bytes);
        let index = self.push(bytes, 5126, times.len(), "SCALAR");
        self.accessors[index]["min"] = json!([times.first()]);
        self.accessors[index]["max"] = json!([times.last()]);
        index
    }

    fn push(&mut self, bytes: Vec<u8>, component: u32, count: usize, kind: &str) -> usize {
        let offset = self.bytes.len();
        self.views
            .push(json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes.len() }));
        self.bytes.extend(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.accessors.push(json!({
            "bufferView": self.views.len() - 1,
            "componentType": component,
            "count": count,
            "type": kind,
        }));
        self.accessors.len() - 1
    }

    /// The file: header, JSON, binary part.
    pub fn finish(self, mut root: Value) -> Vec<u8> {
        root["accessors"] = json!(self.accessors);
        root["bufferViews"] = json!(self.views);
        root["buffers"] = json!([{ "byteLength": self.bytes.len() }]);
        let mut text = root.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let length = 12 + 8 + text.len() + 8 + self.bytes.len();
        let mut file = b"glTF".to_vec();
        let word = |x: usize| (x as u32).to_le_bytes();
        for bytes in [word(2), word(length), word(text.len()), *b"JSON"] {
            file.extend(bytes);
        }
        file.extend(text);
        file.extend(word(self.bytes.len()));
        file.extend(b"BIN\0");
        file.extend(self.bytes);
        file
    }
}
