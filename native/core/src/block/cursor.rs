//! Walks the cells of a block; keeps its buffers, so that no cell costs an allocation.

use super::layout::Values;
use super::span::Span;
use super::{corrupt, shred, Block, RowCursor};
use crate::cells::{CellRef, KeyRef};
use crate::Result;

/// A place among the cells of a block. Every call must be given the same block until the next seek.
#[derive(Debug, Clone, Default)]
pub struct CellCursor {
    index: usize,
    row_end: usize,
    rows: RowCursor,
    family: Span,
    qualifier: Span,
    visibility: Span,
    timestamp: i64,
    deleted: bool,
    value: Span,
    rebuilt: Vec<u8>,
    is_rebuilt: bool,
}

impl CellCursor {
    /// The number of the cell it stands on.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Goes to a cell by its number; `false` behind the last.
    pub fn seek(&mut self, block: &Block<'_>, index: usize) -> Result<bool> {
        self.index = index;
        if index >= block.cells() {
            return Ok(false);
        }
        let row = block.row_of(index)?;
        self.rows.seek(block, row)?;
        self.row_end = block.row_start(row + 1)?;
        self.load(block)?;
        Ok(true)
    }

    /// Goes to the first cell that is not less than `key`; `false` when all are.
    pub fn seek_key(&mut self, block: &Block<'_>, key: &KeyRef<'_>) -> Result<bool> {
        self.index = block.lower_bound(key, &mut self.rows)?;
        if self.index >= block.cells() {
            return Ok(false);
        }
        // The rows stand on the first that is not less; all of its cells may be.
        self.row_end = block.row_start(self.rows.index() + 1)?;
        if self.index >= self.row_end {
            self.next_row(block)?;
        }
        self.load(block)?;
        Ok(true)
    }

    /// Goes to the next cell; `false` behind the last.
    #[inline]
    pub fn advance(&mut self, block: &Block<'_>) -> Result<bool> {
        self.index += 1;
        if self.index >= block.cells() {
            return Ok(false);
        }
        if self.index >= self.row_end {
            self.next_row(block)?;
        }
        self.load(block)?;
        Ok(true)
    }

    /// Goes to the next cell, which there must be, for whoever reads columns: of the cell only row and
    /// number count until [`CellCursor::load`]. Says whether the row is another one.
    #[inline]
    pub(crate) fn step(&mut self, block: &Block<'_>) -> Result<bool> {
        self.index += 1;
        let turns = self.index >= self.row_end;
        if turns {
            self.next_row(block)?;
        }
        Ok(turns)
    }

    /// The row it stands in.
    #[inline]
    pub(crate) fn row(&self) -> &[u8] {
        self.rows.row()
    }

    #[inline]
    fn next_row(&mut self, block: &Block<'_>) -> Result<()> {
        if !self.rows.advance(block)? {
            return Err(corrupt("it has fewer rows than its cells need"));
        }
        self.row_end = block.row_start(self.rows.index() + 1)?;
        if self.row_end <= self.index {
            return Err(corrupt("the runs of rows are out of order"));
        }
        Ok(())
    }

    /// The cell it stands on; a reference is given as the bytes that stand for the value.
    #[inline]
    pub fn cell<'a>(&'a self, block: &Block<'a>) -> CellRef<'a> {
        let body = block.body();
        CellRef {
            key: KeyRef {
                row: self.rows.row(),
                family: self.family.of(body),
                qualifier: self.qualifier.of(body),
                visibility: self.visibility.of(body),
                timestamp: self.timestamp,
                deleted: self.deleted,
            },
            value: if self.is_rebuilt {
                &self.rebuilt
            } else {
                self.value.of(body)
            },
        }
    }

    /// Reads the cell it stands on.
    #[inline]
    pub(crate) fn load(&mut self, block: &Block<'_>) -> Result<()> {
        let (body, layout, index) = (block.body(), block.layout(), self.index);
        self.family = layout.families.span(body, index)?;
        self.qualifier = layout.qualifiers.span(body, index)?;
        self.visibility = layout.visibilities.span(body, index)?;
        self.timestamp = layout.times.get(body, index)?;
        self.deleted = block.is_deleted(index);
        match &layout.values {
            Values::Whole(values) => self.value = values.span(body, index)?,
            Values::Shredded(properties) => {
                shred::rebuild(body, properties, index, &mut self.rebuilt)?;
            }
        }
        self.is_rebuilt = matches!(layout.values, Values::Shredded(_));
        Ok(())
    }
}
