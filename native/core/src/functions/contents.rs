//! Tests that look into a value: patterns, parts of texts, members, lengths and ages.
//!
//! An absent field fails every one of them.

use super::java_regex::JavaRegex;
use super::predicate::{Comparison, Holds};
use crate::codec::{Codec, Value};
use crate::{Error, Result};

const DAY: i128 = 86_400_000_000;

/// A whole text matches a pattern in Java's syntax.
#[derive(Debug, Clone)]
pub struct Matches {
    pattern: String,
    regex: JavaRegex,
}

impl PartialEq for Matches {
    fn eq(&self, other: &Self) -> bool {
        self.pattern == other.pattern
    }
}

impl Eq for Matches {}

impl Matches {
    /// Compiles a pattern; one that only Python can read is Unsupported.
    pub fn new(pattern: &str) -> Result<Matches> {
        let regex = JavaRegex::new(pattern, false, "pattern")?;
        let pattern = pattern.into();
        Ok(Matches { pattern, regex })
    }

    pub(super) fn holds(&self, value: &Value) -> bool {
        matches!(value, Value::Str(text) if self.regex.is_match(text))
    }
}

/// A text holds another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Substring {
    pub value: String,
    pub ignore_case: bool,
}

impl Substring {
    pub(super) fn holds(&self, value: &Value) -> bool {
        match value {
            Value::Str(text) if self.ignore_case => {
                text.to_lowercase().contains(&self.value.to_lowercase())
            }
            Value::Str(text) => text.contains(&self.value),
            _ => false,
        }
    }
}

/// A collection has a member of this key form; a map has it as a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contains {
    value: Vec<u8>,
    /// None until the field is known.
    codec: Option<Codec>,
    is_map: bool,
}

impl Contains {
    pub(super) fn new(value: Vec<u8>) -> Contains {
        let (codec, is_map) = (None, false);
        Contains {
            value,
            codec,
            is_map,
        }
    }

    pub(super) fn bound(&self, field: &str, holds: &Holds) -> Result<Contains> {
        if let Some(result) = &holds.result {
            return Err(Error::InvalidOption(format!(
                "'contains' looks at collections; field '{field}' holds {}",
                result.name()
            )));
        }
        Ok(Contains {
            value: self.value.clone(),
            codec: Some(holds.codec.clone()),
            is_map: holds.is_map,
        })
    }

    pub(super) fn holds(&self, value: &Value, scratch: &mut Vec<u8>) -> Result<bool> {
        let (Value::Tuple(items), Some(codec)) = (value, &self.codec) else {
            return Ok(false);
        };
        for item in items {
            let member = match item {
                Value::Tuple(pair) if self.is_map => pair.first().unwrap_or(&Value::Null),
                other => other,
            };
            scratch.clear();
            codec.encode_key(member, scratch)?;
            if *scratch == self.value {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The number of characters, bytes or members compares so with a size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Length {
    pub how: Comparison,
    pub size: i64,
}

impl Length {
    pub(super) fn holds(&self, value: &Value) -> bool {
        let length = match value {
            Value::Str(text) => text.chars().count(),
            Value::Bytes(bytes) => bytes.len(),
            Value::Tuple(items) | Value::List(items) => items.len(),
            _ => return false,
        };
        let length = i64::try_from(length).unwrap_or(i64::MAX);
        self.how.holds(&length, &self.size)
    }
}

/// A moment lies less than so many microseconds before the scan's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgeOff {
    pub ttl: i64,
    pub now: i64,
    /// How many microseconds an integer counts: it is in milliseconds, but for the field `timestamp`.
    pub unit: i64,
}

impl AgeOff {
    pub(super) const CODECS: [Codec; 5] = [
        Codec::Datetime,
        Codec::NaiveDatetime,
        Codec::Date,
        Codec::Int,
        Codec::Int64,
    ];

    pub(super) fn holds(&self, value: &Value) -> bool {
        let oldest = i128::from(self.now) - i128::from(self.ttl);
        let moment = match value {
            Value::Datetime { micros, .. } | Value::NaiveDatetime(micros) => i128::from(*micros),
            Value::Date(days) => i128::from(*days) * DAY,
            other => match (other.small_integer(), other.integer()) {
                (Some(number), _) => i128::from(number) * i128::from(self.unit),
                // Beyond 64 bits only the sign matters.
                (None, Some(number)) => match number.to_bigint().sign() {
                    num_bigint::Sign::Minus => i128::MIN,
                    _ => i128::MAX,
                },
                (None, None) => return false,
            },
        };
        moment > oldest
    }
}
