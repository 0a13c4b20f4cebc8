//! `_native.RecordElements`: records that become elements one by one, as they are asked for.
//!
//! So an element that nobody keeps is gone before the next one is made, and the garbage collector has nothing to do.

use std::sync::{Mutex, MutexGuard, PoisonError};

use lexigraph_core::records::Records;
use pyo3::prelude::*;

use crate::record_maker::{KeptParts, Maker};
use crate::records::PreparedRecords;

/// An iterator over elements.
#[pyclass(frozen, module = "lexigraph._native")]
pub struct RecordElements {
    records: Records,
    prepared: Py<PreparedRecords>,
    made: Mutex<Made>,
}

/// How many were made, and what they have in common.
#[derive(Default)]
struct Made {
    count: usize,
    kept: KeptParts,
}

impl RecordElements {
    pub fn new(records: Records, prepared: Py<PreparedRecords>) -> RecordElements {
        RecordElements {
            records,
            prepared,
            made: Mutex::default(),
        }
    }

    fn made(&self) -> MutexGuard<'_, Made> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl RecordElements {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __len__(&self) -> usize {
        self.records.records.len().saturating_sub(self.made().count)
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        // Not held while Python is called: another thread may ask for the next one meanwhile.
        let (record, mut kept) = {
            let mut made = self.made();
            let Some(record) = self.records.records.get(made.count) else {
                return Ok(None);
            };
            made.count += 1;
            (record, std::mem::take(&mut made.kept))
        };
        let prepared = self.prepared.get();
        let mut maker = Maker {
            py,
            classes: prepared.classes.get(),
            records: &self.records,
            shown: prepared.shown(py),
            kept: &mut kept,
        };
        let element = maker.element(record)?;
        self.made().kept = kept;
        Ok(Some(element))
    }
}
