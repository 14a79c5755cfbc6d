//! A zip archive of uncompressed members, of any size (zip64).
//!
//! Format: PKWARE's APPNOTE.TXT, sections 4.3.7 (local header), 4.3.12 (central directory), 4.3.14
//! to 4.3.16 (ends), 4.5.3 (zip64). Own code: the ready-made crates need a C compiler for
//! compressors that are not used here.

use std::io::{self, Seek, SeekFrom, Write};

use crate::bytes::joined;
use crate::crc::crc32;

const LOCAL_HEADER: u32 = 0x0403_4B50;
const CENTRAL_HEADER: u32 = 0x0201_4B50;
const END_64: u32 = 0x0606_4B50;
const END_64_LOCATOR: u32 = 0x0706_4B50;
const END: u32 = 0x0605_4B50;

/// The version of the format that has zip64.
const VERSION: u16 = 45;
/// 1980-01-01, the first day of the format: equal runs give equal archives.
const DATE: u16 = 0x21;
const ZIP64_FIELD: u16 = 1;
/// Says that the number is in the zip64 field.
const IN_ZIP64: u32 = u32::MAX;

/// Writes members one after the other.
pub(super) struct ZipWriter<W> {
    writer: W,
    members: Vec<Member>,
}

struct Member {
    name: String,
    /// Position of the local header.
    start: u64,
    size: u64,
    crc: u32,
}

impl<W: Write + Seek> ZipWriter<W> {
    pub(super) fn new(writer: W) -> Self {
        Self {
            writer,
            members: Vec::new(),
        }
    }

    /// Begins a member.
    pub(super) fn start(&mut self, name: &str) -> io::Result<()> {
        let member = Member {
            name: name.to_owned(),
            start: self.writer.stream_position()?,
            size: 0,
            crc: 0,
        };
        self.writer.write_all(&member.local_header())?;
        self.members.push(member);
        Ok(())
    }

    /// Adds to the member begun last.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Some(member) = self.members.last_mut() {
            member.crc = crc32(member.crc, bytes);
            member.size += bytes.len() as u64;
        }
        self.writer.write_all(bytes)
    }

    /// Ends the member begun last: its header now gets size and checksum.
    pub(super) fn end(&mut self) -> io::Result<()> {
        if let Some(member) = self.members.last() {
            self.writer.seek(SeekFrom::Start(member.start))?;
            self.writer.write_all(&member.local_header())?;
            self.writer.seek(SeekFrom::End(0))?;
        }
        Ok(())
    }

    /// Writes the central directory.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        let start = self.writer.stream_position()?;
        for member in &self.members {
            self.writer.write_all(&member.central_header())?;
        }
        let end = self.writer.stream_position()?;
        let count = self.members.len() as u64;
        self.writer.write_all(&ends(count, start, end))
    }
}

impl Member {
    fn local_header(&self) -> Vec<u8> {
        let mut header = Vec::new();
        header.extend(LOCAL_HEADER.to_le_bytes());
        self.push_common(&mut header, 20);
        header.extend(self.name.as_bytes());
        push_all(&mut header, &[ZIP64_FIELD, 16]);
        header.extend(joined(&[self.size, self.size], u64::to_le_bytes));
        header
    }

    fn central_header(&self) -> Vec<u8> {
        let mut header = Vec::new();
        header.extend(CENTRAL_HEADER.to_le_bytes());
        push_all(&mut header, &[VERSION]);
        self.push_common(&mut header, 28);
        // No comment, disk 0, no attributes (two of them: 16 and 32 bits).
        push_all(&mut header, &[0; 5]);
        header.extend(IN_ZIP64.to_le_bytes());
        header.extend(self.name.as_bytes());
        push_all(&mut header, &[ZIP64_FIELD, 24]);
        header.extend(joined(
            &[self.size, self.size, self.start],
            u64::to_le_bytes,
        ));
        header
    }

    /// What both headers have: version, flags, method, time, date, checksum, sizes, lengths of name
    /// and zip64 field.
    fn push_common(&self, header: &mut Vec<u8>, extra_length: u16) {
        push_all(header, &[VERSION, 0, 0, 0, DATE]);
        header.extend(joined(&[self.crc, IN_ZIP64, IN_ZIP64], u32::to_le_bytes));
        push_all(header, &[self.name.len() as u16, extra_length]);
    }
}

/// The records after the central directory, which lies from `start` to `end`.
fn ends(count: u64, start: u64, end: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.extend(END_64.to_le_bytes());
    bytes.extend(44_u64.to_le_bytes());
    // Made by, needed; this disk and the directory's disk, 32 bits each.
    push_all(&mut bytes, &[VERSION, VERSION, 0, 0, 0, 0]);
    bytes.extend(joined(
        &[count, count, end - start, start],
        u64::to_le_bytes,
    ));

    bytes.extend(joined(&[END_64_LOCATOR, 0], u32::to_le_bytes));
    bytes.extend(end.to_le_bytes());
    bytes.extend(1_u32.to_le_bytes());

    bytes.extend(END.to_le_bytes());
    push_all(&mut bytes, &[0, 0, u16::MAX, u16::MAX]);
    bytes.extend(joined(&[IN_ZIP64, IN_ZIP64], u32::to_le_bytes));
    push_all(&mut bytes, &[0]);
    bytes
}

fn push_all(bytes: &mut Vec<u8>, numbers: &[u16]) {
    bytes.extend(joined(numbers, u16::to_le_bytes));
}
