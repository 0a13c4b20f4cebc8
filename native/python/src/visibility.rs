//! `_native.Visibility`, `_native.quote` and `_native.conjunction`: expressions on bytes.

use crate::authorizations::Authorizations;
use crate::errors::in_expression;
use lexigraph_core::visibility as core;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A parsed visibility expression; `flatten` and `normalise` return bytes.
#[pyclass(frozen, module = "lexigraph._native")]
pub struct Visibility(core::Visibility);

#[pymethods]
impl Visibility {
    #[new]
    fn new(py: Python<'_>, expression: &[u8]) -> PyResult<Visibility> {
        let parsed = core::Visibility::parse(expression);
        parsed
            .map(Visibility)
            .map_err(|error| in_expression(py, error, expression))
    }

    #[getter]
    fn expression<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.expression())
    }

    #[getter]
    fn tokens<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyBytes>> {
        self.0
            .tokens()
            .into_iter()
            .map(|token| PyBytes::new(py, token))
            .collect()
    }

    fn evaluate(&self, authorizations: &Authorizations) -> bool {
        self.0.evaluate(authorizations.core())
    }

    fn flatten<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.flatten())
    }

    fn normalise<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.normalise())
    }

    fn __repr__(&self) -> String {
        format!("Visibility(b\"{}\")", self.0.expression().escape_ascii())
    }
}

/// Writes a token so that it reads back as itself.
#[pyfunction]
pub fn quote<'py>(py: Python<'py>, term: &[u8]) -> Bound<'py, PyBytes> {
    PyBytes::new(py, &core::quote(term))
}

/// The normalised AND of several labels.
#[pyfunction]
pub fn conjunction<'py>(
    py: Python<'py>,
    labels: Vec<Bound<'py, PyBytes>>,
) -> PyResult<Bound<'py, PyBytes>> {
    match core::conjunction(labels.iter().map(|label| label.as_bytes())) {
        Ok(joined) => Ok(PyBytes::new(py, &joined)),
        Err((index, error)) => {
            let label = labels
                .get(index)
                .map(|label| label.as_bytes())
                .unwrap_or_default();
            Err(in_expression(py, error, label))
        }
    }
}
