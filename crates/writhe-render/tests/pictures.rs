//! Whole pictures: what covers what, how much, and that nothing depends on threads.

use std::f64::consts::{PI, TAU};

use glam::{DQuat, DVec3};
use writhe_render::{
    Background, Bounds, Camera, Color, Floor, Image, Projection, RenderOptions, Scene, Shadow,
    Solid, Tube, TubeColor, render,
};

const RED: Color = Color {
    rgb: [0.8, 0.05, 0.05],
};
const BLUE: Color = Color {
    rgb: [0.05, 0.05, 0.8],
};

/// Looks along -z at the origin, 4 length units high.
fn front() -> Camera {
    Camera {
        target: DVec3::ZERO,
        direction: DVec3::NEG_Z,
        up: DVec3::Y,
        distance: 20.0,
        projection: Projection::Orthographic { height: 4.0 },
    }
}

fn bar(from: DVec3, to: DVec3, radius: f64, color: Color) -> Tube {
    Tube::new(vec![from, 0.5 * (from + to), to], radius, color)
}

fn transparent(tubes: Vec<Tube>) -> Scene {
    Scene {
        background: Background::Transparent,
        ..Scene::new(tubes)
    }
}

fn flagella(count: usize) -> Scene {
    let rod = |k: usize| {
        let phase = TAU * k as f64 / count as f64;
        let nodes: Vec<DVec3> = (0..68)
            .map(|i| f64::from(i) / 67.0)
            .map(|s| {
                let a = 6.0 * TAU * s + phase;
                DVec3::new(
                    0.3 * phase.cos() + 0.12 * a.cos(),
                    0.3 * phase.sin() + 0.12 * a.sin(),
                    -2.0 * s,
                )
            })
            .collect();
        let directors = nodes
            .windows(2)
            .map(|p| (p[1] - p[0]).any_orthonormal_vector())
            .collect();
        Tube::new(nodes, 0.03, writhe_render::rod_color(k)).with_directors(directors)
    };
    Scene::new((0..count).map(rod).collect())
}

fn fitted(scene: &Scene, aspect: f64) -> Camera {
    let bounds = Bounds::of(scene);
    Camera::fit(
        &bounds,
        Camera::good_direction(&bounds, DVec3::Z),
        DVec3::Z,
        aspect,
        0.05,
    )
    .unwrap()
}

/// Area covered by the picture's opaque pixels, in length units squared.
fn area(image: &Image, picture_height: f64) -> f64 {
    let pixel = picture_height / f64::from(image.height());
    image
        .as_bytes()
        .chunks_exact(4)
        .map(|p| f64::from(p[3]) / 255.0)
        .sum::<f64>()
        * pixel
        * pixel
}

#[test]
fn capped_tube_covers_rectangle_and_disk() {
    let tube = bar(DVec3::NEG_X, DVec3::X, 0.6, RED);
    let options = RenderOptions {
        sides: 64,
        supersample: 3,
        ..RenderOptions::sized(300, 200)
    };
    let image = render(&transparent(vec![tube]), &front(), &options).unwrap();
    let exact = 2.0 * 1.2 + PI * 0.36;
    assert!((area(&image, 4.0) / exact - 1.0).abs() < 3e-3);
}

#[test]
fn perspective_covers_the_same_at_the_target() {
    let fov_y: f64 = 0.02;
    let camera = Camera {
        projection: Projection::Perspective { fov_y },
        distance: 2.0 / (0.5 * fov_y).tan(),
        ..front()
    };
    let tube = bar(DVec3::NEG_X, DVec3::X, 0.6, RED);
    let options = RenderOptions {
        sides: 64,
        ..RenderOptions::sized(300, 200)
    };
    let image = render(&transparent(vec![tube]), &camera, &options).unwrap();
    assert!((area(&image, 4.0) / (2.4 + PI * 0.36) - 1.0).abs() < 0.01);
}

#[test]
fn near_tube_hides_the_far_one_in_any_order() {
    let near = bar(
        DVec3::new(-1.0, 0.0, 1.0),
        DVec3::new(1.0, 0.0, 1.0),
        0.3,
        RED,
    );
    let far = bar(
        DVec3::new(0.0, -1.0, -1.0),
        DVec3::new(0.0, 1.0, -1.0),
        0.3,
        BLUE,
    );
    for tubes in [vec![near.clone(), far.clone()], vec![far, near]] {
        let image = render(
            &Scene::new(tubes),
            &front(),
            &RenderOptions::sized(120, 120),
        )
        .unwrap();
        let [r, _, b, _] = image.pixel(60, 60).unwrap();
        assert!(r > 2 * b, "the middle is red");
        let [r, _, b, _] = image.pixel(60, 32).unwrap();
        assert!(b > 2 * r, "above it is blue");
    }
}

#[test]
fn symmetric_scene_gives_a_symmetric_picture() {
    let mut scene = transparent(vec![
        bar(
            DVec3::new(-1.0, -1.0, 0.0),
            DVec3::new(-0.2, 1.0, 0.0),
            0.3,
            RED,
        ),
        bar(
            DVec3::new(1.0, -1.0, 0.0),
            DVec3::new(0.2, 1.0, 0.0),
            0.3,
            RED,
        ),
    ]);
    scene.lighting.key_direction = DVec3::new(0.0, 0.5, 1.0);
    scene.lighting.occlusion = 0.0;
    let image = render(&scene, &front(), &RenderOptions::sized(160, 120)).unwrap();
    let mut differing = 0;
    for (x, y) in (0..80).flat_map(|x| (0..120).map(move |y| (x, y))) {
        let (left, right) = (image.pixel(x, y).unwrap(), image.pixel(159 - x, y).unwrap());
        differing += usize::from(left[3].abs_diff(right[3]) > 1);
    }
    assert!(differing <= 2, "{differing} pixels differ in coverage");
}

#[test]
fn bytes_do_not_depend_on_the_number_of_threads() {
    let mut scene = flagella(5);
    scene.lighting.shadow = Shadow::SOFT;
    scene.floor = Some(Floor {
        center: DVec3::NEG_Z * 2.2,
        normal: DVec3::Z,
        color: None,
        fade_radius: 2.0,
        grid: Some(0.2),
    });
    let camera = fitted(&scene, 1.0);
    let picture = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| render(&scene, &camera, &RenderOptions::sized(150, 150)).unwrap())
    };
    let one = picture(1);
    assert_eq!(one, picture(2));
    assert_eq!(one, picture(5));
}

#[test]
fn shadow_darkens_what_lies_behind_as_seen_from_the_light() {
    let wall = bar(DVec3::NEG_X * 3.0, DVec3::X * 3.0, 0.8, BLUE);
    let pole = bar(
        DVec3::new(-0.9, -2.0, 2.0),
        DVec3::new(-0.9, 2.0, 2.0),
        0.15,
        RED,
    );
    let mut scene = Scene::new(vec![wall, pole]);
    scene.lighting.occlusion = 0.0;
    // From the left: the shadow of the pole falls 1.2 to the right of it on the front of the wall.
    scene.lighting.key_direction = DVec3::new(-1.0, 0.0, 1.0);
    let options = RenderOptions::sized(120, 120);
    let lit = render(&scene, &front(), &options).unwrap();
    scene.lighting.shadow = Shadow::SOFT;
    let shaded = render(&scene, &front(), &options).unwrap();
    let blue = |image: &Image, x: u32| i32::from(image.pixel(x, 60).unwrap()[2]);
    assert!(blue(&lit, 69) - blue(&shaded, 69) > 30);
    assert_eq!(blue(&lit, 105), blue(&shaded, 105));
}

/// Few points are looked at for what throws a shadow: a hair that hangs high over the wall must not
/// get between them, for then its shadow is a row of dots.
#[test]
fn the_shadow_of_a_hair_is_whole() {
    let wall = bar(DVec3::NEG_X * 3.0, DVec3::X * 3.0, 1.5, BLUE);
    let hair = bar(
        DVec3::new(-3.0, 0.0, 9.0),
        DVec3::new(3.0, 0.0, 9.0),
        0.006,
        RED,
    );
    let mut scene = Scene::new(vec![wall, hair]);
    scene.lighting.occlusion = 0.0;
    // From above: the shadow falls below the hair.
    scene.lighting.key_direction = DVec3::new(0.0, 0.1, 1.0);
    let options = RenderOptions::sized(600, 600);
    let lit = render(&scene, &front(), &options).unwrap();
    scene.lighting.shadow = Shadow::SOFT;
    let shaded = render(&scene, &front(), &options).unwrap();
    let blue = |image: &Image, x: u32, y: u32| f64::from(image.pixel(x, y).unwrap()[2]);
    // How much light is missing in each column of the picture.
    let missing = |x: u32| -> f64 {
        let below = 390..430;
        below.map(|y| blue(&lit, x, y) - blue(&shaded, x, y)).sum()
    };
    let columns: Vec<f64> = (60..540).map(missing).collect();
    let mean = columns.iter().sum::<f64>() / columns.len() as f64;
    let least = columns.iter().copied().fold(f64::INFINITY, f64::min);
    assert!(mean > 20.0 && least > 0.3 * mean, "{least} of {mean}");
}

/// Light is found at every fourth pixel and taken from there where it is even: a shadow that passes
/// between two such rows must not be lost.
#[test]
fn a_shadow_seen_at_a_flat_angle_has_no_gaps() {
    // A table seen from almost its own height, and a wire above it.
    let wire = bar(
        DVec3::new(-3.0, 0.1, -0.2),
        DVec3::new(3.0, 0.1, 0.2),
        0.015,
        RED,
    );
    let table = Solid::cuboid(DVec3::new(3.0, 2.0, 0.1), BLUE);
    let mut scene = Scene::new(vec![wire]);
    let turn = DQuat::from_rotation_x(-1.3);
    scene.solids.push(table.placed(turn, DVec3::NEG_Y * 0.2));
    scene.lighting.occlusion = 0.0;
    scene.lighting.key_direction = DVec3::new(0.0, 1.0, 0.1);
    let options = RenderOptions::sized(600, 600);
    let lit = render(&scene, &front(), &options).unwrap();
    scene.lighting.shadow = Shadow::SOFT;
    let shaded = render(&scene, &front(), &options).unwrap();
    let blue = |image: &Image, x: u32, y: u32| f64::from(image.pixel(x, y).unwrap()[2]);
    let missing = |x: u32| -> f64 {
        let below = 290..360;
        below.map(|y| blue(&lit, x, y) - blue(&shaded, x, y)).sum()
    };
    let columns: Vec<f64> = (20..580).map(missing).collect();
    let mean = columns.iter().sum::<f64>() / columns.len() as f64;
    let least = columns.iter().copied().fold(f64::INFINITY, f64::min);
    assert!(mean > 20.0 && least > 0.5 * mean, "{least} of {mean}");
}

#[test]
fn stripe_follows_the_director() {
    let mut tube = bar(DVec3::NEG_X, DVec3::X, 0.6, BLUE);
    tube.stripe.color = Some(Color::WHITE);
    let red_in_the_middle = |m1: DVec3| {
        let scene = Scene::new(vec![tube.clone().with_directors(vec![m1; 2])]);
        render(&scene, &front(), &RenderOptions::sized(100, 100))
            .unwrap()
            .pixel(50, 50)
            .unwrap()[0]
    };
    assert!(red_in_the_middle(DVec3::Z) > 150);
    assert!(red_in_the_middle(DVec3::NEG_Z) < 100);
}

#[test]
fn scalar_colour_changes_along_the_tube() {
    let mut tube = bar(DVec3::NEG_X, DVec3::X, 0.4, RED);
    tube.color = TubeColor::Scalar {
        values: vec![0.0, 0.5, 1.0],
        range: (0.0, 1.0),
        map: Default::default(),
    };
    let image = render(
        &Scene::new(vec![tube]),
        &front(),
        &RenderOptions::sized(100, 100),
    )
    .unwrap();
    assert!(image.pixel(75, 50).unwrap()[1] > image.pixel(28, 50).unwrap()[1] + 60);
}

#[test]
fn fitted_picture_touches_no_border() {
    let scene = Scene {
        background: Background::Transparent,
        ..flagella(7)
    };
    let image = render(
        &scene,
        &fitted(&scene, 1.5),
        &RenderOptions::sized(150, 100),
    )
    .unwrap();
    let border = (0..150)
        .flat_map(|x| [(x, 0), (x, 99)])
        .chain((0..100).flat_map(|y| [(0, y), (149, y)]));
    for (x, y) in border {
        assert_eq!(image.pixel(x, y).unwrap()[3], 0);
    }
    assert!(image.as_bytes().chunks_exact(4).any(|p| p[3] == 255));
}

#[test]
fn camera_inside_of_the_scene_draws_what_is_in_front() {
    let scene = Scene::new(vec![bar(
        DVec3::new(0.5, 0.0, 9.0),
        DVec3::new(0.5, 0.0, -9.0),
        0.2,
        RED,
    )]);
    let camera = Camera {
        projection: Projection::Perspective { fov_y: 1.0 },
        distance: 1.0,
        ..front()
    };
    let image = render(&scene, &camera, &RenderOptions::sized(80, 80)).unwrap();
    assert!(image.as_bytes().chunks_exact(4).any(|p| p[0] / 2 > p[2]));
}

#[test]
fn png_round_trip() {
    let image = render(
        &transparent(vec![bar(DVec3::NEG_X, DVec3::X, 0.5, RED)]),
        &front(),
        &RenderOptions::sized(60, 40),
    )
    .unwrap();
    let mut bytes = Vec::new();
    image.write_png(&mut bytes).unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), (60, 40));
    assert_eq!(&pixels[..info.buffer_size()], image.as_bytes());
}
