//! What a codec is: the description of one type's bytes.
//!
//! Plain data, so that a plan can hold it and threads can share it. `encode.rs` and `decode.rs`
//! follow it; a new codec is a new case here and one in each of them.

/// Where null stands among the values of a nullable part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nulls {
    First,
    Last,
}

/// Order-preserving bytes for one type.
///
/// ```
/// use lexigraph_core::codec::{Codec, Value};
/// let mut key = Vec::new();
/// Codec::Int.encode_key(&Value::int(256), &mut key).unwrap();
/// assert_eq!(key, [0x82, 1, 0]);
/// assert_eq!(Codec::Int.decode_key(&key).unwrap(), Value::int(256));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Codec {
    Null,
    Bool,
    Int8,
    Int16,
    Int32,
    Int64,
    Int,
    Float,
    Float32,
    Decimal,
    Str,
    Bytes,
    Date,
    Datetime,
    NaiveDatetime,
    Time,
    Timedelta,
    Uuid,
    Ip,
    Geo,
    Any,
    Tuple(Vec<Codec>),
    List(Box<Codec>),
    Descending(Box<Codec>),
    Nullable(Box<Codec>, Nulls),
}

/// The codecs that are not made from codecs.
const PLAIN: [Codec; 21] = [
    Codec::Null,
    Codec::Bool,
    Codec::Int8,
    Codec::Int16,
    Codec::Int32,
    Codec::Int64,
    Codec::Int,
    Codec::Float,
    Codec::Float32,
    Codec::Decimal,
    Codec::Str,
    Codec::Bytes,
    Codec::Date,
    Codec::Datetime,
    Codec::NaiveDatetime,
    Codec::Time,
    Codec::Timedelta,
    Codec::Uuid,
    Codec::Ip,
    Codec::Geo,
    Codec::Any,
];

impl Codec {
    /// Finds a codec by its name.
    pub fn named(name: &str) -> Option<Codec> {
        PLAIN.into_iter().find(|codec| codec.name() == name)
    }

    /// Makes a part of a key plan. Where nulls stand is said for the finished bytes: first means
    /// first, also when descending.
    pub fn part(codec: Codec, descending: bool, nulls: Option<Nulls>) -> Codec {
        let ordered = if descending {
            Codec::Descending(Box::new(codec))
        } else {
            codec
        };
        match nulls {
            Some(place) => Codec::Nullable(Box::new(ordered), place),
            None => ordered,
        }
    }

    /// The name, or for a codec made from codecs the word for how it is made.
    pub fn name(&self) -> &'static str {
        match self {
            Codec::Null => "null",
            Codec::Bool => "bool",
            Codec::Int8 => "int8",
            Codec::Int16 => "int16",
            Codec::Int32 => "int32",
            Codec::Int64 => "int64",
            Codec::Int => "int",
            Codec::Float => "float",
            Codec::Float32 => "float32",
            Codec::Decimal => "decimal",
            Codec::Str => "str",
            Codec::Bytes => "bytes",
            Codec::Date => "date",
            Codec::Datetime => "datetime",
            Codec::NaiveDatetime => "naive_datetime",
            Codec::Time => "time",
            Codec::Timedelta => "timedelta",
            Codec::Uuid => "uuid",
            Codec::Ip => "ip",
            Codec::Geo => "geo",
            Codec::Any => "any",
            Codec::Tuple(_) => "tuple",
            Codec::List(_) => "list",
            Codec::Descending(_) => "descending",
            Codec::Nullable(..) => "nullable",
        }
    }

    /// The length of every key, if all keys have one.
    pub fn width(&self) -> Option<usize> {
        match self {
            Codec::Null => Some(0),
            Codec::Bool | Codec::Int8 => Some(1),
            Codec::Int16 => Some(2),
            Codec::Int32 | Codec::Float32 | Codec::Date => Some(4),
            Codec::Int64 | Codec::Float | Codec::Datetime | Codec::NaiveDatetime => Some(8),
            Codec::Time | Codec::Timedelta => Some(9),
            Codec::Uuid | Codec::Geo => Some(16),
            Codec::Tuple(parts) => parts
                .iter()
                .try_fold(0usize, |sum, part| sum.checked_add(part.width()?)),
            Codec::Descending(inner) => inner.width(),
            _ => None,
        }
    }
}
