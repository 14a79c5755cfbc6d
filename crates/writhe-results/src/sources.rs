//! The sources that a result depends on, as one short hash: a result whose sources have changed
//! since is outdated.
//!
//! What counts is code: comments, blank lines and tests do not. Parts of the core that an experiment
//! cannot touch (the fluid, for knots) are left out for it. Where two commits were found to compute the
//! same bits, what is recorded of one counts as of the other ([`SameBits`]).

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Parts of the core that not every result depends on, and where they are in `crates/writhe/src`.
const PARTS: [(Part, &[&str]); 6] = [
    (Part::Fluid, &["fluid", "step/drag", "step/drag.rs"]),
    (
        Part::Contact,
        &[
            "contact",
            "contact_model",
            "kernels/candidates.rs",
            "kernels/ccd",
            "kernels/ccd.rs",
            "kernels/distance",
            "kernels/distance.rs",
            "kernels/friction",
            "kernels/friction.rs",
            "kernels/smooth_distance",
            "kernels/smooth_distance.rs",
            "step/barrier",
            "step/barrier.rs",
            "step/contact.rs",
            "step/hardening.rs",
            "step/relaxation",
            "step/relaxation.rs",
        ],
    ),
    (Part::Obstacles, &["obstacle"]),
    (Part::Bodies, &["bodies", "step/bodies", "step/bodies.rs"]),
    (Part::Explicit, &["step/symplectic"]),
    (Part::Knots, &["knot"]),
];

/// Folders that no result depends on: branches of equilibria are nobody's experiment.
const APART: [&str; 2] = ["follow", "follow.rs"];

/// A part of the core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Fluid,
    Contact,
    Obstacles,
    Bodies,
    Explicit,
    Knots,
}

/// What a result is of, by its folder below `validation`, or a case's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin<'a> {
    /// A paper's experiment, such as `tong2022-table1`: what it runs and what it measures there.
    Experiment(&'a str),
    /// The runs of an experiment, which others of the paper may share: without what each measures.
    Runs(&'a str),
    /// A case of `writhe validate`.
    Case(&'a str),
}

impl Origin<'_> {
    fn parts(self) -> &'static [Part] {
        use Part::{Bodies, Contact, Explicit, Fluid, Knots, Obstacles};
        match self {
            Self::Experiment(name) | Self::Runs(name) => match paper_of(name) {
                "tong2022" => &[Contact, Fluid],
                "choi2021" => &[Contact, Knots],
                _ => &[Contact, Bodies, Explicit],
            },
            Self::Case(_) => &[Contact, Fluid, Obstacles, Bodies, Explicit, Knots],
        }
    }

    /// Whether the result depends on this file, a path from the workspace with `/`.
    fn depends_on(self, file: &str) -> bool {
        if is_test(file) {
            return false;
        }
        if let Some(file) = file.strip_prefix("crates/writhe/src/") {
            let within = |places: &[&str]| places.iter().any(|place| is_within(file, place));
            let other =
                |(part, places): &(Part, &[&str])| !self.parts().contains(part) && within(places);
            return !within(&APART) && !PARTS.iter().any(other);
        }
        if let Some(file) = file.strip_prefix("crates/writhe-scenes/src/") {
            // What `writhe check` says, and files of other programs.
            return !["describe", "import"].iter().any(|p| is_within(file, p));
        }
        match self {
            Self::Experiment(name) => {
                of_experiments(file).is_some_and(|file| !is_of_one(file) || file == file_of(name))
            }
            Self::Runs(_) => of_experiments(file).is_some_and(|file| !is_of_one(file)),
            Self::Case(name) => {
                let Some(file) = file.strip_prefix("crates/writhe-validate/src/") else {
                    return false;
                };
                let case = format!("cases/{}", name.replace('-', "_"));
                !file.starts_with("cases/")
                    || file == format!("{case}.rs")
                    || file.starts_with(&format!("{case}/"))
            }
        }
    }
}

/// The paper of an experiment.
fn paper_of(experiment: &str) -> &str {
    experiment.split('-').next().unwrap_or(experiment)
}

/// The path of a file of the experiments, from their sources' folder.
fn of_experiments(file: &str) -> Option<&str> {
    file.strip_prefix("crates/writhe-reproduce/src/")
}

/// Whether a file of the experiments is of a single one: it is called as the experiment.
fn is_of_one(file: &str) -> bool {
    let papers = ["tong2022", "choi2021", "bergou2008"];
    let file = file.strip_prefix("experiments/");
    file.is_some_and(|file| papers.iter().any(|paper| file.starts_with(paper)))
}

/// The file of an experiment.
fn file_of(experiment: &str) -> String {
    let name = match experiment {
        // Two views of the same runs.
        "choi2021-fig4" => "choi2021-fig3",
        name => name,
    };
    format!("experiments/{}.rs", name.replace('-', "_"))
}

/// Whether `file` is `place` or lies in it.
fn is_within(file: &str, place: &str) -> bool {
    file.strip_prefix(place)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether a file is compiled for tests alone, or none of the program's.
fn is_test(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    name == "tests.rs"
        || name.ends_with("_tests.rs")
        || file.contains("/tests/")
        || file.contains("/testing")
        || !(name.ends_with(".rs") || name.ends_with(".toml") || name.ends_with(".csv"))
}

/// Crates whose code results depend on.
const CRATES: [&str; 4] = [
    "writhe",
    "writhe-reproduce",
    "writhe-scenes",
    "writhe-validate",
];

/// Where pairs of commits that compute the same are listed: lines `OLD NEW` and what shows it.
const SAME_BITS: &str = "validation/same-bits.txt";

/// A checkout of Writhe whose sources are looked at.
#[derive(Debug, Clone)]
pub struct Checkout {
    root: PathBuf,
    /// All files below `crates`, by their path from the root, in order, with what counts of them.
    files: Vec<(String, String)>,
}

/// Two commits that compute the same, bit for bit, as `cargo xtask same-as` found:
/// `validation/same-bits.txt` lists them.
#[derive(Debug, Clone)]
pub struct SameBits {
    old: Checkout,
    new: Checkout,
}

/// Why the sources of a program are not known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// The working directory is no checkout of Writhe.
    #[error("this is no checkout of Writhe, whose sources a result names")]
    NoCheckout,
    /// Uncommitted changes.
    #[error("the checkout has changes that are not committed, such as `{0}`")]
    Changed(String),
    /// The program is of another commit.
    #[error("the program was built of {program}, and the checkout is at {checkout}")]
    OtherCommit {
        /// Commit of this program.
        program: String,
        /// Commit of the checkout.
        checkout: String,
    },
}

impl Checkout {
    /// The checkout around the working directory, as its files are now.
    ///
    /// # Errors
    /// Where there is none.
    pub fn here() -> Result<Self, SourceError> {
        let top = git(&["rev-parse", "--show-toplevel"]).ok_or(SourceError::NoCheckout)?;
        let root = PathBuf::from(top);
        let mut files = Vec::new();
        for package in CRATES {
            let folder = format!("crates/{package}/src");
            read_folder(&root, &folder, &mut files);
        }
        if files.is_empty() {
            return Err(SourceError::NoCheckout);
        }
        files.sort();
        Ok(Self { root, files })
    }

    /// The checkout around the working directory as a commit has it; `None` where git does not know the
    /// commit, as after a shallow clone.
    fn at(commit: &str) -> Option<Self> {
        let folders = CRATES.map(|package| format!("crates/{package}/src"));
        let list = ["ls-tree", "-r", "--name-only", "--full-tree", commit, "--"];
        let names = git(&[&list[..], &folders.each_ref().map(String::as_str)].concat())?;
        let names = names.lines().filter(|name| !is_test(name));
        let mut files = names
            .map(|name| {
                let text = printed(&["show", &format!("{commit}:{name}")])?;
                Some((name.to_owned(), counted(name, &text)))
            })
            .collect::<Option<Vec<_>>>()?;
        files.sort();
        Some(Self {
            root: PathBuf::new(),
            files,
        })
    }

    /// The checkout around the working directory, whose sources are those of this program: nothing
    /// but results is changed, and `commit` is that of the program.
    ///
    /// # Errors
    /// Where it is not so.
    pub fn of_program(commit: &str) -> Result<Self, SourceError> {
        let checkout = git(&["describe", "--always", "--exclude=*"]);
        let checkout = checkout.ok_or(SourceError::NoCheckout)?;
        // Results are no sources.
        let status = git(&[
            "status",
            "--porcelain",
            "--",
            ":/",
            ":(top,exclude)validation",
        ]);
        let status = status.unwrap_or_default();
        if let Some(line) = status.lines().next() {
            let file = line.trim().split_once(' ').map_or(line, |(_, file)| file);
            return Err(SourceError::Changed(file.trim().to_owned()));
        }
        if commit != checkout {
            return Err(SourceError::OtherCommit {
                program: commit.to_owned(),
                checkout,
            });
        }
        Self::here()
    }

    /// Its folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A short hash of all that the result depends on; `None` where git cannot tell.
    pub fn hash(&self, origin: Origin) -> Option<String> {
        let mut text = String::new();
        for (file, code) in self.files.iter().filter(|(f, _)| origin.depends_on(f)) {
            text += &format!("{file}\n{code}");
        }
        let hash = hash_of(&text)?;
        Some(hash.get(..12)?.to_owned())
    }

    /// The commits that compute the same; those that git does not know are left out.
    pub fn same_bits(&self) -> Vec<SameBits> {
        let text = fs::read_to_string(self.root.join(SAME_BITS)).unwrap_or_default();
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let pair = |line: &str| {
            let mut commits = line.split_whitespace();
            Some(SameBits {
                old: Self::at(commits.next()?)?,
                new: Self::at(commits.next()?)?,
            })
        };
        lines.filter_map(pair).collect()
    }

    /// Hashes of sources that compute what these do, their own first; `None` where git cannot tell.
    pub fn hashes(&self, origin: Origin, same: &[SameBits]) -> Option<Vec<String>> {
        let pairs = same
            .iter()
            .map(|pair| (pair.old.hash(origin), pair.new.hash(origin)));
        let pairs: Vec<_> = pairs.filter_map(|(old, new)| Some((old?, new?))).collect();
        let mut hashes = vec![self.hash(origin)?];
        // The same as the same is the same.
        while let Some((old, _)) =
            (pairs.iter()).find(|(old, new)| hashes.contains(new) && !hashes.contains(old))
        {
            hashes.push(old.clone());
        }
        Some(hashes)
    }
}

/// What counts of a file.
fn counted(name: &str, text: &str) -> String {
    match name.ends_with(".rs") {
        true => code_of(text),
        false => text.to_owned(),
    }
}

/// Adds the files of a folder and those below it.
fn read_folder(root: &Path, folder: &str, files: &mut Vec<(String, String)>) {
    let Ok(entries) = fs::read_dir(root.join(folder)) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{folder}/{name}");
        if entry.path().is_dir() {
            read_folder(root, &path, files);
        } else if !is_test(&path)
            && let Ok(text) = fs::read_to_string(entry.path())
        {
            files.push((path, counted(&name, &text)));
        }
    }
}

/// The lines of a Rust file without comments, blank ones and those of its tests, which stand last.
fn code_of(text: &str) -> String {
    let lines = text.lines().map(str::trim);
    let lines = lines.take_while(|line| *line != "#[cfg(test)]");
    let code = lines.filter(|line| !line.is_empty() && !line.starts_with("//"));
    code.map(|line| format!("{line}\n")).collect()
}

/// What git prints, without the last line break; `None` where it fails.
fn git(arguments: &[&str]) -> Option<String> {
    Some(printed(arguments)?.trim_end().to_owned())
}

/// All that git prints; `None` where it fails.
fn printed(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then_some(text)
}

/// Git's hash of a text.
fn hash_of(text: &str) -> Option<String> {
    let mut child = Command::new("git")
        .args(["hash-object", "--stdin"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_depend_on_what_they_use() {
        let table = Origin::Experiment("tong2022-table1");
        let knot = Origin::Experiment("choi2021-fig6");
        let chain = Origin::Experiment("bergou2008-fig10");
        let file = "crates/writhe/src/fluid/flow.rs";
        assert!(table.depends_on(file) && !knot.depends_on(file) && !chain.depends_on(file));
        let file = "crates/writhe/src/step/newton.rs";
        assert!(table.depends_on(file) && knot.depends_on(file) && chain.depends_on(file));
        let file = "crates/writhe-reproduce/src/experiments/choi2021_fig6.rs";
        assert!(knot.depends_on(file) && !table.depends_on(file));
        assert!(knot.depends_on("crates/writhe-reproduce/src/experiments/knots.rs"));
        // What others measure is theirs, and runs are everybody's.
        let of = |name: &str| format!("crates/writhe-reproduce/src/experiments/{name}.rs");
        assert!(!knot.depends_on(&of("choi2021_table1")));
        let runs = Origin::Runs("choi2021-fig6");
        assert!(runs.depends_on(&of("knots")) && !runs.depends_on(&of("choi2021_fig6")));
        assert!(Origin::Experiment("choi2021-fig4").depends_on(&of("choi2021_fig3")));
        assert!(!knot.depends_on("crates/writhe/src/step/newton/tests.rs"));
        assert!(!knot.depends_on("crates/writhe-cli/src/main.rs"));
        let case = Origin::Case("heavy-cantilever");
        assert!(case.depends_on("crates/writhe-validate/src/cases/heavy_cantilever.rs"));
        assert!(case.depends_on("crates/writhe-validate/src/reference/elastica.rs"));
        assert!(!case.depends_on("crates/writhe-validate/src/cases/floor.rs"));
        // A part is named by its folder, not by what begins like it.
        assert!(knot.depends_on("crates/writhe/src/fluids.rs"));
    }

    #[test]
    fn parts_are_where_the_table_says() {
        let core = Path::new(env!("CARGO_MANIFEST_DIR")).join("../writhe/src");
        let places = PARTS.iter().flat_map(|(_, places)| *places).chain(&APART);
        for place in places {
            assert!(core.join(place).exists(), "{place}");
        }
    }

    #[test]
    fn files_of_experiments_are_called_as_they_are() {
        let experiments =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../writhe-reproduce/src/experiments");
        for entry in fs::read_dir(experiments).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let path = format!("experiments/{name}");
            if is_of_one(&path) {
                let experiment = name.trim_end_matches(".rs").replace('_', "-");
                assert_eq!(file_of(&experiment), path);
            }
        }
    }

    #[test]
    fn comments_and_tests_change_nothing() {
        let bare = code_of("fn a() {\n    b();\n}\n");
        let told = code_of(
            "//! A.\n\n/// B.\nfn a() {\n    // Why.\n    b();\n}\n\n#[cfg(test)]\nmod tests;\n",
        );
        assert_eq!(bare, told);
        assert_ne!(bare, code_of("fn a() {\n    c();\n}\n"));
    }

    #[test]
    fn a_result_has_the_hash_of_its_code() {
        let checkout = |fluid: &str| Checkout {
            root: PathBuf::new(),
            files: vec![
                ("crates/writhe/src/fluid/flow.rs".into(), fluid.into()),
                ("crates/writhe/src/step/newton.rs".into(), "solve".into()),
            ],
        };
        let hash = |fluid, name| checkout(fluid).hash(Origin::Experiment(name)).unwrap();
        assert_eq!(hash("a", "choi2021-fig6"), hash("b", "choi2021-fig6"));
        assert_ne!(hash("a", "tong2022-c6"), hash("b", "tong2022-c6"));
        assert_eq!(hash("a", "tong2022-c6").len(), 12);
    }

    /// Chains hold, and say nothing of sources that came after them.
    #[test]
    fn sources_that_compute_the_same_count_as_one() {
        let checkout = |code: &str| Checkout {
            root: PathBuf::new(),
            files: vec![("crates/writhe/src/step/newton.rs".into(), code.into())],
        };
        let pair = |old, new| SameBits {
            old: checkout(old),
            new: checkout(new),
        };
        let origin = Origin::Experiment("choi2021-fig6");
        let hash = |code| checkout(code).hash(origin).unwrap();
        let same = [pair("b", "c"), pair("a", "b")];
        let hashes = checkout("c").hashes(origin, &same).unwrap();
        assert_eq!(hashes, ["c", "b", "a"].map(hash));
        assert_eq!(checkout("d").hashes(origin, &same).unwrap(), [hash("d")]);
        assert_eq!(checkout("a").hashes(origin, &same).unwrap(), [hash("a")]);
    }

    #[test]
    fn a_commit_has_the_hashes_of_its_checkout() {
        // Sources of a release have no commits.
        let (Some(now), Ok(here)) = (Checkout::at("HEAD"), Checkout::here()) else {
            return;
        };
        let changed = git(&["status", "--porcelain", "--", ":/crates"]);
        if changed.is_some_and(|changed| changed.is_empty()) {
            let origin = Origin::Case("floor");
            assert_eq!(now.hash(origin), here.hash(origin));
        }
        assert!(Checkout::at("no-such-commit").is_none());
    }
}
