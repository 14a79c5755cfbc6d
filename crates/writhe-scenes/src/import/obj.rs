//! Wavefront OBJ: vertices and faces; everything else is ignored. Faces with more than three
//! corners become fans.

use super::{Triangles, vector};

pub(super) fn read(text: &str) -> Result<Triangles, String> {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for (line, content) in text.lines().enumerate() {
        let line = line + 1;
        let mut words = content.split_whitespace();
        match words.next() {
            Some("v") => vertices.push(vector(words, line)?),
            Some("f") => {
                let corners = words
                    .map(|word| corner(word, vertices.len(), line))
                    .collect::<Result<Vec<u32>, _>>()?;
                let [first, rest @ ..] = corners.as_slice() else {
                    return Err(format!("line {line}: a face needs at least three corners"));
                };
                if rest.len() < 2 {
                    return Err(format!("line {line}: a face needs at least three corners"));
                }
                triangles.extend(rest.windows(2).map(|pair| [*first, pair[0], pair[1]]));
            }
            _ => {}
        }
    }
    if triangles.is_empty() {
        return Err("there is no face in it".to_owned());
    }
    Ok((vertices, triangles))
}

/// Vertex, from 0, of `v`, `v/vt`, `v//vn` or `v/vt/vn`; negative ones count from the last vertex
/// so far.
fn corner(word: &str, vertices: usize, line: usize) -> Result<u32, String> {
    let number = word.split('/').next().unwrap_or_default();
    let Ok(index) = number.parse::<i64>() else {
        return Err(format!("line {line}: `{word}` is no corner of a face"));
    };
    let from_zero = match index {
        0 => return Err(format!("line {line}: vertices count from 1")),
        1.. => index - 1,
        _ => vertices as i64 + index,
    };
    match u32::try_from(from_zero) {
        Ok(vertex) if (vertex as usize) < vertices => Ok(vertex),
        _ => Err(format!(
            "line {line}: vertex {index} does not exist, there are {vertices} before this line"
        )),
    }
}
