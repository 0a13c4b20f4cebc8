//! `_native.RecordReader`: records of one table, prepared once and read many times.

use std::sync::{Arc, Mutex, PoisonError};

use lexigraph_core::cells::{BytesView, CellColumns};
use lexigraph_core::codec::escape::escape;
use lexigraph_core::engine::Engine;
use lexigraph_core::records::{Assembler, RecordValue, Records};
use lexigraph_core::scan::{self, Spec};
use lexigraph_core::settings::Settings;
use lexigraph_core::stages::AskedColumn;
use lexigraph_core::visibility::View;
use lexigraph_core::{Error, Result};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyList;

use crate::arguments::RangeParts;
use crate::buffers::Held as HeldBuffer;
use crate::errors::to_python;
use crate::guarded::{attached, detached};
use crate::interrupt::Interrupt;
use crate::offer::{map, offer, Offer};
use crate::record_elements::RecordElements;
use crate::record_scan::RecordScan;
use crate::records::PreparedRecords;
use crate::scan::options;
use crate::snapshot::Snapshot;

/// How many vertices are read at once.
const VERTICES: usize = 1024;

/// Places of vertices, their values by column, and places of vertices with several values of a name.
type VertexValues<'py> = (Vec<usize>, Vec<Bound<'py, PyList>>, Vec<usize>);

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
        rows: &[impl AsRef<[u8]>],
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
        let rows = rows.iter().map(AsRef::as_ref);
        held.reader.rows(&input, rows, &mut held.cells)?;
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

    /// Single values of the vertices of a label, by column: the places of those that are seen among the given ids, which
    /// are in key form and sorted; a list of values for each name, with nothing where a vertex has none; and the places
    /// of vertices that have several values of a name, which are not among the others.
    #[allow(clippy::too_many_arguments)]
    fn vertex_values<'py>(
        &self,
        py: Python<'py>,
        offsets: &Bound<'py, PyAny>,
        data: &Bound<'py, PyAny>,
        label: PyBackedBytes,
        names: Vec<PyBackedBytes>,
        at: Option<&Snapshot>,
        now: Option<i64>,
    ) -> PyResult<VertexValues<'py>> {
        let (offsets, data) = (
            HeldBuffer::<i64>::read(offsets)?,
            HeldBuffer::<u8>::read(data)?,
        );
        let keys = attached(py, || BytesView::new(offsets.items(), data.items()))?;
        let classes = self.prepared.get().classes.get();
        let (mut places, mut several) = (Vec::new(), Vec::new());
        let mut columns: Vec<Vec<Bound<'py, PyAny>>> = names.iter().map(|_| Vec::new()).collect();
        let none = py.None().into_bound(py);
        for start in (0..keys.len()).step_by(VERTICES) {
            py.check_signals()?;
            let end = (start + VERTICES).min(keys.len());
            let rows: Vec<Vec<u8>> = (start..end).map(|place| own_row(keys.get(place))).collect();
            let records = detached(py, || self.read(&rows, at, now))?;
            let mut place = start;
            for record in &records.records {
                let id = records.get(record.id);
                while place < end && keys.get(place) != id {
                    place += 1;
                }
                let labels = records.labels.get(record.labels.start..record.labels.end);
                let mut labels = labels.unwrap_or_default().iter();
                if !labels.any(|one| records.get(*one) == &label[..]) {
                    continue;
                }
                let values = records.values.get(record.values.start..record.values.end);
                let values = values.unwrap_or_default();
                if names
                    .iter()
                    .any(|name| named(&records, values, name).count() > 1)
                {
                    several.push(place);
                    continue;
                }
                places.push(place);
                for (name, column) in names.iter().zip(&mut columns) {
                    column.push(match named(&records, values, name).next() {
                        Some(value) => classes.values.stored(py, records.get(value.value))?,
                        None => none.clone(),
                    });
                }
            }
        }
        let lists = columns.into_iter().map(|column| PyList::new(py, column));
        Ok((places, lists.collect::<PyResult<_>>()?, several))
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

/// The values of a name.
fn named<'a>(
    records: &'a Records,
    values: &'a [RecordValue],
    name: &'a [u8],
) -> impl Iterator<Item = &'a RecordValue> {
    values
        .iter()
        .filter(move |one| records.get(one.name) == name)
}

/// The row of a vertex, which is given in key form.
fn own_row(key: &[u8]) -> Vec<u8> {
    let mut row = Vec::with_capacity(key.len() + 2);
    escape(key, &mut row);
    row.extend([0, 1]);
    row
}
