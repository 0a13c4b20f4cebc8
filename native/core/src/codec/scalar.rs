//! Text and small integers, which most values are, read without a copy.

use super::{integer, typebytes as types, Codec};

/// A value that needs no memory of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scalar<'a> {
    Str(&'a str),
    /// An `int` of any size that fits.
    Int(i64),
}

impl<'a> Scalar<'a> {
    /// Reads the stored form of the codec `any`; nothing where the value is of another kind or invalid.
    ///
    /// ```
    /// use lexigraph_core::codec::Scalar;
    /// assert_eq!(Scalar::of_value(b"Hann"), Some(Scalar::Str("ann")));
    /// assert_eq!(Scalar::of_value(b"\x10"), None);
    /// ```
    #[inline]
    pub fn of_value(data: &'a [u8]) -> Option<Scalar<'a>> {
        match data.split_first()? {
            (&types::STR, text) => std::str::from_utf8(text).ok().map(Scalar::Str),
            (&types::INT, number) => integer::read_small(number).map(Scalar::Int),
            _ => None,
        }
    }

    /// Reads a key form that takes up all of `data`; nothing where it is of another kind, invalid or escaped.
    #[inline]
    pub fn of_key(codec: &Codec, data: &'a [u8]) -> Option<Scalar<'a>> {
        match (codec, data) {
            (Codec::Str, text) => std::str::from_utf8(text).ok().map(Scalar::Str),
            (Codec::Int, number) => integer::read_small(number).map(Scalar::Int),
            (Codec::Any, [types::INT, number @ ..]) => integer::read_small(number).map(Scalar::Int),
            (Codec::Any, [types::STR, text @ .., 0]) if text.iter().all(|byte| *byte > 1) => {
                std::str::from_utf8(text).ok().map(Scalar::Str)
            }
            _ => None,
        }
    }
}
