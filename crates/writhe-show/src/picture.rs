//! The frames of a run as scenes of tubes.

use std::path::Path;

use glam::DVec3;
use writhe::obstacle::Obstacle;
use writhe::simulation::Simulation;
use writhe_render::{Scene, Tube, rod_color};
use writhe_results::bodies;
use writhe_rundir::RunReader;
use writhe_scenes::spec::BodySpec;
use writhe_session::failure::{Failure, Result};
use writhe_session::format::number;
use writhe_session::scene::RunnableScene;

use crate::joints::{self, Joint};
use crate::{obstacles, unreadable_scene, up};

/// A run to draw.
#[derive(Debug)]
pub struct Pictures {
    reader: RunReader,
    /// Time of each frame, s; at least one.
    times: Vec<f64>,
    obstacles: Vec<Obstacle>,
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
            .and_then(|scene| Ok((scene.bodies(), scene.simulation()?)));
        let (mut obstacles, mut bodies, mut joints) = (Vec::new(), Vec::new(), Vec::new());
        let mut notice = None;
        match read {
            Ok((of_scene, Simulation { model, .. })) => {
                bodies = of_scene;
                joints = joints::all(&model, &bodies);
                obstacles = obstacles::standing(model.obstacles);
            }
            Err(failure) => notice = Some(unreadable_scene(&failure)),
        }
        Ok(Self {
            reader,
            times,
            obstacles,
            bodies,
            region: None,
            joints,
            notice,
            name,
        })
    }

    /// The same run, with these obstacles in place of those of its scene.
    pub fn among(self, obstacles: Vec<Obstacle>) -> Self {
        Self {
            obstacles: obstacles::standing(obstacles),
            ..self
        }
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
        let mut region = None;
        for frame in frames {
            for node in self.reader.positions(*frame)?.into_iter().map(DVec3::from) {
                let (low, high) = region.unwrap_or((node, node));
                region = Some((node.min(low), node.max(high)));
            }
        }
        self.region = region;
        Ok(())
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

    /// Label of a frame: its time.
    pub fn label(&self, frame: usize) -> String {
        format!("t = {} s", number(self.times[frame], 4))
    }

    /// The rods, obstacles, bodies and joints of a frame.
    ///
    /// # Errors
    /// When the frame cannot be read.
    pub fn scene(&self, frame: usize) -> Result<Scene> {
        let positions = self.reader.positions(frame)?;
        let directors = self.reader.directors(frame)?;
        let vectors = |arrays: &[[f64; 3]]| arrays.iter().map(|v| DVec3::from_array(*v)).collect();
        let (mut node, mut edge) = (0, 0);
        let mut tubes = Vec::new();
        let layout = self.reader.layout();
        for (index, rod) in layout.rods.iter().enumerate() {
            let (nodes, edges) = (node..node + rod.nodes, edge..edge + rod.edges());
            (node, edge) = (nodes.end, edges.end);
            let centerline = vectors(&positions[nodes]);
            let mut tube = Tube::new(centerline, 0.0, rod_color(index))
                .with_directors(vectors(&directors[edges.clone()]));
            tube.radius = layout.radius[edges].to_vec();
            tubes.push(if rod.closed { tube.closed() } else { tube });
        }
        let mut scene = Scene::new(tubes);
        obstacles::add(&mut scene, &self.obstacles, self.times[frame], self.region);
        let poses = self.reader.bodies(frame)?;
        bodies::add(&mut scene, &self.bodies, &poses);
        let broken = self.reader.broken_joints(frame)?;
        joints::add(&mut scene, &self.joints, &broken, &poses);
        Ok(scene)
    }

    /// What is up in this run.
    pub fn up(&self) -> DVec3 {
        // A scene of another version that cannot be read is no reason not to draw it.
        RunnableScene::of_run(self.reader.scene_toml())
            .and_then(|scene| {
                let simulation = scene.simulation()?;
                Ok(up::up(
                    &simulation.model,
                    &simulation.state,
                    scene.gravity(),
                ))
            })
            .unwrap_or(DVec3::Z)
    }
}
