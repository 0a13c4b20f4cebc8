//! `_native.PreparedRecords` and `_native.RecordAssembler`: cells by column in, elements out.

use std::sync::{Mutex, MutexGuard, PoisonError};

use lexigraph_core::records::{Assembler, FetchHints, RecordReading, RecordRows, Retention, Table};
use lexigraph_core::{Error, Result};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyTuple;

use crate::arguments::{json, view};
use crate::cells::HeldCells;
use crate::guarded::{attached, detached};
use crate::offer::{map, offer, Offer};
use crate::record_classes::RecordClasses;
use crate::record_elements::RecordElements;
use crate::record_maker::Shown;

/// How one table of records is read, as one reader.
#[pyclass(frozen, module = "lexigraph._native")]
pub struct PreparedRecords {
    pub rows: RecordRows,
    table: Table,
    pub reading: RecordReading,
    pub classes: Py<RecordClasses>,
    hints: Py<PyAny>,
}

impl PreparedRecords {
    /// Starts before the first row.
    pub fn start(&self) -> Assembler {
        Assembler::new(self.rows.clone(), self.table, self.reading.clone())
    }

    /// How records are shown.
    pub fn shown<'a, 'py>(&'a self, py: Python<'py>) -> Shown<'a, 'py> {
        Shown {
            rows: &self.rows,
            hints: &self.reading.hints,
            given: self.hints.bind(py),
        }
    }
}

#[pymethods]
impl PreparedRecords {
    /// Reads codecs, who reads and what is fetched; a codec that the core does not know is a reason to decline.
    ///
    /// `plan` is a key plan of facts as JSON; `fetched` are the hints as JSON and as Python has them;
    /// `now` is when times to live are judged, and `kept` a retention as JSON, which needs it.
    #[staticmethod]
    #[allow(clippy::too_many_arguments)]
    fn prepare(
        py: Python<'_>,
        classes: Py<RecordClasses>,
        table: &str,
        plan: &str,
        authorizations: Option<Vec<PyBackedBytes>>,
        as_of: Option<i64>,
        fetched: (String, Py<PyAny>),
        now: Option<i64>,
        kept: Option<String>,
    ) -> PyResult<Offer<PreparedRecords>> {
        let (hints, given) = fetched;
        let prepare = || {
            let retention =
                kept.map(|text| Retention::from_json(&json(&text)?, now.unwrap_or_default()));
            Ok((
                RecordRows::from_plan(&json(plan)?)?,
                table_of(table)?,
                RecordReading {
                    view: view(authorizations.as_deref())?,
                    as_of,
                    hints: FetchHints::from_json(&json(&hints)?)?,
                    now,
                    retention: retention.transpose()?,
                },
            ))
        };
        let made = attached(py, || offer(prepare()))?;
        Ok(map(made, |(rows, table, reading)| PreparedRecords {
            rows,
            table,
            reading,
            classes,
            hints: given,
        }))
    }

    /// Starts to assemble.
    fn assembler(slf: Py<Self>) -> RecordAssembler {
        RecordAssembler {
            assembler: Mutex::new(slf.get().start()),
            prepared: slf,
        }
    }
}

/// Makes elements of batches of cells.
#[pyclass(frozen, module = "lexigraph._native")]
pub struct RecordAssembler {
    assembler: Mutex<Assembler>,
    prepared: Py<PreparedRecords>,
}

impl RecordAssembler {
    fn held(&self) -> MutexGuard<'_, Assembler> {
        self.assembler
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl RecordAssembler {
    /// Takes the next cells, a tuple of twelve; gives the elements of the rows that ended.
    fn feed(&self, py: Python<'_>, cells: &Bound<'_, PyTuple>) -> PyResult<RecordElements> {
        let held = HeldCells::read(cells)?;
        let records = detached(py, || self.held().feed(&held.view()?))?;
        Ok(RecordElements::new(records, self.prepared.clone_ref(py)))
    }

    /// Gives the element of the last row.
    fn finish(&self, py: Python<'_>) -> PyResult<RecordElements> {
        let records = attached(py, || self.held().finish())?;
        Ok(RecordElements::new(records, self.prepared.clone_ref(py)))
    }
}

fn table_of(name: &str) -> Result<Table> {
    match name {
        "vertices" => Ok(Table::Vertices),
        "edges" => Ok(Table::Edges),
        _ => Err(Error::InvalidOption(format!(
            "a table of records is vertices or edges, not {name}"
        ))),
    }
}
