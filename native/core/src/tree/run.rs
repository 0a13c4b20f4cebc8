//! Runs: sorted cells in memory, read as the newest level above the trees.
//!
//! A run holds the cells of all locality groups of a table, as one or several commits wrote them. It never
//! changes; two runs become one by [`Run::join`].

use std::sync::Arc;

use super::sort::sort_batch;
use crate::cells::{CellRef, KeyRef, Range};
use crate::stages::{Cursor, Families, Source};
use crate::Result;

/// Sorted cells that never change; of fully equal keys the one written later comes first.
#[derive(Debug, Default)]
pub struct Run {
    /// Row, family, qualifier, visibility and value of each cell, one behind the other.
    bytes: Vec<u8>,
    cells: Vec<CellPlace>,
}

/// Where the parts of a cell lie, and the rest of it.
#[derive(Debug, Clone, Copy)]
struct CellPlace {
    start: usize,
    row: u32,
    family: u32,
    qualifier: u32,
    visibility: u32,
    value: usize,
    timestamp: i64,
    deleted: bool,
    /// Which commit wrote it; numbers rise.
    commit: u64,
}

impl Run {
    /// Makes a run of cells in the order they were written by `commit`.
    pub fn written(mut cells: Vec<CellRef<'_>>, commit: u64) -> Run {
        sort_batch(&mut cells);
        let mut run = Run::default();
        for cell in &cells {
            run.push(cell, commit);
        }
        run
    }

    /// Makes a run of cells in the order of [`sort_batch`].
    pub(crate) fn sorted(cells: &[CellRef<'_>]) -> Run {
        let mut run = Run::default();
        for cell in cells {
            run.push(cell, 0);
        }
        run
    }

    /// Adds a cell, which must not come before the last.
    pub(crate) fn push(&mut self, cell: &CellRef<'_>, commit: u64) {
        let start = self.bytes.len();
        let key = &cell.key;
        for part in [
            key.row,
            key.family,
            key.qualifier,
            key.visibility,
            cell.value,
        ] {
            self.bytes.extend_from_slice(part);
        }
        self.cells.push(CellPlace {
            start,
            row: key.row.len() as u32,
            family: key.family.len() as u32,
            qualifier: key.qualifier.len() as u32,
            visibility: key.visibility.len() as u32,
            value: cell.value.len(),
            timestamp: key.timestamp,
            deleted: key.deleted,
            commit,
        });
    }

    /// Both runs as one; at fully equal keys the newer comes first.
    pub fn join(newer: &Run, older: &Run) -> Run {
        let mut run = Run {
            bytes: Vec::with_capacity(newer.bytes.len() + older.bytes.len()),
            cells: Vec::with_capacity(newer.len() + older.len()),
        };
        let (mut left, mut right) = (0, 0);
        loop {
            let (from, at) = match (newer.cell(left), older.cell(right)) {
                (None, None) => return run,
                (Some(_), None) => (newer, &mut left),
                (None, Some(_)) => (older, &mut right),
                (Some(new), Some(old)) if new.key <= old.key => (newer, &mut left),
                (Some(_), Some(_)) => (older, &mut right),
            };
            if let Some(cell) = from.cell(*at) {
                run.push(&cell, from.commit(*at));
            }
            *at += 1;
        }
    }

    /// The same cells at other times: `time` gives that of a commit.
    pub fn retimed(&self, time: impl Fn(u64) -> i64) -> Run {
        let mut cells: Vec<(CellRef<'_>, u64)> = (0..self.len())
            .filter_map(|place| {
                let (mut cell, commit) = (self.cell(place)?, self.commit(place));
                cell.key.timestamp = time(commit);
                Some((cell, commit))
            })
            .collect();
        // Stable: what one commit wrote to equal keys stays in its order.
        cells.sort_by(|(left, _), (right, _)| left.key.cmp(&right.key));
        let mut run = Run::default();
        for (cell, commit) in &cells {
            run.push(cell, *commit);
        }
        run
    }

    /// How many cells it holds.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// About how much memory it takes.
    pub fn size_bytes(&self) -> usize {
        Run::size_of(self.len(), self.bytes.len())
    }

    /// The same of so many cells whose parts have so many bytes.
    pub(crate) fn size_of(cells: usize, bytes: usize) -> usize {
        bytes + cells * size_of::<CellPlace>()
    }

    /// A cell, by its place in the order.
    #[inline]
    pub fn cell(&self, index: usize) -> Option<CellRef<'_>> {
        let place = self.cells.get(index)?;
        let rest = self.bytes.get(place.start..)?;
        let (row, rest) = rest.split_at_checked(place.row as usize)?;
        let (family, rest) = rest.split_at_checked(place.family as usize)?;
        let (qualifier, rest) = rest.split_at_checked(place.qualifier as usize)?;
        let (visibility, rest) = rest.split_at_checked(place.visibility as usize)?;
        Some(CellRef {
            key: KeyRef {
                row,
                family,
                qualifier,
                visibility,
                timestamp: place.timestamp,
                deleted: place.deleted,
            },
            value: rest.get(..place.value)?,
        })
    }

    /// Which commit wrote a cell.
    pub fn commit(&self, index: usize) -> u64 {
        self.cells.get(index).map_or(0, |place| place.commit)
    }

    /// All cells in order.
    pub fn iter(&self) -> impl Iterator<Item = CellRef<'_>> {
        (0..self.len()).filter_map(|index| self.cell(index))
    }

    /// The places of the cells that lie in a range.
    pub fn span(&self, range: &Range) -> std::ops::Range<usize> {
        let start = self.first_that(|key| !range.is_before(key));
        let end = self.first_that(|key| range.is_beyond(key));
        start..end.max(start)
    }

    fn first_that(&self, holds: impl Fn(&KeyRef<'_>) -> bool) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.cell(middle).is_some_and(|cell| holds(&cell.key)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }
}

/// The cells of one run, within a range and of wanted families.
#[derive(Debug)]
pub struct RunCursor {
    run: Arc<Run>,
    families: Families,
    at: usize,
    end: usize,
}

impl RunCursor {
    pub fn new(run: Arc<Run>) -> RunCursor {
        RunCursor {
            run,
            families: Families::default(),
            at: 0,
            end: 0,
        }
    }

    /// A second cursor over the same run, not yet sought.
    pub fn again(&self) -> RunCursor {
        RunCursor::new(Arc::clone(&self.run))
    }

    fn settle(&mut self) {
        if self.families.names.is_empty() && !self.families.inclusive {
            return;
        }
        while let Some(cell) = self.top() {
            if self.families.wants(cell.key.family) {
                break;
            }
            self.at += 1;
        }
    }
}

impl Cursor for RunCursor {
    fn seek(&mut self, range: &Range, families: &Families) -> Result<()> {
        let span = self.run.span(range);
        (self.at, self.end) = (span.start, span.end);
        self.families.clone_from(families);
        self.settle();
        Ok(())
    }

    #[inline]
    fn top(&self) -> Option<CellRef<'_>> {
        match self.at < self.end {
            true => self.run.cell(self.at),
            false => None,
        }
    }

    #[inline]
    fn advance(&mut self) -> Result<()> {
        if self.at < self.end {
            self.at += 1;
            self.settle();
        }
        Ok(())
    }

    fn fork(&self) -> Source {
        Box::new(self.again())
    }
}
