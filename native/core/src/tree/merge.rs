//! Moves a range of rows from the delta into the base, through whatever stages a merge has.
//!
//! Each range is one transaction: a reader sees all of it or nothing. Cells outside of the range that
//! share a block with it are written again as they are.

use std::sync::Arc;

use super::edit::{Edit, Editor};
use super::mapped::{failed, Entry, Snapshot};
use super::overflow::{self, Reference};
use super::packer::Sizing;
use super::plan::{Start, Stored, Tree};
use super::{Level, Store, TreeCursor, TreeId, INLINE};
use crate::cells::{CellRef, Key, Range};
use crate::stages::{Cursor, Families};
use crate::Result;

impl Store {
    /// Replaces the rows of `start_row..end_row`, base and delta, by what `transform` makes of them.
    ///
    /// `transform` is given the merged cells, delete markers and all, and gives the cursor to read.
    pub fn merge_range(
        &self,
        tree: TreeId,
        start_row: Option<&[u8]>,
        end_row: Option<&[u8]>,
        transform: impl FnOnce(Box<dyn Cursor + Send>) -> Result<Box<dyn Cursor + Send>>,
    ) -> Result<()> {
        let leading = |row: &[u8]| Key::leading(row, b"", b"", b"");
        let range = Range {
            start: start_row.map(leading),
            start_inclusive: true,
            end: end_row.map(leading),
            end_inclusive: false,
        };
        let mut transaction = self.begin()?;
        let snapshot = self.reading()?;
        let mut next_id = self.next_overflow(&transaction)?;
        let base = touched(&snapshot, tree, Level::Base, &range)?;
        let delta = touched(&snapshot, tree, Level::Delta, &range)?;
        let mut cells = transform(Box::new(TreeCursor::new(&snapshot, &[tree])))?;
        cells.seek(&range, &Families::default())?;

        let databases = self.databases();
        let edit = self.replace(&base, &range, Sizing::Full, |packer| {
            while let Some(cell) = cells.top() {
                if cell.value.len() > INLINE {
                    let reference = Reference::new(next_id, cell.value);
                    overflow::put(&mut transaction, databases.overflow, next_id, cell.value)?;
                    next_id += 1;
                    let value = &reference.write();
                    packer.push_reference(&CellRef {
                        key: cell.key,
                        value,
                    })?;
                } else {
                    packer.push(&cell)?;
                }
                cells.advance()?;
            }
            Ok(())
        })?;
        let mut editor = Editor::new(&mut transaction, databases);
        editor.apply(edit)?;
        editor.apply(self.replace(&delta, &range, Sizing::Roomy, |_| Ok(()))?)?;
        self.set_next_overflow(&mut transaction, next_id)?;
        transaction.commit().map_err(failed("commit"))
    }

    /// The row to end a merge at that starts at `start_row` and should touch about `blocks` blocks of the
    /// base; none where the rest of the tree is no more than that.
    pub fn merge_end(
        &self,
        tree: TreeId,
        start_row: Option<&[u8]>,
        blocks: usize,
    ) -> Result<Option<Vec<u8>>> {
        let snapshot = self.reading()?;
        let base = Tree::new(&snapshot, tree, Level::Base);
        let delta = Tree::new(&snapshot, tree, Level::Delta);
        let mut rows = Vec::new();
        for level in [&base, &delta] {
            if let Some(row) = level.row_after(start_row, blocks.max(1))? {
                rows.push(row);
            }
        }
        // Rows that one range must hold together may be more than was asked for.
        Ok(rows.into_iter().min())
    }

    /// The edit that keeps what `blocks` hold outside of the range and puts `fill` inside.
    fn replace(
        &self,
        blocks: &Touched,
        range: &Range,
        sizing: Sizing,
        fill: impl FnOnce(&mut super::packer::Packer) -> Result<()>,
    ) -> Result<Edit<'static>> {
        let mut edit = Edit {
            prefix: blocks.tree.prefix,
            ..Edit::default()
        };
        let mut packer = self.packer(sizing);
        let mut fill = Some(fill);
        for entry in &blocks.entries {
            let mut stored = Stored::open(entry)?;
            edit.removed.add(&stored.counts);
            edit.old.push(entry.key.clone());
            while let Some((cell, reference)) = stored.top() {
                if range.contains(&cell.key) {
                    if reference {
                        edit.freed.push(Reference::read(cell.value)?.id);
                    }
                } else {
                    if range.is_beyond(&cell.key) {
                        if let Some(fill) = fill.take() {
                            fill(&mut packer)?;
                        }
                    }
                    packer.push_stored(&cell, reference)?;
                }
                stored.advance()?;
            }
        }
        if let Some(fill) = fill {
            fill(&mut packer)?;
        }
        edit.overflow = packer.finish()?;
        edit.pieces = std::mem::take(&mut packer.pieces);
        Ok(edit)
    }
}

/// The blocks of a tree that may hold cells of a range.
struct Touched {
    tree: Tree,
    entries: Vec<Entry>,
}

fn touched(snapshot: &Arc<Snapshot>, tree: TreeId, level: Level, range: &Range) -> Result<Touched> {
    let tree = Tree::new(snapshot, tree, level);
    let mut scratch = Vec::new();
    let mut entry = match &range.start {
        Some(start) => tree.locate(&start.as_ref(), &mut scratch)?,
        None => tree.first()?,
    };
    let mut entries = Vec::new();
    while let Some(found) = entry {
        if let (Some(end), false) = (&range.end, entries.is_empty()) {
            // Every cell of this block and of those behind it is at or after its start.
            if !Start::of(&found)?.is_before(&end.as_ref(), &mut scratch) {
                break;
            }
        }
        entry = tree.next(&found.key)?;
        entries.push(found);
    }
    Ok(Touched { tree, entries })
}

impl Tree {
    /// The first row of the block that comes `blocks` after that of `row`, if it is another row.
    fn row_after(&self, row: Option<&[u8]>, blocks: usize) -> Result<Option<Vec<u8>>> {
        let mut scratch = Vec::new();
        let mut entry = match row {
            Some(row) => {
                let key = Key::leading(row, b"", b"", b"");
                self.locate(&key.as_ref(), &mut scratch)?
            }
            None => self.first()?,
        };
        let mut steps = 0;
        while let Some(found) = entry {
            if steps >= blocks {
                let first = super::plan::first_key(&found)?.row;
                if row.is_none_or(|row| first.as_slice() > row) && !first.is_empty() {
                    return Ok(Some(first));
                }
            }
            steps += 1;
            entry = self.next(&found.key)?;
        }
        Ok(None)
    }
}
