//! ParaView: a `.pvd` collection over time of `.vtp` surfaces (VTK XML PolyData, arrays appended
//! raw).
//!
//! Format: <https://docs.vtk.org/en/latest/vtk_file_formats/vtkxml_file_format.html>.

use std::path::Path;

use super::frames::Frames;
use super::tube::{SIDES, Tubes, rings};
use crate::atomic;
use crate::error::Result;

/// Writes the run in `directory` into the folder `out`, created if missing: `run.pvd` and a surface
/// for each frame.
///
/// Every point of a tube carries what its node has: `curvature` (1/m), `twist` (rad/m), `stretch`,
/// `speed` (m/s), `contact_force` (N) where contacts are recorded, `radius` (m), `rod`, `node` (in
/// its rod), the node's place `centre` (m) and the director `m1`. `rest` has the rest lengths of
/// the edges, m; without, those of the first frame.
pub fn export_vtk(
    directory: impl AsRef<Path>,
    out: impl AsRef<Path>,
    rest: Option<Vec<f64>>,
) -> Result<()> {
    let frames = Frames::open(directory.as_ref(), rest)?;
    let out = out.as_ref();
    atomic::create_directories(out)?;
    let tubes = Tubes::new(frames.layout());
    let faces = tubes.faces();
    let mut collection = String::from(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<Collection>\n",
    );
    for index in 0..frames.count() {
        let name = format!("frame_{index:06}.vtp");
        atomic::write_anew(&out.join(&name), &surface(&frames, &tubes, &faces, index)?)?;
        let time = frames.times[index];
        collection += &format!("<DataSet timestep=\"{time:?}\" part=\"0\" file=\"{name}\"/>\n");
    }
    collection += "</Collection>\n</VTKFile>\n";
    atomic::write_anew(&out.join("run.pvd"), collection.as_bytes())
}

fn surface(frames: &Frames, tubes: &Tubes, faces: &[Vec<usize>], index: usize) -> Result<Vec<u8>> {
    let frame = frames.measured(index)?;
    let placed = tubes.frames(&frame.positions, &frame.directors);
    let mut file = Appended::default();
    let (points, normals): (Vec<_>, Vec<_>) = rings(&placed, &tubes.radius).unzip();
    let numbers = |vectors: Vec<glam::DVec3>| vectors.into_iter().flat_map(|v| v.to_array());
    let places = file.floats("Points", 3, numbers(points));
    // A value for each node, the same at all points of its ring.
    let around = |values: Vec<f64>| {
        values
            .into_iter()
            .flat_map(|x| std::iter::repeat_n(x, SIDES))
    };
    let mut data = file.floats("normal", 3, numbers(normals));
    for (name, values) in frame.fields {
        data += &file.floats(name, 1, around(values));
    }
    data += &file.floats("radius", 1, around(tubes.radius.clone()));
    let nodes = || {
        tubes
            .spans
            .iter()
            .enumerate()
            .flat_map(|(rod, span)| (0..span.rod.nodes).map(move |node| (rod, node)))
    };
    data += &file.floats(
        "rod",
        1,
        around(nodes().map(|(rod, _)| rod as f64).collect()),
    );
    data += &file.floats(
        "node",
        1,
        around(nodes().map(|(_, node)| node as f64).collect()),
    );
    let vectors = |vectors: Vec<glam::DVec3>| {
        vectors
            .into_iter()
            .flat_map(|v| std::iter::repeat_n(v, SIDES))
            .flat_map(|v| v.to_array())
    };
    let centres = placed.iter().map(|f| f.position).collect();
    data += &file.floats("centre", 3, vectors(centres));
    let directors = placed.iter().map(|f| f.rotation * glam::DVec3::X).collect();
    data += &file.floats("m1", 3, vectors(directors));
    let connectivity = file.integers("connectivity", faces.iter().flatten().copied());
    let ends = faces.iter().scan(0, |end, face| {
        *end += face.len();
        Some(*end)
    });
    let offsets = file.integers("offsets", ends);
    let (count, polygons) = (tubes.radius.len() * SIDES, faces.len());
    let head = format!(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n\
         <Piece NumberOfPoints=\"{count}\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"{polygons}\">\n\
         <Points>\n{places}</Points>\n<PointData Normals=\"normal\">\n{data}</PointData>\n<Polys>\n{connectivity}{offsets}</Polys>\n\
         </Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_"
    );
    let mut bytes = head.into_bytes();
    bytes.extend_from_slice(&file.bytes);
    bytes.extend_from_slice(b"\n</AppendedData>\n</VTKFile>\n");
    Ok(bytes)
}

/// Arrays behind the XML.
#[derive(Debug, Default)]
struct Appended {
    bytes: Vec<u8>,
}

impl Appended {
    /// Adds an array of doubles; its element.
    fn floats(
        &mut self,
        name: &str,
        components: usize,
        values: impl Iterator<Item = f64>,
    ) -> String {
        let offset = self.push(values.map(f64::to_le_bytes));
        format!(
            "<DataArray type=\"Float64\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"appended\" offset=\"{offset}\"/>\n"
        )
    }

    /// Adds an array of integers; its element.
    fn integers(&mut self, name: &str, values: impl Iterator<Item = usize>) -> String {
        let offset = self.push(values.map(|i| (i as u64).to_le_bytes()));
        format!(
            "<DataArray type=\"Int64\" Name=\"{name}\" format=\"appended\" offset=\"{offset}\"/>\n"
        )
    }

    fn push(&mut self, values: impl Iterator<Item = [u8; 8]>) -> usize {
        let offset = self.bytes.len();
        self.bytes.extend_from_slice(&[0; 8]);
        self.bytes.extend(values.flatten());
        let length = (self.bytes.len() - offset - 8) as u64;
        self.bytes[offset..offset + 8].copy_from_slice(&length.to_le_bytes());
        offset
    }
}
