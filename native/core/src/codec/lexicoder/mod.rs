//! Accumulo's sixteen lexicoders, byte for byte, for tables shared with Java programs.
//!
//! The bytes are fixed by Accumulo, also where ours differ: UUIDs in signed order, -0.0 before
//! 0.0. Decoders are stricter than Java's: they accept only what an encoder writes.

mod number;

use super::escape::{complement_from, escape, unescape};
use super::{Codec, Value};
use crate::{Error, Result};

/// One of Accumulo's encodings.
///
/// ```
/// use lexigraph_core::codec::{lexicoder::Lexicoder, Value};
/// let reversed = Lexicoder::Reverse(Box::new(Lexicoder::String));
/// let mut out = Vec::new();
/// reversed.encode(&Value::Str("a".into()), &mut out).unwrap();
/// assert_eq!(out, [0x9e, 0xff]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lexicoder {
    /// Takes negative numbers as Java's two's complement, gives unsigned ones.
    ULong,
    UInteger,
    Long,
    Integer,
    /// Takes datetimes or epoch milliseconds, gives milliseconds: Java's dates reach further.
    Date,
    Double,
    Float,
    BigInteger,
    String,
    Text,
    Bytes,
    Uuid,
    List(Box<Lexicoder>),
    Sequence(Box<Lexicoder>),
    Pair(Box<Lexicoder>, Box<Lexicoder>),
    Reverse(Box<Lexicoder>),
}

/// The top bits of both halves of a UUID: Java compares them as signed numbers.
const UUID_SIGNS: u128 = 1 << 127 | 1 << 63;

impl Lexicoder {
    /// Appends the bytes that the Java class writes.
    pub fn encode(&self, value: &Value, out: &mut Vec<u8>) -> Result<()> {
        let start = out.len();
        self.write(value, out).inspect_err(|_| out.truncate(start))
    }

    /// Reads bytes that an encoder wrote.
    pub fn decode(&self, data: &[u8]) -> Result<Value> {
        match self {
            Lexicoder::String | Lexicoder::Text => Codec::Str.decode_key(data),
            Lexicoder::Bytes => Codec::Bytes.decode_key(data),
            Lexicoder::Uuid => {
                let bytes = <[u8; 16]>::try_from(data).map_err(|_| foreign("Uuid"))?;
                Ok(Value::Uuid(
                    (u128::from_be_bytes(bytes) ^ UUID_SIGNS).to_be_bytes(),
                ))
            }
            Lexicoder::List(item) => Ok(Value::List(decode_fields(
                item,
                data.split(|&byte| byte == 0),
            )?)),
            Lexicoder::Sequence(item) => match data.split_last() {
                None => Ok(Value::List(Vec::new())),
                Some((0, fields)) => Ok(Value::List(decode_fields(
                    item,
                    fields.split(|&byte| byte == 0),
                )?)),
                Some(_) => Err(Error::InvalidBytes("SequenceLexicoder ends with 00".into())),
            },
            Lexicoder::Pair(first, second) => {
                let fields: Vec<&[u8]> = data.splitn(3, |&byte| byte == 0).collect();
                let [one, other] = fields.as_slice() else {
                    return Err(Error::InvalidBytes("PairLexicoder reads 2 fields".into()));
                };
                let pair = [
                    first.decode(&unescape(one)?)?,
                    second.decode(&unescape(other)?)?,
                ];
                Ok(Value::Tuple(pair.into()))
            }
            Lexicoder::Reverse(inner) => {
                let Some((0xff, escaped)) = data.split_last() else {
                    return Err(Error::InvalidBytes("ReverseLexicoder ends with ff".into()));
                };
                let mut plain = escaped.to_vec();
                complement_from(&mut plain, 0);
                inner.decode(&unescape(&plain)?)
            }
            number => number::decode(number, data),
        }
    }

    fn write(&self, value: &Value, out: &mut Vec<u8>) -> Result<()> {
        match (self, value) {
            (Lexicoder::String | Lexicoder::Text, Value::Str(text)) => {
                out.extend_from_slice(text.as_bytes());
            }
            (Lexicoder::Bytes, Value::Bytes(bytes)) => out.extend_from_slice(bytes),
            (Lexicoder::Uuid, Value::Uuid(bytes)) => {
                let flipped = u128::from_be_bytes(*bytes) ^ UUID_SIGNS;
                out.extend_from_slice(&flipped.to_be_bytes());
            }
            (Lexicoder::List(item), Value::List(items) | Value::Tuple(items)) => {
                let Some((first, rest)) = items.split_first() else {
                    return Err(Error::InvalidValue(
                        "ListLexicoder cannot hold an empty list; SequenceLexicoder can".into(),
                    ));
                };
                item.write_escaped(first, out)?;
                for one in rest {
                    out.push(0);
                    item.write_escaped(one, out)?;
                }
            }
            (Lexicoder::Sequence(item), Value::List(items) | Value::Tuple(items)) => {
                for one in items {
                    item.write_escaped(one, out)?;
                    out.push(0);
                }
            }
            (Lexicoder::Pair(first, second), Value::Tuple(items) | Value::List(items)) => {
                let [one, other] = items.as_slice() else {
                    return Err(number::wrong(self, value));
                };
                first.write_escaped(one, out)?;
                out.push(0);
                second.write_escaped(other, out)?;
            }
            (Lexicoder::Reverse(inner), _) => {
                let start = out.len();
                inner.write_escaped(value, out)?;
                out.push(0);
                complement_from(out, start);
            }
            _ => return number::write(self, value, out),
        }
        Ok(())
    }

    fn write_escaped(&self, value: &Value, out: &mut Vec<u8>) -> Result<()> {
        let mut plain = Vec::new();
        self.write(value, &mut plain)?;
        escape(&plain, out);
        Ok(())
    }
}

fn decode_fields<'a>(
    item: &Lexicoder,
    fields: impl Iterator<Item = &'a [u8]>,
) -> Result<Vec<Value>> {
    fields.map(|field| item.decode(&unescape(field)?)).collect()
}

fn foreign(name: &str) -> Error {
    Error::InvalidBytes(format!("these bytes are not a value of {name}Lexicoder"))
}
