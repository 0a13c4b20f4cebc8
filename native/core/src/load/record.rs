//! One cell as bytes, for sorting and for temporary files: its lengths, its time if it has one of its own, its parts.
//!
//! What many cells have in common is not in there: a number stands for family and label (see [`Pairs`]).

use super::pairs::{Finder, Pairs};
use crate::cells::{CellRef, KeyRef};

const DELETED: u8 = 1;
/// Lengths take 8 bytes each instead of one, and family and label are in the record: some part has 128 bytes or more, or
/// the pair has no number.
const LONG: u8 = 2;
/// The time is in the record.
const TIMED: u8 = 4;
const SHORT_HEAD: usize = 5;
const LONG_HEAD: usize = 1 + 5 * 8;

/// Appends a cell.
#[inline]
pub(super) fn write(cell: &CellRef<'_>, finder: &mut Finder, out: &mut Vec<u8>) {
    let key = &cell.key;
    let own_time = key.timestamp != finder.known().time;
    let flags = if key.deleted { DELETED } else { 0 } | if own_time { TIMED } else { 0 };
    let lengths = [key.row.len(), key.qualifier.len(), cell.value.len()];
    let short = lengths.iter().all(|length| *length < 0x80);
    let pair = short.then(|| finder.find(key.family, key.visibility));
    let time = key.timestamp.to_le_bytes();
    let time = if own_time { time.as_slice() } else { &[] };
    match pair.flatten() {
        Some(pair) => {
            let [row, qualifier, value] = lengths;
            out.reserve(SHORT_HEAD + 8 + row + qualifier + value);
            out.extend_from_slice(&[flags, pair, row as u8, qualifier as u8, value as u8]);
            out.extend_from_slice(time);
            out.extend_from_slice(key.row);
            out.extend_from_slice(key.qualifier);
            out.extend_from_slice(cell.value);
        }
        None => {
            let parts = [
                key.row,
                key.family,
                key.qualifier,
                key.visibility,
                cell.value,
            ];
            out.push(flags | LONG);
            for part in parts {
                out.extend_from_slice(&(part.len() as u64).to_le_bytes());
            }
            out.extend_from_slice(time);
            for part in parts {
                out.extend_from_slice(part);
            }
        }
    }
}

/// The cell at the start of `bytes` and how many bytes it takes; none where they end too early.
#[inline]
pub(super) fn read<'a>(bytes: &'a [u8], pairs: &'a Pairs) -> Option<(CellRef<'a>, usize)> {
    let &[flags, pair, row, qualifier, value] = bytes.first_chunk::<SHORT_HEAD>()?;
    if flags & LONG != 0 {
        return read_long(bytes, pairs);
    }
    let rest = bytes.get(SHORT_HEAD..)?;
    let (timestamp, rest) = read_time(flags, rest, pairs)?;
    let (row, rest) = rest.split_at_checked(row.into())?;
    let (qualifier, rest) = rest.split_at_checked(qualifier.into())?;
    let (value, rest) = rest.split_at_checked(value.into())?;
    let (family, visibility) = pairs.get(pair)?;
    let key = KeyRef {
        row,
        family,
        qualifier,
        visibility,
        timestamp,
        deleted: flags & DELETED != 0,
    };
    Some((CellRef { key, value }, bytes.len() - rest.len()))
}

/// How many bytes the cell at the start of `bytes` takes.
#[inline]
pub(super) fn length(bytes: &[u8]) -> Option<usize> {
    let &[flags, _, row, qualifier, value] = bytes.first_chunk::<SHORT_HEAD>()?;
    let time = if flags & TIMED != 0 { 8 } else { 0 };
    if flags & LONG == 0 {
        return Some(
            SHORT_HEAD + time + usize::from(row) + usize::from(qualifier) + usize::from(value),
        );
    }
    let lengths = bytes.get(1..LONG_HEAD)?.chunks_exact(8);
    let sum = lengths.map(|chunk| chunk.try_into().map_or(0, u64::from_le_bytes));
    Some(LONG_HEAD + time + sum.sum::<u64>() as usize)
}

#[cold]
fn read_long<'a>(bytes: &'a [u8], pairs: &'a Pairs) -> Option<(CellRef<'a>, usize)> {
    let (&flags, rest) = bytes.split_first()?;
    let mut lengths = [0; 5];
    for (place, chunk) in lengths.iter_mut().zip(rest.chunks_exact(8)) {
        *place = u64::from_le_bytes(chunk.try_into().ok()?) as usize;
    }
    let [row, family, qualifier, visibility, value] = lengths;
    let (timestamp, rest) = read_time(flags, bytes.get(LONG_HEAD..)?, pairs)?;
    let (row, rest) = rest.split_at_checked(row)?;
    let (family, rest) = rest.split_at_checked(family)?;
    let (qualifier, rest) = rest.split_at_checked(qualifier)?;
    let (visibility, rest) = rest.split_at_checked(visibility)?;
    let (value, rest) = rest.split_at_checked(value)?;
    let key = KeyRef {
        row,
        family,
        qualifier,
        visibility,
        timestamp,
        deleted: flags & DELETED != 0,
    };
    Some((CellRef { key, value }, bytes.len() - rest.len()))
}

#[inline]
fn read_time<'a>(flags: u8, rest: &'a [u8], pairs: &Pairs) -> Option<(i64, &'a [u8])> {
    if flags & TIMED == 0 {
        return Some((pairs.time, rest));
    }
    let (time, rest) = rest.split_first_chunk()?;
    Some((i64::from_le_bytes(*time), rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::{Cell, Key};
    use crate::load::pairs::SharedPairs;

    fn cell(size: usize, family: &[u8], timestamp: i64) -> Cell {
        Cell {
            key: Key {
                row: vec![1; size],
                family: family.to_vec(),
                qualifier: vec![2; size / 2],
                visibility: Vec::new(),
                timestamp,
                deleted: size % 2 == 1,
            },
            value: vec![3; size],
        }
    }

    #[test]
    fn cells_come_back_and_cut_bytes_do_not() {
        for size in [0, 1, 127, 128, 70_000] {
            for timestamp in [-5, 7] {
                let cell = cell(size, b"f", timestamp);
                let mut finder = SharedPairs::new(7).finder();
                let mut bytes = Vec::new();
                write(&cell.as_ref(), &mut finder, &mut bytes);
                let pairs = finder.known();
                let (held, length) =
                    read(&bytes, pairs).map_or((None, 0), |(cell, length)| (Some(cell), length));
                assert_eq!(held, Some(cell.as_ref()));
                assert_eq!(length, bytes.len());
                assert_eq!(super::length(&bytes), Some(length));
                assert!(read(&bytes[..bytes.len() - 1], pairs).is_none());
            }
        }
    }

    #[test]
    fn pairs_beyond_those_with_a_number_come_back_too() {
        let shared = SharedPairs::new(7);
        let mut finders = [shared.finder(), shared.finder()];
        let families: Vec<Vec<u8>> = (0..600u32).map(|one| one.to_be_bytes().to_vec()).collect();
        let mut bytes = Vec::new();
        for (number, family) in families.iter().enumerate() {
            write(
                &cell(3, family, 7).as_ref(),
                &mut finders[number % 2],
                &mut bytes,
            );
        }
        let pairs = shared.now();
        let mut rest = bytes.as_slice();
        for family in &families {
            let (held, length) =
                read(rest, &pairs).map_or((None, 0), |(cell, length)| (Some(cell), length));
            assert_eq!(held, Some(cell(3, family, 7).as_ref()));
            rest = &rest[length..];
        }
        assert!(rest.is_empty());
    }
}
