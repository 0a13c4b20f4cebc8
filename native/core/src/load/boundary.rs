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
    /// By the two bytes behind those that all heads share: how many heads have smaller ones.
    starts: Vec<u32>,
    /// How many bits all heads share.
    shared: u32,
    sort_keys: bool,
    scratch: Vec<u8>,
}

impl<'b> Finder<'b> {
    pub fn new(boundaries: &'b [Boundary]) -> Finder<'b> {
        let row = |boundary: &Boundary| match boundary {
            Boundary::Key(key) => row_head(&key.row),
            Boundary::SortKey(_) => 0,
        };
        let heads: Vec<u128> = boundaries.iter().map(row).collect();
        let shared = match (heads.first(), heads.last()) {
            (Some(first), Some(last)) => (first ^ last).leading_zeros().min(112) & !7,
            _ => 0,
        };
        let mut starts = vec![0; WORDS + 1];
        for head in &heads {
            if let Some(start) = starts.get_mut(word(*head, shared) + 1) {
                *start += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        Finder {
            boundaries,
            heads,
            starts,
            shared,
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
            low = self.count_less(head);
            high = low;
            // Hardly ever one, so no search.
            while self.heads.get(high) == Some(&head) {
                high += 1;
            }
        }
        let between = self.boundaries.get(low..high).unwrap_or_default();
        low + between.partition_point(|boundary| !boundary.is_behind(key, &self.scratch))
    }

    /// How many boundaries have a smaller head.
    #[inline]
    fn count_less(&self, head: u128) -> usize {
        if self.heads.first().is_none_or(|first| head <= *first) {
            return 0;
        }
        if self.heads.last().is_some_and(|last| head > *last) {
            return self.heads.len();
        }
        // What lies between the first and the last head shares the bits that they share.
        let ends = self.starts.get(word(head, self.shared)..);
        let Some([low, high]) = ends.and_then(<[u32]>::first_chunk) else {
            return 0;
        };
        let alike = self.heads.get(*low as usize..*high as usize);
        let alike = alike.unwrap_or_default();
        *low as usize + alike.partition_point(|held| *held < head)
    }
}

/// How many numbers two bytes can be.
const WORDS: usize = 1 << 16;

/// Two bytes of a head, behind so many bits.
#[inline]
fn word(head: u128, shared: u32) -> usize {
    (head << shared >> 112) as usize
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
