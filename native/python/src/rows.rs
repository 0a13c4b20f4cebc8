//! `_native.RowReader`: one row, now, as the cells that Python works with.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use lexigraph_core::cells::CellColumns;
use lexigraph_core::engine::{self, TableInfo};
use lexigraph_core::scan::{self, Spec};
use lexigraph_core::settings::Settings;
use lexigraph_core::stages::Column;
use lexigraph_core::visibility::View;
use lexigraph_core::{Error, Result};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};

use crate::guarded::{attached, detached};

/// So many families and labels are kept as objects of Python; those beyond are made again.
const KEPT: usize = 64;

/// Reads rows of one table as one reader.
#[pyclass(frozen, module = "lexigraph._native")]
pub struct RowReader {
    engine: engine::Engine,
    table: String,
    spec: Spec,
    held: Mutex<Held>,
    make: Py<PyAny>,
    class: Py<PyAny>,
}

/// What one call leaves for the next.
struct Held {
    reader: scan::RowReader,
    settings: Arc<Settings>,
    cells: CellColumns,
    kept: HashMap<Vec<u8>, Py<PyBytes>>,
}

impl RowReader {
    pub fn new(
        py: Python<'_>,
        engine: engine::Engine,
        table: &str,
        view: View,
        columns: Vec<Column>,
    ) -> PyResult<RowReader> {
        let spec = Spec {
            view,
            columns,
            ..Spec::default()
        };
        let held = attached(py, || {
            let info: Arc<TableInfo> = engine.table(table, None)?;
            Ok(Held {
                reader: scan::RowReader::new(&info.settings, &spec)?,
                settings: Arc::clone(&info.settings),
                cells: CellColumns::default(),
                kept: HashMap::new(),
            })
        })?;
        Ok(RowReader {
            engine,
            table: table.to_owned(),
            spec,
            held: Mutex::new(held),
            make: py.get_type::<PyTuple>().getattr("__new__")?.unbind(),
            class: py.import("lexigraph.store.cells")?.getattr("Cell")?.unbind(),
        })
    }

    fn read<'py>(
        &self,
        py: Python<'py>,
        row: &Bound<'py, PyAny>,
        now: Option<i64>,
    ) -> PyResult<Bound<'py, PyList>> {
        let Ok(row) = row.cast::<PyBytes>() else {
            let problem = Error::InvalidKey("a row is bytes; encode text first".into());
            return Err(crate::errors::to_python(py, problem));
        };
        let bytes = row.as_bytes();
        let mut held = detached(py, || {
            let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
            self.fill(&mut held, bytes, now)?;
            // The lock is held until the cells are objects: another thread's row would overwrite them.
            Ok(held)
        })?;
        let held = &mut *held;
        let view = held.cells.view();
        let class = self.class.bind(py);
        let make = self.make.bind(py);
        let list = PyList::empty(py);
        for index in 0..view.len() {
            let cell = view.cell(index);
            let parts = (
                row,
                keep(py, &mut held.kept, cell.key.family),
                PyBytes::new(py, cell.key.qualifier),
                keep(py, &mut held.kept, cell.key.visibility),
                cell.key.timestamp,
                cell.key.deleted,
                PyBytes::new(py, cell.value),
            );
            list.append(make.call1((class, parts.into_pyobject(py)?))?)?;
        }
        Ok(list)
    }

    fn fill(&self, held: &mut Held, row: &[u8], now: Option<i64>) -> Result<()> {
        let input: scan::Input = self.engine.scan_input_at(&self.table, None, now)?.into();
        if !Arc::ptr_eq(&held.settings, &input.settings) {
            held.reader = scan::RowReader::new(&input.settings, &self.spec)?;
            held.settings = Arc::clone(&input.settings);
        }
        held.cells.clear();
        held.reader.row(&input, row, &mut held.cells)
    }
}

#[pymethods]
impl RowReader {
    /// The cells of a row.
    fn row<'py>(&self, py: Python<'py>, row: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        self.read(py, row, None)
    }

    /// The cells of a row, with the clock in microseconds.
    fn row_at<'py>(
        &self,
        py: Python<'py>,
        row: &Bound<'py, PyAny>,
        now: i64,
    ) -> PyResult<Bound<'py, PyList>> {
        self.read(py, row, Some(now))
    }
}

fn keep<'py>(
    py: Python<'py>,
    kept: &mut HashMap<Vec<u8>, Py<PyBytes>>,
    bytes: &[u8],
) -> Bound<'py, PyBytes> {
    if let Some(found) = kept.get(bytes) {
        return found.bind(py).clone();
    }
    let made = PyBytes::new(py, bytes);
    if kept.len() < KEPT {
        kept.insert(bytes.to_vec(), made.clone().unbind());
    }
    made
}
