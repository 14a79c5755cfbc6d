use crate::kernels::testing::Random;
use crate::obstacle::mesh::*;
use crate::obstacle::solid::Solid;
use crate::obstacle::testing::{check_gradient, check_hessian};

/// Corners of the box [-1, 1]^3 scaled, every corner repeated for every triangle as STL does.
fn cuboid(half: DVec3, flipped: bool) -> Mesh {
    let faces: [[usize; 4]; 6] = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let corner = |i: usize| {
        let side = |bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
        half * DVec3::new(side(0), side(1), side(2))
    };
    let mut vertices = Vec::new();
    for [a, b, c, d] in faces {
        for t in [[a, b, c], [a, c, d]] {
            let t = if flipped { [t[0], t[2], t[1]] } else { t };
            vertices.extend(t.map(corner));
        }
    }
    let triangles: Vec<[u32; 3]> = (0..12).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Mesh::new(&vertices, &triangles).unwrap()
}

#[test]
fn a_box_of_triangles_is_the_box() {
    let half = DVec3::new(0.3, 0.5, 0.4);
    let mut random = Random(7);
    for flipped in [false, true] {
        let mesh = cuboid(half, flipped);
        assert!(mesh.is_closed());
        assert_eq!((mesh.vertices().len(), mesh.edges().len()), (8, 12));
        let mut facets: Vec<u32> = (0..12).map(|t| mesh.facet(t)).collect();
        facets.sort_unstable();
        facets.dedup();
        assert_eq!(facets.len(), 6);
        let solid = Solid::Box { half };
        for _ in 0..500 {
            let x = random.vector();
            let (ours, exact) = (mesh.signed_distance(x), solid.distance(x));
            assert!((ours - exact).abs() < 1e-14, "{ours} {exact} at {x}");
        }
    }
}

#[test]
fn derivatives_agree_with_differences() {
    let mut random = Random(8);
    let (mut tested, mut curved) = (0, 0);
    for _ in 0..300 {
        let corners = [random.vector(), random.vector(), random.vector()];
        let x = 2.0 * random.vector();
        let at = triangle_distance(x, corners);
        let near = (0..6).all(|i| {
            let mut y = x;
            y[i / 2] += 1e-3 * (1.0 - 2.0 * (i % 2) as f64);
            let other = triangle_distance(y, corners).curvature.to_cols_array();
            other
                .iter()
                .zip(at.curvature.to_cols_array())
                .all(|(a, b)| (a - b).abs() < 0.1)
        });
        if at.distance < 0.1 || !near {
            continue;
        }
        tested += 1;
        curved += i32::from(at.curvature != DMat3::ZERO);
        let of = |e: [DVec3; 2]| triangle_distance(e[0], corners);
        check_gradient([x, x], 2e-4, |e| of(e).distance, &[at.normal, DVec3::ZERO]);
        check_hessian(
            [x, x],
            2e-4,
            |e| [of(e).normal, DVec3::ZERO],
            |k, l| {
                if k + l == 0 {
                    at.curvature
                } else {
                    DMat3::ZERO
                }
            },
        );
        // By brute force over the triangle.
        let [a, b, c] = corners;
        for i in 0..=20 {
            for j in 0..=20 - i {
                let (p, q) = (f64::from(i) / 20.0, f64::from(j) / 20.0);
                assert!(x.distance(a + p * (b - a) + q * (c - a)) >= at.distance - 1e-12);
            }
        }
    }
    assert!(
        tested > 100 && curved > 50 && curved < tested,
        "{curved} of {tested}"
    );
}

/// A roof upside down: the middle edge is concave for a body, and any edge counts for a sheet.
#[test]
fn concave_edges_count_for_sheets_only() {
    let sheet = Mesh::new(
        &[
            DVec3::ZERO,
            DVec3::Y,
            DVec3::new(1.0, 0.5, 1.0),
            DVec3::new(-1.0, 0.5, 1.0),
        ],
        &[[0, 2, 1], [0, 1, 3]],
    )
    .unwrap();
    assert!(!sheet.is_closed());
    assert_eq!(sheet.edges().len(), 5);
    // An L-shaped prism: its 18 edges but the concave one.
    let outline = [
        (0.0, 0.0),
        (2.0, 0.0),
        (2.0, 1.0),
        (1.0, 1.0),
        (1.0, 2.0),
        (0.0, 2.0),
    ];
    let mut vertices = Vec::new();
    for z in [0.0, 1.0] {
        vertices.extend(outline.map(|(x, y)| DVec3::new(x, y, z)));
    }
    let mut triangles = Vec::new();
    for [a, b, c] in [[0, 1, 2], [0, 2, 3], [0, 3, 5], [3, 4, 5]] {
        triangles.extend([[a, c, b], [a + 6, b + 6, c + 6]]);
    }
    for i in 0..6 {
        let j = (i + 1) % 6;
        triangles.extend([[i, j, j + 6], [i, j + 6, i + 6]]);
    }
    let mesh = Mesh::new(&vertices, &triangles).unwrap();
    assert!(mesh.is_closed());
    assert_eq!(mesh.edges().len(), 17);
    assert!(mesh.contains(DVec3::new(0.5, 1.5, 0.5)));
    assert!(!mesh.contains(DVec3::new(1.5, 1.5, 0.5)));
}

#[test]
fn bad_meshes_say_what_is_wrong() {
    let v = [DVec3::ZERO, DVec3::X, 2.0 * DVec3::X];
    assert_eq!(
        Mesh::new(&v, &[[0, 1, 3]]),
        Err(MeshError::NoSuchVertex {
            triangle: 0,
            vertex: 3,
            vertices: 3
        })
    );
    assert_eq!(
        Mesh::new(&v, &[[0, 1, 2]]),
        Err(MeshError::Empty {
            triangles: 1,
            thin: 1
        })
    );
    assert_eq!(
        Mesh::new(&v, &[]),
        Err(MeshError::Empty {
            triangles: 0,
            thin: 0
        })
    );
    assert_eq!(
        Mesh::new(&[DVec3::NAN], &[]),
        Err(MeshError::NotFinite { vertex: 0 })
    );
}
