//! Codecs made from codecs: descending, nullable, tuples and lists.
//!
//! All rest on one fact: parts are prefix-free. So a complement reverses the order exactly, and a
//! tuple is its parts one after the other.

use super::decode::read_part;
use super::encode::{write_part, write_value};
use super::escape::complement_from;
use super::reader::Reader;
use super::{uvarint, Codec, Nulls, Value};
use crate::{Error, Result};

const END: u8 = 0;
const MORE: u8 = 1;

pub(crate) fn write_descending(inner: &Codec, value: &Value, out: &mut Vec<u8>) -> Result<()> {
    let start = out.len();
    write_part(inner, value, out)?;
    complement_from(out, start);
    Ok(())
}

pub(crate) fn read_descending(inner: &Codec, reader: &mut Reader<'_>) -> Result<Value> {
    reader.flip();
    let value = read_part(inner, reader);
    reader.flip();
    value
}

/// The byte before a value and the one that stands for null, in keys.
pub(crate) fn markers(nulls: Nulls) -> (u8, u8) {
    match nulls {
        Nulls::First => (1, 0),
        Nulls::Last => (0, 1),
    }
}

pub(crate) fn write_nullable_part(
    inner: &Codec,
    nulls: Nulls,
    value: &Value,
    out: &mut Vec<u8>,
) -> Result<()> {
    let (present, null) = markers(nulls);
    if *value == Value::Null {
        out.push(null);
        return Ok(());
    }
    out.push(present);
    write_part(inner, value, out)
}

pub(crate) fn read_nullable_part(
    inner: &Codec,
    nulls: Nulls,
    reader: &mut Reader<'_>,
) -> Result<Value> {
    let (present, null) = markers(nulls);
    let marker = reader.byte("nullable")?;
    if marker == null {
        return Ok(Value::Null);
    }
    if marker != present {
        return Err(Error::InvalidBytes(format!(
            "a nullable part starts with 00 or 01, not {marker:02x}"
        )));
    }
    refuse_null(read_part(inner, reader)?)
}

pub(crate) fn write_nullable_value(inner: &Codec, value: &Value, out: &mut Vec<u8>) -> Result<()> {
    if *value == Value::Null {
        out.push(0);
        return Ok(());
    }
    out.push(1);
    write_value(inner, value, out)
}

pub(crate) fn read_nullable_value(inner: &Codec, data: &[u8]) -> Result<Value> {
    match data {
        [0] => Ok(Value::Null),
        [1, rest @ ..] => refuse_null(inner.decode_value(rest)?),
        _ => Err(Error::InvalidBytes(
            "a nullable value is 00, or starts with 01".into(),
        )),
    }
}

/// An inner codec may know null as well, but null is never written through it.
fn refuse_null(value: Value) -> Result<Value> {
    if value == Value::Null {
        return Err(Error::InvalidBytes(
            "null is written as null, not as a value".into(),
        ));
    }
    Ok(value)
}

pub(crate) fn write_tuple_part(parts: &[Codec], value: &Value, out: &mut Vec<u8>) -> Result<()> {
    write_prefix(parts, exact_items(parts, value)?, out)
}

/// Writes the first parts of a tuple, as many as there are values.
pub(crate) fn write_prefix(parts: &[Codec], values: &[Value], out: &mut Vec<u8>) -> Result<()> {
    if values.len() > parts.len() {
        return Err(wrong_count(parts.len(), values.len()));
    }
    for (part, item) in parts.iter().zip(values) {
        write_part(part, item, out)?;
    }
    Ok(())
}

pub(crate) fn read_tuple_part(parts: &[Codec], reader: &mut Reader<'_>) -> Result<Value> {
    let items: Result<Vec<Value>> = parts.iter().map(|part| read_part(part, reader)).collect();
    Ok(Value::Tuple(items?))
}

pub(crate) fn write_tuple_value(parts: &[Codec], value: &Value, out: &mut Vec<u8>) -> Result<()> {
    let mut scratch = Vec::new();
    for (part, item) in parts.iter().zip(exact_items(parts, value)?) {
        write_item(&mut scratch, out, |bytes| write_value(part, item, bytes))?;
    }
    Ok(())
}

pub(crate) fn read_tuple_value(parts: &[Codec], data: &[u8]) -> Result<Value> {
    let items = split_items(data, "tuple")?;
    if items.len() != parts.len() {
        return Err(Error::InvalidBytes(format!(
            "the tuple has {} parts, not {}",
            parts.len(),
            items.len()
        )));
    }
    let values: Result<Vec<Value>> = parts
        .iter()
        .zip(items)
        .map(|(part, item)| part.decode_value(item))
        .collect();
    Ok(Value::Tuple(values?))
}

pub(crate) fn write_list_part(item: &Codec, value: &Value, out: &mut Vec<u8>) -> Result<()> {
    for one in items_of(value)? {
        out.push(MORE);
        write_part(item, one, out)?;
    }
    out.push(END);
    Ok(())
}

pub(crate) fn read_list_part(item: &Codec, reader: &mut Reader<'_>) -> Result<Value> {
    let mut items = Vec::new();
    loop {
        match reader.byte("list")? {
            MORE => items.push(read_part(item, reader)?),
            END => return Ok(Value::List(items)),
            other => {
                return Err(Error::InvalidBytes(format!(
                    "an item of a list starts with 01, its end is 00; there is {other:02x}"
                )))
            }
        }
    }
}

pub(crate) fn write_list_value(item: &Codec, value: &Value, out: &mut Vec<u8>) -> Result<()> {
    let mut scratch = Vec::new();
    for one in items_of(value)? {
        write_item(&mut scratch, out, |bytes| write_value(item, one, bytes))?;
    }
    Ok(())
}

pub(crate) fn read_list_value(item: &Codec, data: &[u8]) -> Result<Value> {
    let items = split_items(data, "list")?;
    let values: Result<Vec<Value>> = items
        .into_iter()
        .map(|one| item.decode_value(one))
        .collect();
    Ok(Value::List(values?))
}

/// Appends one item of a stored value after its length.
pub(crate) fn write_item(
    scratch: &mut Vec<u8>,
    out: &mut Vec<u8>,
    write: impl FnOnce(&mut Vec<u8>) -> Result<()>,
) -> Result<()> {
    scratch.clear();
    write(scratch)?;
    uvarint::write(scratch.len(), out)?;
    out.extend_from_slice(scratch);
    Ok(())
}

/// Cuts bytes that are nothing but lengths and as many bytes each.
pub(crate) fn split_items<'a>(data: &'a [u8], name: &str) -> Result<Vec<&'a [u8]>> {
    let mut items = Vec::new();
    let mut reader = Reader::new(data, 0);
    while !reader.is_at_end() {
        let length = uvarint::read(&mut reader, name)?;
        items.push(reader.slice(length, name)?);
    }
    Ok(items)
}

fn items_of(value: &Value) -> Result<&[Value]> {
    match value {
        Value::Tuple(items) | Value::List(items) => Ok(items),
        _ => Err(Error::InvalidValue(format!(
            "tuple and list codecs hold a tuple or list, not {}",
            value.kind()
        ))),
    }
}

fn exact_items<'a>(parts: &[Codec], value: &'a Value) -> Result<&'a [Value]> {
    let items = items_of(value)?;
    if items.len() != parts.len() {
        return Err(wrong_count(parts.len(), items.len()));
    }
    Ok(items)
}

fn wrong_count(parts: usize, values: usize) -> Error {
    Error::InvalidValue(format!("the tuple has {parts} parts, not {values}"))
}
