//! The book as a site on which every link works: `cargo xtask book`.
//!
//! Chapters link to decisions, results and sources, which lie outside of the book. Here they come
//! along: pages of Markdown as an appendix, pictures as they are, other texts as text. What is a
//! folder becomes a link to a repository if one is named, and plain words otherwise.

mod links;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::python;
use crate::step::{Step, run};

/// Where the book is.
const BOOK: &str = "docs/book";
/// Folder of pages and files from outside, below the chapters.
const APPENDIX: &str = "appendix";

/// Where folders of the repository can be seen.
#[derive(Debug, Default)]
pub struct Options {
    repository: Option<String>,
}

impl Options {
    /// From the words after `book`.
    pub fn parse(words: &[&str]) -> Result<Self, String> {
        match words {
            [] => Ok(Self::default()),
            ["--repository", address] => Ok(Self {
                repository: Some(address.trim_end_matches('/').to_owned()),
            }),
            _ => Err(format!("book: `{}` is not known", words.join(" "))),
        }
    }
}

/// Makes the site in `target/book`.
pub fn make(root: &Path, options: &Options) -> Result<(), String> {
    let target = python::target(root);
    let sources = target.join("book-sources");
    prepare(root, &sources, options)?;
    run(
        &sources,
        &Step::new(
            "the book",
            "mdbook",
            &[
                "build",
                "--dest-dir",
                &target.join("book").to_string_lossy(),
            ],
        )
        .remedy("install mdbook: `cargo install mdbook`"),
    )?;
    let count = links::check(&target.join("book"))?;
    println!("{count} links of the site lead to its pages and pictures");
    Ok(())
}

/// Writes the sources of the site into `to`.
fn prepare(root: &Path, to: &Path, options: &Options) -> Result<(), String> {
    let failed = |e: std::io::Error| format!("{}: {e}", to.display());
    if to.exists() {
        fs::remove_dir_all(to).map_err(failed)?;
    }
    copy_folder(&root.join(BOOK), to)?;
    let mut site = Site {
        root,
        chapters: to.join("src"),
        options,
        waiting: VecDeque::new(),
        taken: BTreeSet::new(),
        titles: BTreeMap::new(),
    };
    let inside = root.join(BOOK).join("src");
    for entry in fs::read_dir(&inside).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|e| e == "md") {
            site.write_page(&path)?;
        }
    }
    // The front page, and with it the page of a run that it links to.
    let front = root.join("README.md");
    site.taken.insert(front.clone());
    site.waiting.push_back(front);
    while let Some(page) = site.waiting.pop_front() {
        site.write_page(&page)?;
    }
    let summary = site.chapters.join("SUMMARY.md");
    let mut text = fs::read_to_string(&summary).map_err(failed)?;
    text += "\n# Appendix: pages of the repository\n\n";
    for (place, title) in &site.titles {
        text += &format!("- [{title}]({place})\n");
    }
    fs::write(&summary, text).map_err(failed)
}

/// A site that is written.
struct Site<'a> {
    root: &'a Path,
    /// Folder of the chapters.
    chapters: PathBuf,
    options: &'a Options,
    /// Pages from outside that are not written yet.
    waiting: VecDeque<PathBuf>,
    /// Files from outside that are there or waiting.
    taken: BTreeSet<PathBuf>,
    /// Title of each page from outside, by its place below the chapters.
    titles: BTreeMap<String, String>,
}

impl Site<'_> {
    /// Where a file of the repository is on the site, below the chapters.
    fn place(&self, file: &Path) -> PathBuf {
        let inside = self.root.join(BOOK).join("src");
        if let Ok(own) = file.strip_prefix(&inside) {
            return own.to_path_buf();
        }
        let mut from_root = file.strip_prefix(self.root).unwrap_or(file).to_path_buf();
        if from_root.ends_with("README.md") {
            // mdBook would make it index.html, and leave the links to it as they are.
            from_root.set_file_name("index.md");
        }
        let shown_as_it_is = ["md", "png", "svg", "gif", "html", "pdf", "ipynb"];
        let ending = file.extension().and_then(|e| e.to_str()).unwrap_or("");
        let mut place = Path::new(APPENDIX).join(from_root).into_os_string();
        if !shown_as_it_is.contains(&ending) {
            // Browsers show text and save what they do not know.
            place.push(".txt");
        }
        PathBuf::from(place)
    }

    /// Writes a page with its links as they are on the site.
    fn write_page(&mut self, page: &Path) -> Result<(), String> {
        let failed = |e: std::io::Error| format!("{}: {e}", page.display());
        let text = fs::read_to_string(page).map_err(failed)?;
        let place = self.place(page);
        let text = self.with_links(page, &place, &text)?;
        if place.starts_with(APPENDIX) {
            let title = text.lines().find_map(|line| line.strip_prefix("# "));
            let title = title.unwrap_or("A page").replace(['[', ']'], "");
            self.titles.insert(with_slashes(&place), title);
        }
        let file = self.chapters.join(place);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        fs::write(file, text).map_err(failed)
    }

    /// A text whose links lead to places on the site; `page` is the file that it is of.
    fn with_links(&mut self, page: &Path, place: &Path, text: &str) -> Result<String, String> {
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find("](") {
            let (before, after) = rest.split_at(at);
            let link = after[2..].split(')').next().unwrap_or_default();
            out += before;
            rest = after.get(2 + link.len()..).unwrap_or_default();
            match self.target(page, place, link)? {
                Some(target) => out += &format!("]({target}"),
                // A link to nothing on the site: its words alone.
                None => {
                    let words = out.rfind('[').unwrap_or(out.len());
                    out.remove(words);
                    rest = rest.get(1..).unwrap_or_default();
                }
            }
        }
        Ok(out + rest)
    }

    /// Where a link leads on the site; `None` where nothing is there.
    fn target(&mut self, page: &Path, place: &Path, link: &str) -> Result<Option<String>, String> {
        if link.contains("://") || link.starts_with('#') || link.contains(char::is_whitespace) {
            return Ok(Some(link.to_owned()));
        }
        let (path, part) = link
            .split_once('#')
            .map_or((link, None), |(p, t)| (p, Some(t)));
        let file = normal(&page.with_file_name(path));
        if !file.is_file() {
            let from_root = file.strip_prefix(self.root).unwrap_or(&file);
            let see = |address: &String| format!("{address}/tree/HEAD/{}", with_slashes(from_root));
            return Ok(self.options.repository.as_ref().map(see));
        }
        let to = self.place(&file);
        if to.starts_with(APPENDIX) && self.taken.insert(file.clone()) {
            if file.extension().is_some_and(|e| e == "md") {
                self.waiting.push_back(file);
            } else {
                copy_file(&file, &self.chapters.join(&to))?;
            }
        }
        let up = place.components().count() - 1;
        let part = part.map_or(String::new(), |part| format!("#{part}"));
        Ok(Some(format!(
            "{}{}{part}",
            "../".repeat(up),
            with_slashes(&to)
        )))
    }
}

/// The path without `..`.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(out.pop()),
            Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}

fn with_slashes(path: &Path) -> String {
    let parts = path
        .components()
        .map(|part| part.as_os_str().to_string_lossy());
    parts.collect::<Vec<_>>().join("/")
}

fn copy_file(from: &Path, to: &Path) -> Result<(), String> {
    let failed = |e: std::io::Error| format!("{}: {e}", from.display());
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    fs::copy(from, to).map(|_| ()).map_err(failed)
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), String> {
    let failed = |e: std::io::Error| format!("{}: {e}", from.display());
    fs::create_dir_all(to).map_err(failed)?;
    for entry in fs::read_dir(from).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let to = to.join(path.file_name().unwrap_or_default());
        match path.is_dir() {
            true => copy_folder(&path, &to)?,
            false => copy_file(&path, &to)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every page below a folder.
    fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pages(&path, found);
            } else if path.extension().is_some_and(|e| e == "md") {
                found.push(path);
            }
        }
    }

    #[test]
    fn links_of_the_site_lead_to_its_files() {
        let to = std::env::temp_dir().join(format!("writhe-book-{}", std::process::id()));
        prepare(&crate::root(), &to, &Options::default()).unwrap();
        let mut found = Vec::new();
        pages(&to.join("src"), &mut found);
        let mut wrong = Vec::new();
        let mut count = 0;
        for page in &found {
            // mdBook gives the site of such a page another name than links to it have.
            assert!(!page.ends_with("README.md"), "{}", page.display());
            let text = fs::read_to_string(page).unwrap();
            for link in text
                .split("](")
                .skip(1)
                .filter_map(|rest| rest.split(')').next())
            {
                let path = link.split('#').next().unwrap_or_default();
                if path.is_empty() || link.contains("://") || link.contains(char::is_whitespace) {
                    continue;
                }
                count += 1;
                if !page.with_file_name(path).is_file() {
                    wrong.push(format!("{}: {link}", page.display()));
                }
            }
        }
        let summary = fs::read_to_string(to.join("src/SUMMARY.md")).unwrap();
        fs::remove_dir_all(&to).unwrap();
        assert!(wrong.is_empty(), "{wrong:#?}");
        assert!(count > 300, "only {count} links");
        assert!(
            summary.contains("appendix/docs/decisions/0004"),
            "{summary}"
        );
    }

    #[test]
    fn folders_are_seen_in_a_repository_or_told_in_words() {
        let root = crate::root();
        let page = root.join("docs/book/src/theory-rods.md");
        let of = |options: &Options| {
            let mut site = Site {
                root: &root,
                chapters: PathBuf::new(),
                options,
                waiting: VecDeque::new(),
                taken: BTreeSet::new(),
                titles: BTreeMap::new(),
            };
            let text = "see [rod](../../../crates/writhe/src/rod) and [this](#x)";
            site.with_links(&page, Path::new("theory-rods.md"), text)
                .unwrap()
        };
        assert_eq!(of(&Options::default()), "see rod and [this](#x)");
        let options = Options::parse(&["--repository", "https://example.org/w/"]).unwrap();
        let link = "https://example.org/w/tree/HEAD/crates/writhe/src/rod";
        assert_eq!(of(&options), format!("see [rod]({link}) and [this](#x)"));
        assert!(Options::parse(&["--now"]).is_err());
    }
}
