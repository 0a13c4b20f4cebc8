//! Writes whose cells a function of Python makes once the time of the commit is known.

use lexigraph_core::engine::{Engine, MadeBatch, WriteOptions};
use lexigraph_core::{Error, Result};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::cells::HeldBatch;
use crate::engine::mutations;
use crate::guarded::detached;

/// Writes what `make` gives for the timestamp of the commit: pairs of a table and a tuple of thirteen. What it raises is
/// raised, and nothing is stored.
pub fn write(
    py: Python<'_>,
    engine: &Engine,
    tables: &[String],
    make: &Py<PyAny>,
    options: &WriteOptions<'_>,
) -> PyResult<i64> {
    let named: Vec<&str> = tables.iter().map(String::as_str).collect();
    let mut raised = None;
    let written = detached(py, || {
        engine.write_made(&named, options, &mut |time| {
            Python::attach(|py| called(py, make, time)).map_err(|error| {
                raised = Some(error);
                Error::Cancelled("what makes the cells failed".into())
            })?
        })
    });
    match raised {
        Some(error) => Err(error),
        None => written,
    }
}

fn called(py: Python<'_>, make: &Py<PyAny>, time: i64) -> PyResult<Result<Vec<MadeBatch>>> {
    let given: Vec<(String, Bound<'_, PyTuple>)> = make.call1(py, (time,))?.extract(py)?;
    let mut made = Vec::with_capacity(given.len());
    for (table, parts) in &given {
        let held = HeldBatch::read(parts)?;
        let copied = mutations(&held).map(|batch| MadeBatch::new(table, &batch));
        match copied {
            Ok(batch) => made.push(batch),
            Err(error) => return Ok(Err(error)),
        }
    }
    Ok(Ok(made))
}
