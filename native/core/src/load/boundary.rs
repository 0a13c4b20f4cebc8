//! Where stretches of sorted cells begin and end, and the one that a key belongs to.

use crate::cells::{Key, KeyRef};
use crate::tree::sort_key;

/// Where one stretch ends and the next one starts.
#[derive(Debug)]
pub(crate) enum Boundary {
    /// The first key of the next stretch, or one before it.
    Key(Key),
    /// The same as a sort key, or the start of one.
    SortKey(Vec<u8>),
}

impl Boundary {
    pub fn keys(keys: Vec<Key>) -> Vec<Boundary> {
        keys.into_iter().map(Boundary::Key).collect()
    }

    /// Whether a key belongs before it; `scratch` holds the sort key where there are any to compare.
    pub(super) fn is_behind(&self, key: &KeyRef<'_>, scratch: &[u8]) -> bool {
        match self {
            Boundary::Key(first) => *key < first.as_ref(),
            Boundary::SortKey(first) => scratch < first.as_slice(),
        }
    }
}

/// Finds the stretch of a key.
pub(super) struct Finder<'b> {
    boundaries: &'b [Boundary],
    /// The first bytes of the boundaries' rows, which decide most comparisons.
    heads: Vec<u128>,
    sort_keys: bool,
    scratch: Vec<u8>,
}

impl<'b> Finder<'b> {
    pub fn new(boundaries: &'b [Boundary]) -> Finder<'b> {
        let row = |boundary: &Boundary| match boundary {
            Boundary::Key(key) => row_head(&key.row),
            Boundary::SortKey(_) => 0,
        };
        Finder {
            boundaries,
            heads: boundaries.iter().map(row).collect(),
            sort_keys: boundaries
                .iter()
                .any(|boundary| matches!(boundary, Boundary::SortKey(_))),
            scratch: Vec::new(),
        }
    }

    pub fn stretch(&mut self, key: &KeyRef<'_>) -> usize {
        let (mut low, mut high) = (0, self.boundaries.len());
        if self.sort_keys {
            sort_key(key, &mut self.scratch);
        } else {
            let head = row_head(key.row);
            low = self.heads.partition_point(|held| *held < head);
            high = low;
            // Hardly ever one, so no search.
            while self.heads.get(high) == Some(&head) {
                high += 1;
            }
        }
        let between = self.boundaries.get(low..high).unwrap_or_default();
        low + between.partition_point(|boundary| !boundary.is_behind(key, &self.scratch))
    }
}

/// The first 16 bytes of a row as a number; rows that differ in it are ordered by it.
fn row_head(row: &[u8]) -> u128 {
    let mut head = [0; 16];
    match row.first_chunk() {
        Some(whole) => head = *whole,
        None => {
            for (place, byte) in head.iter_mut().zip(row) {
                *place = *byte;
            }
        }
    }
    u128::from_be_bytes(head)
}

/// Makes the sort key where the boundary compares one.
pub(super) fn sort_key_for(boundary: &Boundary, key: &KeyRef<'_>, scratch: &mut Vec<u8>) {
    if matches!(boundary, Boundary::SortKey(_)) {
        sort_key(key, scratch);
    }
}
