//! Loads: sorted stretches of cells become blocks in threads, and one transaction takes them all.
//!
//! It is one transaction so that a load is there whole or not at all. LMDB keeps the pages of a transaction
//! in memory up to a number of blocks and writes them ahead of the commit from there on, so memory stays
//! bounded however much is loaded.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use super::counters::{book, Counts};
use super::edit::{Edit, Editor};
use super::keys::prefix;
use super::levels::Target;
use super::lmdb::{PutFlags, RwTxn};
use super::mapped::{failed, Snapshot};
use super::overflow::{self, Reference};
use super::packer::{Packer, Piece, Sizing};
use super::plan::{Start, Tree};
use super::write::{unordered, Planner};
use super::{Level, Store, TreeId, Writer, INLINE};
use crate::cells::CellRef;
use crate::load::{in_order, Boundary, Loaded, Loader, Options, Phase, Sorted, Watch};
use crate::Result;

/// A load is small beside a base of more than this many times its cells: it goes into the delta, as a
/// write does, rather than through every block of the base.
const SMALL: u64 = 8;

/// A batch that becomes a run is packed by so many threads, in stretches of so many cells.
const THREADS: usize = 2;
const STRETCH: usize = 16_384;

/// What a load did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LoadReport {
    /// Cells that were loaded.
    pub cells: u64,
    /// Sorted temporary files that were needed.
    pub files: u64,
    /// The timestamp of the commit, in microseconds.
    pub timestamp: i64,
}

impl Store {
    /// Starts to collect cells for [`Store::load`].
    pub fn loader(&self, options: Options) -> Loader {
        Loader::new(self.path(), options)
    }

    /// Puts everything that was collected into its trees, all of it or nothing; a reader sees what it would
    /// see after the same cells were written in one batch.
    pub fn load(&self, loader: Loader, commit: i64, watch: &mut Watch<'_>) -> Result<LoadReport> {
        let loaded = loader.finish()?;
        self.make_way(&loaded)?;
        let mut writer = self.writer()?;
        let report = writer.load(loaded, commit, watch)?;
        writer.note_commit(commit)?;
        writer.commit(self.durability())?;
        Ok(report)
    }

    /// Moves deltas into bases where a load will go through most of the base: the delta would come before
    /// what is loaded into the base, but is older. Readers see no difference.
    pub(crate) fn make_way(&self, loaded: &Loaded) -> Result<()> {
        if loaded.into_delta {
            return Ok(());
        }
        for (tree, cells, _) in &loaded.trees {
            let stats = self.stats(*tree)?;
            if stats.delta.blocks == 0 || cells * SMALL < stats.base.cells {
                continue;
            }
            let mut start = None;
            loop {
                let end = self.merge_end(*tree, start.as_deref(), 256)?;
                self.merge_as_is(*tree, start.as_deref(), end.as_deref())?;
                match end {
                    Some(end) => start = Some(end),
                    None => break,
                }
            }
        }
        Ok(())
    }

    /// Puts what was collected into a transaction that started from the state of `snapshot`.
    fn load_in(
        &self,
        transaction: &mut RwTxn<'_>,
        snapshot: &Arc<Snapshot>,
        loaded: Loaded,
        commit: i64,
        watch: &mut Watch<'_>,
    ) -> Result<LoadReport> {
        let ids = AtomicU64::new(self.next_overflow(transaction)?);
        let mut progress = loaded.progress;
        progress.phase = Phase::Write;
        watch(&progress)?;
        for (tree, cells, sorted) in loaded.trees {
            let [base, delta] = snapshot.counts(tree)?;
            let small = cells * SMALL < base.cells;
            let (level, is_new) = match delta.blocks > 0 || small || loaded.into_delta {
                true => match snapshot.target(tree, cells, self.options.own_run)? {
                    Target::New(level) => (level, true),
                    Target::Youngest(level) => (level, false),
                },
                false => (Level::BASE, base.blocks == 0),
            };
            let mut told = |written: u64| {
                progress.written += written;
                watch(&progress)
            };
            let target = Tree::new(snapshot, tree, level);
            match is_new {
                true => self.append(
                    transaction,
                    (tree, level),
                    sorted,
                    &ids,
                    loaded.threads,
                    &mut told,
                )?,
                false => self.interleave(
                    transaction,
                    &target,
                    level,
                    sorted,
                    &ids,
                    loaded.threads,
                    &mut told,
                )?,
            }
        }
        self.set_next_overflow(transaction, ids.into_inner())?;
        progress.phase = Phase::Sync;
        watch(&progress)?;
        Ok(LoadReport {
            cells: progress.read,
            files: progress.files,
            timestamp: commit,
        })
    }

    /// Into a tree that holds nothing: blocks are appended, nothing is read.
    fn append(
        &self,
        transaction: &mut RwTxn<'_>,
        (tree, level): (TreeId, Level),
        sorted: Sorted,
        ids: &AtomicU64,
        threads: usize,
        told: &mut dyn FnMut(u64) -> Result<()>,
    ) -> Result<()> {
        let keys = sorted.boundaries();
        let cut = sorted.cut(Boundary::keys(keys), threads)?;
        let mut appender = Appender::new(self, transaction, tree, level)?;
        // What one stretch learnt about the size of its cells helps the next.
        let ratio = AtomicU64::new(1f64.to_bits());
        in_order(
            cut.len(),
            threads,
            |number| {
                let mut packer = self.packer(Sizing::Full);
                packer.ratio = f64::from_bits(ratio.load(Ordering::Relaxed));
                let packed = pack(cut.read(number)?.cells(), &mut packer, ids)?;
                ratio.store(packer.ratio.to_bits(), Ordering::Relaxed);
                Ok(packed)
            },
            |packed| {
                let cells = Packer::counts(&packed.pieces).cells;
                appender.put(self, transaction, packed)?;
                told(cells)
            },
        )?;
        let (meta, none) = (self.databases().meta, Counts::default());
        book(transaction, meta, &appender.prefix, &appender.counts, &none)
    }

    /// Sorted cells into a run that holds nothing.
    pub(super) fn append_run(
        &self,
        transaction: &mut RwTxn<'_>,
        (tree, level): (TreeId, Level),
        cells: &[CellRef<'_>],
        ids: &AtomicU64,
    ) -> Result<()> {
        let stretches = stretches(cells)?;
        let sizing = match cells.len() < self.options.own_run {
            // The next small batch goes into the same run.
            true => Sizing::Roomy,
            false => Sizing::Full,
        };
        let mut appender = Appender::new(self, transaction, tree, level)?;
        let ratio = AtomicU64::new(1f64.to_bits());
        in_order(
            stretches.len(),
            THREADS,
            |number| {
                let mut packer = self.packer(sizing);
                packer.ratio = f64::from_bits(ratio.load(Ordering::Relaxed));
                let cells = stretches.get(number).copied().unwrap_or_default();
                let packed = pack(cells.iter().copied(), &mut packer, ids)?;
                ratio.store(packer.ratio.to_bits(), Ordering::Relaxed);
                Ok(packed)
            },
            |packed| appender.put(self, transaction, packed),
        )?;
        let (meta, none) = (self.databases().meta, Counts::default());
        book(transaction, meta, &appender.prefix, &appender.counts, &none)
    }

    /// Into a tree that holds something: each touched block is read, merged and written again.
    #[allow(clippy::too_many_arguments)]
    fn interleave(
        &self,
        transaction: &mut RwTxn<'_>,
        target: &Tree,
        level: Level,
        sorted: Sorted,
        ids: &AtomicU64,
        threads: usize,
        told: &mut dyn FnMut(u64) -> Result<()>,
    ) -> Result<()> {
        let boundaries = block_boundaries(target, &sorted)?;
        let cut = sorted.cut(boundaries, threads)?;
        let mut editor = Editor::new(transaction, self.databases());
        in_order(
            cut.len(),
            threads,
            |number| {
                let stretch = cut.read(number)?;
                let cells: Vec<CellRef<'_>> = stretch.cells().collect();
                let mut planner = match level {
                    Level::BASE => Planner::many(target, &cells, self.packer(Sizing::Full), ids),
                    _ => Planner::new(target, &cells, self.packer(Sizing::Roomy), ids),
                };
                let mut edits = Vec::new();
                while let Some(edit) = planner.next_edit()? {
                    edits.push(edit.into_owned());
                }
                Ok((cells.len() as u64, edits))
            },
            |(cells, edits): (u64, Vec<Edit<'static>>)| {
                for edit in edits {
                    editor.apply(edit)?;
                }
                told(cells)
            },
        )
    }
}

impl Writer<'_> {
    /// Puts everything that was collected into its trees; each tree once in a transaction.
    pub(crate) fn load(
        &mut self,
        loaded: Loaded,
        commit: i64,
        watch: &mut Watch<'_>,
    ) -> Result<LoadReport> {
        let transaction = &mut self.transaction;
        self.store
            .load_in(transaction, &self.snapshot, loaded, commit, watch)
    }
}

/// Boundaries of stretches that are also starts of blocks, so that no two stretches change one block.
fn block_boundaries(target: &Tree, sorted: &Sorted) -> Result<Vec<Boundary>> {
    let (mut boundaries, mut last, mut scratch) = (Vec::new(), Vec::new(), Vec::new());
    for key in sorted.boundaries() {
        let Some(entry) = target.locate(&key.as_ref(), &mut scratch)? else {
            continue;
        };
        if entry.key == target.prefix || entry.key == last {
            continue;
        }
        boundaries.push(match Start::of(&entry)? {
            Start::Plain(separator) => Boundary::SortKey(separator),
            Start::Cut(key) => Boundary::Key(key),
        });
        last = entry.key;
    }
    Ok(boundaries)
}

/// Sorted cells in stretches for threads; fully equal keys stay together. The order within each is for the packer to check.
fn stretches<'s, 'c>(mut cells: &'s [CellRef<'c>]) -> Result<Vec<&'s [CellRef<'c>]>> {
    let mut stretches = Vec::with_capacity(cells.len() / STRETCH + 1);
    while !cells.is_empty() {
        let key = |place: usize| cells.get(place).map(|cell| cell.key);
        let mut end = STRETCH.min(cells.len());
        while end < cells.len() && key(end - 1) == key(end) {
            end += 1;
        }
        if end < cells.len() && key(end - 1) > key(end) {
            return Err(unordered());
        }
        let (first, rest) = cells.split_at(end);
        stretches.push(first);
        cells = rest;
    }
    Ok(stretches)
}

/// The blocks of a stretch and the long values they refer to.
pub(super) struct Packed {
    pieces: Vec<Piece>,
    values: Vec<(u64, Vec<u8>)>,
    overflow: u64,
}

pub(super) fn pack<'c>(
    cells: impl Iterator<Item = CellRef<'c>>,
    packer: &mut Packer,
    ids: &AtomicU64,
) -> Result<Packed> {
    let mut values = Vec::new();
    for cell in cells {
        if cell.value.len() <= INLINE {
            packer.push(&cell)?;
            continue;
        }
        let id = ids.fetch_add(1, Ordering::Relaxed);
        let value = &Reference::new(id, cell.value).write();
        values.push((id, cell.value.to_vec()));
        packer.push_reference(&CellRef {
            key: cell.key,
            value,
        })?;
    }
    let overflow = packer.finish()?;
    Ok(Packed {
        pieces: std::mem::take(&mut packer.pieces),
        values,
        overflow,
    })
}

/// Puts finished blocks behind one another.
pub(super) struct Appender {
    pub prefix: [u8; 7],
    flags: PutFlags,
    /// The last block and its key.
    last: Option<(Vec<u8>, Piece)>,
    pub counts: Counts,
}

impl Appender {
    pub fn new(
        store: &Store,
        transaction: &RwTxn<'_>,
        tree: TreeId,
        level: Level,
    ) -> Result<Appender> {
        let prefix = prefix(tree, level);
        let cells = store.databases().cells;
        let last = cells.last(transaction).map_err(failed("read"))?;
        // LMDB appends behind the last key of the whole database only.
        let flags = match last {
            Some((key, _)) if key > prefix.as_slice() => PutFlags::empty(),
            _ => PutFlags::APPEND,
        };
        Ok(Appender {
            prefix,
            flags,
            last: None,
            counts: Counts::default(),
        })
    }

    pub fn put(
        &mut self,
        store: &Store,
        transaction: &mut RwTxn<'_>,
        mut packed: Packed,
    ) -> Result<()> {
        for (id, value) in &packed.values {
            overflow::put(transaction, store.databases().overflow, *id, value)?;
        }
        if packed.pieces.is_empty() {
            return Ok(());
        }
        self.counts.add(&Packer::counts(&packed.pieces));
        self.counts.overflow += packed.overflow;
        let mut editor = Editor::new(transaction, store.databases());
        let (key, before) = match self.last.take() {
            Some(last) => last,
            None => {
                let first = packed.pieces.remove(0);
                editor.put(&self.prefix, &first.bytes, self.flags)?;
                (self.prefix.to_vec(), first)
            }
        };
        let key = editor.follow(&self.prefix, key, &before, &packed.pieces, self.flags)?;
        self.last = Some((key, packed.pieces.pop().unwrap_or(before)));
        Ok(())
    }
}
