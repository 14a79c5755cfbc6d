//! `writhe render --movie`: a run in motion, as a film by ffmpeg, a GIF, or numbered frames.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use glam::DVec3;
use serde_json::{Value, json};
use writhe_render::{GifPalette, GifWriter, Image};
use writhe_show::picture::Pictures;
use writhe_show::picture::look::{Look, Plate};

use super::film::{Coder, Container, Part};
use super::look::{self, Shown};
use super::{Drawn, tell, write};
use crate::args::{MOVIE_FPS, MOVIE_FRAMES, RenderArgs};
use crate::console;
use crate::files::{refuse_run_files, refuse_to_replace, unwritten};
use crate::format::{duration, number};
use crate::interrupt::{self, Interrupt};
use crate::progress;
use crate::report::{Failure, Result};
use crate::shell;
use crate::written::written;

/// Pixels of a frame of the default size: that of a GIF is sent around, the other one fills a
/// slide.
const GIF_PIXELS: f64 = 480.0 * 480.0;
const FRAME_PIXELS: f64 = 960.0 * 960.0;
/// Most frames in a second that viewers of GIF show.
const GIF_FPS: f64 = 50.0;
/// Frames that the colours of a GIF are chosen from.
const PALETTE_FRAMES: usize = 10;
/// Bytes of these that are kept, so that they are drawn once.
const KEPT_BYTES: usize = 256 << 20;

/// Makes the movie that was asked for at `out`; says so.
///
/// # Errors
/// When the directory is no run, the place is no place for a movie, a frame cannot be drawn or
/// written, ffmpeg fails, or Ctrl-C: then nothing of the movie is left.
pub fn make(args: &RenderArgs, out: &Path) -> Result<()> {
    let kind = Kind::of(args, out)?;
    refuse_run_files(&args.directory, "--movie", out)?;
    refuse_to_replace(out)?;
    let interrupt = interrupt::listen()?;
    let mut run = super::open(&args.directory)?;
    let frames = chosen(args, run.frames());
    run.share_surroundings(&frames)?;
    let run = look::dressed(args, vec![run], std::slice::from_ref(&frames))?;
    let Some(run) = run.into_iter().next() else {
        return Ok(());
    };
    let look = look::look(args, &run)?;
    let shown = Shown::of(&run, &frames, args.fit, look)?;
    shown.tell_part();
    let pixels = match kind {
        Kind::Gif => GIF_PIXELS,
        Kind::Film(_) | Kind::Frames => FRAME_PIXELS,
    };
    let legends: Vec<_> = frames.iter().map(|frame| run.legend(*frame)).collect();
    let size = args.size.map(|s| (s.width, s.height));
    let plate = look.plate(&shown.bounds, size, pixels, &legends)?;
    let movie = Movie {
        run,
        frames,
        middles: shown.middles,
        look,
        plate,
        fps: fps(args),
        interrupt,
    };
    let (place, how) = match kind {
        Kind::Gif => (out.to_path_buf(), movie.gif(out)?),
        Kind::Frames => (out.to_path_buf(), movie.sequence(out, None)?),
        Kind::Film(container) => movie.film(out, container)?,
    };
    let drawn = Drawn {
        text: format!("{}{}", movie.told(&place), how.told()),
        json: movie.json(&place, &how),
    };
    tell(args, vec![drawn])
}

/// What is said of a movie besides.
enum How {
    /// How large its file is, bytes.
    Bytes(u64),
    /// The command that joins its frames.
    Join(String),
}

impl How {
    fn told(&self) -> String {
        match self {
            Self::Bytes(bytes) => format!(" ({} kB)", bytes.div_ceil(1000)),
            Self::Join(command) => format!("\nJoin them: {command}"),
        }
    }
}

/// What is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Gif,
    /// By ffmpeg.
    Film(Container),
    /// A folder of PNG files.
    Frames,
}

impl Kind {
    fn of(args: &RenderArgs, out: &Path) -> Result<Self> {
        let extension = out.extension().map(|e| e.to_string_lossy().to_lowercase());
        let transparent = args.transparent;
        let kind = match extension.as_deref() {
            Some("gif") => Self::Gif,
            Some("mp4") if transparent => {
                return Err(Failure::bad_input(format!(
                    "`--movie {}` with `--transparent`: MP4 has no transparency",
                    out.display()
                ))
                .help("write `--movie NAME.webm`, or leave `--transparent` out"));
            }
            Some("mp4") => Self::Film(Container::Mp4),
            Some("webm") => Self::Film(Container::Webm { transparent }),
            Some(other @ ("mov" | "avi" | "mkv" | "webp" | "apng" | "png" | "jpg")) => {
                return Err(Failure::bad_input(format!(
                    "`--movie {}`: Writhe writes movies as MP4, WebM, GIF or a folder of frames, not as {other}",
                    out.display()
                ))
                .help(
                    "write `--movie NAME.mp4`, or `--movie FOLDER` and run the ffmpeg command that it prints",
                ));
            }
            _ => Self::Frames,
        };
        if kind == Self::Gif && fps(args) > GIF_FPS {
            return Err(Failure::bad_input(format!(
                "`--fps {}` is more than a GIF can show",
                fps(args)
            ))
            .help("choose `--fps 50` or less, or a film with `--movie NAME.mp4`"));
        }
        let odd = |n: u32| n % 2 == 1;
        match args.size {
            Some(size) if kind != Self::Gif && (odd(size.width) || odd(size.height)) => {
                Err(Failure::bad_input(format!(
                    "`--size {}x{}`: coders of video want even numbers",
                    size.width, size.height
                ))
                .help(format!(
                    "write `--size {}x{}`",
                    size.width.next_multiple_of(2),
                    size.height.next_multiple_of(2)
                )))
            }
            _ => Ok(kind),
        }
    }
}

/// What is said of the frames of a movie says nothing of pictures.
///
/// # Errors
/// When such an option is there without a movie.
pub fn refuse_options_alone(args: &RenderArgs) -> Result<()> {
    let given = [
        ("--fps", args.fps.is_some()),
        ("--frames", args.frames.is_some()),
        ("--every", args.every.is_some()),
    ];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) if args.movie.is_none() => Err(Failure::bad_input(format!(
            "`{option}` has no effect without `--movie`"
        ))
        .help(format!(
            "leave `{option}` out, or make a movie: `--movie NAME.mp4`"
        ))),
        _ => Ok(()),
    }
}

/// Frames in a second of the movie.
fn fps(args: &RenderArgs) -> f64 {
    args.fps.unwrap_or(MOVIE_FPS)
}

/// The frames of the run to show, of `all`.
fn chosen(args: &RenderArgs, all: usize) -> Vec<usize> {
    if let Some(every) = args.every {
        return (0..all).step_by(every as usize).collect();
    }
    let wanted = args.frames.map_or(MOVIE_FRAMES, |n| n as usize).min(all);
    evenly(all, wanted)
}

/// `wanted` of `all` numbers from the first to the last; the last alone if one is wanted.
fn evenly(all: usize, wanted: usize) -> Vec<usize> {
    let (last, intervals) = (all.saturating_sub(1), wanted.saturating_sub(1));
    if intervals == 0 {
        return vec![last];
    }
    let nearest = |i: usize| (i * last + intervals / 2) / intervals;
    (0..wanted).map(nearest).collect()
}

/// A movie to be made.
struct Movie {
    run: Pictures,
    frames: Vec<usize>,
    /// Where each frame has its middle, if the camera follows.
    middles: Vec<DVec3>,
    look: Look,
    /// The same for all frames but for where the camera follows.
    plate: Plate,
    fps: f64,
    interrupt: Interrupt,
}

impl Movie {
    /// The frame of this number in the movie.
    fn image(&self, number: usize) -> Result<Image> {
        if self.interrupt.requested() {
            return Err(
                Failure::failed("stopped: there is no movie").help("the same command begins again")
            );
        }
        let frame = self.frames[number];
        let scene = self.look.on(self.run.scene(frame)?);
        let plate = match self.middles.get(number) {
            Some(middle) => self.plate.clone().at(*middle),
            None => self.plate.clone(),
        };
        Ok(plate.draw(&scene, self.run.legend(frame))?)
    }

    /// Draws all frames, but for those that are `drawn`, and hands them on with their number in the
    /// movie.
    fn each(
        &self,
        mut drawn: BTreeMap<usize, Image>,
        mut take: impl FnMut(usize, &Image) -> Result<()>,
    ) -> Result<()> {
        let all = self.frames.len();
        let bar = progress::bar(10);
        let mut lines = progress::Lines::new();
        let clock = Instant::now();
        for number in 0..all {
            let image = match drawn.remove(&number) {
                Some(image) => image,
                None => self.image(number)?,
            };
            take(number, &image)?;
            let done = number + 1;
            let line = || {
                let left = clock.elapsed().as_secs_f64() / done as f64 * (all - done) as f64;
                format!("frame {done} of {all}, {} left", duration(left))
            };
            progress::set_part(&bar, done as f64 / all as f64);
            bar.set_message(line());
            lines.tell(line);
        }
        bar.finish_and_clear();
        Ok(())
    }

    /// Writes the movie as GIF; what else to say.
    fn gif(&self, out: &Path) -> Result<How> {
        let part = Part::of(out).map_err(|error| unwritten(out, error))?;
        let samples = evenly(self.frames.len(), PALETTE_FRAMES.min(self.frames.len()));
        let (width, height) = self.plate.size;
        let bytes = samples.len() * 4 * width as usize * height as usize;
        let images = samples.iter().map(|number| self.image(*number));
        let images = images.collect::<Result<Vec<_>>>()?;
        let palette = GifPalette::of(&images);
        let drawn = match bytes <= KEPT_BYTES {
            true => samples.into_iter().zip(images).collect(),
            false => BTreeMap::new(),
        };
        let mut gif = GifWriter::new(Vec::new(), self.plate.size, self.fps, palette)?;
        self.each(drawn, |_, image| Ok(gif.add(image)?))?;
        let bytes = gif.finish()?;
        fs::write(part.place(), &bytes)
            .and_then(|()| part.finish())
            .map_err(|error| unwritten(out, error))?;
        Ok(How::Bytes(bytes.len() as u64))
    }

    /// Writes the movie by ffmpeg, or the frames for it where there is none; where, and what else
    /// to say.
    fn film(&self, out: &Path, container: Container) -> Result<(PathBuf, How)> {
        let Some(mut coder) = Coder::start(out, container, self.plate.size, self.fps)? else {
            let folder = out.with_extension("frames");
            console::print_error(&format!(
                "note: there is no ffmpeg on the PATH, which codes `{}`: its frames are written instead\n",
                out.display()
            ));
            let how = self.sequence(&folder, Some((out, container)))?;
            return Ok((folder, how));
        };
        self.each(BTreeMap::new(), |_, image| coder.add(image))?;
        let bytes = coder.finish()?;
        Ok((out.to_path_buf(), How::Bytes(bytes)))
    }

    /// Writes the movie as numbered frames, for a film where one is wanted; how to join them.
    fn sequence(&self, out: &Path, film: Option<(&Path, Container)>) -> Result<How> {
        let is_new = !out.exists();
        fs::create_dir_all(out).map_err(|error| unwritten(out, error))?;
        if numbered(out, self.frames.len()).exists() {
            return Err(Failure::bad_input(format!(
                "`{}` has frames of a longer movie: ffmpeg would show them after the {} of this one",
                out.display(),
                self.frames.len()
            ))
            .help("delete that folder, or choose another one with `--movie FOLDER`"));
        }
        let mut written = Vec::new();
        let drawn = self.each(BTreeMap::new(), |number, image| {
            written.push(numbered(out, number));
            write(image, &numbered(out, number))
        });
        if let Err(failure) = drawn {
            // Half a movie looks like a whole one.
            for file in &written {
                let _ = fs::remove_file(file);
            }
            if is_new {
                let _ = fs::remove_dir(out);
            }
            return Err(failure);
        }
        let container = match film {
            Some((_, container)) => container,
            None if self.look.transparent => Container::Webm { transparent: true },
            None => Container::Mp4,
        };
        let to = match film {
            Some((to, _)) => to.to_path_buf(),
            None => {
                let mut name = out.as_os_str().to_owned();
                name.push(format!(".{}", container.extension()));
                name.into()
            }
        };
        Ok(How::Join(format!(
            "ffmpeg -framerate {} -i {}/{} -c:v {} {}",
            self.fps,
            shell::path(out),
            PATTERN,
            container.coder(),
            shell::path(&to)
        )))
    }

    fn json(&self, out: &Path, how: &How) -> Value {
        let mut told = written("movie", out);
        let (width, height) = self.plate.size;
        told["pixels"] = json!([width, height]);
        told["frames"] = json!(self.frames.len());
        told["frames_per_second"] = json!(self.fps);
        let times = self.frames.iter().map(|frame| self.run.time(*frame));
        told["times_s"] = json!([times.collect::<Vec<f64>>()]);
        if let How::Join(command) = how {
            told["join"] = json!(command);
        }
        told
    }

    fn told(&self, out: &Path) -> String {
        let (shown, all) = (self.frames.len(), self.run.frames());
        let seconds = shown as f64 / self.fps;
        let (width, height) = self.plate.size;
        let pace = self.run.end() / seconds;
        let pace = if shown < 2 || pace <= 0.0 {
            String::new()
        } else if pace >= 1.0 {
            format!(", {} times as fast as the run", number(pace, 3))
        } else {
            format!(", {} times as slow as the run", number(1.0 / pace, 3))
        };
        format!(
            "Drew {shown} of {all} frames, {width} x {height} pixels, {} at {} a second{pace}, to {}",
            duration(seconds),
            number(self.fps, 4),
            out.display()
        )
    }
}

/// Names of frames, as ffmpeg writes them.
const PATTERN: &str = "frame-%05d.png";

/// File of a frame of the movie.
fn numbered(folder: &Path, number: usize) -> PathBuf {
    folder.join(PATTERN.replace("%05d", &format!("{number:05}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_spread_from_first_to_last() {
        assert_eq!(evenly(5, 5), [0, 1, 2, 3, 4]);
        assert_eq!(evenly(5, 3), [0, 2, 4]);
        assert_eq!(evenly(101, 2), [0, 100]);
        assert_eq!(evenly(7, 1), [6]);
        assert_eq!(evenly(1, 1), [0]);
    }
}
