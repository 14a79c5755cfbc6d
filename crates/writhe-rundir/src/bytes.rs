//! Numbers as bytes, little-endian: all of a trajectory, and most of what is exported.

/// The numbers one after the other, each as `bytes` has it: `f64::to_le_bytes`, say.
pub(crate) fn joined<T: Copy, const N: usize>(numbers: &[T], bytes: fn(T) -> [u8; N]) -> Vec<u8> {
    numbers.iter().flat_map(|number| bytes(*number)).collect()
}

/// The numbers that these bytes hold.
pub(crate) fn floats(bytes: &[u8]) -> impl Iterator<Item = f64> {
    let numbers = bytes.as_chunks().0.iter();
    numbers.map(|number| f64::from_le_bytes(*number))
}
