//! Some rows of a locality group, several of its trees woven into the oldest of them, for merges that leave lone cells
//! as they are.
//!
//! A lone cell is no delete marker and has a column that no other cell has. Most cells are lone; they are
//! copied from block to block by stretches, unread. All others go through the stages of the merge.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Range as Places;
use std::sync::atomic::AtomicU64;
use std::sync::Arc;

use super::counters::Counts;
use super::mapped::{Entry, Snapshot};
use super::overflow::{self, Reference};
use super::packer::{Packer, Piece};
use super::run::Run;
use super::strands::{Held, Step, Strand};
use super::weave_fold::Folded;
use crate::block::Unpacked;
use crate::cells::{CellRef, KeyRef, Range};
use crate::stages::{Fold, Source};
use crate::Result;

/// What a merge makes of cells that are not lone.
#[derive(Clone, Copy)]
pub enum Transform<'a> {
    /// Puts the stages of the merge on some cells of a range.
    Stages(&'a (dyn Fn(Source, &Range) -> Result<Source> + Sync)),
    /// Gives what makes one cell of those of a column: cheaper than stages that do no more than that.
    Fold(&'a (dyn Fn() -> Box<dyn Fold> + Sync)),
}

/// Reads a long value, and notes that its entry is to go.
pub(super) type Load<'a> = dyn FnMut(&Reference, &mut Vec<u64>) -> Result<Vec<u8>> + 'a;

/// So many blocks are held before what is known of their cells is written.
const HELD: usize = 16;

/// What becomes of one level of a part.
#[derive(Debug, Default)]
pub(super) struct Side {
    /// The keys of the blocks that the part read, with what they hold.
    pub old: Vec<(Vec<u8>, Counts)>,
    pub pieces: Vec<Piece>,
    pub overflow: u64,
    /// Whether any cell went or came.
    pub changed: bool,
}

/// What becomes of a part.
#[derive(Debug, Default)]
pub(super) struct Woven {
    /// Of each tree, the oldest first.
    pub sides: Vec<Side>,
    pub values: Vec<(u64, Cow<'static, [u8]>)>,
    pub freed: Vec<u64>,
    /// How many cells passed unread, and how many the stages gave.
    pub lone: u64,
    pub given: u64,
    pub folded: Folded,
}

/// Rows of one locality group that one thread weaves.
pub(super) struct Part<'a> {
    pub snapshot: &'a Arc<Snapshot>,
    /// Of each tree the blocks that may hold cells of the range, the oldest tree, which takes them all, first.
    pub entries: Vec<Vec<Entry>>,
    pub range: Range,
    /// Whether what stands before and behind the range in its blocks is this part's to keep.
    pub keeps: (bool, bool),
    /// One for each tree.
    pub packers: Vec<Packer>,
    /// Without stages every cell is as good as lone.
    pub transform: Option<Transform<'a>>,
    /// Whether a family belongs to the tree.
    pub belongs: &'a (dyn Fn(&[u8]) -> bool + Sync),
    pub ids: &'a AtomicU64,
}

impl Part<'_> {
    /// Weaves the part; nothing where a family does not belong to the tree.
    pub fn weave(self) -> Result<Option<Woven>> {
        let snapshot = self.snapshot;
        let count = self.entries.len();
        let mut weaver = Weaver {
            strands: self.entries.into_iter().map(Strand::new).collect(),
            packers: self.packers,
            staged: self.transform.is_some(),
            order: Vec::with_capacity(count),
            heads: vec![0; count],
            range: &self.range,
            keeps: self.keeps,
            belongs: self.belongs,
            pages: Vec::new(),
            spare: Vec::new(),
            steps: Vec::new(),
            last: None,
            others: Run::default(),
            made: Vec::new(),
            scratch: Vec::new(),
            woven: Woven {
                sides: (0..count).map(|_| Side::default()).collect(),
                ..Woven::default()
            },
        };
        let mut value = Vec::new();
        for level in 0..count {
            if !weaver.fill(level)? {
                return Ok(None);
            }
            weaver.place(level);
        }
        let mut load = |reference: &Reference, freed: &mut Vec<u64>| {
            overflow::get(snapshot, reference, &mut value)?;
            freed.push(reference.id);
            Ok(value.clone())
        };
        if let Some(Transform::Fold(fold)) = self.transform {
            let mut fold = fold();
            while let Some(&level) = weaver.order.first() {
                if weaver.pages.len() >= HELD.max(2 * count) {
                    weaver.write(None, self.ids)?;
                }
                if !weaver.fold_some(level, fold.as_mut(), &mut load)? {
                    return Ok(None);
                }
            }
        }
        while let Some((level, end)) = weaver.next() {
            if weaver.pages.len() >= HELD.max(2 * count)
                && !(weaver.staged && weaver.goes_on(level))
            {
                weaver.write(self.transform, self.ids)?;
            }
            weaver.take(level, end, &mut load)?;
            if !weaver.fill(level)? {
                return Ok(None);
            }
            weaver.place_first();
        }
        weaver.write(self.transform, self.ids)?;
        weaver.finish().map(Some)
    }
}

pub(super) struct Weaver<'a> {
    pub strands: Vec<Strand>,
    pub packers: Vec<Packer>,
    staged: bool,
    /// The levels that stand on a cell, by the order of these.
    pub order: Vec<usize>,
    /// Of each level that stands on a cell the first bytes of its row, as a number: they decide nearly always.
    pub heads: Vec<u128>,
    pub range: &'a Range,
    pub keeps: (bool, bool),
    belongs: &'a (dyn Fn(&[u8]) -> bool + Sync),
    pub pages: Vec<Held>,
    pub spare: Vec<Held>,
    pub steps: Vec<Step>,
    /// The newest cell that was taken: its block and number.
    pub last: Option<(usize, usize)>,
    /// The cells that are not lone, since the last time that all was written.
    pub others: Run,
    /// The values that were made of several, one behind the other.
    pub made: Vec<u8>,
    pub scratch: Vec<u8>,
    pub woven: Woven,
}

impl Weaver<'_> {
    /// Opens blocks until the level stands on a cell of the range or has no more; `false` where a family
    /// does not belong to the tree.
    pub fn fill(&mut self, level: usize) -> Result<bool> {
        while self.top(level).is_none() {
            let Some(entry) = self.strands.get_mut(level).and_then(|s| s.entries.next()) else {
                return Ok(true);
            };
            let mut held = self.spare.pop().unwrap_or_default();
            held.block.read(&entry)?;
            let cells = &mut held.block.cells;
            if !cells.families().all(self.belongs) {
                return Ok(false);
            }
            let bound = |key: &Option<crate::cells::Key>, open: usize| match key {
                Some(key) => cells.lower_bound(0, &key.as_ref()),
                None => open,
            };
            let start = bound(&self.range.start, 0);
            let end = bound(&self.range.end, cells.len()).max(start);
            let counts = held.block.counts;
            if let (true, Some(packer)) = (self.keeps.0, self.packers.get_mut(level)) {
                packer.push_stretch(cells, 0..start)?;
            }
            held.block.at = start;
            if let Some(side) = self.woven.sides.get_mut(level) {
                side.old.push((entry.key, counts));
                side.changed |= start < end;
            }
            if start < end {
                match self.staged {
                    true => held.judge(),
                    false => held.others.clear(),
                }
                self.pages.push(held);
                let page = self.pages.len() - 1;
                if let Some(strand) = self.strands.get_mut(level) {
                    (strand.page, strand.end) = (Some(page), end);
                }
            } else if let Some(strand) = self.strands.get_mut(level) {
                // Nothing of the range: it lies before it, or behind.
                match end < held.block.cells.len() && self.keeps.1 {
                    true => strand.rest = Some(held.block),
                    false => self.spare.push(held),
                }
            }
        }
        Ok(true)
    }

    /// The block and the number of the cell that a level stands on.
    pub fn top(&self, level: usize) -> Option<(usize, usize)> {
        let strand = self.strands.get(level)?;
        let page = strand.page?;
        let at = self.pages.get(page)?.block.at;
        (at < strand.end).then_some((page, at))
    }

    pub fn cells(&self, page: usize) -> Option<&Unpacked> {
        self.pages.get(page).map(|held| &held.block.cells)
    }

    pub fn key(&self, (page, cell): (usize, usize)) -> Option<KeyRef<'_>> {
        self.cells(page).map(|cells| cells.key(cell))
    }

    /// Whether the cell of one level comes before that of another. At fully equal keys the younger level is first.
    fn is_before(&self, level: usize, other: usize) -> bool {
        match self.heads.get(level).cmp(&self.heads.get(other)) {
            Ordering::Equal => {}
            order => return order == Ordering::Less,
        }
        let (Some((page, cell)), Some((with, place))) = (self.top(level), self.top(other)) else {
            return self.top(level).is_some();
        };
        let (Some(cells), Some(others)) = (self.cells(page), self.cells(with)) else {
            return false;
        };
        match cells.compare_with(cell, others, place) {
            Ordering::Equal => level > other,
            order => order == Ordering::Less,
        }
    }

    /// Puts a level into its place in the order; one without cells is left out.
    fn place(&mut self, level: usize) {
        if let Some((page, cell)) = self.top(level) {
            let head = self.cells(page).map_or(0, |cells| cells.row_head(cell));
            if let Some(held) = self.heads.get_mut(level) {
                *held = head;
            }
            let order = self.order.as_slice();
            let place = order.partition_point(|other| self.is_before(*other, level));
            self.order.insert(place, level);
        }
    }

    /// Puts the first level, which went on, into its new place.
    pub fn place_first(&mut self) {
        if !self.order.is_empty() {
            let level = self.order.remove(0);
            self.place(level);
        }
    }

    /// The level with the least cell, and how far its cells go before those of the others.
    fn next(&self) -> Option<(usize, usize)> {
        let level = *self.order.first()?;
        let end = self.strands.get(level).map_or(0, |strand| strand.end);
        let Some(&other) = self.order.get(1) else {
            return Some((level, end));
        };
        let (page, cell) = self.top(level)?;
        let bound = self.top(other).and_then(|top| self.key(top))?;
        let cells = self.cells(page)?;
        let far = match other > level {
            true => cells.lower_bound(cell + 1, &bound),
            false => cells.upper_bound(cell + 1, &bound),
        };
        Some((level, far.min(end)))
    }

    /// Whether the next cell, of this level, has the column of the last.
    fn goes_on(&self, level: usize) -> bool {
        let next = self.top(level).and_then(|top| self.key(top));
        let last = self.last.and_then(|last| self.key(last));
        match (next, last) {
            (Some(next), Some(last)) => next.column() == last.column(),
            _ => false,
        }
    }

    /// Takes the cells of a level up to `end`.
    fn take(&mut self, level: usize, end: usize, load: &mut Load<'_>) -> Result<()> {
        let Some((page, start)) = self.top(level) else {
            return Ok(());
        };
        let mut other = |weaver: &mut Self, page: usize, cell: usize| -> Result<()> {
            let Some(held) = weaver.pages.get(page) else {
                return Ok(());
            };
            let cells = &held.block.cells;
            let (mut scratch, loaded);
            scratch = Vec::new();
            let mut value = cells.value(cell, &mut scratch);
            if cells.is_reference(cell) {
                loaded = load(&Reference::read(value)?, &mut weaver.woven.freed)?;
                value = &loaded;
            }
            let key = cells.key(cell);
            weaver.others.push(&CellRef { key, value }, 0);
            Ok(())
        };
        let mut from = start;
        // A cell of another block may turn out to have company only now.
        if self
            .last
            .is_some_and(|last| self.staged && (last.0 != page || last.1 + 1 != start))
            && self.goes_on(level)
        {
            if let Some((last_page, last)) = self.last {
                if self.take_back(last_page, last) {
                    other(self, last_page, last)?;
                }
            }
            other(self, page, start)?;
            from = start + 1;
        }
        while from < end {
            let Some(held) = self.pages.get(page) else {
                break;
            };
            let alike = |cell: &usize| held.is_lone(*cell) == held.is_lone(from);
            let stop = match held.others.is_empty() {
                true => end,
                false => (from..end).find(|cell| !alike(cell)).unwrap_or(end),
            };
            if held.is_lone(from) {
                self.pass(page, from..stop);
            } else {
                for cell in from..stop {
                    other(self, page, cell)?;
                }
            }
            from = stop;
        }
        if let Some(held) = self.pages.get_mut(page) {
            held.block.at = end;
        }
        self.last = Some((page, end - 1));
        Ok(())
    }

    /// Notes lone cells to copy.
    pub fn pass(&mut self, page: usize, cells: Places<usize>) {
        let behind = self.others.len();
        match self.steps.last_mut() {
            Some(last)
                if last.page == page
                    && last.cells.end == cells.start
                    && last.behind == behind
                    && last.made.is_none() =>
            {
                last.cells.end = cells.end;
            }
            _ => self.steps.push(Step {
                page,
                cells,
                behind,
                made: None,
            }),
        }
    }

    /// Takes a lone cell back that was noted last; `false` where it is not among the lone.
    fn take_back(&mut self, page: usize, cell: usize) -> bool {
        let behind = self.others.len();
        let Some(last) = self.steps.last_mut() else {
            return false;
        };
        if last.page != page || last.cells.end != cell + 1 || last.behind != behind {
            return false;
        }
        last.cells.end = cell;
        if last.cells.is_empty() {
            self.steps.pop();
        }
        true
    }
}
