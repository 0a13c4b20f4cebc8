//! Writing: which function writes which codec, in key, part and value form.
//!
//! Bytes are appended to the caller's buffer, so that a key of many parts costs one allocation.
//! When a value is refused the buffer is left as it was.

use std::net::IpAddr;

use super::escape::escape;
use super::{any, composite, decimal, float, geo, integer, temporal, Codec, Value};
use crate::{Error, Result};

impl Codec {
    /// Appends the key bytes: ordered and canonical.
    pub fn encode_key(&self, value: &Value, out: &mut Vec<u8>) -> Result<()> {
        match (self, value) {
            (Codec::Str, Value::Str(text)) => out.extend_from_slice(text.as_bytes()),
            (Codec::Bytes, Value::Bytes(bytes)) => out.extend_from_slice(bytes),
            _ => return self.encode_part(value, out),
        }
        Ok(())
    }

    /// Appends the bytes inside a longer key: prefix-free, in the same order.
    pub fn encode_part(&self, value: &Value, out: &mut Vec<u8>) -> Result<()> {
        let start = out.len();
        write_part(self, value, out).inspect_err(|_| out.truncate(start))
    }

    /// Appends the bytes to store as a value: faithful, not ordered.
    pub fn encode_value(&self, value: &Value, out: &mut Vec<u8>) -> Result<()> {
        let start = out.len();
        write_value(self, value, out).inspect_err(|_| out.truncate(start))
    }
}

pub(crate) fn write_part(codec: &Codec, value: &Value, out: &mut Vec<u8>) -> Result<()> {
    match (codec, value) {
        (Codec::Null, Value::Null) => Ok(()),
        (Codec::Bool, Value::Bool(truth)) => {
            out.push(u8::from(*truth));
            Ok(())
        }
        (Codec::Int8 | Codec::Int16 | Codec::Int32 | Codec::Int64, _) => {
            write_fixed(codec, value, out)
        }
        (Codec::Int, Value::Int(number) | Value::BigInt(number)) => integer::write(number, out),
        (Codec::Int, _) => {
            integer::write_small(
                value.small_integer().ok_or_else(|| wrong(codec, value))?,
                out,
            );
            Ok(())
        }
        (Codec::Float, Value::Float(_) | Value::Float32(_)) => {
            let bits = float::key_bits(value.float().unwrap_or_default());
            out.extend_from_slice(&bits.to_be_bytes());
            Ok(())
        }
        (Codec::Float32, Value::Float(_) | Value::Float32(_)) => {
            float::write32(value.float().unwrap_or_default(), false, out)
        }
        (Codec::Decimal, Value::Decimal(number)) => decimal::write_key(number, out),
        (Codec::Str, Value::Str(text)) => {
            write_terminated(text.as_bytes(), out);
            Ok(())
        }
        (Codec::Bytes, Value::Bytes(bytes)) => {
            write_terminated(bytes, out);
            Ok(())
        }
        (Codec::Date, Value::Date(days)) => temporal::write_date(*days, out),
        (Codec::Datetime, Value::Datetime { micros, offset }) => {
            temporal::write_moment(*micros, *offset, out)
        }
        (Codec::NaiveDatetime, Value::NaiveDatetime(micros)) => {
            temporal::write_moment(*micros, 0, out)
        }
        (Codec::Time, Value::Time { micros, offset }) => {
            temporal::write_time_key(*micros, *offset, out)
        }
        (Codec::Timedelta, Value::Timedelta(span)) => temporal::write_timedelta(*span, out),
        (Codec::Uuid, Value::Uuid(bytes)) => {
            out.extend_from_slice(bytes);
            Ok(())
        }
        (Codec::Ip, Value::Ip(address)) => {
            write_ip(address, out);
            Ok(())
        }
        (
            Codec::Geo,
            Value::Geo {
                latitude,
                longitude,
            },
        ) => geo::write_key(*latitude, *longitude, out),
        (Codec::Any, _) => any::write_key(value, 0, out),
        (Codec::Tuple(parts), _) => composite::write_tuple_part(parts, value, out),
        (Codec::List(item), _) => composite::write_list_part(item, value, out),
        (Codec::Descending(inner), _) => composite::write_descending(inner, value, out),
        (Codec::Nullable(inner, nulls), _) => {
            composite::write_nullable_part(inner, *nulls, value, out)
        }
        _ => Err(wrong(codec, value)),
    }
}

pub(crate) fn write_value(codec: &Codec, value: &Value, out: &mut Vec<u8>) -> Result<()> {
    match (codec, value) {
        (Codec::Float, Value::Float(_) | Value::Float32(_)) => {
            let bits = float::value_bits(value.float().unwrap_or_default());
            out.extend_from_slice(&bits.to_be_bytes());
            Ok(())
        }
        (Codec::Float32, Value::Float(_) | Value::Float32(_)) => {
            float::write32(value.float().unwrap_or_default(), true, out)
        }
        (Codec::Decimal, Value::Decimal(number)) => decimal::write_value(number, out),
        (Codec::Str, Value::Str(text)) => {
            out.extend_from_slice(text.as_bytes());
            Ok(())
        }
        (Codec::Bytes, Value::Bytes(bytes)) => {
            out.extend_from_slice(bytes);
            Ok(())
        }
        (Codec::Datetime, Value::Datetime { micros, offset }) => {
            temporal::write_moment(*micros, *offset, out)?;
            integer::write_small(*offset, out);
            Ok(())
        }
        (Codec::Time, Value::Time { micros, offset }) => {
            temporal::write_time_value(*micros, *offset, out)
        }
        (
            Codec::Geo,
            Value::Geo {
                latitude,
                longitude,
            },
        ) => geo::write_value(*latitude, *longitude, out),
        (Codec::Any, _) => any::write_value(value, 0, out),
        (Codec::Tuple(parts), _) => composite::write_tuple_value(parts, value, out),
        (Codec::List(item), _) => composite::write_list_value(item, value, out),
        (Codec::Descending(inner), _) => write_value(inner, value, out),
        (Codec::Nullable(inner, _), _) => composite::write_nullable_value(inner, value, out),
        _ => write_part(codec, value, out),
    }
}

pub(crate) fn wrong(codec: &Codec, value: &Value) -> Error {
    Error::InvalidValue(format!(
        "codec '{}' does not hold this {}",
        codec.name(),
        value.kind()
    ))
}

fn write_fixed(codec: &Codec, value: &Value, out: &mut Vec<u8>) -> Result<()> {
    let refused = || wrong(codec, value);
    let number = value.small_integer().ok_or_else(refused)?;
    match codec {
        Codec::Int8 => {
            let narrow = i8::try_from(number).map_err(|_| refused())?;
            out.extend_from_slice(&(narrow ^ i8::MIN).to_be_bytes());
        }
        Codec::Int16 => {
            let narrow = i16::try_from(number).map_err(|_| refused())?;
            out.extend_from_slice(&(narrow ^ i16::MIN).to_be_bytes());
        }
        Codec::Int32 => integer::write_i32(i32::try_from(number).map_err(|_| refused())?, out),
        _ => integer::write_i64(number, out),
    }
    Ok(())
}

fn write_terminated(bytes: &[u8], out: &mut Vec<u8>) {
    escape(bytes, out);
    out.push(0);
}

fn write_ip(address: &IpAddr, out: &mut Vec<u8>) {
    match address {
        IpAddr::V4(four) => {
            out.push(4);
            out.extend_from_slice(&four.octets());
        }
        IpAddr::V6(six) => {
            out.push(6);
            out.extend_from_slice(&six.octets());
        }
    }
}
