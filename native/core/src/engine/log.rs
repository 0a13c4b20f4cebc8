//! What recent commits touched, kept in the store for writers that depend on what they read.
//!
//! An entry lists, per table, the keys of a commit or, of a large one, intervals of keys. It never lists less than
//! what was touched. Old entries go; a snapshot older than the oldest entry can only be a conflict.

use std::collections::BTreeMap;

use super::snapshot::View;
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
    let mut bounds: BTreeMap<u32, Vec<Bounds>> = BTreeMap::new();
    for (table, range) in ranges {
        bounds.entry(*table).or_default().push(Bounds::of(range));
    }
    let mut found = Ok(None);
    now.log_while(since.logged, |_, entry| {
        found = search(entry, &bounds, engine, since.buffered);
        matches!(found, Ok(None))
    })?;
    found
}

fn search(
    entry: &[u8],
    bounds: &BTreeMap<u32, Vec<Bounds>>,
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
        let asked = bounds.get(&table).into_iter().flatten();
        if asked.into_iter().any(|bounds| bounds.overlap(first, last)) {
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

    fn overlap(&self, first: &[u8], last: &[u8]) -> bool {
        let behind = self
            .start
            .as_deref()
            .is_none_or(|start| last > start || (last == start && self.start_inclusive));
        let before = self
            .end
            .as_deref()
            .is_none_or(|end| first < end || (first == end && self.end_inclusive));
        behind && before
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
