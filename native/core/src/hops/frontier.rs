//! A growing set of vertices, each held once.

use super::ends::Reached;
use super::words::{Word, Words};
use crate::block::Dictionary;
use crate::cells::BytesColumn;

/// Vertices as they stand in rows, escaped, in the order they were reached: most are short enough to be numbers.
#[derive(Debug, Default)]
pub struct Frontier {
    short: Words,
    long: Dictionary,
}

/// How many of each kind there were at some moment.
#[derive(Debug, Clone, Copy, Default)]
pub struct Mark {
    short: usize,
    long: usize,
}

impl Reached for Frontier {
    #[inline]
    fn add(&mut self, vertex: &[u8]) {
        match Word::of(vertex) {
            Some(word) => self.short.add(word),
            None => {
                self.long.code(vertex);
            }
        }
    }
}

impl Frontier {
    pub fn add_all(&mut self, other: &Frontier) {
        for &word in other.short.all() {
            self.short.add(word);
        }
        for code in 0..other.long.len() as u32 {
            self.long.code(other.long.get(code));
        }
    }

    /// Where it ends now.
    pub fn mark(&self) -> Mark {
        Mark {
            short: self.short.all().len(),
            long: self.long.len(),
        }
    }

    /// The vertices that were added since, sorted; escaped bytes sort as plain ones do.
    pub fn sorted(&self, since: Mark) -> BytesColumn {
        let new = self.short.all().get(since.short..).unwrap_or_default();
        let mut words = new.to_vec();
        words.sort_unstable();
        let codes = since.long as u32..self.long.len() as u32;
        let mut long: Vec<&[u8]> = codes.map(|code| self.long.get(code)).collect();
        long.sort_unstable();
        let mut column = BytesColumn::default();
        column.offsets.reserve(words.len() + long.len());
        let mut long = long.into_iter().peekable();
        for word in words {
            let (bytes, length) = word.bytes();
            let vertex = bytes.get(..length).unwrap_or_default();
            while let Some(before) = long.next_if(|long| *long < vertex) {
                column.push(before);
            }
            column.push(vertex);
        }
        long.for_each(|vertex| column.push(vertex));
        column
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn read(column: &BytesColumn) -> Vec<Vec<u8>> {
        let view = column.view();
        (0..view.len()).map(|at| view.get(at).to_vec()).collect()
    }

    proptest! {
        #[test]
        fn vertices_of_any_length_come_sorted_and_once(
            first in prop::collection::vec(prop::collection::vec(0u8..4, 0..20), 0..200),
            second in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..20), 0..200),
        ) {
            let (mut seen, mut other) = (Frontier::default(), Frontier::default());
            first.iter().for_each(|vertex| seen.add(vertex));
            let mark = seen.mark();
            second.iter().for_each(|vertex| other.add(vertex));
            seen.add_all(&other);
            let before: BTreeSet<Vec<u8>> = first.into_iter().collect();
            let after: BTreeSet<Vec<u8>> = second.into_iter().collect();
            let new: Vec<Vec<u8>> = after.difference(&before).cloned().collect();
            prop_assert_eq!(read(&seen.sorted(mark)), new);
            let all: Vec<Vec<u8>> = before.union(&after).cloned().collect();
            prop_assert_eq!(read(&seen.sorted(Mark::default())), all);
        }
    }
}
