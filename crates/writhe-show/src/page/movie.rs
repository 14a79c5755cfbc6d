//! The frames of a run as blocks of a page, and what stays over the run.

use std::path::Path;

use glam::DVec3;
use writhe::obstacle::Obstacle;
use writhe::simulation::Simulation;
use writhe_rundir::{Contact, Rods, RunReader, RunSummary, speeds};
use writhe_session::failure::Result;
use writhe_session::format::{count, number};
use writhe_session::scene::RunnableScene;
use writhe_viewer::{
    Block, Column, Field, Frame, MARK_BYTES, Mark, Rod, Setting, flow_bytes, frame_bytes,
};

use super::flow::{self, Flow};
use super::parameters;
use super::surroundings::{self, Moving};
use crate::unreadable_scene;

/// In the memory of a browser frames take at most about this many bytes: 10 flagella over 2,500
/// frames, twice over.
const MOST_BYTES: usize = 96 << 20;
/// Packed, frames take hardly less than this part of that.
const PACKED_PART: usize = 16;
/// Of the bytes of a page at most about this part is flow, which packing halves; of those in memory
/// at most this many.
const FLOW_PART: usize = 4;
const FLOW_PACKED_PART: usize = 2;
const MOST_FLOW_BYTES: usize = 24 << 20;
/// Velocities of all points by all nodes that are summed up for a page, at most about: ten seconds
/// of one processor.
const MOST_FLOW_PAIRS: usize = 1_500_000_000;

/// What a page is to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    /// Whether it follows a run in progress.
    pub live: bool,
    /// Whether it shows the flow of a fluid.
    pub flow: bool,
    /// Bytes that the packed frames and curves of a page are to take, about: more are not read.
    pub most_bytes: usize,
}

/// A page, and what is told of it.
#[derive(Debug)]
pub struct Page {
    /// The file.
    pub html: String,
    /// Number of frames that it shows.
    pub frames: usize,
    /// What a reader should know, such as frames left out.
    pub notice: Option<String>,
}

impl Wanted {
    /// A page that follows a run.
    pub const LIVE: Self = Self {
        live: true,
        flow: true,
        most_bytes: usize::MAX,
    };
}

/// A run to show.
#[derive(Debug)]
pub struct Movie {
    reader: RunReader,
    rods: Rods,
    moving: Moving,
    contacts: Option<Vec<Vec<Contact>>>,
    /// Without what is told of frames that are left out.
    setting: Setting,
    flow: Option<Flow>,
    left_out: LeftOut,
}

/// Of so many successive frames that are recorded one is shown, and one has the flow.
#[derive(Debug, Clone, Copy)]
struct LeftOut {
    stride: usize,
    flow_stride: usize,
}

impl Movie {
    /// The run in this directory as far as it is recorded.
    ///
    /// # Errors
    /// When it is no run or a file of it cannot be read.
    pub fn open(directory: &Path, wanted: Wanted) -> Result<Self> {
        let live = wanted.live;
        let mut reader = RunReader::open(directory)?;
        if live && reader.summary().is_some() {
            // The run may have ended while its files were read: now they are whole.
            reader = RunReader::open(directory)?;
        }
        // A scene of another version that cannot be read is no reason not to show the run.
        let mut notices = Vec::new();
        let scene = or_notice(RunnableScene::of_run(reader.scene_toml()), &mut notices);
        let simulation =
            (scene.as_ref()).and_then(|scene| or_notice(scene.simulation(), &mut notices));
        let layout = reader.layout();
        let rest = simulation
            .as_ref()
            .map(|simulation| simulation.model.rest_length.clone())
            .filter(|rest| rest.len() == layout.edges());
        let rods = match rest {
            Some(rest) => Rods::new(layout, rest),
            None if reader.frames() > 0 => Rods::at_rest_in(layout, &reader.positions(0)?),
            None => Rods::new(layout, vec![1.0; layout.edges()]),
        };
        let contacts = reader.contacts()?;
        let gravity = scene.as_ref().and_then(RunnableScene::gravity);
        let mut setting = Setting {
            name: name(directory),
            title: format!("{} — writhe", name(directory)),
            up: gravity.map_or(DVec3::ZERO, |g| -g).to_array(),
            rods: layout
                .rods
                .iter()
                .map(|rod| Rod {
                    nodes: rod.nodes,
                    closed: rod.closed,
                })
                .collect(),
            radius: layout.radius.clone(),
            fields: fields(contacts.is_some()),
            columns: columns(&reader),
            parameters: parameters::sections(reader.scene_toml()),
            summary: reader.summary().map(summary).unwrap_or_default(),
            live,
            ..Setting::default()
        };
        let bodies = scene.as_ref().map_or(Vec::new(), RunnableScene::bodies);
        let mut moving = Moving::default();
        let mut flow = None;
        if let Some(Simulation { model, state, .. }) = simulation {
            if wanted.flow && model.fluid.is_some() && !has_flow(&reader)? {
                notices.push(NO_FORCES.to_owned());
            } else if wanted.flow {
                // Planes of a page that follows a run must not move.
                let shapes = match live {
                    true => vec![
                        model
                            .positions(&state)
                            .iter()
                            .map(|x| x.to_array())
                            .collect(),
                    ],
                    false => flow::shapes(&reader)?,
                };
                flow = Flow::new(&model, &shapes)?;
            }
            surroundings::add_fixtures(&model, &mut setting);
            moving = Moving::new(model, &bodies, &reader, &mut setting)?;
        }
        let (flow, planes) = flow.unzip();
        setting.planes = planes.unwrap_or_default();
        // A page that follows a run must know at its first frame how many there will be.
        let expected = scene.map_or(0, |scene| scene.outputs().last() as usize + 1);
        let frames = reader.frames().max(if live { expected } else { 0 });
        let marks = contacts.iter().flatten().map(Vec::len).sum::<usize>();
        let bytes = frames * frame_bytes(&setting) + marks * MARK_BYTES;
        let most = MOST_BYTES.min(wanted.most_bytes.saturating_mul(PACKED_PART));
        let stride = stride(bytes, most);
        let shown = frames.div_ceil(stride);
        let most = MOST_FLOW_BYTES.min(wanted.most_bytes / FLOW_PART * FLOW_PACKED_PART);
        let by_size = self::stride(shown * flow_bytes(&setting), most);
        let pairs = flow.as_ref().map_or(0, Flow::pairs);
        let flow_stride = stride * by_size.max(self::stride(shown * pairs, MOST_FLOW_PAIRS));
        setting.notice = (!notices.is_empty()).then(|| notices.join(" "));
        let left_out = LeftOut {
            stride,
            flow_stride,
        };
        if live {
            setting.notice = left_out.told(setting.notice, flow.is_some());
        }
        Ok(Self {
            reader,
            rods,
            moving,
            contacts,
            setting,
            flow,
            left_out,
        })
    }

    /// The same page that opens with what a link says: what stands after its `#`.
    #[must_use]
    pub fn opening(mut self, link: Option<String>) -> Self {
        self.setting.opens = link;
        self
    }

    /// The same among these obstacles, which are those of the scene but for how they move.
    #[must_use]
    pub fn among(mut self, obstacles: Vec<Obstacle>) -> Self {
        self.moving.put(obstacles);
        self
    }

    /// What stays over the run.
    pub fn setting(&self) -> &Setting {
        &self.setting
    }

    /// Times of the recorded frames, s.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn times(&self) -> Result<Vec<f64>> {
        Ok(self.reader.times()?)
    }

    /// Number of recorded frames.
    pub fn frames(&self) -> usize {
        self.reader.frames()
    }

    /// The page of all that is recorded. Frames are left out until these, packed, and the curves take
    /// at most so many bytes, or only the first and the last are left. As text they take a third
    /// more.
    ///
    /// # Errors
    /// When a frame cannot be read.
    pub fn page(&self, most_bytes: usize) -> Result<Page> {
        let whole = self.block(0)?;
        let mut thin = 1;
        let mut block = whole.thinned(thin);
        let mut packed = block.pack();
        while packed.len() > most_bytes && block.frames() > 2 {
            let over = packed.len() as f64 / most_bytes.max(1) as f64;
            let wanted = (thin as f64 * over).ceil() as usize;
            thin = wanted.clamp(thin + 1, whole.frames().max(thin + 1));
            block = whole.thinned(thin);
            packed = block.pack();
        }
        let left_out = self.left_out.thinned(thin);
        let mut setting = self.setting.clone();
        setting.notice = left_out.told(setting.notice, self.flow.is_some());
        Ok(Page {
            html: writhe_viewer::page(&setting, Some(&packed)),
            frames: block.frames(),
            notice: setting.notice,
        })
    }

    /// The frames to show among those recorded from `first` on.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn block(&self, first: usize) -> Result<Block> {
        let frames = self.reader.frames();
        let mut block = Block::new(&self.setting);
        let (times, curves) = match self.reader.observables() {
            [times, curves @ ..] => (times.values.as_slice(), curves),
            [] => (&[][..], &[][..]),
        };
        for (row, time) in times.iter().enumerate().skip(first) {
            block.push_row(*time, curves.iter().map(|curve| curve.values[row]));
        }
        let times = self.reader.times()?;
        for index in
            (first..frames).filter(|index| index % self.left_out.stride == 0 || index + 1 == frames)
        {
            self.push(&mut block, &times, index)?;
        }
        let ended = self.reader.summary().map(|summary| summary.outcome.clone());
        Ok(block.followed_by(frames, ended))
    }

    fn push(&self, block: &mut Block, times: &[f64], index: usize) -> Result<()> {
        let positions = self.reader.positions(index)?;
        let directors = self.reader.directors(index)?;
        let strains = self.rods.fields(&positions, &directors);
        let speed = speeds(&self.reader, times, index)?;
        let mut fields = vec![strains.curvature, strains.twist, strains.stretch, speed];
        let none = Vec::new();
        let contacts = self.contacts.as_ref().map(|all| all.get(index));
        let here = contacts.flatten().unwrap_or(&none);
        if self.contacts.is_some() {
            fields.push(self.rods.contact_force(&positions, here));
        }
        // Where a rod touches an obstacle or a body, the colour of its force shows it.
        let mark = |contact: &Contact| {
            let (rods, arcs) = contact.between_rods()?;
            let (first, second) = self.rods.touches(&positions, contact);
            Some(Mark {
                points: [first, second?].map(|touch| touch.point.to_array()),
                rods,
                arcs,
                gap: contact.gap,
                force: contact.force,
            })
        };
        let marks: Vec<Mark> = here.iter().filter_map(mark).collect();
        let flow = match &self.flow {
            Some(flow) if index.is_multiple_of(self.left_out.flow_stride) => {
                flow.velocities(&self.reader, index)?
            }
            _ => None,
        };
        block.push(&Frame {
            time: times[index],
            positions: &positions,
            directors: &directors,
            fields: &fields,
            marks: &marks,
            poses: &self.moving.poses(&self.reader, index, times[index])?,
            holding: &self.moving.holding(&self.reader, index)?,
            flow: flow.as_deref(),
        });
        Ok(())
    }
}

impl LeftOut {
    /// The same where of so many of the frames shown one is kept.
    fn thinned(self, thin: usize) -> Self {
        let stride = self.stride * thin;
        // What has the flow and is kept.
        let common = stride / divisor(stride, self.flow_stride);
        Self {
            stride,
            flow_stride: common * self.flow_stride,
        }
    }

    /// What is told of it, after a notice.
    fn told(self, notice: Option<String>, has_flow: bool) -> Option<String> {
        let mut all: Vec<String> = notice.into_iter().collect();
        if self.stride > 1 {
            all.push(format!(
                "Every {} frame is shown, to keep the page small; curves have all of them.",
                ordinal(self.stride)
            ));
        }
        if has_flow && self.flow_stride > 1 {
            all.push(format!(
                "Every {} frame has the flow.",
                ordinal(self.flow_stride)
            ));
        }
        (!all.is_empty()).then(|| all.join(" "))
    }
}

/// Greatest common divisor of numbers that are not both zero.
fn divisor(a: usize, b: usize) -> usize {
    match b {
        0 => a,
        b => divisor(b, a % b),
    }
}

/// Which of several: second, third, .. tenth, 11th, ..
fn ordinal(number: usize) -> String {
    const WORDS: [&str; 9] = [
        "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    ];
    if let Some(word) = number.checked_sub(2).and_then(|i| WORDS.get(i)) {
        return (*word).to_owned();
    }
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// What was read, or nothing and a notice of what is not shown for that.
fn or_notice<T>(read: Result<T>, notices: &mut Vec<String>) -> Option<T> {
    read.map_err(|failure| notices.push(unreadable_scene(&failure)))
        .ok()
}

/// What is told where a run has a fluid, but not its forces.
const NO_FORCES: &str = "The flow cannot be shown: this run was recorded by a version that did not keep the force of the fluid.";

/// Whether a run holds what its flow is computed from; one that has just begun will.
fn has_flow(reader: &RunReader) -> Result<bool> {
    Ok(reader.frames() == 0 || reader.hydrodynamic_forces(0)?.is_some())
}

/// Of how many successive frames one is kept so that all, of so many `bytes`, take at most about
/// `most`.
fn stride(bytes: usize, most: usize) -> usize {
    bytes.div_ceil(most.max(1)).max(1)
}

/// Name of the run directory.
fn name(directory: &Path) -> String {
    directory
        .canonicalize()
        .ok()
        .and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()))
        .unwrap_or_else(|| directory.display().to_string())
}

/// The fields that [`Movie::push`] makes, in its order.
fn fields(contacts: bool) -> Vec<Field> {
    let field = |name: &str, label: &str, unit: &str, signed| Field {
        name: name.into(),
        label: label.into(),
        unit: unit.into(),
        signed,
    };
    let mut all = vec![
        field("curvature", "curvature", "1/m", false),
        field("twist", "twist", "rad/m", true),
        field("stretch", "stretch", "1", true),
        field("speed", "speed", "m/s", false),
    ];
    if contacts {
        all.push(field("force", "contact force", "N", false));
    }
    all
}

fn columns(reader: &RunReader) -> Vec<Column> {
    let column = |c: &writhe_rundir::Column| Column {
        name: c.name.clone(),
        unit: c.unit.clone(),
    };
    reader.layout().observables.iter().map(column).collect()
}

fn summary(summary: &RunSummary) -> Vec<(String, String)> {
    let mut rows = vec![
        (
            "outcome".into(),
            format!("{}: {}", summary.outcome, summary.reason),
        ),
        (
            "simulated".into(),
            format!("{} s", number(summary.simulated_s, 6)),
        ),
        (
            "steps".into(),
            format!(
                "{}, {} taken back",
                count(summary.steps as usize, "step"),
                summary.rejected_steps
            ),
        ),
    ];
    let times = [
        ("first contact", summary.first_contact_s, "s"),
        ("smallest gap", summary.smallest_gap_m, "m"),
        ("processor time", Some(summary.cpu_s), "s"),
    ];
    for (name, value, unit) in times {
        if let Some(value) = value.filter(|value| value.is_finite()) {
            rows.push((name.into(), format!("{} {unit}", number(value, 4))));
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::{LeftOut, ordinal, stride};

    #[test]
    fn as_few_frames_are_left_out_as_will_do() {
        assert_eq!([0, 1, 100].map(|bytes| stride(bytes, 100)), [1; 3]);
        assert_eq!([101, 200, 201].map(|bytes| stride(bytes, 100)), [2, 2, 3]);
        assert_eq!(stride(7, 0), 7);
    }

    #[test]
    fn what_is_left_out_is_told_in_words() {
        let told = |stride, flow_stride| {
            let left_out = LeftOut {
                stride,
                flow_stride,
            };
            left_out.told(None, true)
        };
        assert_eq!(told(1, 1), None);
        assert_eq!(
            told(2, 4).unwrap(),
            "Every second frame is shown, to keep the page small; curves have all of them. Every fourth frame has the flow."
        );
        let words = [10, 11, 12, 13, 21, 22, 103, 112].map(ordinal);
        assert_eq!(
            words,
            [
                "tenth", "11th", "12th", "13th", "21st", "22nd", "103rd", "112th"
            ]
        );
        let thinned = LeftOut {
            stride: 2,
            flow_stride: 4,
        };
        let thinned = thinned.thinned(3);
        assert_eq!((thinned.stride, thinned.flow_stride), (6, 12));
    }
}
