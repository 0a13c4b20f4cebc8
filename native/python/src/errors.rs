//! The error map: each kind of core error becomes its class in `lexigraph.errors`.

use lexigraph_core::Error;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// Turns a core error into the Python exception of the same name.
pub fn to_python(py: Python<'_>, error: Error) -> PyErr {
    build(py, &error).unwrap_or_else(|failure| failure)
}

/// Turns an error about a visibility expression into one that points at the place in it.
pub fn in_expression(py: Python<'_>, error: Error, expression: &[u8]) -> PyErr {
    let Error::InvalidVisibility { message, position } = &error else {
        return to_python(py, error);
    };
    let point = || {
        let class = py
            .import("lexigraph.errors")?
            .getattr("InvalidVisibility")?;
        let value = class.call_method1("at", (message, PyBytes::new(py, expression), position))?;
        PyResult::Ok(PyErr::from_value(value))
    };
    point().unwrap_or_else(|failure| failure)
}

fn build(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
    let kwargs = PyDict::new(py);
    let name = match error {
        Error::InvalidBytes(_) => "InvalidBytes",
        Error::InvalidValue(_) => "InvalidValue",
        Error::InvalidKey(_) => "InvalidKey",
        Error::InvalidOption(_) | Error::UnknownName(_) => "InvalidOption",
        Error::GroupNotFound(_) => "GroupNotFound",
        Error::Unsupported(_) => "UnsupportedError",
        Error::Corruption(_) => "Corruption",
        Error::Store(_) => "StoreError",
        Error::TableNotFound(_) => "TableNotFound",
        Error::InvalidName(_) => "InvalidName",
        Error::Usage(_) => "UsageError",
        Error::Conflict(_) => "Conflict",
        Error::ReadOnly(_) => "ReadOnly",
        Error::Locked(_) => "Locked",
        Error::Full(_) => "Full",
        Error::FormatVersion(_) => "FormatVersion",
        Error::SnapshotExpired(_) => "SnapshotExpired",
        Error::Closed(_) => "Closed",
        Error::Timeout(_) => "QueryTimeout",
        Error::Cancelled(_) => "QueryCancelled",
        Error::Constraint {
            table,
            cell,
            reason,
        } => {
            kwargs.set_item("table", table)?;
            kwargs.set_item("cell", cell)?;
            kwargs.set_item("reason", reason)?;
            "ConstraintError"
        }
        Error::InvalidVisibility { position, .. } => {
            kwargs.set_item("position", position)?;
            "InvalidVisibility"
        }
    };
    let class = py.import("lexigraph.errors")?.getattr(name)?;
    Ok(PyErr::from_value(
        class.call((error.to_string(),), Some(&kwargs))?,
    ))
}
