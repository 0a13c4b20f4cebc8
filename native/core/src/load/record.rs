//! One cell as bytes, for sorting and for temporary files: its lengths, its time, its parts.

use crate::cells::{CellRef, KeyRef};

const DELETED: u8 = 1;
/// Some part has 128 bytes or more: lengths take 8 bytes each instead of one.
const LONG: u8 = 2;
const SHORT_HEAD: usize = 1 + 8 + 5;
const LONG_HEAD: usize = 1 + 8 + 5 * 8;

/// Appends a cell.
pub(super) fn write(cell: &CellRef<'_>, out: &mut Vec<u8>) {
    let key = &cell.key;
    let parts = [
        key.row,
        key.family,
        key.qualifier,
        key.visibility,
        cell.value,
    ];
    let long = parts.iter().any(|part| part.len() >= 0x80);
    let flags = if key.deleted { DELETED } else { 0 } | if long { LONG } else { 0 };
    out.push(flags);
    out.extend_from_slice(&key.timestamp.to_le_bytes());
    if long {
        for part in parts {
            out.extend_from_slice(&(part.len() as u64).to_le_bytes());
        }
    } else {
        out.extend_from_slice(&parts.map(|part| part.len() as u8));
    }
    for part in parts {
        out.extend_from_slice(part);
    }
}

/// The cell at the start of `bytes` and how many bytes it takes; none where they end too early.
#[inline]
pub(super) fn read(bytes: &[u8]) -> Option<(CellRef<'_>, usize)> {
    let (&flags, rest) = bytes.split_first()?;
    let (time, rest) = rest.split_first_chunk()?;
    let (lengths, head) = match flags & LONG {
        0 => {
            let lengths: &[u8; 5] = rest.first_chunk()?;
            (lengths.map(usize::from), SHORT_HEAD)
        }
        _ => {
            let mut lengths = [0; 5];
            for (place, chunk) in lengths.iter_mut().zip(rest.chunks_exact(8)) {
                *place = u64::from_le_bytes(chunk.try_into().ok()?) as usize;
            }
            (lengths, LONG_HEAD)
        }
    };
    let [row, family, qualifier, visibility, value] = lengths;
    let (row, rest) = bytes.get(head..)?.split_at_checked(row)?;
    let (family, rest) = rest.split_at_checked(family)?;
    let (qualifier, rest) = rest.split_at_checked(qualifier)?;
    let (visibility, rest) = rest.split_at_checked(visibility)?;
    let (value, rest) = rest.split_at_checked(value)?;
    let key = KeyRef {
        row,
        family,
        qualifier,
        visibility,
        timestamp: i64::from_le_bytes(*time),
        deleted: flags & DELETED != 0,
    };
    Some((CellRef { key, value }, bytes.len() - rest.len()))
}

/// Gives every cell of some records that has the time `from` the time `to`.
pub(super) fn restamp(mut records: &mut [u8], from: i64, to: i64) {
    while let Some((cell, length)) = read(records) {
        let has = cell.key.timestamp == from;
        let (record, later) = std::mem::take(&mut records).split_at_mut(length);
        let time = record.split_first_mut().map(|(_, rest)| rest);
        if let Some(time) = time.and_then(<[u8]>::first_chunk_mut).filter(|_| has) {
            *time = to.to_le_bytes();
        }
        records = later;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::{Cell, Key};

    #[test]
    fn cells_come_back_and_cut_bytes_do_not() {
        for size in [0, 1, 127, 128, 70_000] {
            let cell = Cell {
                key: Key {
                    row: vec![1; size],
                    family: b"f".to_vec(),
                    qualifier: vec![2; size / 2],
                    visibility: Vec::new(),
                    timestamp: -5,
                    deleted: size % 2 == 1,
                },
                value: vec![3; size],
            };
            let mut bytes = Vec::new();
            write(&cell.as_ref(), &mut bytes);
            let (held, length) =
                read(&bytes).map_or((None, 0), |(cell, length)| (Some(cell), length));
            assert_eq!(held, Some(cell.as_ref()));
            assert_eq!(length, bytes.len());
            assert!(read(&bytes[..bytes.len() - 1]).is_none());
        }
    }
}
