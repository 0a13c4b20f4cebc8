//! Packed integers: every item takes the same number of bytes, none when all are 0.

use super::corrupt;
use super::span::{read_number, Walk};
use crate::Result;

/// Where packed integers stand in the body of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Packed {
    start: usize,
    count: usize,
    width: usize,
}

impl Packed {
    pub(super) fn read(walk: &mut Walk<'_>, count: usize) -> Result<Packed> {
        let width = usize::from(walk.byte()?);
        if width > 8 {
            return Err(corrupt("packed numbers are wider than 8 bytes"));
        }
        let length = count
            .checked_mul(width)
            .ok_or_else(|| corrupt("a column ends too early"))?;
        let span = walk.take(length)?;
        Ok(Packed {
            start: span.start,
            count,
            width,
        })
    }

    /// The `item`-th number.
    #[inline]
    pub fn get(&self, body: &[u8], item: usize) -> Result<u64> {
        if item >= self.count {
            return Err(corrupt("a number is asked for that a column does not have"));
        }
        let start = self.start + item * self.width;
        let bytes = body.get(start..).unwrap_or_default();
        let number = match self.width {
            0 => Some(0),
            1 => bytes.first().map(|&byte| u64::from(byte)),
            2 => bytes
                .first_chunk()
                .map(|chunk| u64::from(u16::from_le_bytes(*chunk))),
            4 => bytes
                .first_chunk()
                .map(|chunk| u64::from(u32::from_le_bytes(*chunk))),
            8 => bytes.first_chunk().map(|chunk| u64::from_le_bytes(*chunk)),
            width => bytes.get(..width).map(read_number),
        };
        number.ok_or_else(|| corrupt("a column ends too early"))
    }

    /// All numbers below 2^32, in place of what `out` held; wider ones are damage.
    pub fn copy_to(&self, body: &[u8], out: &mut Vec<u32>) -> Result<()> {
        out.clear();
        let end = self.start + self.count * self.width;
        let bytes = body
            .get(self.start..end)
            .ok_or_else(|| corrupt("a column ends too early"))?;
        match self.width {
            0 => out.resize(self.count, 0),
            1 => out.extend(bytes.iter().map(|&byte| u32::from(byte))),
            2 => out.extend(bytes.chunks_exact(2).map(|chunk| match chunk {
                [low, high] => u32::from(u16::from_le_bytes([*low, *high])),
                _ => 0,
            })),
            4 => out.extend(bytes.chunks_exact(4).map(|chunk| match chunk {
                [a, b, c, d] => u32::from_le_bytes([*a, *b, *c, *d]),
                _ => 0,
            })),
            _ => return Err(corrupt("codes are wider than 4 bytes")),
        }
        Ok(())
    }

    /// The numbers as they stand, where each takes one byte.
    pub fn bytes<'a>(&self, body: &'a [u8]) -> Option<&'a [u8]> {
        match self.width {
            1 => body.get(self.start..self.start + self.count),
            _ => None,
        }
    }

    /// Bytes per number; 0 when all are 0.
    pub fn width(&self) -> usize {
        self.width
    }
}

/// The bytes that numbers up to `max` take where only 0, 1, 2, 4 and 8 are used.
pub(super) fn round_width(max: u64) -> usize {
    match max {
        0 => 0,
        1..=0xff => 1,
        0x100..=0xffff => 2,
        0x1_0000..=0xffff_ffff => 4,
        _ => 8,
    }
}

/// The fewest bytes that numbers up to `max` take.
pub(super) fn tight_width(max: u64) -> usize {
    (64 - max.leading_zeros() as usize).div_ceil(8)
}

/// Appends the width and the numbers, each cut to `width` bytes.
pub(super) fn write(numbers: impl Iterator<Item = u64>, width: usize, out: &mut Vec<u8>) {
    out.push(width as u8);
    match width {
        0 => {}
        1 => out.extend(numbers.map(|number| number as u8)),
        2 => numbers.for_each(|number| out.extend_from_slice(&(number as u16).to_le_bytes())),
        4 => numbers.for_each(|number| out.extend_from_slice(&(number as u32).to_le_bytes())),
        _ => numbers.for_each(|number| out.extend(number.to_le_bytes().iter().take(width))),
    }
}
