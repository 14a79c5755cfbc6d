//! How pictures look: from where, on what, in which light.

use glam::DVec3;
use writhe_render::{Background, Bounds, Camera, Scene, Shadow};
use writhe_show::picture::Pictures;

use crate::args::{PictureSize, RenderArgs};
use crate::report::{Failure, Result};

/// Narrowest and widest shape (width over height) of a picture of the default size.
const ASPECT: (f64, f64) = (0.4, 2.5);
/// Part of a picture that stays empty on each side.
const MARGIN: f64 = 0.05;

/// How to look at the rods.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// What is up.
    pub up: DVec3,
    /// Direction of view; where most is seen if `None`.
    pub direction: Option<DVec3>,
    /// How much larger than to show all of it.
    pub zoom: f64,
    transparent: bool,
    shadow: Shadow,
    depth_cue: f64,
}

impl Look {
    /// What the user asks for; the rest from the first run.
    ///
    /// # Errors
    /// When up is the direction of view.
    pub fn new(args: &RenderArgs, run: &Pictures) -> Result<Self> {
        let look = Self {
            up: args.up.map_or_else(|| run.up(), |up| up.0),
            direction: args.view.map(|view| -view.0),
            zoom: args.zoom,
            transparent: args.transparent,
            shadow: if args.no_shadow {
                Shadow::Off
            } else {
                Shadow::SOFT
            },
            depth_cue: args.depth_cue,
        };
        let parallel =
            |direction: DVec3| direction.normalize().cross(look.up.normalize()).length() < 1e-6;
        if look.direction.is_some_and(parallel) {
            return Err(
                Failure::bad_input("`--view` and the up direction are the same line")
                    .help("choose what is up with `--up X,Y,Z`"),
            );
        }
        Ok(look)
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
        scene.lighting.shadow = self.shadow;
        scene.lighting.depth_cue = self.depth_cue;
        if let Some(floor) = scene.floor.as_mut().filter(|_| self.transparent) {
            // Its shadows are left, as alpha.
            floor.color = None;
        }
        scene
    }

    /// The camera that shows all of `bounds`, or its middle larger, and the size of its picture:
    /// that asked for, or about so many `pixels`, even on each side.
    ///
    /// # Errors
    /// When there is nothing to show.
    pub fn frame(
        self,
        bounds: &Bounds,
        size: Option<PictureSize>,
        pixels: f64,
    ) -> Result<(Camera, (u32, u32))> {
        let direction = self
            .direction
            .unwrap_or_else(|| Camera::good_direction(bounds, self.up));
        let (width, height) = match size {
            Some(PictureSize { width, height }) => (width, height),
            None => fitting_size(Camera::extent(bounds, direction, self.up)?, pixels),
        };
        let aspect = f64::from(width) / f64::from(height);
        let camera = Camera::fit(bounds, direction, self.up, aspect, MARGIN)?.zoomed(self.zoom);
        Ok((camera, (width, height)))
    }
}

/// Size of a picture of about so many `pixels` that suits something of this extent; even, as coders
/// of video want it.
fn fitting_size((width, height): (f64, f64), pixels: f64) -> (u32, u32) {
    let aspect = (width / height).clamp(ASPECT.0, ASPECT.1);
    let aspect = if aspect.is_finite() { aspect } else { 1.0 };
    let side = |part: f64| 2 * (0.5 * (pixels * part).sqrt()).round() as u32;
    (side(aspect), side(1.0 / aspect))
}

#[cfg(test)]
mod tests {
    use super::fitting_size;

    #[test]
    fn pictures_keep_their_area() {
        assert_eq!(fitting_size((1.0, 1.0), 490_000.0), (700, 700));
        let (width, height) = fitting_size((0.0, 1.0), 490_000.0);
        assert!(width < height && (width * height).abs_diff(490_000) < 2000);
        assert!(width % 2 == 0 && height % 2 == 0);
        assert_eq!(fitting_size((0.0, 0.0), 490_000.0), (700, 700));
    }
}
