//! Colour of a sample.

use glam::DVec3;
use rayon::prelude::*;

use crate::color::Color;
use crate::frame::wrap;
use crate::mesh::Mesh;
use crate::noise;
use crate::occlusion::Occlusion;
use crate::raster::{Corner, Visible, weights};
use crate::scene::Floor;
use crate::shadow::ShadowMap;
use crate::view::View;

/// Strengths of the lights; the key light from the front and the sky together give white on white.
const KEY: f64 = 0.72;
const FILL: f64 = 0.16;
const SKY: f64 = 0.42;
const GROUND: f64 = 0.24;
const GLOSS: f64 = 0.16;
const GLOSS_EXPONENT: f64 = 42.0;
/// How much darker a surface seen at a grazing angle is; draws a soft outline.
const RIM: f64 = 0.6;
/// Cosine to the viewer below which a stripe fades.
const STRIPE_FACING: f64 = 0.5;
/// Direction towards the fill light (right, up, towards the viewer).
const FILL_DIRECTION: DVec3 = DVec3::new(0.8, -0.1, 0.6);

/// Depth, in sizes of a sample, up to which samples of one thing in a pixel share their light.
const SHARED_DEPTH: f64 = 12.0;
/// Parts of a pixel whose light is kept.
const PARTS: usize = 4;

/// Pixels between places where light is found in any case.
const COARSE: usize = 4;
/// Cosine between normal and viewer up to which it counts how flat a surface is seen.
const FLATTEST: f64 = 0.1;
/// Difference of the light at four such places up to which it is taken from them in between.
const EVEN: f64 = 0.06;

/// All that decides the colour of a pixel.
pub(crate) struct Shader<'a> {
    pub mesh: &'a Mesh,
    pub corners: &'a [Corner],
    pub visible: &'a Visible,
    /// What is thinner than the picture shows, in front of what is `visible`.
    pub thin: Option<&'a Visible>,
    pub view: View,
    pub occlusion: Occlusion,
    pub shadow: Option<ShadowMap>,
    pub floor: Option<FloorShader>,
    /// `None` if transparent.
    pub background: Option<Color>,
    /// Unit vector towards the key light, view coordinates.
    pub key: DVec3,
    /// Part of the colour that fades over one picture height of depth.
    pub depth_cue: f64,
    /// Height of the picture at the target, scene length.
    pub picture_height: f64,
    /// Samples of a pixel in each direction.
    pub side: usize,
    /// The light at every so many pixels, row by row: [`Shader::with_coarse_light`].
    pub coarse: Vec<Option<Light>>,
}

/// Light that arrives at one thing in a pixel. It costs far more than all else, so that samples
/// share it.
#[derive(Clone, Copy)]
pub(crate) struct Light {
    /// What is lit: a tube, a solid or the floor.
    owner: u32,
    /// Depth, scene length.
    depth: f64,
    /// Part of the light from all around, 0 to 1.
    open: f64,
    /// Part of the key light, 0 to 1.
    key: f64,
    /// Whether all of the key light arrives, but less of it before the next place of the coarse
    /// raster: the shadow of what is thin may pass between the two.
    beside_shadow: bool,
}

/// A point of a surface, view coordinates.
struct Surface {
    point: DVec3,
    normal: DVec3,
    color: Color,
    opacity: f64,
    owner: u32,
}

/// The light of what a pixel shows.
struct Lights {
    /// Its place in the picture, in pixels.
    pixel: (usize, usize),
    kept: [Option<Light>; PARTS],
}

impl Shader<'_> {
    /// The same, with the light at every few pixels, which serves those in between where it is even.
    pub fn with_coarse_light(self) -> Self {
        let columns = self.coarse_columns();
        let rows = self.visible.height / self.side / COARSE + 2;
        let of_row = |row: usize| (0..columns).map(move |column| (column, row));
        let places: Vec<(usize, usize)> = (0..rows).flat_map(of_row).collect();
        let coarse = places.par_iter().map(|place| self.coarse_light(*place));
        let coarse = coarse.collect();
        Self { coarse, ..self }
    }

    fn coarse_columns(&self) -> usize {
        self.visible.width / self.side / COARSE + 2
    }

    /// The light at a place of the coarse raster; `None` where nothing is seen.
    fn coarse_light(&self, (column, row): (usize, usize)) -> Option<Light> {
        let pixel = (COARSE * column, COARSE * row);
        let (x, y) = (pixel.0 * self.side, pixel.1 * self.side);
        if x >= self.visible.width || y >= self.visible.height {
            return None;
        }
        let index = y * self.visible.width + x;
        let id = self.visible.id[index];
        if let (Visible::FLOOR, Some(floor)) = (id, &self.floor) {
            let depth = f64::from(self.visible.depth[index]);
            let point = self.view.unproject(x as f64 + 0.5, y as f64 + 0.5, depth);
            let lit = (point, floor.normal_in_view);
            let apart = self.apart(point, floor.normal_in_view);
            return Some(self.light_at(lit, Visible::FLOOR, (x, y), true, pixel, apart));
        }
        let triangle = self.mesh.triangles.get(id as usize)?;
        let surface = self.surface(*triangle, x, y)?;
        let lit = (surface.point, surface.normal);
        let apart = self.apart(surface.point, surface.normal);
        Some(self.light_at(lit, surface.owner, (x, y), true, pixel, apart))
    }

    /// How far places of the coarse raster lie apart on a surface at this point, scene length: the
    /// further the flatter it is seen.
    fn apart(&self, point: DVec3, normal: DVec3) -> f64 {
        let facing = normal.dot(self.view.towards_viewer(point)).max(FLATTEST);
        let in_picture = (COARSE * self.side) as f64 / self.view.samples_per_length(point.z);
        std::f64::consts::SQRT_2 * in_picture / facing
    }

    /// The light in a pixel from the four coarse places around it, where they show the same thing
    /// as the pixel does at this depth, and light is even.
    fn coarse_around(
        &self,
        owner: u32,
        depth: f64,
        near: f64,
        at: (usize, usize),
    ) -> Option<Light> {
        let ((column, x), (row, y)) = (div_rem(at.0), div_rem(at.1));
        let columns = self.coarse_columns();
        let place = |i: usize| {
            let index = (row + i / 2) * columns + column + i % 2;
            self.coarse.get(index).copied().flatten()
        };
        let around = [place(0)?, place(1)?, place(2)?, place(3)?];
        if (around.iter()).any(|light| light.owner != owner || light.beside_shadow) {
            return None;
        }
        let even = |of: fn(&Light) -> f64| {
            let values = around.map(|light| of(&light));
            let [a, b, c, d] = values;
            let (low, high) = (a.min(b).min(c).min(d), a.max(b).max(c).max(d));
            let (top, bottom) = (a + (b - a) * x, c + (d - c) * x);
            (high - low, top + (bottom - top) * y)
        };
        let (open, key, between) = (
            even(|light| light.open),
            even(|light| light.key),
            even(|light| light.depth).1,
        );
        let fits = open.0 <= EVEN && key.0 <= EVEN && (between - depth).abs() < near;
        fits.then_some(Light {
            owner,
            depth,
            open: open.1,
            key: key.1,
            beside_shadow: false,
        })
    }

    /// Premultiplied linear red, green, blue and alpha of a pixel: the mean of its samples.
    pub fn pixel(&self, (x, y): (usize, usize)) -> [f64; 4] {
        let side = self.side;
        let behind = premultiplied(
            self.background.unwrap_or(Color::BLACK),
            f64::from(self.background.is_some()),
        );
        let all = || (0..side * side).map(|i| (x * side + i % side, y * side + i / side));
        let first = self.owner(x * side, y * side);
        let plain = all().all(|(x, y)| self.thin_at(x, y).is_none() && self.owner(x, y) == first);
        if plain && first == Visible::NOTHING {
            return behind;
        }
        // Within one thing a few samples do.
        let every = if plain && side == 4 { 2 } else { 1 };
        let taken = |(x, y): &(usize, usize)| x % every == 0 && y % every == 0;
        let mut lights = Lights {
            pixel: (x, y),
            kept: [None; PARTS],
        };
        let mut sum = [0.0; 4];
        let mut count = 0.0;
        for (x, y) in all().filter(taken) {
            let found = self.sample((x, y), behind, &mut lights);
            sum = std::array::from_fn(|k| sum[k] + found[k]);
            count += 1.0;
        }
        sum.map(|s| s / count)
    }

    /// What is seen at a sample: a tube, a solid, the floor or nothing.
    fn owner(&self, x: usize, y: usize) -> u32 {
        let id = self.visible.id[y * self.visible.width + x];
        match self.mesh.triangles.get(id as usize) {
            Some(triangle) => self.mesh.vertices[triangle[0] as usize].tube,
            None => id,
        }
    }

    /// The thin triangle at a sample, if it is in front.
    fn thin_at(&self, x: usize, y: usize) -> Option<[u32; 3]> {
        let thin = self.thin?;
        let at = y * thin.width + x;
        let in_front = thin.depth[at] < self.visible.depth[at];
        let triangle = self.mesh.thin.get(thin.id[at] as usize);
        triangle.copied().filter(|_| in_front)
    }

    /// Premultiplied linear red, green, blue and alpha of a sample.
    fn sample(&self, at: (usize, usize), behind: [f64; 4], lights: &mut Lights) -> [f64; 4] {
        let (x, y) = at;
        let index = y * self.visible.width + x;
        let id = self.visible.id[index];
        let opaque = match (id, &self.floor) {
            (Visible::NOTHING, _) | (Visible::FLOOR, None) => behind,
            (Visible::FLOOR, Some(floor)) => {
                let depth = f64::from(self.visible.depth[index]);
                self.floor_sample(floor, depth, at, behind, lights)
            }
            (triangle, _) => match self.surface(self.mesh.triangles[triangle as usize], x, y) {
                Some(surface) => premultiplied(self.lit(&surface, at, true, lights), 1.0),
                None => behind,
            },
        };
        let Some(surface) = self.thin_at(x, y).and_then(|t| self.surface(t, x, y)) else {
            return opaque;
        };
        let top = premultiplied(self.lit(&surface, at, false, lights), surface.opacity);
        std::array::from_fn(|k| top[k] + opaque[k] * (1.0 - top[3]))
    }

    /// The surface that a triangle shows at the middle of a sample.
    fn surface(&self, indices: [u32; 3], x: usize, y: usize) -> Option<Surface> {
        let corners = indices.map(|v| self.corners[v as usize]);
        let (px, py) = (x as f64 + 0.5, y as f64 + 0.5);
        let mut w = weights(corners, px, py)?;
        if self.view.perspective {
            // Linear in space instead of linear on the raster: w_i / depth_i, normalised.
            w = [
                w[0] * corners[0].key,
                w[1] * corners[1].key,
                w[2] * corners[2].key,
            ];
            let sum = w[0] + w[1] + w[2];
            w = w.map(|w| w / sum);
        }
        let [a, b, c] = indices.map(|v| self.mesh.vertices[v as usize]);
        let depth = w[0] * corners[0].depth + w[1] * corners[1].depth + w[2] * corners[2].depth;
        let point = self.view.unproject(px, py, depth);
        let normal = a.normal * w[0] + b.normal * w[1] + c.normal * w[2];
        let normal = self.facing(
            point,
            self.view
                .direction_to_view(normal)
                .normalize_or(DVec3::NEG_Z),
        );
        let mix = |k: usize| a.color.rgb[k] * w[0] + b.color.rgb[k] * w[1] + c.color.rgb[k] * w[2];
        let base = Color {
            rgb: std::array::from_fn(mix),
        };
        let angle = a.angle * w[0] + b.angle * w[1] + c.angle * w[2];
        let facing = normal.dot(self.view.towards_viewer(point)).clamp(0.0, 1.0);
        Some(Surface {
            point,
            normal,
            color: self.with_stripe(base, a.tube, angle, facing),
            opacity: a.opacity * w[0] + b.opacity * w[1] + c.opacity * w[2],
            owner: a.tube,
        })
    }

    /// The normal, tilted so far that it does not point away from the viewer; interpolation does
    /// that on outlines.
    fn facing(&self, point: DVec3, normal: DVec3) -> DVec3 {
        let viewer = self.view.towards_viewer(point);
        let away = normal.dot(viewer).min(0.0);
        (normal - viewer * away).normalize_or(viewer)
    }

    /// The stripe ends before the outline, which keeps the colour of the rod: a light stripe must
    /// not melt into a light background. `facing` is the cosine between normal and direction to the
    /// viewer.
    fn with_stripe(&self, base: Color, tube: u32, angle: f64, facing: f64) -> Color {
        match self.mesh.stripes[tube as usize] {
            Some(stripe) if wrap(angle).abs() < stripe.half_angle => {
                let t = (facing / STRIPE_FACING).min(1.0);
                base.mix(
                    stripe
                        .color
                        .unwrap_or_else(|| contrast(base, self.background)),
                    stripe.strength * t * t * (3.0 - 2.0 * t),
                )
            }
            _ => base,
        }
    }

    /// Light that a surface sends to the viewer; light from all around may be hidden if it
    /// `is_solid`, which what is drawn wider than it is is not.
    fn lit(
        &self,
        surface: &Surface,
        at: (usize, usize),
        is_solid: bool,
        lights: &mut Lights,
    ) -> Color {
        let Surface {
            point,
            normal,
            color,
            owner,
            ..
        } = *surface;
        let viewer = self.view.towards_viewer(point);
        let Light {
            open, key: shadow, ..
        } = self.light((point, normal), owner, at, is_solid, lights);
        // View coordinates count depth forward, the lights towards the viewer.
        let n = DVec3::new(normal.x, normal.y, -normal.z);
        let key = KEY * n.dot(self.key).max(0.0) * shadow;
        let fill = FILL * n.dot(FILL_DIRECTION.normalize_or_zero()).max(0.0);
        let sky = GROUND + (SKY - GROUND) * (0.5 + 0.5 * n.y);
        let grazing = 1.0 - normal.dot(viewer).clamp(0.0, 1.0);
        // Occlusion also dims the key light a little: lamps have a size.
        let diffuse =
            (open * (sky + fill) + key * (0.45 + 0.55 * open)) * (1.0 - RIM * grazing.powi(3));
        let half = (DVec3::new(self.key.x, self.key.y, -self.key.z) + viewer).normalize_or_zero();
        let gloss = GLOSS * normal.dot(half).max(0.0).powf(GLOSS_EXPONENT) * shadow * open;
        let lit = Color {
            rgb: color.rgb.map(|c| soft_clip(c * diffuse + gloss)),
        };
        match self.background {
            Some(background) => lit.mix(background, self.fade(point.z)),
            None => lit,
        }
    }

    /// The light at a point, or one that was found near it in the same pixel.
    fn light(
        &self,
        (point, normal): (DVec3, DVec3),
        owner: u32,
        at: (usize, usize),
        is_solid: bool,
        lights: &mut Lights,
    ) -> Light {
        let near = SHARED_DEPTH / self.view.samples_per_length(point.z);
        let same = |l: &&Light| l.owner == owner && (l.depth - point.z).abs() < near;
        if let Some(light) = lights.kept.iter().flatten().find(same) {
            return *light;
        }
        let coarse = match is_solid {
            true => self.coarse_around(owner, point.z, near, lights.pixel),
            false => None,
        };
        let light = coarse.unwrap_or_else(|| {
            self.light_at((point, normal), owner, at, is_solid, lights.pixel, 0.0)
        });
        if let Some(free) = lights.kept.iter_mut().find(|place| place.is_none()) {
            *free = Some(light);
        }
        light
    }

    /// The light at a point that is seen at a sample of a pixel; whether a shadow is beside it is
    /// found within `around`, scene length.
    fn light_at(
        &self,
        (point, normal): (DVec3, DVec3),
        owner: u32,
        at: (usize, usize),
        is_solid: bool,
        pixel: (usize, usize),
        around: f64,
    ) -> Light {
        let turn = noise::angle(pixel.0, pixel.1).sin_cos();
        let open = match is_solid {
            true => (self.occlusion).light(self.view, self.visible, point, normal, at, turn),
            false => 1.0,
        };
        let (key, beside_shadow) = self.shadow.as_ref().map_or((1.0, false), |shadow| {
            let (point, normal) = (
                self.view.to_scene(point),
                self.view.direction_to_scene(normal),
            );
            shadow.light(point, normal, turn, around)
        });
        Light {
            owner,
            depth: point.z,
            open,
            key,
            beside_shadow,
        }
    }

    /// Part of the colour that depth takes away, from the target on.
    fn fade(&self, depth: f64) -> f64 {
        let beyond = (depth - self.view.target_depth) / self.picture_height;
        self.depth_cue * beyond.clamp(0.0, 1.0)
    }

    fn floor_sample(
        &self,
        floor: &FloorShader,
        depth: f64,
        at: (usize, usize),
        behind: [f64; 4],
        lights: &mut Lights,
    ) -> [f64; 4] {
        let point = self
            .view
            .unproject(at.0 as f64 + 0.5, at.1 as f64 + 0.5, depth);
        let lit = (point, floor.normal_in_view);
        let Light { open, key, .. } = self.light(lit, Visible::FLOOR, at, true, lights);
        let light = (0.55 + 0.45 * key) * (0.4 + 0.6 * open);
        let scene_point = self.view.to_scene(point);
        let opacity = floor.opacity(scene_point);
        let top = match floor.color(scene_point) {
            Some(color) => premultiplied(
                Color {
                    rgb: color.rgb.map(|c| c * light),
                },
                opacity,
            ),
            // Black glass: takes away what the shadow takes.
            None => premultiplied(Color::BLACK, opacity * (1.0 - light)),
        };
        std::array::from_fn(|k| top[k] + behind[k] * (1.0 - top[3]))
    }
}

/// The coarse place before a pixel, and the part of the way to the next one.
fn div_rem(pixel: usize) -> (usize, f64) {
    (pixel / COARSE, (pixel % COARSE) as f64 / COARSE as f64)
}

/// A floor, ready to draw.
pub(crate) struct FloorShader {
    floor: Floor,
    /// Unit normal on the side of the viewer.
    normal_in_view: DVec3,
    grid_axes: (DVec3, DVec3),
    ink: Color,
}

impl FloorShader {
    pub fn new(floor: Floor, view: View, ink: Color) -> Self {
        let normal = floor.normal.normalize_or(DVec3::Z);
        let eye_side = view.to_scene(DVec3::ZERO) - floor.center;
        let normal = if normal.dot(eye_side) < 0.0 {
            -normal
        } else {
            normal
        };
        Self {
            floor,
            normal_in_view: view.direction_to_view(normal),
            grid_axes: normal.any_orthonormal_pair(),
            ink,
        }
    }

    /// Depth of the floor at a place of the raster; `None` where it is not seen or has faded out.
    pub fn depth(&self, view: View, x: f64, y: f64) -> Option<f64> {
        let (origin, direction) = view.ray(x, y);
        let center = view.to_view(self.floor.center);
        let depth = (center - origin).dot(self.normal_in_view) / direction.dot(self.normal_in_view);
        let point = view.to_scene(origin + direction * depth);
        let seen = depth.is_finite()
            && depth > view.near.max(0.0)
            && point.distance(self.floor.center) < self.floor.fade_radius;
        seen.then_some(depth)
    }

    fn opacity(&self, point: DVec3) -> f64 {
        let r = (point.distance(self.floor.center) / self.floor.fade_radius).min(1.0);
        (1.0 - r * r).powi(2)
    }

    fn color(&self, point: DVec3) -> Option<Color> {
        let color = self.floor.color?;
        let Some(spacing) = self.floor.grid else {
            return Some(color);
        };
        let d = point - self.floor.center;
        let on_line = |axis: DVec3| {
            let t = d.dot(axis) / spacing;
            (t - t.round()).abs() < 0.008
        };
        let line = on_line(self.grid_axes.0) || on_line(self.grid_axes.1);
        Some(if line {
            color.mix(self.ink, 0.25)
        } else {
            color
        })
    }
}

/// A stripe that stands out on a base colour, and from the background: on white no stripe is
/// white, on black none is black.
fn contrast(base: Color, background: Option<Color>) -> Color {
    let (ink, cream) = (Color::srgb(20, 24, 30), Color::srgb(255, 250, 238));
    let luminance = base.luminance();
    if background.is_some_and(|color| color.luminance() < 0.18) {
        return match luminance {
            l if l < 0.5 => base.mix(cream, 0.85),
            _ => base.mix(ink, 0.6),
        };
    }
    base.mix(ink, 0.78)
}

/// Identity for dark values; bends smoothly towards one, so that highlights do not burn out.
fn soft_clip(c: f64) -> f64 {
    const KNEE: f64 = 0.8;
    if c <= KNEE {
        c
    } else {
        KNEE + (1.0 - KNEE) * (1.0 - (-(c - KNEE) / (1.0 - KNEE)).exp())
    }
}

fn premultiplied(color: Color, alpha: f64) -> [f64; 4] {
    let [r, g, b] = color.rgb;
    [r * alpha, g * alpha, b * alpha, alpha]
}
