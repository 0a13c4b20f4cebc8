//! The distinct rows of a block: prefix-compressed, every sixteenth whole.

use super::packed::{write, Packed};
use super::span::{read_varint, write_varint, Span, Walk};
use super::strings::Strings;
use super::{corrupt, encoding, forms, Block, RESTART};
use crate::Result;

/// Where the rows of a block stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rows {
    pub(super) count: usize,
    pub(super) forms: Option<Strings>,
    restarts: Packed,
    entries: Span,
}

impl Rows {
    pub(super) fn read(body: &[u8], kind: u8, place: Span, count: usize) -> Result<Rows> {
        let mut walk = Walk::new(body, place)?;
        let forms = match kind {
            encoding::PREFIX => None,
            encoding::FORMED => Some(forms::read(body, &mut walk, count)?),
            _ => return Err(corrupt("the rows have an unknown encoding")),
        };
        let restarts = Packed::read(&mut walk, count.div_ceil(RESTART))?;
        Ok(Rows {
            count,
            forms,
            restarts,
            entries: walk.rest(),
        })
    }

    /// Where the entry of a row that shares nothing starts.
    fn place(&self, body: &[u8], restart: usize) -> Result<usize> {
        Ok(self.entries.start + self.restarts.get(body, restart)? as usize)
    }

    /// Shared length, the rest, and the place of the next entry.
    #[inline(always)]
    fn entry<'a>(&self, body: &'a [u8], place: usize) -> Result<(usize, &'a [u8], usize)> {
        let bytes = body.get(place..self.entries.end).unwrap_or_default();
        let (shared, length, head) = read_lengths(bytes)?;
        let rest = bytes
            .get(head..head + length)
            .ok_or_else(|| corrupt("a row ends outside of its column"))?;
        Ok((shared, rest, place + head + length))
    }

    /// Whether the last row that shares nothing is not less.
    pub(super) fn reach(&self, body: &[u8], row: &[u8]) -> Result<bool> {
        let last = self.count.div_ceil(RESTART).saturating_sub(1);
        let (_, whole, _) = self.entry(body, self.place(body, last)?)?;
        Ok(whole >= row)
    }

    /// How many of the rows that share nothing are less than `row`.
    fn restarts_before(&self, body: &[u8], row: &[u8]) -> Result<usize> {
        let (mut low, mut high) = (0, self.count.div_ceil(RESTART));
        while low < high {
            let middle = low + (high - low) / 2;
            let (_, whole, _) = self.entry(body, self.place(body, middle)?)?;
            if whole < row {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }
}

/// The entries of a block's rows as they are stored: what each has besides the row before.
#[derive(Debug, Clone)]
pub struct RowEntries<'a> {
    body: &'a [u8],
    rows: Rows,
    next: usize,
}

impl<'a> RowEntries<'a> {
    pub(super) fn new(body: &'a [u8], rows: &Rows) -> Result<RowEntries<'a>> {
        Ok(RowEntries {
            body,
            rows: *rows,
            next: rows.place(body, 0)?,
        })
    }

    /// How many bytes the next row shares with the one before, and the rest of it. Must not be called
    /// more often than there are rows. Every sixteenth row shares nothing, whatever the one before is.
    #[inline(always)]
    pub fn advance(&mut self) -> Result<(usize, &'a [u8])> {
        let (shared, rest, next) = self.rows.entry(self.body, self.next)?;
        self.next = next;
        Ok((shared, rest))
    }

    /// Passes over at most `most` rows for as long as `goes_on` says yes, and gives how many. It is told how many bytes a row
    /// shares, how many follow, and the first eight of these as a little-endian number (with whatever stands behind
    /// them, where they are fewer). Ends early at entries that are too long or too near the end for that.
    #[inline(always)]
    pub fn pass(
        &mut self,
        most: usize,
        mut goes_on: impl FnMut(usize, usize, u64) -> bool,
    ) -> usize {
        let (body, end) = (self.body, self.rows.entries.end);
        let (mut next, mut passed) = (self.next, 0);
        while passed < most {
            let from = body.get(next..).and_then(|from| from.first_chunk::<10>());
            let Some([lengths, more, behind @ ..]) = from else {
                break;
            };
            let Some([_, near @ .., _]) = from else {
                break;
            };
            let (half, length) = (usize::from(lengths >> 4), usize::from(lengths & 0xf));
            // A varint of one byte follows where the half is full; no branch, since neither case is rare.
            let is_more = half == MORE;
            let shared = half + usize::from(*more) * usize::from(is_more);
            let word = u64::from_le_bytes(if is_more { *behind } else { *near });
            let after = next + 1 + usize::from(is_more) + length;
            if length == MORE || (is_more && *more >= 0x80) || after > end {
                break;
            }
            if !goes_on(shared, length, word) {
                break;
            }
            (next, passed) = (after, passed + 1);
        }
        self.next = next;
        passed
    }
}

/// Walks the distinct rows of a block and holds the one it stands on.
#[derive(Debug, Clone, Default)]
pub struct RowCursor {
    row: Vec<u8>,
    /// How many bytes it certainly has in common with the row before.
    shared: usize,
    index: usize,
    next: usize,
}

impl RowCursor {
    /// The row it stands on.
    #[inline]
    pub fn row(&self) -> &[u8] {
        &self.row
    }

    /// How many bytes of it are certainly those of the row before.
    #[inline]
    pub fn shared(&self) -> usize {
        self.shared
    }

    /// The number of the row it stands on.
    #[inline]
    pub fn index(&self) -> usize {
        self.index
    }

    /// Goes to the row of this number.
    pub fn seek(&mut self, block: &Block<'_>, index: usize) -> Result<()> {
        self.restart(block, index / RESTART)?;
        while self.index < index {
            if !self.advance(block)? {
                return Err(corrupt("a row is asked for that it does not have"));
            }
        }
        Ok(())
    }

    /// Goes to the first row that is not less; `false` when all are.
    pub fn seek_row(&mut self, block: &Block<'_>, row: &[u8]) -> Result<bool> {
        let before = block.layout().rows.restarts_before(block.body(), row)?;
        self.restart(block, before.saturating_sub(1))?;
        while self.row.as_slice() < row {
            if !self.advance(block)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Goes to the next row; `false` behind the last.
    #[inline]
    pub fn advance(&mut self, block: &Block<'_>) -> Result<bool> {
        let rows = &block.layout().rows;
        if self.index + 1 >= rows.count {
            return Ok(false);
        }
        let (shared, rest, next) = rows.entry(block.body(), self.next)?;
        if shared > self.row.len() {
            return Err(corrupt("a row shares more than the row before it has"));
        }
        self.row.truncate(shared);
        self.row.extend_from_slice(rest);
        self.shared = shared;
        self.index += 1;
        self.next = next;
        Ok(true)
    }

    fn restart(&mut self, block: &Block<'_>, restart: usize) -> Result<()> {
        let rows = &block.layout().rows;
        let (shared, rest, next) = rows.entry(block.body(), rows.place(block.body(), restart)?)?;
        if shared != 0 {
            return Err(corrupt("a row that must be whole shares bytes"));
        }
        self.row.clear();
        self.row.extend_from_slice(rest);
        self.shared = 0;
        self.index = restart * RESTART;
        self.next = next;
        Ok(())
    }
}

/// What half a byte says where a varint of what is left follows.
const MORE: usize = 15;

/// How much an entry shares, how long its rest is, and the bytes that say so.
#[inline(always)]
fn read_lengths(bytes: &[u8]) -> Result<(usize, usize, usize)> {
    let byte = usize::from(bytes.first().copied().unwrap_or_default());
    let (mut shared, mut length, mut head) = (byte >> 4, byte & MORE, 1);
    for half in [&mut shared, &mut length] {
        if *half == MORE {
            let (more, taken) = read_varint(bytes.get(head..).unwrap_or_default())
                .ok_or_else(|| corrupt("the length of a row is not a number"))?;
            *half += more;
            head += taken;
        }
    }
    Ok((shared, length, head))
}

fn write_lengths(shared: usize, length: usize, out: &mut Vec<u8>) {
    out.push((shared.min(MORE) << 4 | length.min(MORE)) as u8);
    for half in [shared, length] {
        if let Some(more) = half.checked_sub(MORE) {
            write_varint(more, out);
        }
    }
}

/// Appends rows; `row` gives each with the bytes it shares with the one before.
pub(super) fn encode<'a>(
    count: usize,
    row: impl Fn(usize) -> (usize, &'a [u8]),
    scratch: &mut Vec<u8>,
    out: &mut Vec<u8>,
) {
    scratch.clear();
    let mut restarts = Vec::with_capacity(count.div_ceil(RESTART));
    for index in 0..count {
        let (shared, bytes) = row(index);
        let shared = if index % RESTART == 0 {
            restarts.push(scratch.len() as u64);
            0
        } else {
            shared
        };
        let rest = bytes.get(shared..).unwrap_or_default();
        write_lengths(shared, rest.len(), scratch);
        scratch.extend_from_slice(rest);
    }
    let most = restarts.last().copied().unwrap_or_default();
    write(restarts.into_iter(), most, out);
    out.extend_from_slice(scratch);
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_are_passed_over_are_told_as_they_are() {
        // Short and long rests, behind short and long shared bytes, some of them beyond what half a byte says.
        let mut rows: Vec<Vec<u8>> = (0..400u32)
            .map(|number| {
                let mut row = b"a prefix of some bytes/"[..(number as usize / 8 % 24)].to_vec();
                row.extend(std::iter::repeat_n(b'x', number as usize % 150 / 10));
                row.extend(number.wrapping_mul(0x9e37_79b1).to_string().into_bytes());
                row
            })
            .collect();
        rows.sort();
        let shared = |index: usize| match index {
            0 => 0,
            _ => super::super::common(&rows[index - 1], &rows[index]),
        };
        let mut body = Vec::new();
        let row = |index: usize| (shared(index), rows[index].as_slice());
        encode(rows.len(), row, &mut Vec::new(), &mut body);
        let place = Span {
            start: 0,
            end: body.len(),
        };
        let read = Rows::read(&body, encoding::PREFIX, place, rows.len()).unwrap();
        let (mut passing, mut told) = (RowEntries::new(&body, &read).unwrap(), 0);
        let mut walked = passing.clone();
        for step in 0.. {
            let passed = passing.pass(rows.len() - told, |shared, length, word| {
                let (same, rest) = walked.clone().advance().unwrap();
                let first = &rest[..rest.len().min(8)];
                assert_eq!((shared, length), (same, rest.len()));
                assert!(word.to_le_bytes().starts_with(first));
                // Stops now and then, which must not take the row.
                let goes_on = (told + step) % 7 != 0;
                if goes_on {
                    walked.advance().unwrap();
                }
                goes_on
            });
            told += passed;
            if told == rows.len() {
                break;
            }
            let next = passing.advance().unwrap();
            assert_eq!(next, walked.advance().unwrap());
            told += 1;
            if told == rows.len() {
                break;
            }
        }
    }
}
