//! Where the parts of a contact sheet are.

use writhe_lettering::{Weight, width};

use super::{ContactSheet, SheetScaleBar};
use crate::error::RenderError;
use crate::legend::Legend;
use crate::scale::ScaleBar;
use crate::text::text_width;

/// Longest automatic scale bar, as a part of the width of a cell, and in letters.
const BAR_PART: f64 = 0.75;
const BAR_LETTERS: f64 = 14.0;

/// Between cells, in letters; above the labels of a row, too.
const GAP: f64 = 0.7;
const ABOVE_HEAD: f64 = 1.4;

/// Where everything is, pixels.
pub(crate) struct Layout {
    /// Empty space around everything.
    pub outer: f64,
    /// Between columns.
    pub gap: f64,
    /// Between a row and the next, with its labels.
    pub row_gap: f64,
    pub cell: (f64, f64),
    pub columns: usize,
    /// Of each row.
    heights: Vec<f64>,
    pub title_size: f64,
    pub grid_left: f64,
    pub grid_top: f64,
    /// Height of the labels above the cells of each row.
    pub row_head: f64,
    /// Height of the legends below the grid.
    pub footer: f64,
    pub width: f64,
    pub legend: Legend,
}

impl Layout {
    pub fn new(
        sheet: &ContactSheet,
        columns: usize,
        cell: (u32, u32),
        heights: Vec<u32>,
        picture_height: f64,
    ) -> Self {
        let size = sheet.options.text_size;
        let cell = (f64::from(cell.0), f64::from(cell.1));
        let row_heads = sheet.rows.iter().any(|row| !row.frame_labels.is_empty());
        // What stands above a picture must be nearer to it than to the one before.
        let apart = if row_heads { ABOVE_HEAD } else { GAP };
        let (outer, gap, title_size) = ((1.3 * size).round(), (GAP * size).round(), 1.3 * size);
        let widest = sheet
            .rows
            .iter()
            .map(|row| text_width(&row.label, size))
            .fold(0.0, f64::max);
        let grid_left = outer
            + if widest > 0.0 {
                (widest + 1.1 * size).ceil()
            } else {
                0.0
            };
        let title = if sheet.title.is_empty() {
            0.0
        } else {
            1.5 * title_size
        };
        let labels = if sheet.column_labels.is_empty() {
            0.0
        } else {
            1.6 * size
        };
        let pixels_per_length = cell.1 / picture_height;
        let scale_bar = match &sheet.options.scale_bar {
            SheetScaleBar::Off => None,
            SheetScaleBar::Given(bar) => Some(bar.clone()),
            SheetScaleBar::Auto => {
                let pixels = (BAR_PART * cell.0).min(BAR_LETTERS * size);
                ScaleBar::at_most(pixels / pixels_per_length)
            }
        };
        let grid_width = columns as f64 * (cell.0 + gap) - gap;
        let title_width = 2.0 * outer + width(&sheet.title, title_size, Weight::SemiBold);
        let width = (grid_left + grid_width + outer).max(title_width).ceil();
        let legend = Legend {
            scale_bar: scale_bar.map(|bar| {
                let pixels = pixels_per_length * bar.length;
                (bar, pixels)
            }),
            ..sheet.options.legend.clone()
        };
        let footer = match legend.height(width - outer - grid_left, size) {
            0.0 => 0.0,
            height => height + (0.3 * size).round(),
        };
        Self {
            outer,
            gap,
            row_gap: (apart * size).round(),
            cell,
            columns,
            heights: heights.into_iter().map(f64::from).collect(),
            title_size,
            grid_left,
            grid_top: (outer + title + labels).round(),
            row_head: if row_heads { (1.6 * size).round() } else { 0.0 },
            footer,
            width,
            legend,
        }
    }

    pub fn left(&self, column: usize) -> f64 {
        self.grid_left + column.min(self.columns) as f64 * (self.cell.0 + self.gap)
    }

    pub fn height_of(&self, row: usize) -> f64 {
        self.heights.get(row).copied().unwrap_or(self.cell.1)
    }

    pub fn top(&self, row: usize) -> f64 {
        let above = self.heights.iter().take(row);
        let above = above.map(|height| height + self.row_gap + self.row_head);
        self.grid_top + self.row_head + above.sum::<f64>()
    }

    pub fn grid_bottom(&self) -> f64 {
        self.top(self.heights.len()) - self.row_gap - self.row_head
    }

    pub fn width(&self) -> Result<u32, RenderError> {
        self.pixels(self.width)
    }

    pub fn height(&self) -> Result<u32, RenderError> {
        self.pixels(self.grid_bottom() + self.footer + self.outer)
    }

    fn pixels(&self, length: f64) -> Result<u32, RenderError> {
        if length <= 65_536.0 {
            return Ok(length.ceil() as u32);
        }
        Err(RenderError::ImageSize {
            width: self.width as u64,
            height: (self.grid_bottom() + self.footer) as u64,
        })
    }
}
