//! What is in the picture and how it is lit.

use glam::DVec3;

use crate::color::Color;
use crate::error::RenderError;
use crate::solid::Solid;
use crate::tube::Tube;

/// Everything in one picture. Lengths are in any one unit ("scene length"), metres where a length
/// is labelled.
#[derive(Debug, Clone, Default)]
pub struct Scene {
    /// The rods.
    pub tubes: Vec<Tube>,
    /// Rigid things among them.
    pub solids: Vec<Solid>,
    /// A plane below (or behind) the rods.
    pub floor: Option<Floor>,
    /// What is behind everything.
    pub background: Background,
    /// Lights and shadows.
    pub lighting: Lighting,
}

/// What is behind everything.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Background {
    /// White.
    #[default]
    White,
    /// A dark blue grey.
    Dark,
    /// Nothing: the image has an alpha channel.
    Transparent,
    /// Any colour.
    Solid(Color),
}

impl Background {
    /// The colour, `None` if transparent.
    pub fn color(self) -> Option<Color> {
        match self {
            Self::White => Some(Color::WHITE),
            Self::Dark => Some(Color::srgb(24, 27, 33)),
            Self::Transparent => None,
            Self::Solid(color) => Some(color),
        }
    }

    /// A colour for text and lines on this background.
    pub fn ink(self) -> Color {
        match self.color() {
            Some(color) if color.luminance() < 0.18 => Color::srgb(232, 234, 238),
            _ => Color::srgb(28, 30, 34),
        }
    }
}

/// An infinite plane that receives shadows and fades out with distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Floor {
    /// A point of the plane, where it is most opaque.
    pub center: DVec3,
    /// Normal of the plane, any length.
    pub normal: DVec3,
    /// Colour; `None` shows nothing of the floor but the shadows on it.
    pub color: Option<Color>,
    /// Distance from the centre at which the floor has vanished, scene length.
    pub fade_radius: f64,
    /// Distance between grid lines, scene length; no grid if `None`.
    pub grid: Option<f64>,
}

/// Lights, fixed to the camera: a key light, a weaker fill light from the other side, and light
/// from all around.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lighting {
    /// Direction towards the key light in camera axes (right, up, towards the viewer), any length.
    pub key_direction: DVec3,
    /// Strength of the ambient occlusion, 0 (off) to 1.
    pub occlusion: f64,
    /// Reach of the ambient occlusion, scene length; three times the largest radius if `None`.
    pub occlusion_reach: Option<f64>,
    /// Shadows cast by the key light.
    pub shadow: Shadow,
    /// How much of the colour fades into the background from the target of the camera to one
    /// picture height beyond it, 0 (off) to 1.
    pub depth_cue: f64,
}

impl Default for Lighting {
    fn default() -> Self {
        Self {
            key_direction: DVec3::new(-0.55, 0.70, 0.75),
            occlusion: 0.85,
            occlusion_reach: None,
            shadow: Shadow::Off,
            depth_cue: 0.15,
        }
    }
}

/// Shadows cast by the key light.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Shadow {
    /// None.
    #[default]
    Off,
    /// Sharp at the contact, softer with the distance between caster and receiver.
    Soft {
        /// Angular radius of the light, radians; 0.1 looks like a studio lamp.
        light_radius: f64,
        /// Part of the key light that is taken away, 0 to 1.
        strength: f64,
    },
}

impl Shadow {
    /// A soft shadow that suits most pictures.
    pub const SOFT: Self = Self::Soft {
        light_radius: 0.08,
        strength: 0.9,
    };
}

impl Scene {
    /// A scene with the given tubes on white.
    pub fn new(tubes: Vec<Tube>) -> Self {
        Self {
            tubes,
            ..Self::default()
        }
    }

    /// Checks all input of the scene.
    pub(crate) fn validate(&self) -> Result<(), RenderError> {
        for (index, tube) in self.tubes.iter().enumerate() {
            tube.validate(index)?;
        }
        self.solids.iter().try_for_each(Solid::validate)?;
        let light = &self.lighting;
        let mut checks = vec![
            (
                "lighting.key_direction",
                light.key_direction.length(),
                light.key_direction.length() > 1e-9,
            ),
            (
                "lighting.occlusion",
                light.occlusion,
                (0.0..=1.0).contains(&light.occlusion),
            ),
            (
                "lighting.depth_cue",
                light.depth_cue,
                (0.0..=1.0).contains(&light.depth_cue),
            ),
        ];
        if let Some(reach) = light.occlusion_reach {
            checks.push(("lighting.occlusion_reach", reach, reach > 0.0));
        }
        if let Shadow::Soft {
            light_radius,
            strength,
        } = light.shadow
        {
            checks.push((
                "shadow.light_radius",
                light_radius,
                (0.0..=1.0).contains(&light_radius),
            ));
            checks.push(("shadow.strength", strength, (0.0..=1.0).contains(&strength)));
        }
        if let Some(floor) = &self.floor {
            checks.push(("floor.center", floor.center.length(), true));
            checks.push((
                "floor.normal",
                floor.normal.length(),
                floor.normal.length() > 1e-9,
            ));
            checks.push((
                "floor.fade_radius",
                floor.fade_radius,
                floor.fade_radius > 0.0,
            ));
            let grid = floor.grid.unwrap_or(1.0);
            checks.push(("floor.grid", grid, grid > 0.0));
        }
        match checks
            .iter()
            .find(|(_, value, ok)| !ok || !value.is_finite())
        {
            Some(&(name, value, _)) => Err(RenderError::BadOption { name, value }),
            None => Ok(()),
        }
    }
}
