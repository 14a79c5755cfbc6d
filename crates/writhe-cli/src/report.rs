//! What a user is told when a command cannot do what it was asked: one message, where, and what to
//! do about it.

mod excerpt;
mod paint;

use std::fmt;
use std::io::IsTerminal;
use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;

use writhe_plot::PlotError;
use writhe_render::RenderError;
use writhe_rundir::RunDirError;
use writhe_session::failure::Blame;

use self::excerpt::Excerpt;
use self::paint::Paint;
use crate::printable::printable;

/// Result of a command.
pub type Result<T> = std::result::Result<T, Failure>;

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub struct Failure(Box<Details>);

#[derive(Debug)]
struct Details {
    kind: Kind,
    message: String,
    help: Option<String>,
    excerpt: Option<Excerpt>,
}

/// Where the blame lies, which sets the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The input: nothing was done.
    BadInput,
    /// Something that went wrong later.
    Failed,
}

impl Failure {
    /// The input is wrong and nothing was done: exit code 2.
    pub fn bad_input(message: impl Into<String>) -> Self {
        Self::new(Kind::BadInput, message.into())
    }

    /// Something went wrong while working: exit code 1.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::new(Kind::Failed, message.into())
    }

    fn new(kind: Kind, message: String) -> Self {
        Self(Box::new(Details {
            kind,
            message: printable(&message),
            help: None,
            excerpt: None,
        }))
    }

    /// Adds what to do about it.
    pub fn help(mut self, remedy: impl Into<String>) -> Self {
        let remedy: String = remedy.into();
        self.0.help = Some(printable(&remedy));
        self
    }

    /// Adds the lines of `file` around `span` (bytes of `text`), underlined.
    pub fn excerpt(mut self, file: &Path, text: &str, span: Range<usize>) -> Self {
        let name = printable(&file.display().to_string());
        self.0.excerpt = Excerpt::new(name, printable(text), span);
        self
    }

    /// 2 for bad input, 1 otherwise.
    pub fn exit_code(&self) -> ExitCode {
        match self.0.kind {
            Kind::BadInput => ExitCode::from(2),
            Kind::Failed => ExitCode::from(1),
        }
    }

    /// The message alone.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The report for standard error. Lines stay whole, so that they can be searched in a log.
    pub fn render(&self) -> String {
        let colors = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        self.painted(if colors { Paint::Ansi } else { Paint::None })
    }

    fn painted(&self, paint: Paint) -> String {
        let Details {
            message,
            help,
            excerpt,
            ..
        } = &*self.0;
        let mut lines = message.lines();
        let first = lines.next().unwrap_or_default();
        let mut text = format!("  {} {first}\n", paint.wrong("×"));
        for line in lines {
            text += &format!("  {} {line}\n", paint.wrong("│"));
        }
        if let Some(excerpt) = excerpt {
            text += &excerpt.render(paint);
        }
        if let Some(help) = help {
            // Further lines begin below the first.
            let help = help.replace('\n', &format!("\n{:8}", ""));
            text += &format!("{}{help}\n", paint.remedy("  help: "));
        }
        text
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Failure {}

impl From<writhe_session::failure::Failure> for Failure {
    fn from(failure: writhe_session::failure::Failure) -> Self {
        let message = failure.message();
        let mut told = match failure.blame() {
            Blame::BadInput => Self::bad_input(message),
            Blame::Failed => Self::failed(message),
        };
        if let Some(remedy) = failure.remedy() {
            told = told.help(remedy);
        }
        match failure.place() {
            Some(place) => told.excerpt(Path::new(&place.file), &place.text, place.span.clone()),
            None => told,
        }
    }
}

impl From<RunDirError> for Failure {
    /// A directory that cannot be used is bad input; a disk that fails is not.
    fn from(error: RunDirError) -> Self {
        writhe_session::failure::Failure::from(error).into()
    }
}

impl From<PlotError> for Failure {
    fn from(error: PlotError) -> Self {
        /// Millimetres of a point.
        const POINT: f64 = 25.4 / 72.0;
        let remedy = match &error {
            PlotError::Cramped {
                least_width,
                least_height,
                ..
            } => format!(
                "in millimetres each panel needs {:.0}x{:.0}: give a larger --size, or name fewer observables",
                (least_width * POINT).ceil(),
                (least_height * POINT).ceil()
            ),
            PlotError::Size { .. } => "give another --size, or name fewer observables".to_owned(),
            PlotError::Limits { .. } => "give other ends, or leave --log out".to_owned(),
            PlotError::NothingToDraw { limited: true, .. } => {
                "give other limits, or leave --log out".to_owned()
            }
            PlotError::Font { .. } | PlotError::Png { .. } => "choose another format".to_owned(),
            PlotError::NoPanel | PlotError::NothingToDraw { .. } => {
                "choose other observables, or leave --log out".to_owned()
            }
        };
        Self::bad_input(error.to_string()).help(remedy)
    }
}

impl From<RenderError> for Failure {
    fn from(error: RenderError) -> Self {
        Self::failed(format!("the picture cannot be made: {error}"))
    }
}
