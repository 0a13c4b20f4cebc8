//! Bulk loads: any number of cells into one table, in one commit, sorted with bounded memory.
//!
//! What a reader sees afterwards is what it would see had the cells been written in one batch at the end. Cells
//! are sorted before that, so those without a timestamp have a provisional one meanwhile: that of a commit at the
//! start. Where another commit came in between, they get a newer one on their way into blocks.

use std::sync::Arc;

use super::clock;
use super::constraints::check_batch;
use super::definition::Definition;
use super::load_cells::Seen;
use super::log::Touched;
use super::snapshot::COMMITS;
use super::state::{state_key, State};
use super::{buffer, Engine, Inner, MutationBatch};
use crate::cells::CellColumns;
use crate::load::{self, Loader, Watch};
use crate::tree::{self, LoadReport};
use crate::visibility::View;
use crate::{Error, Result};

/// How a load goes about it.
#[derive(Debug, Clone)]
pub struct LoadOptions {
    /// Bytes of cells in memory; more are sorted in temporary files inside the store's directory.
    pub memory: usize,
    /// The cells come in the order of their keys; the first that does not ends the load.
    pub sorted: bool,
    /// The clock in microseconds; none is the system's.
    pub now: Option<i64>,
    /// As whom the writer reads, for tables where nobody writes what they cannot read.
    pub writer: View,
}

impl Default for LoadOptions {
    fn default() -> Self {
        LoadOptions {
            memory: load::Options::default().memory,
            sorted: false,
            now: None,
            writer: View::All,
        }
    }
}

/// Cells of a load that own their bytes.
#[derive(Debug, Clone, Default)]
pub struct LoadBatch {
    pub cells: CellColumns,
    /// One byte a cell: 0 takes the load's timestamp.
    pub timed: Vec<u8>,
}

/// A load that is under way. Dropped without [`EngineLoader::finish`], it leaves nothing.
#[derive(Debug)]
pub struct EngineLoader {
    inner: Arc<Inner>,
    pub(super) definition: Arc<Definition>,
    pub(super) loader: Loader,
    pub(super) writer: View,
    /// The provisional time of the load in microseconds.
    timestamp: i64,
    pub(super) seen: Seen,
    pub(super) client_timed: bool,
    markers: u64,
}

impl Engine {
    /// Starts a load into a table.
    pub fn loader(&self, table: &str, options: &LoadOptions) -> Result<EngineLoader> {
        let inner = &self.inner;
        let directory = inner.writable()?;
        // What this process has buffered is older than the load.
        inner.flush(tree::Durability::Relaxed)?;
        let view = inner.view()?;
        let definition = Arc::clone(view.catalog.find(table)?);
        let (newest, last) = (view.newest()?, view.info(&definition)?.last);
        let (timestamp, time) = {
            let held = buffer::lock(&inner.buffer);
            let timestamp = clock::tick(clock::micros(options.now), held.newest().max(newest));
            let unit = definition.settings.time_unit;
            let last = held.last(definition.id, last);
            (timestamp, clock::in_unit(timestamp, unit, last))
        };
        let loader = directory.store()?.loader(load::Options {
            memory: options.memory,
            sorted: options.sorted,
            time,
            ..load::Options::default()
        });
        Ok(EngineLoader {
            inner: Arc::clone(inner),
            definition,
            loader,
            writer: options.writer.clone(),
            timestamp,
            seen: Seen::new(time),
            client_timed: false,
            markers: 0,
        })
    }

    /// Loads everything that `source` gives, until it gives nothing more; `watch` is told how far it is.
    ///
    /// An error of either ends the load, and nothing of it is stored.
    pub fn load(
        &self,
        table: &str,
        source: &mut dyn FnMut() -> Result<Option<LoadBatch>>,
        options: &LoadOptions,
        watch: &mut Watch<'_>,
    ) -> Result<LoadReport> {
        let mut loader = self.loader(table, options)?;
        while let Some(batch) = source()? {
            loader.push(&MutationBatch {
                cells: batch.cells.view(),
                timed: &batch.timed,
            })?;
            watch(loader.progress())?;
        }
        loader.finish(watch)
    }
}

impl EngineLoader {
    /// How far it is.
    pub fn progress(&self) -> &load::Progress {
        self.loader.progress()
    }

    /// Takes cells. One that breaks a rule of the table is named by its number in the batch; the load can
    /// go on without the batch, of which nothing was taken.
    pub fn push(&mut self, batch: &MutationBatch<'_>) -> Result<()> {
        let definition = &self.definition;
        batch.cells.check()?;
        check_batch(&definition.name, &definition.settings, batch, &self.writer)?;
        self.client_timed |= batch.is_client_timed();
        self.markers += batch.markers();
        for place in 0..batch.cells.len() {
            let mut cell = batch.cells.cell(place);
            let timed = batch.timed.get(place).is_some_and(|timed| *timed != 0);
            let tree = self.seen.take(definition, &mut cell, timed);
            self.loader.push(tree, &cell)?;
        }
        Ok(())
    }

    /// Stores everything that was taken, durably, in one commit.
    pub fn finish(self, watch: &mut Watch<'_>) -> Result<LoadReport> {
        let (inner, definition) = (&*self.inner, &self.definition);
        let seen = self.seen;
        let Some((mut first, mut last)) = seen.span else {
            // As of a write of nothing: a timestamp of its own, and no change.
            let timestamp = buffer::lock(&inner.buffer).tick(self.timestamp, None);
            return Ok(LoadReport {
                timestamp,
                ..LoadReport::default()
            });
        };
        // The order of the store is the order in which this process saw its commits.
        inner.flush(tree::Durability::Relaxed)?;
        let directory = inner.writable()?;
        let mut loaded = self.loader.finish()?;
        loaded.into_delta = definition.groups.iter().any(|group| group.stale);
        {
            let _guard = directory.lock_writer(inner.options.lock_timeout, "load")?;
            directory.store()?.make_way(&loaded)?;
        }
        let mut turn = inner.turn(&directory, "load")?;
        let catalog = inner.catalogs.of(turn.snapshot())?;
        let same = |now: &Arc<Definition>| {
            now.id == definition.id
                && now.generation == definition.generation
                && now.settings_json == definition.settings_json
        };
        if !catalog.tables.get(&definition.name).is_some_and(same) {
            return Err(Error::Conflict(format!(
                "table '{}' was dropped, renamed or configured while it was loaded: nothing was stored, load again",
                definition.name
            )));
        }
        let mut state = State::read(turn.get(&state_key(definition.id))?)?;
        let newest = turn.get_number(b"last-commit")?.map(|last| last as i64);
        let moves = |time| seen.untimed && time != seen.time;
        let (timestamp, time) = {
            let mut held = buffer::lock(&inner.buffer);
            let timestamp = held.tick(self.timestamp, newest);
            let unit = definition.settings.time_unit;
            let time = clock::in_unit(timestamp, unit, held.last(definition.id, state.last));
            if moves(time) && seen.ahead.is_some_and(|ahead| ahead <= time) {
                return Err(Error::Conflict(format!(
                    "another commit came in while cells for table '{}' were read, and some of them have times of \
                     their own that are as new: nothing was stored, load again",
                    definition.name
                )));
            }
            held.set_last(definition.id, Some(time));
            (timestamp, time)
        };
        if moves(time) {
            loaded.restamp(time);
        }
        let report = turn.load(loaded, timestamp, watch)?;
        state.last = state.last.max(Some(time));
        state.client_timed |= self.client_timed;
        state.markers += self.markers;
        turn.put(&state_key(definition.id), &state.write())?;
        let mut touched = Touched::new(inner.id, clock::micros(None));
        // Newer cells of a column come first.
        first.timestamp = i64::MAX;
        last.timestamp = i64::MIN;
        let span = [(first.as_ref(), 0), (last.as_ref(), 0)];
        // As one interval, however few cells: what lies between counts as touched.
        touched.add(definition.id, usize::MAX, span.into_iter());
        let commit = turn.get_number(COMMITS)?.unwrap_or_default() + 1;
        turn.put_number(COMMITS, commit)?;
        let age = inner.options.max_snapshot_age.as_micros() as i64;
        let oldest = clock::micros(None).saturating_sub(age);
        touched.write(&mut turn, commit, oldest)?;
        turn.note_commit(timestamp)?;
        turn.commit(tree::Durability::Sync)?;
        self.inner.after_commit(report.cells);
        Ok(report)
    }
}
