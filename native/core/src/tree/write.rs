//! Batches into delta trees: each touched block is read, merged with its cells and written again.

use std::borrow::Cow;
use std::sync::mpsc::sync_channel;
use std::sync::Arc;

use super::edit::{Edit, Editor};
use super::mapped::{failed, Snapshot};
use super::overflow::Reference;
use super::packer::{Packer, Sizing};
use super::plan::{Start, Stored, Tree};
use super::{Level, Store, TreeId, INLINE};
use crate::cells::CellRef;
use crate::{Error, Result};

/// Cells for one locality group, in the order of [`sort_batch`].
#[derive(Debug, Clone, Copy)]
pub struct Batch<'a> {
    pub tree: TreeId,
    pub cells: &'a [CellRef<'a>],
}

/// From this many cells on, blocks are made in one thread and written in another.
const TWO_THREADS: usize = 4096;

/// Sorts cells given in the order they were written: of fully equal keys the later comes first.
pub fn sort_batch(cells: &mut Vec<CellRef<'_>>) {
    // Most rows differ in their first bytes: those beside the place save a look at the row itself.
    let mut order: Vec<(u128, usize)> = cells
        .iter()
        .enumerate()
        .map(|(place, cell)| (row_head(cell.key.row), place))
        .collect();
    order.sort_unstable_by(|(left_head, left), (right_head, right)| {
        left_head.cmp(right_head).then_with(|| {
            let key = |place: &usize| cells.get(*place).map(|cell| cell.key);
            key(left).cmp(&key(right)).then_with(|| right.cmp(left))
        })
    });
    *cells = order
        .iter()
        .filter_map(|&(_, place)| cells.get(place).copied())
        .collect();
}

/// The first 16 bytes of a row as a number; rows that differ in it are ordered by it.
fn row_head(row: &[u8]) -> u128 {
    let mut head = [0; 16];
    for (place, byte) in head.iter_mut().zip(row) {
        *place = *byte;
    }
    u128::from_be_bytes(head)
}

impl Store {
    /// Writes all batches or none, and notes `commit` as the newest commit if it is.
    pub fn write(&self, batches: &[Batch<'_>], commit: i64) -> Result<()> {
        for batch in batches {
            if !batch
                .cells
                .is_sorted_by(|left, right| left.key <= right.key)
            {
                return Err(Error::InvalidKey(
                    "the cells of a batch must come in the order of their keys".into(),
                ));
            }
        }
        let mut transaction = self.begin()?;
        // No other writer can commit now: the snapshot is the state that the transaction changes.
        let snapshot = self.snapshot()?;
        let mut next_id = self.next_overflow(&transaction)?;
        let databases = self.databases();
        let mut editor = Editor::new(&mut transaction, databases);
        for batch in batches {
            let mut planner = Planner::new(self, &snapshot, batch, next_id);
            if batch.cells.len() < TWO_THREADS {
                while let Some(edit) = planner.next_edit()? {
                    editor.apply(edit)?;
                }
                next_id = planner.next_id;
            } else {
                next_id = apply_beside(planner, &mut editor)?;
            }
        }
        self.set_next_overflow(&mut transaction, next_id)?;
        self.note_commit(&mut transaction, commit)?;
        transaction.commit().map_err(failed("commit"))
    }
}

/// Plans in a thread of its own while this one, which holds the transaction, writes.
fn apply_beside(mut planner: Planner<'_>, editor: &mut Editor<'_, '_>) -> Result<u64> {
    std::thread::scope(|scope| {
        let (sender, receiver) = sync_channel(64);
        let thread = scope.spawn(move || -> Result<u64> {
            while let Some(edit) = planner.next_edit()? {
                if sender.send(edit).is_err() {
                    break;
                }
            }
            Ok(planner.next_id)
        });
        for edit in receiver {
            editor.apply(edit)?;
        }
        thread
            .join()
            .unwrap_or_else(|_| Err(Error::Store("a thread that makes blocks died".into())))
    })
}

/// Goes through a sorted batch, block by block.
struct Planner<'a> {
    tree: Tree,
    cells: &'a [CellRef<'a>],
    packer: Packer,
    next_id: u64,
    scratch: Vec<u8>,
}

impl<'a> Planner<'a> {
    fn new(store: &Store, snapshot: &Arc<Snapshot>, batch: &Batch<'a>, next_id: u64) -> Self {
        Planner {
            tree: Tree::new(snapshot, batch.tree, Level::Delta),
            cells: batch.cells,
            packer: store.packer(Sizing::Roomy),
            next_id,
            scratch: Vec::new(),
        }
    }

    /// The change of the next block that the batch touches.
    fn next_edit(&mut self) -> Result<Option<Edit<'a>>> {
        let Some(first) = self.cells.first() else {
            return Ok(None);
        };
        let mut edit = Edit {
            prefix: self.tree.prefix,
            ..Edit::default()
        };
        let mut stored = None;
        let mut count = self.cells.len();
        if let Some(entry) = self.tree.locate(&first.key, &mut self.scratch)? {
            if let Some(next) = self.tree.next(&entry.key)? {
                count = Start::of(&next)?.cells_before(self.cells, &mut self.scratch);
            }
            let opened = Stored::open(&entry)?;
            edit.removed = opened.counts;
            edit.old.push(entry.key);
            stored = Some(opened);
        }
        let (now, later) = self.cells.split_at(count.clamp(1, self.cells.len()));
        self.cells = later;
        for cell in now {
            self.take_before(&mut stored, cell)?;
            if cell.value.len() > INLINE {
                let reference = Reference::new(self.next_id, cell.value);
                edit.values.push((self.next_id, Cow::Borrowed(cell.value)));
                self.next_id += 1;
                let value = &reference.write();
                self.packer.push_reference(&CellRef {
                    key: cell.key,
                    value,
                })?;
            } else {
                self.packer.push(cell)?;
            }
        }
        if let Some(stored) = &mut stored {
            while let Some((cell, reference)) = stored.top() {
                self.packer.push_stored(&cell, reference)?;
                stored.advance()?;
            }
        }
        edit.overflow = self.packer.finish()?;
        edit.pieces = std::mem::take(&mut self.packer.pieces);
        Ok(Some(edit))
    }

    /// Takes the stored cells that come before a new one; at fully equal keys the new one is first.
    fn take_before(&mut self, stored: &mut Option<Stored>, new: &CellRef<'_>) -> Result<()> {
        let Some(stored) = stored else {
            return Ok(());
        };
        while let Some((cell, reference)) = stored.top() {
            if cell.key >= new.key {
                break;
            }
            self.packer.push_stored(&cell, reference)?;
            stored.advance()?;
        }
        Ok(())
    }
}
