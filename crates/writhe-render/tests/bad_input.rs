//! Every kind of bad input is an error with values, never a panic.

use glam::DVec3;
use writhe_render::{
    Bounds, Camera, Color, ContactSheet, Floor, Projection, RenderError, RenderOptions, Scene,
    Shadow, SheetRow, Tube, TubeColor, render,
};

fn good() -> Tube {
    Tube::new(
        vec![DVec3::ZERO, DVec3::X, 2.0 * DVec3::X],
        0.1,
        Color::WHITE,
    )
}

fn camera() -> Camera {
    Camera {
        target: DVec3::X,
        direction: DVec3::Y,
        up: DVec3::Z,
        distance: 5.0,
        projection: Projection::Orthographic { height: 3.0 },
    }
}

fn error_of(change: impl FnOnce(&mut Tube)) -> RenderError {
    let mut tube = good();
    change(&mut tube);
    let scene = Scene::new(vec![good(), tube]);
    render(&scene, &camera(), &RenderOptions::sized(20, 20)).unwrap_err()
}

fn camera_error(change: impl FnOnce(&mut Camera)) -> RenderError {
    let mut camera = camera();
    change(&mut camera);
    render(
        &Scene::new(vec![good()]),
        &camera,
        &RenderOptions::sized(20, 20),
    )
    .unwrap_err()
}

#[test]
fn too_few_nodes() {
    assert!(matches!(
        error_of(|t| t.centerline.clear()),
        RenderError::TooFewNodes {
            tube: 1,
            nodes: 0,
            needed: 2
        }
    ));
    let two_closed = error_of(|t| {
        t.centerline.pop();
        t.closed = true;
    });
    assert!(matches!(
        two_closed,
        RenderError::TooFewNodes {
            nodes: 2,
            needed: 3,
            ..
        }
    ));
}

#[test]
fn numbers_that_are_none() {
    assert!(matches!(
        error_of(|t| t.centerline[1].y = f64::NAN),
        RenderError::NonFinite {
            tube: 1,
            index: 1,
            ..
        }
    ));
    assert!(matches!(
        error_of(|t| t.centerline[2].x = 1e300),
        RenderError::NonFinite { index: 2, .. }
    ));
    assert!(matches!(
        error_of(|t| t.radius = vec![f64::INFINITY]),
        RenderError::NonFinite { .. }
    ));
    let color = |values, range| TubeColor::Scalar {
        values,
        range,
        map: Default::default(),
    };
    assert!(matches!(
        error_of(|t| t.color = color(vec![f64::NAN], (0.0, 1.0))),
        RenderError::NonFinite {
            array: "color values",
            ..
        }
    ));
    assert!(matches!(
        error_of(|t| t.color = color(vec![0.0], (0.0, f64::NAN))),
        RenderError::NonFinite {
            array: "color range",
            ..
        }
    ));
    let stripe = error_of(|t| {
        t.material_directors = Some(vec![DVec3::Y; 2]);
        t.stripe.half_angle = f64::NAN;
    });
    assert!(matches!(
        stripe,
        RenderError::NonFinite {
            array: "stripe.half_angle",
            ..
        }
    ));
}

#[test]
fn radii_and_lengths() {
    assert!(matches!(
        error_of(|t| t.radius = vec![0.1, 0.0]),
        RenderError::BadRadius { index: 1, .. }
    ));
    assert!(matches!(
        error_of(|t| t.radius = vec![]),
        RenderError::LengthMismatch { found: 0, .. }
    ));
    assert!(matches!(
        error_of(|t| t.radius = vec![0.1; 7]),
        RenderError::LengthMismatch {
            found: 7,
            nodes: 3,
            ..
        }
    ));
    assert!(matches!(
        error_of(|t| t.material_directors = Some(vec![DVec3::Y; 3])),
        RenderError::LengthMismatch {
            array: "material_directors",
            ..
        }
    ));
    assert!(matches!(
        error_of(|t| t.material_directors = Some(vec![DVec3::Y, DVec3::ZERO])),
        RenderError::ZeroDirector { edge: 1, .. }
    ));
    assert!(matches!(
        error_of(|t| t.centerline[1] = DVec3::ZERO),
        RenderError::CoincidentNodes { edge: 0, .. }
    ));
}

#[test]
fn sizes_and_options() {
    let with = |options: RenderOptions| {
        render(&Scene::new(vec![good()]), &camera(), &options).unwrap_err()
    };
    assert!(matches!(
        with(RenderOptions::sized(0, 10)),
        RenderError::ImageSize { width: 0, .. }
    ));
    assert!(matches!(
        with(RenderOptions::sized(u32::MAX, u32::MAX)),
        RenderError::ImageSize { .. }
    ));
    let few_sides = RenderOptions {
        sides: 2,
        ..RenderOptions::sized(9, 9)
    };
    assert!(matches!(
        with(few_sides),
        RenderError::BadOption { name: "sides", .. }
    ));
    let no_samples = RenderOptions {
        supersample: 0,
        ..RenderOptions::sized(9, 9)
    };
    assert!(matches!(
        with(no_samples),
        RenderError::BadOption {
            name: "supersample",
            ..
        }
    ));
}

#[test]
fn cameras() {
    assert!(matches!(
        camera_error(|c| c.up = DVec3::Y),
        RenderError::BadCamera { .. }
    ));
    assert!(matches!(
        camera_error(|c| c.direction = DVec3::ZERO),
        RenderError::BadCamera { .. }
    ));
    assert!(matches!(
        camera_error(|c| c.target.x = f64::NAN),
        RenderError::BadCamera { .. }
    ));
    assert!(matches!(
        camera_error(|c| c.projection = Projection::Orthographic { height: 0.0 }),
        RenderError::BadCamera { .. }
    ));
    assert!(matches!(
        camera_error(|c| c.projection = Projection::Perspective { fov_y: 4.0 }),
        RenderError::BadCamera { .. }
    ));
}

#[test]
fn lights_and_floors() {
    let with = |change: fn(&mut Scene)| {
        let mut scene = Scene::new(vec![good()]);
        change(&mut scene);
        render(&scene, &camera(), &RenderOptions::sized(20, 20)).unwrap_err()
    };
    assert!(matches!(
        with(|s| s.lighting.occlusion = f64::NAN),
        RenderError::BadOption { .. }
    ));
    assert!(matches!(
        with(|s| s.lighting.key_direction = DVec3::ZERO),
        RenderError::BadOption { .. }
    ));
    let floor = |s: &mut Scene| {
        s.floor = Some(Floor {
            center: DVec3::ZERO,
            normal: DVec3::ZERO,
            color: None,
            fade_radius: 1.0,
            grid: None,
        });
    };
    assert!(matches!(
        with(floor),
        RenderError::BadOption {
            name: "floor.normal",
            ..
        }
    ));
}

#[test]
fn sheets() {
    assert!(matches!(
        ContactSheet::default().render(),
        Err(RenderError::EmptyBounds)
    ));
    let no_tubes = ContactSheet {
        rows: vec![SheetRow::new("", vec![Scene::default()])],
        ..ContactSheet::default()
    };
    assert!(matches!(no_tubes.render(), Err(RenderError::EmptyBounds)));
    let labels = ContactSheet {
        column_labels: vec!["a".into(), "b".into()],
        rows: vec![SheetRow::new("", vec![Scene::new(vec![good()])])],
        ..ContactSheet::default()
    };
    assert!(matches!(
        labels.render(),
        Err(RenderError::LabelCount {
            labels: 2,
            columns: 1
        })
    ));
}

#[test]
fn scene_without_tubes_is_background() {
    let image = render(&Scene::default(), &camera(), &RenderOptions::sized(8, 8)).unwrap();
    assert!(image.as_bytes().iter().all(|&byte| byte == 255));
    assert!(Bounds::of(&Scene::default()).is_empty());
}

#[test]
fn hostile_but_legal_shapes_do_not_panic() {
    let reversal = vec![
        DVec3::ZERO,
        DVec3::X,
        DVec3::ZERO,
        DVec3::X,
        DVec3::new(1.0, 1e-9, 0.0),
    ];
    let tiny = vec![DVec3::ZERO, DVec3::X * 1e-140, DVec3::X * 2e-140];
    let huge = vec![DVec3::ZERO, DVec3::X * 1e50, DVec3::Y * 1e50];
    for (nodes, smooth) in [reversal, tiny, huge]
        .into_iter()
        .flat_map(|n| [(n.clone(), true), (n, false)])
    {
        let directors = vec![DVec3::X; nodes.len() - 1];
        let mut open = Tube::new(nodes.clone(), 0.3, Color::WHITE).with_directors(directors);
        open.smooth = smooth;
        let mut scene = Scene::new(vec![open]);
        scene.lighting.shadow = Shadow::SOFT;
        let near = Camera {
            projection: Projection::Perspective { fov_y: 1.0 },
            ..camera()
        };
        for camera in [camera(), near] {
            render(&scene, &camera, &RenderOptions::sized(30, 30)).unwrap();
        }
    }
}
