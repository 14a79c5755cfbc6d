//! Shadows of the key light, from a depth map seen by the light.

use glam::DVec3;
use rayon::prelude::*;

use crate::camera::{Camera, Projection};
use crate::error::RenderError;
use crate::mesh::Mesh;
use crate::noise::Disk;
use crate::raster::{Corner, Visible, rasterise};
use crate::view::View;

/// Smallest and largest side of the depth map, samples, and its side over that of the picture.
const SIDES: (u32, u32) = (512, 2048);
const OVER_PICTURE: u32 = 2;
/// Room around what is seen, as a part of the map.
const ROOM: f64 = 0.02;
/// Points looked at to find the distance of the caster, and to filter the edge.
const SEARCH_POINTS: usize = 48;
const FILTER_POINTS: usize = 32;
/// The same where an edge is found, of which few points show a grain.
const EDGE_POINTS: usize = 160;
/// The same where so few points find nothing, although something is near.
const FAINT_POINTS: usize = 64;
/// Side of the squares of the map whose nearest depth is known, over the radius in which casters are
/// looked for: about as far as the points of the search lie apart, so that nothing thin gets between
/// them and breaks into dots.
const SQUARE: f64 = 0.26;
/// Largest blur, as a part of the map.
const LARGEST_BLUR: f64 = 0.06;
/// Smallest cosine between light and normal for which the slope of a surface is trusted.
const STEEPEST: f64 = 0.1;

/// Depth of the scene as the key light sees it.
pub(crate) struct ShadowMap {
    view: View,
    visible: Visible,
    nearest: Nearest,
    /// Radius in which casters are looked for, samples of the map.
    search_radius: f64,
    search: Disk,
    filter: Disk,
    edge: Disk,
    faint: Disk,
    light_radius: f64,
    strength: f64,
    /// Size of one sample of the map, scene length.
    texel: f64,
    /// Depth of what is seen along the light, scene length.
    reach: f64,
}

/// What casts shadows, and onto what.
pub(crate) struct Cast<'a> {
    pub mesh: &'a Mesh,
    /// What the picture shows.
    pub seen: &'a [&'a Visible],
    pub view: View,
    /// Longer side of the picture, pixels.
    pub pixels: u32,
}

impl ShadowMap {
    /// The map for a light in the direction `towards_light`, scene coordinates; `None` if the
    /// picture shows nothing. It covers what is seen, whatever stands around that.
    pub fn new(
        cast: &Cast<'_>,
        towards_light: DVec3,
        light_radius: f64,
        strength: f64,
    ) -> Result<Option<Self>, RenderError> {
        let forward = -towards_light.normalize_or(DVec3::Z);
        let unfitted = Camera {
            target: DVec3::ZERO,
            direction: forward,
            up: forward.any_orthonormal_vector(),
            distance: 0.0,
            projection: Projection::Orthographic { height: 1.0 },
        };
        let light = View::new(&unfitted, 1, 1)?;
        let Some((low, high)) = seen_by(light, cast) else {
            return Ok(None);
        };
        let size = (high - low).max(DVec3::splat(f64::MIN_POSITIVE));
        let camera = Camera {
            target: light.to_scene(0.5 * (low + high)),
            projection: Projection::Orthographic {
                height: size.x.max(size.y) * (1.0 + 2.0 * ROOM),
            },
            ..unfitted
        };
        let side = (OVER_PICTURE * cast.pixels)
            .next_power_of_two()
            .clamp(SIDES.0, SIDES.1);
        let view = View::new(&camera, side, side)?;
        let mesh = cast.mesh;
        let corners: Vec<Corner> = mesh
            .vertices
            .par_iter()
            .map(|v| Corner::new(view, v.position))
            .collect();
        let triangles = [mesh.triangles.as_slice(), mesh.thin.as_slice()];
        let size_of_map = (side as usize, side as usize);
        let visible = match mesh.thin.is_empty() {
            true => rasterise(view, &corners, triangles[0], size_of_map, |_, _| None),
            false => rasterise(view, &corners, &triangles.concat(), size_of_map, |_, _| {
                None
            }),
        };
        let texel = camera.height_at_target() / f64::from(side);
        let largest = LARGEST_BLUR * f64::from(side);
        let search_radius = (light_radius * size.z / texel).clamp(2.0, largest);
        Ok(Some(Self {
            view,
            nearest: Nearest::of(&visible, (SQUARE * search_radius).ceil() as usize),
            search_radius,
            visible,
            search: Disk::new(SEARCH_POINTS),
            filter: Disk::new(FILTER_POINTS),
            edge: Disk::new(EDGE_POINTS),
            faint: Disk::new(FAINT_POINTS),
            light_radius,
            strength,
            texel,
            reach: size.z,
        }))
    }

    /// Part of the key light that arrives at `point` with normal `normal` (scene coordinates), 0 to
    /// 1, and, where that is all of it, whether it is less within `around`, scene length, if that is
    /// not 0; `turn` is the sine and cosine by which the points of the filter are turned.
    ///
    /// The blur grows with the distance to the caster (Fernando 2005, percentage-closer soft
    /// shadows).
    pub fn light(&self, point: DVec3, normal: DVec3, turn: (f64, f64), around: f64) -> (f64, bool) {
        let lifted = point + normal * (1.5 * self.texel);
        let v = self.view.to_view(lifted);
        let (mx, my) = self.view.project(v);
        let search = self.search_radius;
        // Depth of the tangent plane around the point, per sample of the map: the surface itself
        // casts no shadow.
        let n = self.view.direction_to_view(normal);
        let steepest = (-n.z).max(STEEPEST);
        let (slope_x, slope_y) = (n.x / steepest * self.texel, -n.y / steepest * self.texel);
        let before = |depth: f64, (x, y): (f64, f64), room: f64| {
            let plane = v.z + slope_x * (x - mx) + slope_y * (y - my);
            (depth < plane.min(v.z + self.reach) - 2.0 * self.texel - room)
                .then_some((v.z - depth).max(0.0))
        };
        let gap = |(dx, dy): (f64, f64)| {
            let (sx, sy) = ((mx + dx) as i64, (my + dy) as i64);
            let depth = self.visible.depth_at(sx, sy);
            before(depth, (sx as f64 + 0.5, sy as f64 + 0.5), 0.0)
        };
        // By how much the tangent plane may come nearer within a square.
        let room = 0.5 * self.nearest.side as f64 * (slope_x.abs() + slope_y.abs());
        let near = |(dx, dy): (f64, f64)| {
            gap((dx, dy)).or_else(|| {
                let (depth, middle) = self.nearest.at((mx + dx, my + dy))?;
                before(depth, middle, room)
            })
        };
        let (count, sum) = self
            .search
            .turned(turn, search)
            .filter_map(near)
            .fold((0usize, 0.0), |(n, sum), gap| (n + 1, sum + gap));
        if count == 0 {
            return (1.0, false);
        }
        let blur = (self.light_radius * sum / count as f64 / self.texel).clamp(1.5, search);
        let blocked = |points: &Disk| {
            let count = points.turned(turn, blur).filter_map(gap).count();
            count as f64 / points.len() as f64
        };
        let mut part = blocked(&self.filter);
        if part == 0.0 {
            // Few points may all miss what is thin, although it is there.
            part = blocked(&self.faint);
        } else if part < 1.0 {
            part = blocked(&self.edge);
        }
        let beside = part == 0.0 && around > 0.0 && {
            let mut points = self.edge.turned(turn, blur + around / self.texel);
            points.any(|point| gap(point).is_some())
        };
        (1.0 - self.strength * part, beside)
    }
}

/// The nearest depth in each square of a map.
struct Nearest {
    /// Side of a square, samples.
    side: usize,
    /// Squares in a row.
    width: usize,
    depth: Vec<f32>,
}

impl Nearest {
    fn of(visible: &Visible, side: usize) -> Self {
        let side = side.max(1);
        let width = visible.width.div_ceil(side);
        let mut depth = vec![f32::INFINITY; width * visible.height.div_ceil(side)];
        let rows = visible.depth.chunks(visible.width.max(1));
        for (y, row) in rows.enumerate() {
            for (x, own) in row.chunks(side).enumerate() {
                let nearest = &mut depth[y / side * width + x];
                *nearest = own.iter().copied().fold(*nearest, f32::min);
            }
        }
        Self { side, width, depth }
    }

    /// Depth in the square around a place, and the square's middle; `None` outside.
    fn at(&self, (x, y): (f64, f64)) -> Option<(f64, (f64, f64))> {
        let side = self.side as f64;
        let (column, row) = ((x / side).floor(), (y / side).floor());
        if !(column >= 0.0 && row >= 0.0 && column < self.width as f64) {
            return None;
        }
        let depth = self
            .depth
            .get(row as usize * self.width + column as usize)?;
        Some((
            f64::from(*depth),
            ((column + 0.5) * side, (row + 0.5) * side),
        ))
    }
}

/// The corners of the box, in the view of the light, around all that the picture shows.
fn seen_by(light: View, cast: &Cast<'_>) -> Option<(DVec3, DVec3)> {
    let join = |a: Option<(DVec3, DVec3)>, b: Option<(DVec3, DVec3)>| match (a, b) {
        (Some((low, high)), Some((l, h))) => Some((low.min(l), high.max(h))),
        (a, None) => a,
        (None, b) => b,
    };
    let row = |seen: &Visible, y: usize| {
        let depths = seen.depth[y * seen.width..(y + 1) * seen.width].iter();
        let points = depths.enumerate().filter(|(_, depth)| depth.is_finite());
        let points = points.map(|(x, depth)| {
            let at = (x as f64 + 0.5, y as f64 + 0.5);
            let point = cast.view.unproject(at.0, at.1, f64::from(*depth));
            light.to_view(cast.view.to_scene(point))
        });
        points.map(|point| Some((point, point))).fold(None, join)
    };
    let of = |seen: &&Visible| {
        let rows = (0..seen.height).into_par_iter().step_by(2);
        rows.map(|y| row(seen, y)).reduce(|| None, join)
    };
    cast.seen.iter().map(of).fold(None, join)
}
