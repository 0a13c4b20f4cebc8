//! `_native.RecordScan`: a running scan whose cells become records before Python sees them.

use std::sync::{Arc, Mutex, PoisonError};

use lexigraph_core::records::{Assembler, Records};
use lexigraph_core::scan::{Cancel, Scan};
use lexigraph_core::{Error, Result};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::guarded::detached;
use crate::interrupt::Interrupt;
use crate::record_elements::RecordElements;
use crate::records::PreparedRecords;

/// Gives records until there are no more; any thread may cancel it.
#[pyclass(frozen, module = "lexigraph._native")]
pub struct RecordScan {
    running: Mutex<Option<Running>>,
    cancel: Cancel,
    interrupt: Arc<Interrupt>,
    prepared: Py<PreparedRecords>,
}

struct Running {
    scan: Scan,
    assembler: Assembler,
    ended: bool,
}

impl Running {
    /// The records of so many cells, or of more where they give none; nothing at the end.
    fn next(&mut self, cells: usize) -> Result<Option<Records>> {
        while !self.ended {
            let records = match self.scan.next(cells)? {
                Some(batch) => self.assembler.feed(&batch.view())?,
                None => {
                    let last = self.assembler.finish()?;
                    self.ended = true;
                    last
                }
            };
            if !records.records.is_empty() {
                return Ok(Some(records));
            }
        }
        Ok(None)
    }
}

impl RecordScan {
    pub fn new(scan: Scan, interrupt: Arc<Interrupt>, prepared: Py<PreparedRecords>) -> RecordScan {
        RecordScan {
            cancel: scan.cancel_handle(),
            running: Mutex::new(Some(Running {
                scan,
                assembler: prepared.get().start(),
                ended: false,
            })),
            interrupt,
            prepared,
        }
    }

    fn step(&self, py: Python<'_>, cells: usize) -> PyResult<Option<Records>> {
        py.check_signals()?;
        let records = detached(py, || {
            let mut held = self.running.lock().unwrap_or_else(PoisonError::into_inner);
            match held.as_mut() {
                Some(running) => {
                    self.interrupt.enter();
                    running.next(cells)
                }
                None => Err(Error::Closed("this scan was closed".into())),
            }
        });
        match self.interrupt.raised() {
            Some(error) => Err(error),
            None => records,
        }
    }
}

#[pymethods]
impl RecordScan {
    /// The next elements, made of about so many cells; none when there are no more.
    fn next(&self, py: Python<'_>, cells: usize) -> PyResult<Option<RecordElements>> {
        let records = self.step(py, cells)?;
        Ok(records.map(|records| RecordElements::new(records, self.prepared.clone_ref(py))))
    }

    /// The next references as columns: edge ids, other ends, sort keys, signatures, times, visibilities.
    fn next_columns<'py>(
        &self,
        py: Python<'py>,
        cells: usize,
    ) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let prepared = self.prepared.get();
        let records = self.step(py, cells)?;
        records
            .map(|records| prepared.classes.get().columns(py, &records, &prepared.rows))
            .transpose()
    }

    fn cancel(&self) {
        self.cancel.cancel();
    }

    /// Ends it, and waits for records that are being made.
    fn close(&self, py: Python<'_>) {
        self.cancel.cancel();
        py.detach(|| {
            let mut held = self.running.lock().unwrap_or_else(PoisonError::into_inner);
            held.take();
        });
    }
}
