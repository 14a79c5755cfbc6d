//! What of the axes curves cover, to find room for a legend.

use crate::frame::Frame;

/// Side of a cell, points.
const CELL: f64 = 2.0;

/// A frame in cells, with the number of covered ones from the top left corner up to each.
pub(crate) struct Cover {
    frame: Frame,
    columns: usize,
    rows: usize,
    /// Row by row, one more each way than there are cells.
    sums: Vec<u32>,
}

impl Cover {
    /// Cells that these lines and discs of this radius go through.
    pub fn new<'a>(
        frame: &Frame,
        lines: impl Iterator<Item = &'a [[f64; 2]]>,
        spots: impl Iterator<Item = [f64; 2]>,
        radius: f64,
    ) -> Self {
        let count = |length: f64| (length / CELL).ceil().max(1.0) as usize;
        let columns = count(frame.right - frame.left);
        let rows = count(frame.bottom - frame.top);
        let mut cells = vec![false; columns * rows];
        let mut put = |[x, y]: [f64; 2]| {
            let (i, j) = ((x - frame.left) / CELL, (y - frame.top) / CELL);
            if (0.0..columns as f64).contains(&i) && (0.0..rows as f64).contains(&j) {
                cells[j as usize * columns + i as usize] = true;
            }
        };
        for pair in lines.flat_map(|line| line.windows(2)) {
            let (a, d) = (pair[0], [pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]]);
            // Lines are cut at the frame, so that this ends.
            let samples = (2.0 * d[0].hypot(d[1]) / CELL).ceil().clamp(1.0, 1e5);
            for k in 0..=samples as usize {
                let t = k as f64 / samples;
                put([a[0] + t * d[0], a[1] + t * d[1]]);
            }
        }
        for [x, y] in spots {
            for dx in [-radius, 0.0, radius] {
                for dy in [-radius, 0.0, radius] {
                    put([x + dx, y + dy]);
                }
            }
        }
        let mut sums = vec![0; (columns + 1) * (rows + 1)];
        for j in 0..rows {
            let mut row = 0;
            for i in 0..columns {
                row += u32::from(cells[j * columns + i]);
                let above = sums[j * (columns + 1) + i + 1];
                sums[(j + 1) * (columns + 1) + i + 1] = above + row;
            }
        }
        Self {
            frame: *frame,
            columns,
            rows,
            sums,
        }
    }

    /// Covered cells in a box: corner and size.
    pub fn within(&self, at: [f64; 2], size: [f64; 2]) -> u32 {
        let cell = |x: f64, most: usize| (x / CELL).clamp(0.0, most as f64);
        let left = cell(at[0] - self.frame.left, self.columns).floor() as usize;
        let right = cell(at[0] + size[0] - self.frame.left, self.columns).ceil() as usize;
        let top = cell(at[1] - self.frame.top, self.rows).floor() as usize;
        let bottom = cell(at[1] + size[1] - self.frame.top, self.rows).ceil() as usize;
        let sum = |i: usize, j: usize| self.sums[j * (self.columns + 1) + i];
        sum(right, bottom) + sum(left, top) - sum(left, bottom) - sum(right, top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_covers_the_cells_that_it_goes_through() {
        let frame = Frame {
            left: 10.0,
            top: 20.0,
            right: 110.0,
            bottom: 80.0,
        };
        let line: &[[f64; 2]] = &[[10.0, 51.0], [110.0, 51.0]];
        let cover = Cover::new(&frame, [line].into_iter(), [[30.5, 30.5]].into_iter(), 0.5);
        assert_eq!(cover.within([10.0, 20.0], [100.0, 60.0]), 51);
        assert_eq!(cover.within([10.0, 20.0], [100.0, 30.0]), 1);
        assert_eq!(cover.within([40.0, 50.0], [20.0, 2.0]), 10);
        assert_eq!(cover.within([10.0, 52.0], [100.0, 28.0]), 0);
    }
}
