//! One rod as plain arrays.

use glam::DVec3;

use crate::color::Color;
use crate::error::RenderError;
use crate::palette::ColorMap;

/// Coordinates and radii beyond this are refused, so that squares and products stay finite.
const LARGEST: f64 = 1e60;

/// A rod: a centreline with a round cross-section.
///
/// Arrays may be given once (one entry for all), per node or per edge. Edge `i` joins the nodes `i`
/// and `i + 1`; a closed tube has one more edge, from the last node to the first, and its first
/// node is not repeated. As a closed tube has as many edges as nodes, its arrays are read per node
/// (directors: always per edge).
#[derive(Debug, Clone)]
pub struct Tube {
    /// Positions of the nodes, scene length.
    pub centerline: Vec<DVec3>,
    /// Radius of the cross-section, scene length: one entry, per node, or per edge.
    pub radius: Vec<f64>,
    /// First material director m1 per edge, to draw the stripe that shows twist; any length,
    /// roughly normal to the edge.
    pub material_directors: Option<Vec<DVec3>>,
    /// Whether the last node is joined to the first.
    pub closed: bool,
    /// Colour of the surface.
    pub color: TubeColor,
    /// The stripe along m1; drawn only with directors.
    pub stripe: Stripe,
    /// Whether the centreline is a smooth curve through the nodes (Catmull-Rom) or straight edges.
    pub smooth: bool,
}

/// Colour of a surface.
#[derive(Debug, Clone)]
pub enum TubeColor {
    /// The same everywhere.
    Uniform(Color),
    /// From a scalar along the rod.
    Scalar {
        /// One entry, per node, or per edge; any unit.
        values: Vec<f64>,
        /// Values shown with the two ends of the map; the same unit.
        range: (f64, f64),
        /// The map.
        map: ColorMap,
    },
}

/// A stripe along the material director m1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stripe {
    /// Half of the angle that the stripe takes of the section, radians.
    pub half_angle: f64,
    /// Colour; `None` chooses light on dark tubes and dark on light ones.
    pub color: Option<Color>,
}

impl Default for Stripe {
    fn default() -> Self {
        Self {
            half_angle: 0.42,
            color: None,
        }
    }
}

impl Tube {
    /// An open, smooth tube of one radius and colour, without a stripe.
    pub fn new(centerline: Vec<DVec3>, radius: f64, color: Color) -> Self {
        Self {
            centerline,
            radius: vec![radius],
            material_directors: None,
            closed: false,
            color: TubeColor::Uniform(color),
            stripe: Stripe::default(),
            smooth: true,
        }
    }

    /// The same tube with directors m1, one per edge.
    pub fn with_directors(mut self, directors: Vec<DVec3>) -> Self {
        self.material_directors = Some(directors);
        self
    }

    /// The same tube with its last node joined to the first.
    pub fn closed(mut self) -> Self {
        self.closed = true;
        self
    }

    /// Number of edges.
    pub fn edges(&self) -> usize {
        if self.closed {
            self.centerline.len()
        } else {
            self.centerline.len().saturating_sub(1)
        }
    }

    /// The two nodes of an edge.
    pub(crate) fn edge(&self, edge: usize) -> (DVec3, DVec3) {
        (
            self.centerline[edge],
            self.centerline[(edge + 1) % self.centerline.len()],
        )
    }

    /// Largest radius, scene length.
    pub(crate) fn largest_radius(&self) -> f64 {
        self.radius.iter().copied().fold(0.0, f64::max)
    }

    /// Checks all arrays; `tube` is the index for the error.
    pub(crate) fn validate(&self, tube: usize) -> Result<(), RenderError> {
        let nodes = self.centerline.len();
        let needed = if self.closed { 3 } else { 2 };
        if nodes < needed {
            return Err(RenderError::TooFewNodes {
                tube,
                nodes,
                needed,
            });
        }
        check_vectors(tube, "centerline", &self.centerline)?;
        for edge in 0..self.edges() {
            let (from, to) = self.edge(edge);
            let size = from.abs().max(to.abs()).max_element();
            if (to - from).length() <= 1e-14 * size {
                return Err(RenderError::CoincidentNodes { tube, edge });
            }
        }
        self.check_scalars(tube, "radius", &self.radius)?;
        if let Some(index) = self.radius.iter().position(|&r| r <= 0.0) {
            return Err(RenderError::BadRadius {
                tube,
                index,
                radius: self.radius[index],
            });
        }
        if let TubeColor::Scalar { values, range, .. } = &self.color {
            self.check_scalars(tube, "color values", values)?;
            self.check_scalars(tube, "color range", &[range.0])?;
            self.check_scalars(tube, "color range", &[range.1])?;
        }
        if let Some(directors) = &self.material_directors {
            self.validate_directors(tube, directors)?;
        }
        Ok(())
    }

    fn validate_directors(&self, tube: usize, directors: &[DVec3]) -> Result<(), RenderError> {
        let array = "material_directors";
        if directors.len() != self.edges() {
            let (found, nodes) = (directors.len(), self.centerline.len());
            return Err(RenderError::LengthMismatch {
                tube,
                array,
                found,
                nodes,
            });
        }
        check_vectors(tube, array, directors)?;
        match directors.iter().position(|m1| m1.length() < 1e-12) {
            Some(edge) => Err(RenderError::ZeroDirector { tube, edge }),
            None => self.check_scalars(tube, "stripe.half_angle", &[self.stripe.half_angle]),
        }
    }

    fn check_scalars(
        &self,
        tube: usize,
        array: &'static str,
        values: &[f64],
    ) -> Result<(), RenderError> {
        let (found, nodes) = (values.len(), self.centerline.len());
        if found != 1 && found != nodes && found != self.edges() {
            return Err(RenderError::LengthMismatch {
                tube,
                array,
                found,
                nodes,
            });
        }
        match values
            .iter()
            .position(|v| !v.is_finite() || v.abs() > LARGEST)
        {
            Some(index) => Err(RenderError::NonFinite { tube, array, index }),
            None => Ok(()),
        }
    }
}

fn check_vectors(tube: usize, array: &'static str, values: &[DVec3]) -> Result<(), RenderError> {
    match values
        .iter()
        .position(|v| !v.is_finite() || v.abs().max_element() > LARGEST)
    {
        Some(index) => Err(RenderError::NonFinite { tube, array, index }),
        None => Ok(()),
    }
}
