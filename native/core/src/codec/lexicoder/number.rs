//! Accumulo's lexicoders of numbers and dates.
//!
//! All but BigInteger are unsigned numbers of 4 or 8 bytes: the first byte holds the length, small
//! numbers drop leading 00 bytes, those with the top bit set leading ff bytes.

use num_bigint::BigInt;

use super::{foreign, Lexicoder};
use crate::codec::{Integer, Value};
use crate::{Error, Result};

const TOP64: u64 = 1 << 63;
const TOP32: u32 = 1 << 31;
const MILLI_MICROS: i64 = 1000;

pub(super) fn write(lexicoder: &Lexicoder, value: &Value, out: &mut Vec<u8>) -> Result<()> {
    let refused = || wrong(lexicoder, value);
    match lexicoder {
        Lexicoder::ULong => {
            let number = value.integer().ok_or_else(refused)?.to_bigint();
            let signed = i64::try_from(&number).map(|signed| signed as u64);
            write_long(
                signed
                    .or_else(|_| u64::try_from(&number))
                    .map_err(|_| refused())?,
                out,
            );
        }
        Lexicoder::UInteger => {
            let number = value.small_integer().ok_or_else(refused)?;
            let signed = i32::try_from(number).map(|signed| signed as u32);
            write_integer(
                signed
                    .or_else(|_| u32::try_from(number))
                    .map_err(|_| refused())?,
                out,
            );
        }
        Lexicoder::Long => {
            write_long(
                value.small_integer().ok_or_else(refused)? as u64 ^ TOP64,
                out,
            );
        }
        Lexicoder::Integer => {
            let number = value.small_integer().ok_or_else(refused)?;
            write_integer(
                i32::try_from(number).map_err(|_| refused())? as u32 ^ TOP32,
                out,
            );
        }
        Lexicoder::Date => {
            let millis = match value {
                Value::Datetime { micros, .. } if micros % MILLI_MICROS == 0 => {
                    micros / MILLI_MICROS
                }
                _ => value.small_integer().ok_or_else(refused)?,
            };
            write_long(millis as u64 ^ TOP64, out);
        }
        Lexicoder::Double => {
            let bits = value.float().ok_or_else(refused)?.to_bits();
            write_long(bits ^ if bits & TOP64 == 0 { TOP64 } else { u64::MAX }, out);
        }
        Lexicoder::Float => {
            let number = value.float().ok_or_else(refused)?;
            let narrow = number as f32;
            if narrow.is_infinite() && number.is_finite() {
                return Err(refused());
            }
            let bits = narrow.to_bits();
            write_integer(bits ^ if bits & TOP32 == 0 { TOP32 } else { u32::MAX }, out);
        }
        Lexicoder::BigInteger => {
            let number = value.integer().ok_or_else(refused)?.to_bigint();
            write_big(&number, out).ok_or_else(refused)?;
        }
        _ => return Err(refused()),
    }
    Ok(())
}

pub(super) fn decode(lexicoder: &Lexicoder, data: &[u8]) -> Result<Value> {
    let value = match lexicoder {
        Lexicoder::ULong => {
            read_long(data).map(|number| Value::Int(Integer::from(BigInt::from(number))))
        }
        Lexicoder::UInteger => read_integer(data).map(|number| Value::int(number.into())),
        Lexicoder::Long | Lexicoder::Date => {
            read_long(data).map(|number| Value::int((number ^ TOP64) as i64))
        }
        Lexicoder::Integer => {
            read_integer(data).map(|number| Value::int(((number ^ TOP32) as i32).into()))
        }
        Lexicoder::Double => read_long(data).map(|ordered| {
            let flip = if ordered & TOP64 == 0 {
                u64::MAX
            } else {
                TOP64
            };
            Value::Float(f64::from_bits(ordered ^ flip))
        }),
        Lexicoder::Float => read_integer(data).map(|ordered| {
            let flip = if ordered & TOP32 == 0 {
                u32::MAX
            } else {
                TOP32
            };
            Value::Float32(f32::from_bits(ordered ^ flip))
        }),
        Lexicoder::BigInteger => read_big(data).map(|number| Value::Int(Integer::from(number))),
        _ => None,
    };
    value.ok_or_else(|| foreign(&format!("{lexicoder:?}")))
}

pub(super) fn wrong(lexicoder: &Lexicoder, value: &Value) -> Error {
    Error::InvalidValue(format!(
        "{lexicoder:?}Lexicoder does not hold this {}",
        value.kind()
    ))
}

fn write_long(number: u64, out: &mut Vec<u8>) {
    write_shortened(&number.to_be_bytes(), out);
}

fn write_integer(number: u32, out: &mut Vec<u8>) {
    write_shortened(&number.to_be_bytes(), out);
}

fn write_shortened(bytes: &[u8], out: &mut Vec<u8>) {
    let high = bytes.first().is_some_and(|&byte| byte >= 0x80);
    let filler = if high { 0xff } else { 0 };
    let dropped = bytes.iter().take_while(|&&byte| byte == filler).count();
    let length = bytes.len() - dropped;
    out.push(if high {
        2 * bytes.len() - length
    } else {
        length
    } as u8);
    out.extend(bytes.iter().skip(dropped));
}

fn read_long(data: &[u8]) -> Option<u64> {
    read_shortened::<8>(data).map(u64::from_be_bytes)
}

fn read_integer(data: &[u8]) -> Option<u32> {
    read_shortened::<4>(data).map(u32::from_be_bytes)
}

fn read_shortened<const N: usize>(data: &[u8]) -> Option<[u8; N]> {
    let (&head, rest) = data.split_first()?;
    let mut bytes = if usize::from(head) > N {
        [0xff; N]
    } else {
        [0; N]
    };
    let start = N.checked_sub(rest.len())?;
    bytes.get_mut(start..)?.copy_from_slice(rest);
    // Wrong lengths, and longer forms than needed, show when the number is written again.
    let mut again = Vec::with_capacity(N + 1);
    write_shortened(&bytes, &mut again);
    (again == data).then_some(bytes)
}

fn write_big(number: &BigInt, out: &mut Vec<u8>) -> Option<()> {
    let mut body = number.to_signed_bytes_be();
    let size = i32::try_from(body.len()).ok()?;
    let first = body.first_mut()?;
    let head = if *first >= 0x80 { -size } else { size };
    *first ^= 0x80;
    out.extend_from_slice(&(head ^ i32::MIN).to_be_bytes());
    out.extend_from_slice(&body);
    Some(())
}

fn read_big(data: &[u8]) -> Option<BigInt> {
    let mut body = data.get(4..)?.to_vec();
    *body.first_mut()? ^= 0x80;
    let number = BigInt::from_signed_bytes_be(&body);
    let mut again = Vec::with_capacity(data.len());
    write_big(&number, &mut again)?;
    (again == data).then_some(number)
}
