//! Columns of byte strings: constant, of one length, with offsets, or codes into a dictionary.

use super::dictionary::Dictionary;
use super::packed::{round_width, write, Packed};
use super::span::{Span, Walk};
use super::{corrupt, encoding};
use crate::Result;

/// Where the items of a column of byte strings stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strings {
    Constant(Span),
    Fixed {
        items: Span,
        width: usize,
    },
    Offsets(Entries),
    Dictionary {
        codes: Packed,
        entries: Entries,
        count: usize,
    },
}

/// Byte strings given by their ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entries {
    ends: Packed,
    data: Span,
}

impl Entries {
    /// The ends of all items, in place of what `out` held, and the bytes that they end in.
    pub fn copy_ends<'a>(&self, body: &'a [u8], out: &mut Vec<u32>) -> Result<&'a [u8]> {
        self.ends.copy_to(body, out)?;
        Ok(self.data.of(body))
    }

    fn read(walk: &mut Walk<'_>, count: usize) -> Result<Entries> {
        let ends = Packed::read(walk, count)?;
        let data = walk.rest();
        Ok(Entries { ends, data })
    }

    #[inline]
    pub fn span(&self, body: &[u8], item: usize) -> Result<Span> {
        let start = match item {
            0 => 0,
            _ => self.ends.get(body, item - 1)? as usize,
        };
        let end = self.ends.get(body, item)? as usize;
        if start > end || end > self.data.len() {
            return Err(corrupt("the ends of a column are out of order"));
        }
        Ok(Span {
            start: self.data.start + start,
            end: self.data.start + end,
        })
    }
}

impl Strings {
    pub(super) fn read(body: &[u8], kind: u8, place: Span, count: usize) -> Result<Strings> {
        let mut walk = Walk::new(body, place)?;
        match kind {
            encoding::CONSTANT => Ok(Strings::Constant(place)),
            encoding::FIXED if count > 0 && place.len() % count == 0 => Ok(Strings::Fixed {
                items: place,
                width: place.len() / count,
            }),
            encoding::OFFSETS => Ok(Strings::Offsets(Entries::read(&mut walk, count)?)),
            encoding::DICTIONARY => {
                let distinct = walk.u32()?;
                if distinct == 0 || distinct > count {
                    return Err(corrupt("a dictionary has no entries or too many"));
                }
                Ok(Strings::Dictionary {
                    codes: Packed::read(&mut walk, count)?,
                    entries: Entries::read(&mut walk, distinct)?,
                    count: distinct,
                })
            }
            _ => Err(corrupt("a column has an unknown encoding")),
        }
    }

    /// Where the item stands.
    #[inline]
    pub fn span(&self, body: &[u8], item: usize) -> Result<Span> {
        match self {
            Strings::Constant(span) => Ok(*span),
            Strings::Fixed { items, width } => {
                let start = items.start + item * width;
                let end = start + width;
                if end > items.end {
                    return Err(corrupt("an item is asked for that a column does not have"));
                }
                Ok(Span { start, end })
            }
            Strings::Offsets(entries) => entries.span(body, item),
            Strings::Dictionary { codes, entries, .. } => {
                entries.span(body, codes.get(body, item)? as usize)
            }
        }
    }

    /// How many distinct entries are stored, where they are codes; a constant has one.
    pub fn entries(&self) -> Option<usize> {
        match self {
            Strings::Constant(_) => Some(1),
            Strings::Dictionary { count, .. } => Some(*count),
            _ => None,
        }
    }

    /// The code of an item, where items are codes.
    #[inline]
    pub fn code(&self, body: &[u8], item: usize) -> Result<usize> {
        match self {
            Strings::Dictionary { codes, .. } => Ok(codes.get(body, item)? as usize),
            _ => Ok(0),
        }
    }

    /// All codes of `count` items, where items are codes, in place of what `out` held.
    pub fn copy_codes(&self, body: &[u8], count: usize, out: &mut Vec<u32>) -> Result<()> {
        match self {
            Strings::Constant(_) => {
                out.clear();
                out.resize(count, 0);
                Ok(())
            }
            Strings::Dictionary { codes, .. } => codes.copy_to(body, out),
            _ => Err(corrupt("a column without codes is asked for codes")),
        }
    }

    /// The codes as they stand, where each takes one byte.
    pub fn byte_codes<'a>(&self, body: &'a [u8]) -> Option<&'a [u8]> {
        match self {
            Strings::Dictionary { codes, .. } => codes.bytes(body),
            _ => None,
        }
    }

    /// Where the entry of a code stands, where items are codes.
    pub fn entry(&self, body: &[u8], code: usize) -> Result<Span> {
        match self {
            Strings::Constant(span) => Ok(*span),
            Strings::Dictionary { entries, .. } => entries.span(body, code),
            _ => Err(corrupt("a column without codes is asked for a code")),
        }
    }
}

/// Appends items in the smallest encoding and returns it.
pub(super) fn encode<'a>(
    count: usize,
    item: impl Fn(usize) -> &'a [u8],
    scratch: &mut Scratch,
    out: &mut Vec<u8>,
) -> u8 {
    let first = if count == 0 { &[] } else { item(0) };
    let (mut total, mut constant, mut fixed) = (0, true, true);
    for place in 0..count {
        let bytes = item(place);
        total += bytes.len();
        fixed &= bytes.len() == first.len();
        constant = constant && bytes == first;
    }
    if constant {
        out.extend_from_slice(first);
        return encoding::CONSTANT;
    }
    let plain = if fixed {
        total
    } else {
        1 + count * round_width(total as u64) + total
    };
    // Codes of single bytes would be no smaller than the bytes.
    let single = fixed && first.len() == 1;
    let short = fixed && first.len() <= SHORT;
    let smaller = match short {
        true => !single && scratch.intern_short(count, &item, plain),
        false => scratch.intern(count, &item, plain),
    };
    if smaller {
        scratch.write(out);
        return encoding::DICTIONARY;
    }
    if fixed {
        (0..count).for_each(|place| out.extend_from_slice(item(place)));
        return encoding::FIXED;
    }
    write_entries(count, item, out);
    encoding::OFFSETS
}

/// Appends items with their ends before them.
pub(super) fn write_entries<'a>(count: usize, item: impl Fn(usize) -> &'a [u8], out: &mut Vec<u8>) {
    let total: usize = (0..count).map(|place| item(place).len()).sum();
    let mut end = 0;
    let ends = (0..count).map(|place| {
        end += item(place).len() as u64;
        end
    });
    write(ends, round_width(total as u64), out);
    (0..count).for_each(|place| out.extend_from_slice(item(place)));
}

/// Items up to this length are looked up as numbers.
const SHORT: usize = 8;

/// A dictionary and codes that columns use one after the other.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    dictionary: Dictionary,
    codes: Vec<u32>,
    /// Open addressing for short items: the item as a number, and its code plus one; 0 is free.
    slots: Vec<(u64, u32)>,
}

impl Scratch {
    /// Numbers the items; gives up once a dictionary would take `most` bytes or more.
    fn intern<'a>(&mut self, count: usize, item: &impl Fn(usize) -> &'a [u8], most: usize) -> bool {
        self.dictionary.clear();
        self.codes.clear();
        for place in 0..count {
            let code = self.dictionary.code(item(place));
            self.codes.push(code);
            if self.size(count) >= most {
                return false;
            }
        }
        true
    }

    /// As [`Scratch::intern`], for items of one length that fit a number.
    fn intern_short<'a>(
        &mut self,
        count: usize,
        item: &impl Fn(usize) -> &'a [u8],
        most: usize,
    ) -> bool {
        self.dictionary.clear();
        self.codes.clear();
        let size = (2 * count).next_power_of_two();
        self.slots.clear();
        self.slots.resize(size, (0, 0));
        for place in 0..count {
            let bytes = item(place);
            let number = short_number(bytes);
            let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mut slot = (mixed >> 32) as usize & (size - 1);
            let code = loop {
                let Some(held) = self.slots.get_mut(slot) else {
                    return false;
                };
                match *held {
                    (_, 0) => {
                        let code = self.dictionary.append(bytes);
                        *held = (number, code + 1);
                        if self.size(count) >= most {
                            return false;
                        }
                        break code;
                    }
                    (same, code) if same == number => break code - 1,
                    _ => slot = (slot + 1) & (size - 1),
                }
            };
            self.codes.push(code);
        }
        true
    }

    fn size(&self, count: usize) -> usize {
        let (entries, bytes) = (self.dictionary.len(), self.dictionary.size());
        let codes = count * round_width(entries as u64 - 1);
        6 + codes + entries * round_width(bytes as u64) + bytes
    }

    fn write(&self, out: &mut Vec<u8>) {
        let entries = self.dictionary.len();
        out.extend_from_slice(&(entries as u32).to_le_bytes());
        let codes = self.codes.iter().map(|&code| u64::from(code));
        write(codes, round_width(entries as u64 - 1), out);
        write_entries(entries, |entry| self.dictionary.get(entry as u32), out);
    }
}

/// At most 8 bytes as a number; of one length, different bytes give different numbers.
#[inline]
fn short_number(bytes: &[u8]) -> u64 {
    match *bytes {
        [a, b] => u64::from(u16::from_le_bytes([a, b])),
        [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
        [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => super::span::read_number(bytes),
    }
}
