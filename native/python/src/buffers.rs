//! Memory that Python holds, read without a copy while the interpreter's lock is free; and memory of the core that Python reads
//! without a copy.
//!
//! The unsafe code here is one conversion from a pointer to a slice, and one the other way.

use std::ffi::c_int;

use pyo3::buffer::{Element, PyBuffer, PyUntypedBuffer};
use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView};

/// A read-only, contiguous buffer, kept alive and in its place for as long as this lives.
pub struct Held<T: Element>(Option<PyBuffer<T>>);

impl<T: Element> Held<T> {
    /// Holds the buffer of an object; one that its holder may write to is refused.
    pub fn read(object: &Bound<'_, PyAny>) -> PyResult<Held<T>> {
        let buffer = PyUntypedBuffer::get(object)?;
        if buffer.item_count() == 0 {
            // Nothing may stand anywhere, also where no item could.
            return Ok(Held(None));
        }
        let buffer = buffer.into_typed::<T>()?;
        if !buffer.readonly() || buffer.as_slice_ptr().is_none() {
            let message = "cells are taken from read-only, contiguous memory: use CellBatch";
            return Err(PyBufferError::new_err(message));
        }
        Ok(Held(Some(buffer)))
    }

    /// The items.
    pub fn items(&self) -> &[T] {
        let Some(pointer) = self.0.as_ref().and_then(PyBuffer::as_slice_ptr) else {
            return &[];
        };
        // SAFETY: Python keeps an exported buffer where it is until it is released, which is when `self` is
        // dropped, and PyO3 checked format, size and alignment of its items. It is marked read-only, and batches
        // are documented as immutable: whoever changes memory behind such a view breaks that promise, with the
        // same outcome as in every other reader of the buffer protocol. Offsets are checked against the data
        // where each entry is read, so not even then is anything outside of the buffer touched.
        unsafe { pointer.as_ref() }
    }
}

/// Fewer bytes than this are copied: an object of their own would take as much.
const FEW: usize = 4096;

/// Bytes that the core made and nobody changes any more, for Python to read where they are.
#[pyclass(frozen, module = "lexigraph._native")]
pub struct Memory(Made);

enum Made {
    Bytes(Vec<u8>),
    Numbers(Vec<i32>),
}

impl Memory {
    /// Gives bytes away; Python gets them to read.
    pub fn bytes(py: Python<'_>, mut bytes: Vec<u8>) -> PyResult<Bound<'_, PyAny>> {
        if bytes.len() < FEW {
            return Ok(PyBytes::new(py, &bytes).into_any());
        }
        bytes.shrink_to_fit();
        Memory(Made::Bytes(bytes)).view(py)
    }

    /// Gives numbers away, as the bytes that they have in memory.
    pub fn numbers(py: Python<'_>, mut numbers: Vec<i32>) -> PyResult<Bound<'_, PyAny>> {
        numbers.shrink_to_fit();
        Memory(Made::Numbers(numbers)).view(py)
    }

    fn view(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let held = Bound::new(py, self)?;
        Ok(PyMemoryView::from(&held)?.into_any())
    }
}

#[pymethods]
impl Memory {
    /// Fills in a view of the bytes.
    ///
    /// # Safety
    /// Python gives a view that it may fill in.
    unsafe fn __getbuffer__(
        slf: Bound<'_, Self>,
        view: *mut ffi::Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        let (start, length) = match &slf.get().0 {
            Made::Bytes(bytes) => (bytes.as_ptr().cast_mut().cast(), bytes.len()),
            Made::Numbers(numbers) => (
                numbers.as_ptr().cast_mut().cast(),
                std::mem::size_of_val(numbers.as_slice()),
            ),
        };
        // SAFETY: the view holds this object, which is frozen: its memory stays where it is, and as it is, until the last
        // view is gone. The view is read-only.
        let code =
            unsafe { ffi::PyBuffer_FillInfo(view, slf.as_ptr(), start, length as isize, 1, flags) };
        match code {
            0 => Ok(()),
            _ => Err(PyErr::fetch(slf.py())),
        }
    }
}
