//! The keys of blocks in LMDB: tree, then a plain separator or a stem with an ordinal.

use super::{Level, TreeId};
use crate::{Error, Result};

/// The bytes that name a tree.
pub(super) const PREFIX: usize = 7;
/// The longest plain separator; longer ones are cut here.
pub(super) const STEM: usize = 500;
/// How far from its only neighbour a new ordinal stands.
const STEP: u32 = 1 << 16;

/// The first bytes of all keys of a tree, which are also the key of its first block.
pub(super) fn prefix(tree: TreeId, level: Level) -> [u8; PREFIX] {
    let [t0, t1, t2, t3] = tree.table.to_be_bytes();
    let [g0, g1] = tree.group.to_be_bytes();
    [t0, t1, t2, t3, g0, g1, level.number()]
}

/// A separator as LMDB holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Held<'a> {
    Plain(&'a [u8]),
    Cut { stem: &'a [u8], ordinal: u32 },
}

impl<'a> Held<'a> {
    /// Reads the key of a block.
    pub fn of(key: &'a [u8]) -> Held<'a> {
        let bytes = key.get(PREFIX..).unwrap_or_default();
        match bytes.split_last_chunk() {
            Some((stem, ordinal)) if stem.len() == STEM => Held::Cut {
                stem,
                ordinal: u32::from_be_bytes(*ordinal),
            },
            _ => Held::Plain(bytes),
        }
    }

    /// Its ordinal, if it belongs to the chain of `stem`.
    pub fn ordinal_in(&self, chain: &[u8]) -> Option<u32> {
        match self {
            Held::Cut { stem, ordinal } if *stem == chain => Some(*ordinal),
            _ => None,
        }
    }
}

/// The key of a block in a chain.
pub(super) fn chained(prefix: &[u8], stem: &[u8], ordinal: u32) -> Vec<u8> {
    [prefix, stem, &ordinal.to_be_bytes()].concat()
}

/// An ordinal between two neighbours of a chain, or nothing where there is no room.
pub(super) fn ordinal_between(low: Option<u32>, high: Option<u32>) -> Option<u32> {
    let new = match (low, high) {
        (None, None) => 1 << 31,
        (Some(low), None) => low + STEP.min((u32::MAX - low) / 2),
        (None, Some(high)) => high - STEP.min(high.div_ceil(2)),
        (Some(low), Some(high)) => low + high.saturating_sub(low) / 2,
    };
    (low.is_none_or(|low| low < new) && high.is_none_or(|high| new < high)).then_some(new)
}

/// Ordinals with even gaps for a chain of `count` blocks.
pub(super) fn even_ordinals(count: usize) -> Result<impl Iterator<Item = u32>> {
    let gap = (1u64 << 32) / (count as u64 + 1);
    if gap < 2 {
        return Err(Error::Unsupported(format!(
            "{count} blocks whose keys share their first {STEM} bytes: there is no ordinal left"
        )));
    }
    Ok((1..=count as u64).map(move |number| (number * gap) as u32))
}

/// Names a block in a message: its table, group, level and the start of its separator.
pub(super) fn describe(key: &[u8]) -> String {
    let number = |bytes: &[u8]| {
        bytes
            .iter()
            .fold(0u64, |sum, &byte| sum << 8 | u64::from(byte))
    };
    let table = number(key.get(..4).unwrap_or_default());
    let group = number(key.get(4..6).unwrap_or_default());
    let level = match key.get(6) {
        Some(0) => "base",
        _ => "delta",
    };
    let separator = key.get(PREFIX..).unwrap_or_default();
    let shown: String = separator
        .iter()
        .take(24)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let more = if separator.len() > 24 { "..." } else { "" };
    format!("table {table}, group {group}, {level} block [{shown}{more}]")
}

/// Adds the name of the block to an error about its bytes.
pub(super) fn named(key: &[u8]) -> impl Fn(Error) -> Error + '_ {
    |error| match error {
        Error::Corruption(what) => Error::Corruption(format!("{}: {what}", describe(key))),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinals_lie_between_their_neighbours_until_there_is_no_room() {
        let mut high = ordinal_between(None, None);
        let low = ordinal_between(None, high);
        let mut steps = 0;
        while let Some(new) = ordinal_between(low, high) {
            assert!(low < Some(new) && Some(new) < high);
            high = Some(new);
            steps += 1;
        }
        assert_eq!(steps, 16);
    }

    #[test]
    fn both_ends_of_the_numbers_are_reached_and_not_passed() {
        assert_eq!(ordinal_between(None, Some(0)), None);
        assert_eq!(ordinal_between(None, Some(1)), Some(0));
        assert_eq!(ordinal_between(Some(u32::MAX), None), None);
    }
}
