//! Conditional writes: the parts that Python gives, as the core takes them.

use lexigraph_core::engine::{Condition, Conditional, Engine, Outcome};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyTuple;

use crate::arguments::view;
use crate::cells::HeldBatch;
use crate::engine::mutations as batch_of;
use crate::guarded::detached;

/// Family, qualifier, visibility, value, timestamp.
type ConditionParts = (
    PyBackedBytes,
    PyBackedBytes,
    PyBackedBytes,
    Option<PyBackedBytes>,
    Option<i64>,
);

/// A row, its conditions and its batch.
pub type ConditionalParts<'py> = (PyBackedBytes, Vec<ConditionParts>, Bound<'py, PyTuple>);

/// Writes rows whose conditions hold; gives the outcome of each as a word.
pub fn write(
    py: Python<'_>,
    engine: &Engine,
    table: &str,
    mutations: &[ConditionalParts<'_>],
    writer: Option<&[PyBackedBytes]>,
    now: Option<i64>,
) -> PyResult<Vec<&'static str>> {
    let held = mutations
        .iter()
        .map(|(row, conditions, parts)| Ok((row, conditions, HeldBatch::read(parts)?)))
        .collect::<PyResult<Vec<_>>>()?;
    let outcomes = detached(py, || {
        let mut ready = Vec::with_capacity(held.len());
        for (row, conditions, batch) in &held {
            ready.push(Conditional {
                row,
                conditions: conditions.iter().map(condition).collect(),
                batch: batch_of(batch)?,
            });
        }
        engine.conditional_write(table, &ready, &view(writer)?, now)
    })?;
    Ok(outcomes.iter().map(word).collect())
}

fn condition(parts: &ConditionParts) -> Condition<'_> {
    Condition {
        family: &parts.0,
        qualifier: &parts.1,
        visibility: &parts.2,
        value: parts.3.as_deref(),
        timestamp: parts.4,
    }
}

fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Accepted => "accepted",
        Outcome::Rejected => "rejected",
        Outcome::Violated => "violated",
        Outcome::InvisibleVisibility => "invisible-visibility",
    }
}
