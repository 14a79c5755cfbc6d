//! Reads an uncompressed npz archive from the formats' definitions (APPNOTE.TXT 4.3.7 and 4.5.3;
//! NEP 1), apart from the writer's code.

use std::collections::BTreeMap;

/// One array.
pub struct Array<'a> {
    pub shape: Vec<usize>,
    descr: String,
    data: &'a [u8],
}

impl Array<'_> {
    /// Its numbers, which must have the type `descr`.
    pub fn numbers<T, const N: usize>(&self, descr: &str, read: fn([u8; N]) -> T) -> Vec<T> {
        assert_eq!(self.descr, descr);
        let (chunks, rest) = self.data.as_chunks::<N>();
        assert!(rest.is_empty());
        assert_eq!(chunks.len(), self.shape.iter().product::<usize>());
        chunks.iter().map(|bytes| read(*bytes)).collect()
    }
}

fn number(bytes: &[u8], at: usize, size: usize) -> usize {
    bytes[at..at + size]
        .iter()
        .rev()
        .fold(0, |n, b| (n << 8) | usize::from(*b))
}

/// All arrays by name.
pub fn arrays(bytes: &[u8]) -> BTreeMap<String, Array<'_>> {
    let mut out = BTreeMap::new();
    let mut at = 0;
    while bytes[at..].starts_with(b"PK\x03\x04") {
        assert_eq!(number(bytes, at + 8, 2), 0, "stored, not compressed");
        let mut size = number(bytes, at + 18, 4);
        let (name, extra) = (number(bytes, at + 26, 2), number(bytes, at + 28, 2));
        let name_at = at + 30;
        let extra_at = name_at + name;
        if size == 0xffff_ffff {
            assert_eq!(number(bytes, extra_at, 2), 1, "zip64 sizes");
            size = number(bytes, extra_at + 12, 8);
        }
        let data = &bytes[extra_at + extra..][..size];
        let name = std::str::from_utf8(&bytes[name_at..extra_at]).unwrap();
        out.insert(name.strip_suffix(".npy").unwrap().to_owned(), array(data));
        at = extra_at + extra + size;
    }
    assert!(
        bytes[at..].starts_with(b"PK\x01\x02"),
        "the directory follows the files"
    );
    out
}

fn array(data: &[u8]) -> Array<'_> {
    assert!(data.starts_with(b"\x93NUMPY\x01\x00"));
    let length = number(data, 8, 2);
    assert_eq!((10 + length) % 64, 0);
    let header = std::str::from_utf8(&data[10..10 + length]).unwrap();
    assert!(header.contains("'fortran_order': False"));
    let after = |key: &str| header.split_once(key).unwrap().1;
    let shape = after("'shape': (").split_once(')').unwrap().0;
    Array {
        shape: shape
            .split(',')
            .filter_map(|n| n.trim().parse().ok())
            .collect(),
        descr: after("'descr': '").split_once('\'').unwrap().0.to_owned(),
        data: &data[10 + length..],
    }
}
