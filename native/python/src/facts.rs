//! `_native.FactEncoder`: columns of Arrow in, the facts of records out.

use lexigraph_core::elements::facts::{FactProgram, FactRequest};
use lexigraph_core::elements::Column;
use lexigraph_core::Result;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyTuple;

use crate::arguments;
use crate::elements::{EncodedCells, HeldColumn};
use crate::guarded::{attached, detached};
use crate::offer::Offer;

/// Makes facts of tables of one group of records.
#[pyclass(frozen, module = "lexigraph._native")]
pub struct FactEncoder(FactProgram);

type Answer = (
    Option<EncodedCells>,
    Option<EncodedCells>,
    usize,
    Vec<usize>,
    Option<String>,
);

#[pymethods]
impl FactEncoder {
    /// Reads a program in JSON text; what the core does not know is a reason to decline.
    #[staticmethod]
    fn prepare(py: Python<'_>, program: &str) -> PyResult<Offer<FactEncoder>> {
        attached(py, || {
            let made = arguments::json(program).and_then(|json| FactProgram::parse(&json));
            Ok(match made {
                Ok(program) => (Some(FactEncoder(program)), None),
                Err(error) => (None, Some(error.to_string())),
            })
        })
    }

    /// Gives the cells of vertices and references, those of edges, how many elements they are, the rows that do not
    /// fit, and why the core does not take these columns, if it does not. Columns are those of `ElementEncoder`.
    #[allow(clippy::too_many_arguments)]
    #[pyo3(signature = (columns, *, rows, skips, visibility, time, stamp, note, first_id))]
    fn encode<'py>(
        &self,
        py: Python<'py>,
        columns: Vec<Bound<'py, PyTuple>>,
        rows: usize,
        skips: bool,
        visibility: PyBackedBytes,
        time: Option<i64>,
        stamp: i64,
        note: PyBackedBytes,
        first_id: u128,
    ) -> PyResult<Answer> {
        let held = columns.iter().map(HeldColumn::read);
        let held: Vec<HeldColumn> = held.collect::<PyResult<_>>()?;
        let request = FactRequest {
            rows,
            skips,
            visibility: &visibility,
            time,
            stamp,
            note: &note,
            first_id,
        };
        let encode = || {
            let columns = held.iter().map(|column| column.view(rows));
            let columns: Vec<Column<'_>> = columns.collect::<Result<_>>()?;
            self.0.encode(&columns, &request)
        };
        Ok(match detached(py, || Ok(encode()))? {
            Ok(made) => {
                let cells = |encoded: lexigraph_core::elements::Encoded| {
                    (encoded.cells() > 0).then(|| EncodedCells::new(encoded))
                };
                let (elements, bad) = (made.elements, made.bad);
                (cells(made.vertices), cells(made.edges), elements, bad, None)
            }
            Err(error) => (None, None, 0, Vec::new(), Some(error.to_string())),
        })
    }
}
