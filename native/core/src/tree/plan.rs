//! Which block a key belongs to, and what a tree must change to take cells.

use std::ops::Bound;
use std::sync::Arc;

use super::counters::Counts;
use super::keys::{chained, named, prefix, Held, PREFIX, STEM};
use super::mapped::{Entry, Mapped, Snapshot};
use super::overflow::Reference;
use super::sort_key::{append_sort_key, sort_key};
use super::{Level, TreeId};
use crate::block::{CellCursor, Page};
use crate::cells::{CellRef, Key, KeyRef};
use crate::Result;

/// One tree of a snapshot.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    pub snapshot: Arc<Snapshot>,
    pub prefix: [u8; PREFIX],
}

impl Tree {
    pub fn new(snapshot: &Arc<Snapshot>, tree: TreeId, level: Level) -> Tree {
        Tree {
            snapshot: Arc::clone(snapshot),
            prefix: prefix(tree, level),
        }
    }

    /// The block that `key` belongs to; none where the tree is empty.
    pub fn locate(&self, key: &KeyRef<'_>, scratch: &mut Vec<u8>) -> Result<Option<Entry>> {
        scratch.clear();
        scratch.extend_from_slice(&self.prefix);
        append_sort_key(key, scratch);
        if scratch.len() > PREFIX + STEM {
            scratch.truncate(PREFIX + STEM);
            let stem = scratch.get(PREFIX..).unwrap_or_default();
            if let Some(found) = self.locate_in_chain(stem, key)? {
                return Ok(Some(found));
            }
        }
        let found = self.snapshot.at_or_before(scratch)?;
        Ok(found.filter(|entry| entry.key.starts_with(&self.prefix)))
    }

    /// The last block of a chain whose first cell is not behind `key`.
    fn locate_in_chain(&self, stem: &[u8], key: &KeyRef<'_>) -> Result<Option<Entry>> {
        let chain = [&self.prefix, stem].concat();
        let (mut low, mut high, mut found) = (0u64, 1u64 << 32, None);
        while low < high {
            let middle = low + (high - low) / 2;
            let from = chained(&self.prefix, stem, middle as u32);
            let entry = self.snapshot.first(Bound::Included(&from), &chain)?;
            let ordinal = |entry: &Entry| Held::of(&entry.key).ordinal_in(stem).map(u64::from);
            match entry.as_ref().and_then(ordinal).zip(entry) {
                Some((ordinal, entry)) if ordinal < high => {
                    if first_key(&entry)?.as_ref() <= *key {
                        found = Some(entry);
                        low = ordinal + 1;
                    } else {
                        high = middle;
                    }
                }
                _ => high = middle,
            }
        }
        Ok(found)
    }

    /// The block behind the one at `key`.
    pub fn next(&self, key: &[u8]) -> Result<Option<Entry>> {
        self.snapshot.first(Bound::Excluded(key), &self.prefix)
    }

    /// The first block of the tree.
    pub fn first(&self) -> Result<Option<Entry>> {
        self.snapshot
            .first(Bound::Included(&self.prefix), &self.prefix)
    }
}

/// Where a block starts, for deciding which side of it a key is on.
#[derive(Debug)]
pub(super) enum Start {
    Plain(Vec<u8>),
    Cut(Key),
}

impl Start {
    pub fn of(entry: &Entry) -> Result<Start> {
        Ok(match Held::of(&entry.key) {
            Held::Plain(separator) => Start::Plain(separator.to_vec()),
            Held::Cut { .. } => Start::Cut(first_key(entry)?),
        })
    }

    /// Whether this block, or a later one, can hold cells before `key`.
    pub fn is_before(&self, key: &KeyRef<'_>, scratch: &mut Vec<u8>) -> bool {
        match self {
            Start::Plain(separator) => {
                sort_key(key, scratch);
                separator.as_slice() < scratch.as_slice()
            }
            Start::Cut(first) => first.as_ref() < *key,
        }
    }

    /// Whether `key` belongs to an earlier block.
    pub fn is_behind(&self, key: &KeyRef<'_>, scratch: &mut Vec<u8>) -> bool {
        match self {
            Start::Plain(separator) => {
                sort_key(key, scratch);
                scratch.as_slice() < separator.as_slice()
            }
            Start::Cut(first) => *key < first.as_ref(),
        }
    }

    /// How many of the sorted cells belong to earlier blocks; quick when few do.
    pub fn cells_before(&self, cells: &[CellRef<'_>], scratch: &mut Vec<u8>) -> usize {
        let mut before = |place: usize| {
            cells
                .get(place)
                .is_some_and(|cell| self.is_behind(&cell.key, scratch))
        };
        let mut step = 1;
        while before(step - 1) {
            step *= 2;
        }
        let (mut low, mut high) = (step / 2, (step - 1).min(cells.len()));
        while low < high {
            let middle = low + (high - low) / 2;
            if before(middle) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

/// The cells of a stored block, one after the other.
pub(super) struct Stored {
    page: Page<Mapped>,
    cursor: CellCursor,
    more: bool,
    pub counts: Counts,
}

impl Stored {
    pub fn open(entry: &Entry) -> Result<Stored> {
        let page = Page::open(entry.bytes.clone()).map_err(named(&entry.key))?;
        let mut cursor = CellCursor::default();
        let more = cursor.seek(&page.block(), 0).map_err(named(&entry.key))?;
        let mut counts = Counts {
            cells: page.block().cells() as u64,
            blocks: 1,
            bytes: entry.bytes.as_ref().len() as u64,
            overflow: 0,
        };
        if page.block().has_references() {
            counts.overflow = references(&page)?.iter().map(|held| held.length).sum();
        }
        Ok(Stored {
            page,
            cursor,
            more,
            counts,
        })
    }

    /// The cell it stands on and whether its value is a reference.
    pub fn top(&self) -> Option<(CellRef<'_>, bool)> {
        let block = self.page.block();
        self.more.then(|| {
            (
                self.cursor.cell(&block),
                block.is_reference(self.cursor.index()),
            )
        })
    }

    /// The references among its values.
    pub fn references(&self) -> Result<Vec<Reference>> {
        references(&self.page)
    }

    pub fn advance(&mut self) -> Result<()> {
        self.more = self.cursor.advance(&self.page.block())?;
        Ok(())
    }
}

fn references(page: &Page<Mapped>) -> Result<Vec<Reference>> {
    let block = page.block();
    let Some(values) = block.values() else {
        return Ok(Vec::new());
    };
    (0..block.cells())
        .filter(|&cell| block.is_reference(cell))
        .map(|cell| Reference::read(values.span(block.body(), cell)?.of(block.body())))
        .collect()
}

/// The key of the first cell of a block.
pub(super) fn first_key(entry: &Entry) -> Result<Key> {
    let stored = Stored::open(entry)?;
    Ok(stored
        .top()
        .map(|(cell, _)| cell.key.to_owned())
        .unwrap_or_default())
}
