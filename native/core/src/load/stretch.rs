//! The cells of one stretch, which a thread sorts on its own.

use std::borrow::Cow;

use super::pairs::Pairs;
use super::record;
use crate::cells::{CellRef, KeyRef};
use crate::tree::sort::{sort_items, Item};

/// How many low bits of a place are the offset; those above number the piece.
const OFFSET_BITS: u32 = 40;
/// Few records have fewer bytes.
const RECORD: usize = 24;
const OFFSET: u64 = (1 << OFFSET_BITS) - 1;

/// Sorted cells in memory.
pub(crate) struct Stretch<'m> {
    pieces: Vec<Cow<'m, [u8]>>,
    pairs: &'m Pairs,
    /// Whether of equal keys in one piece the later comes first.
    turned: bool,
    items: Vec<Item>,
}

impl<'m> Stretch<'m> {
    /// Of equal keys that of an earlier piece comes first.
    pub(super) fn sort(pieces: Vec<Cow<'m, [u8]>>, pairs: &'m Pairs, turned: bool) -> Stretch<'m> {
        let bytes: usize = pieces.iter().map(|piece| piece.len()).sum();
        let mut items = Vec::with_capacity(bytes / RECORD);
        for (number, piece) in pieces.iter().enumerate() {
            let turn = if turned { OFFSET } else { 0 };
            let mut offset = 0;
            let read = |offset: usize| record::read(piece.get(offset..)?, pairs);
            while let Some((cell, length)) = read(offset) {
                let place = (number as u64) << OFFSET_BITS | (offset as u64 ^ turn);
                items.push(Item::new(place, cell.key.row));
                offset += length;
            }
        }
        let key = |place: u64| at(&pieces, pairs, turned, place).key;
        sort_items(&mut items, &key);
        Stretch {
            pieces,
            pairs,
            turned,
            items,
        }
    }

    /// The cells, in order.
    pub fn cells(&self) -> impl Iterator<Item = CellRef<'_>> {
        let items = self.items.iter();
        items.map(|item| at(&self.pieces, self.pairs, self.turned, item.place()))
    }
}

#[inline]
fn at<'p>(pieces: &'p [Cow<'_, [u8]>], pairs: &'p Pairs, turned: bool, place: u64) -> CellRef<'p> {
    const NONE: CellRef<'static> = CellRef {
        key: KeyRef {
            row: &[],
            family: &[],
            qualifier: &[],
            visibility: &[],
            timestamp: 0,
            deleted: false,
        },
        value: &[],
    };
    let number = (place >> OFFSET_BITS) as usize;
    let turn = if turned { OFFSET } else { 0 };
    let offset = ((place & OFFSET) ^ turn) as usize;
    pieces
        .get(number)
        .and_then(|piece| piece.get(offset..))
        .and_then(|record| record::read(record, pairs))
        .map_or(NONE, |(cell, _)| cell)
}
