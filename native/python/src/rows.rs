//! `_native.RowReader`: one row, now, as the cells that Python works with.

use std::sync::{Arc, Mutex, PoisonError};

use lexigraph_core::cells::CellColumns;
use lexigraph_core::engine;
use lexigraph_core::scan::{self, Spec};
use lexigraph_core::settings::Settings;
use lexigraph_core::stages::AskedColumn;
use lexigraph_core::visibility::View;
use lexigraph_core::{Error, Result};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyList};

use crate::guarded::{attached, detached};
use crate::kept::Kept;
use crate::offer::{map, offer, Offer};
use crate::tuples::TupleClass;

/// Reads rows of one table as one reader.
#[pyclass(frozen, module = "lexigraph._native")]
pub struct RowReader {
    engine: engine::Engine,
    table: String,
    spec: Spec,
    /// One for each thread that reads at the same time. Boxed: it changes hands with every row.
    #[allow(clippy::vec_box)]
    idle: Mutex<Vec<Box<Held>>>,
    class: TupleClass,
}

/// What one call leaves for the next.
struct Held {
    reader: scan::RowReader,
    settings: Arc<Settings>,
    cells: CellColumns,
    families: Kept,
    labels: Kept,
}

impl RowReader {
    pub fn new(
        py: Python<'_>,
        engine: engine::Engine,
        table: &str,
        view: View,
        columns: Vec<AskedColumn>,
    ) -> PyResult<Offer<RowReader>> {
        let spec = Spec {
            view,
            columns,
            ..Spec::default()
        };
        let reader = RowReader {
            engine,
            table: table.to_owned(),
            spec,
            idle: Mutex::default(),
            class: TupleClass::new(&py.import("lexigraph.cells.cell")?.getattr("Cell")?)?,
        };
        let first = attached(py, || {
            let info = reader.engine.table(table, None)?;
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
            families: Kept::default(),
            labels: Kept::default(),
        }))
    }

    fn take(&self) -> Option<Box<Held>> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.pop()
    }

    fn leave(&self, held: Box<Held>) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(held);
    }

    fn read<'py>(
        &self,
        py: Python<'py>,
        row: &Bound<'py, PyAny>,
        now: Option<i64>,
    ) -> PyResult<Option<Bound<'py, PyList>>> {
        let Ok(row) = row.cast::<PyBytes>() else {
            let problem = Error::InvalidKey("a row is bytes; encode text first".into());
            return Err(crate::errors::to_python(py, problem));
        };
        let bytes = row.as_bytes();
        let taken = self.take();
        let Some(mut held) = detached(py, || self.fill(taken, bytes, now))? else {
            return Ok(None);
        };
        let list = self.cells(py, row, &mut held)?;
        self.leave(held);
        Ok(Some(list))
    }

    fn cells<'py>(
        &self,
        py: Python<'py>,
        row: &Bound<'py, PyBytes>,
        held: &mut Held,
    ) -> PyResult<Bound<'py, PyList>> {
        let bytes = |bytes: &[u8]| Ok(PyBytes::new(py, bytes).into_any());
        let view = held.cells.view();
        let mut cells = Vec::with_capacity(view.len());
        for index in 0..view.len() {
            let cell = view.cell(index);
            cells.push(self.class.make(
                py,
                [
                    row.clone().into_any(),
                    held.families.get(py, cell.key.family, bytes)?,
                    PyBytes::new(py, cell.key.qualifier).into_any(),
                    held.labels.get(py, cell.key.visibility, bytes)?,
                    cell.key.timestamp.into_pyobject(py)?.into_any(),
                    PyBool::new(py, cell.key.deleted).to_owned().into_any(),
                    PyBytes::new(py, cell.value).into_any(),
                ],
            )?);
        }
        PyList::new(py, cells)
    }

    /// Nothing where the table has got a stage since that the core does not run.
    fn fill(
        &self,
        taken: Option<Box<Held>>,
        row: &[u8],
        now: Option<i64>,
    ) -> Result<Option<Box<Held>>> {
        let input = self.engine.scan_input_at(&self.table, None, now)?;
        let mut held = match taken {
            Some(held) if Arc::ptr_eq(&held.settings, &input.settings) => held,
            _ => match offer(self.prepare(&input.settings))? {
                (Some(held), _) => held,
                (None, _) => return Ok(None),
            },
        };
        held.cells.clear();
        held.reader.row(&input, row, &mut held.cells)?;
        Ok(Some(held))
    }
}

#[pymethods]
impl RowReader {
    /// The cells of a row; nothing where a scan has to read it.
    fn row<'py>(
        &self,
        py: Python<'py>,
        row: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyList>>> {
        self.read(py, row, None)
    }

    /// The cells of a row, with the clock in microseconds.
    fn row_at<'py>(
        &self,
        py: Python<'py>,
        row: &Bound<'py, PyAny>,
        now: i64,
    ) -> PyResult<Option<Bound<'py, PyList>>> {
        self.read(py, row, Some(now))
    }
}
