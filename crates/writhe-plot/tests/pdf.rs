//! The PDF has the letters that it needs, as those of the font, and its text can be searched.

use std::collections::BTreeMap;

use miniz_oxide::inflate::decompress_to_vec_zlib;
use ttf_parser::{GlyphId, OutlineBuilder, cff};
use writhe_lettering::{Font, Weight};
use writhe_plot::{Axis, Curve, Figure, Panel};

/// A document as its objects: what stands before a stream, and the stream unpacked.
struct Document {
    objects: BTreeMap<usize, (String, Vec<u8>)>,
}

impl Document {
    fn of(bytes: &[u8]) -> Self {
        let find = |from: usize, what: &[u8]| {
            let at = bytes[from..].windows(what.len()).position(|w| w == what);
            at.map(|at| from + at)
        };
        let mut objects = BTreeMap::new();
        let mut at = 0;
        while let Some(start) = find(at, b" 0 obj\n") {
            let line = bytes[..start].iter().rposition(|b| *b == b'\n').unwrap() + 1;
            let id = String::from_utf8_lossy(&bytes[line..start])
                .parse()
                .unwrap();
            let end = find(start, b"\nendobj").unwrap();
            let body = &bytes[start + 7..end];
            let text = String::from_utf8_lossy(body).into_owned();
            let object = match text.find("stream\n") {
                None => (text, Vec::new()),
                Some(_) => {
                    let from = find(start, b"stream\n").unwrap() + 7;
                    let head = String::from_utf8_lossy(&bytes[start + 7..from]).into_owned();
                    let length: usize = word_after(&head, "/Length").parse().unwrap();
                    let data = &bytes[from..from + length];
                    let data = match head.contains("/FlateDecode") {
                        true => decompress_to_vec_zlib(data).unwrap(),
                        false => data.to_vec(),
                    };
                    at = from + length;
                    (head, data)
                }
            };
            at = at.max(start + 7);
            objects.insert(id, object);
        }
        Self { objects }
    }

    /// The object that an entry of this one refers to.
    fn follow(&self, of: &str, entry: &str) -> &(String, Vec<u8>) {
        let id = word_after(of, entry).trim_start_matches('[').to_owned();
        &self.objects[&id.parse().unwrap()]
    }

    fn with(&self, words: &str) -> Vec<&(String, Vec<u8>)> {
        self.objects
            .values()
            .filter(|(head, _)| head.contains(words))
            .collect()
    }
}

fn word_after<'a>(text: &'a str, entry: &str) -> &'a str {
    let (_, rest) = text
        .split_once(&format!("{entry} "))
        .unwrap_or_else(|| panic!("{entry} in {text}"));
    rest.split_whitespace().next().unwrap()
}

/// Characters by their codes, of a font's `ToUnicode`.
fn characters(map: &[u8]) -> BTreeMap<u16, char> {
    let text = String::from_utf8_lossy(map);
    let pairs = text.lines().filter_map(|line| {
        let (code, character) = line.strip_prefix('<')?.split_once("> <")?;
        let code = u16::from_str_radix(code, 16).ok()?;
        let character = u32::from_str_radix(character.strip_suffix('>')?, 16).ok()?;
        Some((code, char::from_u32(character)?))
    });
    // The space of codes is written in the same way.
    pairs.filter(|(code, _)| *code != 0).collect()
}

fn figure() -> Figure {
    let mut panel = Panel::new(
        Axis::new("Twist τ (AVATAR)", "rad"),
        Axis::new("Force F_{κ}", "mm/s^2"),
    );
    panel.curves.push(Curve::new(
        "(n = 1) \\ m",
        vec![[0.0, 0.0], [1.0, -1e-7]],
        0,
    ));
    panel
        .curves
        .push(Curve::new("Größe ≈ ∞", vec![[0.0, 1e-7], [1.0, 0.0]], 1));
    Figure {
        title: "Kraft & Würfe".to_owned(),
        ..Figure::new(vec![panel])
    }
}

#[test]
fn fonts_are_embedded_subsets() {
    let bytes = figure().to_pdf().unwrap();
    assert!(bytes.len() < 25_000, "{} bytes", bytes.len());
    let document = Document::of(&bytes);
    let fonts = document.with("/Subtype /Type0");
    assert_eq!(fonts.len(), 2, "regular and semi-bold");
    assert!(document.with("/Subtype /Type1").is_empty());
    for (font, weight) in fonts.iter().zip([Weight::Regular, Weight::SemiBold]) {
        let (of, font) = (Font::of(weight), &font.0);
        let glyphs = &document.follow(font, "/DescendantFonts").0;
        let name = word_after(glyphs, "/BaseFont").strip_prefix('/').unwrap();
        let (tag, whole) = name.split_once('+').unwrap();
        assert!(
            tag.len() == 6 && tag.chars().all(|c| c.is_ascii_uppercase()),
            "{name}"
        );
        assert_eq!(whole, of.name());
        assert!(word_after(font, "/BaseFont").contains(name));
        let descriptor = &document.follow(glyphs, "/FontDescriptor").0;
        let (head, program) = document.follow(descriptor, "/FontFile3");
        assert_eq!(word_after(head, "/Subtype"), "/CIDFontType0C");
        assert!(
            program.len() < of.data().len() / 3,
            "{} bytes",
            program.len()
        );
        // The outlines are those of the font itself.
        let cut = cff::Table::parse(program).unwrap();
        let texts = characters(&document.follow(font, "/ToUnicode").1);
        assert!(texts.len() > 8, "{texts:?}");
        for (code, character) in texts {
            let mut found = Pen::default();
            let _ = cut.outline(GlyphId(code), &mut found);
            let mut wanted = Vec::new();
            let points = std::cell::RefCell::new(&mut wanted);
            let units = cut_units(of);
            of.outline(of.glyph(character), |x, y| {
                points
                    .borrow_mut()
                    .push([x * units, y * units].map(f64::round));
                (x as f32, y as f32)
            });
            assert_eq!(found.points, wanted, "{character}");
        }
    }
}

/// Units of an em of the font.
fn cut_units(of: &Font) -> f64 {
    let face = ttf_parser::Face::parse(of.data(), 0).unwrap();
    f64::from(face.units_per_em())
}

/// Points of an outline in the order in which it is drawn.
#[derive(Default)]
struct Pen {
    points: Vec<[f64; 2]>,
}

impl Pen {
    fn push(&mut self, points: &[f32]) {
        let pairs = points
            .chunks(2)
            .map(|p| [p[0], p[1]].map(|x| f64::from(x).round()));
        self.points.extend(pairs);
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.push(&[x, y]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.push(&[x, y]);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.push(&[x1, y1, x, y]);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.push(&[x1, y1, x2, y2, x, y]);
    }

    fn close(&mut self) {}
}

#[test]
fn the_page_holds_the_lines_of_the_svg() {
    let figure = figure();
    let (svg, bytes) = (figure.to_svg().unwrap(), figure.to_pdf().unwrap());
    assert!(bytes.starts_with(b"%PDF-1.") && bytes.trim_ascii_end().ends_with(b"%%EOF"));
    let document = Document::of(&bytes);
    let page = &document.with("/Type /Page\n")[0].0;
    let (_, sheet) = svg.split_once("viewBox=\"").unwrap();
    let sheet = sheet.split_once('"').unwrap().0;
    assert!(
        page.contains(&format!("/MediaBox [{sheet}]")),
        "{sheet} in {page}"
    );
    let content = &document.follow(page, "/Contents").1;
    let content = String::from_utf8_lossy(content);
    assert_eq!(
        content.matches("\nS\n").count(),
        svg.matches("<polyline").count()
    );
    // Pages have y upwards.
    let height: f64 = sheet.rsplit_once(' ').unwrap().1.parse().unwrap();
    let curve = svg
        .lines()
        .find(|l| l.contains("stroke=\"#0072b2\""))
        .unwrap();
    let (_, points) = curve.split_once("points=\"").unwrap();
    let (x, y) = points.split(' ').next().unwrap().split_once(',').unwrap();
    let y = (100.0 * (height - y.parse::<f64>().unwrap())).round() / 100.0;
    let start = format!("{x} {y} m");
    assert!(content.contains(&start), "{start} in {content}");
    assert_eq!(document.with("/ca 0.85").len(), 1);
}

#[test]
fn text_can_be_searched() {
    let document = Document::of(&figure().to_pdf().unwrap());
    let page = &document.with("/Type /Page\n")[0].0;
    let fonts: BTreeMap<String, BTreeMap<u16, char>> = ["Regular", "SemiBold"]
        .map(|name| {
            let font = &document.follow(page, &format!("/{name}")).0;
            (
                name.to_owned(),
                characters(&document.follow(font, "/ToUnicode").1),
            )
        })
        .into();
    let content = &document.follow(page, "/Contents").1;
    let mut lines = Vec::new();
    let mut font = None;
    let mut words = String::new();
    for line in lines_of(&[content, &b"\n"[..]].concat()) {
        match line {
            Line::Font(name) => font = fonts.get(&name),
            Line::Codes(codes) => {
                let characters = font.unwrap();
                words.extend(codes.iter().map(|code| characters[code]));
            }
            Line::End => lines.push(std::mem::take(&mut words)),
        }
    }
    for label in [
        "Twist τ (AVATAR) (rad)",
        "Force Fκ (10−7 mm/s2)",
        "(n = 1) \\ m",
        "Größe ≈ ∞",
        "Kraft & Würfe",
        "0.0",
    ] {
        assert!(
            lines.iter().any(|line| line == label),
            "{label} in {lines:?}"
        );
    }
}

/// What shows text on a page.
enum Line {
    Font(String),
    Codes(Vec<u16>),
    End,
}

/// Operators `Tf`, `TJ` and `ET` of a page.
fn lines_of(content: &[u8]) -> Vec<Line> {
    let mut found = Vec::new();
    let (mut at, mut codes, mut word, mut name) = (0, Vec::new(), Vec::new(), String::new());
    while at < content.len() {
        match content[at] {
            b'(' => {
                let (bytes, end) = string(content, at + 1);
                codes.extend(bytes.chunks(2).map(|c| u16::from_be_bytes([c[0], c[1]])));
                at = end;
            }
            b'<' => {
                let end = at + content[at..].iter().position(|b| *b == b'>').unwrap();
                let text = std::str::from_utf8(&content[at + 1..end]).unwrap();
                let code = |i| u16::from_str_radix(&text[i..i + 4], 16).unwrap();
                codes.extend((0..text.len()).step_by(4).map(code));
                at = end + 1;
            }
            b if b.is_ascii_whitespace() || matches!(b, b'[' | b']') => {
                match word.as_slice() {
                    b"Tf" => found.push(Line::Font(name.clone())),
                    b"TJ" => found.push(Line::Codes(std::mem::take(&mut codes))),
                    b"ET" => found.push(Line::End),
                    [b'/', rest @ ..] => name = String::from_utf8_lossy(rest).into_owned(),
                    _ => {}
                }
                word.clear();
                at += 1;
            }
            b => {
                word.push(b);
                at += 1;
            }
        }
    }
    found
}

/// Bytes of a string in brackets (PDF 32000-1:2008, 7.3.4.2), and where it ends.
fn string(content: &[u8], mut at: usize) -> (Vec<u8>, usize) {
    let (mut bytes, mut depth) = (Vec::new(), 0);
    loop {
        match content[at] {
            b'\\' => {
                at += 1;
                match content[at] {
                    b'n' => bytes.push(b'\n'),
                    b'r' => bytes.push(b'\r'),
                    b't' => bytes.push(b'\t'),
                    b'b' => bytes.push(8),
                    b'f' => bytes.push(12),
                    b'0'..=b'7' => {
                        let digits = content[at..].iter().take(3);
                        let digits = digits.take_while(|b| (b'0'..=b'7').contains(*b)).count();
                        let text = std::str::from_utf8(&content[at..at + digits]).unwrap();
                        bytes.push(u8::from_str_radix(text, 8).unwrap());
                        at += digits - 1;
                    }
                    other => bytes.push(other),
                }
            }
            b'(' => {
                depth += 1;
                bytes.push(b'(');
            }
            b')' if depth == 0 => return (bytes, at + 1),
            b')' => {
                depth -= 1;
                bytes.push(b')');
            }
            other => bytes.push(other),
        }
        at += 1;
    }
}
