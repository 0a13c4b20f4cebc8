//! Looking after a store, as Python sees it: what a merge did, what a table holds, whether all is sound.

use std::path::Path;

use lexigraph_core::engine::{Engine, RowSpan};
use lexigraph_core::guard;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::guarded::detached;

/// The fields of `MergeReport` besides the table. `times` are `now`, in the table's unit, and the clock.
pub fn compact<'py>(
    py: Python<'py>,
    engine: &Engine,
    table: &str,
    rows: Option<RowSpan>,
    times: (Option<i64>, Option<i64>),
) -> PyResult<Bound<'py, PyDict>> {
    let report = detached(py, || engine.compact_at(table, rows, times.0, times.1))?;
    let stages = report.stages.iter();
    let stages = stages.map(|stage| (&stage.name, stage.cells_in, stage.cells_out));
    let found = PyDict::new(py);
    found.set_item("full", true)?;
    found.set_item("combined", true)?;
    found.set_item("now", report.now)?;
    found.set_item("runs", report.transactions)?;
    found.set_item("cells_in", report.cells_in)?;
    found.set_item("cells_out", report.cells_out)?;
    found.set_item("stages", stages.collect::<Vec<_>>())?;
    Ok(found)
}

/// The fields of `TableStats` besides the table.
pub fn stats<'py>(py: Python<'py>, engine: &Engine, table: &str) -> PyResult<Bound<'py, PyDict>> {
    let stats = detached(py, || engine.stats(table))?;
    let others = [stats.base.cells, stats.buffered_cells];
    let others = others.iter().filter(|cells| **cells > 0).count() as u64;
    let found = PyDict::new(py);
    found.set_item("cells", stats.cells)?;
    found.set_item("delete_markers", stats.delete_markers)?;
    found.set_item("size_bytes", stats.size_bytes)?;
    found.set_item("runs", stats.runs + others)?;
    found.set_item("splits", stats.splits)?;
    found.set_item("newest", stats.newest)?;
    found.set_item("stored_bytes", stats.size_bytes)?;
    found.set_item("blocks", stats.base.blocks + stats.delta.blocks)?;
    found.set_item("delta_cells", stats.delta.cells + stats.buffered_cells)?;
    let failure = stats.merge_failure.map(|error| error.to_string());
    found.set_item("merge_failure", failure)?;
    let readers = detached(py, || engine.readers())?;
    let oldest = readers.iter().filter_map(|reader| reader.age).max();
    found.set_item("oldest_reader_s", oldest.map(|age| age.as_secs_f64()))?;
    Ok(found)
}

/// Checks the store of a directory that this process has not opened: tables, blocks and cells, and what is
/// wrong with them.
#[pyfunction]
pub fn verify(py: Python<'_>, path: &str) -> PyResult<(u64, u64, u64, Vec<String>, u64)> {
    let report = detached(py, || guard::verify(Path::new(path)))?;
    let problems = report.problems();
    let words = problems.iter().map(|problem| problem.what.clone());
    let counts = report.cells.counts;
    Ok((
        report.cells.tables,
        counts.blocks,
        counts.cells,
        words.collect(),
        report.problem_count(),
    ))
}
