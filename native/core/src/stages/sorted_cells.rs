//! Cells in memory as the bottom of a stack: for tests, and for languages that compare themselves
//! with the core.

use std::sync::Arc;

use super::{Cursor, Families, Source};
use crate::cells::{Cell, CellRef, Range};
use crate::Result;

/// Cells in key order; of equal keys the one written later comes first. Families are not looked at:
/// the stack does that.
pub struct SortedCells {
    cells: Arc<[Cell]>,
    at: usize,
    end: usize,
}

impl SortedCells {
    /// Takes cells in the order they were written.
    pub fn new(mut written: Vec<Cell>) -> SortedCells {
        written.reverse();
        written.sort_by(|left, right| left.key.cmp(&right.key));
        SortedCells {
            cells: written.into(),
            at: 0,
            end: 0,
        }
    }
}

impl Cursor for SortedCells {
    fn seek(&mut self, range: &Range, _: &Families) -> Result<()> {
        let before = |cell: &Cell| range.is_before(&cell.key.as_ref());
        let beyond = |cell: &Cell| range.is_beyond(&cell.key.as_ref());
        self.at = self.cells.partition_point(before);
        self.end = self.cells.partition_point(|cell| !beyond(cell));
        Ok(())
    }

    fn top(&self) -> Option<CellRef<'_>> {
        let rest = self.cells.get(self.at..self.end)?;
        rest.first().map(Cell::as_ref)
    }

    fn advance(&mut self) -> Result<()> {
        if self.at < self.end {
            self.at += 1;
        }
        Ok(())
    }

    fn fork(&self) -> Source {
        Box::new(SortedCells {
            cells: Arc::clone(&self.cells),
            at: 0,
            end: 0,
        })
    }
}
