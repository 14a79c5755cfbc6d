//! STL, text or binary. Normals in the file are ignored: the order of the corners says the same.

use glam::DVec3;

use super::{Triangles, text, vector};

/// Bytes before the number of triangles, and of one triangle.
const HEADER: usize = 80;
const RECORD: usize = 50;

pub(super) fn read(bytes: &[u8]) -> Result<Triangles, String> {
    if bytes.is_empty() {
        return Err("it is empty".to_owned());
    }
    let vertices = match binary(bytes) {
        // The size tells: a text may not begin with "solid", and a binary file may.
        Some(Ok(vertices)) => vertices,
        Some(Err(message))
            if !bytes.starts_with(b"solid")
                || text(bytes).is_err()
                || !text(bytes)?.contains("vertex") =>
        {
            return Err(message);
        }
        _ => ascii(text(bytes)?)?,
    };
    let triangles = (0..vertices.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]);
    if vertices.is_empty() {
        return Err("there is no triangle in it".to_owned());
    }
    Ok((vertices, triangles.collect()))
}

/// `None` if there is no room for a header.
fn binary(bytes: &[u8]) -> Option<Result<Vec<DVec3>, String>> {
    let count: [u8; 4] = bytes.get(HEADER..HEADER + 4)?.try_into().ok()?;
    let count = u32::from_le_bytes(count) as usize;
    let needed = HEADER + 4 + RECORD * count;
    if bytes.len() < needed {
        let triangles = if count == 1 {
            "1 triangle needs"
        } else {
            "triangles need"
        };
        let number = if count == 1 {
            String::new()
        } else {
            format!("{count} ")
        };
        return Some(Err(format!(
            "it is cut off: {number}{triangles} {needed} bytes, it has {}",
            bytes.len()
        )));
    }
    if bytes.len() > needed + HEADER && text(bytes).is_ok() {
        return None;
    }
    let mut vertices = Vec::with_capacity(3 * count);
    for (triangle, record) in bytes[HEADER + 4..needed].chunks_exact(RECORD).enumerate() {
        // The first three numbers are the normal.
        for corner in record[12..48].chunks_exact(12) {
            let number = |k: usize| {
                let bytes = [
                    corner[4 * k],
                    corner[4 * k + 1],
                    corner[4 * k + 2],
                    corner[4 * k + 3],
                ];
                f64::from(f32::from_le_bytes(bytes))
            };
            let vertex = DVec3::new(number(0), number(1), number(2));
            if !vertex.is_finite() {
                return Some(Err(format!(
                    "triangle {triangle} has a corner that is not finite"
                )));
            }
            vertices.push(vertex);
        }
    }
    Some(Ok(vertices))
}

fn ascii(text: &str) -> Result<Vec<DVec3>, String> {
    let mut vertices = Vec::new();
    for (line, content) in text.lines().enumerate() {
        let mut words = content.split_whitespace();
        if words
            .next()
            .is_some_and(|w| w.eq_ignore_ascii_case("vertex"))
        {
            vertices.push(vector(words, line + 1)?);
        }
    }
    if vertices.len() % 3 != 0 {
        return Err(format!(
            "it ends within a triangle: {} vertices",
            vertices.len()
        ));
    }
    if !vertices.is_empty() && !text.contains("endsolid") {
        return Err("it is cut off: it has no `endsolid`".to_owned());
    }
    Ok(vertices)
}
