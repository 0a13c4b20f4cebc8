//! What a scan reads: a table of a snapshot with everything that belongs to it.

use std::sync::Arc;

use super::clock;
use super::{Engine, EngineSnapshot, TableInfo};
use crate::tree::{Run, Snapshot, TreeCursor, TreeId};
use crate::Result;

/// A table as one scan sees it.
#[derive(Debug, Clone)]
pub struct Input {
    pub snapshot: Arc<Snapshot>,
    pub table: Arc<TableInfo>,
    /// Every tree that may hold cells; [`super::Definition::trees_of`] gives those of some families.
    pub trees: Vec<TreeId>,
    /// Buffered runs, oldest first.
    pub buffered: Vec<Arc<Run>>,
    /// The clock, in the table's unit.
    pub now: i64,
}

impl Input {
    /// All cells, delete markers and versions too.
    pub fn cursor(&self) -> TreeCursor {
        TreeCursor::with_runs(&self.snapshot, &self.trees, &self.buffered)
    }
}

impl Engine {
    /// What a scan of a table needs.
    pub fn scan_input(&self, table: &str, at: Option<&EngineSnapshot>) -> Result<Input> {
        self.scan_input_at(table, at, None)
    }

    /// As [`Engine::scan_input`], with the clock in microseconds.
    pub fn scan_input_at(
        &self,
        table: &str,
        at: Option<&EngineSnapshot>,
        now: Option<i64>,
    ) -> Result<Input> {
        let view = self.inner.view_at(at)?;
        let table = view.table(table)?;
        let newest = super::buffer::lock(&self.inner.buffer).newest();
        let newest = newest.max(view.newest()?);
        let micros = clock::reading(clock::micros(now), newest);
        Ok(Input {
            trees: table.trees(),
            buffered: view.runs(table.id),
            now: clock::now_in_unit(micros, table.settings.time_unit, table.last),
            snapshot: view.snapshot,
            table,
        })
    }
}
