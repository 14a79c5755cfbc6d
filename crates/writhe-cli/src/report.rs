//! What a user is told when a command cannot do what it was asked: one message, where, and what to
//! do about it.

use std::fmt;
use std::io::IsTerminal;
use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;

use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, SourceCode,
};
use writhe_plot::PlotError;
use writhe_render::RenderError;
use writhe_rundir::RunDirError;
use writhe_session::failure::Blame;

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

/// Lines of a file with a part underlined.
#[derive(Debug)]
struct Excerpt {
    source: NamedSource<String>,
    span: Range<usize>,
    label: Option<String>,
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

    /// Adds the lines of `file` around `span` (bytes of `text`), underlined and labelled.
    pub fn excerpt(
        mut self,
        file: &Path,
        text: &str,
        span: Range<usize>,
        label: Option<String>,
    ) -> Self {
        // A span beyond the text would show nothing at all.
        if span.start <= span.end && span.end <= text.len() {
            let name = printable(&file.display().to_string());
            let source = NamedSource::new(name, printable(text));
            self.0.excerpt = Some(Excerpt {
                source: source.with_language("TOML"),
                span,
                label: label.as_deref().map(printable),
            });
        }
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

    /// The report for standard error.
    pub fn render(&self) -> String {
        let terminal = std::io::stderr().is_terminal();
        let colors = terminal && std::env::var_os("NO_COLOR").is_none();
        let handler = if colors {
            GraphicalReportHandler::new_themed(GraphicalTheme::unicode())
        } else {
            GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor())
        };
        // Lines in a log stay whole, so that they can be searched.
        let handler = if terminal {
            handler
        } else {
            handler.with_wrap_lines(false)
        };
        let mut text = String::new();
        match handler.render_report(&mut text, self) {
            Ok(()) => format!("{}\n", text.trim_matches('\n')),
            Err(fmt::Error) => format!("{self}\n"),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Failure {}

impl Diagnostic for Failure {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        let help = self.0.help.as_ref()?;
        Some(Box::new(help))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        let excerpt = self.0.excerpt.as_ref()?;
        Some(&excerpt.source)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let Excerpt { span, label, .. } = self.0.excerpt.as_ref()?;
        let span = LabeledSpan::new(label.clone(), span.start, span.len());
        Some(Box::new(std::iter::once(span)))
    }
}

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
            Some(place) => told.excerpt(
                Path::new(&place.file),
                &place.text,
                place.span.clone(),
                None,
            ),
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
                "in millimetres each panel needs {:.0}x{:.0}: give a larger --size, a shorter --title or fewer observables",
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
