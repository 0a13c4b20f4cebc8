//! Smallest, largest, first and last.
//!
//! Ties are decided by bytes, never by the order of arrival: that is what makes the states
//! canonical. First and last carry the time of their value, because a combined cell has only the
//! newest time of its parts.

use std::cmp::Ordering;

use crate::{Error, Result};

const OWN_TIME: u8 = 1;
const CELL_TIME: u8 = 0;

/// Whether another (key, value) takes the place of the one held.
pub(crate) fn replaces(largest: bool, held: (&[u8], &[u8]), other: (&[u8], &[u8])) -> bool {
    match other.0.cmp(held.0) {
        Ordering::Equal => other.1 < held.1,
        Ordering::Less => !largest,
        Ordering::Greater => largest,
    }
}

/// Whether another (time, value) takes the place of the one held.
pub(crate) fn outdates(last: bool, held: (i64, &[u8]), other: (i64, &[u8])) -> bool {
    if last {
        other > held
    } else {
        other < held
    }
}

/// Takes time and value out of a state; a value without a time has its cell's.
pub(crate) fn read_timed(data: &[u8], timestamp: i64) -> Result<(i64, &[u8])> {
    match data.split_first() {
        Some((&CELL_TIME, value)) => Ok((timestamp, value)),
        Some((&OWN_TIME, rest)) if rest.len() >= 8 => {
            let (time, value) = rest.split_at(8);
            let biased = time
                .iter()
                .fold(0u64, |sum, &byte| sum << 8 | u64::from(byte));
            Ok((biased as i64 ^ i64::MIN, value))
        }
        _ => Err(Error::InvalidBytes(
            "a state of first or last starts with 00, or with 01 and eight bytes of time".into(),
        )),
    }
}

pub(crate) fn write_timed(time: i64, value: &[u8], out: &mut Vec<u8>) {
    out.push(OWN_TIME);
    out.extend_from_slice(&(time ^ i64::MIN).to_be_bytes());
    out.extend_from_slice(value);
}

pub(crate) fn write_untimed(value: &[u8], out: &mut Vec<u8>) {
    out.push(CELL_TIME);
    out.extend_from_slice(value);
}
