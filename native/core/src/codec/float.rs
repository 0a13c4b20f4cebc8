//! Floats of 64 and 32 bits.
//!
//! Negative numbers have all IEEE bits flipped, others the sign bit: unsigned order is number
//! order. Keys know one zero and one NaN (after +infinity); values keep -0.0.

use super::reader::Reader;
use crate::{Error, Result};

const TOP64: u64 = 1 << 63;
const TOP32: u32 = 1 << 31;
const NAN64: u64 = 0x7ff8 << 48;
const NAN32: u32 = 0x7fc0 << 16;

/// The order-preserving number of a float as a key.
pub(crate) fn key_bits(number: f64) -> u64 {
    // Adding 0.0 turns -0.0 into 0.0 and leaves every other number alone.
    value_bits(number + 0.0)
}

/// As [`key_bits`], but with a number of its own for -0.0.
pub(crate) fn value_bits(number: f64) -> u64 {
    let bits = if number.is_nan() {
        NAN64
    } else {
        number.to_bits()
    };
    bits ^ if bits & TOP64 == 0 { TOP64 } else { u64::MAX }
}

/// Undoes [`key_bits`].
pub(crate) fn from_key_bits(ordered: u64, name: &str) -> Result<f64> {
    if ordered == TOP64 - 1 {
        return Err(no_key_of_minus_zero(name));
    }
    from_value_bits(ordered, name)
}

/// Undoes [`value_bits`].
pub(crate) fn from_value_bits(ordered: u64, name: &str) -> Result<f64> {
    let bits = ordered
        ^ if ordered & TOP64 == 0 {
            u64::MAX
        } else {
            TOP64
        };
    let number = f64::from_bits(bits);
    if number.is_nan() && bits != NAN64 {
        return Err(other_nan(name));
    }
    Ok(number)
}

pub(crate) fn write32(number: f64, keep_zero: bool, out: &mut Vec<u8>) -> Result<()> {
    let narrow = number as f32;
    if !number.is_nan() && f64::from(narrow) != number {
        return Err(Error::InvalidValue(format!(
            "codec 'float32' cannot hold {number:?} without rounding"
        )));
    }
    let mut bits = if number.is_nan() {
        NAN32
    } else {
        narrow.to_bits()
    };
    if bits == TOP32 && !keep_zero {
        bits = 0;
    }
    let ordered = bits ^ if bits & TOP32 == 0 { TOP32 } else { u32::MAX };
    out.extend_from_slice(&ordered.to_be_bytes());
    Ok(())
}

pub(crate) fn read32(reader: &mut Reader<'_>, keep_zero: bool) -> Result<f32> {
    const NAME: &str = "float32";
    let ordered = u32::from_be_bytes(reader.array(NAME)?);
    if ordered == TOP32 - 1 && !keep_zero {
        return Err(no_key_of_minus_zero(NAME));
    }
    let bits = ordered
        ^ if ordered & TOP32 == 0 {
            u32::MAX
        } else {
            TOP32
        };
    let number = f32::from_bits(bits);
    if number.is_nan() && bits != NAN32 {
        return Err(other_nan(NAME));
    }
    Ok(number)
}

fn no_key_of_minus_zero(name: &str) -> Error {
    Error::InvalidBytes(format!("codec '{name}' has no key for -0.0"))
}

fn other_nan(name: &str) -> Error {
    Error::InvalidBytes(format!(
        "codec '{name}' stores a single form of NaN, not these bytes"
    ))
}
