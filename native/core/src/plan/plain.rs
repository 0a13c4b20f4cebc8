//! Looks at a few bytes without a call: whether they stand for themselves, are the same, and where 00 is.

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

/// Whether two short strings are equal.
#[inline(always)]
pub fn is_same(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    match left.len() {
        0 => true,
        1 => left.first() == right.first(),
        2..=3 => ends::<2>(left) == ends::<2>(right),
        4..=7 => ends::<4>(left) == ends::<4>(right),
        8..=16 => ends::<8>(left) == ends::<8>(right),
        _ => left == right,
    }
}

/// The first and the last bytes, which overlap in the middle of fewer than twice as many.
#[inline(always)]
fn ends<const COUNT: usize>(bytes: &[u8]) -> Option<(&[u8; COUNT], &[u8; COUNT])> {
    bytes.first_chunk().zip(bytes.last_chunk())
}

/// The place of the first 00.
#[inline]
pub fn find_zero(bytes: &[u8]) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let mut words = bytes.chunks_exact(8);
    for (place, word) in words.by_ref().enumerate() {
        let word = u64::from_le_bytes(*word.first_chunk()?);
        // The lowest top bit that this leaves is that of the first 00.
        let zeros = word.wrapping_sub(ONES) & !word & TOPS;
        if zeros != 0 {
            return Some(8 * place + zeros.trailing_zeros() as usize / 8);
        }
    }
    let rest = words.remainder();
    let place = rest.iter().position(|&byte| byte == 0)?;
    Some(bytes.len() - rest.len() + place)
}

#[cfg(test)]
mod tests {
    use super::{find_zero, is_plain, is_same};

    #[test]
    fn bytes_are_the_same_only_where_every_byte_is() {
        for length in 0..40 {
            let bytes: Vec<u8> = (0..length).map(|place| place as u8 + 1).collect();
            assert!(is_same(&bytes, &bytes.clone()));
            assert!(!is_same(&bytes, &[&bytes[..], &[1]].concat()));
            assert_eq!(find_zero(&bytes), None);
            for place in 0..length {
                let mut other = bytes.clone();
                other[place] = 0;
                assert!(!is_same(&bytes, &other), "{place} of {length}");
                assert_eq!(find_zero(&other), Some(place));
                other[length - 1] = 0;
                assert_eq!(find_zero(&other), Some(place));
            }
        }
    }

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
