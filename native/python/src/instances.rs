//! Instances of classes with slots without a call into Python for each: a tenth of the time of a frozen dataclass.

use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

/// A class that is made like `object`, and the attributes that its instances get, without its `__init__`.
pub struct SlotClass<const N: usize> {
    class: Py<PyType>,
    allocate: ffi::allocfunc,
    names: [Py<PyString>; N],
}

impl<const N: usize> SlotClass<N> {
    /// Takes a class; one that has a `__new__` of its own is refused.
    pub fn new(class: &Bound<'_, PyAny>, names: [&str; N]) -> PyResult<SlotClass<N>> {
        let py = class.py();
        let class = class.cast::<PyType>()?;
        let plain = py.get_type::<PyAny>().getattr("__new__")?;
        if !class.getattr("__new__")?.is(&plain) {
            return Err(PyTypeError::new_err("the class is not made like object"));
        }
        // SAFETY: the pointer is that of a live class. Every class has this slot, and what it holds is a
        // function of this type.
        let slot = unsafe { ffi::PyType_GetSlot(class.as_type_ptr(), ffi::Py_tp_alloc) };
        if slot.is_null() {
            return Err(PyTypeError::new_err("the class cannot be made"));
        }
        Ok(SlotClass {
            class: class.clone().unbind(),
            // SAFETY: as above; it is not null.
            allocate: unsafe { std::mem::transmute::<*mut std::ffi::c_void, ffi::allocfunc>(slot) },
            names: names.map(|name| PyString::intern(py, name).unbind()),
        })
    }

    /// Makes an instance with these values, in the order of the names.
    pub fn make<'py>(
        &self,
        py: Python<'py>,
        values: [&Bound<'py, PyAny>; N],
    ) -> PyResult<Bound<'py, PyAny>> {
        let class = self.class.bind(py).as_type_ptr();
        // SAFETY: the interpreter is held. Such a class is made by its allocator alone, as `object.__new__` does
        // it: that gives a new instance, or null with an error set.
        let made = unsafe { Bound::from_owned_ptr_or_err(py, (self.allocate)(class, 0))? };
        for (name, value) in self.names.iter().zip(values) {
            // SAFETY: all three are live objects. This is what `object.__setattr__` calls.
            let code = unsafe {
                ffi::PyObject_GenericSetAttr(made.as_ptr(), name.as_ptr(), value.as_ptr())
            };
            if code != 0 {
                return Err(PyErr::fetch(py));
            }
        }
        Ok(made)
    }
}
