//! How pictures look: from where, on what, in which light, with what below them.

use glam::DVec3;
use writhe_render::{
    Background, Bounds, Camera, Image, Legend, RenderError, ScaleBar, Scene, Shadow, render,
};
use writhe_session::failure::{Failure, Result};

use super::Pictures;
use crate::sampling::options;

/// Narrowest and widest shape (width over height) of a picture of the default size.
const ASPECT: (f64, f64) = (0.5, 3.5);
/// Part of a picture that stays empty on each side.
const MARGIN: f64 = 0.04;
/// Size of letters over the square root of the pixels of a picture, and the smallest and largest
/// one, pixels an em.
const LETTERS: f64 = 0.0265;
const LETTER_SIZES: (f64, f64) = (9.0, 64.0);
/// Largest part of the height that a legend takes; a picture that is too small has none.
const LARGEST_LEGEND: f64 = 0.4;
/// Longest scale bar, as a part of the width.
const LONGEST_BAR: f64 = 0.25;

/// How to look at a run.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// What is up.
    pub up: DVec3,
    /// Direction of view.
    pub direction: DVec3,
    /// How much larger than to show all of it.
    pub zoom: f64,
    /// Whether there is nothing behind the rods.
    pub transparent: bool,
    /// Whether things cast shadows.
    pub shadow: bool,
    /// How much paler things get over one picture height of depth, 0 to 1.
    pub depth_cue: f64,
    /// Whether time, colours, arrows and lengths are told below the picture.
    pub legend: bool,
}

/// A picture to be drawn: its camera and what goes where.
#[derive(Debug, Clone)]
pub struct Plate {
    /// Pixels, with the legend.
    pub size: (u32, u32),
    /// Pixels without it.
    picture: (u32, u32),
    camera: Camera,
    /// Size of letters, pixels an em; 0 for no legend.
    letters: f64,
}

impl Look {
    /// The look of a run when its user says nothing.
    ///
    /// # Errors
    /// When the run cannot be read.
    pub fn of(run: &Pictures) -> Result<Self> {
        let up = run.up();
        Self::along(run.direction(up)?, up)
    }

    /// The look along `direction` with `up` up.
    ///
    /// # Errors
    /// When they are the same line.
    pub fn along(direction: DVec3, up: DVec3) -> Result<Self> {
        if direction.normalize().cross(up.normalize()).length() < 1e-6 {
            return Err(
                Failure::bad_input("`--view` and the up direction are the same line")
                    .help("choose what is up with `--up X,Y,Z`"),
            );
        }
        Ok(Self {
            up,
            direction,
            zoom: 1.0,
            transparent: false,
            shadow: true,
            depth_cue: 0.15,
            legend: true,
        })
    }

    /// What is behind everything.
    pub fn background(self) -> Background {
        if self.transparent {
            Background::Transparent
        } else {
            Background::White
        }
    }

    /// The scene in this light, on this background.
    pub fn on(self, mut scene: Scene) -> Scene {
        scene.background = self.background();
        scene.lighting.shadow = match self.shadow {
            true => Shadow::SOFT,
            false => Shadow::Off,
        };
        scene.lighting.depth_cue = self.depth_cue;
        if let Some(floor) = scene.floor.as_mut().filter(|_| self.transparent) {
            // Its shadows are left, as alpha.
            floor.color = None;
        }
        scene
    }

    /// The picture that shows all of `bounds`, or its middle larger, of the size asked for or of
    /// about so many `pixels`, even on each side; with room for the widest of the legends.
    ///
    /// # Errors
    /// When there is nothing to show.
    pub fn plate(
        self,
        bounds: &Bounds,
        size: Option<(u32, u32)>,
        pixels: f64,
        legends: &[Legend],
    ) -> Result<Plate> {
        let extent = Camera::extent(bounds, self.direction, self.up);
        let extent = extent.map_err(|e| not_drawn(&e))?;
        let area = size.map_or(pixels, |(w, h)| f64::from(w) * f64::from(h));
        let mut letters = (LETTERS * area.sqrt()).clamp(LETTER_SIZES.0, LETTER_SIZES.1);
        let (width, height) = size.unwrap_or_else(|| fitting_size(extent, pixels));
        let mut strip = match self.legend {
            true => strip(legends, f64::from(width), letters),
            false => 0,
        };
        if size.is_some() && f64::from(strip) > LARGEST_LEGEND * f64::from(height) {
            strip = 0;
        }
        if strip == 0 {
            letters = 0.0;
        }
        let (picture, size) = match size {
            Some(_) => ((width, height - strip), (width, height)),
            None => ((width, height), (width, height + strip)),
        };
        let aspect = f64::from(picture.0) / f64::from(picture.1);
        let camera = Camera::fit(bounds, self.direction, self.up, aspect, MARGIN);
        let camera = camera.map_err(|e| not_drawn(&e))?.zoomed(self.zoom);
        Ok(Plate {
            size,
            picture,
            camera,
            letters,
        })
    }
}

impl Plate {
    /// The same with another place in its middle, scene length.
    pub fn at(mut self, middle: DVec3) -> Self {
        self.camera.target = middle;
        self
    }

    /// Draws a scene, which is [`Look::on`] its background, and its legend with a bar of a known
    /// length.
    ///
    /// # Errors
    /// When the scene cannot be drawn.
    pub fn draw(&self, scene: &Scene, legend: Legend) -> Result<Image> {
        let options = options(self.picture, &self.camera, scene);
        let picture = render(scene, &self.camera, &options).map_err(|e| not_drawn(&e))?;
        if self.letters == 0.0 {
            return Ok(picture);
        }
        let (width, height) = self.size;
        let background = scene.background.color();
        let mut image = Image::new(width, height, background).map_err(|e| not_drawn(&e))?;
        image.paste(&picture, 0, 0);
        let room = room(f64::from(width), self.letters);
        let pixel = self.camera.height_at_target() / f64::from(self.picture.1);
        let bar = ScaleBar::at_most(LONGEST_BAR * room * pixel);
        let legend = Legend {
            scale_bar: bar.map(|bar| {
                let pixels = bar.length / pixel;
                (bar, pixels)
            }),
            ..legend
        };
        let at = (self.letters, f64::from(self.picture.1));
        legend.draw(&mut image, at, room, self.letters, scene.background.ink());
        Ok(image)
    }
}

/// Width that a legend may take in a picture, pixels.
fn room(width: f64, letters: f64) -> f64 {
    width - 2.0 * letters
}

/// Height of the strip for any of these legends, even, pixels.
fn strip(legends: &[Legend], width: f64, letters: f64) -> u32 {
    let room = room(width, letters);
    let height = |legend: &Legend| {
        // How long the bar is depends on the camera, which depends on this height.
        let bar = ScaleBar {
            length: 1.0,
            label: String::new(),
        };
        let longest = LONGEST_BAR * room;
        let legend = Legend {
            scale_bar: Some((bar, longest)),
            ..legend.clone()
        };
        legend.height(room, letters)
    };
    let heights = legends.iter().map(height);
    2 * (0.5 * heights.fold(0.0, f64::max)).ceil() as u32
}

/// Size of a picture of about so many `pixels` that suits something of this extent; even, as coders
/// of video want it.
pub fn fitting_size((width, height): (f64, f64), pixels: f64) -> (u32, u32) {
    let aspect = (width / height).clamp(ASPECT.0, ASPECT.1);
    let aspect = if aspect.is_finite() { aspect } else { 1.0 };
    let side = |part: f64| 2 * (0.5 * (pixels * part).sqrt()).round() as u32;
    (side(aspect), side(1.0 / aspect))
}

fn not_drawn(error: &RenderError) -> Failure {
    Failure::failed(format!("the picture cannot be made: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use writhe_render::{Tube, rod_color};

    #[test]
    fn pictures_keep_their_area() {
        assert_eq!(fitting_size((1.0, 1.0), 490_000.0), (700, 700));
        let (width, height) = fitting_size((0.0, 1.0), 490_000.0);
        assert!(width < height && (width * height).abs_diff(490_000) < 2000);
        assert!(width % 2 == 0 && height % 2 == 0);
        assert_eq!(fitting_size((0.0, 0.0), 490_000.0), (700, 700));
    }

    #[test]
    fn legends_take_room_from_a_given_size_and_add_to_a_fitted_one() {
        let rod = Tube::new(vec![DVec3::ZERO, DVec3::X], 0.1, rod_color(0));
        let scene = Scene::new(vec![rod]);
        let bounds = Bounds::of(&scene);
        let look = Look::along(DVec3::Y, DVec3::Z).unwrap();
        let legend = Legend {
            label: "t = 1 s".into(),
            ..Legend::default()
        };
        let plate = |look: Look, size| {
            let legends = std::slice::from_ref(&legend);
            look.plate(&bounds, size, 1e4, legends).unwrap()
        };
        let given = plate(look, Some((200, 100)));
        assert_eq!(given.size, (200, 100));
        assert!(given.picture.1 < 85, "{:?}", given.picture);
        let fitted = plate(look, None);
        assert!(fitted.size.1 > fitted.picture.1);
        for plate in [given, fitted] {
            let image = plate.draw(&scene, legend.clone()).unwrap();
            assert_eq!((image.width(), image.height()), plate.size);
        }
        let bare = Look {
            legend: false,
            ..look
        };
        for (look, size) in [(bare, (200, 100)), (look, (40, 16))] {
            let plate = plate(look, Some(size));
            assert_eq!(plate.picture, size);
            assert_eq!(plate.draw(&scene, legend.clone()).unwrap().width(), size.0);
        }
        assert!(Look::along(DVec3::Z, DVec3::Z).is_err());
    }
}
