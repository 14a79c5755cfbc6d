//! `writhe render --movie`: a run in motion, as a GIF or as numbered frames.

use std::fs;
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};
use writhe_render::{Anchor, Bounds, Camera, GifPalette, GifWriter, Image, TextStyle, render};
use writhe_show::picture::Pictures;
use writhe_show::sampling::options;

use super::look::Look;
use super::write;
use crate::args::{MOVIE_FRAMES, RenderArgs};
use crate::console;
use crate::files::refuse_run_files;
use crate::format::{duration, number};
use crate::report::{Failure, Result};

/// Pixels of a frame of the default size: that of a GIF is sent around, the other one fills a
/// slide.
const GIF_PIXELS: f64 = 480.0 * 480.0;
const FRAME_PIXELS: f64 = 960.0 * 960.0;
/// Most frames in a second that viewers of GIF show.
const GIF_FPS: f64 = 50.0;
/// Frames that the colours of a GIF are chosen from.
const PALETTE_FRAMES: usize = 10;
/// Height of the letters of the time, as a part of the picture's height.
const LETTERS: f64 = 0.04;

/// Makes the movie that was asked for at `out`; says so.
///
/// # Errors
/// When the directory is no run, the place is no place for a movie, or a frame cannot be drawn or
/// written.
pub fn make(args: &RenderArgs, out: &Path) -> Result<()> {
    let kind = Kind::of(args, out)?;
    refuse_run_files(&args.directory, "--movie", out)?;
    let mut run = super::open(&args.directory)?;
    let frames = chosen(args, run.frames());
    run.share_surroundings(&frames)?;
    let look = Look::new(args, &run)?;
    let mut bounds = Bounds::default();
    for frame in &frames {
        bounds.add_scene(&run.scene(*frame)?);
    }
    let pixels = match kind {
        Kind::Gif => GIF_PIXELS,
        Kind::Frames => FRAME_PIXELS,
    };
    let (camera, size) = look.frame(&bounds, args.size, pixels)?;
    let movie = Movie {
        run,
        frames,
        look,
        camera,
        size,
        show_time: args.show_time,
        fps: args.fps,
    };
    let how = match kind {
        Kind::Gif => movie.gif(out)?,
        Kind::Frames => movie.sequence(out, args.transparent)?,
    };
    console::print(&format!("{}{how}\n", movie.told(out)))
}

/// What is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Gif,
    /// A folder of PNG files.
    Frames,
}

impl Kind {
    fn of(args: &RenderArgs, out: &Path) -> Result<Self> {
        let extension = out.extension().map(|e| e.to_string_lossy().to_lowercase());
        let kind = match extension.as_deref() {
            Some("gif") => Self::Gif,
            Some(
                other @ ("mp4" | "mov" | "avi" | "mkv" | "webm" | "webp" | "apng" | "png" | "jpg"),
            ) => {
                return Err(Failure::bad_input(format!(
                    "`--movie {}`: Writhe writes movies as GIF or as a folder of frames, not as {other}",
                    out.display()
                ))
                .help(
                    "write `--movie NAME.gif`, or `--movie FOLDER` and run the ffmpeg command that it prints",
                ));
            }
            _ => Self::Frames,
        };
        if kind == Self::Gif && args.fps > GIF_FPS {
            return Err(Failure::bad_input(format!(
                "`--fps {}` is more than a GIF can show",
                args.fps
            ))
            .help("choose `--fps 50` or less, or frames for an MP4 with `--movie FOLDER`"));
        }
        let odd = |n: u32| n % 2 == 1;
        match args.size {
            Some(size) if kind == Self::Frames && (odd(size.width) || odd(size.height)) => {
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
    look: Look,
    /// The same for all frames.
    camera: Camera,
    /// Pixels.
    size: (u32, u32),
    show_time: bool,
    fps: f64,
}

impl Movie {
    /// One frame.
    fn image(&self, frame: usize) -> Result<Image> {
        let scene = self.look.on(self.run.scene(frame)?);
        let mut image = render(
            &scene,
            &self.camera,
            &options(self.size, &self.camera, &scene),
        )?;
        if self.show_time {
            let style = TextStyle {
                size: LETTERS * f64::from(self.size.1),
                color: scene.background.ink(),
                bold: false,
            };
            let (x, y) = (0.6 * style.size, f64::from(self.size.1) - 0.7 * style.size);
            image.draw_text(&self.run.label(frame), x, y, Anchor::Left, style);
        }
        Ok(image)
    }

    /// Draws all frames and hands them on, with their number in the movie.
    fn each(&self, mut take: impl FnMut(usize, &Image) -> Result<()>) -> Result<()> {
        // Nothing where standard error is no terminal.
        let bar = ProgressBar::new(self.frames.len() as u64);
        if let Ok(style) = ProgressStyle::with_template("{bar:16.cyan/dim} frame {pos} of {len}") {
            bar.set_style(style.progress_chars("━━─"));
        }
        for (number, frame) in self.frames.iter().enumerate() {
            take(number, &self.image(*frame)?)?;
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(())
    }

    /// Writes the movie as GIF; what else to say.
    fn gif(&self, out: &Path) -> Result<String> {
        let samples = evenly(self.frames.len(), PALETTE_FRAMES.min(self.frames.len()));
        let samples = samples.iter().map(|i| self.image(self.frames[*i]));
        let palette = GifPalette::of(&samples.collect::<Result<Vec<_>>>()?);
        let mut gif = GifWriter::new(Vec::new(), self.size, self.fps, palette)?;
        self.each(|_, image| Ok(gif.add(image)?))?;
        let bytes = gif.finish()?;
        let folder = out.parent().filter(|f| !f.as_os_str().is_empty());
        folder
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::write(out, &bytes))
            .map_err(|error| unwritten(out, &error))?;
        Ok(format!(" ({} kB)", bytes.len().div_ceil(1000)))
    }

    /// Writes the movie as numbered frames; how to join them.
    fn sequence(&self, out: &Path, transparent: bool) -> Result<String> {
        fs::create_dir_all(out).map_err(|error| unwritten(out, &error))?;
        if numbered(out, self.frames.len()).exists() {
            return Err(Failure::bad_input(format!(
                "`{}` has frames of a longer movie: ffmpeg would show them after the {} of this one",
                out.display(),
                self.frames.len()
            ))
            .help("delete that folder, or choose another one with `--movie FOLDER`"));
        }
        self.each(|number, image| write(image, &numbered(out, number)))?;
        let (coder, extension) = if transparent {
            // MP4 has no alpha channel.
            ("libvpx-vp9 -pix_fmt yuva420p -crf 18 -b:v 0", "webm")
        } else {
            (
                "libx264 -pix_fmt yuv420p -crf 18 -movflags +faststart",
                "mp4",
            )
        };
        Ok(format!(
            "\nJoin them: ffmpeg -framerate {} -i {}/{} -c:v {coder} {}.{extension}",
            self.fps,
            quoted(out),
            PATTERN,
            quoted(out)
        ))
    }

    fn told(&self, out: &Path) -> String {
        let (shown, all) = (self.frames.len(), self.run.frames());
        let seconds = shown as f64 / self.fps;
        let (width, height) = self.size;
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

fn unwritten(out: &Path, error: &std::io::Error) -> Failure {
    Failure::failed(format!(
        "writing the movie `{}` failed: {error}",
        out.display()
    ))
    .help("choose another place with `--movie PATH`")
}

/// A path as a word of a shell.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+,=@".contains(c);
    if text.chars().all(plain) {
        text
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
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

    #[test]
    fn paths_are_words_of_a_shell() {
        assert_eq!(quoted(Path::new("runs/a-1")), "runs/a-1");
        assert_eq!(quoted(Path::new("it's here")), r"'it'\''s here'");
    }
}
