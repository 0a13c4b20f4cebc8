//! `_native.CellDecoder`: cells by column in, elements by column out.

use std::sync::{Arc, Mutex, PoisonError};

use lexigraph_core::frames::{Asked, Decoder, Ends};
use lexigraph_core::plan::Plan;
use lexigraph_core::Result;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::arguments;
use crate::cells::HeldCells;
use crate::frames::{self, EndsParts};
use crate::guarded::{attached, detached};
use crate::offer::{offer, Offer};

/// Reads cells as one plan says, for the columns that it was made for.
#[pyclass(frozen, module = "lexigraph._native")]
pub struct CellDecoder {
    plan: Arc<Plan>,
    asked: Asked,
    ends: Option<Ends>,
    idle: Mutex<Vec<Decoder>>,
}

impl CellDecoder {
    fn made(plan: &str, columns: &str, ends: Option<Ends>) -> Result<CellDecoder> {
        let plan = Arc::new(Plan::parse(&arguments::json(plan)?, "plan")?);
        let asked = Asked::from_json(&arguments::json(columns)?)?;
        let first = Decoder::new(&plan, &asked, ends.clone())?;
        Ok(CellDecoder {
            plan,
            asked,
            ends,
            idle: Mutex::new(vec![first]),
        })
    }
}

#[pymethods]
impl CellDecoder {
    /// Reads a plan, the wanted columns and the check of ends; what the core does not know is a reason to decline.
    #[staticmethod]
    fn prepare(
        py: Python<'_>,
        plan: &str,
        columns: &str,
        ends: Option<EndsParts>,
    ) -> PyResult<Offer<CellDecoder>> {
        let ends = ends.as_ref().map(EndsParts::ends);
        attached(py, || offer(CellDecoder::made(plan, columns, ends)))
    }

    /// Decodes some cells, a tuple of twelve: how many rows they give, and the columns; nothing where there are none.
    fn decode<'py>(
        &self,
        py: Python<'py>,
        cells: &Bound<'py, PyTuple>,
    ) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let held = HeldCells::read(cells)?;
        let frame = detached(py, || {
            let cells = held.view()?;
            // Several threads may decode at once.
            let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            let taken = idle().pop();
            let mut decoder = match taken {
                Some(decoder) => decoder,
                None => Decoder::new(&self.plan, &self.asked, self.ends.clone())?,
            };
            decoder.add(cells)?;
            let frame = decoder.take();
            idle().push(decoder);
            Ok(frame)
        })?;
        frame.map(|frame| frames::to_python(py, frame)).transpose()
    }
}
