//! `_native.FrameScan`: a running scan whose elements come out as columns.

use std::sync::{Arc, Mutex, PoisonError};

use lexigraph_core::engine::Engine;
use lexigraph_core::frames::{self, Among, Bits, Buffers, Ends, Frame, Keys};
use lexigraph_core::scan::Cancel;
use lexigraph_core::{Error, Result};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyList, PyTuple};

use crate::buffers::Memory;
use crate::guarded::detached;
use crate::interrupt::Interrupt;
use crate::scan::options;
use crate::snapshot::Snapshot;

/// Whether directed edges turn, what far ends must be among, and where far and near ends show that the other row is found
/// too: by names or by ranges, and by names.
#[derive(FromPyObject)]
pub struct EndsParts(
    bool,
    Option<Vec<PyBackedBytes>>,
    Option<Vec<PyBackedBytes>>,
    Option<Vec<(PyBackedBytes, PyBackedBytes)>>,
    Option<Vec<PyBackedBytes>>,
);

impl EndsParts {
    pub fn ends(&self) -> Ends {
        let keys = |held: &Option<Vec<PyBackedBytes>>| {
            let held = held.as_ref()?;
            Some(held.iter().map(|key| key.to_vec()).collect::<Keys>())
        };
        let pair = |(low, high): &(PyBackedBytes, PyBackedBytes)| (low.to_vec(), high.to_vec());
        let ranges = self.3.as_ref();
        let ranges = ranges.map(|ranges| Among::Ranges(ranges.iter().map(pair).collect()));
        Ends {
            turns: self.0,
            far_in: keys(&self.1),
            again_far: keys(&self.2).map(Among::Keys).or(ranges),
            again_near: keys(&self.4),
        }
    }
}

/// Gives batches of rows until there are no more; any thread may cancel it.
#[pyclass(frozen, module = "lexigraph._native")]
pub struct FrameScan {
    scan: Mutex<Option<frames::FrameScan>>,
    cancel: Cancel,
    interrupt: Arc<Interrupt>,
}

impl FrameScan {
    pub fn new(scan: frames::FrameScan, interrupt: Arc<Interrupt>) -> FrameScan {
        FrameScan {
            cancel: scan.cancel_handle(),
            scan: Mutex::new(Some(scan)),
            interrupt,
        }
    }

    fn step(&self) -> Result<Option<Frame>> {
        let mut held = self.scan.lock().unwrap_or_else(PoisonError::into_inner);
        match held.as_mut() {
            Some(scan) => {
                self.interrupt.enter();
                scan.next_frame()
            }
            None => Err(Error::Closed("this scan was closed".into())),
        }
    }
}

#[pymethods]
impl FrameScan {
    /// The next rows: how many, and of each column its length, how many are null, which are there, offsets, data and the
    /// columns inside it.
    fn next<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        py.check_signals()?;
        let frame = detached(py, || self.step());
        match self.interrupt.raised() {
            Some(error) => Err(error),
            None => frame?.map(|frame| to_python(py, frame)).transpose(),
        }
    }

    fn cancel(&self) {
        self.cancel.cancel();
    }

    /// Ends it, and waits for a batch that is being made.
    fn close(&self, py: Python<'_>) {
        self.cancel.cancel();
        py.detach(|| {
            let mut held = self.scan.lock().unwrap_or_else(PoisonError::into_inner);
            held.take();
        });
    }
}

/// Such a scan, ready to be started.
#[pyclass(frozen, module = "lexigraph._native")]
pub struct PreparedFrames {
    engine: Engine,
    table: String,
    scan: frames::Prepared,
}

impl PreparedFrames {
    pub fn new(engine: Engine, table: &str, scan: frames::Prepared) -> PreparedFrames {
        PreparedFrames {
            engine,
            table: table.to_owned(),
            scan,
        }
    }
}

#[pymethods]
impl PreparedFrames {
    /// Starts it, to give at most so many rows at a time.
    fn open(
        &self,
        py: Python<'_>,
        at: Option<&Snapshot>,
        timeout_s: Option<f64>,
        now: Option<i64>,
        threads: usize,
        rows: usize,
    ) -> PyResult<FrameScan> {
        let interrupt = Arc::new(Interrupt::default());
        let options = options(timeout_s, threads, &interrupt);
        detached(py, || {
            let at = at.map(|at| &at.0);
            let input = self.engine.scan_input_at(&self.table, at, now)?;
            Ok(FrameScan::new(
                self.scan.open(input, &options, rows)?,
                interrupt,
            ))
        })
    }
}

/// How many rows a frame has, and its columns, which Python reads where they are.
pub fn to_python<'py>(py: Python<'py>, frame: Frame) -> PyResult<Bound<'py, PyTuple>> {
    let columns = frame.columns.into_iter();
    let columns = columns.map(|column| column_parts(py, column));
    let columns = PyList::new(py, columns.collect::<PyResult<Vec<_>>>()?)?;
    (frame.rows, columns).into_pyobject(py)
}

fn column_parts<'py>(py: Python<'py>, column: Buffers) -> PyResult<Bound<'py, PyTuple>> {
    let Bits { len, zeros, .. } = column.present;
    let present = (zeros > 0).then(|| PyBytes::new(py, &column.present.into_bytes()));
    let offsets = column.offsets.map(|offsets| Memory::numbers(py, offsets));
    let data = Memory::bytes(py, column.data)?;
    let children = column.children.into_iter();
    let children = children.map(|child| column_parts(py, child));
    let children = PyList::new(py, children.collect::<PyResult<Vec<_>>>()?)?;
    (len, zeros, present, offsets.transpose()?, data, children).into_pyobject(py)
}
