//! `_native.FieldFirst`: cells in, cells out whose rows start with one field of the key.

use std::sync::{Arc, Mutex, PoisonError};

use lexigraph_core::plan::{self, Plan};
use lexigraph_core::Result;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::arguments;
use crate::cells::{self, HeldCells};
use crate::guarded::{attached, detached};
use crate::offer::{offer, Offer};

/// Makes such cells of one group.
#[pyclass(frozen, module = "lexigraph._native")]
pub struct FieldFirst {
    plan: Arc<Plan>,
    group: String,
    field: String,
    start: Vec<u8>,
    idle: Mutex<Vec<plan::FieldFirst>>,
}

impl FieldFirst {
    fn made(plan: &str, group: String, field: String, start: Vec<u8>) -> Result<FieldFirst> {
        let plan = Arc::new(Plan::parse(&arguments::json(plan)?, "plan")?);
        let first = plan::FieldFirst::new(&plan, &group, &field, &start)?;
        Ok(FieldFirst {
            plan,
            group,
            field,
            start,
            idle: Mutex::new(vec![first]),
        })
    }
}

#[pymethods]
impl FieldFirst {
    /// Looks a field up in a plan; what the core does not know is a reason to decline.
    #[staticmethod]
    fn prepare(
        py: Python<'_>,
        plan: &str,
        group: String,
        field: String,
        start: Vec<u8>,
    ) -> PyResult<Offer<FieldFirst>> {
        attached(py, || offer(FieldFirst::made(plan, group, field, start)))
    }

    /// Makes cells of some cells, both tuples of twelve.
    fn of<'py>(
        &self,
        py: Python<'py>,
        cells: &Bound<'py, PyTuple>,
        deleted: bool,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let held = HeldCells::read(cells)?;
        let made = detached(py, || {
            let cells = held.view()?;
            // Several threads may write at once.
            let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            let taken = idle().pop();
            let mut first = match taken {
                Some(first) => first,
                None => plan::FieldFirst::new(&self.plan, &self.group, &self.field, &self.start)?,
            };
            let made = first.of(cells, deleted)?;
            idle().push(first);
            Ok(made)
        })?;
        cells::to_python(py, &made)
    }
}
