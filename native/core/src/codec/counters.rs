//! How Accumulo's combiners store numbers and arrays of numbers: VARLEN, FIXEDLEN, STRING.
//!
//! Reading follows Java: VARLEN and FIXEDLEN ignore bytes after the number and take longer forms
//! than needed, STRING takes any decimal digits of Unicode, a plus sign and leading zeros.

use super::reader::Reader;
use crate::{Error, Result};

/// One way of storing 64-bit integers and arrays of them.
///
/// ```
/// use lexigraph_core::codec::counters::Counter;
/// let mut out = Vec::new();
/// Counter::Varlen.encode(300, &mut out);
/// assert_eq!(out, [0x8e, 0x01, 0x2c]);
/// assert_eq!(Counter::String.decode(b"+007").unwrap(), 7);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counter {
    Varlen,
    Fixedlen,
    String,
}

impl Counter {
    /// Appends one number.
    pub fn encode(self, number: i64, out: &mut Vec<u8>) {
        match self {
            Counter::Varlen => write_vlong(number, out),
            Counter::Fixedlen => out.extend_from_slice(&number.to_be_bytes()),
            Counter::String => out.extend_from_slice(number.to_string().as_bytes()),
        }
    }

    /// Reads one number.
    pub fn decode(self, data: &[u8]) -> Result<i64> {
        match self {
            Counter::String => parse(&std::string::String::from_utf8_lossy(data)),
            _ => self.read(&mut Reader::new(data, 0)),
        }
    }

    /// Appends an array.
    pub fn encode_array(self, numbers: &[i64], out: &mut Vec<u8>) {
        if self != Counter::String {
            write_vlong(numbers.len() as i64, out);
        }
        for (place, &number) in numbers.iter().enumerate() {
            if self == Counter::String && place > 0 {
                out.push(b',');
            }
            self.encode(number, out);
        }
    }

    /// Reads an array. In text, empty fields are 0 and those at the end do not count, but no text
    /// at all is one 0.
    pub fn decode_array(self, data: &[u8]) -> Result<Vec<i64>> {
        if self == Counter::String {
            let text = std::string::String::from_utf8_lossy(data);
            let fields = text.trim_end_matches(',');
            if fields.is_empty() && !text.is_empty() {
                return Ok(Vec::new());
            }
            let numbers = fields.split(',');
            return numbers
                .map(|field| {
                    if field.is_empty() {
                        Ok(0)
                    } else {
                        parse(field)
                    }
                })
                .collect();
        }
        let mut reader = Reader::new(data, 0);
        let count = read_vlong(&mut reader)?;
        if !(0..=i64::from(i32::MAX)).contains(&count) {
            return Err(Error::InvalidBytes(format!(
                "the array has an invalid length: {count}"
            )));
        }
        // Not reserved: the count may promise more than there are bytes.
        (0..count).map(|_| self.read(&mut reader)).collect()
    }

    /// Whether an array that cannot be read says that its length is negative: lossy combiners pass
    /// over all bad values but those.
    pub fn has_negative_length(self, data: &[u8]) -> bool {
        self != Counter::String
            && read_vlong(&mut Reader::new(data, 0))
                .is_ok_and(|count| (i64::from(i32::MIN)..0).contains(&count))
    }

    fn read(self, reader: &mut Reader<'_>) -> Result<i64> {
        match self {
            Counter::Varlen => read_vlong(reader),
            _ => Ok(i64::from_be_bytes(reader.array("FIXEDLEN")?)),
        }
    }
}

/// Appends Hadoop's variable-length integer: one byte for -112 to 127; else a first byte with sign
/// and length, then the magnitude.
fn write_vlong(number: i64, out: &mut Vec<u8>) {
    if let Some(single) = i8::try_from(number).ok().filter(|&small| small >= -112) {
        out.push(single as u8);
        return;
    }
    let (magnitude, base) = if number < 0 {
        (!number, -120i8)
    } else {
        (number, -112)
    };
    let size = 8 - magnitude.leading_zeros() as usize / 8;
    out.push((base - size as i8) as u8);
    out.extend(magnitude.to_be_bytes().iter().skip(8 - size));
}

fn read_vlong(reader: &mut Reader<'_>) -> Result<i64> {
    let first = reader.byte("VARLEN")? as i8;
    let (base, negative) = match first {
        -112.. => return Ok(i64::from(first)),
        -120..-112 => (-112, false),
        _ => (-120, true),
    };
    let bytes = reader.take((base - i32::from(first)) as usize, "VARLEN")?;
    // Eight bytes with the top bit set wrap around, as they do in Java.
    let number = bytes
        .iter()
        .fold(0i64, |sum, &byte| sum << 8 | i64::from(byte));
    Ok(if negative { !number } else { number })
}

fn parse(text: &str) -> Result<i64> {
    let refused = || Error::InvalidBytes("the text is not a decimal number of 64 bits".into());
    let (negative, digits) = match text.strip_prefix(['+', '-']) {
        Some(digits) => (text.starts_with('-'), digits),
        None => (false, text),
    };
    if digits.is_empty() {
        return Err(refused());
    }
    // Counted below zero, where there is one number more.
    let below = digits.chars().try_fold(0i64, |sum, digit| {
        sum.checked_mul(10)?.checked_sub(decimal_digit(digit)?)
    });
    let number = below.and_then(|below| {
        if negative {
            Some(below)
        } else {
            below.checked_neg()
        }
    });
    number.ok_or_else(refused)
}

/// The zeros of all decimal digits up to U+FFFF; Java looks at UTF-16 units and sees no others.
const ZEROS: [u16; 37] = [
    0x0030, 0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6,
    0x0d66, 0x0de6, 0x0e50, 0x0ed0, 0x0f20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80,
    0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0,
    0xff10,
];

pub(crate) fn decimal_digit(digit: char) -> Option<i64> {
    let code = u16::try_from(u32::from(digit)).ok()?;
    let values = ZEROS.iter().filter_map(|&zero| code.checked_sub(zero));
    values.filter(|value| *value < 10).map(i64::from).next()
}
