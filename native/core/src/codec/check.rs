//! Checking bytes without making a value of them, and which bytes are their own key form.
//!
//! What a decoder refuses is refused here, and nothing else. Text, bytes and whatever has a fixed
//! width cost no allocation.

use super::{typebytes as types, Codec};
use crate::{Error, Result};

impl Codec {
    /// Refuses what [`Codec::decode_key`] refuses.
    pub fn check_key(&self, data: &[u8]) -> Result<()> {
        match self {
            Codec::Str => check_text(data),
            Codec::Bytes => Ok(()),
            _ => self.decode_key(data).map(drop),
        }
    }

    /// Refuses what [`Codec::decode_value`] refuses.
    pub fn check_value(&self, data: &[u8]) -> Result<()> {
        match self {
            Codec::Str => check_text(data),
            Codec::Bytes => Ok(()),
            Codec::Int if super::integer::read_small(data).is_some() => Ok(()),
            _ => self.decode_value(data).map(drop),
        }
    }

    /// Whether the value form of everything it holds is the key form too.
    pub fn stores_keys(&self) -> bool {
        !matches!(
            self,
            Codec::Float
                | Codec::Float32
                | Codec::Decimal
                | Codec::Datetime
                | Codec::Time
                | Codec::Geo
                | Codec::Any
                | Codec::Tuple(_)
                | Codec::List(_)
                | Codec::Descending(_)
                | Codec::Nullable(..)
        )
    }

    /// Appends the key form of what is stored in `data`.
    pub fn key_of_value(&self, data: &[u8], out: &mut Vec<u8>) -> Result<()> {
        if self.stores_keys() {
            out.extend_from_slice(data);
            return Ok(());
        }
        self.encode_key(&self.decode_value(data)?, out)
    }

    /// Whether a key, or a stored value, is null.
    pub fn is_null(&self, data: &[u8]) -> bool {
        match self {
            Codec::Null => true,
            Codec::Any => data == [types::NULL],
            _ => false,
        }
    }
}

/// Refuses escaped bytes that no encoder writes; for text also what is not UTF-8.
///
/// Escapes are ASCII in the place of ASCII: escaped text is UTF-8 exactly when the text is.
pub(crate) fn check_escaped(codec: &Codec, data: &[u8]) -> Result<()> {
    let mut rest = data.iter();
    while let Some(byte) = rest.find(|&&byte| byte <= 1) {
        if *byte == 0 || !matches!(rest.next(), Some(1 | 2)) {
            return Err(Error::InvalidBytes(
                "an escape byte 01 is followed by neither 01 nor 02".into(),
            ));
        }
    }
    match codec {
        Codec::Str => check_text(data),
        _ => Ok(()),
    }
}

pub(crate) fn check_text(data: &[u8]) -> Result<()> {
    std::str::from_utf8(data).map(drop).map_err(|error| {
        Error::InvalidBytes(format!(
            "byte {} of the text is not UTF-8",
            error.valid_up_to()
        ))
    })
}
