//! `_native.RecordReader`: records of one table, prepared once and read many times.

use std::sync::{Arc, Mutex, PoisonError};

use lexigraph_core::cells::CellColumns;
use lexigraph_core::engine::Engine;
use lexigraph_core::records::{Assembler, Records};
use lexigraph_core::scan::{self, Spec};
use lexigraph_core::settings::Settings;
use lexigraph_core::stages::AskedColumn;
use lexigraph_core::visibility::View;
use lexigraph_core::{Error, Result};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

use crate::arguments::RangeParts;
use crate::errors::to_python;
use crate::guarded::{attached, detached};
use crate::interrupt::Interrupt;
use crate::offer::{map, offer, Offer};
use crate::record_elements::RecordElements;
use crate::record_scan::RecordScan;
use crate::records::PreparedRecords;
use crate::scan::options;
use crate::snapshot::Snapshot;

/// Reads records as one reader: whole rows of these families alone.
#[pyclass(frozen, module = "lexigraph._native")]
pub struct RecordReader {
    engine: Engine,
    table: String,
    spec: Spec,
    prepared: Py<PreparedRecords>,
    /// One for each thread that reads at the same time. Boxed: it changes hands with every row.
    #[allow(clippy::vec_box)]
    idle: Mutex<Vec<Box<Held>>>,
}

/// What one call leaves for the next.
struct Held {
    reader: scan::RowReader,
    settings: Arc<Settings>,
    cells: CellColumns,
    assembler: Assembler,
}

impl RecordReader {
    pub fn new(
        py: Python<'_>,
        engine: Engine,
        table: &str,
        (view, columns): (View, Vec<AskedColumn>),
        prepared: Py<PreparedRecords>,
        at: Option<&Snapshot>,
    ) -> PyResult<Offer<RecordReader>> {
        if prepared.get().reading.view != view {
            let message = "records are read by one reader, but the scan has other authorizations";
            return Err(to_python(py, Error::Usage(message.into())));
        }
        let spec = Spec {
            view,
            columns,
            ..Spec::default()
        };
        let reader = RecordReader {
            engine,
            table: table.to_owned(),
            spec,
            prepared,
            idle: Mutex::default(),
        };
        let first = attached(py, || {
            let info = reader.engine.table(table, at.map(|at| &at.0))?;
            offer(reader.prepare(&info.settings))
        })?;
        Ok(map(first, |first| {
            reader.leave(first);
            reader
        }))
    }

    fn prepare(&self, settings: &Arc<Settings>) -> Result<Box<Held>> {
        Ok(Box::new(Held {
            reader: scan::RowReader::new(settings, &self.spec)?,
            settings: Arc::clone(settings),
            cells: CellColumns::default(),
            assembler: self.prepared.get().start(),
        }))
    }

    fn leave(&self, held: Box<Held>) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(held);
    }

    fn read(
        &self,
        rows: &[PyBackedBytes],
        at: Option<&Snapshot>,
        now: Option<i64>,
    ) -> Result<Records> {
        let at = at.map(|at| &at.0);
        let input = self.engine.scan_input_at(&self.table, at, now)?;
        let taken = {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            idle.pop()
        };
        let mut held = match taken {
            Some(held) if Arc::ptr_eq(&held.settings, &input.settings) => held,
            _ => self.prepare(&input.settings)?,
        };
        held.cells.clear();
        for row in rows {
            held.reader.row(&input, row, &mut held.cells)?;
        }
        let records = held.assembler.whole(&held.cells.view());
        self.leave(held);
        records
    }
}

#[pymethods]
impl RecordReader {
    /// The elements of some rows, in their order.
    fn rows(
        &self,
        py: Python<'_>,
        rows: Vec<PyBackedBytes>,
        at: Option<&Snapshot>,
        now: Option<i64>,
    ) -> PyResult<RecordElements> {
        let records = detached(py, || self.read(&rows, at, now))?;
        Ok(RecordElements::new(records, self.prepared.clone_ref(py)))
    }

    /// Starts to read ranges, which have whole rows.
    fn scan(
        &self,
        py: Python<'_>,
        ranges: Vec<RangeParts>,
        at: Option<&Snapshot>,
        timeout_s: Option<f64>,
        now: Option<i64>,
        threads: usize,
    ) -> PyResult<RecordScan> {
        let interrupt = Arc::new(Interrupt::default());
        let options = options(timeout_s, threads, &interrupt);
        let scan = detached(py, || {
            let spec = Spec {
                ranges: ranges.iter().map(RangeParts::range).collect(),
                ..self.spec.clone()
            };
            let at = at.map(|at| &at.0);
            let input = self.engine.scan_input_at(&self.table, at, now)?;
            scan::open(input, &spec, &options)
        })?;
        Ok(RecordScan::new(
            scan,
            interrupt,
            self.prepared.clone_ref(py),
        ))
    }
}
