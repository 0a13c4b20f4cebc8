//! Columns of byte strings: constant, of one length, with offsets, or codes into a dictionary.

use super::dictionary::Dictionary;
use super::packed::{size, write, Packed};
use super::span::{write_varint, Span, Walk};
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

/// Byte strings given by their ends: as far as each lies behind where items of the shortest length end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entries {
    shortest: usize,
    ends: Packed,
    data: Span,
}

impl Entries {
    /// The ends of all items, in place of what `out` held, and the bytes that they end in.
    pub fn copy_ends<'a>(&self, body: &'a [u8], out: &mut Vec<u32>) -> Result<&'a [u8]> {
        self.ends.copy_to(body, out)?;
        if self.shortest > 0 {
            let mut least = 0u32;
            for end in out.iter_mut() {
                least = least.wrapping_add(self.shortest as u32);
                *end = end.wrapping_add(least);
            }
        }
        Ok(self.data.of(body))
    }

    fn read(walk: &mut Walk<'_>, count: usize) -> Result<Entries> {
        let shortest = walk.varint()?;
        let ends = Packed::read(walk, count)?;
        let data = walk.rest();
        match shortest.checked_mul(count) {
            Some(least) if least <= data.len() => Ok(Entries {
                shortest,
                ends,
                data,
            }),
            _ => Err(corrupt("the items of a column are longer than it")),
        }
    }

    #[inline]
    pub fn span(&self, body: &[u8], item: usize) -> Result<Span> {
        let start = match item {
            0 => 0,
            _ => self.end(body, item - 1)?,
        };
        let end = self.end(body, item)?;
        if start > end || end > self.data.len() {
            return Err(corrupt("the ends of a column are out of order"));
        }
        Ok(Span {
            start: self.data.start + start,
            end: self.data.start + end,
        })
    }

    #[inline]
    fn end(&self, body: &[u8], item: usize) -> Result<usize> {
        let more = self.ends.get(body, item)? as usize;
        Ok(more.wrapping_add(self.shortest * (item + 1)))
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

    /// All codes, in place of what `out` held, where items are codes that fit a byte; otherwise `false`.
    pub fn copy_byte_codes(&self, body: &[u8], out: &mut Vec<u8>) -> bool {
        match self {
            Strings::Dictionary { codes, .. } => codes.copy_bytes(body, out),
            _ => false,
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
    let (mut total, mut constant) = (0, true);
    let (mut shortest, mut longest) = (first.len(), 0);
    for place in 0..count {
        let bytes = item(place);
        total += bytes.len();
        shortest = shortest.min(bytes.len());
        longest = longest.max(bytes.len());
        constant = constant && bytes == first;
    }
    if constant {
        out.extend_from_slice(first);
        return encoding::CONSTANT;
    }
    let fixed = shortest == longest;
    let plain = match fixed {
        true => total,
        false => entries_size(count, shortest, total),
    };
    let smaller = match longest < SHORT || fixed && longest == SHORT {
        true => scratch.intern_short(count, &item, shortest, plain),
        false => scratch.intern(count, &item, shortest, plain),
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
    let lengths = || (0..count).map(|place| item(place).len());
    let shortest = lengths().min().unwrap_or_default();
    write_varint(shortest, out);
    let mut end = 0;
    let ends = lengths().map(|length| {
        end += (length - shortest) as u64;
        end
    });
    write(
        ends,
        lengths().map(|length| (length - shortest) as u64).sum(),
        out,
    );
    (0..count).for_each(|place| out.extend_from_slice(item(place)));
}

/// About the bytes that items take with their ends.
fn entries_size(count: usize, shortest: usize, total: usize) -> usize {
    2 + size(count, total.saturating_sub(count * shortest) as u64) + total
}

/// Items up to this length are looked up as numbers: shorter ones with their length in the last byte.
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
    fn intern<'a>(
        &mut self,
        count: usize,
        item: &impl Fn(usize) -> &'a [u8],
        shortest: usize,
        most: usize,
    ) -> bool {
        self.dictionary.clear();
        self.codes.clear();
        for place in 0..count {
            let code = self.dictionary.code(item(place));
            self.codes.push(code);
            if self.size(count, shortest) >= most {
                return false;
            }
        }
        true
    }

    /// As [`Scratch::intern`], for items that fit a number with their length, or that all take 8 bytes.
    fn intern_short<'a>(
        &mut self,
        count: usize,
        item: &impl Fn(usize) -> &'a [u8],
        shortest: usize,
        most: usize,
    ) -> bool {
        self.dictionary.clear();
        self.codes.clear();
        let many = (2 * count).next_power_of_two();
        self.slots.clear();
        self.slots.resize(many, (0, 0));
        for place in 0..count {
            let bytes = item(place);
            let number = short_number(bytes);
            let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mut slot = (mixed >> 32) as usize & (many - 1);
            let code = loop {
                let Some(held) = self.slots.get_mut(slot) else {
                    return false;
                };
                match *held {
                    (_, 0) => {
                        let code = self.dictionary.append(bytes);
                        *held = (number, code + 1);
                        if self.size(count, shortest) >= most {
                            return false;
                        }
                        break code;
                    }
                    (same, code) if same == number => break code - 1,
                    _ => slot = (slot + 1) & (many - 1),
                }
            };
            self.codes.push(code);
        }
        true
    }

    fn size(&self, count: usize, shortest: usize) -> usize {
        let entries = self.dictionary.len();
        let codes = size(count, entries as u64 - 1);
        5 + codes + entries_size(entries, shortest, self.dictionary.size())
    }

    fn write(&self, out: &mut Vec<u8>) {
        let entries = self.dictionary.len();
        out.extend_from_slice(&(entries as u32).to_le_bytes());
        let codes = self.codes.iter().map(|&code| u64::from(code));
        write(codes, entries as u64 - 1, out);
        write_entries(entries, |entry| self.dictionary.get(entry as u32), out);
    }
}

/// At most 8 bytes as a number; different ones of less than 8 have different numbers, and so have those of 8.
#[inline]
fn short_number(bytes: &[u8]) -> u64 {
    let number = match *bytes {
        [a, b] => u64::from(u16::from_le_bytes([a, b])),
        [a, b, c] => u64::from(u32::from_le_bytes([a, b, c, 0])),
        [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
        [a, b, c, d, e, f, g, h] => return u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => super::span::read_number(bytes),
    };
    number | (bytes.len() as u64) << 56
}
