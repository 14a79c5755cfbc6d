//! Whether every link on a site that is made leads somewhere: to a file, and to the place in it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Pages that stand alone, below folders of this name: what they hold is their own matter.
const ALONE: &str = "live";

/// Follows every link of the pages below `site` that does not leave it, and counts them.
///
/// # Errors
/// When one leads nowhere, with the page and the link; when there is no page.
pub fn check(site: &Path) -> Result<usize, String> {
    let mut files = Vec::new();
    list(site, &mut files)?;
    let pages = files.iter().filter(|file| {
        let alone = file.parent().is_some_and(|folder| folder.ends_with(ALONE));
        file.extension().is_some_and(|e| e == "html") && !alone
    });
    let mut texts = BTreeMap::new();
    for page in pages {
        let text = fs::read_to_string(page).map_err(|e| format!("{}: {e}", page.display()))?;
        texts.insert(page.clone(), text);
    }
    let places: BTreeMap<&PathBuf, BTreeSet<String>> = texts
        .iter()
        .map(|(page, text)| (page, values(text, &["id", "name"]).collect()))
        .collect();
    let files: BTreeSet<&PathBuf> = files.iter().collect();
    let (mut count, mut wrong) = (0, BTreeSet::new());
    for (page, text) in &texts {
        // What mdBook shows for an address that does not exist links from the root of its server.
        let lost = page.file_name().is_some_and(|name| name == "404.html");
        for link in values(text, &["href", "src"]).filter(|link| !lost && is_inside(link)) {
            count += 1;
            let (path, place) = link.split_once('#').unwrap_or((&link, ""));
            let path = path.split('?').next().unwrap_or_default();
            let to = match path {
                "" => page.clone(),
                path => super::normal(&page.with_file_name(path)),
            };
            let there = places
                .get(&to)
                .is_none_or(|all| place.is_empty() || all.contains(place));
            if !files.contains(&to) || !there {
                let page = page.strip_prefix(site).unwrap_or(page);
                wrong.insert(format!("{}: {link}", page.display()));
            }
        }
    }
    if count == 0 {
        return Err(format!("{}: no page has a link", site.display()));
    }
    match wrong.len() {
        0 => Ok(count),
        few => Err(format!(
            "{few} of {count} links lead nowhere:\n  {}",
            wrong.into_iter().collect::<Vec<_>>().join("\n  ")
        )),
    }
}

/// Whether a link leads to something on the site.
fn is_inside(link: &str) -> bool {
    let scheme = link.split(['/', '#', '?']).next().unwrap_or_default();
    !scheme.contains(':') && !link.starts_with("//")
}

/// Values of these attributes in a page, but for what its programs hold.
fn values(text: &str, names: &[&str]) -> impl Iterator<Item = String> {
    let mut found = Vec::new();
    for (i, part) in text.split("<script").enumerate() {
        // The tag of a program counts, what stands between it and its end does not.
        let (tag, rest) = part.split_once('>').unwrap_or((part, ""));
        let after = rest.split_once("</script>").map_or("", |(_, after)| after);
        let seen = if i == 0 { [part, ""] } else { [tag, after] };
        for tag in seen.into_iter().flat_map(|seen| seen.split('<')) {
            let tag = tag.split_once('>').map_or(tag, |(tag, _)| tag);
            for name in names {
                let value = tag.split_once(&format!(" {name}=\"")).map(|(_, rest)| rest);
                let value = value.and_then(|rest| rest.split('"').next());
                found.extend(value.map(|v| v.replace("&amp;", "&")));
            }
        }
    }
    found.into_iter()
}

/// All files below a folder.
fn list(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        match path.is_dir() {
            true => list(&path, found)?,
            false => found.push(path),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_nothing_are_told_with_their_pages() {
        let site = std::env::temp_dir().join(format!("writhe-links-{}", std::process::id()));
        fs::create_dir_all(site.join("a")).unwrap();
        let write = |name: &str, text: &str| fs::write(site.join(name), text).unwrap();
        write("a/x.png", "");
        write(
            "index.html",
            r##"<h1 id="top">A</h1> <a href="#top">b</a> <a class="c" href="a/b.html#part">d</a>
            <img src="a/x.png"> <a href="https://example.org/#no">e</a> <a href="mailto:a@b.c">f</a>
            <script src="a/x.png">let link = '<a href="nowhere.html">';</script>"##,
        );
        write(
            "a/b.html",
            r#"<p id="part"></p><a href="../index.html">g</a>"#,
        );
        assert_eq!(check(&site), Ok(5));
        write(
            "a/b.html",
            r##"<a href="../index.html#bottom">h</a> <a href="c.html">i</a> <a href="#j">j</a>"##,
        );
        let told = check(&site).unwrap_err();
        fs::remove_dir_all(&site).unwrap();
        for wrong in [
            "a/b.html: ../index.html#bottom",
            "a/b.html: c.html",
            "a/b.html: #j",
            "index.html: a/b.html#part",
        ] {
            assert!(told.contains(wrong), "{wrong} in {told}");
        }
        assert!(told.starts_with("4 of 7 "), "{told}");
    }
}
