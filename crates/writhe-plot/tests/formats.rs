//! A figure is the same in SVG and PNG: pixels have the colours of its curves, and letters are ink
//! where the SVG has their outlines.

use std::collections::BTreeMap;

use writhe_plot::{Axis, Color, Curve, Figure, Legend, Panel, PlotError, Size, Style};

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
    Figure {
        legend: Legend::Inside,
        size: Size::Panel([330.0, 240.0]),
        ..Figure::new(vec![panel])
    }
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

    /// Least x, least y, greatest x and greatest y of what is darker than grey in a box, all in
    /// points.
    fn dark(&self, [x0, y0, x1, y1]: [f64; 4]) -> Option<[f64; 4]> {
        let range = |a: f64, b: f64, most: usize| (3.0 * a) as usize..most.min((3.0 * b) as usize);
        let (xs, ys) = (range(x0, x1, self.width), range(y0, y1, self.height));
        let all = ys.flat_map(|y| xs.clone().map(move |x| (x, y)));
        let dark = all.filter(|(x, y)| self.at(*x, *y)[1] < 128);
        dark.fold(None, |bounds: Option<[f64; 4]>, (x, y)| {
            let ends = [x, y, x + 1, y + 1].map(|p| p as f64 / 3.0);
            Some(bounds.map_or(ends, |b| grown(b, ends)))
        })
    }
}

fn grown(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [
        a[0].min(b[0]),
        a[1].min(b[1]),
        a[2].max(b[2]),
        a[3].max(b[3]),
    ]
}

/// Value of an attribute.
fn attribute<'a>(tag: &'a str, name: &str) -> &'a str {
    let (_, rest) = tag.split_once(&format!(" {name}=\"")).unwrap();
    rest.split_once('"').unwrap().0
}

/// Numbers in brackets after a word.
fn numbers(text: &str, word: &str) -> Option<Vec<f64>> {
    let (_, rest) = text.split_once(&format!("{word}("))?;
    let (list, _) = rest.split_once(')')?;
    Some(list.split(' ').map(|n| n.parse().unwrap()).collect())
}

/// Labels of the SVG, and the box of the outlines of each: left, top, right and bottom, points.
/// Control points of curves may lie a little outside of them.
fn labels(svg: &str) -> Vec<(String, [f64; 4])> {
    let paths = svg.lines().filter(|l| l.starts_with("<path id="));
    let outlines: BTreeMap<&str, Vec<[f64; 2]>> = paths
        .map(|l| {
            let d = attribute(l, "d").replace(['M', 'L', 'Q', 'C', 'Z'], " ");
            let all: Vec<f64> = d.split_whitespace().map(|n| n.parse().unwrap()).collect();
            (
                attribute(l, "id"),
                all.chunks(2).map(|p| [p[0], p[1]]).collect(),
            )
        })
        .collect();
    let mut found = Vec::new();
    let mut lines = svg.lines();
    while let Some(line) = lines.next() {
        if !line.starts_with("<g role=\"img\"") {
            continue;
        }
        let place = numbers(line, "translate").unwrap();
        let upwards = line.contains("rotate(-90)");
        let mut bounds: Option<[f64; 4]> = None;
        for part in lines.next().unwrap().split("<g ").skip(1) {
            let part = format!(" {part}");
            let [shift, scale] = ["translate", "scale"].map(|w| numbers(&part, w).unwrap());
            for letter in part.split("<use").skip(1) {
                let x0: f64 = attribute(letter, "x").parse().unwrap();
                let id = attribute(letter, "xlink:href").trim_start_matches('#');
                for [x, y] in &outlines[id] {
                    let (x, y) = (shift[0] + scale[0] * (x0 + x), shift[1] + scale[1] * y);
                    let [dx, dy] = if upwards { [y, -x] } else { [x, y] };
                    let at = [place[0] + dx, place[1] + dy, place[0] + dx, place[1] + dy];
                    bounds = Some(bounds.map_or(at, |b| grown(b, at)));
                }
            }
        }
        found.push((attribute(line, "aria-label").to_owned(), bounds.unwrap()));
    }
    found
}

#[test]
fn curves_are_pixels_of_their_colour_where_the_svg_has_them() {
    let figure = figure();
    let (svg, png) = (figure.to_svg().unwrap(), Pixels::of(&figure));
    assert_eq!([png.width, png.height], [990, 720]);
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
fn letters_are_ink_where_the_svg_has_their_outlines() {
    let figure = figure();
    let (svg, png) = (figure.to_svg().unwrap(), Pixels::of(&figure));
    let labels = labels(&svg);
    assert!(labels.len() > 12, "{labels:?}");
    for (label, [x0, y0, x1, y1]) in labels {
        // Beside it there is nothing for two points, but for ticks and samples of lines.
        let alone = ["Length (mm)", "Force Fκ (nN)"].contains(&&label[..]);
        let room = if alone { 2.0 } else { 0.4 };
        let dark = png.dark([x0 - room, y0 - room, x1 + room, y1 + room]);
        let dark = dark.unwrap_or_else(|| panic!("{label} is not there"));
        for (found, wanted) in dark.into_iter().zip([x0, y0, x1, y1]) {
            // A pixel is a third of a point; heights are fitted to pixels.
            assert!(
                (found - wanted).abs() < 0.75,
                "{label}: {found}, not {wanted}"
            );
        }
    }
}

#[test]
fn what_no_format_can_draw_is_told_by_all() {
    let none = Figure::new(vec![Panel::new(Axis::new("x", "1"), Axis::new("y", "1"))]);
    let nothing = |e: PlotError| matches!(e, PlotError::NothingToDraw { .. });
    assert!(nothing(none.to_pdf().unwrap_err()) && nothing(none.to_png().unwrap_err()));
    let mut wide = figure();
    wide.size = Size::Panel([7000.0, 100.0]);
    let png = Pixels::of(&wide);
    assert_eq!((png.width, png.height), (8192, 117));
}
