//! A font cut down to the letters that a document has, with what turns its codes into text again.

use std::collections::BTreeMap;

use miniz_oxide::deflate::compress_to_vec_zlib;
use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, Str};
use subsetter::GlyphRemapper;
use ttf_parser::{RawFace, Tag};
use writhe_lettering::{Font, Weight};

use super::PACKED;
use crate::error::PlotError;

/// Codes of two bytes that are glyphs of the font in the document.
const CODES: &str = "Identity-H";
const IDENTITY: SystemInfo<'static> = SystemInfo {
    registry: Str(b"Adobe"),
    ordering: Str(b"Identity"),
    supplement: 0,
};

/// A weight of the font in a document.
pub(crate) struct Embedded {
    weight: Weight,
    glyphs: GlyphRemapper,
    /// Codes, with the glyph of the whole font and the character that each shows.
    codes: BTreeMap<u16, (u16, char)>,
}

impl Embedded {
    /// Without letters.
    pub fn new(weight: Weight) -> Self {
        Self {
            weight,
            glyphs: GlyphRemapper::new(),
            codes: BTreeMap::new(),
        }
    }

    /// Whether the document has letters of it.
    pub fn is_used(&self) -> bool {
        !self.codes.is_empty()
    }

    /// What the page calls it.
    pub fn resource(&self) -> Name<'static> {
        match self.weight {
            Weight::Regular => Name(b"Regular"),
            Weight::SemiBold => Name(b"SemiBold"),
        }
    }

    /// The code of a glyph that shows a character.
    pub fn code(&mut self, glyph: u16, character: char) -> [u8; 2] {
        let code = self.glyphs.remap(glyph);
        self.codes.entry(code).or_insert((glyph, character));
        code.to_be_bytes()
    }

    /// Writes the font as these objects: font, glyphs, descriptor, program, and codes as text.
    ///
    /// # Errors
    /// When the font cannot be cut down.
    pub fn write(
        &self,
        pdf: &mut Pdf,
        [font, glyphs, descriptor, program, text]: [Ref; 5],
    ) -> Result<(), PlotError> {
        let of = Font::of(self.weight);
        let name = format!("{}+{}", self.tag(), of.name());
        let whole = format!("{name}-{CODES}");
        pdf.type0_font(font)
            .base_font(Name(whole.as_bytes()))
            .encoding_predefined(Name(CODES.as_bytes()))
            .descendant_font(glyphs)
            .to_unicode(text);
        let mut letters = pdf.cid_font(glyphs);
        letters
            .subtype(CidFontType::Type0)
            .base_font(Name(name.as_bytes()))
            .system_info(IDENTITY)
            .font_descriptor(descriptor)
            .default_width(0.0);
        let mut widths = letters.widths();
        for (code, (glyph, _)) in &self.codes {
            widths.consecutive(*code, [thousandths(of.advance(*glyph))]);
        }
        widths.finish();
        letters.finish();
        let [x0, y0, x1, y1] = of.bounds().map(thousandths);
        let [ascent, descent] = of.extent().map(thousandths);
        pdf.font_descriptor(descriptor)
            .name(Name(name.as_bytes()))
            .flags(FontFlags::SYMBOLIC)
            .bbox(Rect::new(x0, y0, x1, y1))
            .italic_angle(0.0)
            .ascent(ascent)
            .descent(descent)
            .cap_height(thousandths(of.cap_height()))
            .stem_v(match self.weight {
                Weight::Regular => 80.0,
                Weight::SemiBold => 130.0,
            })
            .font_file3(program);
        let packed = compress_to_vec_zlib(&self.program()?, PACKED);
        pdf.stream(program, &packed)
            .filter(Filter::FlateDecode)
            .pair(Name(b"Subtype"), Name(b"CIDFontType0C"));
        let mut characters = UnicodeCmap::new(Name(b"Characters"), IDENTITY);
        for (code, (_, character)) in &self.codes {
            characters.pair(*code, *character);
        }
        pdf.cmap(text, &characters.finish());
        Ok(())
    }

    /// The glyphs as a bare CFF font, numbered as the codes are.
    fn program(&self) -> Result<Vec<u8>, PlotError> {
        let failed = |reason: String| PlotError::Font { reason };
        let file = subsetter::subset(Font::of(self.weight).data(), 0, &self.glyphs)
            .map_err(|error| failed(error.to_string()))?;
        let tables = RawFace::parse(&file, 0).map_err(|error| failed(error.to_string()))?;
        let table = tables.table(Tag::from_bytes(b"CFF "));
        let table = table.ok_or_else(|| failed("it has no CFF outlines".to_owned()))?;
        Ok(table.to_vec())
    }

    /// Six capitals that tell this selection of glyphs from others (PDF 32000-1:2008, 9.6.4).
    fn tag(&self) -> String {
        // FNV-1a.
        let glyphs = self
            .codes
            .values()
            .flat_map(|(glyph, _)| glyph.to_be_bytes());
        let hash = glyphs.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let letter = |i: u32| char::from(b'A' + (hash / 26_u64.pow(i) % 26) as u8);
        (0..6).map(letter).collect()
    }
}

fn thousandths(ems: f64) -> f32 {
    (ems * 1e3).round() as f32
}
