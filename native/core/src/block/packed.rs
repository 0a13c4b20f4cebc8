//! Packed integers: every item takes the same number of bits, none when all are 0.

use super::corrupt;
use super::span::{read_number, Walk};
use crate::Result;

/// Where packed integers stand in the body of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Packed {
    start: usize,
    count: usize,
    /// Bits per number: 0 to 56, or 64.
    width: usize,
    mask: u64,
}

impl Packed {
    pub(super) fn read(walk: &mut Walk<'_>, count: usize) -> Result<Packed> {
        let width = usize::from(walk.byte()?);
        let mask = match width {
            0 => 0,
            1..=56 | 64 => u64::MAX >> (64 - width),
            _ => return Err(corrupt("packed numbers have an unknown width")),
        };
        let length = count
            .checked_mul(width)
            .ok_or_else(|| corrupt("a column ends too early"))?
            .div_ceil(8);
        let span = walk.take(length)?;
        Ok(Packed {
            start: span.start,
            count,
            width,
            mask,
        })
    }

    /// The `item`-th number.
    #[inline]
    pub fn get(&self, body: &[u8], item: usize) -> Result<u64> {
        if item >= self.count {
            return Err(corrupt("a number is asked for that a column does not have"));
        }
        Ok(self.number(body, item))
    }

    #[inline]
    fn number(&self, body: &[u8], item: usize) -> u64 {
        let bit = item * self.width;
        // A number of up to 56 bits, or of 64 that starts with a byte, lies within 8 bytes.
        word(body, self.start + bit / 8) >> (bit % 8) & self.mask
    }

    /// All numbers below 2^32, in place of what `out` held; wider ones are damage.
    pub fn copy_to(&self, body: &[u8], out: &mut Vec<u32>) -> Result<()> {
        let narrow = |number: u64| number as u32;
        let end = self.start + (self.count * self.width).div_ceil(8);
        let bytes = body
            .get(self.start..end)
            .ok_or_else(|| corrupt("a column ends too early"))?;
        if matches!(self.width, 0 | 8 | 16..) {
            out.clear();
        }
        match self.width {
            0 => out.resize(self.count, 0),
            1 => self.unpack::<1, u32>(body, out, narrow),
            2 => self.unpack::<2, u32>(body, out, narrow),
            3 => self.unpack::<3, u32>(body, out, narrow),
            4 => self.unpack::<4, u32>(body, out, narrow),
            5 => self.unpack::<5, u32>(body, out, narrow),
            6 => self.unpack::<6, u32>(body, out, narrow),
            7 => self.unpack::<7, u32>(body, out, narrow),
            8 => out.extend(bytes.iter().map(|&byte| u32::from(byte))),
            9 => self.unpack::<9, u32>(body, out, narrow),
            10 => self.unpack::<10, u32>(body, out, narrow),
            11 => self.unpack::<11, u32>(body, out, narrow),
            12 => self.unpack::<12, u32>(body, out, narrow),
            13 => self.unpack::<13, u32>(body, out, narrow),
            14 => self.unpack::<14, u32>(body, out, narrow),
            15 => self.unpack::<15, u32>(body, out, narrow),
            16..=32 => out.extend((0..self.count).map(|item| self.number(body, item) as u32)),
            _ => return Err(corrupt("codes are wider than 32 bits")),
        }
        Ok(())
    }

    /// All numbers, in place of what `out` held, where each fits a byte; otherwise `false`.
    pub fn copy_bytes(&self, body: &[u8], out: &mut Vec<u8>) -> bool {
        if matches!(self.width, 0 | 8) {
            out.clear();
        }
        match self.width {
            0 => out.resize(self.count, 0),
            1 => self.unpack_bytes::<1>(body, out),
            2 => self.unpack_bytes::<2>(body, out),
            3 => self.unpack_bytes::<3>(body, out),
            4 => self.unpack_bytes::<4>(body, out),
            5 => self.unpack_bytes::<5>(body, out),
            6 => self.unpack_bytes::<6>(body, out),
            7 => self.unpack_bytes::<7>(body, out),
            8 => match body.get(self.start..self.start + self.count) {
                Some(bytes) => out.extend_from_slice(bytes),
                None => return false,
            },
            _ => return false,
        }
        true
    }

    /// All numbers of a width below 8, eight at a time: they stand in `WIDTH` bytes, and become eight bytes of one word.
    fn unpack_bytes<const WIDTH: usize>(&self, body: &[u8], out: &mut Vec<u8>) {
        // Each is written over: what the numbers before left need not go first.
        out.resize(self.count, 0);
        let mut rest = body.get(self.start..).unwrap_or_default();
        let mut done = 0;
        for eight in out.chunks_exact_mut(8) {
            let (Some(eight), Some(word)) = (eight.first_chunk_mut(), rest.first_chunk()) else {
                break;
            };
            *eight = spread::<WIDTH>(u64::from_le_bytes(*word)).to_le_bytes();
            rest = rest.get(WIDTH..).unwrap_or_default();
            done += 8;
        }
        for (item, place) in out.iter_mut().enumerate().skip(done) {
            *place = self.number(body, item) as u8;
        }
    }

    /// All numbers of a width known to the compiler: eight stand in `WIDTH` bytes, four in one word each.
    fn unpack<const WIDTH: usize, T: Copy + Default>(
        &self,
        body: &[u8],
        out: &mut Vec<T>,
        narrow: impl Fn(u64) -> T,
    ) {
        let mask = (1u64 << WIDTH) - 1;
        let cut = |word: u64, place: usize| narrow(word >> (place * WIDTH) & mask);
        // Each is written over: what the numbers before left need not go first.
        out.resize(self.count, T::default());
        let mut rest = body.get(self.start..).unwrap_or_default();
        let mut done = 0;
        for eight in out.chunks_exact_mut(8) {
            let second = rest.get(WIDTH / 2..).and_then(<[u8]>::first_chunk);
            let (Some(low), Some(high)) = (rest.first_chunk(), second) else {
                break;
            };
            let low = u64::from_le_bytes(*low);
            let high = u64::from_le_bytes(*high) >> (WIDTH * 4 % 8);
            let Some(eight) = eight.first_chunk_mut::<8>() else {
                break;
            };
            *eight = [
                cut(low, 0),
                cut(low, 1),
                cut(low, 2),
                cut(low, 3),
                cut(high, 0),
                cut(high, 1),
                cut(high, 2),
                cut(high, 3),
            ];
            rest = rest.get(WIDTH..).unwrap_or_default();
            done += 8;
        }
        for (item, place) in out.iter_mut().enumerate().skip(done) {
            *place = narrow(self.number(body, item));
        }
    }
}

/// The lowest eight numbers of a word, a byte each: halves are moved apart, then their halves, then theirs.
#[inline(always)]
fn spread<const WIDTH: usize>(word: u64) -> u64 {
    let ones = |count: usize| (1u64 << (count * WIDTH)) - 1;
    let fours = word & ones(4) | (word >> (4 * WIDTH) & ones(4)) << 32;
    let two = ones(2) * 0x0000_0001_0000_0001;
    let twos = fours & two | (fours >> (2 * WIDTH) & two) << 16;
    let one = ones(1) * 0x0001_0001_0001_0001;
    twos & one | (twos >> WIDTH & one) << 8
}

/// The 8 bytes from `start` on; behind the end of the body stand zeros.
#[inline]
fn word(body: &[u8], start: usize) -> u64 {
    let bytes = body.get(start..).unwrap_or_default();
    match bytes.first_chunk() {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => read_number(bytes),
    }
}

/// The bits that numbers up to `max` take.
pub(super) fn bits(max: u64) -> usize {
    match 64 - max.leading_zeros() as usize {
        width @ 0..=56 => width,
        _ => 64,
    }
}

/// The bytes that so many numbers up to `max` take, without the width.
pub(super) fn size(count: usize, max: u64) -> usize {
    (count * bits(max)).div_ceil(8)
}

/// Appends the width that `max` takes and the numbers, none of which is greater.
pub(super) fn write(numbers: impl Iterator<Item = u64>, max: u64, out: &mut Vec<u8>) {
    let width = bits(max);
    out.push(width as u8);
    match width {
        0 => {}
        8 => out.extend(numbers.map(|number| number as u8)),
        16 => numbers.for_each(|number| out.extend_from_slice(&(number as u16).to_le_bytes())),
        64 => numbers.for_each(|number| out.extend_from_slice(&number.to_le_bytes())),
        _ => {
            let (mut held, mut many) = (0u64, 0);
            for number in numbers {
                held |= number << many;
                many += width;
                if width <= 32 && many >= 32 {
                    out.extend_from_slice(&(held as u32).to_le_bytes());
                    held >>= 32;
                    many -= 32;
                }
                while width > 32 && many >= 8 {
                    out.push(held as u8);
                    held >>= 8;
                    many -= 8;
                }
            }
            out.extend(held.to_le_bytes().iter().take(many.div_ceil(8)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::span::Span;
    use super::*;

    fn packed(numbers: &[u64], max: u64, behind: usize) -> Result<(Vec<u8>, Packed)> {
        let mut body = vec![0xaa; 3];
        write(numbers.iter().copied(), max, &mut body);
        let end = body.len();
        body.resize(end + behind, 0xff);
        let packed = Packed::read(
            &mut Walk::new(&body, Span { start: 3, end })?,
            numbers.len(),
        )?;
        Ok((body, packed))
    }

    #[test]
    fn every_width_gives_back_its_numbers() -> Result<()> {
        for width in 0..=64u32 {
            let max = u64::MAX.checked_shr(64 - width).unwrap_or_default();
            for (count, behind) in [(0, 0), (1, 0), (7, 1), (8, 0), (9, 0), (64, 3), (333, 20)] {
                let mixed = |item: u64| item.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
                let mut numbers: Vec<u64> = (0..count).map(|item| mixed(item) & max).collect();
                if let Some(last) = numbers.last_mut() {
                    *last = max;
                }
                let (body, packed) = packed(&numbers, max, behind)?;
                let taken = body.len() - 4 - behind;
                assert_eq!(taken, size(numbers.len(), max), "width {width}");
                for (item, &number) in numbers.iter().enumerate() {
                    assert_eq!(packed.get(&body, item)?, number, "width {width}");
                }
                assert!(packed.get(&body, numbers.len()).is_err());
                let mut bytes = vec![7];
                assert_eq!(packed.copy_bytes(&body, &mut bytes), width <= 8);
                if width <= 8 {
                    let wide: Vec<u64> = bytes.iter().map(|&number| number.into()).collect();
                    assert_eq!(wide, numbers, "width {width}");
                }
                let mut all = vec![7];
                match width {
                    0..=32 => {
                        packed.copy_to(&body, &mut all)?;
                        let wide: Vec<u64> = all.iter().map(|&number| number.into()).collect();
                        assert_eq!(wide, numbers, "width {width}");
                    }
                    _ => assert!(packed.copy_to(&body, &mut all).is_err()),
                }
            }
        }
        Ok(())
    }

    #[test]
    fn widths_that_do_not_lie_in_a_word_are_refused() -> Result<()> {
        for width in [57, 63, 65, 255] {
            let body = [vec![width], vec![0; 64]].concat();
            let all = Span { start: 0, end: 65 };
            assert!(Packed::read(&mut Walk::new(&body, all)?, 2).is_err());
        }
        Ok(())
    }
}
