//! Keys of the named scenes: what no material and no rod can be is refused in all of them, under
//! its key.

use writhe_scenes::{Scene, names, template};

/// Keys that mean the same in every scene that has them, and values that they must not have.
const REFUSED: [(&str, &[f64]); 13] = [
    ("poisson", &[5.0, 0.51, -1.0, -2.0]),
    ("young", &[0.0, -1.0]),
    ("density", &[0.0, -1.0]),
    ("rod_radius", &[0.0, -1.0]),
    ("trunk_radius", &[0.0, -1.0]),
    ("coil_radius", &[0.0, -1.0]),
    ("disc_radius", &[0.0, -1.0]),
    ("length", &[0.0, -1.0]),
    ("height", &[0.0, -1.0]),
    ("bending", &[0.0, -1.0]),
    ("twisting", &[0.0, -1.0]),
    ("mass_per_length", &[0.0, -1.0]),
    ("mass", &[0.0, -1.0]),
];

#[test]
fn what_no_rod_can_be_is_refused_under_its_key() {
    for name in names() {
        let text = template(name).unwrap();
        let scene = Scene::parse(text, "my.toml").unwrap();
        let resolved: toml::Table = toml::from_str(&scene.resolved().unwrap()).unwrap();
        let keys = resolved["scene"].as_table().unwrap();
        let mut tried = 0;
        for (key, values) in REFUSED.iter().filter(|(key, _)| keys.contains_key(*key)) {
            for value in *values {
                let error = scene.clone().set(&format!("scene.{key}={value}"));
                let error = error.expect_err(&format!("{name}: {key} = {value} was taken"));
                assert_eq!(error.key, format!("scene.{key}"), "{name}: {error}");
                tried += 1;
            }
        }
        assert!(tried >= 4, "{name} has none of these keys: {keys:?}");
    }
}
