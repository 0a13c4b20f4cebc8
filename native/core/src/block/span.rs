//! Places inside the body of a block, and a reader that walks them without leaving the body.

use super::corrupt;
use crate::Result;

/// A place in the body of a block: `start..end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    pub start: usize,
    pub end: usize,
}

impl Span {
    /// The bytes at this place; none if the body is shorter.
    pub fn of<'a>(&self, body: &'a [u8]) -> &'a [u8] {
        body.get(self.start..self.end).unwrap_or_default()
    }

    /// How many bytes it holds.
    pub fn len(&self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Whether it holds no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Reads numbers from a span of the body, front to back.
pub(super) struct Walk<'a> {
    body: &'a [u8],
    place: usize,
    end: usize,
}

impl<'a> Walk<'a> {
    pub fn new(body: &'a [u8], span: Span) -> Result<Walk<'a>> {
        if span.start > span.end || span.end > body.len() {
            return Err(corrupt("a column lies outside of it"));
        }
        Ok(Walk {
            body,
            place: span.start,
            end: span.end,
        })
    }

    /// The span of the next `length` bytes.
    pub fn take(&mut self, length: usize) -> Result<Span> {
        let start = self.place;
        match start.checked_add(length) {
            Some(end) if end <= self.end => {
                self.place = end;
                Ok(Span { start, end })
            }
            _ => Err(corrupt("a column ends too early")),
        }
    }

    /// All that is left.
    pub fn rest(&mut self) -> Span {
        let start = self.place;
        self.place = self.end;
        Span {
            start,
            end: self.end,
        }
    }

    pub fn byte(&mut self) -> Result<u8> {
        let span = self.take(1)?;
        Ok(span.of(self.body).first().copied().unwrap_or_default())
    }

    pub fn u32(&mut self) -> Result<usize> {
        Ok(self.number(4)? as usize)
    }

    pub fn i64(&mut self) -> Result<i64> {
        Ok(self.number(8)? as i64)
    }

    pub fn varint(&mut self) -> Result<usize> {
        let held = self.body.get(self.place..self.end).unwrap_or_default();
        let (number, length) =
            read_varint(held).ok_or_else(|| corrupt("a number is not in its shortest form"))?;
        self.place += length;
        Ok(number)
    }

    fn number(&mut self, width: usize) -> Result<u64> {
        let span = self.take(width)?;
        Ok(read_number(span.of(self.body)))
    }
}

/// A little-endian number of at most 8 bytes.
pub(super) fn read_number(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// A varint below 2^32 in its shortest form and how many bytes it takes.
#[inline]
pub(super) fn read_varint(bytes: &[u8]) -> Option<(usize, usize)> {
    // Nearly all are below 128.
    if let Some(&byte @ 0..=0x7f) = bytes.first() {
        return Some((usize::from(byte), 1));
    }
    let mut number = 0u64;
    for (place, &byte) in bytes.iter().take(5).enumerate() {
        number |= u64::from(byte & 0x7f) << (7 * place);
        if byte < 0x80 {
            let shortest = byte != 0 || place == 0;
            return (shortest && number <= u64::from(u32::MAX))
                .then_some((number as usize, place + 1));
        }
    }
    None
}

pub(super) fn write_varint(number: usize, out: &mut Vec<u8>) {
    let mut rest = number;
    while rest >= 0x80 {
        out.push((rest & 0x7f) as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}
