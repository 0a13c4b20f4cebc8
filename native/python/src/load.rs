//! Bulk loads: batches taken from an iterator of Python, sorted and stored by the core. Each comes with its table, and is a
//! tuple of thirteen, or what an encoder made.

use lexigraph_core::engine::{Engine, LoadOptions};
use lexigraph_core::load::Progress;
use lexigraph_core::Error;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyTuple};

use crate::cells::HeldBatch;
use crate::elements::EncodedCells;
use crate::engine::mutations;
use crate::guarded::detached;

/// Loads everything that an iterator gives; returns how many cells and the timestamp.
///
/// `progress` is called with the cells read and written so far. What it or the iterator raises ends the load, as
/// does a signal, and nothing is stored.
pub fn load(
    py: Python<'_>,
    engine: &Engine,
    table: &str,
    batches: &Bound<'_, PyIterator>,
    options: &LoadOptions,
    progress: Option<&Py<PyAny>>,
) -> PyResult<(u64, i64)> {
    let mut loader = detached(py, || engine.loader(table, options))?;
    for pair in batches {
        let (name, parts): (String, Bound<'_, PyAny>) = pair?.extract()?;
        let at = detached(py, || loader.table(&name))?;
        if let Ok(made) = parts.cast::<EncodedCells>() {
            let made = made.get();
            detached(py, || loader.push_encoded(at, made.encoded()))?;
        } else {
            let held = HeldBatch::read(parts.cast::<PyTuple>()?)?;
            detached(py, || loader.push_to(at, &mutations(&held)?))?;
        }
        tell(py, progress, loader.progress())?;
    }
    let mut raised = None;
    let finished = detached(py, || {
        loader.finish(&mut |reached| {
            let told = Python::attach(|py| tell(py, progress, reached));
            told.map_err(|error| {
                raised = Some(error);
                Error::Cancelled("the load was ended by its caller".into())
            })
        })
    });
    match raised {
        Some(error) => Err(error),
        None => finished.map(|report| (report.cells, report.timestamp)),
    }
}

fn tell(py: Python<'_>, progress: Option<&Py<PyAny>>, reached: &Progress) -> PyResult<()> {
    py.check_signals()?;
    if let Some(progress) = progress {
        progress.call1(py, (reached.read, reached.written))?;
    }
    Ok(())
}
