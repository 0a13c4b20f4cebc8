//! `_native.Snapshot`: a fixed state of all tables.

use lexigraph_core::engine::EngineSnapshot;
use pyo3::prelude::*;

use crate::guarded::attached;

/// Held until it is closed or too old.
#[pyclass(frozen, module = "lexigraph._native")]
pub struct Snapshot(pub EngineSnapshot);

#[pymethods]
impl Snapshot {
    fn timestamp(&self, py: Python<'_>) -> PyResult<Option<i64>> {
        attached(py, || self.0.timestamp())
    }

    fn close(&self) {
        self.0.close();
    }
}
