//! Whole figures: every number stays on the sheet, what cannot be drawn is told.

use writhe_plot::{Axis, Curve, Figure, Legend, Look, Marker, Panel, PlotError, Size, Style};

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
    let [w, h] = sheet(&svg);
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

/// Width and height of a document.
fn sheet(svg: &str) -> [f64; 2] {
    let (_, rest) = svg.split_once("viewBox=\"0 0 ").unwrap();
    let (w, h) = rest.split_once('"').unwrap().0.split_once(' ').unwrap();
    [w.parse().unwrap(), h.parse().unwrap()]
}

/// A panel with so many curves that fill it.
fn full(curves: usize) -> Panel {
    let mut panel = Panel::new(Axis::new("Time", "s"), Axis::new("Force", "N"));
    for index in 0..curves {
        let wave = |i: i32| {
            let t = 0.01 * f64::from(i);
            [t, (40.0 * t + index as f64).sin()]
        };
        let label = format!("rod {index}");
        panel
            .curves
            .push(Curve::new(label, (0..=400).map(wave).collect(), index));
    }
    panel
}

/// Places of labels: where the SVG says that each begins.
fn label(svg: &str, words: &str) -> [f64; 2] {
    let tag = format!("aria-label=\"{words}\" transform=\"translate(");
    let (_, rest) = svg
        .split_once(&tag)
        .unwrap_or_else(|| panic!("{words} in {svg}"));
    let (x, y) = rest.split_once(')').unwrap().0.split_once(' ').unwrap();
    [x.parse().unwrap(), y.parse().unwrap()]
}

/// Right end of the axes: that of the lines in ink.
fn right_of_axes(svg: &str) -> f64 {
    let frame = svg.lines().filter(|l| l.contains("stroke=\"#222222\""));
    let corners = frame.flat_map(coordinates);
    corners.map(|p| p[0]).fold(0.0, f64::max)
}

/// Curves over time fill the axis; where there are marks, they have room at its ends.
#[test]
fn axes_end_where_curves_do() {
    let curve_to_frame = |figure: &Figure| {
        let svg = figure.to_svg().unwrap();
        let lines = svg.lines().filter(|l| l.contains("stroke=\"#0072b2\""));
        let points = lines.flat_map(coordinates);
        right_of_axes(&svg) - points.map(|p| p[0]).fold(0.0, f64::max)
    };
    let mut line = panel(vec![[0.0, 0.0], [1.0, 1.0], [2.3, 4.0]]);
    line.curves[0].label = String::new();
    let mut figure = Figure::new(vec![line]);
    assert!(curve_to_frame(&figure).abs() < 0.02);
    figure.panels[0].curves[0].marker = Some(Marker::Disc);
    assert!(curve_to_frame(&figure) > 5.0);
}

#[test]
fn legends_that_do_not_fit_stand_beside_the_axes() {
    let figure = Figure::new(vec![full(12)]);
    let svg = figure.to_svg().unwrap();
    let [w, h] = sheet(&svg);
    assert!(w > 330.0 && h == 240.0, "{w} x {h}");
    for index in 0..12 {
        let [x, y] = label(&svg, &format!("rod {index}"));
        assert!(x > 318.0 && x < w && y < h, "{x}, {y}");
    }
    // A sheet of a given size takes the room from the axes.
    let mut given = figure.clone();
    given.size = Size::Sheet([330.0, 240.0]);
    let svg = given.to_svg().unwrap();
    assert_eq!(sheet(&svg), [330.0, 240.0]);
    assert!(label(&svg, "rod 11")[0] > right_of_axes(&svg));
    // One that fits stays inside.
    let mut flat = panel(vec![[0.0, 0.0], [1.0, 0.0], [2.0, 1.0]]);
    flat.curves[0].label = "rise".to_owned();
    let svg = Figure::new(vec![flat]).to_svg().unwrap();
    assert_eq!(sheet(&svg), [330.0, 240.0]);
    assert!(label(&svg, "rise")[0] < right_of_axes(&svg));
}

#[test]
fn legends_stand_where_they_are_wanted() {
    let mut figure = Figure::new(vec![full(3), full(3)]);
    // Both panels have the same curves: one legend is enough.
    let count = |figure: &Figure| figure.to_svg().unwrap().matches("\"rod 1\"").count();
    assert_eq!(count(&figure), 1);
    figure.panels[1].curves[0].label = "rope".to_owned();
    assert_eq!(count(&figure), 2);
    figure.legend = Legend::None;
    assert_eq!(count(&figure), 0);
    figure.legend = Legend::Below;
    let svg = figure.to_svg().unwrap();
    assert!(label(&svg, "rod 1")[1] > 240.0 && sheet(&svg)[1] > 250.0);
    figure.legend = Legend::Inside;
    let svg = figure.to_svg().unwrap();
    assert!(label(&svg, "rope")[0] < right_of_axes(&svg) && sheet(&svg)[1] == 240.0);
    assert_eq!(svg.matches("fill-opacity").count(), 2);
}

#[test]
fn talks_have_large_letters_and_titles_their_room() {
    let mut figure = Figure::new(vec![panel(vec![[0.0, 0.0], [1.0, 1.0]])]);
    figure.title = "A title".to_owned();
    let svg = figure.to_svg().unwrap();
    assert!(sheet(&svg)[1] > 240.0 && svg.contains("<title>A title</title>"));
    assert!(svg.contains("#Inter-SemiBold-"), "titles are semi-bold");
    let talk = figure.looking(Look::Talk);
    let svg = talk.to_svg().unwrap();
    assert!(svg.contains("stroke-width=\"2.8\"") && sheet(&svg)[0] == 470.0);
}

#[test]
fn markers_have_shapes() {
    let mut panel = full(2);
    panel.curves[0].marker = Some(Marker::Disc);
    panel.curves[1].marker = Some(Marker::Diamond);
    let svg = Figure::new(vec![panel]).to_svg().unwrap();
    let [discs, diamonds] = ["<circle", "<polygon"].map(|tag| svg.matches(tag).count());
    assert!(discs > 15 && diamonds > 15, "{discs} {diamonds}");
    for line in svg.lines().filter(|l| l.contains("<polygon")) {
        assert_eq!(coordinates(line).len(), 4);
    }
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
    huge.size = Size::Panel([f64::NAN, 1.0]);
    assert!(matches!(huge.to_svg(), Err(PlotError::Size { .. })));
    huge.size = Size::Sheet([80.0, 80.0]);
    huge.panels.push(huge.panels[0].clone());
    let error = huge.to_svg().unwrap_err();
    assert!(matches!(error, PlotError::Cramped { .. }));
    assert!(error.to_string().contains("80 x 80 points"), "{error}");
    for (from, to) in [(2.0, 1.0), (0.0, 0.0), (f64::NAN, 1.0)] {
        let mut turned = panel(vec![[0.0, 1.0]]);
        turned.x = turned.x.between(from, to);
        let error = Figure::new(vec![turned]).to_svg().unwrap_err();
        assert!(matches!(error, PlotError::Limits { .. }), "{error}");
    }
    let mut beside = panel(vec![[0.0, 1.0]]);
    beside.x = beside.x.between(5.0, 6.0);
    let error = Figure::new(vec![beside]).to_svg().unwrap_err();
    assert!(error.to_string().contains("between the limits"), "{error}");
}
