//! Assembled records as instances of their classes in Python.

use lexigraph_core::codec::{Codec, Value};
use lexigraph_core::records::{
    Direction, FetchHints, Record, RecordRows, RecordValue, Records, Span, SubjectKind,
};
use lexigraph_core::Error;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyInt, PyString, PyTuple};

use crate::errors::to_python;
use crate::instances::SlotClass;
use crate::kept::Kept;
use crate::record_classes::RecordClasses;
use crate::typed_values::{core, TypedValues};

/// What one element leaves for the next.
#[derive(Default)]
pub struct KeptParts {
    names: Kept,
    visibilities: Kept,
    labels: Kept,
    /// The vertex of references, which follow each other.
    vertex: Kept,
}

/// How records are shown: the codecs of their ids, and what was fetched.
pub struct Shown<'a, 'py> {
    pub rows: &'a RecordRows,
    pub hints: &'a FetchHints,
    /// The same as Python has it.
    pub given: &'a Bound<'py, PyAny>,
}

/// Makes elements of records.
pub struct Maker<'a, 'py> {
    pub py: Python<'py>,
    pub classes: &'a RecordClasses,
    pub records: &'a Records,
    pub shown: Shown<'a, 'py>,
    pub kept: &'a mut KeptParts,
}

impl<'py> Maker<'_, 'py> {
    /// Makes an element.
    pub fn element(&mut self, record: &Record) -> PyResult<Bound<'py, PyAny>> {
        match record.kind {
            SubjectKind::Vertex => self.vertex(record),
            SubjectKind::Edge => self.edge(record),
            SubjectKind::Reference(direction) => self.reference(record, direction),
        }
    }

    fn vertex(&mut self, record: &Record) -> PyResult<Bound<'py, PyAny>> {
        let (py, classes) = (self.py, self.classes);
        let codec = self.shown.rows.vertex_codec();
        let id = classes.values.key(py, codec, self.records.get(record.id))?;
        let properties = self.properties(record, &classes.of_vertex, &id)?;
        let visibility = self.visibility(record.visibility)?;
        let labels = match self.shown.hints.labels {
            true => self.labels(record.labels)?,
            false => py.None().into_bound(py),
        };
        let (time, hidden) = (PyInt::new(py, record.time), PyBool::new(py, record.hidden));
        classes.vertex.make(
            py,
            [
                &properties,
                self.shown.given,
                &id,
                &visibility,
                &time,
                &hidden,
                &labels,
            ],
        )
    }

    fn edge(&mut self, record: &Record) -> PyResult<Bound<'py, PyAny>> {
        let (py, classes) = (self.py, self.classes);
        let id = classes
            .values
            .key(py, &Codec::Any, self.records.get(record.id))?;
        let properties = self.properties(record, &classes.of_edge, &id)?;
        let shape = self.shape(self.records.get(record.content))?;
        let visibility = self.visibility(record.visibility)?;
        let (time, hidden) = (PyInt::new(py, record.time), PyBool::new(py, record.hidden));
        classes.edge.make(
            py,
            [
                &properties,
                self.shown.given,
                &id,
                &shape,
                &visibility,
                &time,
                &hidden,
            ],
        )
    }

    fn reference(&mut self, record: &Record, direction: Direction) -> PyResult<Bound<'py, PyAny>> {
        let (py, classes, records) = (self.py, self.classes, self.records);
        let codec = self.shown.rows.vertex_codec();
        let id = |key: &[u8]| classes.values.key(py, codec, key);
        let vertex = self.kept.vertex.last(py, records.get(record.id), id)?;
        let label = self
            .kept
            .labels
            .get(py, records.get(record.label), |text| text_of(py, text))?;
        let sort_key = sort_key(py, self.shown.rows, &classes.values, records, record)?;
        let other = id(records.get(record.other))?;
        let edge = classes
            .values
            .key(py, &Codec::Any, records.get(record.edge))?;
        let key = PyBytes::new(py, records.get(record.key));
        let [out, inwards, either] = &classes.directions;
        let direction = match direction {
            Direction::Out => out,
            Direction::In => inwards,
            Direction::Either => either,
        };
        let subject = classes.of_reference.make(
            py,
            [
                &vertex,
                direction.bind(py),
                &label,
                &sort_key,
                &other,
                &edge,
                &key,
            ],
        )?;
        let visibility = self.visibility(record.visibility)?;
        let signature = signature(py, &classes.values, records.get(record.content))?;
        let (time, hidden) = (PyInt::new(py, record.time), PyBool::new(py, record.hidden));
        classes
            .reference
            .make(py, [&subject, &visibility, &time, &hidden, &signature])
    }

    fn visibility(&mut self, span: Span) -> PyResult<Bound<'py, PyAny>> {
        let py = self.py;
        let make = |bytes: &[u8]| Ok(PyBytes::new(py, bytes).into_any());
        self.kept.visibilities.get(py, self.records.get(span), make)
    }

    fn labels(&mut self, span: Span) -> PyResult<Bound<'py, PyAny>> {
        let py = self.py;
        let labels = self.records.labels.get(span.start..span.end);
        let mut made = Vec::new();
        for label in labels.unwrap_or_default() {
            let text = |text: &[u8]| text_of(py, text);
            made.push(self.kept.labels.get(py, self.records.get(*label), text)?);
        }
        Ok(PyTuple::new(py, made)?.into_any())
    }

    /// The values, or nothing where they were not fetched.
    fn properties(
        &mut self,
        record: &Record,
        class: &SlotClass<2>,
        id: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = self.py;
        if !self.shown.hints.any_property() {
            return Ok(py.None().into_bound(py));
        }
        let values = self
            .records
            .values
            .get(record.values.start..record.values.end);
        let values = values.unwrap_or_default();
        if values.is_empty() {
            return Ok(PyTuple::empty(py).into_any());
        }
        let key = PyBytes::new(py, self.records.get(record.key));
        let subject = class.make(py, [id, &key])?;
        let mut made = Vec::with_capacity(values.len());
        for value in values {
            made.push(self.value(value, &subject)?);
        }
        Ok(PyTuple::new(py, made)?.into_any())
    }

    fn value(
        &mut self,
        value: &RecordValue,
        subject: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, classes, records) = (self.py, self.classes, self.records);
        let none = py.None().into_bound(py);
        let name = self
            .kept
            .names
            .get(py, records.get(value.name), |text| text_of(py, text))?;
        let visibility = self.visibility(value.visibility)?;
        let number = |given: Option<i64>| match given {
            Some(number) => PyInt::new(py, number).into_any(),
            None => none.clone(),
        };
        let (stamp, ttl) = (number(value.stamp), number(value.ttl));
        let note = match records.get(value.note) {
            [] => none.clone(),
            note => classes.values.stored(py, note)?,
        };
        let key = PyBytes::new(py, records.get(value.key));
        let held = classes.values.stored(py, records.get(value.value))?;
        let time = PyInt::new(py, value.time);
        let fact = classes.fact.make(
            py,
            [
                subject,
                &time,
                classes.said.bind(py),
                &visibility,
                &stamp,
                &note,
                &ttl,
                &name,
                &key,
                &held,
            ],
        )?;
        let metadata = match self.shown.hints.any_metadata() {
            true => self.metadata(value.metadata)?,
            false => none,
        };
        let hidden = PyBool::new(py, value.hidden);
        classes.value.make(py, [&fact, &hidden, &metadata])
    }

    fn metadata(&mut self, span: Span) -> PyResult<Bound<'py, PyAny>> {
        let (py, classes, records) = (self.py, self.classes, self.records);
        let mut made = Vec::new();
        for entry in records
            .metadata
            .get(span.start..span.end)
            .unwrap_or_default()
        {
            let key = self
                .kept
                .names
                .get(py, records.get(entry.entry), |text| text_of(py, text))?;
            let visibility = self.visibility(entry.visibility)?;
            let value = classes.values.stored(py, records.get(entry.value))?;
            made.push(classes.metadata.make(py, [&key, &visibility, &value])?);
        }
        Ok(PyTuple::new(py, made)?.into_any())
    }

    fn shape(&self, content: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        let (py, classes) = (self.py, self.classes);
        let shape = core(py, Codec::Any.decode_value(content))?;
        let parts = match &shape {
            Value::Tuple(parts) => parts.as_slice(),
            _ => &[],
        };
        let [label, source, destination, directed, properties] = parts else {
            let problem = Error::InvalidBytes("the existence of an edge has no shape".into());
            return Err(to_python(py, problem));
        };
        let value = |value: &Value| classes.values.value(py, value);
        classes.shape.make(
            py,
            [
                &value(label)?,
                &value(source)?,
                &value(destination)?,
                &value(directed)?,
                &value(properties)?,
            ],
        )
    }
}

/// The sort key of a reference as a tuple.
pub fn sort_key<'py>(
    py: Python<'py>,
    rows: &RecordRows,
    values: &TypedValues,
    records: &Records,
    record: &Record,
) -> PyResult<Bound<'py, PyAny>> {
    let data = records.get(record.sort_key);
    if data.is_empty() {
        return Ok(PyTuple::empty(py).into_any());
    }
    let (mut at, mut made) = (0, Vec::new());
    for part in rows.sort_parts(records.get(record.label)) {
        let (value, end) = core(py, part.decode_part(data, at))?;
        made.push(values.value(py, &value)?);
        at = end;
    }
    Ok(PyTuple::new(py, made)?.into_any())
}

/// The signature of a reference as a tuple of pairs.
pub fn signature<'py>(
    py: Python<'py>,
    values: &TypedValues,
    content: &[u8],
) -> PyResult<Bound<'py, PyAny>> {
    match content {
        [] => Ok(PyTuple::empty(py).into_any()),
        content => values.stored(py, content),
    }
}

fn text_of<'py>(py: Python<'py>, text: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    match std::str::from_utf8(text) {
        Ok(text) => Ok(PyString::new(py, text).into_any()),
        Err(_) => {
            let problem = Error::InvalidBytes("a name is not text in UTF-8".into());
            Err(to_python(py, problem))
        }
    }
}
