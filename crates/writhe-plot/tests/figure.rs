//! Whole figures: every number stays on the sheet, what cannot be drawn is told.

use writhe_plot::{Axis, Curve, Figure, Panel, PlotError, Style};

fn panel(points: Vec<[f64; 2]>) -> Panel {
    let mut panel = Panel::new(Axis::new("Time", "s"), Axis::new("Pull force <F>", "N"));
    panel.curves.push(Curve::new("n & m", points, 0));
    panel
}

/// All coordinates of polylines.
fn coordinates(svg: &str) -> Vec<[f64; 2]> {
    let lists = svg
        .split("points=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next());
    let pairs = lists.flat_map(str::split_whitespace).filter_map(|pair| {
        let (x, y) = pair.split_once(',')?;
        Some([x.parse().ok()?, y.parse().ok()?])
    });
    pairs.collect()
}

#[test]
fn curves_stay_on_the_sheet_whatever_they_do() {
    let wild = (0..500).map(|i| {
        let t = 0.02 * f64::from(i);
        [
            t,
            if i % 7 == 0 {
                f64::NAN
            } else {
                (3.0 * t).sin() * t.exp()
            },
        ]
    });
    let mut wild = panel(wild.collect());
    wild.y = wild.y.between(-10.0, 10.0);
    let mut log = panel(vec![
        [0.0, -1.0],
        [1.0, 1e-7],
        [2.0, 0.0],
        [3.0, 1e4],
        [4.0, f64::INFINITY],
    ]);
    log.y = log.y.logarithmic();
    log.x = log.x.reversed();
    let mut dots = panel(vec![[1.0, 1.0]]);
    dots.curves[0].style = Style::Marks;
    let figure = Figure::new(vec![wild, log, dots]);
    let svg = figure.to_svg().unwrap();
    let [w, h] = [2.0 * figure.panel_size[0], 2.0 * figure.panel_size[1]];
    let all = coordinates(&svg);
    assert!(all.len() > 200, "{}", all.len());
    for [x, y] in all {
        assert!((0.0..=w).contains(&x) && (0.0..=h).contains(&y), "{x}, {y}");
    }
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    assert_eq!(
        svg.matches("<circle").count(),
        2,
        "the point and its legend"
    );
    assert!(svg.contains("n &amp; m") && svg.contains("Pull force &lt;F&gt;"));
}

#[test]
fn a_curve_is_where_its_numbers_say() {
    let mut line = panel(vec![[0.0, 0.0], [1.0, 1.0], [2.0, 4.0]]);
    line.curves[0].label = String::new();
    line.x = line.x.between(0.0, 2.0);
    line.y = line.y.between(0.0, 4.0);
    let svg = Figure::new(vec![line]).to_svg().unwrap();
    let curve = svg.lines().find(|l| l.contains("#0072b2")).unwrap();
    let [a, b, c] = coordinates(curve)[..] else {
        panic!("{curve}");
    };
    // Half of the way across, a quarter of the way up.
    assert!((b[0] - 0.5 * (a[0] + c[0])).abs() < 0.02, "{curve}");
    assert!((a[1] - b[1] - 0.25 * (a[1] - c[1])).abs() < 0.02, "{curve}");
}

#[test]
fn what_cannot_be_drawn_is_told() {
    let nothing = Figure::new(vec![panel(vec![[0.0, f64::NAN]])]);
    let error = nothing.to_svg().unwrap_err();
    assert!(error.to_string().contains("Pull force"), "{error}");
    let mut negative = panel(vec![[0.0, -1.0], [1.0, -2.0]]);
    negative.y = negative.y.logarithmic();
    let error = Figure::new(vec![negative]).to_svg().unwrap_err();
    assert!(error.to_string().contains("positive"), "{error}");
    assert_eq!(Figure::new(Vec::new()).to_svg(), Err(PlotError::NoPanel));
    let mut huge = Figure::new(vec![panel(vec![[0.0, 1.0]])]);
    huge.panel_size = [f64::NAN, 1.0];
    assert!(matches!(huge.to_svg(), Err(PlotError::Size { .. })));
}
