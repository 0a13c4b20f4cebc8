//! Which visible cells of a block follow another visible one of their element, where labels are merged.
//!
//! Nothing that is asked follows from the label, so all visible cells of an element are alike: the first counts, the
//! others add to it.

use super::{Step, Stop};
use crate::block::{Block, RowCursor};
use crate::cells::{Key, KeyRef};
use crate::Result;

/// Walks the blocks of a tree in order.
#[derive(Debug, Default)]
pub struct Merged {
    /// The element of the last visible cell so far; its label says nothing.
    last: Option<Key>,
    rows: RowCursor,
    starts: Vec<u32>,
    /// One for each cell of the block at hand: it is not visible, or not the first of its element.
    pub marks: Vec<bool>,
}

impl Merged {
    /// Starts at the first block of a tree.
    pub fn start(&mut self) {
        self.last = None;
    }

    /// Starts behind a block.
    pub fn start_behind(
        &mut self,
        block: &Block<'_>,
        visible: impl Fn(usize) -> Result<bool>,
    ) -> Step<()> {
        self.last = None;
        let mut cell = block.cells();
        while let Some(before) = cell.checked_sub(1) {
            if visible(before)? {
                return Ok(self.hold(block, before)?);
            }
            cell = before;
        }
        // An element that began before this block may have been seen there.
        match block.rows() {
            1 => Err(Stop::Unfit),
            _ => Ok(()),
        }
    }

    /// Marks the cells of the next block; `same` tells whether two cells of one row have family and qualifier in
    /// common.
    pub fn mark(
        &mut self,
        block: &Block<'_>,
        visible: impl Fn(usize) -> Result<bool>,
        same: impl Fn(usize, usize) -> Result<bool>,
    ) -> Result<()> {
        self.marks.clear();
        self.marks.resize(block.cells(), true);
        let shares_rows = block.copy_row_starts(&mut self.starts)?;
        let mut starts = self.starts.iter().map(|start| *start as usize).peekable();
        let (mut first, mut last) = (None, None);
        let mut before: Option<usize> = None;
        for (cell, mark) in self.marks.iter_mut().enumerate() {
            if !shares_rows || starts.next_if_eq(&cell).is_some() {
                before = None;
            }
            if !visible(cell)? {
                continue;
            }
            *mark = match before {
                Some(before) => same(before, cell)?,
                None => false,
            };
            first = first.or(Some(cell));
            (before, last) = (Some(cell), Some(cell));
        }
        let (Some(first), Some(last)) = (first, last) else {
            return Ok(());
        };
        if self.is_of_last(block, first)? {
            if let Some(mark) = self.marks.get_mut(first) {
                *mark = true;
            }
        }
        self.hold(block, last)
    }

    /// The same for a block each of whose rows has one cell, where only cells that follow another one are asked for: no marks
    /// say that none does.
    pub fn mark_lone(&mut self, block: &Block<'_>, visible: impl Fn(usize) -> bool) -> Result<()> {
        self.marks.clear();
        let mut cells = 0..block.cells();
        let Some(first) = cells.find(|&cell| visible(cell)) else {
            return Ok(());
        };
        if self.is_of_last(block, first)? {
            self.marks.resize(block.cells(), false);
            if let Some(mark) = self.marks.get_mut(first) {
                *mark = true;
            }
        }
        let last = cells.rfind(|&cell| visible(cell));
        self.hold(block, last.unwrap_or(first))
    }

    /// The element of the last visible cell.
    pub fn last(&self) -> Option<&Key> {
        self.last.as_ref()
    }

    fn is_of_last(&mut self, block: &Block<'_>, cell: usize) -> Result<bool> {
        let Some(last) = &self.last else {
            return Ok(false);
        };
        self.rows.seek(block, block.row_of(cell)?)?;
        Ok(self.rows.row() == last.row && is_column(block, cell, last)?)
    }

    fn hold(&mut self, block: &Block<'_>, cell: usize) -> Result<()> {
        let body = block.body();
        self.rows.seek(block, block.row_of(cell)?)?;
        let last = self.last.get_or_insert_with(Key::default);
        last.assign(&KeyRef {
            row: self.rows.row(),
            family: block.families().span(body, cell)?.of(body),
            qualifier: block.qualifiers().span(body, cell)?.of(body),
            visibility: &[],
            timestamp: 0,
            deleted: false,
        });
        Ok(())
    }
}

/// Whether a cell has the family and the qualifier of a key.
pub fn is_column(block: &Block<'_>, cell: usize, key: &Key) -> Result<bool> {
    let body = block.body();
    Ok(
        block.qualifiers().span(body, cell)?.of(body) == key.qualifier
            && block.families().span(body, cell)?.of(body) == key.family,
    )
}

/// Whether two cells of a block have family and qualifier in common.
pub fn same_column(block: &Block<'_>, one: usize, other: usize) -> Result<bool> {
    let body = block.body();
    for column in [block.qualifiers(), block.families()] {
        let (one, other) = (column.span(body, one)?, column.span(body, other)?);
        if one != other && one.of(body) != other.of(body) {
            return Ok(false);
        }
    }
    Ok(true)
}
