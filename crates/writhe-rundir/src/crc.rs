//! Cyclic redundancy checks: tell a torn file from a whole one, and one scene from another.

/// Generator of CRC-64/XZ (ECMA-182), reflected.
const POLYNOMIAL_64: u64 = 0xC96C_5795_D787_0F42;
/// Generator of CRC-32 (ISO-HDLC), as zip archives use it, reflected.
const POLYNOMIAL_32: u64 = 0xEDB8_8320;

/// Bytes that are taken at once.
const WIDTH: usize = 16;
/// Remainders of each byte, with as many bytes of zeros behind it as the index says.
type Tables = [[u64; 256]; WIDTH];

static TABLES_64: Tables = tables(POLYNOMIAL_64);
static TABLES_32: Tables = tables(POLYNOMIAL_32);

/// The remainders by the reflected generator `polynomial`.
const fn tables(polynomial: u64) -> Tables {
    let mut tables = [[0; 256]; WIDTH];
    let mut byte = 0;
    while byte < 256 {
        let mut remainder = byte as u64;
        let mut zeros = 0;
        while zeros < WIDTH {
            let mut bit = 0;
            while bit < 8 {
                remainder = (remainder >> 1) ^ (polynomial * (remainder & 1));
                bit += 1;
            }
            tables[zeros][byte] = remainder;
            zeros += 1;
        }
        byte += 1;
    }
    tables
}

/// The remainder of what `crc` is the remainder of, with `bytes` behind it.
fn advance(tables: &Tables, crc: u64, bytes: &[u8]) -> u64 {
    let (blocks, rest) = bytes.as_chunks::<WIDTH>();
    // The remainder of a sum is the sum of the remainders, so each byte is looked up for itself.
    // The last come first: they need not wait for the block before.
    let crc = blocks.iter().fold(crc, |crc, block| {
        let block = u128::from_le_bytes(*block) ^ u128::from(crc);
        let terms = block.to_le_bytes().into_iter().rev().zip(tables);
        terms.fold(0, |sum, (byte, table)| sum ^ table[usize::from(byte)])
    });
    rest.iter().fold(crc, |crc, byte| {
        tables[0][((crc ^ u64::from(*byte)) & 0xFF) as usize] ^ (crc >> 8)
    })
}

/// The CRC-64/XZ of `bytes`.
pub(crate) fn crc64(bytes: &[u8]) -> u64 {
    crc64_after(0, bytes)
}

/// The CRC-64/XZ of `bytes` put after what `crc` is the CRC-64 of; `crc` is 0 to begin with.
pub(crate) fn crc64_after(crc: u64, bytes: &[u8]) -> u64 {
    !advance(&TABLES_64, !crc, bytes)
}

/// The CRC-32 of `bytes` put after what `crc` is the CRC-32 of; `crc` is 0 to begin with.
pub(crate) fn crc32(crc: u32, bytes: &[u8]) -> u32 {
    !(advance(&TABLES_32, u64::from(!crc), bytes) as u32)
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

    #[test]
    fn many_bytes_at_once_have_the_sum_of_one_after_the_other() {
        let bytes: Vec<u8> = (0..100_u32).map(|i| (i * i % 251) as u8).collect();
        for length in 0..bytes.len() {
            let (bytes, one) = (&bytes[..length], |byte| std::slice::from_ref(byte));
            let crc = bytes
                .iter()
                .fold(0, |crc, byte| crc64_after(crc, one(byte)));
            assert_eq!(crc64(bytes), crc);
            let crc = bytes.iter().fold(0, |crc, byte| crc32(crc, one(byte)));
            assert_eq!(crc32(0, bytes), crc);
        }
    }
}
