//! Typed values and codecs as JSON, in the form of section 7 of `docs/formats/codec.md`.
//!
//! Numbers are text, so that no reader rounds them. Also used by the core's own tests, which read
//! `spec/codec.json`.

use std::net::IpAddr;
use std::str::FromStr;

use lexigraph_core::codec::{Codec, Nulls, StreamReference, Timedelta, Value};
use lexigraph_core::{Error, Result};
use serde_json::{json, Value as Json};

const DAY_MICROS: i128 = 86_400_000_000;

/// Reads a codec: a name, `{"tuple": [part, ...]}`, `{"list": part}` or `{"part": part}`.
pub fn codec_from_json(json: &Json) -> Result<Codec> {
    if let Some(name) = json.as_str() {
        return Codec::named(name).ok_or_else(|| refused("there is no codec of this name", json));
    }
    if let Some(parts) = json["tuple"].as_array() {
        return Ok(Codec::Tuple(
            parts.iter().map(part_from_json).collect::<Result<_>>()?,
        ));
    }
    if json["list"].is_object() {
        return Ok(Codec::List(Box::new(part_from_json(&json["list"])?)));
    }
    part_from_json(&json["part"])
}

fn part_from_json(json: &Json) -> Result<Codec> {
    let descending = json["desc"]
        .as_bool()
        .ok_or_else(|| refused("a part says desc", json))?;
    let nulls = match &json["nulls"] {
        Json::Null => None,
        place if place == "first" => Some(Nulls::First),
        place if place == "last" => Some(Nulls::Last),
        _ => return Err(refused("nulls are null, first or last", json)),
    };
    Ok(Codec::part(
        codec_from_json(&json["codec"])?,
        descending,
        nulls,
    ))
}

/// Reads a typed value.
pub fn value_from_json(json: &Json) -> Result<Value> {
    let text = || {
        json["v"]
            .as_str()
            .ok_or_else(|| refused("a value has the text v", json))
    };
    Ok(match json["t"].as_str().unwrap_or_default() {
        "null" => Value::Null,
        "bool" => Value::Bool(
            json["v"]
                .as_bool()
                .ok_or_else(|| refused("no bool", json))?,
        ),
        "int" => Value::Int(text()?.parse()?),
        "int8" => Value::Int8(number(&json["v"])?),
        "int16" => Value::Int16(number(&json["v"])?),
        "int32" => Value::Int32(number(&json["v"])?),
        "int64" => Value::Int64(number(&json["v"])?),
        "bigint" => Value::BigInt(text()?.parse()?),
        "float" => Value::Float(float(&json["v"])?),
        "float32" => Value::Float32(f32::from_be_bytes(array(&json["v"])?)),
        "decimal" => Value::Decimal(text()?.parse()?),
        "str" => Value::Str(text()?.into()),
        "bytes" => Value::Bytes(from_hex(text()?)?),
        "date" => Value::Date(number(&json["v"])?),
        "datetime" => Value::Datetime {
            micros: number(&json["v"])?,
            offset: number(&json["offset"])?,
        },
        "naive_datetime" => Value::NaiveDatetime(number(&json["v"])?),
        "time" => {
            let offset = match &json["offset"] {
                Json::Null => None,
                offset => Some(number(offset)?),
            };
            Value::Time {
                micros: number(&json["v"])?,
                offset,
            }
        }
        "timedelta" => {
            let micros: i128 = number(&json["v"])?;
            let days = i32::try_from(micros.div_euclid(DAY_MICROS));
            Value::Timedelta(Timedelta {
                days: days.map_err(|_| refused("too many days", json))?,
                micros: micros.rem_euclid(DAY_MICROS) as i64,
            })
        }
        "uuid" => Value::Uuid(array(&json["v"])?),
        "ip" => Value::Ip(match array::<4>(&json["v"]) {
            Ok(four) => IpAddr::from(four),
            Err(_) => IpAddr::from(array::<16>(&json["v"])?),
        }),
        "geo" => Value::Geo {
            latitude: float(&json["lat"])?,
            longitude: float(&json["lon"])?,
        },
        "tuple" => Value::Tuple(items(json)?),
        "list" => Value::List(items(json)?),
        "stream" => Value::Stream(StreamReference::read(&from_hex(text()?)?)?),
        _ => return Err(refused("there is no type of this name", json)),
    })
}

/// Writes a typed value.
pub fn value_to_json(value: &Value) -> Json {
    match value {
        Value::Null => json!({"t": "null"}),
        Value::Bool(truth) => json!({"t": "bool", "v": truth}),
        Value::Int(number) => json!({"t": "int", "v": number.to_string()}),
        Value::Int8(number) => json!({"t": "int8", "v": number.to_string()}),
        Value::Int16(number) => json!({"t": "int16", "v": number.to_string()}),
        Value::Int32(number) => json!({"t": "int32", "v": number.to_string()}),
        Value::Int64(number) => json!({"t": "int64", "v": number.to_string()}),
        Value::BigInt(number) => json!({"t": "bigint", "v": number.to_string()}),
        Value::Float(number) => json!({"t": "float", "v": to_hex(&number.to_be_bytes())}),
        Value::Float32(number) => json!({"t": "float32", "v": to_hex(&number.to_be_bytes())}),
        Value::Decimal(number) => json!({"t": "decimal", "v": number.to_string()}),
        Value::Str(text) => json!({"t": "str", "v": text}),
        Value::Bytes(bytes) => json!({"t": "bytes", "v": to_hex(bytes)}),
        Value::Date(days) => json!({"t": "date", "v": days.to_string()}),
        Value::Datetime { micros, offset } => {
            json!({"t": "datetime", "v": micros.to_string(), "offset": offset.to_string()})
        }
        Value::NaiveDatetime(micros) => json!({"t": "naive_datetime", "v": micros.to_string()}),
        Value::Time { micros, offset } => {
            let offset = offset.map(|offset| offset.to_string());
            json!({"t": "time", "v": micros.to_string(), "offset": offset})
        }
        Value::Timedelta(span) => {
            let micros = i128::from(span.days) * DAY_MICROS + i128::from(span.micros);
            json!({"t": "timedelta", "v": micros.to_string()})
        }
        Value::Uuid(bytes) => json!({"t": "uuid", "v": to_hex(bytes)}),
        Value::Ip(IpAddr::V4(four)) => json!({"t": "ip", "v": to_hex(&four.octets())}),
        Value::Ip(IpAddr::V6(six)) => json!({"t": "ip", "v": to_hex(&six.octets())}),
        Value::Geo {
            latitude,
            longitude,
        } => json!({
            "t": "geo", "lat": to_hex(&latitude.to_be_bytes()), "lon": to_hex(&longitude.to_be_bytes())
        }),
        Value::Tuple(items) => {
            json!({"t": "tuple", "v": items.iter().map(value_to_json).collect::<Vec<_>>()})
        }
        Value::List(items) => {
            json!({"t": "list", "v": items.iter().map(value_to_json).collect::<Vec<_>>()})
        }
        Value::Stream(reference) => json!({"t": "stream", "v": to_hex(reference.bytes())}),
    }
}

/// Reads hex digits.
pub fn from_hex(text: &str) -> Result<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let pair = |pair: &[u8]| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    };
    let bytes: Option<Vec<u8>> = text.as_bytes().chunks(2).map(pair).collect();
    bytes.ok_or_else(|| Error::InvalidValue("the text is not hex".into()))
}

/// Writes hex digits.
pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn items(json: &Json) -> Result<Vec<Value>> {
    let items = json["v"]
        .as_array()
        .ok_or_else(|| refused("v is not a list", json))?;
    items.iter().map(value_from_json).collect()
}

fn number<N: FromStr>(json: &Json) -> Result<N> {
    let text = json
        .as_str()
        .ok_or_else(|| refused("a number is text", json))?;
    text.parse()
        .map_err(|_| refused("the number does not fit", json))
}

fn float(json: &Json) -> Result<f64> {
    Ok(f64::from_be_bytes(array(json)?))
}

fn array<const N: usize>(json: &Json) -> Result<[u8; N]> {
    let bytes = from_hex(json.as_str().unwrap_or_default())?;
    bytes
        .try_into()
        .map_err(|_| refused("there are not enough or too many hex digits", json))
}

fn refused(problem: &str, json: &Json) -> Error {
    let text: String = json.to_string().chars().take(80).collect();
    Error::InvalidValue(format!("{problem}: {text}"))
}
