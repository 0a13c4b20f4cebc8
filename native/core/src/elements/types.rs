//! What the values of a column are, by name.

use crate::{Error, Result};

/// Far more than there are digits.
const MOST_SCALE: i32 = 1_000;

/// What the values of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    Str,
    Bytes,
    /// 64 bits, with a sign.
    Int,
    /// 64 bits.
    Float,
    /// One bit each.
    Bool,
    /// Days since 1970 in 64 bits.
    Date,
    /// Microseconds since 1970 in UTC.
    Datetime,
    /// Microseconds since 1970 on a clock of its own.
    NaiveDatetime,
    /// Microseconds since midnight.
    Time,
    /// Microseconds.
    Timedelta,
    /// Whole numbers of so many bytes, to be divided by 10^scale.
    Decimal {
        bytes: usize,
        scale: i32,
    },
    /// 16 bytes.
    Uuid,
    /// Entries of another column, with or without numbers that belong to them.
    List,
}

impl Type {
    /// Finds a type by the name of the codec that holds its values; decimals also say their bits and scale.
    pub fn named(name: &str) -> Result<Type> {
        let (word, scale) = name.split_once(':').unwrap_or((name, "0"));
        let scale: i32 = scale.parse().unwrap_or(i32::MAX);
        let bytes = match word {
            "decimal128" => 16,
            "decimal256" => 32,
            _ => 0,
        };
        if bytes > 0 && (-MOST_SCALE..=MOST_SCALE).contains(&scale) {
            return Ok(Type::Decimal { bytes, scale });
        }
        Ok(match name {
            "uuid" => Type::Uuid,
            "list" => Type::List,
            "str" => Type::Str,
            "bytes" => Type::Bytes,
            "int" => Type::Int,
            "float" => Type::Float,
            "bool" => Type::Bool,
            "date" => Type::Date,
            "datetime" => Type::Datetime,
            "naive_datetime" => Type::NaiveDatetime,
            "time" => Type::Time,
            "timedelta" => Type::Timedelta,
            _ => {
                return Err(Error::InvalidOption(format!(
                    "there are no columns of the type '{name}'"
                )))
            }
        })
    }

    pub(super) fn has_offsets(self) -> bool {
        matches!(self, Type::Str | Type::Bytes | Type::List)
    }

    /// How many bytes each value has, where they all have as many.
    pub(super) fn width(self) -> usize {
        match self {
            Type::Decimal { bytes, .. } => bytes,
            Type::Uuid => 16,
            _ => 8,
        }
    }
}
