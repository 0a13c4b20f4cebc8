//! `_native.Scan`: a running scan.

use std::sync::{Arc, Mutex, PoisonError};

use lexigraph_core::cells::CellColumns;
use lexigraph_core::engine::Engine;
use lexigraph_core::scan::{self, ScanOptions};
use lexigraph_core::stages::{StageSpec, BUILT_IN};
use lexigraph_core::tree::Ask;
use lexigraph_core::{Error, Result};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::arguments::{self, json, stages};
use crate::cells;
use crate::engine::deadline;
use crate::guarded::{attached, detached};
use crate::interrupt::Interrupt;
use crate::snapshot::Snapshot;

/// Gives batches until there are no more; any thread may cancel it.
#[pyclass(frozen, module = "lexigraph._native")]
pub struct Scan {
    scan: Mutex<Option<scan::Scan>>,
    cancel: scan::Cancel,
    interrupt: Arc<Interrupt>,
}

impl Scan {
    pub fn new(scan: scan::Scan, interrupt: Arc<Interrupt>) -> Scan {
        Scan {
            cancel: scan.cancel_handle(),
            scan: Mutex::new(Some(scan)),
            interrupt,
        }
    }

    fn step(&self, cells: usize) -> Result<Option<CellColumns>> {
        let mut held = self.scan.lock().unwrap_or_else(PoisonError::into_inner);
        match held.as_mut() {
            Some(scan) => {
                self.interrupt.enter();
                scan.next(cells)
            }
            None => Err(Error::Closed("this scan was closed".into())),
        }
    }
}

#[pymethods]
impl Scan {
    /// The next cells as a tuple of columns; none when there are no more.
    fn next<'py>(&self, py: Python<'py>, cells: usize) -> PyResult<Option<Bound<'py, PyTuple>>> {
        py.check_signals()?;
        let batch = detached(py, || self.step(cells));
        match self.interrupt.raised() {
            Some(error) => Err(error),
            None => batch?.map(|batch| cells::to_python(py, &batch)).transpose(),
        }
    }

    fn cancel(&self) {
        self.cancel.cancel();
    }

    /// Ends it, and waits for a batch that is being made.
    fn close(&self, py: Python<'_>) {
        self.cancel.cancel();
        py.detach(|| *self.scan.lock().unwrap_or_else(PoisonError::into_inner) = None);
    }
}

/// A scan that the core runs whole, ready to be started.
#[pyclass(frozen, module = "lexigraph._native")]
pub struct PreparedScan {
    engine: Engine,
    table: String,
    scan: scan::Prepared,
}

impl PreparedScan {
    pub fn new(engine: Engine, table: &str, scan: scan::Prepared) -> PreparedScan {
        PreparedScan {
            engine,
            table: table.to_owned(),
            scan,
        }
    }
}

#[pymethods]
impl PreparedScan {
    fn open(
        &self,
        py: Python<'_>,
        at: Option<&Snapshot>,
        timeout_s: Option<f64>,
        now: Option<i64>,
        threads: usize,
    ) -> PyResult<Scan> {
        let interrupt = Arc::new(Interrupt::default());
        let options = options(timeout_s, threads, &interrupt);
        detached(py, || {
            let at = at.map(|at| &at.0);
            let input = self.engine.scan_input_at(&self.table, at, now)?;
            Ok(Scan::new(self.scan.open(input, &options)?, interrupt))
        })
    }
}

/// How a scan runs that signals of Python may end.
pub fn options(timeout_s: Option<f64>, threads: usize, interrupt: &Arc<Interrupt>) -> ScanOptions {
    let signals = Arc::clone(interrupt);
    ScanOptions {
        deadline: timeout_s.and_then(deadline),
        threads,
        ask: Some(Ask::new(move || signals.is_due())),
        ..ScanOptions::default()
    }
}

/// How many of these stages, from the data upwards, the core runs.
#[pyfunction]
pub fn count_stages(py: Python<'_>, settings: &str, spec: &str, all: &str) -> PyResult<usize> {
    let count = || {
        let settings = lexigraph_core::settings::Settings::from_json(&json(settings)?)?;
        let spec = arguments::spec(spec, &[], &[])?;
        let known = |stage: &StageSpec| BUILT_IN.iter().any(|kind| kind.name == stage.name);
        let named: Vec<StageSpec> = stages(all)?.into_iter().take_while(known).collect();
        scan::native_prefix(&settings, &spec, &named)
    };
    attached(py, || match count() {
        // Python has read it all without a complaint: a plan says what the core does not know yet.
        Err(Error::InvalidOption(_) | Error::UnknownName(_)) => Ok(0),
        found => found,
    })
}
