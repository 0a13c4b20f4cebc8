//! Memory that Python holds, read without a copy while the interpreter's lock is free.
//!
//! The unsafe code here is one conversion from a pointer to a slice.

use pyo3::buffer::{Element, PyBuffer, PyUntypedBuffer};
use pyo3::exceptions::PyBufferError;
use pyo3::prelude::*;

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
