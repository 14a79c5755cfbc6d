//! CRC-64/XZ (ECMA-182, reflected): tells a torn file from a whole one, and one scene from another.

/// The reflected generator polynomial.
const POLYNOMIAL: u64 = 0xC96C_5795_D787_0F42;

const TABLE: [u64; 256] = table();

const fn table() -> [u64; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut remainder = byte as u64;
        let mut bit = 0;
        while bit < 8 {
            remainder = (remainder >> 1) ^ (POLYNOMIAL * (remainder & 1));
            bit += 1;
        }
        table[byte] = remainder;
        byte += 1;
    }
    table
}

/// The CRC-64/XZ of `bytes`.
pub(crate) fn crc64(bytes: &[u8]) -> u64 {
    !bytes.iter().fold(!0, |crc, byte| TABLE[((crc ^ u64::from(*byte)) & 0xFF) as usize] ^ (crc >> 8))
}

#[cfg(test)]
mod tests {
    #[test]
    fn matches_the_published_check_value() {
        assert_eq!(super::crc64(b"123456789"), 0x995D_C9BB_DF19_39FA);
    }
}
