//! Byte strings that come again and again, as objects of Python.

use pyo3::prelude::*;

/// So many are kept; those beyond are made again. Few, because they are compared one by one: there are hardly more, and
/// comparing takes less than hashing.
const KEPT: usize = 16;

/// Objects that were made of bytes.
#[derive(Default)]
pub struct Kept(Vec<(Vec<u8>, Py<PyAny>)>);

impl Kept {
    /// The object of some bytes, made where it is not kept.
    pub fn get<'py>(
        &mut self,
        py: Python<'py>,
        bytes: &[u8],
        make: impl FnOnce(&[u8]) -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Some((_, found)) = self.0.iter().find(|(held, _)| held == bytes) {
            return Ok(found.bind(py).clone());
        }
        let made = make(bytes)?;
        if self.0.len() < KEPT {
            self.0.push((bytes.to_vec(), made.clone().unbind()));
        }
        Ok(made)
    }

    /// The same, where only the last one is likely to come again.
    pub fn last<'py>(
        &mut self,
        py: Python<'py>,
        bytes: &[u8],
        make: impl FnOnce(&[u8]) -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match self.0.first_mut() {
            Some((held, found)) if held == bytes => Ok(found.bind(py).clone()),
            Some((held, found)) => {
                let made = make(bytes)?;
                held.clear();
                held.extend_from_slice(bytes);
                *found = made.clone().unbind();
                Ok(made)
            }
            None => self.get(py, bytes, make),
        }
    }
}
