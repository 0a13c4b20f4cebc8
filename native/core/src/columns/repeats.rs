//! Which cells of a block are not the first version of their column within their tree.

use crate::block::{Block, CellCursor, RowCursor};
use crate::cells::{Key, KeyRef};
use crate::Result;

/// Walks the blocks of a tree in order.
#[derive(Debug, Default)]
pub struct Repeats {
    /// The last cell of the block before.
    last: Option<Key>,
    cursor: CellCursor,
    rows: RowCursor,
    starts: Vec<u32>,
    /// One for each cell of the block at hand.
    pub marks: Vec<bool>,
}

impl Repeats {
    /// Starts behind this block, or at the first.
    pub fn start(&mut self, before: Option<&Block<'_>>) -> Result<()> {
        self.last = None;
        match before {
            None => Ok(()),
            Some(block) => self.hold_last(block),
        }
    }

    /// Marks the first cell of the next block, and no other.
    pub fn carry(&mut self, block: &Block<'_>) -> Result<()> {
        self.marks.clear();
        self.marks.resize(block.cells(), false);
        if let Some(last) = &self.last {
            self.rows.seek(block, 0)?;
            if self.rows.row() == last.row && self.cursor.seek(block, 0)? {
                let first = self.cursor.cell(block).key.column() == last.as_ref().column();
                if let Some(mark) = self.marks.first_mut() {
                    *mark = first;
                }
            }
        }
        self.hold_last(block)
    }

    /// Marks the cells of the block that follow another version of their column in it.
    pub fn mark(&mut self, block: &Block<'_>) -> Result<()> {
        if !block.copy_row_starts(&mut self.starts)? {
            return Ok(());
        }
        let ends = self.starts.iter().skip(1).copied();
        let ends = ends.chain([block.cells() as u32]);
        for (&start, end) in self.starts.iter().zip(ends) {
            for cell in start as usize + 1..end as usize {
                let repeat = same_column(block, cell)?;
                if let Some(mark) = self.marks.get_mut(cell) {
                    *mark = repeat;
                }
            }
        }
        Ok(())
    }

    fn hold_last(&mut self, block: &Block<'_>) -> Result<()> {
        let (body, cell) = (block.body(), block.cells() - 1);
        self.rows.seek(block, block.rows() - 1)?;
        let last = self.last.get_or_insert_with(Key::default);
        last.assign(&KeyRef {
            row: self.rows.row(),
            family: block.families().span(body, cell)?.of(body),
            qualifier: block.qualifiers().span(body, cell)?.of(body),
            visibility: block.visibilities().span(body, cell)?.of(body),
            timestamp: 0,
            deleted: false,
        });
        Ok(())
    }
}

/// Whether a cell has family, qualifier and label of the one before it, which is of the same row.
fn same_column(block: &Block<'_>, cell: usize) -> Result<bool> {
    let body = block.body();
    for column in [block.qualifiers(), block.families(), block.visibilities()] {
        let (before, here) = (column.span(body, cell - 1)?, column.span(body, cell)?);
        if before != here && (before.len() != here.len() || before.of(body) != here.of(body)) {
            return Ok(false);
        }
    }
    Ok(true)
}
