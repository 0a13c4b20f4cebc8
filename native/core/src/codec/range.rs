//! Ranges of keys: prefixes, successors, and bounds on the parts of a composite key.
//!
//! Start inclusive, end exclusive, no end for no upper bound. Because parts are prefix-free, the
//! range of a prefix holds exactly the keys with those parts.

use super::composite::{markers, write_prefix};
use super::{Codec, Value};
use crate::{Error, Result};

/// The keys from `start` up to, and without, `end`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRange {
    pub start: Vec<u8>,
    pub end: Option<Vec<u8>>,
}

/// One end of a range of values.
#[derive(Debug, Clone, PartialEq)]
pub struct Bound {
    pub value: Value,
    pub inclusive: bool,
}

/// The least key after `key`.
///
/// ```
/// assert_eq!(lexigraph_core::codec::range::successor(b"a"), b"a\x00");
/// ```
pub fn successor(key: &[u8]) -> Vec<u8> {
    let mut next = Vec::with_capacity(key.len() + 1);
    next.extend_from_slice(key);
    next.push(0);
    next
}

/// The least key after all keys with this prefix, or none if there is none.
///
/// ```
/// use lexigraph_core::codec::range::following_prefix;
/// assert_eq!(following_prefix(b"a\xff"), Some(b"b".to_vec()));
/// assert_eq!(following_prefix(b"\xff"), None);
/// ```
pub fn following_prefix(prefix: &[u8]) -> Option<Vec<u8>> {
    let last = prefix.iter().rposition(|&byte| byte != 0xff)?;
    let mut next = prefix.get(..=last)?.to_vec();
    *next.last_mut()? += 1;
    Some(next)
}

/// The range of all keys with this prefix.
pub fn prefix_range(prefix: &[u8]) -> KeyRange {
    KeyRange {
        start: prefix.to_vec(),
        end: following_prefix(prefix),
    }
}

/// The range of the tuples that begin with these values.
pub fn tuple_range(parts: &[Codec], values: &[Value]) -> Result<KeyRange> {
    Ok(prefix_range(&encode_prefix(parts, values)?))
}

/// The range of the tuples that begin with these values and whose next part is bounded.
///
/// The bounds are meant in the order of values, also where the part is descending. With a bound,
/// nulls of that part lie outside. When nothing can match, start and end are equal.
pub fn bounded_range(
    parts: &[Codec],
    values: &[Value],
    lower: Option<&Bound>,
    upper: Option<&Bound>,
) -> Result<KeyRange> {
    let prefix = encode_prefix(parts, values)?;
    if lower.is_none() && upper.is_none() {
        return Ok(prefix_range(&prefix));
    }
    let Some(part) = parts.get(values.len()) else {
        return Err(Error::InvalidValue(format!(
            "the tuple has {} parts; there is no part {} to bound",
            parts.len(),
            values.len() + 1
        )));
    };
    let (present, reverse) = present(part);
    let (first, last) = if reverse {
        (upper, lower)
    } else {
        (lower, upper)
    };
    let whole = prefix_range(&[prefix.as_slice(), &present].concat());
    let start = match first {
        None => Some(whole.start),
        Some(bound) => {
            let edge = encode_bound(part, &prefix, bound)?;
            if bound.inclusive {
                Some(edge)
            } else {
                following_prefix(&edge)
            }
        }
    };
    let end = match last {
        None => whole.end,
        Some(bound) => {
            let edge = encode_bound(part, &prefix, bound)?;
            if bound.inclusive {
                following_prefix(&edge)
            } else {
                Some(edge)
            }
        }
    };
    let start = start.filter(|start| end.as_ref().is_none_or(|end| start <= end));
    Ok(match start {
        Some(start) => KeyRange { start, end },
        None => KeyRange {
            start: prefix.clone(),
            end: Some(prefix),
        },
    })
}

fn encode_prefix(parts: &[Codec], values: &[Value]) -> Result<Vec<u8>> {
    let mut prefix = Vec::new();
    write_prefix(parts, values, &mut prefix)?;
    Ok(prefix)
}

fn encode_bound(part: &Codec, prefix: &[u8], bound: &Bound) -> Result<Vec<u8>> {
    if bound.value == Value::Null && is_nullable(part) {
        return Err(Error::InvalidValue(
            "null cannot be a bound of a range".into(),
        ));
    }
    let mut edge = prefix.to_vec();
    part.encode_part(&bound.value, &mut edge)?;
    Ok(edge)
}

fn is_nullable(part: &Codec) -> bool {
    match part {
        Codec::Descending(inner) => is_nullable(inner),
        Codec::Nullable(..) => true,
        _ => false,
    }
}

/// What every non-null value of the part begins with, and whether bytes run against values.
fn present(part: &Codec) -> (Vec<u8>, bool) {
    match part {
        Codec::Nullable(inner, nulls) => {
            let (mut begin, reverse) = present(inner);
            begin.insert(0, markers(*nulls).0);
            (begin, reverse)
        }
        Codec::Descending(inner) => {
            let (mut begin, reverse) = present(inner);
            super::escape::complement(&mut begin);
            (begin, !reverse)
        }
        _ => (Vec::new(), false),
    }
}
