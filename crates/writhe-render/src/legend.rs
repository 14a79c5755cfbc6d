//! What is written below a picture: when it is, what colours and arrows mean, how long things are.

use crate::color::Color;
use crate::image::Image;
use crate::scale::{ColorBar, ScaleBar, label_style};
use crate::text::{Anchor, TextStyle, text_width};

/// Height of a row, em.
const ROW: f64 = 2.3;
/// Room between two things in a row, em.
const BETWEEN: f64 = 1.8;
/// Length of a bar of colours, em, if the values at its ends fit below it; of an arrow.
const BAR: f64 = 8.0;
const ARROW: f64 = 2.2;

/// What is written below a picture, from left to right; in as many rows as that takes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Legend {
    /// When the picture is, or what it shows; may be empty.
    pub label: String,
    /// What its colours mean.
    pub color_bar: Option<ColorBar>,
    /// What one colour means each.
    pub colors: Vec<(Color, String)>,
    /// What arrows mean, and their colour.
    pub arrow: Option<(Color, String)>,
    /// A known length, on the right, and the pixels it takes.
    pub scale_bar: Option<(ScaleBar, f64)>,
}

/// A thing in the legend.
enum Item<'a> {
    Label(&'a str),
    Bar(&'a ColorBar),
    Color(Color, &'a str),
    Arrow(Color, &'a str),
    Scale(&'a ScaleBar, f64),
}

impl Item<'_> {
    /// Width, pixels, with letters of `size` pixels an em.
    fn width(&self, size: f64) -> f64 {
        match self {
            Self::Label(text) => text_width(text, size),
            Self::Bar(bar) => {
                bar.length(BAR, size) + 0.7 * size + text_width(&bar.labels().1, size)
            }
            Self::Color(_, text) => 1.3 * size + text_width(text, size),
            Self::Arrow(_, text) => (ARROW + 0.7) * size + text_width(text, size),
            Self::Scale(bar, pixels) => bar.width(*pixels, size),
        }
    }

    /// Draws the thing in a row whose top is at `y`, with its left end at `x`.
    fn draw(&self, image: &mut Image, x: f64, y: f64, style: TextStyle) {
        let size = style.size;
        let base = y + 1.15 * size;
        match self {
            Self::Label(text) => image.draw_text(text, x, base, Anchor::Left, style),
            Self::Bar(bar) => {
                bar.draw(image, x, y + 0.5 * size, bar.length(BAR, size), style);
            }
            Self::Color(color, text) => {
                let side = 0.75 * size;
                image.fill_box(x.round(), (base - side).round(), side, side, *color);
                image.draw_text(text, x + 1.3 * size, base, Anchor::Left, style);
            }
            Self::Arrow(color, text) => {
                let (middle, end) = (base - 0.35 * size, x + ARROW * size);
                let neck = end - 0.8 * size;
                image.draw_line((x, middle), (neck, middle), 0.2 * size, *color);
                let head = [
                    (neck, middle - 0.4 * size),
                    (end, middle),
                    (neck, middle + 0.4 * size),
                ];
                fill_triangle(image, head, *color);
                image.draw_text(text, end + 0.7 * size, base, Anchor::Left, style);
            }
            Self::Scale(bar, pixels) => {
                let overhang = 0.5 * (bar.width(*pixels, size) - pixels);
                bar.draw(
                    image,
                    x + overhang + pixels,
                    y + 0.35 * size,
                    *pixels,
                    style,
                );
            }
        }
    }
}

impl Legend {
    /// Whether nothing is written.
    pub fn is_empty(&self) -> bool {
        self.items().is_empty()
    }

    /// Height, pixels, in a picture of this width, with letters of `size` pixels an em.
    pub fn height(&self, width: f64, size: f64) -> f64 {
        (self.rows(width, size).len() as f64 * ROW * size).round()
    }

    /// Writes the legend into the strip of the image that begins at `(left, top)` and has this
    /// `width`, pixels, with letters of `size` pixels an em in the colour `ink`.
    pub fn draw(
        &self,
        image: &mut Image,
        (left, top): (f64, f64),
        width: f64,
        size: f64,
        ink: Color,
    ) {
        let style = label_style(size, ink);
        for (number, row) in self.rows(width, size).iter().enumerate() {
            let y = top + number as f64 * ROW * size;
            let mut x = left;
            for item in row {
                let own = item.width(size);
                let at = match item {
                    Item::Scale(..) => left + width - own,
                    _ => x,
                };
                item.draw(image, at, y, style);
                x += own + BETWEEN * size;
            }
        }
    }

    fn items(&self) -> Vec<Item<'_>> {
        let label = Some(self.label.as_str()).filter(|label| !label.is_empty());
        let colors = self.colors.iter();
        let mut items: Vec<Item<'_>> = label.map(Item::Label).into_iter().collect();
        items.extend(self.color_bar.as_ref().map(Item::Bar));
        items.extend(colors.map(|(color, text)| Item::Color(*color, text)));
        let arrow = self.arrow.as_ref();
        items.extend(arrow.map(|(color, text)| Item::Arrow(*color, text)));
        let scale = self.scale_bar.as_ref();
        items.extend(scale.map(|(bar, pixels)| Item::Scale(bar, *pixels)));
        items
    }

    /// The things in rows that are not wider than `width`, but for what is wider by itself.
    fn rows(&self, width: f64, size: f64) -> Vec<Vec<Item<'_>>> {
        let mut rows: Vec<Vec<Item<'_>>> = Vec::new();
        let mut used = 0.0;
        for item in self.items() {
            let own = item.width(size);
            match rows.last_mut() {
                Some(row) if used + own <= width => row.push(item),
                _ => {
                    rows.push(vec![item]);
                    used = 0.0;
                }
            }
            used += own + BETWEEN * size;
        }
        rows
    }
}

/// Fills a triangle given by its corners, pixels.
fn fill_triangle(image: &mut Image, [a, b, c]: [(f64, f64); 3], color: Color) {
    /// Samples of a pixel in each direction.
    const SIDE: i64 = 4;
    let area = |p: (f64, f64), q: (f64, f64), r: (f64, f64)| {
        (q.0 - p.0) * (r.1 - p.1) - (q.1 - p.1) * (r.0 - p.0)
    };
    let inside = |p: (f64, f64)| {
        let signs = [area(a, b, p), area(b, c, p), area(c, a, p)];
        signs.iter().all(|s| *s >= 0.0) || signs.iter().all(|s| *s <= 0.0)
    };
    let range = |[p, q, r]: [f64; 3]| p.min(q).min(r).floor() as i64..=p.max(q).max(r) as i64;
    for y in range([a.1, b.1, c.1]) {
        for x in range([a.0, b.0, c.0]) {
            let part = |i: i64| (i as f64 + 0.5) / SIDE as f64;
            let samples = (0..SIDE * SIDE).map(|i| (part(i % SIDE), part(i / SIDE)));
            let covered = samples.filter(|(dx, dy)| inside((x as f64 + dx, y as f64 + dy)));
            let alpha = covered.count() as f64 / (SIDE * SIDE) as f64;
            image.blend(x, y, color, alpha);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::palette::ColorMap;

    fn legend() -> Legend {
        Legend {
            label: "t = 1 s".into(),
            color_bar: Some(ColorBar {
                map: ColorMap::Sequential,
                range: (0.0, 1.0),
                label: "curvature".into(),
                unit: "1/m".into(),
            }),
            colors: vec![(Color::BLACK, "rod 0".into())],
            arrow: Some((Color::BLACK, "contact force up to 1 N".into())),
            scale_bar: Some((ScaleBar::metres(0.1), 80.0)),
        }
    }

    #[test]
    fn what_does_not_fit_in_a_row_goes_to_the_next() {
        let size = 10.0;
        assert_eq!(legend().height(1000.0, size), 23.0);
        assert!(legend().height(300.0, size) > 40.0);
        assert_eq!(Legend::default().height(300.0, size), 0.0);
        // Something that is too wide by itself has a row of its own.
        assert_eq!(legend().rows(1.0, size).len(), 5);
    }

    #[test]
    fn each_thing_leaves_ink_within_its_strip() {
        let (width, size) = (400.0, 12.0);
        let bare = Image::new(420, 200, Some(Color::WHITE)).unwrap();
        let mut drawn = bare.clone();
        let all = legend();
        all.draw(&mut drawn, (10.0, 20.0), width, size, Color::BLACK);
        let height = all.height(width, size) as usize;
        let rows = drawn.as_bytes().chunks_exact(4 * 420).enumerate();
        for (y, row) in rows {
            let inside = (20..20 + height + 2).contains(&y);
            assert!(inside || row.iter().all(|b| *b == 255), "row {y}");
        }
        for without in [
            Legend {
                label: String::new(),
                ..all.clone()
            },
            Legend {
                arrow: None,
                ..all.clone()
            },
            Legend {
                scale_bar: None,
                ..all.clone()
            },
        ] {
            let mut less = bare.clone();
            without.draw(&mut less, (10.0, 20.0), width, size, Color::BLACK);
            assert_ne!(less, drawn);
        }
    }
}
