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

/// From this many cells on, blocks are made in two threads and written in another.
const SEVERAL_THREADS: usize = 4096;

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
        let snapshot = self.reading()?;
        let mut next_id = self.next_overflow(&transaction)?;
        let databases = self.databases();
        let mut editor = Editor::new(&mut transaction, databases);
        for batch in batches {
            let planners = self.planners(&snapshot, batch, &mut next_id)?;
            match batch.cells.len() {
                0..SEVERAL_THREADS => apply_here(planners, &mut editor)?,
                _ => apply_beside(planners, &mut editor)?,
            }
        }
        self.set_next_overflow(&mut transaction, next_id)?;
        self.note_commit(&mut transaction, commit)?;
        transaction.commit().map_err(failed("commit"))
    }

    /// One planner, or two whose cells belong to different blocks.
    fn planners<'a>(
        &self,
        snapshot: &Arc<Snapshot>,
        batch: &Batch<'a>,
        next_id: &mut u64,
    ) -> Result<Vec<Planner<'a>>> {
        let tree = Tree::new(snapshot, batch.tree, Level::Delta);
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
        let planner = |cells: &'a [CellRef<'a>]| {
            let first_id = *next_id;
            *next_id += cells
                .iter()
                .filter(|cell| cell.value.len() > INLINE)
                .count() as u64;
            Planner {
                tree: tree.clone(),
                cells,
                packer: self.packer(Sizing::Roomy),
                next_id: first_id,
                scratch: Vec::new(),
            }
        };
        Ok(halves.map(planner).collect())
    }
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

/// Goes through a sorted batch, block by block.
struct Planner<'a> {
    tree: Tree,
    cells: &'a [CellRef<'a>],
    packer: Packer,
    next_id: u64,
    scratch: Vec<u8>,
}

impl<'a> Planner<'a> {
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
