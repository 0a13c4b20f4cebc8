//! The value of a cell: state, flags, what the flags announce, content. Only checked here: what is returned is decoded
//! later.

use std::ops::Range;

use super::kinds::{FactKind, FactState, SubjectKind};
use crate::codec::reader::Reader;
use crate::codec::{integer, uvarint, Codec, Scalar, Value};
use crate::{Error, Result};

const FRESH: u8 = 0x01;
const STAMPED: u8 = 0x02;
const NOTED: u8 = 0x04;
const EXPIRING: u8 = 0x08;

/// What a value says before its content, and where the rest of it lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    pub state: FactState,
    /// What is not newer than this ended.
    pub ended: Option<i64>,
    pub stamp: Option<i64>,
    /// Event data; empty if there is none.
    pub note: Range<usize>,
    /// How long it lives; for ever without one.
    pub ttl: Option<i64>,
    /// Where the content starts.
    pub content: usize,
}

impl Header {
    /// Reads the value of a fact of this time.
    pub fn read(kind: FactKind, subject: SubjectKind, time: i64, data: &[u8]) -> Result<Header> {
        let mut reader = Reader::new(data, 0);
        let [state, flags] = reader.array("fact")?;
        let state = kind.state(state).ok_or_else(|| {
            Error::InvalidBytes(format!(
                "a {} does not have the state {state:02x}",
                kind.name()
            ))
        })?;
        let mut header = Header {
            state,
            ended: None,
            stamp: None,
            note: 0..0,
            ttl: None,
            content: 2,
        };
        if flags == 0 {
            return Ok(header);
        }
        if flags & !(FRESH | STAMPED | NOTED | EXPIRING) != 0 {
            return invalid(format!("the flags {flags:02x} do not exist"));
        }
        if flags & FRESH != 0 {
            if kind != FactKind::Existence || state != FactState::Said {
                return invalid("only an existence that is said ends other facts");
            }
            let ended = integer::read_i64(&mut reader, "time")?;
            if ended >= time {
                return invalid("an existence ends older facts only");
            }
            header.ended = Some(ended);
        }
        if flags & STAMPED != 0 {
            header.stamp = Some(integer::read_i64(&mut reader, "time")?);
        }
        if flags & NOTED != 0 {
            let length = uvarint::read(&mut reader, "a note")?;
            let start = reader.position();
            check_typed(reader.slice(length, "a note")?, "a note")?;
            header.note = start..start + length;
        }
        if flags & EXPIRING != 0 {
            if !may_expire(kind, subject, state) {
                return invalid("only existences, labels and values that are said expire");
            }
            let ttl = integer::read_i64(&mut reader, "time")?;
            if ttl < 1 {
                return invalid("a time to live is at least a microsecond");
            }
            header.ttl = Some(ttl);
        }
        header.content = reader.position();
        Ok(header)
    }

    /// The time from which on a fact of this time has expired.
    pub fn expires(&self, time: i64) -> Option<i128> {
        Some(i128::from(time) + i128::from(self.ttl?))
    }

    /// What it says after it has expired, and its value: nothing, or that what it is fresh after was deleted.
    pub fn expired(&self, value: &[u8]) -> Option<(Header, Vec<u8>)> {
        self.ended?;
        let flags = value.get(1).copied().unwrap_or(0) & (STAMPED | NOTED);
        // State, flags and the time after which it is fresh come before the rest, its time to live after it.
        let rest = value
            .get(10..self.content.saturating_sub(8))
            .unwrap_or_default();
        let made = [&[FactState::Deleted as u8, flags], rest].concat();
        let before = |place: usize| place.saturating_sub(8);
        let header = Header {
            state: FactState::Deleted,
            ended: None,
            stamp: self.stamp,
            note: match self.note.is_empty() {
                true => 0..0,
                false => before(self.note.start)..before(self.note.end),
            },
            ttl: None,
            content: made.len(),
        };
        Some((header, made))
    }
}

/// Whether such a fact can have a time to live.
fn may_expire(kind: FactKind, subject: SubjectKind, state: FactState) -> bool {
    match (kind, state) {
        (FactKind::Existence | FactKind::Label | FactKind::Value, FactState::Said) => true,
        // In a reference it stands for an existence of another shape, which may expire.
        (FactKind::Existence, FactState::Deleted) => matches!(subject, SubjectKind::Reference(_)),
        _ => false,
    }
}

/// Refuses content that such a fact does not have.
pub fn check_content(
    kind: FactKind,
    subject: SubjectKind,
    state: FactState,
    content: &[u8],
) -> Result<()> {
    match (kind, subject) {
        (FactKind::Value | FactKind::Metadata, _) if state == FactState::Said => {
            check_typed(content, "a value")
        }
        (FactKind::Existence, SubjectKind::Edge) if state == FactState::Said => {
            check_shape(content)
        }
        (FactKind::Existence, SubjectKind::Reference(_)) if state == FactState::Said => {
            check_signature(content)
        }
        _ if content.is_empty() => Ok(()),
        _ => invalid(format!(
            "{} bytes follow a fact that has no content",
            content.len()
        )),
    }
}

/// Refuses what is no value in the self-describing form, and null.
fn check_typed(data: &[u8], what: &str) -> Result<()> {
    if Scalar::of_value(data).is_some() {
        return Ok(());
    }
    match Codec::Any.decode_value(data)? {
        Value::Null => invalid(format!("{what} is never null")),
        _ => Ok(()),
    }
}

fn check_signature(content: &[u8]) -> Result<()> {
    if content.is_empty() {
        return Ok(());
    }
    match check_pairs(&Codec::Any.decode_value(content)?)? {
        0 => invalid("a signature without properties has no bytes"),
        _ => Ok(()),
    }
}

fn check_shape(content: &[u8]) -> Result<()> {
    let shape = Codec::Any.decode_value(content)?;
    let Value::Tuple(parts) = &shape else {
        return invalid("a shape is a tuple of five");
    };
    match parts.as_slice() {
        [Value::Str(_), _, _, Value::Bool(_), pairs] => check_pairs(pairs).map(drop),
        [_, _, _, _, _] => invalid("a shape has a label and says whether it is directed"),
        _ => invalid("a shape is a tuple of five"),
    }
}

/// Counts pairs of name and value, which must be ordered by name, each once.
fn check_pairs(pairs: &Value) -> Result<usize> {
    let Value::Tuple(pairs) = pairs else {
        return invalid("properties of a shape are pairs of name and value");
    };
    let mut last: Option<&str> = None;
    for pair in pairs {
        let name = match pair {
            Value::Tuple(pair) => match pair.as_slice() {
                [Value::Str(name), _] => name,
                _ => return invalid("properties of a shape are pairs of name and value"),
            },
            _ => return invalid("properties of a shape are pairs of name and value"),
        };
        if last.is_some_and(|last| last >= name.as_str()) {
            return invalid("properties of a shape are ordered by name, each once");
        }
        last = Some(name);
    }
    Ok(pairs.len())
}

fn invalid<T>(message: impl Into<String>) -> Result<T> {
    Err(Error::InvalidBytes(message.into()))
}
