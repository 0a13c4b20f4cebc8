//! Reading: which function reads which codec, in key, part and value form.
//!
//! Strict in all forms: what an encoder does not write is refused, also bytes left over.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::reader::Reader;
use super::{any, composite, decimal, float, geo, integer, temporal, Codec, Value};
use crate::{Error, Result};

impl Codec {
    /// Reads key bytes that take up all of `data`.
    pub fn decode_key(&self, data: &[u8]) -> Result<Value> {
        match self {
            Codec::Str => text(data.to_vec()),
            Codec::Bytes => Ok(Value::Bytes(data.to_vec())),
            _ => whole(self.name(), data, |reader| read_part(self, reader)),
        }
    }

    /// Reads one part from `offset`; gives the value and the offset after it.
    pub fn decode_part(&self, data: &[u8], offset: usize) -> Result<(Value, usize)> {
        if offset > data.len() {
            return Err(Error::InvalidBytes(format!(
                "byte {offset} lies outside the {} bytes given",
                data.len()
            )));
        }
        let mut reader = Reader::new(data, offset);
        let value = read_part(self, &mut reader)?;
        Ok((value, reader.position()))
    }

    /// Reads stored value bytes that take up all of `data`.
    pub fn decode_value(&self, data: &[u8]) -> Result<Value> {
        let name = self.name();
        match self {
            Codec::Float => whole(name, data, |reader| {
                let bits = u64::from_be_bytes(reader.array(name)?);
                Ok(Value::Float(float::from_value_bits(bits, name)?))
            }),
            Codec::Float32 => whole(name, data, |reader| {
                Ok(Value::Float(f64::from(float::read32(reader, true)?)))
            }),
            Codec::Decimal => whole(name, data, |reader| {
                Ok(Value::Decimal(decimal::read_value(reader)?))
            }),
            Codec::Datetime => whole(name, data, temporal::read_datetime_value),
            Codec::Time => whole(name, data, temporal::read_time_value),
            Codec::Geo => whole(name, data, geo::read_value),
            Codec::Any => any::read_value(data, 0),
            Codec::Tuple(parts) => composite::read_tuple_value(parts, data),
            Codec::List(item) => composite::read_list_value(item, data),
            Codec::Descending(inner) => inner.decode_value(data),
            Codec::Nullable(inner, _) => composite::read_nullable_value(inner, data),
            _ => self.decode_key(data),
        }
    }
}

pub(crate) fn read_part(codec: &Codec, reader: &mut Reader<'_>) -> Result<Value> {
    let name = codec.name();
    Ok(match codec {
        Codec::Null => Value::Null,
        Codec::Bool => match reader.byte(name)? {
            0 => Value::Bool(false),
            1 => Value::Bool(true),
            _ => {
                return Err(Error::InvalidBytes(
                    "codec 'bool' reads one byte, 00 or 01".into(),
                ))
            }
        },
        Codec::Int8 => Value::int(integer::read_i8(reader, name)?.into()),
        Codec::Int16 => Value::int(integer::read_i16(reader, name)?.into()),
        Codec::Int32 => Value::int(integer::read_i32(reader, name)?.into()),
        Codec::Int64 => Value::int(integer::read_i64(reader, name)?),
        Codec::Int => Value::Int(integer::read(reader, name)?),
        Codec::Float => {
            let bits = u64::from_be_bytes(reader.array(name)?);
            Value::Float(float::from_key_bits(bits, name)?)
        }
        Codec::Float32 => Value::Float(float::read32(reader, false)?.into()),
        Codec::Decimal => Value::Decimal(decimal::read_key(reader)?),
        Codec::Str => text(reader.terminated(name)?)?,
        Codec::Bytes => Value::Bytes(reader.terminated(name)?),
        Codec::Date => temporal::read_date(reader)?,
        Codec::Datetime => Value::Datetime {
            micros: temporal::read_moment(reader, name)?,
            offset: 0,
        },
        Codec::NaiveDatetime => Value::NaiveDatetime(temporal::read_moment(reader, name)?),
        Codec::Time => temporal::read_time_key(reader)?,
        Codec::Timedelta => temporal::read_timedelta(reader)?,
        Codec::Uuid => Value::Uuid(reader.array(name)?),
        Codec::Ip => Value::Ip(read_ip(reader)?),
        Codec::Geo => geo::read_key(reader)?,
        Codec::Any => any::read_key(reader, 0)?,
        Codec::Tuple(parts) => composite::read_tuple_part(parts, reader)?,
        Codec::List(item) => composite::read_list_part(item, reader)?,
        Codec::Descending(inner) => composite::read_descending(inner, reader)?,
        Codec::Nullable(inner, nulls) => composite::read_nullable_part(inner, *nulls, reader)?,
    })
}

fn whole<'a>(
    name: &str,
    data: &'a [u8],
    read: impl FnOnce(&mut Reader<'a>) -> Result<Value>,
) -> Result<Value> {
    let mut reader = Reader::new(data, 0);
    let value = read(&mut reader)?;
    reader.finish(name)?;
    Ok(value)
}

fn text(bytes: Vec<u8>) -> Result<Value> {
    String::from_utf8(bytes).map(Value::Str).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Error::InvalidBytes(format!("byte {at} of the text is not UTF-8"))
    })
}

fn read_ip(reader: &mut Reader<'_>) -> Result<IpAddr> {
    match reader.byte("ip")? {
        4 => Ok(IpAddr::V4(Ipv4Addr::from(reader.array::<4>("ip")?))),
        6 => Ok(IpAddr::V6(Ipv6Addr::from(reader.array::<16>("ip")?))),
        other => Err(Error::InvalidBytes(format!(
            "codec 'ip' starts with 04 or 06, not {other:02x}"
        ))),
    }
}
