//! Sizes of letters and lines: those of a printed page, and those of a screen seen from afar.

/// Where a figure is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Look {
    /// In a column of a page, held in hand: letters of 8 and 9 points.
    #[default]
    Paper,
    /// On a slide, from the last row: letters and lines twice as large on a panel half as large
    /// again.
    Talk,
}

impl Look {
    /// Width and height of a panel, unless one is given, points.
    pub fn panel_size(self) -> [f64; 2] {
        match self {
            Self::Paper => [330.0, 240.0],
            Self::Talk => [470.0, 320.0],
        }
    }

    pub(crate) fn theme(self) -> Theme {
        match self {
            Self::Paper => Theme {
                small: 8.0,
                label: 9.0,
                title: 10.0,
                curve: 1.3,
                axis: 0.7,
                grid: 0.5,
                ticks: [4.0, 2.2],
                gap: 4.0,
                marker: 2.1,
                label_every: [52.0, 32.0],
            },
            Self::Talk => Theme {
                small: 15.0,
                label: 17.0,
                title: 19.0,
                curve: 2.8,
                axis: 1.3,
                grid: 1.0,
                ticks: [7.0, 4.0],
                gap: 7.0,
                marker: 4.4,
                label_every: [100.0, 62.0],
            },
        }
    }
}

/// Sizes, points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Theme {
    /// Letters of numbers and of names of curves.
    pub small: f64,
    /// Letters of names of axes.
    pub label: f64,
    /// Letters of titles.
    pub title: f64,
    /// Widths of lines.
    pub curve: f64,
    pub axis: f64,
    pub grid: f64,
    /// Lengths of ticks with and without a label.
    pub ticks: [f64; 2],
    /// Space between parts.
    pub gap: f64,
    /// Radius of a marker.
    pub marker: f64,
    /// Length of the horizontal and the vertical axis for each label.
    pub label_every: [f64; 2],
}
