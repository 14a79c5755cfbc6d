//! The frames of a run as scenes to draw, and how they are looked at.

pub mod bent;
pub mod contacts;
pub mod field;
pub mod look;
pub mod viewpoint;

use std::path::Path;
use std::sync::OnceLock;

use glam::DVec3;
use writhe::obstacle::Obstacle;
use writhe::simulation::Simulation;
use writhe_render::{Bounds, Color, ColorBar, Legend, Scene, Tube, TubeColor, rod_color};
use writhe_results::bodies;
use writhe_rundir::{Contact, Rods, RunReader};
use writhe_scenes::spec::BodySpec;
use writhe_session::failure::{Failure, Result};
use writhe_session::follow::Over;
use writhe_session::format::{number, with_prefix};
use writhe_session::scene::RunnableScene;

use crate::fixtures::{self, Fixture};
use crate::joints::{self, Joint};
use crate::{obstacles, pose, unreadable_scene, up};

use contacts::Arrows;
use field::Field;

/// More rods than this have one colour, unless the user says otherwise.
const MANY_RODS: usize = 12;
/// More rods than this are not listed in a legend.
const MOST_LISTED: usize = 10;
/// Frames from which the direction of view is found.
const LOOKED_AT: usize = 9;
/// What holds a rod is drawn as for a rod of at least this radius, over the size of all rods.
const LEAST_HELD: f64 = 1.0 / 600.0;

/// By how much a floor reaches less far than others draw it.
const FLOOR: f64 = 0.6;

/// A run to draw.
#[derive(Debug)]
pub struct Pictures {
    reader: RunReader,
    rods: Rods,
    /// Time of each frame, s; at least one.
    times: Vec<f64>,
    /// Contacts of each frame, read when they are first asked for; `None` where the run records
    /// none.
    contacts: OnceLock<Option<Vec<Vec<Contact>>>>,
    fixtures: Vec<Fixture>,
    /// All of the scene, those on bodies too.
    all_obstacles: Vec<Obstacle>,
    obstacles: Vec<Obstacle>,
    up: DVec3,
    dress: Dress,
    /// Size of all rods in the first frame and the last, m.
    size: f64,
    bodies: Vec<BodySpec>,
    /// Corners of the box around all rods in the frames to show, if they are to share their
    /// surroundings.
    region: Option<(DVec3, DVec3)>,
    joints: Vec<Joint>,
    /// What a reader should know: what is not shown, and why.
    pub notice: Option<String>,
    /// Name of the run directory.
    pub name: String,
}

/// What is shown besides the shapes of rods and of what surrounds them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Dress {
    /// What colours show; `None`: which rod it is, or one colour for many rods.
    pub field: Option<Field>,
    /// The colours of a quantity.
    pub bar: Option<ColorBar>,
    /// Force of the longest arrow at contacts, N; no arrows if `None`.
    pub strong: Option<f64>,
    /// Leaves out what holds rods.
    pub free: bool,
}

impl Pictures {
    /// The run in this directory.
    ///
    /// # Errors
    /// When it is no run, or has no frame yet.
    pub fn open(directory: &Path) -> Result<Self> {
        let reader = RunReader::open(directory)?;
        let times = reader.times()?;
        if times.is_empty() {
            return Err(Failure::bad_input(format!(
                "the run in `{}` has no frame yet",
                directory.display()
            ))
            .help("wait for its first checkpoint"));
        }
        let name = directory
            .canonicalize()
            .ok()
            .and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()))
            .unwrap_or_else(|| directory.display().to_string());
        // A scene of another version that cannot be read is no reason not to draw it.
        let read = RunnableScene::of_run(reader.scene_toml())
            .and_then(|scene| Ok((scene.bodies(), scene.gravity(), scene.simulation()?)));
        let mut run = Self {
            rods: Rods::at_rest_in(reader.layout(), &reader.positions(0)?),
            contacts: OnceLock::new(),
            reader,
            times,
            fixtures: Vec::new(),
            all_obstacles: Vec::new(),
            obstacles: Vec::new(),
            bodies: Vec::new(),
            region: None,
            joints: Vec::new(),
            up: DVec3::Z,
            dress: Dress::default(),
            size: 0.0,
            notice: None,
            name,
        };
        match read {
            Ok((of_scene, gravity, Simulation { model, state, .. })) => {
                run.up = up::up(&model, &state, gravity);
                run.joints = joints::all(&model, &of_scene);
                run.bodies = of_scene;
                run.fixtures = fixtures::all(&model);
                if model.rest_length.len() == run.reader.layout().edges() {
                    run.rods = Rods::new(run.reader.layout(), model.rest_length.clone());
                }
                run = run.among(model.obstacles);
            }
            Err(failure) => run.notice = Some(unreadable_scene(&failure)),
        }
        run.size = run.size_in(&[0, run.frames() - 1])?;
        Ok(run)
    }

    /// The same run, with these obstacles in place of those of its scene.
    pub fn among(self, obstacles: Vec<Obstacle>) -> Self {
        Self {
            all_obstacles: obstacles.clone(),
            obstacles: obstacles::standing(obstacles),
            ..self
        }
    }

    /// The same run, with this shown besides shapes.
    pub fn dressed(self, dress: Dress) -> Self {
        Self { dress, ..self }
    }

    /// What colours show unless the user says otherwise.
    fn field(&self) -> Field {
        let rods = self.reader.layout().rods.len();
        let usual = if rods > MANY_RODS {
            Field::One
        } else {
            Field::Rod
        };
        self.dress.field.unwrap_or(usual)
    }

    /// The bar of colours that shows a quantity in all of these frames; `None` for what is no
    /// quantity.
    ///
    /// # Errors
    /// When a frame cannot be read; when the run has no such quantity.
    pub fn bar(&self, field: Field, frames: &[usize]) -> Result<Option<ColorBar>> {
        if !field.is_quantity() {
            return Ok(None);
        }
        if field == Field::Force && self.contacts()?.is_none() {
            return Err(no_contacts(&self.name));
        }
        let stride = Field::stride(frames.len(), self.rods.edge_nodes().len());
        let mut values = Vec::new();
        for frame in frames.iter().step_by(stride) {
            values.extend(self.values(field, *frame)?);
        }
        Ok(Some(field.bar(values)))
    }

    /// Force of the longest arrow at contacts in these frames, N; `None` where nothing presses.
    ///
    /// # Errors
    /// When the run records no contacts.
    pub fn strong(&self, frames: &[usize]) -> Result<Option<f64>> {
        let Some(all) = self.contacts()? else {
            return Err(no_contacts(&self.name));
        };
        let shown = frames.iter().filter_map(|frame| all.get(*frame));
        let shown: Vec<&[Contact]> = shown.map(Vec::as_slice).collect();
        Ok(contacts::strong(&shown))
    }

    fn contacts(&self) -> Result<Option<&[Vec<Contact>]>> {
        let all = match self.contacts.get() {
            Some(all) => all,
            None => {
                let read = self.reader.contacts()?;
                self.contacts.get_or_init(|| read)
            }
        };
        Ok(all.as_deref())
    }

    fn contacts_in(&self, frame: usize) -> Result<&[Contact]> {
        let all = self.contacts()?;
        Ok(all
            .and_then(|all| all.get(frame))
            .map_or(&[], Vec::as_slice))
    }

    fn values(&self, field: Field, frame: usize) -> Result<Vec<f64>> {
        let contacts = match field {
            Field::Force => self.contacts_in(frame)?,
            _ => &[],
        };
        let mut values = (field.values(&self.reader, &self.rods, contacts, &self.times, frame))?;
        if field == Field::Speed {
            without_noise(&mut values, self.size / self.end());
        }
        Ok(values)
    }

    /// Diagonal of the box around all rods in these frames, m.
    fn size_in(&self, frames: &[usize]) -> Result<f64> {
        let (low, high) = self.box_of(frames)?.unwrap_or_default();
        Ok((high - low).length())
    }

    fn box_of(&self, frames: &[usize]) -> Result<Option<(DVec3, DVec3)>> {
        let mut region = None;
        for frame in frames {
            for node in self.reader.positions(*frame)?.into_iter().map(DVec3::from) {
                let (low, high) = region.unwrap_or((node, node));
                region = Some((node.min(low), node.max(high)));
            }
        }
        Ok(region)
    }

    /// Number of frames, at least one.
    pub fn frames(&self) -> usize {
        self.times.len()
    }

    /// Lays the surroundings out for all of these frames alike: a floor stands still from one to
    /// the next.
    ///
    /// # Errors
    /// When a frame cannot be read.
    pub fn share_surroundings(&mut self, frames: &[usize]) -> Result<()> {
        self.region = self.box_of(frames)?;
        Ok(())
    }

    /// Time of a frame, s.
    pub fn time(&self, frame: usize) -> f64 {
        self.times[frame]
    }

    /// Time of the last frame, s.
    pub fn end(&self) -> f64 {
        self.times.last().copied().unwrap_or(0.0)
    }

    /// The frame nearest to `time`, s; `None` if the run does not reach it.
    pub fn nearest(&self, time: f64) -> Option<usize> {
        let beyond = self.times.len().checked_sub(2).map_or(0.0, |i| {
            0.5 * (self.end() - self.times.get(i).copied().unwrap_or(0.0))
        });
        if !(time >= -beyond && time <= self.end() + beyond) {
            return None;
        }
        let distance = |frame: &usize| (self.times[*frame] - time).abs();
        (0..self.times.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }

    /// Label of a frame: its time, or the parameter where equilibria follow one.
    pub fn label(&self, frame: usize) -> String {
        let over = self.reader.summary().and_then(Over::of);
        let parameter = self.reader.observable("parameter");
        if let (Some(over), Some(column)) = (over, parameter)
            && let Some(value) = column.values.get(frame)
        {
            return over.told(*value);
        }
        format!("t = {} s", number(self.times[frame], 4))
    }

    /// What is written below the picture of a frame: its time, what colours and arrows mean.
    pub fn legend(&self, frame: usize) -> Legend {
        let rods = self.reader.layout().rods.len();
        let listed = self.dress.field == Some(Field::Rod) && (2..=MOST_LISTED).contains(&rods);
        let strong = self.dress.strong;
        Legend {
            label: self.label(frame),
            color_bar: self.dress.bar.clone(),
            colors: (0..if listed { rods } else { 0 })
                .map(|rod| (rod_color(rod), format!("rod {rod}")))
                .collect(),
            arrow: strong.map(|strong| {
                let force = with_prefix(strong, "N");
                (contacts::color(), format!("contact force up to {force}"))
            }),
            scale_bar: None,
        }
    }

    /// The rods, obstacles, bodies, joints, clamps and contacts of a frame.
    ///
    /// # Errors
    /// When the frame cannot be read.
    pub fn scene(&self, frame: usize) -> Result<Scene> {
        let positions = self.reader.positions(frame)?;
        let directors = self.reader.directors(frame)?;
        let vectors = |arrays: &[[f64; 3]]| arrays.iter().map(|v| DVec3::from_array(*v)).collect();
        let field = self.field();
        let bar = self.dress.bar.as_ref().filter(|_| field.is_quantity());
        let values = match bar {
            Some(_) => self.values(field, frame)?,
            None => Vec::new(),
        };
        let color = |rod: usize, nodes: std::ops::Range<usize>| match bar {
            Some(bar) => TubeColor::Scalar {
                values: values[nodes].to_vec(),
                range: bar.range,
                map: bar.map,
            },
            None if field == Field::Rod => TubeColor::Uniform(rod_color(rod)),
            None => TubeColor::Uniform(rod_color(0)),
        };
        let (mut node, mut edge) = (0, 0);
        let mut tubes = Vec::new();
        let layout = self.reader.layout();
        for (index, rod) in layout.rods.iter().enumerate() {
            let (nodes, edges) = (node..node + rod.nodes, edge..edge + rod.edges());
            (node, edge) = (nodes.end, edges.end);
            let centerline = vectors(&positions[nodes.clone()]);
            let mut tube = Tube::new(centerline, 0.0, Color::WHITE)
                .with_directors(vectors(&directors[edges.clone()]));
            tube.color = color(index, nodes);
            tube.radius = layout.radius[edges].to_vec();
            tubes.push(if rod.closed { tube.closed() } else { tube });
        }
        let mut scene = Scene::new(tubes);
        let time = self.times[frame];
        obstacles::add(&mut scene, &self.obstacles, time, self.region);
        if let Some(floor) = &mut scene.floor {
            // It ends before the picture does, about.
            floor.fade_radius *= FLOOR;
        }
        let poses = self.reader.bodies(frame)?;
        bodies::add(&mut scene, &self.bodies, &poses);
        let broken = self.reader.broken_joints(frame)?;
        joints::add(&mut scene, &self.joints, &broken, &poses);
        if !self.dress.free {
            let rods = fixtures::Rods {
                edge_nodes: self.rods.edge_nodes(),
                radius: &layout.radius,
                least: LEAST_HELD * self.size,
            };
            let fixtures = self.fixtures.iter().filter_map(|fixture| {
                let pose = rods.pose(*fixture, &positions, &directors)?;
                Some(pose::placed(rods.solid(*fixture)?, &pose))
            });
            scene.solids.extend(fixtures);
        }
        if let Some(arrows) = self.arrows() {
            let bodies: Vec<_> = poses.iter().map(pose::of_body).collect();
            let around = ((self.all_obstacles.as_slice(), time), bodies.as_slice());
            let here = self.contacts_in(frame)?;
            contacts::add(&mut scene, arrows, here, &self.rods, &positions, around);
        }
        Ok(scene)
    }

    /// What a camera that shows these frames has in sight: all of them, or what is bent where all
    /// would look like a thread; of what is bent all along, a piece.
    ///
    /// # Errors
    /// When a frame cannot be read.
    pub fn sight(&self, frames: &[usize]) -> Result<Sight> {
        let shapes = self.shapes(frames)?;
        if self.bodies.is_empty() && self.obstacles.is_empty() {
            let arrows = self.arrows().map_or(0.0, |arrows| arrows.longest());
            let bent = bent::region(&shapes, &self.closed(), arrows);
            if let Some(bounds) = bent {
                let mut all = Bounds::default();
                for node in shapes.iter().flatten().flatten() {
                    all.add_ball(*node, 0.0);
                }
                return Ok(Sight::part(bounds, &all));
            }
        }
        let mut bounds = Bounds::default();
        for frame in frames {
            bounds.add_scene(&self.scene(*frame)?);
        }
        Ok(match bent::piece(&shapes, &self.closed(), &bounds) {
            Some(piece) => Sight::part(piece, &bounds),
            None => Sight { bounds, part: None },
        })
    }

    /// Node positions of each rod in these frames, m.
    fn shapes(&self, frames: &[usize]) -> Result<Vec<Vec<Vec<DVec3>>>> {
        let mut shapes = Vec::new();
        for frame in frames {
            let positions = self.reader.positions(*frame)?;
            let mut rest = positions.as_slice();
            let rods = self.reader.layout().rods.iter().map(|rod| {
                let (own, others) = rest.split_at(rod.nodes.min(rest.len()));
                rest = others;
                own.iter().map(|x| DVec3::from(*x)).collect()
            });
            shapes.push(rods.collect());
        }
        Ok(shapes)
    }

    /// Whether each rod is closed.
    fn closed(&self) -> Vec<bool> {
        let rods = self.reader.layout().rods.iter();
        rods.map(|rod| rod.closed).collect()
    }

    /// How large arrows at contacts are, if there are any.
    fn arrows(&self) -> Option<Arrows> {
        let radius = &self.reader.layout().radius;
        Some(Arrows {
            strong: self.dress.strong?,
            size: self.size,
            radius: radius.iter().sum::<f64>() / radius.len().max(1) as f64,
        })
    }

    /// What is up in this run.
    pub fn up(&self) -> DVec3 {
        self.up
    }

    /// The direction of view in which bend and motion of this run show, with `up` up.
    ///
    /// # Errors
    /// When a frame cannot be read.
    pub fn direction(&self, up: DVec3) -> Result<DVec3> {
        let last = self.frames() - 1;
        let count = LOOKED_AT.min(self.frames());
        let mut frames: Vec<usize> = (0..count).map(|i| i * last / (count - 1).max(1)).collect();
        frames.dedup();
        let shapes = self.shapes(&frames)?;
        let closed = self.closed();
        let mut around = Scene::new(Vec::new());
        let region = self.box_of(&frames)?;
        obstacles::add(&mut around, &self.obstacles, self.end(), region);
        Ok(viewpoint::direction(
            &viewpoint::Seen {
                frames: &shapes,
                closed: &closed,
                solids: &around.solids,
                among: !around.solids.is_empty() || !self.bodies.is_empty(),
                floor: around.floor,
            },
            up,
        ))
    }
}

/// What a camera has in sight.
#[derive(Debug, Clone)]
pub struct Sight {
    /// What it shows.
    pub bounds: Bounds,
    /// Where that is a part of a run: its length, and that of all along the same axis, m.
    pub part: Option<[f64; 2]>,
}

impl Sight {
    /// A part of what is within `all`.
    fn part(bounds: Bounds, all: &Bounds) -> Self {
        let sides = |bounds: &Bounds| bounds.corners().map(|(low, high)| high - low);
        let part = sides(all).zip(sides(&bounds)).map(|(all, shown)| {
            let axis = all.max_position();
            [shown[axis], all[axis]]
        });
        Self {
            bounds,
            part: part.filter(|[shown, all]| shown < all),
        }
    }
}

/// Part of the speed that crosses a picture in the time of its run, below which a speed is what
/// rounding leaves of rest: nobody could see it move.
const REST: f64 = 1e-9;

/// Speeds, those of rest as 0; `crossing` is what crosses the picture in the time of the run, m/s.
fn without_noise(speeds: &mut [f64], crossing: f64) {
    // Of a run without duration all speeds count.
    let least = if crossing.is_finite() {
        REST * crossing
    } else {
        0.0
    };
    for speed in speeds.iter_mut().filter(|speed| **speed < least) {
        *speed = 0.0;
    }
}

/// What is told where contacts are asked for that a run does not hold.
fn no_contacts(name: &str) -> Failure {
    Failure::bad_input(format!("the run `{name}` records no contacts"))
        .help("they are recorded where rods may touch: run a scene with `[contact]`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_at_rest_has_no_speed() {
        // 64 mm in 1 s; rounding leaves 3.4e-14 m/s.
        let mut speeds = [3.4e-14, 1e-6];
        without_noise(&mut speeds, 0.064);
        assert_eq!(speeds, [0.0, 1e-6]);
        without_noise(&mut speeds, f64::INFINITY);
        assert_eq!(speeds, [0.0, 1e-6]);
    }
}
