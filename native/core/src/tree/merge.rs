//! Moves a range of rows from the deltas, all runs of them, into the bases of a table, through whatever stages a merge has.
//!
//! Each range is one transaction: a reader sees all of it or nothing. Cells outside of the range that
//! share a block with it are written again as they are.

use std::sync::Arc;

use super::edit::{Edit, Editor};
use super::mapped::{Entry, Snapshot};
use super::overflow::{self, Reference};
use super::packer::{Packer, Sizing};
use super::plan::{Start, Stored, Tree};
use super::{Level, Store, TreeCursor, TreeId, Writer, INLINE};
use crate::cells::{CellRef, Key, Range};
use crate::stages::{Families, Source};
use crate::{Error, Result};

/// Rows from the first on, without the second; none is infinite.
pub type Rows<'a> = (Option<&'a [u8]>, Option<&'a [u8]>);

/// The keys of rows.
pub fn row_range(rows: Rows<'_>) -> Range {
    let leading = |row: &[u8]| Key::leading(row, b"", b"", b"");
    Range {
        start: rows.0.map(leading),
        start_inclusive: true,
        end: rows.1.map(leading),
        end_inclusive: false,
    }
}

impl Store {
    /// Replaces the rows of `start_row..end_row`, base and delta, by what `transform` makes of them.
    ///
    /// `transform` is given the merged cells, delete markers and all, and gives the cursor to read.
    pub fn merge_range(
        &self,
        tree: TreeId,
        start_row: Option<&[u8]>,
        end_row: Option<&[u8]>,
        transform: impl FnOnce(Source) -> Result<Source>,
    ) -> Result<()> {
        let mut writer = self.writer()?;
        writer.merge(&[tree], (start_row, end_row), |_| tree, transform)?;
        writer.commit(self.durability())
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
        merge_end(&snapshot, &[tree], start_row, blocks)
    }
}

/// As [`Store::merge_end`], for all trees of a table in one snapshot.
pub(crate) fn merge_end(
    snapshot: &Arc<Snapshot>,
    trees: &[TreeId],
    start_row: Option<&[u8]>,
    blocks: usize,
) -> Result<Option<Vec<u8>>> {
    let mut rows = Vec::new();
    for &tree in trees {
        let levels = snapshot.levels(tree)?;
        rows.extend(merge_end_of(snapshot, tree, &levels, start_row, blocks)?);
    }
    // Rows that one range must hold together may be more than was asked for.
    Ok(rows.into_iter().min())
}

/// As [`merge_end`], for some trees of a locality group.
pub(crate) fn merge_end_of(
    snapshot: &Arc<Snapshot>,
    tree: TreeId,
    levels: &[Level],
    start_row: Option<&[u8]>,
    blocks: usize,
) -> Result<Option<Vec<u8>>> {
    let mut rows = Vec::new();
    for &level in levels {
        let tree = Tree::new(snapshot, tree, level);
        rows.extend(tree.row_after(start_row, blocks.max(1))?);
    }
    Ok(rows.into_iter().min())
}

/// The first row at or behind `start_row` that has cells in a delta, or an earlier one.
pub(crate) fn next_in_delta(
    snapshot: &Arc<Snapshot>,
    trees: &[TreeId],
    start_row: Option<&[u8]>,
) -> Result<Option<Vec<u8>>> {
    let mut least: Option<Vec<u8>> = None;
    let range = row_range((start_row, None));
    for &tree in trees {
        for run in snapshot.runs(tree)? {
            let mut level = super::level::LevelCursor::new(Tree::new(snapshot, tree, run));
            level.seek(&range, &Families::default())?;
            if let Some(cell) = level.top() {
                if least.as_deref().is_none_or(|row| cell.key.row < row) {
                    least = Some(cell.key.row.to_vec());
                }
            }
        }
    }
    Ok(least)
}

impl Writer<'_> {
    /// Replaces some rows of a table by what `transform` makes of them; `route` gives the tree, one of
    /// `trees`, that a family belongs to from now on. Gives the number of cells that were written.
    ///
    /// `transform` is given the merged cells of all trees, delete markers and all, and gives the cursor to
    /// read, which must not leave the rows.
    pub fn merge(
        &mut self,
        trees: &[TreeId],
        rows: Rows<'_>,
        route: impl Fn(&[u8]) -> TreeId,
        transform: impl FnOnce(Source) -> Result<Source>,
    ) -> Result<u64> {
        let range = row_range(rows);
        let mut bases = Vec::with_capacity(trees.len());
        let mut edits = Vec::new();
        for &tree in trees {
            let open = |level, sizing| {
                let touched = touched(&self.snapshot, tree, level, &range)?;
                Replacement::start(touched, &range, self.store.packer(sizing))
            };
            bases.push((tree, open(Level::BASE, Sizing::Full)?));
            for run in self.snapshot.runs(tree)? {
                edits.extend(open(run, Sizing::Full)?.finish()?);
            }
        }
        let mut cells = transform(Box::new(TreeCursor::new(&self.snapshot, trees)))?;
        cells.seek(&range, &Families::default())?;
        let mut next_id = self.store.next_overflow(&self.transaction)?;
        let long_values = self.store.databases().overflow;
        let mut written = 0;
        while let Some(cell) = cells.top() {
            if !range.contains(&cell.key) {
                return Err(Error::Unsupported(
                    "a stage of the merge moves cells to other rows: merge the whole table".into(),
                ));
            }
            let wanted = route(cell.key.family);
            let base = bases.iter_mut().find(|(tree, _)| *tree == wanted);
            let Some((_, base)) = base else {
                return Err(Error::InvalidOption(format!(
                    "the merge does not hold locality group {}",
                    wanted.group
                )));
            };
            base.changed = true;
            if cell.value.len() > INLINE {
                let reference = Reference::new(next_id, cell.value);
                overflow::put(&mut self.transaction, long_values, next_id, cell.value)?;
                next_id += 1;
                let value = &reference.write();
                base.packer.push_reference(&CellRef {
                    key: cell.key,
                    value,
                })?;
            } else {
                base.packer.push(&cell)?;
            }
            written += 1;
            cells.advance()?;
        }
        let mut editor = Editor::new(&mut self.transaction, self.store.databases());
        for (_, base) in bases {
            if let Some(edit) = base.finish()? {
                editor.apply(edit)?;
            }
        }
        for edit in edits {
            editor.apply(edit)?;
        }
        self.store
            .set_next_overflow(&mut self.transaction, next_id)?;
        Ok(written)
    }
}

/// The blocks of one tree that give way to what its packer is given between start and finish.
struct Replacement {
    edit: Edit<'static>,
    packer: Packer,
    /// Where the cells behind the range begin, and the blocks behind that one.
    rest: Option<Stored>,
    later: std::vec::IntoIter<Entry>,
    /// Whether any cell went or came.
    changed: bool,
}

impl Replacement {
    /// Keeps what stands before the range and frees what stands in it.
    fn start(touched: Touched, range: &Range, mut packer: Packer) -> Result<Replacement> {
        let mut edit = Edit {
            prefix: touched.tree.prefix,
            ..Edit::default()
        };
        let mut later = touched.entries.into_iter();
        let mut changed = false;
        for entry in later.by_ref() {
            let mut stored = Stored::open(&entry)?;
            edit.removed.add(&stored.counts);
            edit.old.push(entry.key);
            while let Some((cell, reference)) = stored.top() {
                if range.is_beyond(&cell.key) {
                    return Ok(Replacement {
                        edit,
                        packer,
                        rest: Some(stored),
                        later,
                        changed,
                    });
                }
                if range.is_before(&cell.key) {
                    packer.push_stored(&cell, reference)?;
                } else {
                    changed = true;
                    if reference {
                        edit.freed.push(Reference::read(cell.value)?.id);
                    }
                }
                stored.advance()?;
            }
        }
        Ok(Replacement {
            edit,
            packer,
            rest: None,
            later,
            changed,
        })
    }

    /// Keeps what stands behind the range; gives nothing where nothing changes.
    fn finish(mut self) -> Result<Option<Edit<'static>>> {
        if !self.changed {
            return Ok(None);
        }
        let mut rest = self.rest.take();
        while let Some(mut stored) = rest {
            while let Some((cell, reference)) = stored.top() {
                self.packer.push_stored(&cell, reference)?;
                stored.advance()?;
            }
            rest = match self.later.next() {
                Some(entry) => {
                    let next = Stored::open(&entry)?;
                    self.edit.removed.add(&next.counts);
                    self.edit.old.push(entry.key);
                    Some(next)
                }
                None => None,
            };
        }
        self.edit.overflow = self.packer.finish()?;
        self.edit.pieces = std::mem::take(&mut self.packer.pieces);
        Ok(Some(self.edit))
    }
}

/// The blocks of a tree that may hold cells of a range.
pub(super) struct Touched {
    pub tree: Tree,
    pub entries: Vec<Entry>,
}

pub(super) fn touched(
    snapshot: &Arc<Snapshot>,
    tree: TreeId,
    level: Level,
    range: &Range,
) -> Result<Touched> {
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
