//! Pages of markdown, taken apart.

use std::fs;
use std::path::{Path, PathBuf};

/// The workspace.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap().to_path_buf()
}

/// All chapters of the book.
pub fn chapters() -> Vec<Page> {
    let entries = fs::read_dir(root().join("docs/book/src")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .filter(|path| path.file_name().is_some_and(|name| name != "SUMMARY.md"))
        .map(|path| Page::read(&path))
        .collect()
}

/// A page.
pub struct Page {
    pub path: PathBuf,
    pub text: String,
}

/// A fenced block.
pub struct Fence {
    pub language: String,
    pub text: String,
}

impl Page {
    pub fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        Self {
            path: path.to_path_buf(),
            text,
        }
    }

    pub fn name(&self) -> String {
        self.path
            .file_name()
            .unwrap()
            .to_string_lossy()
            .into_owned()
    }

    /// Targets of links and pictures, without the part after #.
    pub fn links(&self) -> impl Iterator<Item = &str> {
        let targets = self.text.split("](").skip(1);
        let targets = targets.filter_map(|rest| rest.split(')').next());
        targets.filter_map(|target| target.split('#').next().filter(|t| !t.is_empty()))
    }

    pub fn fences(&self) -> impl Iterator<Item = Fence> {
        let parts = self.text.split("```").enumerate();
        parts.filter(|(i, _)| i % 2 == 1).map(|(_, block)| {
            let (language, text) = block.split_once('\n').unwrap_or((block, ""));
            Fence {
                language: language.trim().to_owned(),
                text: text.to_owned(),
            }
        })
    }

    /// The page without its fenced blocks.
    fn prose(&self) -> String {
        let parts = self.text.split("```").enumerate();
        parts
            .filter(|(i, _)| i % 2 == 0)
            .map(|(_, text)| text)
            .collect()
    }

    /// Pieces of code within lines.
    fn inline_code(&self) -> Vec<String> {
        let prose = self.prose();
        let parts = prose.split('`').enumerate();
        let code = parts.filter(|(i, _)| i % 2 == 1);
        code.map(|(_, code)| code.to_owned()).collect()
    }

    /// Commands of `program` in blocks of shell, and whole ones within lines, as words; those of
    /// `cargo run --` among them.
    pub fn commands(&self, program: &str) -> Vec<Vec<String>> {
        let blocks = self.fences().filter(|fence| fence.language == "sh");
        let mut commands: Vec<_> = blocks.flat_map(|fence| shell(&fence.text)).collect();
        commands.retain(|words| words.first().is_some_and(|word| word == program));
        // Within lines a command may be named without what it needs.
        let inline = self.inline_commands(program).into_iter();
        commands.extend(inline.filter(|words| words.len() > 2));
        commands
    }

    /// Code within lines that begins with the name of `program`, as words.
    pub fn inline_commands(&self, program: &str) -> Vec<Vec<String>> {
        let code = self.inline_code();
        let own = code.iter().filter(|c| {
            c.strip_prefix(program)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        });
        own.filter(|c| !c.contains("...") && !c.contains('|'))
            .flat_map(|code| shell(code))
            .collect()
    }

    /// Words that stand alone or in pieces of code: keys within `{ a = 1, b }` too.
    pub fn code_words(&self) -> impl Iterator<Item = String> {
        let word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_-".contains(c);
        let code = self.inline_code().into_iter();
        let words = code.flat_map(move |code| {
            let words: Vec<String> = code.split(|c| !word(c)).map(str::to_owned).collect();
            words
        });
        words.filter(|w| !w.is_empty())
    }

    /// Code in quotations: lines that begin with >.
    pub fn quoted_code(&self) -> impl Iterator<Item = String> {
        let lines = self
            .text
            .lines()
            .filter_map(|line| line.strip_prefix("> `"));
        lines.filter_map(|line| Some(line.strip_suffix('`')?.to_owned()))
    }
}

/// The programs of which pages show commands; the first is the one that `cargo run` runs where no
/// package is named.
const PROGRAMS: [&str; 2] = ["writhe", "writhe-papers"];

/// The commands of our programs in a piece of shell, as words, without redirections.
fn shell(text: &str) -> Vec<Vec<String>> {
    let joined = text.replace("\\\n", " ");
    let mut commands = Vec::new();
    for words in joined.lines().flat_map(simple_commands) {
        let mut words = words.into_iter().peekable();
        // `for x in ...; do writhe run ...; done`, `cargo run --release -- run ...`
        let mut own: Vec<String> = Vec::new();
        if words.peek().is_some_and(|w| w == "do") {
            words.next();
        }
        let rest: Vec<String> = words.collect();
        match rest.first().map(String::as_str) {
            Some(program) if PROGRAMS.contains(&program) => own.extend(rest),
            Some("cargo") if rest.get(1).is_some_and(|w| w == "run") => {
                let after = rest.iter().position(|w| w == "--");
                if let Some(after) = after {
                    let named = |w: &&String| PROGRAMS[1..].contains(&w.as_str());
                    let program = rest[..after].iter().find(named);
                    own.push(program.map_or(PROGRAMS[0], String::as_str).to_owned());
                    own.extend_from_slice(&rest[after + 1..]);
                }
            }
            _ => continue,
        }
        if let Some(end) = own.iter().position(|w| w == ">") {
            own.truncate(end);
        }
        commands.push(own);
    }
    commands
}

/// A line cut at `;`, `|` and `&` into commands, and these into words; quotes are taken off,
/// comments left out.
fn simple_commands(line: &str) -> Vec<Vec<String>> {
    let mut commands = vec![Vec::new()];
    let (mut word, mut quote, mut begun) = (String::new(), None, false);
    let end = |word: &mut String, begun: &mut bool, commands: &mut Vec<Vec<String>>| {
        if std::mem::take(begun) {
            commands.last_mut().unwrap().push(std::mem::take(word));
        }
    };
    for c in line.chars() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some(_), c) => word.push(c),
            (None, '"' | '\'') => (quote, begun) = (Some(c), true),
            (None, '#') if !begun => break,
            (None, ';' | '|' | '&') => {
                end(&mut word, &mut begun, &mut commands);
                commands.push(Vec::new());
            }
            (None, c) if c.is_whitespace() => end(&mut word, &mut begun, &mut commands),
            (None, c) => {
                begun = true;
                word.push(c);
            }
        }
    }
    end(&mut word, &mut begun, &mut commands);
    commands.retain(|words| !words.is_empty());
    commands
}
