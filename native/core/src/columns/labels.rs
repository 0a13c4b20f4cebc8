//! Elements whose labels are merged: which picked cells tell of an element that another told of before.
//!
//! Cells of one element differ in label and time alone, so they stand together: in one block, or at the end of one and the
//! start of the next.

use super::sums::Picked;
use crate::block::{Block, RowCursor};
use crate::cells::{Key, KeyRef};
use crate::Result;

/// Walks the picked cells of a tree's blocks in order.
#[derive(Debug, Default)]
pub struct LabelMerge {
    /// The element of the last cell that was picked.
    last: Option<Key>,
    rows: RowCursor,
    /// One for each picked cell of the block at hand: whether its element was met before.
    pub again: Vec<bool>,
}

impl LabelMerge {
    /// Forgets where it was.
    pub fn start(&mut self) {
        self.last = None;
    }

    /// Takes the next cell that counts; whether its element was met before.
    pub fn meet(&mut self, key: &KeyRef<'_>) -> bool {
        let same = |last: &Key| {
            key.qualifier == last.qualifier && key.family == last.family && key.row == last.row
        };
        if self.last.as_ref().is_some_and(same) {
            return true;
        }
        self.last.get_or_insert_with(Key::default).assign(key);
        false
    }

    /// Takes the picked cells of the next block; `starts` are the first cells of its rows, empty where each is a row.
    pub fn mark(&mut self, block: &Block<'_>, starts: &[u32], picked: &[Picked]) -> Result<()> {
        self.again.clear();
        self.again.resize(picked.len(), false);
        let (Some(first), Some(last)) = (picked.first(), picked.last()) else {
            return Ok(());
        };
        if !starts.is_empty() {
            let mut behind = starts.iter().copied().peekable();
            let pairs = picked.iter().zip(picked.iter().skip(1));
            for (again, (one, next)) in self.again.iter_mut().skip(1).zip(pairs) {
                while behind.next_if(|&start| start <= one.cell).is_some() {}
                let same_row = behind.peek().is_none_or(|&start| next.cell < start);
                *again = same_row && is_same(block, one.cell as usize, next.cell as usize)?;
            }
        }
        let mut rows = std::mem::take(&mut self.rows);
        rows.seek(block, block.row_of(first.cell as usize)?)?;
        let met = self.meet(&key_of(block, &rows, first.cell as usize)?);
        // An element that goes on from the block before starts this one.
        if let Some(again) = self.again.first_mut() {
            *again = met;
        }
        rows.seek(block, block.row_of(last.cell as usize)?)?;
        self.meet(&key_of(block, &rows, last.cell as usize)?);
        self.rows = rows;
        Ok(())
    }
}

fn key_of<'a>(block: &Block<'a>, rows: &'a RowCursor, cell: usize) -> Result<KeyRef<'a>> {
    let body = block.body();
    Ok(KeyRef {
        row: rows.row(),
        family: block.families().span(body, cell)?.of(body),
        qualifier: block.qualifiers().span(body, cell)?.of(body),
        visibility: b"",
        timestamp: 0,
        deleted: false,
    })
}

/// Whether two cells of one row have family and qualifier in common.
fn is_same(block: &Block<'_>, one: usize, other: usize) -> Result<bool> {
    let body = block.body();
    for column in [block.qualifiers(), block.families()] {
        let (one, other) = (column.span(body, one)?, column.span(body, other)?);
        if one != other && (one.len() != other.len() || one.of(body) != other.of(body)) {
            return Ok(false);
        }
    }
    Ok(true)
}
