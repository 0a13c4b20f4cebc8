//! Writes: to the store, in one transaction, or to the buffer of this process.

use std::cell::OnceCell;

use super::buffer::{self, Part};
use super::clock;
use super::commit::{Commit, Request};
use super::constraints::check_batch;
use super::options::{Durability, WriteOptions};
use super::queue::{self, Job};
use super::snapshot::View;
use super::stamps::Wanted;
use super::state::{state_key, State};
use super::{Engine, Inner};
use crate::cells::{CellColumns, CellRef, CellsView};
use crate::settings::Settings;
use crate::tree::{self, sort_batch, Run};
use crate::{Error, Result};

/// Cells to write to one table.
#[derive(Debug, Clone, Copy)]
pub struct MutationBatch<'a> {
    pub cells: CellsView<'a>,
    /// One byte a cell: 0 takes the commit's timestamp, everything else keeps its own.
    pub timed: &'a [u8],
}

impl<'a> MutationBatch<'a> {
    /// The cells, those without a timestamp at this time.
    pub(super) fn at(&self, time: i64) -> Vec<CellRef<'a>> {
        let timed = |cell: usize| self.timed.get(cell).is_some_and(|timed| *timed != 0);
        (0..self.cells.len())
            .map(|place| {
                let mut cell = self.cells.cell(place);
                if !timed(place) {
                    cell.key.timestamp = time;
                }
                cell
            })
            .collect()
    }

    /// The cells in their order, where that is the same whatever the time of the commit. Those without a timestamp
    /// have a provisional one; see [`MutationBatch::stamp`].
    fn sorted(&self) -> Option<Vec<CellRef<'a>>> {
        let timed = self.timed.iter().filter(|timed| **timed != 0).count();
        let alike = timed == 0 || timed == self.cells.len();
        alike.then(|| {
            let mut cells = self.at(0);
            sort_batch(&mut cells);
            cells
        })
    }

    /// Gives sorted cells the time of their commit, where they have none of their own.
    pub(super) fn stamp(&self, sorted: &mut [CellRef<'a>], time: i64) {
        if !self.is_client_timed() {
            sorted.iter_mut().for_each(|cell| cell.key.timestamp = time);
        }
    }

    /// Cells and bytes.
    fn size(&self) -> (usize, usize) {
        let cells = &self.cells;
        let columns = [
            cells.row,
            cells.family,
            cells.qualifier,
            cells.visibility,
            cells.value,
        ];
        let bytes = columns.iter().map(|column| column.size_bytes()).sum();
        (cells.len(), bytes)
    }

    /// About how many bytes its cells take while a load sorts them.
    pub(super) fn record_bytes(&self) -> usize {
        let cells = &self.cells;
        // As a rule a number stands for family and label.
        let columns = [cells.row, cells.qualifier, cells.value];
        let bytes: usize = columns.iter().map(|column| column.size_bytes()).sum();
        bytes + 6 * cells.len()
    }

    fn owned(&self) -> CellColumns {
        let mut owned = CellColumns::default();
        for cell in 0..self.cells.len() {
            owned.push(&self.cells.cell(cell));
        }
        owned
    }

    pub(super) fn is_client_timed(&self) -> bool {
        self.timed.iter().any(|timed| *timed != 0)
    }

    pub(super) fn markers(&self) -> u64 {
        self.cells.deleted.iter().filter(|flag| **flag != 0).count() as u64
    }
}

impl Engine {
    /// Writes to one or more tables at once; gives the commit timestamp in microseconds.
    pub fn write(
        &self,
        batches: &[(&str, MutationBatch<'_>)],
        options: &WriteOptions<'_>,
    ) -> Result<i64> {
        let inner = &*self.inner;
        inner.writable()?;
        let view = inner.view()?;
        for (name, batch) in batches {
            let definition = view.catalog.find(name)?;
            check_batch(name, &definition.settings, batch, &options.writer)?;
        }
        let asked = inner.durability(batches, options, &view)?;
        let written = if asked == Durability::Buffered && inner.may_buffer(batches, options) {
            inner.write_buffered(batches, options, &view)
        } else {
            let checked = view.catalog.version;
            // Whoever has the turn may be waiting for all snapshots to go.
            drop(view);
            inner.write_now(batches, options, checked, asked.of_store())
        };
        let cells = batches.iter().map(|(_, batch)| batch.cells.len() as u64);
        self.inner.after_commit(cells.sum());
        written
    }

    /// Writes to `tables` what `make` gives for the timestamp of the commit; gives that timestamp.
    ///
    /// `make` is called when the turn to write has come: all others wait for it. It is not called if what was read
    /// has changed.
    pub fn write_made(
        &self,
        tables: &[&str],
        options: &WriteOptions<'_>,
        make: &mut dyn FnMut(i64) -> Result<Vec<MadeBatch>>,
    ) -> Result<i64> {
        let inner = &*self.inner;
        let directory = inner.writable()?;
        let view = inner.view()?;
        let durability = inner.durability_in(tables.iter().copied(), options, &view)?;
        drop(view);
        let wanted = Wanted {
            now: options.now,
            commits: vec![tables.to_vec()],
        };
        // Lives longer than the commit, which borrows it.
        let made: OnceCell<Vec<MadeBatch>> = OnceCell::new();
        let mut commit = Commit::begin(inner, &directory, "write", &wanted)?;
        if let Some((snapshot, ranges)) = options.unchanged {
            commit.check_unchanged(snapshot, ranges)?;
        }
        let batches = make(commit.coming()?)?;
        let batches = made.get_or_init(|| batches);
        if let Some(other) = batches.iter().find(|one| !tables.contains(&&*one.table)) {
            return Err(Error::Usage(format!(
                "{} was not named before",
                other.table
            )));
        }
        let timestamp = commit.add(Request {
            batches: batches.iter().map(MadeBatch::named).collect(),
            sorted: Vec::new(),
            unchanged: None,
            writer: &options.writer,
            checked: None,
        })?;
        commit.finish(durability.of_store())?;
        let cells = batches.iter().map(|one| one.cells.timestamps.len() as u64);
        self.inner.after_commit(cells.sum());
        Ok(timestamp)
    }
}

/// Cells for one table, made for the time of their commit.
#[derive(Debug)]
pub struct MadeBatch {
    pub table: String,
    pub cells: CellColumns,
    /// As in [`MutationBatch`].
    pub timed: Vec<u8>,
}

impl MadeBatch {
    /// Copies cells.
    pub fn new(table: &str, batch: &MutationBatch<'_>) -> MadeBatch {
        MadeBatch {
            table: table.into(),
            cells: batch.owned(),
            timed: batch.timed.to_vec(),
        }
    }

    fn named(&self) -> (&str, MutationBatch<'_>) {
        let cells = self.cells.view();
        let timed = &self.timed;
        (&self.table, MutationBatch { cells, timed })
    }
}

impl Inner {
    /// What the write asks for, or else the strongest of what its tables do.
    fn durability(
        &self,
        batches: &[(&str, MutationBatch<'_>)],
        options: &WriteOptions<'_>,
        view: &View,
    ) -> Result<Durability> {
        self.durability_in(batches.iter().map(|(name, _)| *name), options, view)
    }

    fn durability_in<'n>(
        &self,
        tables: impl Iterator<Item = &'n str>,
        options: &WriteOptions<'_>,
        view: &View,
    ) -> Result<Durability> {
        if let Some(given) = options.durability {
            return Ok(given);
        }
        let mut strongest = None;
        for name in tables {
            let settings = &view.catalog.find(name)?.settings;
            strongest = strongest.max(Some(self.durability_of(settings)));
        }
        Ok(strongest.unwrap_or(self.options.durability))
    }

    /// Whether a write can stay in the memory of this process.
    fn may_buffer(
        &self,
        batches: &[(&str, MutationBatch<'_>)],
        options: &WriteOptions<'_>,
    ) -> bool {
        // What depends on others cannot be decided in this process alone.
        if options.unchanged.is_some() {
            return false;
        }
        // A merge of any process drops delete markers: nothing older than them may come to the store after it.
        if batches.iter().any(|(_, batch)| batch.is_client_timed()) {
            return false;
        }
        // What no longer fits goes to the store with all that is held, so that a write that fails leaves nothing.
        let bytes = |(_, batch): &(&str, MutationBatch<'_>)| {
            let (cells, bytes) = batch.size();
            Run::size_of(cells, bytes)
        };
        let more: usize = batches.iter().map(bytes).sum();
        buffer::lock(&self.buffer).size_bytes() + more <= self.options.buffer_bytes
    }

    /// What a table's settings ask for.
    pub(super) fn durability_of(&self, settings: &Settings) -> Durability {
        match settings.durability.as_deref() {
            Some("sync") => Durability::Sync,
            Some("relaxed") => Durability::Relaxed,
            Some("buffered") => Durability::Buffered,
            _ => self.options.durability,
        }
    }

    fn write_now(
        &self,
        batches: &[(&str, MutationBatch<'_>)],
        options: &WriteOptions<'_>,
        checked: u64,
        durability: tree::Durability,
    ) -> Result<i64> {
        let sizes = batches.iter().map(|(_, batch)| batch.size());
        let (cells, bytes) = sizes.fold((0, 0), |sum, size| (sum.0 + size.0, sum.1 + size.1));
        if cells <= queue::MOST_CELLS && bytes <= queue::MOST_BYTES {
            let owned = |(name, batch): &(&str, MutationBatch<'_>)| {
                ((*name).to_owned(), batch.owned(), batch.timed.to_vec())
            };
            let unchanged = options.unchanged;
            return self.write_grouped(Job {
                batches: batches.iter().map(owned).collect(),
                now: options.now,
                unchanged: unchanged.map(|(at, ranges)| (at.clone(), ranges.to_vec())),
                writer: options.writer.clone(),
                checked,
                durability,
            });
        }
        let directory = self.writable()?;
        // Before the turn: others may write meanwhile.
        let sorted = batches.iter().map(|(_, batch)| batch.sorted()).collect();
        let wanted = Wanted {
            now: options.now,
            commits: vec![batches.iter().map(|(name, _)| *name).collect()],
        };
        let mut commit = Commit::begin(self, &directory, "write", &wanted)?;
        let timestamp = commit.add(Request {
            batches: batches.to_vec(),
            sorted,
            unchanged: options.unchanged,
            writer: &options.writer,
            checked: Some(checked),
        })?;
        commit.finish(durability)?;
        Ok(timestamp)
    }

    fn write_buffered(
        &self,
        batches: &[(&str, MutationBatch<'_>)],
        options: &WriteOptions<'_>,
        view: &View,
    ) -> Result<i64> {
        let newest = view.newest()?;
        let mut found = Vec::with_capacity(batches.len());
        for (name, batch) in batches {
            let definition = view.catalog.find(name)?;
            let stored = view.snapshot.meta(&state_key(definition.id))?;
            found.push((definition, batch, State::read(stored.as_deref())?.last));
        }
        let now = clock::micros(options.now);
        let mut held = buffer::lock(&self.buffer);
        let timestamp = held.tick(now, newest);
        let commit = held.next_commit();
        let mut parts = Vec::with_capacity(found.len());
        for (definition, batch, last) in found {
            if batch.cells.is_empty() {
                continue;
            }
            let last = held.last(definition.id, last);
            let time = clock::in_unit(timestamp, definition.settings.time_unit, last);
            held.set_last(definition.id, Some(time));
            parts.push(Part {
                table: definition.id,
                time,
                markers: batch.markers(),
                run: Run::written(batch.at(time), commit),
            });
        }
        held.add(parts, timestamp, commit);
        Ok(timestamp)
    }

    /// Gives buffered commits to the store.
    pub(super) fn flush(&self, durability: tree::Durability) -> Result<()> {
        let directory = self.directory()?;
        if buffer::lock(&self.buffer).is_empty() {
            return Ok(());
        }
        let commit = Commit::begin(self, &directory, "flush", &Wanted::default())?;
        commit.finish(durability)
    }
}
