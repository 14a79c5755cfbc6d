//! Cyclic redundancy checks: tell a torn file from a whole one, and one scene from another.

/// Generator of CRC-64/XZ (ECMA-182), reflected.
const POLYNOMIAL_64: u64 = 0xC96C_5795_D787_0F42;
/// Generator of CRC-32 (ISO-HDLC), as zip archives use it, reflected.
const POLYNOMIAL_32: u64 = 0xEDB8_8320;

static TABLE_64: [u64; 256] = table(POLYNOMIAL_64);
static TABLE_32: [u64; 256] = table(POLYNOMIAL_32);

/// The remainder of each byte by the reflected generator `polynomial`.
const fn table(polynomial: u64) -> [u64; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut remainder = byte as u64;
        let mut bit = 0;
        while bit < 8 {
            remainder = (remainder >> 1) ^ (polynomial * (remainder & 1));
            bit += 1;
        }
        table[byte] = remainder;
        byte += 1;
    }
    table
}

fn advance(table: &[u64; 256], crc: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(crc, |crc, byte| {
        table[((crc ^ u64::from(*byte)) & 0xFF) as usize] ^ (crc >> 8)
    })
}

/// The CRC-64/XZ of `bytes`.
pub(crate) fn crc64(bytes: &[u8]) -> u64 {
    crc64_after(0, bytes)
}

/// The CRC-64/XZ of `bytes` put after what `crc` is the CRC-64 of; `crc` is 0 to begin with.
pub(crate) fn crc64_after(crc: u64, bytes: &[u8]) -> u64 {
    !advance(&TABLE_64, !crc, bytes)
}

/// The CRC-32 of `bytes` put after what `crc` is the CRC-32 of; `crc` is 0 to begin with.
pub(crate) fn crc32(crc: u32, bytes: &[u8]) -> u32 {
    !(advance(&TABLE_32, u64::from(!crc), bytes) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn match_the_published_check_values() {
        assert_eq!(crc64(b"123456789"), 0x995D_C9BB_DF19_39FA);
        assert_eq!(crc64_after(crc64(b"1234"), b"56789"), 0x995D_C9BB_DF19_39FA);
        assert_eq!(crc32(0, b"123456789"), 0xCBF4_3926);
        assert_eq!(crc32(crc32(0, b"1234"), b"56789"), 0xCBF4_3926);
    }
}
