//! Whether bytes stand for themselves: eight at a time.

const TOPS: u64 = 0x8080_8080_8080_8080;
pub const TWOS: u64 = 0x0202_0202_0202_0202;

/// [`is_plain`] of eight bytes.
#[inline(always)]
pub fn is_plain_word(word: u64, most: u8) -> bool {
    let high = if most < 0x7e { TOPS } else { 0 };
    // With its top bit set a byte can lose two and keep the bit, unless it was 00 or 01 without it.
    ((word | TOPS) - TWOS) & TOPS == TOPS && word & high == 0
}

/// Whether no byte is 00, 01 or above `most` + 2; may also say no to bytes 80 and 81. Without a loop for short bytes:
/// their lengths follow no pattern that a processor could foresee.
#[inline(always)]
pub fn is_plain(bytes: &[u8], most: u8) -> bool {
    let plain = |word: u64| is_plain_word(word, most);
    let four = |bytes: &[u8; 4]| u64::from(u32::from_le_bytes(*bytes));
    let two = |bytes: &[u8; 2]| u64::from(u16::from_le_bytes(*bytes));
    if let Some((first, last)) = bytes.first_chunk::<8>().zip(bytes.last_chunk::<8>()) {
        let words = bytes
            .chunks_exact(8)
            .filter_map(|chunk| chunk.first_chunk());
        return plain(u64::from_le_bytes(*first))
            && plain(u64::from_le_bytes(*last))
            && (bytes.len() <= 16
                || words
                    .into_iter()
                    .all(|word| plain(u64::from_le_bytes(*word))));
    }
    if let Some((first, last)) = bytes.first_chunk().zip(bytes.last_chunk()) {
        return plain(four(first) | four(last) << 32);
    }
    if let Some((first, last)) = bytes.first_chunk().zip(bytes.last_chunk()) {
        let both = two(first) | two(last) << 16;
        return plain(both | both << 32);
    }
    bytes.iter().all(|&byte| byte.wrapping_sub(2) <= most)
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn one_odd_byte_is_found_wherever_it_stands() {
        for length in 0..40 {
            for most in [0x7d, 0xfd] {
                let mut bytes = vec![2u8; length];
                assert!(is_plain(&bytes, most));
                for place in 0..length {
                    for (byte, plain) in
                        [(0, false), (1, false), (0x7f, true), (0xff, most == 0xfd)]
                    {
                        bytes[place] = byte;
                        assert_eq!(
                            is_plain(&bytes, most),
                            plain,
                            "{byte} at {place} of {length}"
                        );
                    }
                    bytes[place] = b'a';
                }
            }
        }
    }
}
