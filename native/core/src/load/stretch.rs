//! The cells of one stretch, which a thread sorts on its own.

use super::record;
use crate::cells::{CellRef, KeyRef};
use crate::tree::sort::sort_places;

/// How many low bits of a place are the offset; those above number the piece.
const OFFSET_BITS: u32 = 40;
const OFFSET: u64 = (1 << OFFSET_BITS) - 1;

/// Sorted cells in memory.
pub(crate) struct Stretch {
    pieces: Vec<Vec<u8>>,
    /// In this many pieces, from the first on, of equal keys the later comes first.
    turned: usize,
    places: Vec<u64>,
}

impl Stretch {
    /// Of equal keys that of an earlier piece comes first.
    pub(super) fn sort(pieces: Vec<Vec<u8>>, turned: usize) -> Stretch {
        let mut places = Vec::new();
        for (number, piece) in pieces.iter().enumerate() {
            let turn = if number < turned { OFFSET } else { 0 };
            let mut offset = 0;
            while let Some((_, length)) = piece.get(offset..).and_then(record::read) {
                places.push((number as u64) << OFFSET_BITS | (offset as u64 ^ turn));
                offset += length;
            }
        }
        let key = |place: u64| at(&pieces, turned, place).key;
        sort_places(&mut places, &key);
        Stretch {
            pieces,
            turned,
            places,
        }
    }

    /// The cells, in order.
    pub fn cells(&self) -> impl Iterator<Item = CellRef<'_>> {
        let places = self.places.iter();
        places.map(|&place| at(&self.pieces, self.turned, place))
    }
}

fn at(pieces: &[Vec<u8>], turned: usize, place: u64) -> CellRef<'_> {
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
    let turn = if number < turned { OFFSET } else { 0 };
    let offset = ((place & OFFSET) ^ turn) as usize;
    pieces
        .get(number)
        .and_then(|piece| piece.get(offset..))
        .and_then(record::read)
        .map_or(NONE, |(cell, _)| cell)
}
