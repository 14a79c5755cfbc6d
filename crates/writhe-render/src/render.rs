//! One picture of one scene.

use rayon::prelude::*;

use crate::camera::Camera;
use crate::color::encode;
use crate::error::RenderError;
use crate::image::{Image, check_size};
use crate::mesh::{Detail, Mesh};
use crate::noise::Disk;
use crate::occlusion::Occlusion;
use crate::raster::{Corner, Visible, rasterise};
use crate::scene::{Background, Scene, Shadow};
use crate::shade::{FloorShader, Shader};
use crate::shadow::{Cast, ShadowMap};
use crate::view::View;

/// Points by which light from all around is found.
const OCCLUSION_POINTS: usize = 32;

/// Size and quality of a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RenderOptions {
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// Samples per pixel in each direction, 1 to 4.
    pub supersample: u32,
    /// Most corners of the cross-section, 3 to 96; small ones have fewer.
    pub sides: usize,
    /// Least width of a rod, pixels, 0 to 10: one that is thinner is drawn this wide, and the
    /// fainter the thinner it is.
    pub least_width: f64,
}

impl Default for RenderOptions {
    fn default() -> Self {
        Self {
            width: 800,
            height: 600,
            supersample: 2,
            sides: 64,
            least_width: 0.7,
        }
    }
}

impl RenderOptions {
    /// The default quality at another size (pixels).
    pub fn sized(width: u32, height: u32) -> Self {
        Self {
            width,
            height,
            ..Self::default()
        }
    }

    fn validate(&self) -> Result<(), RenderError> {
        if !(1..=4).contains(&self.supersample) {
            return Err(RenderError::BadOption {
                name: "supersample",
                value: f64::from(self.supersample),
            });
        }
        if !(3..=96).contains(&self.sides) {
            return Err(RenderError::BadOption {
                name: "sides",
                value: self.sides as f64,
            });
        }
        if !(0.0..=10.0).contains(&self.least_width) {
            return Err(RenderError::BadOption {
                name: "least_width",
                value: self.least_width,
            });
        }
        check_size(self.width, self.height, self.supersample)
    }
}

/// Draws a scene. The bytes do not depend on the number of threads.
///
/// # Errors
/// Any [`RenderError`] that says what is wrong with the scene, the camera or the options.
pub fn render(
    scene: &Scene,
    camera: &Camera,
    options: &RenderOptions,
) -> Result<Image, RenderError> {
    render_on(scene, scene.background, camera, options)
}

/// Draws a scene on another background than its own.
pub(crate) fn render_on(
    scene: &Scene,
    background: Background,
    camera: &Camera,
    options: &RenderOptions,
) -> Result<Image, RenderError> {
    options.validate()?;
    scene.validate()?;
    let (width, height) = (
        options.width * options.supersample,
        options.height * options.supersample,
    );
    let view = View::new(camera, width, height)?;
    let detail = Detail {
        sides: options.sides,
        seen: Some((view, f64::from(options.supersample), options.least_width)),
    };
    let mut mesh = Mesh::new(&scene.tubes, detail);
    let towards_viewer =
        |x: glam::DVec3| view.direction_to_scene(view.towards_viewer(view.to_view(x)));
    let solids = scene.solids.iter();
    solids.for_each(|solid| mesh.add(solid, towards_viewer));
    let corners: Vec<Corner> = mesh
        .vertices
        .par_iter()
        .map(|v| Corner::new(view, v.position))
        .collect();
    let floor = scene
        .floor
        .map(|floor| FloorShader::new(floor, view, background.ink()));
    let size = (width as usize, height as usize);
    let visible = rasterise(view, &corners, &mesh.triangles, size, |x, y| {
        floor.as_ref().and_then(|floor| floor.depth(view, x, y))
    });
    let thin =
        (!mesh.thin.is_empty()).then(|| rasterise(view, &corners, &mesh.thin, size, |_, _| None));
    let light = &scene.lighting;
    let key = light.key_direction.normalize_or_zero();
    let towards_light = view.direction_to_scene(glam::DVec3::new(key.x, key.y, -key.z));
    let shadow = match light.shadow {
        Shadow::Off => None,
        Shadow::Soft {
            light_radius,
            strength,
        } => {
            let seen: Vec<&Visible> = std::iter::once(&visible).chain(&thin).collect();
            let cast = Cast {
                mesh: &mesh,
                seen: &seen,
                view,
                pixels: options.width.max(options.height),
            };
            ShadowMap::new(&cast, towards_light, light_radius, strength)?
        }
    };
    let largest_radius = scene
        .tubes
        .iter()
        .map(crate::Tube::largest_radius)
        .fold(0.0, f64::max);
    let shader = Shader {
        mesh: &mesh,
        corners: &corners,
        visible: &visible,
        thin: thin.as_ref(),
        view,
        occlusion: Occlusion {
            strength: light.occlusion,
            reach: light.occlusion_reach.unwrap_or(3.0 * largest_radius),
            points: Disk::new(OCCLUSION_POINTS),
        },
        shadow,
        floor,
        background: background.color(),
        key,
        depth_cue: light.depth_cue,
        picture_height: camera.height_at_target(),
        side: options.supersample as usize,
        coarse: Vec::new(),
    }
    .with_coarse_light();
    Ok(resolve(&shader, options))
}

/// Averages the samples of every pixel, in linear light.
fn resolve(shader: &Shader<'_>, options: &RenderOptions) -> Image {
    let width = options.width as usize;
    let mut rgba = vec![0u8; 4 * width * options.height as usize];
    rgba.par_chunks_mut(4 * width)
        .enumerate()
        .for_each(|(y, row)| {
            for (x, pixel) in row.chunks_exact_mut(4).enumerate() {
                pixel.copy_from_slice(&to_bytes(shader.pixel((x, y))));
            }
        });
    Image::from_rgba(options.width, options.height, rgba)
}

/// Straight sRGB bytes of a premultiplied linear colour.
fn to_bytes([r, g, b, alpha]: [f64; 4]) -> [u8; 4] {
    if alpha <= 0.0 {
        return [0; 4];
    }
    [
        encode(r / alpha),
        encode(g / alpha),
        encode(b / alpha),
        (alpha.min(1.0) * 255.0 + 0.5) as u8,
    ]
}
