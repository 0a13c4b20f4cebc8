//! `_native.EdgeReader`: edges to follow, prepared once and asked many times.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use lexigraph_core::cells::{BytesColumn, BytesView};
use lexigraph_core::engine::Engine;
use lexigraph_core::hops::{self, Direction, Reach};
use lexigraph_core::scan::Input;
use lexigraph_core::tree::{Ask, Watch};
use lexigraph_core::{Error, Result};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyList, PyString};

use crate::buffers::Held;
use crate::cells::numbers;
use crate::engine::{deadline, owned};
use crate::errors::to_python;
use crate::guarded::{attached, detached};
use crate::interrupt::Interrupt;
use crate::snapshot::Snapshot;

/// Offsets and data of the vertices, in key form, and how many were looked up.
pub type Reached<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, u64);

/// Follows edges of one table as one reader.
#[pyclass(frozen, module = "lexigraph._native")]
pub struct EdgeReader {
    engine: Engine,
    table: String,
    reader: hops::EdgeReader,
    /// Whether vertices are text.
    is_text: bool,
    threads: usize,
    /// Watches without a time limit, for calls to come.
    watches: Mutex<Vec<Watched>>,
}

/// Who looks for signals while a call runs, and the watch that asks it.
type Watched = (Arc<Interrupt>, Arc<Watch>);

/// When somebody asks: the state that is read, the time that is left, the clock.
type Moment<'a> = (Option<&'a Snapshot>, Option<f64>, Option<i64>);

impl EdgeReader {
    /// Takes what has been checked.
    pub fn new(
        engine: Engine,
        table: &str,
        reader: hops::EdgeReader,
        is_text: bool,
        threads: usize,
    ) -> EdgeReader {
        EdgeReader {
            engine,
            table: table.to_owned(),
            reader,
            is_text,
            threads,
            watches: Mutex::default(),
        }
    }

    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        (at, timeout_s, now): Moment<'_>,
        work: impl FnOnce(&Input, &Arc<Watch>) -> Result<T> + Send,
    ) -> PyResult<T> {
        let limit: Option<Instant> = timeout_s.and_then(deadline);
        let spare = match limit {
            None => self.watches().pop(),
            Some(_) => None,
        };
        let (interrupt, watch) = spare.unwrap_or_else(|| watched(limit));
        let found = detached(py, || {
            interrupt.enter();
            let at = at.map(|at| &at.0);
            let input = self.engine.scan_input_at(&self.table, at, now)?;
            work(&input, &watch)
        });
        match interrupt.raised() {
            Some(error) => Err(error),
            None => {
                if limit.is_none() {
                    self.watches().push((interrupt, watch));
                }
                found
            }
        }
    }

    fn watches(&self) -> MutexGuard<'_, Vec<Watched>> {
        self.watches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn near<'py>(
        &self,
        py: Python<'py>,
        vertices: Vec<Vec<u8>>,
        moment: Moment<'_>,
    ) -> PyResult<Bound<'py, PyList>> {
        let found = self.ask(py, moment, |input, watch| {
            self.reader
                .neighbours(input, &vertices, self.threads, watch)
        })?;
        self.list(py, &found)
    }

    /// Vertices as Python has them: text, or their key forms.
    fn list<'py>(&self, py: Python<'py>, vertices: &BytesColumn) -> PyResult<Bound<'py, PyList>> {
        let view = vertices.view();
        let keys = (0..view.len()).map(|at| view.get(at));
        if !self.is_text {
            return PyList::new(
                py,
                keys.map(|key| PyBytes::new(py, key)).collect::<Vec<_>>(),
            );
        }
        text_list(py, keys)
    }
}

#[pymethods]
impl EdgeReader {
    /// The vertices that lie some hops away from others, which are in key form.
    #[allow(clippy::too_many_arguments)]
    fn expand<'py>(
        &self,
        py: Python<'py>,
        seeds: Vec<PyBackedBytes>,
        hops: usize,
        within: bool,
        at: Option<&Snapshot>,
        timeout_s: Option<f64>,
        now: Option<i64>,
    ) -> PyResult<Reached<'py>> {
        let seeds = owned(&seeds);
        let found = self.ask(py, (at, timeout_s, now), |input, watch| {
            let reach = Reach {
                seeds: &seeds,
                hops,
                within,
            };
            self.reader.expand(input, &reach, self.threads, watch)
        })?;
        let vertices = &found.vertices;
        let data = PyBytes::new(py, &vertices.data);
        Ok((numbers(py, &vertices.offsets)?, data, found.expanded))
    }

    /// The vertices at the other ends of the edges at some, which are in key form.
    fn neighbours<'py>(
        &self,
        py: Python<'py>,
        vertices: Vec<PyBackedBytes>,
        at: Option<&Snapshot>,
        timeout_s: Option<f64>,
        now: Option<i64>,
    ) -> PyResult<Bound<'py, PyList>> {
        self.near(py, owned(&vertices), (at, timeout_s, now))
    }

    /// As `neighbours`, of one vertex that is text.
    fn neighbours_of<'py>(
        &self,
        py: Python<'py>,
        vertex: &str,
        at: Option<&Snapshot>,
        timeout_s: Option<f64>,
        now: Option<i64>,
    ) -> PyResult<Bound<'py, PyList>> {
        self.near(py, vec![vertex.into()], (at, timeout_s, now))
    }
    /// Each of some vertices with each of its neighbours, as two columns of key forms.
    fn pairs<'py>(
        &self,
        py: Python<'py>,
        vertices: Vec<PyBackedBytes>,
        at: Option<&Snapshot>,
        timeout_s: Option<f64>,
        now: Option<i64>,
    ) -> PyResult<(Buffers<'py>, Buffers<'py>)> {
        let vertices = owned(&vertices);
        let (near, far) = self.ask(py, (at, timeout_s, now), |input, watch| {
            self.reader.pairs(input, &vertices, self.threads, watch)
        })?;
        Ok((buffers(py, &near)?, buffers(py, &far)?))
    }
}

fn watched(limit: Option<Instant>) -> Watched {
    let interrupt = Arc::new(Interrupt::default());
    let signals = Arc::clone(&interrupt);
    let ask = Ask::new(move || signals.is_due());
    let watch = Watch::new(Arc::default(), limit).asking(Some(ask));
    (interrupt, Arc::new(watch))
}

/// Offsets and data of a column.
pub type Buffers<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>);

pub fn buffers<'py>(py: Python<'py>, column: &BytesColumn) -> PyResult<Buffers<'py>> {
    let data = PyBytes::new(py, &column.data);
    Ok((numbers(py, &column.offsets)?, data))
}

/// A column of text as a list: its offsets and its data.
#[pyfunction]
pub fn texts<'py>(
    py: Python<'py>,
    offsets: &Bound<'py, PyAny>,
    data: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyList>> {
    let (offsets, data) = (Held::<i64>::read(offsets)?, Held::<u8>::read(data)?);
    let view = attached(py, || BytesView::new(offsets.items(), data.items()))?;
    text_list(py, (0..view.len()).map(|at| view.get(at)))
}

fn text_list<'py, 'k>(
    py: Python<'py>,
    keys: impl ExactSizeIterator<Item = &'k [u8]>,
) -> PyResult<Bound<'py, PyList>> {
    let text = |key| match std::str::from_utf8(key) {
        Ok(text) => Ok(PyString::new(py, text)),
        Err(_) => {
            let problem = Error::InvalidBytes("a vertex is not text in UTF-8".into());
            Err(to_python(py, problem))
        }
    };
    PyList::new(py, keys.map(text).collect::<PyResult<Vec<_>>>()?)
}

/// Reads a direction.
pub fn direction(word: &str) -> Result<Direction> {
    match word {
        "out" => Ok(Direction::Out),
        "in" => Ok(Direction::In),
        "both" => Ok(Direction::Both),
        _ => Err(Error::InvalidOption(format!(
            "a direction is out, in or both, not {word}"
        ))),
    }
}
