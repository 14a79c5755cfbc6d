//! Shadows of the key light, from a depth map seen by the light.

use glam::DVec3;
use rayon::prelude::*;

use crate::bounds::Bounds;
use crate::camera::Camera;
use crate::error::RenderError;
use crate::mesh::Mesh;
use crate::noise::{self, Disk};
use crate::raster::{Corner, Visible, rasterise};
use crate::view::View;

/// Side of the depth map, samples.
const MAP_SIZE: u32 = 2048;
/// Points looked at to find the distance of the caster, and to filter the edge.
const SEARCH_POINTS: usize = 12;
const FILTER_POINTS: usize = 20;
/// Largest blur, as a part of the map.
const LARGEST_BLUR: f64 = 0.06;
/// Smallest cosine between light and normal for which the slope of a surface is trusted.
const STEEPEST: f64 = 0.1;

/// Depth of the scene as the key light sees it.
pub(crate) struct ShadowMap {
    view: View,
    visible: Visible,
    search: Disk,
    filter: Disk,
    light_radius: f64,
    strength: f64,
    /// Size of one sample of the map, scene length.
    texel: f64,
    /// Depth of the scene along the light, scene length.
    reach: f64,
}

impl ShadowMap {
    /// `towards_light` in scene coordinates.
    pub fn new(
        mesh: &Mesh,
        towards_light: DVec3,
        light_radius: f64,
        strength: f64,
    ) -> Result<Option<Self>, RenderError> {
        let mut bounds = Bounds::default();
        for vertex in &mesh.vertices {
            bounds.add_ball(vertex.position, 0.0);
        }
        if bounds.is_empty() {
            return Ok(None);
        }
        let forward = -towards_light.normalize_or(DVec3::Z);
        let camera = Camera::fit(
            &bounds,
            forward,
            forward.any_orthonormal_vector(),
            1.0,
            0.02,
        )?;
        let view = View::new(&camera, MAP_SIZE, MAP_SIZE)?;
        let corners: Vec<Corner> = mesh
            .vertices
            .par_iter()
            .map(|v| Corner::new(view, v.position))
            .collect();
        let size = (MAP_SIZE as usize, MAP_SIZE as usize);
        let visible = rasterise(view, &corners, &mesh.triangles, size, |_, _| None);
        let texel = camera.height_at_target() / f64::from(MAP_SIZE);
        let reach = bounds.support(forward) + bounds.support(-forward);
        Ok(Some(Self {
            view,
            visible,
            search: Disk::new(SEARCH_POINTS),
            filter: Disk::new(FILTER_POINTS),
            light_radius,
            strength,
            texel,
            reach,
        }))
    }

    /// Part of the key light that arrives at `point` with normal `normal` (scene coordinates), 0 to
    /// 1; `(x, y)` is the sample of the picture that shows it.
    ///
    /// The blur grows with the distance to the caster (Fernando 2005, percentage-closer soft
    /// shadows).
    pub fn light(&self, point: DVec3, normal: DVec3, (x, y): (usize, usize)) -> f64 {
        let lifted = point + normal * (1.5 * self.texel);
        let v = self.view.to_view(lifted);
        let (mx, my) = self.view.project(v);
        let turn = noise::angle(x, y).sin_cos();
        let largest = LARGEST_BLUR * self.visible.width as f64;
        let search = (self.light_radius * self.reach / self.texel).clamp(2.0, largest);
        // Depth of the tangent plane around the point, per sample of the map: the surface itself
        // casts no shadow.
        let n = self.view.direction_to_view(normal);
        let steepest = (-n.z).max(STEEPEST);
        let (slope_x, slope_y) = (n.x / steepest * self.texel, -n.y / steepest * self.texel);
        let gap = |(dx, dy): (f64, f64)| {
            let (sx, sy) = ((mx + dx) as i64, (my + dy) as i64);
            let depth = self.visible.depth_at(sx, sy);
            let plane = v.z + slope_x * (sx as f64 + 0.5 - mx) + slope_y * (sy as f64 + 0.5 - my);
            (depth < plane.min(v.z + self.reach) - 2.0 * self.texel)
                .then_some((v.z - depth).max(0.0))
        };
        let (count, sum) = self
            .search
            .turned(turn, search)
            .filter_map(gap)
            .fold((0usize, 0.0), |(n, sum), gap| (n + 1, sum + gap));
        if count == 0 {
            return 1.0;
        }
        let blur = (self.light_radius * sum / count as f64 / self.texel).clamp(1.5, search);
        let blocked =
            self.filter.turned(turn, blur).filter_map(gap).count() as f64 / FILTER_POINTS as f64;
        1.0 - self.strength * blocked
    }
}
