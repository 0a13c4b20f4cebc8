//! Lengths inside stored values: little-endian base 128, below 2^32, the shortest form only.

use super::reader::Reader;
use crate::{Error, Result};

pub(crate) fn write(length: usize, out: &mut Vec<u8>) -> Result<()> {
    let Ok(mut rest) = u32::try_from(length) else {
        return Err(Error::InvalidValue(format!(
            "an item of a stored value holds less than 2**32 bytes, not {length}"
        )));
    };
    while rest >= 0x80 {
        out.push((rest & 0x7f) as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
    Ok(())
}

pub(crate) fn read(reader: &mut Reader<'_>, name: &str) -> Result<usize> {
    let start = reader.position();
    let mut length = 0u64;
    for shift in (0..35).step_by(7) {
        let byte = reader.byte(name)?;
        length |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            if (byte == 0 && shift > 0) || length > u64::from(u32::MAX) {
                break;
            }
            return Ok(length as usize);
        }
    }
    Err(Error::InvalidBytes(format!(
        "the length at byte {start} is not below 2**32 in its shortest form"
    )))
}
