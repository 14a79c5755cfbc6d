//! Films, which ffmpeg codes from frames as they are drawn; and files that are there whole or not
//! at all.

use std::ffi::OsStr;
use std::fs;
use std::io::{ErrorKind, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::JoinHandle;

use writhe_render::Image;

use crate::files::unwritten;
use crate::report::{Failure, Result};

/// Most of what ffmpeg says that is repeated, bytes.
const SAID: usize = 600;

/// What a film is coded as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Container {
    /// H.264 in MP4, which plays anywhere and knows no transparency.
    Mp4,
    /// VP9 in WebM, which browsers play.
    Webm {
        /// Whether it has an alpha channel.
        transparent: bool,
    },
}

impl Container {
    /// The ending of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Mp4 => "mp4",
            Self::Webm { .. } => "webm",
        }
    }

    /// The codec and its options, as ffmpeg takes them.
    pub fn coder(self) -> &'static str {
        match self {
            Self::Mp4 => "libx264 -pix_fmt yuv420p -crf 18 -movflags +faststart",
            Self::Webm { transparent: false } => "libvpx-vp9 -pix_fmt yuv420p -crf 24 -b:v 0",
            // MP4 has no alpha channel.
            Self::Webm { transparent: true } => "libvpx-vp9 -pix_fmt yuva420p -crf 18 -b:v 0",
        }
    }
}

/// A file in the making, which goes away unless it is finished.
#[derive(Debug)]
pub struct Part {
    place: PathBuf,
    out: PathBuf,
}

impl Part {
    /// Of the file `out`, whose folder is made.
    ///
    /// # Errors
    /// When there can be no such file.
    pub fn of(out: &Path) -> std::io::Result<Self> {
        if let Some(folder) = out.parent().filter(|f| !f.as_os_str().is_empty()) {
            fs::create_dir_all(folder)?;
        }
        if out.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        let mut name = out.file_name().map(OsStr::to_owned).unwrap_or_default();
        name.push(format!(".part-{}", std::process::id()));
        let part = Self {
            place: out.with_file_name(name),
            out: out.to_path_buf(),
        };
        // Whether it can be written is known before anything is drawn.
        fs::write(&part.place, [])?;
        Ok(part)
    }

    /// Where it is until it is finished.
    pub fn place(&self) -> &Path {
        &self.place
    }

    /// Puts it into its place.
    ///
    /// # Errors
    /// When that cannot be.
    pub fn finish(self) -> std::io::Result<u64> {
        let bytes = fs::metadata(&self.place)?.len();
        fs::rename(&self.place, &self.out)?;
        Ok(bytes)
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // After it is finished there is none.
        let _ = fs::remove_file(&self.place);
    }
}

/// ffmpeg at work on a film.
#[derive(Debug)]
pub struct Coder {
    // Before the file, so that ffmpeg is gone when that is removed.
    process: Process,
    said: Option<JoinHandle<String>>,
    part: Part,
}

#[derive(Debug)]
struct Process {
    child: Child,
    frames: Option<ChildStdin>,
}

impl Drop for Process {
    fn drop(&mut self) {
        // One that has ended is only collected.
        self.frames = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Coder {
    /// Starts ffmpeg, for frames of this size in pixels; `None` where there is none on the PATH.
    ///
    /// # Errors
    /// When the film cannot be written, or ffmpeg cannot be started.
    pub fn start(
        out: &Path,
        container: Container,
        (width, height): (u32, u32),
        fps: f64,
    ) -> Result<Option<Self>> {
        let part = Part::of(out).map_err(|error| unwritten(out, error))?;
        let mut command = Command::new("ffmpeg");
        command
            .args(["-hide_banner", "-loglevel", "error", "-y"])
            .args(["-f", "rawvideo", "-pix_fmt", "rgba"])
            .args(["-s", &format!("{width}x{height}"), "-r", &fps.to_string()])
            .args(["-i", "pipe:0"])
            // Colours as players read them back.
            .args(["-vf", "scale=out_color_matrix=bt709:out_range=tv"])
            .args(["-colorspace", "bt709", "-color_primaries", "bt709"])
            .args(["-color_trc", "bt709", "-c:v"])
            .args(container.coder().split(' '))
            .args(["-f", container.extension()])
            .arg(part.place())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        // Ctrl-C is for this program alone, which ends ffmpeg.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = match command.spawn() {
            Ok(child) => child,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                return Err(
                    Failure::failed(format!("ffmpeg cannot be started: {error}"))
                        .help("write frames with `--movie FOLDER`, and join them elsewhere"),
                );
            }
        };
        let said = child.stderr.take().map(|mut stderr| {
            std::thread::spawn(move || {
                let mut said = Vec::new();
                // What cannot be read is not repeated.
                let _ = stderr.read_to_end(&mut said);
                String::from_utf8_lossy(&said).trim().to_owned()
            })
        });
        Ok(Some(Self {
            process: Process {
                frames: child.stdin.take(),
                child,
            },
            said,
            part,
        }))
    }

    /// Hands a frame on.
    ///
    /// # Errors
    /// When ffmpeg has ended.
    pub fn add(&mut self, image: &Image) -> Result<()> {
        let frames = self.process.frames.as_mut();
        let written = frames.map_or(Ok(()), |to| to.write_all(image.as_bytes()));
        match written {
            Ok(()) => Ok(()),
            Err(_) => Err(self.failure()),
        }
    }

    /// Waits for the film; its size, bytes.
    ///
    /// # Errors
    /// When ffmpeg fails, or the film cannot be put into its place.
    pub fn finish(mut self) -> Result<u64> {
        self.process.frames = None;
        match self.process.child.wait() {
            Ok(status) if status.success() => {}
            _ => return Err(self.failure()),
        }
        let out = self.part.out.clone();
        let finished = self.part.finish();
        finished.map_err(|error| unwritten(&out, error))
    }

    /// Why there is no film.
    fn failure(&mut self) -> Failure {
        self.process.frames = None;
        let ended = self.process.child.wait();
        let said = self.said.take().and_then(|said| said.join().ok());
        let said = said.filter(|said| !said.is_empty());
        let ended = ended.map_or_else(|error| error.to_string(), |status| status.to_string());
        let said = said.map_or(String::new(), |said| {
            let from = said.len().saturating_sub(SAID);
            let from = (from..=said.len()).find(|i| said.is_char_boundary(*i));
            format!(": {}", &said[from.unwrap_or(0)..])
        });
        Failure::failed(format!("ffmpeg failed ({ended}){said}")).help(
            "write frames with `--movie FOLDER`, which needs no ffmpeg, or a GIF with `--movie NAME.gif`; an ffmpeg must know libx264 for MP4, libvpx-vp9 for WebM",
        )
    }
}
