//! Wavefront OBJ: a surface for each frame, a group for each rod and each thing around them.

use std::fmt::Write;
use std::path::Path;

use glam::DVec3;

use super::frames::Frames;
use super::options::ExportOptions;
use super::place;
use super::tube::{Tubes, centreline};
use crate::error::Result;

/// Writes the run in `directory` into the folder `out`, created if missing: `frame_000000.obj` and
/// so on, in m. With a colouring, lines of vertices end in red, green and blue (sRGB, 0 to 1), as
/// many programs read them.
///
/// # Errors
/// When the run cannot be read, has no such field, or a file cannot be written.
pub fn export_obj(
    directory: impl AsRef<Path>,
    out: impl AsRef<Path>,
    options: &ExportOptions,
) -> Result<()> {
    let frames = Frames::open(directory.as_ref(), options)?;
    let colouring = options.colour.as_ref();
    let scale = colouring.map(|colouring| frames.scale(colouring, 0..frames.count()));
    let scale = scale.transpose()?;
    let out = out.as_ref();
    place::folder_of_frames(out, frames.count(), "obj")?;
    let tubes = Tubes::new(frames.layout(), options.smooth);
    for index in 0..frames.count() {
        let frame = frames.measured(index)?;
        let placed = tubes.frames(&frame.positions, &frame.directors);
        let time = frames.times[index];
        let mut file = Surface {
            head: format!(
                "# t = {time:?} s\n# m\n# centreline: {}\n",
                centreline(options.smooth)
            ),
            ..Surface::default()
        };
        if let Some(scale) = &scale {
            let _ = writeln!(file.head, "# colour: {}", scale.told());
            let values = tubes.at_points(frame.of(scale.field));
            for ((point, normal), value) in tubes.surface(&placed).zip(values) {
                file.add_point(point, normal, Some(scale.colour(value)));
            }
        } else {
            for (point, normal) in tubes.surface(&placed) {
                file.add_point(point, normal, None);
            }
        }
        for (rod, tube) in tubes.rods.iter().enumerate() {
            file.begin(&format!("rod{rod}"));
            tube.faces
                .iter()
                .for_each(|face| file.add_face(face.iter().copied()));
        }
        for thing in &options.surroundings.things {
            let Some(Some(pose)) = thing.poses.get(index) else {
                continue;
            };
            let first = file.count;
            file.begin(&thing.name());
            let colour = scale.map(|_| thing.colour);
            for (x, normal) in thing.mesh.vertices.iter().zip(&thing.mesh.normals) {
                file.add_point(pose.place(*x), pose.turn(*normal), colour);
            }
            for corners in &thing.mesh.triangles {
                file.add_face(corners.iter().map(|corner| first + *corner as usize));
            }
        }
        place::file(&out.join(format!("frame_{index:06}.obj")), &file.text())?;
    }
    Ok(())
}

/// Linear light as sRGB, both 0 to 1.
fn srgb(x: f64) -> f64 {
    match x <= 0.003_130_8 {
        true => 12.92 * x,
        false => 1.055 * x.powf(1.0 / 2.4) - 0.055,
    }
}

/// A file in the making.
#[derive(Default)]
struct Surface {
    head: String,
    vertices: String,
    normals: String,
    faces: String,
    /// Points so far.
    count: usize,
}

impl Surface {
    // Writing to a string cannot fail.

    fn add_point(&mut self, point: DVec3, normal: DVec3, colour: Option<[f64; 3]>) {
        let _ = write!(self.vertices, "v {:?} {:?} {:?}", point.x, point.y, point.z);
        if let Some([r, g, b]) = colour.map(|colour| colour.map(srgb)) {
            let _ = write!(self.vertices, " {r:.4} {g:.4} {b:.4}");
        }
        self.vertices.push('\n');
        let _ = writeln!(
            self.normals,
            "vn {:.6} {:.6} {:.6}",
            normal.x, normal.y, normal.z
        );
        self.count += 1;
    }

    fn begin(&mut self, group: &str) {
        let _ = writeln!(self.faces, "g {group}");
    }

    /// Points are counted from 1.
    fn add_face(&mut self, points: impl Iterator<Item = usize>) {
        self.faces.push('f');
        for point in points {
            let _ = write!(self.faces, " {0}//{0}", point + 1);
        }
        self.faces.push('\n');
    }

    fn text(self) -> Vec<u8> {
        [self.head, self.vertices, self.normals, self.faces]
            .concat()
            .into_bytes()
    }
}
