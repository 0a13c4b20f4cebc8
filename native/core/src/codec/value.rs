//! The values that codecs hold.
//!
//! Dates are days, moments are microseconds since 1970-01-01: the core knows no calendar types.
//! A value may lie outside what its codec holds (a date past the year 9999); encoding refuses it.

use std::net::IpAddr;

use super::stream::StreamReference;
use super::{Decimal, Integer};

/// One typed value. The widths of numbers matter to `any` only; every other codec takes each
/// integer or float that fits.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    Int(Integer),
    Int8(i8),
    Int16(i16),
    Int32(i32),
    Int64(i64),
    /// An integer that is to be stored as one of any size, whatever its size.
    BigInt(Integer),
    Float(f64),
    Float32(f32),
    Decimal(Decimal),
    Str(String),
    Bytes(Vec<u8>),
    /// Days since 1970-01-01.
    Date(i32),
    /// Microseconds since 1970-01-01T00:00Z, and the UTC offset in microseconds.
    Datetime {
        micros: i64,
        offset: i64,
    },
    /// Microseconds since 1970-01-01T00:00 on its own clock.
    NaiveDatetime(i64),
    /// Microseconds since local midnight, and the UTC offset in microseconds.
    Time {
        micros: i64,
        offset: Option<i64>,
    },
    Timedelta(Timedelta),
    Uuid([u8; 16]),
    Ip(IpAddr),
    /// Degrees.
    Geo {
        latitude: f64,
        longitude: f64,
    },
    Tuple(Vec<Value>),
    List(Vec<Value>),
    /// Where a streaming value is, and its size; never part of a key.
    Stream(StreamReference),
}

/// A span of time: whole days (rounded down), then microseconds within the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timedelta {
    pub days: i32,
    pub micros: i64,
}

impl Value {
    /// Makes an `int` of any size from a machine integer.
    pub fn int(value: i64) -> Value {
        Value::Int(Integer::from(value))
    }

    /// The word for the value's type, for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "bool",
            Value::Int(_) => "int",
            Value::Int8(_) => "int8",
            Value::Int16(_) => "int16",
            Value::Int32(_) => "int32",
            Value::Int64(_) => "int64",
            Value::BigInt(_) => "bigint",
            Value::Float(_) => "float",
            Value::Float32(_) => "float32",
            Value::Decimal(_) => "decimal",
            Value::Str(_) => "str",
            Value::Bytes(_) => "bytes",
            Value::Date(_) => "date",
            Value::Datetime { .. } => "datetime",
            Value::NaiveDatetime(_) => "naive_datetime",
            Value::Time { .. } => "time",
            Value::Timedelta(_) => "timedelta",
            Value::Uuid(_) => "uuid",
            Value::Ip(_) => "ip",
            Value::Geo { .. } => "geo",
            Value::Tuple(_) => "tuple",
            Value::List(_) => "list",
            Value::Stream(_) => "stream",
        }
    }

    /// The integer, whatever its width.
    pub(crate) fn integer(&self) -> Option<Integer> {
        match self {
            Value::Int(number) | Value::BigInt(number) => Some(number.clone()),
            _ => self.small_integer().map(Integer::from),
        }
    }

    /// The integer, if it has 64 bits at most.
    pub(crate) fn small_integer(&self) -> Option<i64> {
        match self {
            Value::Int(number) | Value::BigInt(number) => number.to_i64(),
            Value::Int8(number) => Some(i64::from(*number)),
            Value::Int16(number) => Some(i64::from(*number)),
            Value::Int32(number) => Some(i64::from(*number)),
            Value::Int64(number) => Some(*number),
            _ => None,
        }
    }

    /// The float, whatever its width.
    pub(crate) fn float(&self) -> Option<f64> {
        match self {
            Value::Float(number) => Some(*number),
            Value::Float32(number) => Some(f64::from(*number)),
            _ => None,
        }
    }
}
