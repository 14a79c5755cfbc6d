//! Triangle meshes from STL and OBJ.

mod obj;
mod stl;

use glam::DVec3;

/// Vertices in the units of the file, and triangles of them; an STL repeats every vertex for each
/// of its triangles.
pub(crate) type Triangles = (Vec<DVec3>, Vec<[u32; 3]>);

/// The triangles of a file, by the ending of its name.
pub(crate) fn mesh(path: &str, bytes: &[u8]) -> Result<Triangles, String> {
    let ending = path.rsplit_once('.').map(|(_, e)| e.to_lowercase());
    match ending.as_deref() {
        Some("stl") => stl::read(bytes),
        Some("obj") => obj::read(text(bytes)?),
        _ => Err("meshes are read from files whose names end in .stl or .obj".to_owned()),
    }
}

fn text(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes)
        .map_err(|e| format!("it is no text: byte {} is not UTF-8", e.valid_up_to()))
}

/// Three finite numbers at the start of `words`.
fn vector<'a>(mut words: impl Iterator<Item = &'a str>, line: usize) -> Result<DVec3, String> {
    let mut next = || {
        words
            .next()
            .and_then(|w| w.parse::<f64>().ok())
            .filter(|x| x.is_finite())
    };
    match (next(), next(), next()) {
        (Some(x), Some(y), Some(z)) => Ok(DVec3::new(x, y, z)),
        _ => Err(format!("line {line}: a vertex needs three finite numbers")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASCII: &str = "solid t\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n   vertex 0 1e0 0\n  endloop\n endfacet\nendsolid t\n";

    fn binary() -> Vec<u8> {
        // Some programs begin binary files like text ones.
        let mut bytes = b"solid but binary".to_vec();
        bytes.resize(80, b' ');
        bytes.extend(1u32.to_le_bytes());
        for x in [
            0.0f32, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0,
        ] {
            bytes.extend(x.to_le_bytes());
        }
        bytes.extend([0, 0]);
        bytes
    }

    #[test]
    fn both_kinds_of_stl_and_obj_give_one_triangle() {
        let expected = (vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]]);
        assert_eq!(mesh("a.stl", ASCII.as_bytes()), Ok(expected.clone()));
        assert_eq!(mesh("b.STL", &binary()), Ok(expected.clone()));
        let obj = "# a triangle\nv 0 0 0\nv 1 0 0 1.0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//1 -1//1\n";
        assert_eq!(mesh("c.obj", obj.as_bytes()), Ok(expected));
    }

    #[test]
    fn faces_with_more_corners_become_fans() {
        let obj = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1/1 2/2 3/3 4/4\n";
        let (_, triangles) = mesh("quad.obj", obj.as_bytes()).unwrap();
        assert_eq!(triangles, [[0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn broken_files_say_where() {
        let mut short = binary();
        short.truncate(100);
        let cut = ASCII.split("   vertex 0 1e0").next().unwrap();
        for (path, bytes, words) in [
            ("a.ply", &b""[..], ".stl or .obj"),
            ("a.stl", b"", "empty"),
            ("a.stl", &short, "1 triangle needs 134 bytes, it has 100"),
            ("a.stl", cut.as_bytes(), "ends within a triangle"),
            (
                "a.stl",
                b"solid\nvertex 0 0 zero\n",
                "line 2: a vertex needs",
            ),
            ("a.stl", b"solid\nendsolid\n", "no triangle"),
            ("a.obj", b"v 0 0\n", "line 1: a vertex needs"),
            (
                "a.obj",
                b"v 0 0 0\nf 1 2 3\n",
                "line 2: vertex 2 does not exist",
            ),
            (
                "a.obj",
                b"v 0 0 0\nf 0 1 1\n",
                "line 2: vertices count from 1",
            ),
            ("a.obj", b"v 0 0 0\nf 1 1\n", "line 2: a face needs"),
            ("a.obj", b"v 0 0 0\n", "no face"),
            ("a.obj", &[0xff, 0xfe], "no text"),
        ] {
            let message = mesh(path, bytes).unwrap_err();
            assert!(message.contains(words), "{path}: {message}");
        }
    }
}
