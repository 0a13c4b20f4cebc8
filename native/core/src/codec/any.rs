//! Values that say their own type: one type byte, then the payload.
//!
//! In keys a number's width, and whether a sequence was list or tuple, do not count: 1 as int,
//! int8 or int64 is one key. In values everything comes back as it was. Nesting is limited, so
//! that neither a value nor hostile bytes can exhaust the stack.

use super::composite::{split_items, write_item};
use super::decode::read_part;
use super::encode::{write_part, write_value as write_payload};
use super::reader::Reader;
use super::stream::StreamReference;
use super::{float, integer, typebytes as types, Codec, Value};
use crate::{Error, Result};

/// How deep tuples and lists nest; a tuple of plain values is one deep.
pub const MAX_DEPTH: usize = 32;

const NAME: &str = "any";

pub(crate) fn write_key(value: &Value, depth: usize, out: &mut Vec<u8>) -> Result<()> {
    if let Value::Tuple(items) | Value::List(items) = value {
        check_depth(depth).map_err(Error::InvalidValue)?;
        out.push(types::TUPLE);
        for item in items {
            write_key(item, depth + 1, out)?;
        }
        out.push(types::END);
        return Ok(());
    }
    if let Value::Stream(_) = value {
        return Err(Error::InvalidValue(
            "a streaming value has no key: it is not ordered and not compared".into(),
        ));
    }
    let (kind, codec) = match value_type(value) {
        (types::INT8..=types::BIGINT, _) => (types::INT, Codec::Int),
        (types::FLOAT32, _) => (types::FLOAT, Codec::Float),
        other => other,
    };
    out.push(kind);
    write_part(&codec, value, out)
}

pub(crate) fn read_key(reader: &mut Reader<'_>, depth: usize) -> Result<Value> {
    let at = reader.position();
    let kind = reader.byte(NAME)?;
    if kind == types::TUPLE {
        check_depth(depth).map_err(Error::InvalidBytes)?;
        let mut items = Vec::new();
        while reader.peek() != Some(types::END) {
            items.push(read_key(reader, depth + 1)?);
        }
        reader.byte(NAME)?;
        return Ok(Value::Tuple(items));
    }
    match payload(kind) {
        Some(codec) => read_part(&codec, reader),
        None => Err(Error::InvalidBytes(format!(
            "byte {at} is {kind:02x}, which is not a key type"
        ))),
    }
}

pub(crate) fn write_value(value: &Value, depth: usize, out: &mut Vec<u8>) -> Result<()> {
    let (kind, codec) = value_type(value);
    out.push(kind);
    if let Value::Stream(reference) = value {
        if depth > 0 {
            return Err(Error::InvalidValue(
                "a streaming value is not part of a tuple or list".into(),
            ));
        }
        out.extend_from_slice(reference.bytes());
        return Ok(());
    }
    let (Value::Tuple(items) | Value::List(items)) = value else {
        return write_payload(&codec, value, out);
    };
    check_depth(depth).map_err(Error::InvalidValue)?;
    let mut scratch = Vec::new();
    for item in items {
        write_item(&mut scratch, out, |bytes| {
            write_value(item, depth + 1, bytes)
        })?;
    }
    Ok(())
}

pub(crate) fn read_value(data: &[u8], depth: usize) -> Result<Value> {
    let Some((&kind, rest)) = data.split_first() else {
        return Err(Error::InvalidBytes(
            "codec 'any' reads at least one byte".into(),
        ));
    };
    let mut reader = Reader::new(rest, 0);
    let value = match kind {
        types::TUPLE => return Ok(Value::Tuple(read_items(rest, depth)?)),
        types::LIST => return Ok(Value::List(read_items(rest, depth)?)),
        // Not inside others: nobody would find it there.
        types::STREAM if depth == 0 => return Ok(Value::Stream(StreamReference::read(rest)?)),
        types::INT8 => Value::Int8(integer::read_i8(&mut reader, NAME)?),
        types::INT16 => Value::Int16(integer::read_i16(&mut reader, NAME)?),
        types::INT32 => Value::Int32(integer::read_i32(&mut reader, NAME)?),
        types::INT64 => Value::Int64(integer::read_i64(&mut reader, NAME)?),
        types::BIGINT => Value::BigInt(integer::read(&mut reader, NAME)?),
        types::FLOAT32 => Value::Float32(float::read32(&mut reader, true)?),
        _ => {
            let codec = payload(kind).ok_or_else(|| {
                Error::InvalidBytes(format!(
                    "the bytes start with {kind:02x}, which is not a value type"
                ))
            })?;
            return codec.decode_value(rest);
        }
    };
    reader.finish(NAME)?;
    Ok(value)
}

fn read_items(data: &[u8], depth: usize) -> Result<Vec<Value>> {
    check_depth(depth).map_err(Error::InvalidBytes)?;
    split_items(data, NAME)?
        .into_iter()
        .map(|item| read_value(item, depth + 1))
        .collect()
}

fn check_depth(depth: usize) -> std::result::Result<(), String> {
    if depth < MAX_DEPTH {
        return Ok(());
    }
    Err(format!("tuples and lists nest at most {MAX_DEPTH} deep"))
}

/// The type byte of a stored value, and the codec of its payload.
fn value_type(value: &Value) -> (u8, Codec) {
    match value {
        Value::Null => (types::NULL, Codec::Null),
        Value::Bool(_) => (types::BOOL, Codec::Bool),
        Value::Int(_) => (types::INT, Codec::Int),
        Value::Int8(_) => (types::INT8, Codec::Int8),
        Value::Int16(_) => (types::INT16, Codec::Int16),
        Value::Int32(_) => (types::INT32, Codec::Int32),
        Value::Int64(_) => (types::INT64, Codec::Int64),
        Value::BigInt(_) => (types::BIGINT, Codec::Int),
        Value::Float(_) => (types::FLOAT, Codec::Float),
        Value::Float32(_) => (types::FLOAT32, Codec::Float32),
        Value::Decimal(_) => (types::DECIMAL, Codec::Decimal),
        Value::Str(_) => (types::STR, Codec::Str),
        Value::Bytes(_) => (types::BYTES, Codec::Bytes),
        Value::Date(_) => (types::DATE, Codec::Date),
        Value::Datetime { .. } => (types::DATETIME, Codec::Datetime),
        Value::NaiveDatetime(_) => (types::NAIVE_DATETIME, Codec::NaiveDatetime),
        Value::Time { .. } => (types::TIME, Codec::Time),
        Value::Timedelta(_) => (types::TIMEDELTA, Codec::Timedelta),
        Value::Uuid(_) => (types::UUID, Codec::Uuid),
        Value::Ip(_) => (types::IP, Codec::Ip),
        Value::Geo { .. } => (types::GEO, Codec::Geo),
        Value::Tuple(_) => (types::TUPLE, Codec::Any),
        Value::List(_) => (types::LIST, Codec::Any),
        Value::Stream(_) => (types::STREAM, Codec::Any),
    }
}

/// The codec behind a type byte of keys; the other types are written as one of these.
fn payload(kind: u8) -> Option<Codec> {
    Some(match kind {
        types::NULL => Codec::Null,
        types::BOOL => Codec::Bool,
        types::INT => Codec::Int,
        types::FLOAT => Codec::Float,
        types::DECIMAL => Codec::Decimal,
        types::STR => Codec::Str,
        types::BYTES => Codec::Bytes,
        types::DATE => Codec::Date,
        types::TIME => Codec::Time,
        types::NAIVE_DATETIME => Codec::NaiveDatetime,
        types::DATETIME => Codec::Datetime,
        types::TIMEDELTA => Codec::Timedelta,
        types::UUID => Codec::Uuid,
        types::IP => Codec::Ip,
        types::GEO => Codec::Geo,
        _ => return None,
    })
}
