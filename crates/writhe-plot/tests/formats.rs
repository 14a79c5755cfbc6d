//! A figure is the same in all formats: numbers of the SVG are found in the PDF, and pixels of its
//! colours in the PNG.

use writhe_plot::{Axis, Color, Curve, Figure, Panel, PlotError, Style};

/// Two curves and a legend; signs beyond ASCII, raised parts, a label that reads upwards.
fn figure() -> Figure {
    let points = |k: f64| {
        (0..=50)
            .map(|i| 0.02 * f64::from(i))
            .map(|x| [x, -1e-7 * k * x * (1.0 - x)])
            .collect()
    };
    let mut panel = Panel::new(Axis::new("Length", "m"), Axis::new("Force F_{κ}", "N"));
    panel.curves.push(Curve::new("k = 1", points(1.0), 0));
    let dashed = Curve::new("k = 2", points(2.0), 1).styled(Style::Dashed);
    panel.curves.push(dashed);
    let marks = Curve::new("measured", vec![[0.5, -3e-8]], 2).styled(Style::Marks);
    panel.curves.push(marks);
    Figure::new(vec![panel])
}

/// Points of the SVG's lines of this colour, but for their ends: those of curves lie under the
/// frame.
fn places(svg: &str, color: &str) -> Vec<[f64; 2]> {
    let lines = svg.lines().filter(|l| l.contains("<polyline"));
    let lines = lines.filter(|l| l.contains(&format!("stroke=\"{color}\"")));
    let list = |line: &str| {
        let (_, rest) = line.split_once("points=\"").unwrap();
        let list = rest.split_once('"').unwrap().0.to_owned();
        let pairs = list.split(' ').map(|pair| {
            let (x, y) = pair.split_once(',').unwrap();
            [x.parse().unwrap(), y.parse().unwrap()]
        });
        let all: Vec<[f64; 2]> = pairs.collect();
        all[1..all.len() - 1].to_vec()
    };
    lines.flat_map(list).collect()
}

struct Pixels {
    width: usize,
    height: usize,
    rgb: Vec<u8>,
}

impl Pixels {
    fn of(figure: &Figure) -> Self {
        let file = figure.to_png().unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(file))
            .read_info()
            .unwrap();
        let mut rgb = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut rgb).unwrap();
        assert_eq!(info.color_type, png::ColorType::Rgb);
        Self {
            width: info.width as usize,
            height: info.height as usize,
            rgb,
        }
    }

    fn at(&self, x: usize, y: usize) -> [u8; 3] {
        let i = 3 * (y * self.width + x);
        [self.rgb[i], self.rgb[i + 1], self.rgb[i + 2]]
    }

    /// Part of the ink of black in a box given in points.
    fn ink(&self, [x0, x1]: [f64; 2], [y0, y1]: [f64; 2]) -> f64 {
        let range = |a: f64, b: f64, most: usize| (3.0 * a) as usize..most.min((3.0 * b) as usize);
        let (xs, ys) = (range(x0, x1, self.width), range(y0, y1, self.height));
        let all = ys.flat_map(|y| xs.clone().map(move |x| (x, y)));
        all.map(|(x, y)| 1.0 - f64::from(self.at(x, y)[1]) / 255.0)
            .sum()
    }
}

#[test]
fn curves_are_pixels_of_their_colour_where_the_svg_has_them() {
    let figure = figure();
    let (svg, png) = (figure.to_svg().unwrap(), Pixels::of(&figure));
    let size = figure.panel_size.map(|s| (3.0 * s) as usize);
    assert_eq!([png.width, png.height], size);
    let Color(blue) = Color::of_few(0);
    let line = places(&svg, "#0072b2");
    assert!(line.len() > 15, "{}", line.len());
    for [x, y] in line {
        let found = png.at((3.0 * x) as usize, (3.0 * y) as usize);
        let near = found.iter().zip(blue).all(|(a, b)| a.abs_diff(b) < 90);
        assert!(near, "{found:?} at {x}, {y}");
    }
    // The second curve is dashed: some of its points lie in gaps.
    let Color(red) = Color::of_few(1);
    let dashed = places(&svg, "#d55e00");
    let is_red = |p: &&[f64; 2]| {
        let found = png.at((3.0 * p[0]) as usize, (3.0 * p[1]) as usize);
        found.iter().zip(red).all(|(a, b)| a.abs_diff(b) < 60)
    };
    let drawn = dashed.iter().filter(is_red).count();
    assert!(
        drawn > 3 && drawn < dashed.len(),
        "{drawn} of {}",
        dashed.len()
    );
    assert_eq!(png.at(2, 2), [255; 3], "the sheet is white");
}

#[test]
fn labels_are_ink_where_the_svg_has_them() {
    let figure = figure();
    let (svg, png) = (figure.to_svg().unwrap(), Pixels::of(&figure));
    let number = |tag: &str, name: &str| -> f64 {
        let (_, rest) = tag.split_once(&format!(" {name}=\"")).unwrap();
        rest.split_once('"').unwrap().0.parse().unwrap()
    };
    let mut seen = 0;
    for line in svg.lines().filter(|l| l.starts_with("<text")) {
        let [x, y, size] = ["x", "y", "font-size"].map(|name| number(line, name));
        let (across, up) = if line.contains("rotate(-90") {
            // It reads upwards from its baseline, and its middle is placed.
            ([x - 0.8 * size, x], [y - size, y + size])
        } else if line.contains("\"end\"") {
            ([x - size, x], [y - 0.8 * size, y])
        } else if line.contains("\"middle\"") {
            ([x - 0.4 * size, x + 0.4 * size], [y - 0.8 * size, y])
        } else {
            ([x, x + size], [y - 0.8 * size, y])
        };
        let ink = png.ink(across, up);
        assert!(ink > 9.0, "{ink} in {across:?} {up:?}: {line}");
        seen += 1;
    }
    assert!(seen > 12, "{seen} labels");
}

#[test]
fn the_pdf_holds_the_lines_of_the_svg_as_text() {
    let figure = figure();
    let (svg, pdf) = (figure.to_svg().unwrap(), figure.to_pdf().unwrap());
    let text = String::from_utf8_lossy(&pdf);
    assert!(text.starts_with("%PDF-1.") && text.trim_end().ends_with("%%EOF"));
    let [w, h] = figure.panel_size;
    assert!(text.contains(&format!("/MediaBox [0 0 {w} {h}]")), "{text}");
    let lines = svg.matches("<polyline").count();
    assert_eq!(text.matches("\nS\n").count(), lines);
    let [first, ..] = places(&svg, "#0072b2")[..] else {
        panic!("a curve");
    };
    // Pages have y upwards.
    let start = format!(
        "{} {} l",
        first[0],
        (100.0 * (h - first[1])).round() / 100.0
    );
    assert!(text.contains(&start), "{start} in {text}");
    for words in [
        "(k = 1) Tj",
        "(measured) Tj",
        "/Helvetica",
        "/Symbol",
        "/ca 0.85",
    ] {
        assert!(text.contains(words), "{words} in {text}");
    }
}

#[test]
fn what_no_format_can_draw_is_told_by_all() {
    let none = Figure::new(vec![Panel::new(Axis::new("x", "1"), Axis::new("y", "1"))]);
    let nothing = |e: PlotError| matches!(e, PlotError::NothingToDraw { .. });
    assert!(nothing(none.to_pdf().unwrap_err()) && nothing(none.to_png().unwrap_err()));
    let mut wide = figure();
    wide.panel_size = [7000.0, 100.0];
    let png = Pixels::of(&wide);
    assert_eq!((png.width, png.height), (8192, 117));
}
