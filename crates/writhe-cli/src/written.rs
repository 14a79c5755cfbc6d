//! What a command wrote, as its JSON tells it.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

/// A file, or a folder with all that is in it: what it is, where, of how many files and bytes.
pub fn written(what: &str, path: &Path) -> Value {
    let (files, bytes) = size(path);
    json!({ "what": what, "path": path.to_string_lossy(), "files": files, "bytes": bytes })
}

/// Number of files and bytes at a path; what cannot be looked at counts as nothing.
fn size(path: &Path) -> (u64, u64) {
    match fs::read_dir(path) {
        Ok(entries) => (entries.flatten().map(|entry| size(&entry.path())))
            .fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1)),
        Err(_) => fs::metadata(path).map_or((0, 0), |file| (1, file.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_count_with_all_that_is_in_them() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("a");
        fs::create_dir_all(folder.join("b")).unwrap();
        fs::write(folder.join("one"), "123").unwrap();
        fs::write(folder.join("b/two"), "45").unwrap();
        let told = written("folder", &folder);
        assert_eq!((&told["files"], &told["bytes"]), (&json!(2), &json!(5)));
        let told = written("table", &folder.join("one"));
        assert_eq!((&told["files"], &told["bytes"]), (&json!(1), &json!(3)));
        assert_eq!(written("nothing", &place.path().join("c"))["files"], 0);
    }
}
