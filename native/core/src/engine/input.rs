//! What a scan reads: a table of a snapshot with everything that belongs to it.

use std::sync::Arc;

use super::clock;
use super::{Engine, EngineSnapshot};
use crate::scan::Input;
use crate::settings::TimeUnit;
use crate::Result;

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
        let table = view.catalog.find(table)?;
        let last = match table.settings.time_unit {
            // The clock alone tells the time.
            TimeUnit::Micros => None,
            _ => view.info(table)?.last,
        };
        let newest = super::buffer::lock(&self.inner.buffer).newest();
        let newest = newest.max(view.newest()?);
        let micros = clock::reading(clock::micros(now), newest);
        Ok(Input {
            settings: table.settings.clone(),
            groups: table.layout.clone(),
            buffered: view.runs(table.id),
            splits: table.splits.clone(),
            now: clock::now_in_unit(micros, table.settings.time_unit, last),
            snapshot: Arc::clone(&view.snapshot),
        })
    }
}
