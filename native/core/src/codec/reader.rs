//! A place in some bytes from which parts are read.
//!
//! Bytes are read through a mask: 00, or ff inside a descending part or a negative number. So the
//! complement costs no copy of the rest, however deep it is nested.

use std::borrow::Cow;

use super::escape::unescape;
use crate::{Error, Result};

pub(crate) struct Reader<'a> {
    data: &'a [u8],
    at: usize,
    mask: u8,
}

impl<'a> Reader<'a> {
    pub fn new(data: &'a [u8], at: usize) -> Self {
        Reader { data, at, mask: 0 }
    }

    pub fn position(&self) -> usize {
        self.at
    }

    pub fn is_at_end(&self) -> bool {
        self.at >= self.data.len()
    }

    /// Reads the complement from here on, until called again.
    pub fn flip(&mut self) {
        self.mask = !self.mask;
    }

    pub fn peek(&self) -> Option<u8> {
        self.data.get(self.at).map(|byte| byte ^ self.mask)
    }

    pub fn byte(&mut self, name: &str) -> Result<u8> {
        let [byte] = self.array::<1>(name)?;
        Ok(byte)
    }

    pub fn array<const N: usize>(&mut self, name: &str) -> Result<[u8; N]> {
        let mut bytes = [0; N];
        for (to, from) in bytes.iter_mut().zip(self.raw(N, name)?) {
            *to = from ^ self.mask;
        }
        Ok(bytes)
    }

    pub fn take(&mut self, count: usize, name: &str) -> Result<Cow<'a, [u8]>> {
        let raw = self.raw(count, name)?;
        Ok(self.unmask(raw))
    }

    /// Reads up to the next 00 and past it; gives what stands before it.
    pub fn until_zero(&mut self, name: &str) -> Result<Cow<'a, [u8]>> {
        let rest = self.data.get(self.at..).unwrap_or_default();
        let Some(length) = rest.iter().position(|&byte| byte == self.mask) else {
            return Err(Error::InvalidBytes(format!(
                "codec '{name}': no byte 00 ends the part that starts at byte {}",
                self.at
            )));
        };
        let raw = self.raw(length, name)?;
        self.at += 1;
        Ok(self.unmask(raw))
    }

    /// Reads an escaped string and its 00; gives it plain.
    pub fn terminated(&mut self, name: &str) -> Result<Vec<u8>> {
        unescape(&self.until_zero(name)?)
    }

    /// Reads all that is left.
    pub fn rest(&mut self) -> Cow<'a, [u8]> {
        let raw = self.data.get(self.at..).unwrap_or_default();
        self.at = self.data.len();
        self.unmask(raw)
    }

    /// Refuses bytes after the end of a whole key or value.
    pub fn finish(&self, name: &str) -> Result<()> {
        if self.at == self.data.len() {
            return Ok(());
        }
        Err(Error::InvalidBytes(format!(
            "codec '{name}' read {} bytes, but {} more follow",
            self.at,
            self.data.len().saturating_sub(self.at)
        )))
    }

    /// Cuts raw bytes out; only where nothing is complemented.
    pub fn slice(&mut self, count: usize, name: &str) -> Result<&'a [u8]> {
        self.raw(count, name)
    }

    fn raw(&mut self, count: usize, name: &str) -> Result<&'a [u8]> {
        let end = self.at.checked_add(count);
        let Some(raw) = end.and_then(|end| self.data.get(self.at..end)) else {
            return Err(Error::InvalidBytes(format!(
                "codec '{name}' reads {count} bytes at byte {}, but there are {} in all",
                self.at,
                self.data.len()
            )));
        };
        self.at += count;
        Ok(raw)
    }

    fn unmask(&self, raw: &'a [u8]) -> Cow<'a, [u8]> {
        if self.mask == 0 {
            Cow::Borrowed(raw)
        } else {
            Cow::Owned(raw.iter().map(|byte| !byte).collect())
        }
    }
}
