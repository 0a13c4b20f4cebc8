//! Typed values as objects of Python. Those of rare types are made by Python's own codec.

use lexigraph_core::codec::{Codec, Integer, Scalar, Value};
use lexigraph_core::Result;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyInt, PyList, PyString, PyTuple};

use crate::errors::to_python;
use crate::instances::SlotClass;

/// Makes objects of values.
pub struct TypedValues {
    /// Reads the stored form of the codec `any`.
    decode: Py<PyAny>,
    /// `uuid.UUID`, and what it says of values whose making is unknown.
    uuid: SlotClass<2>,
    unsafe_uuid: Py<PyAny>,
}

impl TypedValues {
    /// `decode` reads the stored form of the codec `any`.
    pub fn new(py: Python<'_>, decode: Py<PyAny>) -> PyResult<TypedValues> {
        let uuid = py.import("uuid")?;
        Ok(TypedValues {
            decode,
            uuid: SlotClass::new(&uuid.getattr("UUID")?, ["int", "is_safe"])?,
            unsafe_uuid: uuid.getattr("SafeUUID")?.getattr("unknown")?.unbind(),
        })
    }

    /// Reads the stored form of the codec `any`.
    pub fn stored<'py>(&self, py: Python<'py>, data: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        match Scalar::of_value(data) {
            Some(scalar) => Ok(plain(py, scalar)),
            None => self.value(py, &core(py, Codec::Any.decode_value(data))?),
        }
    }

    /// Reads a key form that takes up all of `data`.
    pub fn key<'py>(
        &self,
        py: Python<'py>,
        codec: &Codec,
        data: &[u8],
    ) -> PyResult<Bound<'py, PyAny>> {
        match Scalar::of_key(codec, data) {
            Some(scalar) => Ok(plain(py, scalar)),
            None => self.value(py, &core(py, codec.decode_key(data))?),
        }
    }

    /// Makes an object of a value.
    pub fn value<'py>(&self, py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
        Ok(match value {
            Value::Null => py.None().into_bound(py),
            Value::Bool(truth) => PyBool::new(py, *truth).to_owned().into_any(),
            Value::Int(number) if number.to_i64().is_some() => integer(py, number),
            Value::Float(number) => PyFloat::new(py, *number).into_any(),
            Value::Str(text) => PyString::new(py, text).into_any(),
            Value::Bytes(bytes) => PyBytes::new(py, bytes).into_any(),
            Value::Uuid(bytes) => {
                let number = u128::from_be_bytes(*bytes).into_pyobject(py)?;
                let is_safe = self.unsafe_uuid.bind(py);
                self.uuid.make(py, [&number, is_safe])?
            }
            Value::Tuple(items) => PyTuple::new(py, self.items(py, items)?)?.into_any(),
            Value::List(items) => PyList::new(py, self.items(py, items)?)?.into_any(),
            rare => {
                let mut stored = Vec::new();
                core(py, Codec::Any.encode_value(rare, &mut stored))?;
                self.decode.bind(py).call1((PyBytes::new(py, &stored),))?
            }
        })
    }

    fn items<'py>(&self, py: Python<'py>, items: &[Value]) -> PyResult<Vec<Bound<'py, PyAny>>> {
        items.iter().map(|item| self.value(py, item)).collect()
    }
}

fn plain<'py>(py: Python<'py>, scalar: Scalar<'_>) -> Bound<'py, PyAny> {
    match scalar {
        Scalar::Str(text) => PyString::new(py, text).into_any(),
        Scalar::Int(number) => PyInt::new(py, number).into_any(),
    }
}

fn integer<'py>(py: Python<'py>, number: &Integer) -> Bound<'py, PyAny> {
    PyInt::new(py, number.to_i64().unwrap_or_default()).into_any()
}

/// Takes what the core gave.
pub fn core<T>(py: Python<'_>, outcome: Result<T>) -> PyResult<T> {
    outcome.map_err(|error| to_python(py, error))
}
