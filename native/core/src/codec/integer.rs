//! Integers: fixed widths, and any size.
//!
//! Fixed widths are two's complement with the top bit flipped. Integers of any size begin with a
//! byte that holds sign and length, so that more bytes of magnitude sort further from zero;
//! negative ones are the complement of the positive, which keeps them prefix-free.

use std::fmt;
use std::str::FromStr;

use num_bigint::{BigInt, Sign};

use super::escape::complement_from;
use super::reader::Reader;
use crate::{Error, Result};

const ZERO: u8 = 0x80;
/// The longest magnitude whose length fits into the first byte.
const SHORT: usize = 120;
const LONG_HEAD: u8 = ZERO + SHORT as u8;
const LENGTH_BYTES: usize = 4;

/// An integer of any size; costs no allocation within 64 bits.
///
/// ```
/// use lexigraph_core::codec::Integer;
/// let big: Integer = "18446744073709551616".parse().unwrap();
/// assert_eq!((big.to_i64(), Integer::from(-7).to_i64()), (None, Some(-7)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Integer(Repr);

// Whatever fits is Small: equality of the derived kind rests on it.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Repr {
    Small(i64),
    Large(Box<BigInt>),
}

impl Integer {
    /// The number, if it has 64 bits at most.
    pub fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Repr::Small(number) => Some(number),
            Repr::Large(_) => None,
        }
    }

    /// The number as a big integer.
    pub fn to_bigint(&self) -> BigInt {
        match &self.0 {
            Repr::Small(number) => BigInt::from(*number),
            Repr::Large(number) => (**number).clone(),
        }
    }
}

impl From<i64> for Integer {
    fn from(number: i64) -> Self {
        Integer(Repr::Small(number))
    }
}

impl From<BigInt> for Integer {
    fn from(number: BigInt) -> Self {
        match i64::try_from(&number) {
            Ok(small) => Integer(Repr::Small(small)),
            Err(_) => Integer(Repr::Large(Box::new(number))),
        }
    }
}

impl FromStr for Integer {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let refused = || Error::InvalidValue("the text is not an integer like -123".into());
        // The parsers below also take plus signs and underscores.
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(refused());
        }
        if let Ok(small) = text.parse::<i64>() {
            return Ok(Integer::from(small));
        }
        text.parse::<BigInt>()
            .map(Integer::from)
            .map_err(|_| refused())
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(number) => number.fmt(f),
            Repr::Large(number) => number.fmt(f),
        }
    }
}

pub(crate) fn write_i32(number: i32, out: &mut Vec<u8>) {
    out.extend_from_slice(&(number ^ i32::MIN).to_be_bytes());
}

pub(crate) fn write_i64(number: i64, out: &mut Vec<u8>) {
    out.extend_from_slice(&(number ^ i64::MIN).to_be_bytes());
}

pub(crate) fn read_i8(reader: &mut Reader<'_>, name: &str) -> Result<i8> {
    Ok(i8::from_be_bytes(reader.array(name)?) ^ i8::MIN)
}

pub(crate) fn read_i16(reader: &mut Reader<'_>, name: &str) -> Result<i16> {
    Ok(i16::from_be_bytes(reader.array(name)?) ^ i16::MIN)
}

pub(crate) fn read_i32(reader: &mut Reader<'_>, name: &str) -> Result<i32> {
    Ok(i32::from_be_bytes(reader.array(name)?) ^ i32::MIN)
}

pub(crate) fn read_i64(reader: &mut Reader<'_>, name: &str) -> Result<i64> {
    Ok(i64::from_be_bytes(reader.array(name)?) ^ i64::MIN)
}

/// Writes an integer of any size that fits into 64 bits.
pub(crate) fn write_small(number: i64, out: &mut Vec<u8>) {
    let start = out.len();
    let size = 8 - number.unsigned_abs().leading_zeros() as usize / 8;
    let bytes = number.unsigned_abs().to_be_bytes();
    out.push(ZERO + size as u8);
    out.extend(bytes.iter().skip(8 - size));
    if number < 0 {
        complement_from(out, start);
    }
}

/// Writes an integer of any size.
pub(crate) fn write(number: &Integer, out: &mut Vec<u8>) -> Result<()> {
    let large = match &number.0 {
        Repr::Small(small) => {
            write_small(*small, out);
            return Ok(());
        }
        Repr::Large(large) => large,
    };
    let start = out.len();
    let (sign, magnitude) = large.to_bytes_be();
    if magnitude.len() <= SHORT {
        out.push(ZERO + magnitude.len() as u8);
    } else {
        let Ok(size) = u32::try_from(magnitude.len()) else {
            return Err(Error::InvalidValue(format!(
                "codec 'int' holds at most 2**32 - 1 bytes, not {}",
                magnitude.len()
            )));
        };
        let count = LENGTH_BYTES - size.leading_zeros() as usize / 8;
        out.push(LONG_HEAD + count as u8);
        out.extend(size.to_be_bytes().iter().skip(LENGTH_BYTES - count));
    }
    out.extend_from_slice(&magnitude);
    if sign == Sign::Minus {
        complement_from(out, start);
    }
    Ok(())
}

/// Reads an integer of any size from all of `data`, if it has 64 bits at most and is well formed.
#[inline]
pub(crate) fn read_small(data: &[u8]) -> Option<i64> {
    let (&head, rest) = data.split_first()?;
    let mask = if head < ZERO { 0xff } else { 0 };
    let size = usize::from((head ^ mask) - ZERO);
    // 7f would be a negative number of no bytes, which nobody writes.
    if size == 0 && mask != 0 {
        return None;
    }
    if size > 8 || rest.len() != size || rest.first().is_some_and(|byte| byte ^ mask == 0) {
        return None;
    }
    let magnitude = rest
        .iter()
        .fold(0u64, |sum, byte| sum << 8 | u64::from(byte ^ mask));
    match mask {
        0 => i64::try_from(magnitude).ok(),
        _ => 0i64.checked_sub_unsigned(magnitude),
    }
}

/// [`read_small`] of the bytes between two places, quicker for small positive numbers: the eight bytes from the start on
/// are taken at once, and those behind the end shifted out.
#[inline(always)]
pub(crate) fn read_small_at(data: &[u8], start: usize, end: usize) -> Option<i64> {
    let size = end.wrapping_sub(start).wrapping_sub(1);
    if let Some(bytes) = data.get(start..).and_then(|from| from.first_chunk()) {
        let word = u64::from_be_bytes(*bytes);
        let (head, rest) = (word >> 56, word << 8);
        // The first byte of a magnitude is never 0.
        if (1..=7).contains(&size) && head == u64::from(ZERO) + size as u64 && rest >> 56 != 0 {
            return Some((rest >> (64 - 8 * size as u32)) as i64);
        }
    }
    read_small(data.get(start..end)?)
}

/// What [`read_narrow_at`] gives where there is no such number: greater than all of them.
pub(crate) const NOT_NARROW: u64 = u64::MAX;

/// [`read_small`] of the bytes between two places for numbers of 0 to 2^32 - 1; what is another number or none is not below
/// 2^32. Takes no branch that depends on the number, but near the end of the data.
#[inline(always)]
pub(crate) fn read_narrow_at(data: &[u8], start: usize, end: usize) -> u64 {
    let Some(bytes) = data.get(start..).and_then(|from| from.first_chunk()) else {
        return read_last_narrow(data, start, end);
    };
    let word = u64::from_be_bytes(*bytes);
    let size = (end as u64).wrapping_sub(start as u64).wrapping_sub(1);
    // The first byte says how many follow, the second is never 0.
    let fits = word >> 56 == u64::from(ZERO).wrapping_add(size);
    let fills = (word << 8 >> 56 != 0) | (size == 0);
    let number = word << 8 >> 8 >> (56u64.wrapping_sub(size.wrapping_mul(8)) & 63);
    match fits & fills & (size <= 4) {
        true => number,
        false => NOT_NARROW,
    }
}

#[cold]
#[inline(never)]
fn read_last_narrow(data: &[u8], start: usize, end: usize) -> u64 {
    let number = data.get(start..end).and_then(read_small);
    number.map_or(NOT_NARROW, |number| number as u64)
}

/// Reads an integer of any size.
pub(crate) fn read(reader: &mut Reader<'_>, name: &str) -> Result<Integer> {
    let negative = match reader.peek() {
        Some(ZERO) => {
            reader.byte(name)?;
            return Ok(Integer::from(0));
        }
        first => first.is_some_and(|byte| byte < ZERO),
    };
    if !negative {
        return read_magnitude(reader, name, Sign::Plus);
    }
    reader.flip();
    let number = read_magnitude(reader, name, Sign::Minus);
    reader.flip();
    number
}

fn read_magnitude(reader: &mut Reader<'_>, name: &str, sign: Sign) -> Result<Integer> {
    let at = reader.position();
    let refused = || {
        Error::InvalidBytes(format!(
            "the bytes at byte {at} are not a value of codec '{name}'"
        ))
    };
    let head = reader.byte(name)?;
    let size = if head > LONG_HEAD {
        read_size(reader, name, usize::from(head - LONG_HEAD))?.ok_or_else(refused)?
    } else {
        usize::from(head.saturating_sub(ZERO))
    };
    let magnitude = reader.take(size, name)?;
    if magnitude.first().is_none_or(|&byte| byte == 0) {
        return Err(refused());
    }
    if size > 8 {
        return Ok(Integer::from(BigInt::from_bytes_be(sign, &magnitude)));
    }
    let wide = magnitude
        .iter()
        .fold(0i128, |sum, &byte| sum << 8 | i128::from(byte));
    let signed = if sign == Sign::Minus { -wide } else { wide };
    Ok(match i64::try_from(signed) {
        Ok(small) => Integer::from(small),
        Err(_) => Integer::from(BigInt::from(signed)),
    })
}

/// Reads the length of a long magnitude; none if it is not in its shortest form.
fn read_size(reader: &mut Reader<'_>, name: &str, count: usize) -> Result<Option<usize>> {
    if count > LENGTH_BYTES {
        return Ok(None);
    }
    let field = reader.take(count, name)?;
    let size = field
        .iter()
        .fold(0usize, |sum, &byte| sum << 8 | usize::from(byte));
    let shortest = field.first().is_some_and(|&byte| byte != 0) && size > SHORT;
    Ok(shortest.then_some(size))
}

#[cfg(test)]
mod tests {
    use super::{read_narrow_at, read_small, read_small_at};

    #[test]
    fn small_integers_are_the_same_wherever_they_stand() {
        let heads = [
            0x00, 0x77, 0x78, 0x7e, 0x7f, 0x80, 0x81, 0x82, 0x87, 0x88, 0x89, 0xff,
        ];
        for head in heads {
            for length in 0..12 {
                for first in [0u8, 1, 0x7f, 0x80, 0xff] {
                    let mut state = vec![head, first];
                    state.resize(length, 0xa5);
                    for (before, behind) in [(0, 0), (3, 0), (0, 9), (3, 9)] {
                        let data = [&vec![0x81; before][..], &state, &vec![0x81; behind]].concat();
                        let read = read_small_at(&data, before, before + length);
                        assert_eq!(read, read_small(&state), "{state:x?} with {behind} behind");
                        let narrow = read_narrow_at(&data, before, before + length);
                        let narrow = u32::try_from(narrow).ok();
                        let expected = read_small(&state).and_then(|one| u32::try_from(one).ok());
                        assert_eq!(narrow, expected, "{state:x?} with {behind} behind");
                    }
                }
            }
        }
        assert_eq!(read_small_at(&[0x81, 1], 1, 0), None);
        assert_eq!(read_small_at(&[0x81, 1], 0, 3), None);
        assert_eq!(read_narrow_at(&[0x81; 9], 1, 0), u64::MAX);
        assert_eq!(read_narrow_at(&[0x81, 1], 0, 3), u64::MAX);
    }
}
