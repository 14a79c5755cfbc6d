//! What the user says of how pictures look, and of what they show.

use writhe_render::{Bounds, Camera, ColorBar};
use writhe_show::picture::field::Field;
use writhe_show::picture::look::Look;
use writhe_show::picture::{Dress, Pictures};

use glam::DVec3;

use crate::args::{ColourRange, Fit, RenderArgs};
use crate::console;
use crate::format::length;
use crate::report::{Failure, Result};

/// The look that the user asks for; the rest from the first run.
///
/// # Errors
/// When up is the direction of view, or the run cannot be read.
pub fn look(args: &RenderArgs, run: &Pictures) -> Result<Look> {
    let up = args.up.map_or_else(|| run.up(), |up| up.0);
    let direction = match args.view {
        Some(view) => -view.0,
        None => run.direction(up)?,
    };
    let usual = Look::along(direction, up)?;
    Ok(Look {
        zoom: args.zoom,
        transparent: args.transparent,
        shadow: !args.no_shadow,
        depth_cue: args.depth_cue,
        legend: !args.no_legend,
        ..usual
    })
}

/// A range of values is that of a bar of colours.
///
/// # Errors
/// When there is a range, and nothing that is coloured by a quantity.
pub fn refuse_range_alone(args: &RenderArgs) -> Result<()> {
    match (args.range, &args.colour) {
        (Some(ColourRange(low, high)), None) => Err(Failure::bad_input(format!(
            "`--range {low},{high}` is of a bar of colours, and nothing is coloured by a quantity"
        ))
        .help("say what the colours show, as in `--colour curvature`, or leave `--range` out")),
        _ => Ok(()),
    }
}

/// The runs with what the user wants to see besides shapes, in these frames of each: the same
/// colours and arrows mean the same in all.
///
/// # Errors
/// What colours cannot show; a run that cannot be read, or holds no contacts.
pub fn dressed(
    args: &RenderArgs,
    runs: Vec<Pictures>,
    frames: &[Vec<usize>],
) -> Result<Vec<Pictures>> {
    let field = args.colour.as_deref().map(Field::named).transpose()?;
    if let (Some(field), Some(ColourRange(low, high))) = (field, args.range)
        && !field.is_quantity()
    {
        return Err(Failure::bad_input(format!(
            "`--range {low},{high}` with `--colour {}`, which has no values",
            field.name()
        ))
        .help("leave `--range` out, or colour by a quantity: `--colour curvature`"));
    }
    let (mut bar, mut strong) = (None, None);
    for (run, frames) in runs.iter().zip(frames) {
        if let Some(field) = field {
            bar = joined(bar, run.bar(field, frames)?, field);
        }
        if args.contacts {
            let own = run.strong(frames)?;
            strong = [strong, own].into_iter().flatten().reduce(f64::max);
        }
    }
    if let (Some(ColourRange(low, high)), Some(field), true) = (args.range, field, bar.is_some()) {
        bar = Some(field.bar_over((low, high)));
    }
    let dress = Dress {
        field,
        bar,
        strong,
        free: args.no_clamps,
    };
    Ok(runs
        .into_iter()
        .map(|run| run.dressed(dress.clone()))
        .collect())
}

/// A bar over the ranges of both.
fn joined(a: Option<ColorBar>, b: Option<ColorBar>, field: Field) -> Option<ColorBar> {
    match (a, b) {
        (Some(a), Some(b)) => {
            Some(field.bar_over((a.range.0.min(b.range.0), a.range.1.max(b.range.1))))
        }
        (a, b) => a.or(b),
    }
}

/// What a camera has to show of frames, and where each frame has its middle if the camera follows.
#[derive(Debug, Default)]
pub struct Shown {
    pub bounds: Bounds,
    pub middles: Vec<DVec3>,
    /// Where the camera has a part of the run in sight: its length and that of all, m.
    pub part: Option<[f64; 2]>,
}

impl Shown {
    /// What is to be seen of a run of which these `frames` are shown.
    ///
    /// # Errors
    /// When a frame cannot be read or has nothing to show.
    pub fn of(run: &Pictures, frames: &[usize], fit: Fit, look: Look) -> Result<Self> {
        let mut shown = Self::default();
        if fit == Fit::Bent {
            let sight = run.sight(frames)?;
            (shown.bounds, shown.part) = (sight.bounds, sight.part);
            return Ok(shown);
        }
        if fit == Fit::Run {
            for frame in 0..run.frames() {
                shown.bounds.add_scene(&run.scene(frame)?);
            }
            return Ok(shown);
        }
        for frame in frames {
            let scene = run.scene(*frame)?;
            if fit == Fit::Shown {
                shown.bounds.add_scene(&scene);
                continue;
            }
            let own = Bounds::of(&scene);
            let middle = Camera::fit(&own, look.direction, look.up, 1.0, 0.0)?.target;
            shown.bounds.merge(&own.moved(-middle));
            shown.middles.push(middle);
        }
        Ok(shown)
    }

    /// Says where not all of a run is in sight.
    pub fn tell_part(&self) {
        if let Some([shown, all]) = self.part {
            console::print_error(&format!(
                "note: the camera shows {} of {}, where the rods are bent most; `--fit shown` shows all\n",
                length(shown),
                length(all)
            ));
        }
    }
}
