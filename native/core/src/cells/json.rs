//! Bytes, keys and cells as JSON: the one form of `spec/scan.md` section 1.
//!
//! Printable ASCII is a JSON string, everything else `{"hex": ...}`; reading accepts exactly what
//! writing gives.

use serde_json::{json, Value};

use super::{Cell, CellRef, Key, KeyRef, Range};
use crate::nearest::did_you_mean;
use crate::{Error, Result};

/// Writes bytes.
///
/// ```
/// use lexigraph_core::cells::json::{bytes_from_json, bytes_to_json};
/// let written = bytes_to_json(b"\x00a");
/// assert_eq!(written.to_string(), r#"{"hex":"0061"}"#);
/// assert_eq!(bytes_from_json(&written, "row").unwrap(), b"\x00a");
/// ```
pub fn bytes_to_json(data: &[u8]) -> Value {
    match std::str::from_utf8(data) {
        Ok(text) if is_plain(data) => Value::from(text),
        _ => {
            let digits: String = data.iter().map(|byte| format!("{byte:02x}")).collect();
            json!({ "hex": digits })
        }
    }
}

/// Reads bytes; `what` names the option in the error.
pub fn bytes_from_json(value: &Value, what: &str) -> Result<Vec<u8>> {
    let read = match value {
        Value::String(text) if is_plain(text.as_bytes()) => Some(text.as_bytes().to_vec()),
        Value::Object(fields) if fields.len() == 1 => {
            fields.get("hex").and_then(Value::as_str).and_then(from_hex)
        }
        _ => None,
    };
    read.ok_or_else(|| {
        let found = shown(value);
        Error::InvalidOption(format!(
            "{what} must be printable ASCII text or {{\"hex\": \"..\"}}, not {found}"
        ))
    })
}

/// Writes a key as a list of six.
pub fn key_to_json(key: &KeyRef<'_>) -> Value {
    json!([
        bytes_to_json(key.row),
        bytes_to_json(key.family),
        bytes_to_json(key.qualifier),
        bytes_to_json(key.visibility),
        key.timestamp,
        u8::from(key.deleted)
    ])
}

/// Reads a key.
pub fn key_from_json(value: &Value) -> Result<Key> {
    match value.as_array().map(Vec::as_slice) {
        Some([row, family, qualifier, visibility, timestamp, deleted]) => Ok(Key {
            row: bytes_from_json(row, "row")?,
            family: bytes_from_json(family, "family")?,
            qualifier: bytes_from_json(qualifier, "qualifier")?,
            visibility: bytes_from_json(visibility, "visibility")?,
            timestamp: timestamp.as_i64().ok_or_else(|| {
                let found = shown(timestamp);
                Error::InvalidOption(format!(
                    "a timestamp is a signed 64-bit integer, not {found}"
                ))
            })?,
            deleted: match deleted.as_i64() {
                Some(0) => false,
                Some(1) => true,
                _ => {
                    let found = shown(deleted);
                    return Err(Error::InvalidOption(format!(
                        "a delete flag is 0 or 1, not {found}"
                    )));
                }
            },
        }),
        _ => Err(entries("key", 6, value)),
    }
}

/// Reads a range; bounds left out are infinite, and a start behind the end is refused.
pub fn range_from_json(value: &Value) -> Result<Range> {
    let known = ["start", "start_inclusive", "end", "end_inclusive"];
    let Some(fields) = value.as_object() else {
        let found = shown(value);
        return Err(Error::InvalidOption(format!(
            "a range in JSON is an object, not {found}"
        )));
    };
    if let Some(name) = fields.keys().find(|name| !known.contains(&name.as_str())) {
        let near = did_you_mean(name, known.iter().copied());
        return Err(Error::InvalidOption(format!(
            "a range has no field '{name}'{near}"
        )));
    }
    let bound = |name: &str| match fields.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(given) => key_from_json(given).map(Some),
    };
    let inclusive = |name: &str| match fields.get(name) {
        None => Ok(true),
        Some(Value::Bool(given)) => Ok(*given),
        Some(other) => Err(Error::InvalidOption(format!(
            "{name} must be true or false, not {}",
            shown(other)
        ))),
    };
    let range = Range {
        start: bound("start")?,
        start_inclusive: inclusive("start_inclusive")?,
        end: bound("end")?,
        end_inclusive: inclusive("end_inclusive")?,
    };
    match (&range.start, &range.end) {
        (Some(start), Some(end)) if start > end => Err(Error::InvalidKey(format!(
            "a range starts at {} after its end {}; swap them, and newer timestamps come first",
            key_to_json(&start.as_ref()),
            key_to_json(&end.as_ref())
        ))),
        _ => Ok(range),
    }
}

/// Writes a cell as a list of seven.
pub fn cell_to_json(cell: &CellRef<'_>) -> Value {
    let mut entries = key_to_json(&cell.key);
    if let Value::Array(entries) = &mut entries {
        entries.push(bytes_to_json(cell.value));
    }
    entries
}

/// Reads a cell.
pub fn cell_from_json(value: &Value) -> Result<Cell> {
    match value.as_array().and_then(|entries| entries.split_last()) {
        Some((last, key)) if key.len() == 6 => Ok(Cell {
            key: key_from_json(&Value::from(key))?,
            value: bytes_from_json(last, "value")?,
        }),
        _ => Err(entries("cell", 7, value)),
    }
}

/// The beginning of a JSON value, for an error message.
pub(crate) fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

fn is_plain(data: &[u8]) -> bool {
    data.iter().all(|byte| (0x20..=0x7e).contains(byte))
}

fn from_hex(digits: &str) -> Option<Vec<u8>> {
    let nibbles: Option<Vec<u8>> = digits
        .bytes()
        .map(|digit| match digit {
            b'0'..=b'9' => Some(digit - b'0'),
            b'a'..=b'f' => Some(digit - b'a' + 10),
            _ => None,
        })
        .collect();
    let nibbles = nibbles.filter(|nibbles| nibbles.len() % 2 == 0)?;
    Some(
        nibbles
            .chunks_exact(2)
            .map(|pair| pair.iter().fold(0, |byte, nibble| byte << 4 | nibble))
            .collect(),
    )
}

fn entries(what: &str, count: usize, value: &Value) -> Error {
    let found = shown(value);
    Error::InvalidOption(format!(
        "a {what} in JSON is a list of {count} entries, not {found}"
    ))
}
