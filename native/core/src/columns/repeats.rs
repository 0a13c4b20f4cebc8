//! Which cells of a block are not the first version of their column within their tree.

use crate::block::{Block, CellCursor, RowCursor};
use crate::cells::Key;
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

    /// Marks the cells of the next block.
    pub fn next(&mut self, block: &Block<'_>) -> Result<()> {
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
        if block.copy_row_starts(&mut self.starts)? {
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
        }
        self.hold_last(block)
    }

    fn hold_last(&mut self, block: &Block<'_>) -> Result<()> {
        self.cursor.seek(block, block.cells() - 1)?;
        let key = self.cursor.cell(block).key;
        self.last.get_or_insert_with(Key::default).assign(&key);
        Ok(())
    }
}

/// Whether a cell has family, qualifier and label of the one before it, which is of the same row.
fn same_column(block: &Block<'_>, cell: usize) -> Result<bool> {
    let body = block.body();
    for column in [block.qualifiers(), block.families(), block.visibilities()] {
        let (before, here) = (column.span(body, cell - 1)?, column.span(body, cell)?);
        if before != here && before.of(body) != here.of(body) {
            return Ok(false);
        }
    }
    Ok(true)
}
