//! A panel with its axes and curves in their places on the sheet.

use crate::cover::Cover;
use crate::figure::Panel;
use crate::frame::Frame;
use crate::theme::Theme;
use crate::ticks::Ruler;

/// A panel in its place.
pub(crate) struct Plan<'a> {
    pub panel: &'a Panel,
    pub x: Ruler,
    pub y: Ruler,
    pub frame: Frame,
    /// Corner and size of the panel with its labels.
    pub cell: [f64; 4],
    /// The curves on the sheet: lines, and where marks stand.
    pub curves: Vec<Drawn>,
}

/// Lines of a curve, and where its marks stand.
pub(crate) type Drawn = (Vec<Vec<[f64; 2]>>, Vec<[f64; 2]>);

impl Plan<'_> {
    /// What the curves cover of the axes.
    pub fn cover(&self, theme: &Theme) -> Cover {
        let lines = self.curves.iter().flat_map(|(lines, _)| lines);
        let spots = self.curves.iter().flat_map(|(_, spots)| spots);
        Cover::new(
            &self.frame,
            lines.map(Vec::as_slice),
            spots.copied(),
            theme.marker,
        )
    }
}
