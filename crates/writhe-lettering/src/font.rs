//! The font: Inter (SIL Open Font License, `fonts/OFL.txt`) in two weights.

use std::sync::OnceLock;

use tiny_skia::{Path, PathBuilder};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

use crate::kerning::Kerning;

/// How broad the strokes of letters are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Weight {
    /// For text.
    Regular,
    /// For what stands out.
    SemiBold,
}

/// A weight of the font, read.
pub struct Font {
    face: Face<'static>,
    data: &'static [u8],
    kerning: Kerning<'static>,
    name: &'static str,
}

static REGULAR: &[u8] = include_bytes!("../fonts/Inter-Regular.otf");
static SEMI_BOLD: &[u8] = include_bytes!("../fonts/Inter-SemiBold.otf");

impl Font {
    /// The font in this weight.
    pub fn of(weight: Weight) -> &'static Self {
        static FONTS: [OnceLock<Font>; 2] = [OnceLock::new(), OnceLock::new()];
        let (slot, data, name) = match weight {
            Weight::Regular => (&FONTS[0], REGULAR, "Inter-Regular"),
            Weight::SemiBold => (&FONTS[1], SEMI_BOLD, "Inter-SemiBold"),
        };
        slot.get_or_init(|| Self::read(data, name))
    }

    #[expect(
        clippy::expect_used,
        reason = "the file is compiled in, and tests read it"
    )]
    fn read(data: &'static [u8], name: &'static str) -> Self {
        let face = Face::parse(data, 0).expect("the font that is compiled in can be read");
        Self {
            kerning: Kerning::of(&face),
            face,
            data,
            name,
        }
    }

    /// The bytes of the font file (OpenType with CFF outlines).
    pub fn data(&self) -> &'static [u8] {
        self.data
    }

    /// The PostScript name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The glyph of a character; that of what is missing, a box, for those that the font lacks.
    pub fn glyph(&self, character: char) -> u16 {
        self.face.glyph_index(character).map_or(0, |glyph| glyph.0)
    }

    /// Way from a glyph to the next, ems.
    pub fn advance(&self, glyph: u16) -> f64 {
        let advance = self.face.glyph_hor_advance(GlyphId(glyph));
        self.ems(advance.unwrap_or_default())
    }

    /// By how much the way between two glyphs is longer than the advance of the first, ems.
    pub fn kerning(&self, left: u16, right: u16) -> f64 {
        self.ems(self.kerning.between(GlyphId(left), GlyphId(right)))
    }

    /// Height of capitals, ems.
    pub fn cap_height(&self) -> f64 {
        self.ems(self.face.capital_height().unwrap_or_default())
    }

    /// Height of small letters, ems.
    pub fn x_height(&self) -> f64 {
        self.ems(self.face.x_height().unwrap_or_default())
    }

    /// Highest and lowest point of a line of text, ems.
    pub fn extent(&self) -> [f64; 2] {
        [
            self.ems(self.face.ascender()),
            self.ems(self.face.descender()),
        ]
    }

    /// Least x, least y, greatest x and greatest y of all glyphs, ems.
    pub fn bounds(&self) -> [f64; 4] {
        let all = self.face.global_bounding_box();
        [all.x_min, all.y_min, all.x_max, all.y_max].map(|x| self.ems(x))
    }

    /// The outline of a glyph, ems with y upwards, its points moved by `map`; `None` for spaces.
    pub fn outline(&self, glyph: u16, map: impl Fn(f64, f64) -> (f32, f32)) -> Option<Path> {
        let mut pen = Pen {
            path: PathBuilder::new(),
            map: |x, y| map(self.ems(x), self.ems(y)),
        };
        self.face.outline_glyph(GlyphId(glyph), &mut pen)?;
        pen.path.finish()
    }

    /// Units of the font as ems.
    fn ems(&self, units: impl Into<f64>) -> f64 {
        units.into() / f64::from(self.face.units_per_em())
    }
}

/// Takes outlines in units of the font.
struct Pen<F> {
    path: PathBuilder,
    map: F,
}

impl<F: Fn(f32, f32) -> (f32, f32)> OutlineBuilder for Pen<F> {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = (self.map)(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = (self.map)(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = ((self.map)(x1, y1), (self.map)(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2)) = ((self.map)(x1, y1), (self.map)(x2, y2));
        let (x, y) = (self.map)(x, y);
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
