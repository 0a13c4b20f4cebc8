//! `_native.Authorizations`: a set of tokens.

use crate::errors::to_python;
use lexigraph_core::visibility as core;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// An immutable set of byte tokens.
#[pyclass(frozen, module = "lexigraph._native")]
pub struct Authorizations(core::Authorizations);

impl Authorizations {
    pub fn core(&self) -> &core::Authorizations {
        &self.0
    }
}

#[pymethods]
impl Authorizations {
    #[new]
    fn new(py: Python<'_>, tokens: Vec<Bound<'_, PyBytes>>) -> PyResult<Authorizations> {
        let held = core::Authorizations::new(tokens.iter().map(|token| token.as_bytes()));
        held.map(Authorizations)
            .map_err(|error| to_python(py, error))
    }

    #[staticmethod]
    fn parse(py: Python<'_>, text: &[u8]) -> PyResult<Authorizations> {
        let held = core::Authorizations::parse(text);
        held.map(Authorizations)
            .map_err(|error| to_python(py, error))
    }

    fn serialise<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.serialise())
    }

    #[getter]
    fn tokens<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyBytes>> {
        self.0.iter().map(|token| PyBytes::new(py, token)).collect()
    }

    fn __repr__(&self) -> String {
        let shown = self
            .0
            .iter()
            .map(|token| format!("b\"{}\"", token.escape_ascii()));
        format!("Authorizations([{}])", shown.collect::<Vec<_>>().join(", "))
    }
}
