//! Contact sheets: a labelled grid of pictures.

mod layout;

use std::ops::Range;

use glam::DVec3;
use rayon::prelude::*;

use crate::bounds::Bounds;
use crate::camera::{Camera, Projection};
use crate::color::Color;
use crate::error::RenderError;
use crate::image::Image;
use crate::legend::Legend;
use crate::render::{RenderOptions, render_on};
use crate::scale::{ScaleBar, label_style};
use crate::scene::{Background, Scene};
use crate::text::{Anchor, TextStyle};

use layout::Layout;

/// Tallest and widest shape (width over height) that a cell takes by itself.
const CELL_ASPECT: (f64, f64) = (0.25, 4.0);
/// Part of a cell that stays empty on each side.
const CELL_MARGIN: f64 = 0.045;
/// Room above and below the pictures of a trimmed row, in letters.
const TRIMMED_ROOM: f64 = 0.4;

/// Pictures in rows (scenes) and columns (times).
#[derive(Debug, Clone, Default)]
pub struct ContactSheet {
    /// Above the grid; no title if empty.
    pub title: String,
    /// Above the columns, one each, or none at all.
    pub column_labels: Vec<String>,
    /// From top to bottom.
    pub rows: Vec<SheetRow>,
    /// Size, camera, legends.
    pub options: SheetOptions,
}

/// One row of a contact sheet.
#[derive(Debug, Clone, Default)]
pub struct SheetRow {
    /// To the left of the row; may be empty.
    pub label: String,
    /// From left to right; shorter rows leave cells empty.
    pub frames: Vec<Scene>,
    /// Above each of the frames; none for those that columns have labels for.
    pub frame_labels: Vec<String>,
    /// The camera of this row instead of the automatic one.
    pub camera: Option<Camera>,
    /// The point in the middle of the picture of each frame, scene length; for frames beyond them
    /// that of the camera.
    pub targets: Vec<DVec3>,
}

/// Size, camera and legends of a contact sheet.
#[derive(Debug, Clone)]
pub struct SheetOptions {
    /// Size of a cell.
    pub cell: CellSize,
    /// Whether a row is only as high as its pictures need: what none of them shows anything in,
    /// above and below, is left out.
    pub trimmed: bool,
    /// Direction of view; chosen from the shape if `None`.
    pub direction: Option<DVec3>,
    /// What is up.
    pub up: DVec3,
    /// How much larger than to show all of it; the middle is shown.
    pub zoom: f64,
    /// Behind everything; overrides the scenes'.
    pub background: Background,
    /// Bar below the grid.
    pub scale_bar: SheetScaleBar,
    /// Below the grid; its scale bar is the one above.
    pub legend: Legend,
    /// Size of labels, pixels per em; titles are larger.
    pub text_size: f64,
    /// Samples per pixel in each direction, 1 to 4.
    pub supersample: u32,
    /// Most corners of the cross-sections.
    pub sides: usize,
    /// Least width of a rod, pixels: [`RenderOptions::least_width`].
    pub least_width: f64,
}

/// Size of a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CellSize {
    /// Width and height, pixels.
    Fixed(u32, u32),
    /// The shape of the content with this geometric mean of width and height, pixels.
    Fitted(f64),
}

/// Bar below the grid.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum SheetScaleBar {
    /// A round length, scenes being in metres.
    #[default]
    Auto,
    /// None.
    Off,
    /// The given one.
    Given(ScaleBar),
}

impl Default for SheetOptions {
    fn default() -> Self {
        Self {
            cell: CellSize::Fitted(220.0),
            trimmed: false,
            direction: None,
            up: DVec3::Z,
            zoom: 1.0,
            background: Background::White,
            scale_bar: SheetScaleBar::Auto,
            legend: Legend::default(),
            text_size: 18.0,
            supersample: 3,
            sides: RenderOptions::default().sides,
            least_width: RenderOptions::default().least_width,
        }
    }
}

impl ContactSheet {
    /// Draws the sheet. Without cameras of their own, all rows are seen from the same direction at
    /// the same scale, each row centred on what it shows over all its frames.
    ///
    /// # Errors
    /// Any [`RenderError`] of a frame; [`RenderError::LabelCount`]; [`RenderError::EmptyBounds`]
    /// without a single tube.
    pub fn render(&self) -> Result<Image, RenderError> {
        let columns = self.columns()?;
        let (cell, cameras) = self.cameras()?;
        let mut pictures = self.pictures(cell, &cameras)?;
        if self.options.trimmed {
            let room = TRIMMED_ROOM * self.options.text_size;
            pictures.iter_mut().for_each(|row| trim(row, room as u32));
        }
        let heights = pictures
            .iter()
            .map(|row| row.first().map_or(cell.1, Image::height));
        let shown = cameras[0].height_at_target();
        let layout = Layout::new(self, columns, cell, heights.collect(), shown);
        let mut image = Image::new(
            layout.width()?,
            layout.height()?,
            self.options.background.color(),
        )?;
        for (row, pictures) in pictures.iter().enumerate() {
            for (column, picture) in pictures.iter().enumerate() {
                image.paste(picture, layout.left(column) as i64, layout.top(row) as i64);
            }
        }
        self.draw_labels(&mut image, &layout);
        self.draw_legends(&mut image, &layout);
        Ok(image)
    }

    fn columns(&self) -> Result<usize, RenderError> {
        let size = self.options.text_size;
        if !(4.0..=400.0).contains(&size) {
            return Err(RenderError::BadOption {
                name: "text_size",
                value: size,
            });
        }
        let columns = self
            .rows
            .iter()
            .map(|row| row.frames.len())
            .max()
            .unwrap_or(0);
        let labels = self.column_labels.len();
        if columns == 0 {
            Err(RenderError::EmptyBounds)
        } else if labels != 0 && labels != columns {
            Err(RenderError::LabelCount { labels, columns })
        } else {
            Ok(columns)
        }
    }

    /// Size of a cell and the camera of each row.
    fn cameras(&self) -> Result<((u32, u32), Vec<Camera>), RenderError> {
        let options = &self.options;
        for scene in self.rows.iter().flat_map(|row| &row.frames) {
            scene.validate()?;
        }
        let rows: Vec<Bounds> = self.rows.iter().map(SheetRow::bounds).collect();
        let mut all = Bounds::default();
        rows.iter().for_each(|row| all.merge(row));
        let direction = options
            .direction
            .unwrap_or_else(|| Camera::good_direction(&all, options.up));
        let mut extent = (0f64, 0f64);
        for row in rows.iter().filter(|row| !row.is_empty()) {
            let (width, height) = Camera::extent(row, direction, options.up)?;
            extent = (extent.0.max(width), extent.1.max(height));
        }
        let cell = options.cell.pixels(extent)?;
        let aspect = f64::from(cell.0) / f64::from(cell.1);
        let height = extent.1.max(extent.0 / aspect) / (1.0 - 2.0 * CELL_MARGIN) / options.zoom;
        let camera = |(row, bounds): (&SheetRow, &Bounds)| -> Result<Camera, RenderError> {
            match row.camera {
                Some(camera) => Ok(camera),
                None => {
                    let bounds = if bounds.is_empty() { &all } else { bounds };
                    let mut camera =
                        Camera::fit(bounds, direction, options.up, aspect, CELL_MARGIN)?;
                    camera.projection = Projection::Orthographic { height };
                    Ok(camera)
                }
            }
        };
        Ok((
            cell,
            self.rows
                .iter()
                .zip(&rows)
                .map(camera)
                .collect::<Result<_, RenderError>>()?,
        ))
    }

    fn pictures(
        &self,
        (width, height): (u32, u32),
        cameras: &[Camera],
    ) -> Result<Vec<Vec<Image>>, RenderError> {
        let SheetOptions {
            supersample,
            sides,
            least_width,
            background,
            ..
        } = self.options;
        let options = RenderOptions {
            width,
            height,
            supersample,
            sides,
            least_width,
        };
        self.rows
            .par_iter()
            .zip(cameras)
            .map(|(row, camera)| {
                row.frames
                    .par_iter()
                    .enumerate()
                    .map(|(frame, scene)| {
                        let target = row.targets.get(frame).copied();
                        let camera = Camera {
                            target: target.unwrap_or(camera.target),
                            ..*camera
                        };
                        render_on(scene, background, &camera, &options)
                    })
                    .collect()
            })
            .collect()
    }

    fn draw_labels(&self, image: &mut Image, layout: &Layout) {
        let (size, ink) = (self.options.text_size, self.options.background.ink());
        let title = TextStyle {
            size: layout.title_size,
            color: ink,
            bold: true,
        };
        image.draw_text(
            &self.title,
            layout.outer,
            layout.outer + 0.75 * layout.title_size,
            Anchor::Left,
            title,
        );
        let style = label_style(size, ink);
        for (column, label) in self.column_labels.iter().enumerate() {
            let middle = layout.left(column) + 0.5 * layout.cell.0;
            image.draw_text(
                label,
                middle,
                layout.grid_top - 0.55 * size,
                Anchor::Center,
                style,
            );
        }
        for (row, SheetRow { frame_labels, .. }) in self.rows.iter().enumerate() {
            for (column, label) in frame_labels.iter().enumerate() {
                let middle = layout.left(column) + 0.5 * layout.cell.0;
                let base = layout.top(row) - 0.55 * size;
                image.draw_text(label, middle, base, Anchor::Center, style);
            }
        }
        for (row, SheetRow { label, .. }) in self.rows.iter().enumerate() {
            let middle = layout.top(row) + 0.5 * layout.height_of(row);
            image.draw_text(
                label,
                layout.outer,
                middle + 0.35 * size,
                Anchor::Left,
                style,
            );
            if row > 0 && layout.row_head == 0.0 {
                let y = (layout.top(row) - 0.5 * layout.row_gap).floor();
                let faint = ink.mix(
                    self.options.background.color().unwrap_or(Color::WHITE),
                    0.86,
                );
                image.fill_box(
                    layout.outer,
                    y,
                    layout.width - 2.0 * layout.outer,
                    1.0,
                    faint,
                );
            }
        }
    }

    fn draw_legends(&self, image: &mut Image, layout: &Layout) {
        let at = (
            layout.grid_left,
            layout.grid_bottom() + 0.5 * self.options.text_size,
        );
        let ink = self.options.background.ink();
        let width = layout.width - layout.outer - layout.grid_left;
        (layout.legend).draw(image, at, width, self.options.text_size, ink);
    }
}

/// Cuts from the pictures of a row what nothing is seen in above and below, but for so much `room`,
/// pixels.
fn trim(pictures: &mut [Image], room: u32) {
    let shown = pictures.iter().filter_map(Image::inked_rows);
    let join = |a: Range<u32>, b: Range<u32>| a.start.min(b.start)..a.end.max(b.end);
    let Some(rows) = shown.reduce(join) else {
        return;
    };
    for picture in pictures {
        let end = (rows.end + room).min(picture.height());
        *picture = picture.of_rows(rows.start.saturating_sub(room)..end);
    }
}

impl SheetRow {
    /// A row with a label.
    pub fn new(label: impl Into<String>, frames: Vec<Scene>) -> Self {
        Self {
            label: label.into(),
            frames,
            frame_labels: Vec::new(),
            camera: None,
            targets: Vec::new(),
        }
    }

    fn bounds(&self) -> Bounds {
        let mut bounds = Bounds::default();
        self.frames.iter().for_each(|scene| bounds.add_scene(scene));
        bounds
    }
}

impl CellSize {
    /// Pixels of a cell that shows `extent` (scene length).
    fn pixels(self, (width, height): (f64, f64)) -> Result<(u32, u32), RenderError> {
        match self {
            Self::Fixed(width, height) => Ok((width, height)),
            Self::Fitted(mean) if (8.0..=8192.0).contains(&mean) => {
                let aspect = width / height;
                let aspect = if aspect.is_finite() {
                    aspect.clamp(CELL_ASPECT.0, CELL_ASPECT.1)
                } else {
                    1.0
                };
                Ok((
                    (mean * aspect.sqrt()).round() as u32,
                    (mean / aspect.sqrt()).round() as u32,
                ))
            }
            Self::Fitted(mean) => Err(RenderError::BadOption {
                name: "cell size",
                value: mean,
            }),
        }
    }
}
