//! What recent commits touched, kept in the store for writers that depend on what they read.
//!
//! An entry lists, per table, the keys of a commit or, of a large one, intervals of keys. It never lists less than
//! what was touched. Old entries go; a snapshot older than the oldest entry can only be a conflict.

use std::collections::BTreeMap;

use super::snapshot::{View, COMMITS};
use crate::cells::{CellRef, KeyRef, Range};
use crate::tree::{sort_key, Snapshot, Writer};
use crate::{Error, Result};

/// The most keys, or intervals, of one commit and table.
const EXACT: usize = 2048;
const INTERVALS: usize = 256;
/// The most and the least bytes of entries that are kept; in between, a share of the file.
const MOST: u64 = 4 << 20;
const LEAST: u64 = 1 << 18;
const SHARE: u64 = 16;

/// The key of the last commit whose entry is gone, and of the bytes of all entries.
const PRUNED: &[u8] = b"log-pruned";
const BYTES: &[u8] = b"log-bytes";

/// Collects what one transaction touches. Entry: micros of the clock i64, engine u64, then records: table u32,
/// buffered commit u64 (0: none), first and last sort key, each with its length u32.
pub(super) struct Touched {
    bytes: Vec<u8>,
}

/// A key, and the buffered commit that wrote it or 0.
pub(super) type Touch<'a> = (KeyRef<'a>, u64);

impl Touched {
    pub fn new(engine: u64, now: i64) -> Touched {
        let mut bytes = now.to_le_bytes().to_vec();
        bytes.extend_from_slice(&engine.to_le_bytes());
        Touched { bytes }
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.len() <= 16
    }

    /// Adds sorted keys of a table.
    pub fn add<'a>(&mut self, table: u32, count: usize, keys: impl Iterator<Item = Touch<'a>>) {
        let step = match count {
            0..=EXACT => 1,
            _ => count.div_ceil(INTERVALS),
        };
        let mut open: Option<(KeyRef<'a>, KeyRef<'a>, u64)> = None;
        for (place, (key, commit)) in keys.enumerate() {
            open = Some(match open.take() {
                // An interval that holds a key of no buffered commit has none itself.
                Some((first, _, held)) if place % step != 0 => {
                    (first, key, if held == 0 { 0 } else { held.max(commit) })
                }
                done => {
                    self.record(table, done);
                    (key, key, commit)
                }
            });
        }
        self.record(table, open);
    }

    /// As [`Touched::add`], for cells that no buffered commit wrote: only the ends of intervals are looked at.
    pub fn add_cells(&mut self, table: u32, cells: &[CellRef<'_>]) {
        let step = match cells.len() {
            0..=EXACT => 1,
            count => count.div_ceil(INTERVALS),
        };
        for interval in cells.chunks(step) {
            if let (Some(first), Some(last)) = (interval.first(), interval.last()) {
                self.record(table, Some((first.key, last.key, 0)));
            }
        }
    }

    fn record(&mut self, table: u32, interval: Option<(KeyRef<'_>, KeyRef<'_>, u64)>) {
        let Some((first, last, commit)) = interval else {
            return;
        };
        self.bytes.extend_from_slice(&table.to_le_bytes());
        self.bytes.extend_from_slice(&commit.to_le_bytes());
        let mut key = Vec::new();
        for bound in [first, last] {
            sort_key(&bound, &mut key);
            self.bytes
                .extend_from_slice(&(key.len() as u32).to_le_bytes());
            self.bytes.extend_from_slice(&key);
        }
    }

    /// Writes the entry and drops old ones.
    pub fn write(self, writer: &mut Writer<'_>, commit: u64, oldest: i64) -> Result<()> {
        let snapshot = std::sync::Arc::clone(writer.snapshot());
        let added = self.bytes.len() as u64;
        let mut bytes = writer.get_number(BYTES)?.unwrap_or_default() + added;
        let kept = (writer.file_bytes()? / SHARE).clamp(LEAST, MOST);
        let pruned = writer.get_number(PRUNED)?.unwrap_or_default();
        let mut last = pruned;
        snapshot.log_while(pruned, |commit, entry| {
            let old = number(entry, 0).is_none_or(|micros| (micros as i64) < oldest);
            if !old && bytes <= kept {
                return false;
            }
            bytes = bytes.saturating_sub(entry.len() as u64);
            last = commit;
            true
        })?;
        if last > pruned {
            writer.prune_log(last)?;
            writer.put_number(PRUNED, last)?;
        }
        writer.put_number(BYTES, bytes)?;
        writer.put_log(commit, &self.bytes)
    }
}

/// Removes all entries: snapshots from before can only be a conflict.
pub(super) fn clear(writer: &mut Writer<'_>) -> Result<()> {
    let last = writer.get_number(COMMITS)?.unwrap_or_default();
    writer.prune_log(last)?;
    writer.put_number(PRUNED, last)?;
    writer.put_number(BYTES, 0)
}

/// Whether the log knows of a change of a range of a table since a snapshot; `now` is the state to look at.
pub(super) fn changed_since(
    now: &std::sync::Arc<Snapshot>,
    since: &View,
    engine: u64,
    ranges: &[(u32, &Range)],
) -> Result<Option<u32>> {
    if now.meta_number(PRUNED)?.unwrap_or_default() > since.logged {
        return Err(Error::Conflict(
            "the snapshot is too old to tell what was written since: read again".into(),
        ));
    }
    let mut listed: BTreeMap<u32, Vec<Bounds>> = BTreeMap::new();
    for (table, range) in ranges {
        listed.entry(*table).or_default().push(Bounds::of(range));
    }
    let bounds = listed.into_iter();
    let bounds = bounds
        .map(|(table, bounds)| (table, Asked::new(bounds)))
        .collect();
    let mut found = Ok(None);
    now.log_while(since.logged, |_, entry| {
        found = search(entry, &bounds, engine, since.buffered);
        matches!(found, Ok(None))
    })?;
    found
}

fn search(
    entry: &[u8],
    bounds: &BTreeMap<u32, Asked>,
    engine: u64,
    seen: u64,
) -> Result<Option<u32>> {
    let damaged = || Error::Corruption("the log of commits is damaged".into());
    let own = number(entry, 8).ok_or_else(damaged)? == engine;
    let mut rest = entry.get(16..).ok_or_else(damaged)?;
    while !rest.is_empty() {
        let (table, after) = rest.split_first_chunk().ok_or_else(damaged)?;
        let table = u32::from_le_bytes(*table);
        let (commit, after) = after.split_first_chunk().ok_or_else(damaged)?;
        let commit = u64::from_le_bytes(*commit);
        let (first, after) = counted(after).ok_or_else(damaged)?;
        let (last, after) = counted(after).ok_or_else(damaged)?;
        rest = after;
        if own && commit != 0 && commit <= seen {
            continue;
        }
        let asked = bounds.get(&table);
        if asked.is_some_and(|asked| asked.overlaps(first, last)) {
            return Ok(Some(table));
        }
    }
    Ok(None)
}

/// A range as sort keys.
struct Bounds {
    start: Option<Vec<u8>>,
    start_inclusive: bool,
    end: Option<Vec<u8>>,
    end_inclusive: bool,
}

impl Bounds {
    fn of(range: &Range) -> Bounds {
        let bytes = |key: &Option<crate::cells::Key>| {
            key.as_ref().map(|key| {
                let mut bytes = Vec::new();
                sort_key(&key.as_ref(), &mut bytes);
                bytes
            })
        };
        Bounds {
            start: bytes(&range.start),
            start_inclusive: range.start_inclusive,
            end: bytes(&range.end),
            end_inclusive: range.end_inclusive,
        }
    }

    /// Whether it starts at a key or before it.
    fn starts_by(&self, key: &[u8]) -> bool {
        let start = self.start.as_deref();
        start.is_none_or(|start| key > start || (key == start && self.start_inclusive))
    }

    /// Whether it ends at a key or behind it.
    fn reaches(&self, key: &[u8]) -> bool {
        let end = self.end.as_deref();
        end.is_none_or(|end| key < end || (key == end && self.end_inclusive))
    }

    /// The order of starts: none first.
    fn by_start(&self) -> (Option<&[u8]>, bool) {
        (self.start.as_deref(), !self.start_inclusive)
    }

    /// The order of ends: none last.
    fn by_end(&self) -> (bool, Option<&[u8]>, bool) {
        (self.end.is_none(), self.end.as_deref(), self.end_inclusive)
    }
}

/// Many ranges of one table, by their starts.
struct Asked {
    bounds: Vec<Bounds>,
    /// For each, which of those up to it ends last.
    furthest: Vec<usize>,
}

impl Asked {
    fn new(mut bounds: Vec<Bounds>) -> Asked {
        bounds.sort_by(|one, other| one.by_start().cmp(&other.by_start()));
        let mut furthest = Vec::with_capacity(bounds.len());
        let mut last: Option<(usize, &Bounds)> = None;
        for (place, one) in bounds.iter().enumerate() {
            let held = match last {
                Some((held, other)) if other.by_end() >= one.by_end() => (held, other),
                _ => (place, one),
            };
            furthest.push(held.0);
            last = Some(held);
        }
        Asked { bounds, furthest }
    }

    /// Whether any of them holds a key from `first` to `last`.
    fn overlaps(&self, first: &[u8], last: &[u8]) -> bool {
        let begun = self.bounds.partition_point(|one| one.starts_by(last));
        let furthest = begun.checked_sub(1).and_then(|at| self.furthest.get(at));
        let furthest = furthest.and_then(|at| self.bounds.get(*at));
        furthest.is_some_and(|one| one.reaches(first))
    }
}

fn number(bytes: &[u8], place: usize) -> Option<u64> {
    let chunk = bytes.get(place..).and_then(<[u8]>::first_chunk);
    chunk.map(|chunk| u64::from_le_bytes(*chunk))
}

fn counted(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    rest.split_at_checked(u32::from_le_bytes(*length) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(
        start: Option<u8>,
        start_inclusive: bool,
        end: Option<u8>,
        end_inclusive: bool,
    ) -> Bounds {
        Bounds {
            start: start.map(|byte| vec![byte]),
            start_inclusive,
            end: end.map(|byte| vec![byte]),
            end_inclusive,
        }
    }

    #[test]
    fn many_ranges_are_found_as_one_by_one() {
        let mut all = Vec::new();
        for start in [None, Some(1), Some(3), Some(4)] {
            for end in [None, Some(4), Some(5), Some(7)] {
                for flags in 0..4 {
                    all.push((start, flags & 1 == 0, end, flags & 2 == 0));
                }
            }
        }
        for (number, one) in all.iter().enumerate() {
            for other in all.iter().skip(number) {
                let listed = [one, other].map(|(a, b, c, d)| bounds(*a, *b, *c, *d));
                let asked = Asked::new(listed.into());
                for first in 0..9u8 {
                    for last in first..9 {
                        let keys = ([first], [last]);
                        let alone = |(a, b, c, d): &(Option<u8>, bool, Option<u8>, bool)| {
                            let one = bounds(*a, *b, *c, *d);
                            one.starts_by(&keys.1) && one.reaches(&keys.0)
                        };
                        let expected = alone(one) || alone(other);
                        assert_eq!(asked.overlaps(&keys.0, &keys.1), expected);
                    }
                }
            }
        }
    }
}
