//! Batches into deltas: as a run of their own, or into the youngest run, where each touched block is read, merged with
//! its cells and written again.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::Arc;

use super::edit::{Edit, Editor};
use super::levels::Target;
use super::lmdb::RwTxn;
use super::mapped::{Entry, Snapshot};
use super::opened::Opened;
use super::overflow::Reference;
use super::packer::{Packer, Sizing};
use super::plan::{Start, Tree};
use super::{Level, Store, TreeId, INLINE};
use crate::cells::CellRef;
use crate::{Error, Result};

/// Cells for one locality group, in the order of [`sort_batch`].
#[derive(Debug, Clone, Copy)]
pub struct Batch<'a> {
    pub tree: TreeId,
    pub cells: &'a [CellRef<'a>],
}

/// From this many cells on, blocks are made in two threads and written in another.
const SEVERAL_THREADS: usize = 4096;

impl Store {
    /// Writes all batches or none, and notes `commit` as the newest commit if it is.
    pub fn write(&self, batches: &[Batch<'_>], commit: i64) -> Result<()> {
        let mut writer = self.writer()?;
        writer.write(batches)?;
        writer.note_commit(commit)?;
        writer.commit(self.durability())
    }

    /// Puts batches into a transaction that started from the state of `snapshot`.
    pub(super) fn write_in(
        &self,
        transaction: &mut RwTxn<'_>,
        snapshot: &Arc<Snapshot>,
        batches: &[Batch<'_>],
    ) -> Result<()> {
        let ids = AtomicU64::new(self.next_overflow(transaction)?);
        let databases = self.databases();
        for batch in batches.iter().filter(|batch| !batch.cells.is_empty()) {
            let level = match snapshot.target(
                batch.tree,
                batch.cells.len() as u64,
                self.options.own_run,
            )? {
                Target::New(level) => {
                    self.append_run(transaction, (batch.tree, level), batch.cells, &ids)?;
                    continue;
                }
                Target::Youngest(level) => level,
            };
            let cells = batch.cells;
            if !cells.is_sorted_by(|left, right| left.key <= right.key) {
                return Err(unordered());
            }
            let mut editor = Editor::new(transaction, databases);
            let planners = self.planners(snapshot, level, batch, &ids)?;
            match batch.cells.len() {
                0..SEVERAL_THREADS => apply_here(planners, &mut editor)?,
                _ => apply_beside(planners, &mut editor)?,
            }
        }
        self.set_next_overflow(transaction, ids.into_inner())
    }

    /// One planner, or two whose cells belong to different blocks.
    fn planners<'a>(
        &self,
        snapshot: &Arc<Snapshot>,
        level: Level,
        batch: &Batch<'a>,
        ids: &'a AtomicU64,
    ) -> Result<Vec<Planner<'a>>> {
        let tree = Tree::new(snapshot, batch.tree, level);
        let mut scratch = Vec::new();
        let mut cut = 0;
        if let Some(middle) = batch.cells.get(batch.cells.len() / 2) {
            if let Some(entry) = tree.locate(&middle.key, &mut scratch)? {
                cut = Start::of(&entry)?.cells_before(batch.cells, &mut scratch);
            }
        }
        let (first, second) = batch.cells.split_at(cut);
        let halves = [first, second]
            .into_iter()
            .filter(|cells| !cells.is_empty());
        let planner = |cells| Planner::new(&tree, cells, self.packer(Sizing::Roomy), ids);
        Ok(halves.map(planner).collect())
    }
}

/// The error of cells that do not come in their order.
pub(super) fn unordered() -> Error {
    Error::InvalidKey("the cells of a batch must come in the order of their keys".into())
}

fn apply_here(planners: Vec<Planner<'_>>, editor: &mut Editor<'_, '_>) -> Result<()> {
    for mut planner in planners {
        while let Some(edit) = planner.next_edit()? {
            editor.apply(edit)?;
        }
    }
    Ok(())
}

/// Plans in threads of their own while this one, which holds the transaction, writes. Planners have
/// different blocks, so the order of their edits does not matter.
fn apply_beside(planners: Vec<Planner<'_>>, editor: &mut Editor<'_, '_>) -> Result<()> {
    std::thread::scope(|scope| {
        let (sender, receiver) = sync_channel(64);
        for mut planner in planners {
            let sender = sender.clone();
            scope.spawn(move || {
                while let Some(edit) = planner.next_edit().transpose() {
                    let failed = edit.is_err();
                    if sender.send(edit).is_err() || failed {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for edit in receiver {
            editor.apply(edit?)?;
        }
        Ok(())
    })
}

/// How many neighbouring blocks one edit of [`Planner::many`] replaces.
const MANY: usize = 64;

/// Goes through a sorted batch, block by block.
pub(super) struct Planner<'a> {
    tree: Tree,
    cells: &'a [CellRef<'a>],
    packer: Packer,
    /// Gives each long value a number of its own.
    ids: &'a AtomicU64,
    blocks: usize,
    /// The block that is being merged.
    opened: Opened,
    scratch: Vec<u8>,
}

impl<'a> Planner<'a> {
    /// Each edit replaces one block.
    pub fn new(
        tree: &Tree,
        cells: &'a [CellRef<'a>],
        packer: Packer,
        ids: &'a AtomicU64,
    ) -> Planner<'a> {
        Planner {
            tree: tree.clone(),
            cells,
            packer,
            ids,
            blocks: 1,
            opened: Opened::default(),
            scratch: Vec::new(),
        }
    }

    /// Each edit replaces neighbouring blocks, so that the new ones can be full.
    pub fn many(
        tree: &Tree,
        cells: &'a [CellRef<'a>],
        packer: Packer,
        ids: &'a AtomicU64,
    ) -> Planner<'a> {
        Planner {
            blocks: MANY,
            ..Planner::new(tree, cells, packer, ids)
        }
    }

    /// The change of the next blocks that the batch touches.
    pub fn next_edit(&mut self) -> Result<Option<Edit<'a>>> {
        if self.cells.is_empty() {
            return Ok(None);
        }
        let mut edit = Edit {
            prefix: self.tree.prefix,
            ..Edit::default()
        };
        let mut next: Option<Entry> = None;
        while let Some(first) = self.cells.first() {
            if edit.old.len() >= self.blocks {
                break;
            }
            let entry = self.tree.locate(&first.key, &mut self.scratch)?;
            let beside = match (&entry, &next) {
                (Some(entry), Some(next)) => entry.key == next.key,
                _ => edit.old.is_empty(),
            };
            if !beside {
                break;
            }
            next = self.take_block(entry, &mut edit)?;
        }
        edit.overflow = self.packer.finish()?;
        edit.pieces = std::mem::take(&mut self.packer.pieces);
        Ok(Some(edit))
    }

    /// Merges one block with its cells; gives the block behind it.
    fn take_block(&mut self, entry: Option<Entry>, edit: &mut Edit<'a>) -> Result<Option<Entry>> {
        let (mut stored, mut next, mut count) = (None, None, self.cells.len());
        if let Some(entry) = entry {
            next = self.tree.next(&entry.key)?;
            if let Some(next) = &next {
                count = Start::of(next)?.cells_before(self.cells, &mut self.scratch);
            }
            self.opened.read(&entry)?;
            edit.removed.add(&self.opened.counts);
            edit.old.push(entry.key);
            stored = Some(&mut self.opened);
        }
        let (now, later) = self.cells.split_at(count.clamp(1, self.cells.len()));
        self.cells = later;
        for cell in now {
            if let Some(stored) = &mut stored {
                // At fully equal keys the new one is first.
                let end = stored.cells.lower_bound(stored.at, &cell.key);
                let taken = stored.take(end);
                self.packer.push_stretch(&mut stored.cells, taken)?;
            }
            if cell.value.len() > INLINE {
                let id = self.ids.fetch_add(1, Ordering::Relaxed);
                let value = &Reference::new(id, cell.value).write();
                edit.values.push((id, Cow::Borrowed(cell.value)));
                self.packer.push_reference(&CellRef {
                    key: cell.key,
                    value,
                })?;
            } else {
                self.packer.push(cell)?;
            }
        }
        if let Some(stored) = stored {
            let rest = stored.take(stored.cells.len());
            self.packer.push_stretch(&mut stored.cells, rest)?;
        }
        Ok(next)
    }
}
