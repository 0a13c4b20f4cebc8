//! Bulk loads: any number of cells into one or more tables, in one commit, sorted with bounded memory.
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
    pub(super) tables: Vec<LoadTable>,
    pub(super) loader: Loader,
    pub(super) writer: View,
    /// The provisional time of the load in microseconds.
    timestamp: i64,
}

/// What a load knows of one of its tables.
#[derive(Debug)]
pub(super) struct LoadTable {
    pub definition: Arc<Definition>,
    pub seen: Seen,
    pub client_timed: bool,
    markers: u64,
}

impl LoadTable {
    fn new(definition: Arc<Definition>, time: i64) -> LoadTable {
        LoadTable {
            definition,
            seen: Seen::new(time),
            client_timed: false,
            markers: 0,
        }
    }

    fn moves_to(&self, time: i64) -> bool {
        self.seen.untimed && time != self.seen.time
    }
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
            tables: vec![LoadTable::new(definition, time)],
            loader,
            writer: options.writer.clone(),
            timestamp,
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

    /// The number of a table of the load: the one that it was started for is 0, others are added when they are named.
    pub fn table(&mut self, name: &str) -> Result<usize> {
        let known = |one: &LoadTable| one.definition.name == name;
        if let Some(at) = self.tables.iter().position(known) {
            return Ok(at);
        }
        if self.loader.is_sorted() {
            return Err(Error::Unsupported(format!(
                "cells that come in order are those of one table, and '{name}' is another"
            )));
        }
        let view = self.inner.view()?;
        let definition = Arc::clone(view.catalog.find(name)?);
        let last = view.info(&definition)?.last;
        let last = buffer::lock(&self.inner.buffer).last(definition.id, last);
        let time = clock::in_unit(self.timestamp, definition.settings.time_unit, last);
        // All cells without a time of their own get another one together.
        if self.tables.first().is_some_and(|one| one.seen.time != time) {
            return Err(Error::Unsupported(format!(
                "a load fills tables of one time unit, and '{name}' has another"
            )));
        }
        self.tables.push(LoadTable::new(definition, time));
        Ok(self.tables.len() - 1)
    }

    /// Takes cells for the first table.
    pub fn push(&mut self, batch: &MutationBatch<'_>) -> Result<()> {
        self.push_to(0, batch)
    }

    /// Takes cells for a table. One that breaks a rule of it is named by its number in the batch; the load can
    /// go on without the batch, of which nothing was taken.
    pub fn push_to(&mut self, table: usize, batch: &MutationBatch<'_>) -> Result<()> {
        let table = self.tables.get_mut(table).ok_or_else(unknown)?;
        let definition = &*table.definition;
        batch.cells.check()?;
        check_batch(&definition.name, &definition.settings, batch, &self.writer)?;
        table.client_timed |= batch.is_client_timed();
        table.markers += batch.markers();
        for place in 0..batch.cells.len() {
            let mut cell = batch.cells.cell(place);
            let timed = batch.timed.get(place).is_some_and(|timed| *timed != 0);
            let tree = table.seen.take(definition, &mut cell, timed);
            self.loader.push(tree, &cell)?;
        }
        Ok(())
    }

    /// Stores everything that was taken, durably, in one commit.
    pub fn finish(self, watch: &mut Watch<'_>) -> Result<LoadReport> {
        let inner = &*self.inner;
        let mut tables = self.tables;
        tables.retain(|one| one.seen.span.is_some());
        if tables.is_empty() {
            // As of a write of nothing: a timestamp of its own, and no change.
            let timestamp = buffer::lock(&inner.buffer).tick(self.timestamp, None);
            return Ok(LoadReport {
                timestamp,
                ..LoadReport::default()
            });
        }
        // The order of the store is the order in which this process saw its commits.
        inner.flush(tree::Durability::Relaxed)?;
        let directory = inner.writable()?;
        let mut loaded = self.loader.finish()?;
        let mut groups = tables.iter().flat_map(|one| &one.definition.groups);
        loaded.into_delta = groups.any(|group| group.stale);
        {
            let _guard = directory.lock_writer(inner.options.lock_timeout, "load")?;
            directory.store()?.make_way(&loaded)?;
        }
        let mut turn = inner.turn(&directory, "load")?;
        let catalog = inner.catalogs.of(turn.snapshot())?;
        let mut states = Vec::with_capacity(tables.len());
        for LoadTable { definition, .. } in &tables {
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
            states.push(State::read(turn.get(&state_key(definition.id))?)?);
        }
        let newest = turn.get_number(b"last-commit")?.map(|last| last as i64);
        let (timestamp, time) = {
            let mut held = buffer::lock(&inner.buffer);
            let timestamp = held.tick(self.timestamp, newest);
            let mut times = tables.iter().zip(&states).map(|(one, state)| {
                let last = held.last(one.definition.id, state.last);
                clock::in_unit(timestamp, one.definition.settings.time_unit, last)
            });
            let time = times.next().unwrap_or(timestamp);
            let ahead = |one: &LoadTable| one.seen.ahead.is_some_and(|ahead| ahead <= time);
            let moves = tables.iter().any(|one| one.moves_to(time));
            let late = tables.iter().find(|one| moves && ahead(one));
            if let Some(late) = late {
                return Err(Error::Conflict(format!(
                    "another commit came in while cells for table '{}' were read, and some of them have times of \
                     their own that are as new: nothing was stored, load again",
                    late.definition.name
                )));
            }
            if times.any(|other| other != time) {
                return Err(Error::Conflict(
                    "other commits came in while cells for several tables were read: nothing was stored, load again"
                        .into(),
                ));
            }
            for one in &tables {
                held.set_last(one.definition.id, Some(time));
            }
            (timestamp, time)
        };
        if tables.iter().any(|one| one.moves_to(time)) {
            loaded.restamp(time);
        }
        let report = turn.load(loaded, timestamp, watch)?;
        let mut touched = Touched::new(inner.id, clock::micros(None));
        for (one, mut state) in tables.into_iter().zip(states) {
            let id = one.definition.id;
            state.last = state.last.max(Some(time));
            state.client_timed |= one.client_timed;
            state.markers += one.markers;
            turn.put(&state_key(id), &state.write())?;
            let Some((mut first, mut last)) = one.seen.span else {
                continue;
            };
            // Newer cells of a column come first.
            first.timestamp = i64::MAX;
            last.timestamp = i64::MIN;
            let span = [(first.as_ref(), 0), (last.as_ref(), 0)];
            // As one interval, however few cells: what lies between counts as touched.
            touched.add(id, usize::MAX, span.into_iter());
        }
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

pub(super) fn unknown() -> Error {
    Error::Usage("a load takes cells for tables that were named".into())
}
