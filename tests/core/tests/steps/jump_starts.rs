//! Ways for BDF2 to go on where a force jumps, on single modes: the table of decision 0066. Printed
//! by `cargo test -p writhe-tests --test steps jump_starts -- --nocapture`.

/// Mass, kg, resistance, N s/m, and stiffness, N/m.
type Mode = [f64; 3];

/// What becomes of the step before where the force jumps.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Start {
    AsBefore,
    Dropped,
    VelocityAlone,
    Begun,
}

const STARTS: [Start; 4] = [
    Start::AsBefore,
    Start::Dropped,
    Start::VelocityAlone,
    Start::Begun,
];
/// Between two settings, s.
const ON: f64 = 0.05;
const TIMES: usize = 10;

/// Places at the ends of `TIMES` intervals of so many steps, under 1 N and none in turn; and the
/// largest at any step, m.
fn places([m, d, k]: Mode, steps: usize, start: Start) -> ([f64; TIMES], f64) {
    let h = ON / steps as f64;
    let ([mut q, mut u], mut known) = ([0.0_f64; 2], None::<[f64; 2]>);
    let (mut before, mut largest) = (1.0, 0.0_f64);
    let ends = std::array::from_fn(|interval| {
        let force = if interval % 2 == 0 { 1.0 } else { 0.0 };
        for _ in 0..steps {
            let jump = force - before;
            before = force;
            let z = jump / (m / (h * h) + d / h + k);
            known = match (known, start) {
                (known, _) if jump == 0.0 => known,
                (None, _) | (_, Start::Dropped) => None,
                (Some([p, v]), Start::VelocityAlone) => Some([p, v - h * jump / m]),
                (Some([p, v]), Start::Begun) => Some([p - z, v - z / h]),
                (known, Start::AsBefore) => known,
            };
            // u = a y + of_q and u' = a u + of_u.
            let (a, [of_q, of_u]) = match known {
                None => (1.0 / h, [-q / h, -u / h]),
                Some([p, v]) => (1.5 / h, [(0.5 * p - 2.0 * q) / h, (0.5 * v - 2.0 * u) / h]),
            };
            let y = (force - m * (a * of_q + of_u) - d * of_q) / (m * a * a + d * a + k);
            known = Some([q, u]);
            (q, u) = (y, a * y + of_q);
            largest = largest.max(q.abs());
        }
        q
    });
    (ends, largest)
}

/// The exact ones of a mode that drag does not damp, or alone resists.
fn exact([m, d, k]: Mode) -> [f64; TIMES] {
    let [mut q, mut u] = [0.0_f64; 2];
    std::array::from_fn(|interval| {
        let force = if interval % 2 == 0 { 1.0 } else { 0.0 };
        if d > 0.0 {
            q += ON * force / d;
        } else if k == 0.0 {
            q += ON * u + 0.5 * ON * ON * force / m;
            u += ON * force / m;
        } else {
            let (rate, rest) = ((k / m).sqrt(), force / k);
            let (sin, cos) = (rate * ON).sin_cos();
            (q, u) = (
                rest + (q - rest) * cos + u / rate * sin,
                (rest - q) * rate * sin + u * cos,
            );
        }
        q
    })
}

fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |a, v| a.max(v.abs()))
}

#[test]
fn what_begins_is_begun_by_backward_euler() {
    let swings = (2.0 * std::f64::consts::PI / 0.5_f64).powi(2);
    let modes: [(&str, Mode); 3] = [
        ("mass alone", [1.0, 0.0, 0.0]),
        ("period of .5 s", [1.0, 0.0, swings]),
        ("drag alone", [1e-9, 1.0, 0.0]),
    ];
    for (name, mode) in modes {
        let wanted = exact(mode);
        for start in STARTS {
            let errors = [5, 10, 20].map(|steps| {
                let ends = places(mode, steps, start).0;
                largest(ends.iter().zip(&wanted).map(|(a, b)| a - b)) / largest(wanted)
            });
            let [coarse, middle, fine] = errors;
            println!("{name}, {start:?}: {coarse:.1e}, {middle:.1e}, {fine:.1e}");
            // 3.5 to 4 from second order, 2 from first.
            let second = errors[2] < 1e-8 || errors[1] / errors[2] > 3.5;
            assert_eq!(second, start != Start::AsBefore, "{name}, {start:?}");
            if start == Start::Begun {
                assert!(errors[0] < 0.02, "{name}: {errors:?}");
            }
        }
    }
    let stiff = [1.0, 0.0, 1e10];
    for start in STARTS {
        let over = places(stiff, 5, start).1 * stiff[2];
        println!("stiff, {start:?}: {over:.3} of the deflection");
        let stays = (over - 1.0).abs() < 1e-3;
        assert_eq!(stays, start != Start::VelocityAlone, "{over}");
    }
}
