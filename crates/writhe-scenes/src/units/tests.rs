//! Tests of units.

use std::f64::consts::PI;

use proptest::prelude::*;

use super::*;

fn near(text: &str, si: f64) {
    let (value, _) = parse_quantity(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    assert!(
        (value - si).abs() <= 1e-14 * si.abs(),
        "{text}: {value} against {si}"
    );
}

#[test]
fn quantities_become_si() {
    for (text, si) in [
        ("15 rpm", 15.0 * 2.0 * PI / 60.0),
        ("3 MPa", 3e6),
        ("1 mm", 1e-3),
        ("1mm", 1e-3),
        ("0.1 Pa s", 0.1),
        ("0.1 Pa*s", 0.1),
        ("0.1 Pa·s", 0.1),
        ("1 cP", 1e-3),
        ("1000 kg/m^3", 1000.0),
        ("1 g/cm3", 1000.0),
        ("1 g/cm³", 1000.0),
        ("1 g cm^-3", 1000.0),
        ("6 mm/s", 6e-3),
        ("20 ms", 0.02),
        ("30 deg", PI / 6.0),
        ("30°", PI / 6.0),
        ("2 mN", 2e-3),
        ("1e-6 N m^2", 1e-6),
        ("9.81 m/s^2", 9.81),
        ("9.81 m/s/s", 9.81),
        ("1 N/(m s)", 1.0),
        ("2 µm", 2e-6),
        ("2 um", 2e-6),
        ("1 min", 60.0),
        ("-1_000.5 mm", -1.0005),
        ("0.5 1/s", 0.5),
        ("1.5 rev/s", 3.0 * PI),
        ("7", 7.0),
        ("1e3", 1e3),
        ("1 mm**2", 1e-6),
    ] {
        near(text, si);
    }
}

#[test]
fn decimal_units_round_as_decimals() {
    assert_eq!(Length::parse("0.1 mm").map(Length::si), Ok(1e-4));
    assert_eq!(Viscosity::parse("0.7 cP").map(Viscosity::si), Ok(7e-4));
}

#[test]
fn what_is_no_quantity_says_why() {
    for (text, part) in [
        ("", "it is empty"),
        ("fast", "does not start with a number"),
        ("nan", "does not start with a number"),
        ("1e999 m", "not finite"),
        ("3 Mpa", "did you mean `MPa`"),
        ("3 sm", "did you mean `ms`"),
        ("3 sec", "did you mean `s`"),
        ("3 foo", "`foo` is not a unit"),
        ("3 N/m s", "brackets"),
        ("15 Hz", "rad/s, rpm"),
        ("3 m^", "is no unit"),
        ("3 m^99", "is no unit"),
        ("3 (m", "is no unit"),
        ("3 m)", "is no unit"),
        ("3 /", "is no unit"),
        ("3 ((((((((((m))))))))))", "is no unit"),
    ] {
        let message = parse_quantity(text).expect_err(text).to_string();
        assert!(message.contains(part), "{text}: {message}");
    }
}

#[test]
fn a_wrong_dimension_says_found_wanted_and_example() {
    let message = Length::parse("15 rpm")
        .expect_err("not a length")
        .to_string();
    assert_eq!(
        message,
        "`15 rpm` is a rotation speed (rad/s), where a length (m) is wanted"
    );
    assert!(AngularSpeed::parse("15 1/s").is_err());
    assert!(AngularSpeed::parse("15").is_ok());
    assert!(Moment::parse("1 N m/rad").is_ok());
    assert!(Number::parse("30 deg").is_err());
    assert!(
        Length::parse("2 m^4")
            .expect_err("power")
            .to_string()
            .contains("something in m^4")
    );
}

#[test]
fn serde_reads_numbers_and_strings_and_writes_si() {
    #[derive(serde::Serialize, serde::Deserialize)]
    struct Table {
        a: Length,
        b: AngularSpeed,
    }
    let t: Table = toml::from_str("a = \"2 mm\"\nb = 3").expect("reads");
    assert_eq!((t.a.si(), t.b.si()), (2e-3, 3.0));
    assert_eq!(toml::to_string(&t).expect("writes"), "a = 0.002\nb = 3.0\n");
    let wrong = toml::from_str::<Table>("a = true\nb = 3")
        .err()
        .expect("wrong type")
        .to_string();
    assert!(wrong.contains("a length (m), such as \"1 mm\""), "{wrong}");
}

#[test]
fn numbers_for_people() {
    assert_eq!(show(3e6, "Pa"), "3 MPa");
    assert_eq!(show(5.018653e-3, "m"), "5.019 mm");
    assert_eq!(show(0.0, "m"), "0 m");
    assert_eq!(show(1e-3, "m"), "1 mm");
    assert_eq!(number(2.356194e-6), "2.356e-6");
    assert_eq!(number(12500.0), "12500");
    assert_eq!(number(0.25), "0.25");
}

proptest! {
    #[test]
    fn a_printed_quantity_reads_back(value in -1e9..1e9_f64, unit in 0..6_usize) {
        let (unit, factor) = [("mm", 1e-3), ("MPa", 1e6), ("ms", 1e-3), ("kg/m^3", 1.0), ("N m^2", 1.0), ("mm/s", 1e-3)][unit];
        let (read, _) = parse_quantity(&format!("{value} {unit}")).expect("reads");
        prop_assert!((read - value * factor).abs() <= 1e-15 * read.abs());
    }

    #[test]
    fn the_dimension_is_multiplicative(a in -3..4_i32, b in -3..4_i32) {
        let (_, d) = parse_quantity(&format!("1 m^{a} s^{b}")).expect("reads");
        prop_assert_eq!(d, Some(Dimension::new(a, 0, b, 0)));
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,24}") {
        let _ = parse_quantity(&text);
        let _ = Length::parse(&format!("1 {text}"));
    }
}
