//! Where curves are drawn.

/// The box of the axes: left, top, right, bottom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Frame {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Frame {
    /// The point of the sheet at these parts of width and height, from the lower left corner.
    pub fn at(&self, x: f64, y: f64) -> [f64; 2] {
        [
            self.left + x * (self.right - self.left),
            self.bottom + y * (self.top - self.bottom),
        ]
    }
}
