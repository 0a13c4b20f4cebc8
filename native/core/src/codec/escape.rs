//! Escaping that lets variable-length bytes stand inside a key, and the complement of bytes.
//!
//! An escaped string holds no 00, so 00 ends it, and the order of escaped, terminated strings is
//! the order of the plain ones. The rule is Accumulo's: 00 -> 01 01, 01 -> 01 02.

use crate::{Error, Result};

/// Appends `data` with 00 and 01 replaced, so that 00 is free to end the string.
///
/// ```
/// let mut out = Vec::new();
/// lexigraph_core::codec::escape::escape(b"a\x00b\x01", &mut out);
/// assert_eq!(out, b"a\x01\x01b\x01\x02");
/// ```
pub fn escape(data: &[u8], out: &mut Vec<u8>) {
    out.reserve(data.len() + 1);
    let mut rest = data;
    // Runs without 00 and 01 are nearly always the whole string: copied at once.
    while let Some(at) = rest.iter().position(|&byte| byte <= 1) {
        let (run, tail) = rest.split_at(at);
        out.extend_from_slice(run);
        if let Some((&byte, after)) = tail.split_first() {
            out.extend_from_slice(&[1, byte + 1]);
            rest = after;
        }
    }
    out.extend_from_slice(rest);
}

/// Undoes [`escape`]; refuses what it does not write.
///
/// ```
/// use lexigraph_core::codec::escape::unescape;
/// assert_eq!(unescape(b"a\x01\x01b\x01\x02").unwrap(), b"a\x00b\x01");
/// assert!(unescape(b"a\x01").is_err());
/// ```
pub fn unescape(data: &[u8]) -> Result<Vec<u8>> {
    let mut plain = Vec::with_capacity(data.len());
    unescape_into(data, &mut plain)?;
    Ok(plain)
}

/// Appends what [`unescape`] gives.
pub(crate) fn unescape_into(data: &[u8], plain: &mut Vec<u8>) -> Result<()> {
    let mut rest = data;
    while let Some(at) = rest.iter().position(|&byte| byte <= 1) {
        let (run, tail) = rest.split_at(at);
        plain.extend_from_slice(run);
        rest = match tail {
            [1, 1, after @ ..] => {
                plain.push(0);
                after
            }
            [1, 2, after @ ..] => {
                plain.push(1);
                after
            }
            [0, ..] => {
                let place = data.len() - tail.len();
                return Err(Error::InvalidBytes(format!(
                    "byte {place} of the escaped bytes is 00, which is never inside"
                )));
            }
            _ => {
                return Err(Error::InvalidBytes(
                    "an escape byte 01 is followed by neither 01 nor 02".into(),
                ))
            }
        };
    }
    plain.extend_from_slice(rest);
    Ok(())
}

/// Turns every byte b into ff - b, which reverses the order of prefix-free strings.
///
/// ```
/// let mut bytes = [0x00, 0x7f, 0xff];
/// lexigraph_core::codec::escape::complement(&mut bytes);
/// assert_eq!(bytes, [0xff, 0x80, 0x00]);
/// ```
pub fn complement(data: &mut [u8]) {
    for byte in data {
        *byte = !*byte;
    }
}

/// Complements what was appended to `out` since it had `start` bytes.
pub(crate) fn complement_from(out: &mut [u8], start: usize) {
    if let Some(tail) = out.get_mut(start..) {
        complement(tail);
    }
}
