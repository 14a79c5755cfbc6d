//! `contacts.csv`: the contact set of each frame, one row a part of a rod and what it touches: a
//! part of a rod, an obstacle or a body.
//!
//! The columns of what it does not touch are empty. Frames without contact have no row. Numbers are
//! written with the fewest digits that read back to the same 64 bits.

use std::fmt::{self, Write};
use std::path::Path;

use crate::error::{Result, RunDirError};
use crate::growing::{Covered, GrowingFile};
use crate::inside;

/// Name of the file in the run directory and in an export.
pub(crate) const CONTACTS_FILE: &str = "contacts.csv";

/// Header of directories of format 1, which have contacts of rods with rods only.
const RODS_ONLY: &str = "frame,t [s],rod_a,s_a [m],rod_b,s_b [m],gap [m],force [N]\n";

/// A part of a rod that touches something.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// The rod.
    pub rod: usize,
    /// Arc length at rest from its first node to the point of contact, m.
    pub arc: f64,
    /// What it touches.
    pub with: Touched,
    /// Distance of the surfaces, m; negative where they penetrate.
    pub gap: f64,
    /// Normal force, N.
    pub force: f64,
}

/// What a rod touches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Touched {
    /// A part of a rod, which may be the same.
    Rod {
        /// The rod.
        rod: usize,
        /// Arc length at rest from its first node to the point of contact, m.
        arc: f64,
    },
    /// An obstacle of the scene.
    Obstacle(usize),
    /// A rigid body.
    Body(usize),
}

impl Contact {
    /// Both rods and both arc lengths, m, of a contact between rods.
    pub fn between_rods(&self) -> Option<([usize; 2], [f64; 2])> {
        match self.with {
            Touched::Rod { rod, arc } => Some(([self.rod, rod], [self.arc, arc])),
            Touched::Obstacle(_) | Touched::Body(_) => None,
        }
    }
}

/// Writes a file that has a header only.
pub(crate) fn create(run_directory: &Path) -> Result<GrowingFile> {
    GrowingFile::create(run_directory.join(CONTACTS_FILE), &header())
}

/// Opens a file to go on after what a checkpoint covers. Changes nothing yet: see
/// [`GrowingFile::truncate`].
pub(crate) fn open(run_directory: &Path, covered: Covered) -> Result<GrowingFile> {
    GrowingFile::open(run_directory.join(CONTACTS_FILE), covered)
}

/// Adds the contacts of a frame in memory.
pub(crate) fn push(file: &mut GrowingFile, frame: usize, time: f64, contacts: &[Contact]) {
    let text = file.pending();
    for contact in contacts {
        push_row(text, frame, time, contact);
    }
}

/// Whether the run records contacts.
pub(crate) fn are_recorded(run_directory: &Path) -> bool {
    run_directory.join(CONTACTS_FILE).exists()
}

/// What a row has in one column.
enum Cell {
    Index(usize),
    Number(f64),
    Empty,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(index) => index.fmt(f),
            Self::Number(number) => write!(f, "{number:e}"),
            Self::Empty => Ok(()),
        }
    }
}

/// The columns with their cells in the row of a contact: the header and each row come from here.
fn columns(frame: usize, time: f64, contact: &Contact) -> [(&'static str, Cell); 10] {
    use Cell::{Empty, Index, Number};
    let (rod, arc, obstacle, body) = match contact.with {
        Touched::Rod { rod, arc } => (Index(rod), Number(arc), Empty, Empty),
        Touched::Obstacle(index) => (Empty, Empty, Index(index), Empty),
        Touched::Body(index) => (Empty, Empty, Empty, Index(index)),
    };
    [
        ("frame", Index(frame)),
        ("t [s]", Number(time)),
        ("rod_a", Index(contact.rod)),
        ("s_a [m]", Number(contact.arc)),
        ("rod_b", rod),
        ("s_b [m]", arc),
        ("gap [m]", Number(contact.gap)),
        ("force [N]", Number(contact.force)),
        ("obstacle", obstacle),
        ("body", body),
    ]
}

fn header() -> String {
    let any = Contact {
        rod: 0,
        arc: 0.0,
        with: Touched::Body(0),
        gap: 0.0,
        force: 0.0,
    };
    let names = columns(0, 0.0, &any).map(|(name, _)| name);
    names.join(",") + "\n"
}

fn push_row(text: &mut String, frame: usize, time: f64, contact: &Contact) {
    for (k, (_, cell)) in columns(frame, time, contact).iter().enumerate() {
        let comma = if k > 0 { "," } else { "" };
        // Writing to a string cannot fail.
        let _ = write!(text, "{comma}{cell}");
    }
    text.push('\n');
}

/// Length of the header, bytes, and of header and whole rows of the first `frames` frames.
fn whole_rows(bytes: &[u8], frames: usize) -> std::result::Result<[usize; 2], String> {
    let known = [header(), RODS_ONLY.to_owned()];
    let Some(header) = known.iter().find(|h| bytes.starts_with(h.as_bytes())) else {
        return Err("it has another header".to_owned());
    };
    let mut length = header.len();
    while let Some(end) = bytes[length..].iter().position(|b| *b == b'\n') {
        let line = String::from_utf8_lossy(&bytes[length..length + end]);
        match parse_row(&line)? {
            (frame, _) if frame < frames => length += end + 1,
            _ => break,
        }
    }
    Ok([header.len(), length])
}

/// A row: its frame and its contact.
fn parse_row(line: &str) -> std::result::Result<(usize, Contact), String> {
    let wrong = || format!("the row `{line}` is not `{}`", header().trim_end());
    let mut cells: Vec<&str> = line.split(',').collect();
    if cells.len() == RODS_ONLY.split(',').count() {
        cells.extend(["", ""]);
    }
    let [frame, _, a, s_a, b, s_b, gap, force, obstacle, body] = cells[..] else {
        return Err(wrong());
    };
    let index = |cell: &str| cell.parse::<usize>().map_err(|_| wrong());
    let number = |cell: &str| cell.parse::<f64>().map_err(|_| wrong());
    let with = match [b, s_b, obstacle, body] {
        [b, s_b, "", ""] => Touched::Rod {
            rod: index(b)?,
            arc: number(s_b)?,
        },
        ["", "", obstacle, ""] => Touched::Obstacle(index(obstacle)?),
        ["", "", "", body] => Touched::Body(index(body)?),
        _ => return Err(wrong()),
    };
    let contact = Contact {
        rod: index(a)?,
        arc: number(s_a)?,
        with,
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
    let bytes = inside::read(run_directory, &path)?;
    let parse = || {
        let [header, length] = whole_rows(&bytes, frames)?;
        let text = String::from_utf8_lossy(&bytes[header..length]);
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
    let mut text = header();
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
        let with = match k % 3 {
            0 => Touched::Obstacle(k),
            1 => Touched::Body(k),
            _ => Touched::Rod {
                rod: k,
                arc: 2.0 * x,
            },
        };
        Contact {
            rod: 0,
            arc: x,
            with,
            gap: -1e-6 * x,
            force: x / 7.0,
        }
    }

    #[test]
    fn torn_rows_and_later_frames_are_left_out() {
        let all = [vec![], vec![contact(1), contact(2)], vec![contact(3)]];
        let text = table(&[0.0, 0.1, 0.2], &all);
        let of = |frames: usize| whole_rows(text.as_bytes(), frames).unwrap()[1];
        assert_eq!(of(3), text.len());
        assert_eq!(of(1), header().len());
        assert_eq!(&text[..of(2)], table(&[0.0, 0.1], &all[..2]));
        let torn = &text.as_bytes()[..text.len() - 3];
        assert_eq!(whole_rows(torn, 3).unwrap()[1], of(2));
    }

    #[test]
    fn a_row_that_is_none_is_told() {
        let text = header() + "0,0e0,0,x,1,0e0,0e0,0e0,,\n";
        let reason = whole_rows(text.as_bytes(), 1).unwrap_err();
        assert!(reason.contains("0,0e0,0,x"), "{reason}");
        assert!(whole_rows(b"t [s]\n", 1).is_err());
        // A partner must be one thing.
        for row in ["0,0e0,0,0e0,1,0e0,0e0,0e0,2,", "0,0e0,0,0e0,,,0e0,0e0,,"] {
            assert!(parse_row(row).is_err(), "{row}");
        }
    }

    #[test]
    fn every_row_reads_back() {
        let told = "frame,t [s],rod_a,s_a [m],rod_b,s_b [m],gap [m],force [N],obstacle,body\n";
        assert_eq!(header(), told);
        for k in 0..6 {
            let text = table(&[0.0], &[vec![contact(k)]]);
            assert_eq!(parse_row(text.lines().nth(1).unwrap()), Ok((0, contact(k))));
        }
    }

    #[test]
    fn tables_of_format_1_are_read() {
        let text = format!("{RODS_ONLY}0,0e0,1,5e-1,2,25e-2,-1e-6,3e0\n");
        let [header, length] = whole_rows(text.as_bytes(), 1).unwrap();
        assert_eq!((header, length), (RODS_ONLY.len(), text.len()));
        let (_, contact) = parse_row(text[header..].trim_end()).unwrap();
        assert_eq!(contact.between_rods(), Some(([1, 2], [0.5, 0.25])));
    }
}
