//! Points with data, lines and polygons as a VTK XML file (PolyData): arrays appended raw, in
//! blocks compressed by zlib.
//!
//! Format: <https://docs.vtk.org/en/latest/vtk_file_formats/vtkxml_file_format.html>.

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// How hard arrays are compressed, of 9: a higher level takes twice the time for no fewer bytes.
const LEVEL: u32 = 4;
/// Bytes that are compressed together.
const BLOCK: usize = 1 << 20;

/// Points with what is known at them, and what they are joined to.
#[derive(Debug, Default)]
pub(super) struct PolyData {
    /// m, `(points, 3)`.
    pub points: Vec<f64>,
    /// Whether coordinates are kept as doubles.
    pub exact: bool,
    /// Values at the points.
    pub at_points: Vec<Array>,
    /// Values of each vertex, line or polygon, in the order of `cells`.
    pub at_cells: Vec<Array>,
    pub cells: Vec<(Shape, Vec<Vec<usize>>)>,
    /// Texts about all of it: name and lines.
    pub texts: Vec<(&'static str, Vec<String>)>,
    /// The array of the points by which programs colour at first.
    pub shown: Option<String>,
    /// The array with the normals of the points.
    pub normals: Option<&'static str>,
}

/// What points are joined to, in VTK's order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Vertices,
    Lines,
    Polygons,
}

/// Values with a name, `(tuples, components)`.
#[derive(Debug)]
pub(super) struct Array {
    pub name: String,
    pub components: usize,
    pub values: Values,
}

#[derive(Debug)]
pub(super) enum Values {
    Double(Vec<f64>),
    Single(Vec<f32>),
    Whole(Vec<i32>),
}

impl Array {
    pub fn doubles(name: impl Into<String>, components: usize, values: Vec<f64>) -> Self {
        Self {
            name: name.into(),
            components,
            values: Values::Double(values),
        }
    }

    pub fn singles(
        name: impl Into<String>,
        components: usize,
        values: impl Iterator<Item = f64>,
    ) -> Self {
        Self {
            name: name.into(),
            components,
            values: Values::Single(values.map(|x| x as f32).collect()),
        }
    }

    pub fn whole(name: impl Into<String>, values: Vec<i32>) -> Self {
        Self {
            name: name.into(),
            components: 1,
            values: Values::Whole(values),
        }
    }
}

impl PolyData {
    /// The file at `time`, s, if it is of one.
    pub fn file(self, time: Option<f64>) -> Vec<u8> {
        let mut file = Appended::default();
        let count = self.points.len() / 3;
        let places = match self.exact {
            true => Array::doubles("Points", 3, self.points),
            false => Array::singles("Points", 3, self.points.into_iter()),
        };
        let mut about = String::new();
        if let Some(time) = time {
            // Writing to a string cannot fail.
            let _ = writeln!(
                about,
                "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{time:?}</DataArray>"
            );
        }
        for (name, lines) in &self.texts {
            let codes: Vec<String> = lines
                .iter()
                .flat_map(|line| line.bytes().chain([0]))
                .map(|byte| byte.to_string())
                .collect();
            let _ = writeln!(
                about,
                "<Array type=\"String\" Name=\"{name}\" NumberOfTuples=\"{}\" format=\"ascii\">{}</Array>",
                lines.len(),
                codes.join(" ")
            );
        }
        let places = file.add(places);
        let at_points: String = self.at_points.into_iter().map(|a| file.add(a)).collect();
        let at_cells: String = self.at_cells.into_iter().map(|a| file.add(a)).collect();
        let mut joined = String::new();
        let mut counts = [0; 3];
        for (shape, cells) in &self.cells {
            counts[*shape as usize] = cells.len();
            let corners = cells.iter().flatten().map(|i| *i as i32).collect();
            let ends = cells.iter().scan(0, |end, cell| {
                *end += cell.len();
                Some(*end as i32)
            });
            let (corners, ends) = (
                Array::whole("connectivity", corners),
                Array::whole("offsets", ends.collect()),
            );
            let name = ["Verts", "Lines", "Polys"][*shape as usize];
            joined += &format!(
                "<{name}>\n{}{}</{name}>\n",
                file.add(corners),
                file.add(ends)
            );
        }
        let [verts, lines, polys] = counts;
        let active = |kind: &str, name: Option<&str>| {
            name.map_or(String::new(), |name| format!(" {kind}=\"{name}\""))
        };
        let head = format!(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n\
             <PolyData>\n<FieldData>\n{about}</FieldData>\n\
             <Piece NumberOfPoints=\"{count}\" NumberOfVerts=\"{verts}\" NumberOfLines=\"{lines}\" NumberOfStrips=\"0\" NumberOfPolys=\"{polys}\">\n\
             <PointData{}{}>\n{at_points}</PointData>\n<CellData>\n{at_cells}</CellData>\n<Points>\n{places}</Points>\n{joined}</Piece>\n</PolyData>\n\
             <AppendedData encoding=\"raw\">\n_",
            active("Scalars", self.shown.as_deref()),
            active("Normals", self.normals),
        );
        let mut bytes = head.into_bytes();
        bytes.extend_from_slice(&file.bytes);
        bytes.extend_from_slice(b"\n</AppendedData>\n</VTKFile>\n");
        bytes
    }
}

/// Arrays behind the XML.
#[derive(Debug, Default)]
struct Appended {
    bytes: Vec<u8>,
}

impl Appended {
    /// Adds an array; its element.
    fn add(&mut self, array: Array) -> String {
        let (kind, bytes): (_, Vec<u8>) = match array.values {
            Values::Double(values) => (
                "Float64",
                values.into_iter().flat_map(f64::to_le_bytes).collect(),
            ),
            Values::Single(values) => (
                "Float32",
                values.into_iter().flat_map(f32::to_le_bytes).collect(),
            ),
            Values::Whole(values) => (
                "Int32",
                values.into_iter().flat_map(i32::to_le_bytes).collect(),
            ),
        };
        let offset = self.push(&bytes);
        format!(
            "<DataArray type=\"{kind}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{offset}\"/>\n",
            array.name, array.components
        )
    }

    /// Adds bytes: number of blocks, their size, that of the last one if it is shorter, the size of
    /// each when compressed, and the blocks.
    fn push(&mut self, bytes: &[u8]) -> usize {
        let offset = self.bytes.len();
        let blocks: Vec<Vec<u8>> = bytes.chunks(BLOCK).map(compressed).collect();
        let head = [blocks.len(), BLOCK, bytes.len() % BLOCK];
        let sizes = head.into_iter().chain(blocks.iter().map(Vec::len));
        self.bytes
            .extend(sizes.flat_map(|size| (size as u64).to_le_bytes()));
        blocks.iter().for_each(|block| self.bytes.extend(block));
        offset
    }
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(LEVEL));
    // Writing to memory cannot fail.
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.unwrap_or_default()
}
