//! Hops along edges: seeds in key form in, the vertices that were reached out.

use std::sync::Arc;

use lexigraph_core::engine::Engine;
use lexigraph_core::hops::{expand, Direction, Found, Request};
use lexigraph_core::scan::Spec;
use lexigraph_core::tree::{Ask, Watch};
use lexigraph_core::{Error, Result};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::cells::numbers;
use crate::guarded::detached;
use crate::interrupt::Interrupt;
use crate::snapshot::Snapshot;

/// What is asked for, read from Python.
pub struct Asked<'a> {
    pub table: &'a str,
    pub spec: Spec,
    pub plan: &'a str,
    pub seeds: Vec<Vec<u8>>,
    pub hops: usize,
    pub direction: &'a str,
    pub groups: Option<Vec<String>>,
    pub within: bool,
    pub at: Option<&'a Snapshot>,
    pub watch: Watch,
    pub now: Option<i64>,
    pub threads: usize,
}

/// Offsets and data of the vertices, in key form, and how many were looked up.
pub type Reached<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, u64);

/// Follows edges.
pub fn hop<'py>(py: Python<'py>, engine: &Engine, asked: Asked<'_>) -> PyResult<Reached<'py>> {
    let interrupt = Arc::new(Interrupt::default());
    let signals = Arc::clone(&interrupt);
    let found = detached(py, || {
        interrupt.enter();
        follow(engine, asked, Ask::new(move || signals.is_due()))
    });
    if let Some(error) = interrupt.raised() {
        return Err(error);
    }
    let found = found?;
    let vertices = &found.vertices;
    let data = PyBytes::new(py, &vertices.data);
    Ok((numbers(py, &vertices.offsets)?, data, found.expanded))
}

fn follow(engine: &Engine, asked: Asked<'_>, ask: Ask) -> Result<Found> {
    let at = asked.at.map(|at| &at.0);
    let input = engine.scan_input_at(asked.table, at, asked.now)?;
    let request = Request {
        spec: &asked.spec,
        plan: asked.plan,
        seeds: &asked.seeds,
        hops: asked.hops,
        direction: direction(asked.direction)?,
        groups: asked.groups.as_deref(),
        within: asked.within,
    };
    let watch = Arc::new(asked.watch.asking(Some(ask)));
    expand(&input, &request, asked.threads, &watch)
}

fn direction(word: &str) -> Result<Direction> {
    match word {
        "out" => Ok(Direction::Out),
        "in" => Ok(Direction::In),
        "both" => Ok(Direction::Both),
        _ => Err(Error::InvalidOption(format!(
            "a direction is out, in or both, not {word}"
        ))),
    }
}
