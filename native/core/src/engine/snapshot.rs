//! A fixed state of all tables: what the store holds and what this process has buffered.

use std::sync::{Arc, Mutex, PoisonError};

use super::buffer::{self, Tables};
use super::catalog::Catalog;
use super::definition::Definition;
use super::state::{state_key, State};
use super::Inner;
use crate::tree::{Run, Snapshot};
use crate::{Error, Result};

/// All tables at one moment. A clone is the same snapshot.
#[derive(Debug, Clone)]
pub struct EngineSnapshot(Arc<Held>);

#[derive(Debug)]
struct Held {
    engine: u64,
    view: Mutex<Option<View>>,
}

/// What a snapshot sees; cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct View {
    pub snapshot: Arc<Snapshot>,
    pub catalog: Arc<Catalog>,
    /// Buffered commits that the store did not have yet, older first.
    pub pending: Vec<Arc<Tables>>,
    /// The last logged commit that the store had; known of snapshots that are kept.
    pub logged: u64,
    /// The last buffered commit of this process that is seen.
    pub buffered: u64,
}

/// A table at one moment.
#[derive(Debug, Clone)]
pub struct TableInfo {
    pub definition: Arc<Definition>,
    /// The newest commit, in the table's time unit.
    pub last: Option<i64>,
    /// Whether any cell was ever written with a timestamp of its own.
    pub client_timed: bool,
    pub delete_markers: u64,
}

impl std::ops::Deref for TableInfo {
    type Target = Definition;

    fn deref(&self) -> &Definition {
        &self.definition
    }
}

/// The key of the number of the last logged commit.
pub(super) const COMMITS: &[u8] = b"commits";

impl Inner {
    /// What is there now.
    pub(super) fn view(&self) -> Result<View> {
        let directory = self.directory()?;
        let store = directory.store()?;
        loop {
            let ((parts, epoch), buffered) = {
                let buffer = buffer::lock(&self.buffer);
                (buffer.parts(), buffer.commits())
            };
            let snapshot = store.snapshot()?;
            // What was active then may have been written to this very state.
            if buffer::lock(&self.buffer).epoch() != epoch {
                continue;
            }
            let number = snapshot.transaction_id();
            let unwritten = parts.into_iter().filter(|(_, written)| *written > number);
            return Ok(View {
                catalog: self.catalogs.of(&snapshot)?,
                pending: unwritten.map(|(tables, _)| tables).collect(),
                logged: u64::MAX,
                buffered,
                snapshot,
            });
        }
    }

    /// What a snapshot sees, or what is there now.
    pub(super) fn view_at(&self, at: Option<&EngineSnapshot>) -> Result<View> {
        match at {
            None => self.view(),
            Some(snapshot) => {
                self.directory()?;
                snapshot.view(self.id)
            }
        }
    }

    pub(super) fn take_snapshot(&self) -> Result<EngineSnapshot> {
        let mut view = self.view()?;
        view.logged = view.snapshot.meta_number(COMMITS)?.unwrap_or_default();
        Ok(EngineSnapshot(Arc::new(Held {
            engine: self.id,
            view: Mutex::new(Some(view)),
        })))
    }
}

impl EngineSnapshot {
    /// Lets go of the state; later uses are refused.
    pub fn close(&self) {
        *self.0.view.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The newest commit timestamp that it holds.
    pub fn timestamp(&self) -> Result<Option<i64>> {
        self.view(self.0.engine)?.newest()
    }

    pub(super) fn view(&self, engine: u64) -> Result<View> {
        if self.0.engine != engine {
            return Err(Error::Usage("this is not a snapshot of this engine".into()));
        }
        let view = self.0.view.lock().unwrap_or_else(PoisonError::into_inner);
        let closed = || Error::Closed("this snapshot was closed".into());
        let view = view.clone().ok_or_else(closed)?;
        // One that is too old is refused whatever it is used for.
        view.snapshot.enter()?;
        Ok(view)
    }
}

impl View {
    /// The newest commit timestamp.
    pub fn newest(&self) -> Result<Option<i64>> {
        let stored = self.snapshot.meta_number(b"last-commit")?;
        let buffered = self.pending.iter().filter_map(|tables| tables.newest).max();
        Ok(stored.map(|number| number as i64).max(buffered))
    }

    pub fn table(&self, name: &str) -> Result<Arc<TableInfo>> {
        self.info(self.catalog.find(name)?)
    }

    pub fn info(&self, definition: &Arc<Definition>) -> Result<Arc<TableInfo>> {
        let stored = self.snapshot.meta(&state_key(definition.id))?;
        let mut state = State::read(stored.as_deref())?;
        for tables in &self.pending {
            if let Some(pending) = tables.tables.get(&definition.id) {
                state.last = state.last.max(pending.last);
                state.markers += pending.markers;
            }
        }
        Ok(Arc::new(TableInfo {
            definition: Arc::clone(definition),
            last: state.last,
            client_timed: state.client_timed,
            delete_markers: state.markers,
        }))
    }

    /// The buffered runs of a table, oldest first.
    pub fn runs(&self, table: u32) -> Vec<Arc<Run>> {
        let pending = self.pending.iter();
        let held = pending.filter_map(|tables| tables.tables.get(&table));
        held.flat_map(|pending| pending.runs.iter().cloned())
            .collect()
    }
}
