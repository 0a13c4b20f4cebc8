//! Calls into the core: without the interpreter's lock, and without a panic ever leaving them.

use std::any::Any;
use std::panic::{catch_unwind, AssertUnwindSafe};

use lexigraph_core::Result;
use pyo3::prelude::*;

use crate::errors::to_python;

/// Does some work while other threads of Python run.
pub fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T> + Send) -> PyResult<T> {
    let outcome = py.detach(|| catch_unwind(AssertUnwindSafe(work)));
    finish(py, outcome)
}

/// Does some work that is too short to let go of the interpreter for.
pub fn attached<T>(py: Python<'_>, work: impl FnOnce() -> Result<T>) -> PyResult<T> {
    finish(py, catch_unwind(AssertUnwindSafe(work)))
}

fn finish<T>(py: Python<'_>, outcome: std::thread::Result<Result<T>>) -> PyResult<T> {
    match outcome {
        Ok(result) => result.map_err(|error| to_python(py, error)),
        Err(panic) => Err(internal(py, &*panic)),
    }
}

fn internal(py: Python<'_>, panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    let message = format!(
        "the native core failed at something that cannot fail: {}",
        text.unwrap_or_default()
    );
    let build = || {
        let class = py.import("lexigraph.errors")?.getattr("InternalError")?;
        PyResult::Ok(PyErr::from_value(class.call1((message,))?))
    };
    build().unwrap_or_else(|failure| failure)
}

/// Fails as a bug of the core would: for the test that such a failure is an error of Python.
#[pyfunction]
#[allow(clippy::panic)]
pub fn fail_inside(py: Python<'_>, words: &str) -> PyResult<()> {
    detached(py, || panic!("{words}"))
}
