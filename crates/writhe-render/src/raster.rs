//! Which triangle is seen at which sample.

use glam::DVec3;
use rayon::prelude::*;

use crate::view::View;

/// Rows of samples that one task works on.
const BAND: usize = 32;
/// Part of the area of a triangle by which an edge may be missed, so that neighbours leave no gap.
const EDGE_SLACK: f64 = 1e-9;

/// The nearest surface at every sample.
#[derive(Debug)]
pub(crate) struct Visible {
    pub width: usize,
    pub height: usize,
    /// Depth in view coordinates, scene length; infinite where nothing is seen.
    pub depth: Vec<f32>,
    /// Index of the triangle, [`Visible::NOTHING`] or [`Visible::FLOOR`].
    pub id: Vec<u32>,
}

impl Visible {
    /// Nothing is seen here.
    pub const NOTHING: u32 = u32::MAX;
    /// The floor is seen here.
    pub const FLOOR: u32 = u32::MAX - 1;

    /// Depth at a sample; infinite outside.
    pub fn depth_at(&self, x: i64, y: i64) -> f64 {
        match (usize::try_from(x), usize::try_from(y)) {
            (Ok(x), Ok(y)) if x < self.width && y < self.height => {
                f64::from(self.depth[y * self.width + x])
            }
            _ => f64::INFINITY,
        }
    }
}

/// A corner on the raster.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Corner {
    pub x: f64,
    pub y: f64,
    /// Linear on the raster: depth, or one over depth in perspective.
    pub key: f64,
    /// Depth in view coordinates, scene length.
    pub depth: f64,
}

impl Corner {
    pub fn new(view: View, point: DVec3) -> Self {
        let v = view.to_view(point);
        let (x, y) = view.project(v);
        Self {
            x,
            y,
            key: if view.perspective { 1.0 / v.z } else { v.z },
            depth: v.z,
        }
    }
}

/// Weights of the three corners of a triangle at a place of the raster, linear on the raster (not
/// in space). They are proportional to the areas opposite to the corners and sum to one; `None` for
/// a triangle seen edge-on.
pub(crate) fn weights(corners: [Corner; 3], x: f64, y: f64) -> Option<[f64; 3]> {
    let [a, b, c] = corners;
    let area = doubled_area(a, b, c.x, c.y);
    let w = [
        doubled_area(b, c, x, y) / area,
        doubled_area(c, a, x, y) / area,
        doubled_area(a, b, x, y) / area,
    ];
    (area != 0.0 && w.iter().all(|w| w.is_finite())).then_some(w)
}

/// Draws triangles into a raster of `width` times `height` samples. `floor_depth` gives the depth
/// of the floor at the middle of a sample, if it is seen there. At equal depth the first triangle
/// wins.
pub(crate) fn rasterise(
    view: View,
    corners: &[Corner],
    triangles: &[[u32; 3]],
    (width, height): (usize, usize),
    floor_depth: impl Fn(f64, f64) -> Option<f64> + Sync,
) -> Visible {
    let mut visible = Visible {
        width,
        height,
        depth: vec![f32::INFINITY; width * height],
        id: vec![Visible::NOTHING; width * height],
    };
    let bins = bin(view, corners, triangles, width, height);
    visible
        .depth
        .par_chunks_mut(BAND * width)
        .zip(visible.id.par_chunks_mut(BAND * width))
        .zip(&bins)
        .enumerate()
        .for_each(|(index, ((depth, id), bin))| {
            let mut band = Band {
                first_row: index * BAND,
                width,
                perspective: view.perspective,
                depth,
                id,
            };
            band.draw_floor(&floor_depth);
            for &triangle in bin {
                band.draw(
                    triangle,
                    triangles[triangle as usize].map(|v| corners[v as usize]),
                );
            }
        });
    visible
}

/// Triangles that touch each band, in order. Triangles that reach before the near plane are left
/// out.
fn bin(
    view: View,
    corners: &[Corner],
    triangles: &[[u32; 3]],
    width: usize,
    height: usize,
) -> Vec<Vec<u32>> {
    let mut bins = vec![Vec::new(); height.div_ceil(BAND)];
    for (index, triangle) in triangles.iter().enumerate() {
        let t = triangle.map(|v| corners[v as usize]);
        let usable = t
            .iter()
            .all(|c| c.depth > view.near && c.x.is_finite() && c.y.is_finite());
        if !usable || samples(t.map(|c| c.x), 0, width).is_empty() {
            continue;
        }
        let rows = samples(t.map(|c| c.y), 0, height);
        if !rows.is_empty() {
            for bin in &mut bins[rows.start / BAND..=(rows.end - 1) / BAND] {
                bin.push(index as u32);
            }
        }
    }
    bins
}

/// Samples from `first` to `end` whose middles lie between the smallest and the largest of three
/// coordinates.
fn samples(coordinates: [f64; 3], first: usize, end: usize) -> std::ops::Range<usize> {
    let [a, b, c] = coordinates;
    let low = (a.min(b).min(c) - 0.5)
        .ceil()
        .clamp(first as f64, end as f64);
    let high = (a.max(b).max(c) - 0.5)
        .floor()
        .clamp(first as f64 - 1.0, end as f64 - 1.0);
    low as usize..(high + 1.0) as usize
}

/// Some rows of the raster.
struct Band<'a> {
    first_row: usize,
    width: usize,
    perspective: bool,
    depth: &'a mut [f32],
    id: &'a mut [u32],
}

impl Band<'_> {
    fn draw_floor(&mut self, floor_depth: &impl Fn(f64, f64) -> Option<f64>) {
        for (i, (depth, id)) in self.depth.iter_mut().zip(self.id.iter_mut()).enumerate() {
            let (x, y) = (i % self.width, self.first_row + i / self.width);
            if let Some(found) = floor_depth(x as f64 + 0.5, y as f64 + 0.5) {
                (*depth, *id) = (found as f32, Visible::FLOOR);
            }
        }
    }

    fn draw(&mut self, triangle: u32, [a, mut b, mut c]: [Corner; 3]) {
        let mut area = doubled_area(a, b, c.x, c.y);
        if area < 0.0 {
            (b, c, area) = (c, b, -area);
        }
        if area == 0.0 {
            return;
        }
        let last_row = self.first_row + self.depth.len() / self.width;
        let columns = samples([a.x, b.x, c.x], 0, self.width);
        let slack = -EDGE_SLACK * area;
        let step = [b.y - c.y, c.y - a.y, a.y - b.y];
        let keys = [a.key / area, b.key / area, c.key / area];
        for row in samples([a.y, b.y, c.y], self.first_row, last_row) {
            let (x, y) = (columns.start as f64 + 0.5, row as f64 + 0.5);
            let left = [
                doubled_area(b, c, x, y),
                doubled_area(c, a, x, y),
                doubled_area(a, b, x, y),
            ];
            let Some((from, to)) = span(left, step, slack, columns.len()) else {
                continue;
            };
            let row_start = (row - self.first_row) * self.width + columns.start;
            for i in from..to {
                let w: [f64; 3] = std::array::from_fn(|k| left[k] + step[k] * i as f64);
                if w[0] >= slack && w[1] >= slack && w[2] >= slack {
                    let key = w[0] * keys[0] + w[1] * keys[1] + w[2] * keys[2];
                    let depth = if self.perspective { 1.0 / key } else { key } as f32;
                    let at = row_start + i;
                    if depth < self.depth[at] {
                        self.depth[at] = depth;
                        self.id[at] = triangle;
                    }
                }
            }
        }
    }
}

/// Samples of a row, of `count`, where all three weights may be at least `slack`, from `left` in
/// steps of `step`; wider by up to one sample on both sides, `None` where there are none.
fn span(left: [f64; 3], step: [f64; 3], slack: f64, count: usize) -> Option<(usize, usize)> {
    let (mut from, mut to) = (0.0_f64, count as f64);
    for (w, step) in left.into_iter().zip(step) {
        let zero = (slack - w) / step;
        if step > 0.0 {
            from = from.max(zero.floor());
        } else if step < 0.0 {
            to = to.min(zero.ceil() + 1.0);
        } else if w < slack {
            return None;
        }
    }
    (from < to).then_some((from as usize, to as usize))
}

/// Twice the signed area of the triangle `a`, `b`, `(x, y)`.
fn doubled_area(a: Corner, b: Corner, x: f64, y: f64) -> f64 {
    (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_those_with_the_middle_inside() {
        assert_eq!(samples([0.4, 2.6, 1.0], 0, 10), 0..3);
        assert_eq!(samples([0.6, 1.4, 1.0], 0, 10), 1..1);
        assert_eq!(samples([-5.0, -2.0, -3.0], 0, 10), 0..0);
        assert_eq!(samples([12.0, 20.0, 13.0], 0, 10), 10..10);
    }

    /// A long thin triangle costs what it covers, and not the box around it.
    #[test]
    fn a_row_begins_and_ends_at_the_edges() {
        // Weights that are above 0 from 2.5 on, and up to 6.5.
        let left = [-2.5, 6.5, 9.0];
        assert_eq!(span(left, [1.0, -1.0, 0.0], 0.0, 100), Some((2, 8)));
        assert_eq!(span(left, [1.0, -1.0, 0.0], 0.0, 5), Some((2, 5)));
        assert_eq!(span([-1.0, 5.0, 5.0], [0.0, -1.0, 1.0], 0.0, 100), None);
        assert_eq!(span([-200.0, 5.0, 5.0], [1.0, -1.0, 1.0], 0.0, 100), None);
    }

    #[test]
    fn weights_are_one_at_their_corner() {
        let corner = |x, y| Corner {
            x,
            y,
            key: 1.0,
            depth: 1.0,
        };
        let triangle = [corner(0.0, 0.0), corner(4.0, 1.0), corner(1.0, 5.0)];
        assert_eq!(weights(triangle, 4.0, 1.0), Some([0.0, 1.0, 0.0]));
        assert_eq!(weights([triangle[0]; 3], 0.0, 0.0), None);
    }
}
