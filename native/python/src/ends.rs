//! `_native.CellWays`: how edges lead from vertices to others, found in cells that Python fetched.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lexigraph_core::hops;
use lexigraph_core::plan::Plan;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyTuple};

use crate::arguments;
use crate::cells::HeldCells;
use crate::engine::owned;
use crate::guarded::{attached, detached};
use crate::hops::{buffers, direction, Buffers};
use crate::offer::{map, offer, Offer};

/// The edges of a plan that are followed.
#[pyclass(frozen, module = "lexigraph._native")]
pub struct CellWays(hops::CellWays);

#[pymethods]
impl CellWays {
    /// Reads a plan; one whose edges of a vertex do not lie together is a reason to decline.
    #[staticmethod]
    fn prepare(
        py: Python<'_>,
        plan: &str,
        word: &str,
        groups: Option<Vec<String>>,
    ) -> PyResult<Offer<CellWays>> {
        let made = attached(py, || {
            let towards = direction(word)?;
            let plan = arguments::json(plan).and_then(|json| Plan::parse(&json, "plan"));
            let ways = plan
                .and_then(|plan| hops::CellWays::new(Arc::new(plan), towards, groups.as_deref()));
            offer(ways)
        })?;
        Ok(map(made, CellWays))
    }

    /// What stands behind an escaped vertex at the start of the rows that lead away from it.
    fn prefixes<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyBytes>> {
        let prefixes = self.0.prefixes().iter();
        prefixes.map(|prefix| PyBytes::new(py, prefix)).collect()
    }

    /// Starts to follow the edges at some vertices, which are in key form.
    fn follow(&self, py: Python<'_>, vertices: Vec<PyBackedBytes>) -> PyResult<CellEnds> {
        let found = detached(py, || self.0.follow(owned(&vertices)))?;
        Ok(CellEnds(Mutex::new(found)))
    }
}

/// Finds the other ends of the edges at some vertices in cells of their rows.
#[pyclass(frozen, module = "lexigraph._native")]
pub struct CellEnds(Mutex<hops::CellEnds>);

impl CellEnds {
    fn held(&self) -> MutexGuard<'_, hops::CellEnds> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl CellEnds {
    /// Notes the other ends of the edges in some cells, a tuple of twelve.
    fn add(&self, py: Python<'_>, cells: &Bound<'_, PyTuple>) -> PyResult<()> {
        let held = HeldCells::read(cells)?;
        detached(py, || self.held().add(held.view()?))
    }

    /// Notes vertices with the other ends of their edges.
    fn add_pairs(&self, py: Python<'_>, cells: &Bound<'_, PyTuple>) -> PyResult<()> {
        let held = HeldCells::read(cells)?;
        detached(py, || self.held().add_pairs(held.view()?))
    }

    /// The ends that were noted, in key form, sorted, each once: offsets and data.
    fn take<'py>(&self, py: Python<'py>) -> PyResult<Buffers<'py>> {
        let found = detached(py, || Ok(self.held().take()))?;
        buffers(py, &found)
    }

    /// The pairs that were noted, as two columns.
    fn take_pairs<'py>(&self, py: Python<'py>) -> PyResult<(Buffers<'py>, Buffers<'py>)> {
        let (near, far) = detached(py, || Ok(self.held().take_pairs()))?;
        Ok((buffers(py, &near)?, buffers(py, &far)?))
    }
}
