//! Wavefront OBJ: a surface for each frame, a group for each rod.

use std::fmt::Write;
use std::path::Path;

use super::frames::Frames;
use super::tube::{SIDES, Tubes, rings};
use crate::atomic;
use crate::error::Result;

/// Writes the run in `directory` into the folder `out`, created if missing: `frame_000000.obj` and
/// so on, in m.
pub fn export_obj(directory: impl AsRef<Path>, out: impl AsRef<Path>) -> Result<()> {
    let frames = Frames::open(directory.as_ref(), None)?;
    let out = out.as_ref();
    atomic::create_directories(out)?;
    let tubes = Tubes::new(frames.layout());
    let faces = faces(&tubes);
    for index in 0..frames.count() {
        let (positions, directors) = frames.shape(index)?;
        let placed = tubes.frames(&positions, &directors);
        let mut text = format!("# t = {:?} s\n", frames.times[index]);
        // Writing to a string cannot fail.
        for (point, _) in rings(&placed, &tubes.radius) {
            let _ = writeln!(text, "v {:?} {:?} {:?}", point.x, point.y, point.z);
        }
        for (_, normal) in rings(&placed, &tubes.radius) {
            let _ = writeln!(text, "vn {:.6} {:.6} {:.6}", normal.x, normal.y, normal.z);
        }
        text += &faces;
        atomic::write_anew(&out.join(format!("frame_{index:06}.obj")), text.as_bytes())?;
    }
    Ok(())
}

/// Groups and faces, the same in each frame; counted from 1.
fn faces(tubes: &Tubes) -> String {
    let mut text = String::new();
    let rod_of = |point: usize| {
        let node = point / SIDES;
        tubes.spans.iter().rposition(|span| span.first_node <= node)
    };
    let mut group = None;
    for face in tubes.faces() {
        let rod = face.first().copied().and_then(rod_of);
        if rod != group {
            group = rod;
            let _ = writeln!(text, "g rod{}", rod.unwrap_or(0));
        }
        text.push('f');
        for point in &face {
            let _ = write!(text, " {0}//{0}", point + 1);
        }
        text.push('\n');
    }
    text
}
