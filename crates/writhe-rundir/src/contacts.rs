//! `contacts.csv`: the contact set of each frame, one row a pair of touching parts of rods.
//!
//! Frames without contact have no row. Numbers are written with the fewest digits that read back to the same 64 bits.

use std::fmt::Write;
use std::path::Path;

use crate::error::{Result, RunDirError};
use crate::growing::{self, GrowingFile};

/// Name of the file in the run directory and in an export.
pub(crate) const CONTACTS_FILE: &str = "contacts.csv";

const HEADER: &str = "frame,t [s],rod_a,s_a [m],rod_b,s_b [m],gap [m],force [N]\n";

/// Two parts of rods that touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// The rods, which may be the same.
    pub rods: [usize; 2],
    /// Arc length at rest from the first node of each rod to the point of contact, m.
    pub arcs: [f64; 2],
    /// Distance of the surfaces, m; negative where they penetrate.
    pub gap: f64,
    /// Normal force, N.
    pub force: f64,
}

/// The growing file.
#[derive(Debug)]
pub(crate) struct ContactsWriter {
    file: GrowingFile,
}

impl ContactsWriter {
    /// Writes a file that has a header only.
    pub(crate) fn create(run_directory: &Path) -> Result<Self> {
        let file = GrowingFile::create(run_directory.join(CONTACTS_FILE), HEADER)?;
        Ok(Self { file })
    }

    /// Opens a file to go on after the rows of its first `frames` frames; `None` if the run has none. Changes nothing yet.
    pub(crate) fn open(run_directory: &Path, frames: usize) -> Result<Option<Self>> {
        let path = run_directory.join(CONTACTS_FILE);
        if !path.exists() {
            return Ok(None);
        }
        let bytes = growing::read(&path)?;
        let length = whole_rows(&bytes, frames).map_err(|e| RunDirError::damaged(&path, e))?;
        let file = GrowingFile::open(path, length as u64);
        Ok(Some(Self { file }))
    }

    /// Adds the contacts of a frame in memory.
    pub(crate) fn push(&mut self, frame: usize, time: f64, contacts: &[Contact]) {
        let text = self.file.pending();
        for contact in contacts {
            push_row(text, frame, time, contact);
        }
    }

    /// Puts all rows on disk.
    pub(crate) fn flush(&mut self) -> Result<()> {
        self.file.flush()
    }

    /// Cuts the file off after the frames that [`ContactsWriter::open`] was told.
    pub(crate) fn truncate(&self) -> Result<()> {
        self.file.truncate()
    }
}

/// Whether the run records contacts.
pub(crate) fn are_recorded(run_directory: &Path) -> bool {
    run_directory.join(CONTACTS_FILE).exists()
}

fn push_row(text: &mut String, frame: usize, time: f64, contact: &Contact) {
    let Contact {
        rods: [a, b],
        arcs: [s_a, s_b],
        gap,
        force,
    } = contact;
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{frame},{time:e},{a},{s_a:e},{b},{s_b:e},{gap:e},{force:e}"
    );
}

/// Length of the header and of the whole rows of the first `frames` frames, bytes.
fn whole_rows(bytes: &[u8], frames: usize) -> std::result::Result<usize, String> {
    if !bytes.starts_with(HEADER.as_bytes()) {
        return Err("it has another header".to_owned());
    }
    let mut length = HEADER.len();
    while let Some(end) = bytes[length..].iter().position(|b| *b == b'\n') {
        let line = String::from_utf8_lossy(&bytes[length..length + end]);
        match parse_row(&line)? {
            (frame, _) if frame < frames => length += end + 1,
            _ => break,
        }
    }
    Ok(length)
}

/// A row: its frame and its contact.
fn parse_row(line: &str) -> std::result::Result<(usize, Contact), String> {
    let wrong = || format!("the row `{line}` is not `{}`", HEADER.trim_end());
    let cells: Vec<&str> = line.split(',').collect();
    let [frame, _, a, s_a, b, s_b, gap, force] = cells[..] else {
        return Err(wrong());
    };
    let index = |cell: &str| cell.parse::<usize>().map_err(|_| wrong());
    let number = |cell: &str| cell.parse::<f64>().map_err(|_| wrong());
    let contact = Contact {
        rods: [index(a)?, index(b)?],
        arcs: [number(s_a)?, number(s_b)?],
        gap: number(gap)?,
        force: number(force)?,
    };
    Ok((index(frame)?, contact))
}

/// The contacts of the first `frames` frames, `(frames)`; `None` if the run records none.
pub(crate) fn read(run_directory: &Path, frames: usize) -> Result<Option<Vec<Vec<Contact>>>> {
    let path = run_directory.join(CONTACTS_FILE);
    if !path.exists() {
        return Ok(None);
    }
    let bytes = growing::read(&path)?;
    let parse = || {
        let length = whole_rows(&bytes, frames)?;
        let text = String::from_utf8_lossy(&bytes[HEADER.len()..length]);
        let mut all = vec![Vec::new(); frames];
        for line in text.lines() {
            let (frame, contact) = parse_row(line)?;
            all[frame].push(contact);
        }
        Ok(all)
    };
    let all = parse().map_err(|reason: String| RunDirError::damaged(&path, reason))?;
    Ok(Some(all))
}

/// The table of the contacts of frames at these times, s.
pub(crate) fn table(times: &[f64], contacts: &[Vec<Contact>]) -> String {
    let mut text = HEADER.to_owned();
    for (frame, (time, all)) in times.iter().zip(contacts).enumerate() {
        for contact in all {
            push_row(&mut text, frame, *time, contact);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contact(k: usize) -> Contact {
        let x = (k as f64 + 0.3).sqrt();
        Contact {
            rods: [0, k],
            arcs: [x, 2.0 * x],
            gap: -1e-6 * x,
            force: x / 7.0,
        }
    }

    #[test]
    fn torn_rows_and_later_frames_are_left_out() {
        let all = [vec![], vec![contact(1), contact(2)], vec![contact(3)]];
        let text = table(&[0.0, 0.1, 0.2], &all);
        let of = |frames: usize| whole_rows(text.as_bytes(), frames).unwrap();
        assert_eq!(of(3), text.len());
        assert_eq!(of(1), HEADER.len());
        assert_eq!(&text[..of(2)], table(&[0.0, 0.1], &all[..2]));
        let torn = &text.as_bytes()[..text.len() - 3];
        assert_eq!(whole_rows(torn, 3).unwrap(), of(2));
    }

    #[test]
    fn a_row_that_is_none_is_told() {
        let text = format!("{HEADER}0,0e0,0,x,1,0e0,0e0,0e0\n");
        let reason = whole_rows(text.as_bytes(), 1).unwrap_err();
        assert!(reason.contains("0,0e0,0,x"), "{reason}");
        assert!(whole_rows(b"t [s]\n", 1).is_err());
    }
}
