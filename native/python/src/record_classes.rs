//! `_native.RecordClasses`: the classes of records, and assembled records as their instances.

use std::sync::{Mutex, PoisonError};

use lexigraph_core::codec::{Codec, Value};
use lexigraph_core::records::{
    Direction, FetchHints, Record, RecordRows, RecordValue, Records, Span, SubjectKind,
};
use lexigraph_core::Error;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyInt, PyList, PyString, PyTuple};

use crate::errors::to_python;
use crate::instances::SlotClass;
use crate::kept::Kept;
use crate::typed_values::{core, TypedValues};

/// What records are made of in Python.
#[pyclass(frozen, module = "lexigraph._native")]
pub struct RecordClasses {
    vertex: SlotClass<7>,
    edge: SlotClass<7>,
    reference: SlotClass<5>,
    value: SlotClass<3>,
    metadata: SlotClass<3>,
    fact: SlotClass<9>,
    of_vertex: SlotClass<2>,
    of_edge: SlotClass<2>,
    of_reference: SlotClass<7>,
    shape: SlotClass<5>,
    said: Py<PyAny>,
    directions: [Py<PyString>; 3],
    pub values: TypedValues,
    kept: Mutex<Vec<KeptParts>>,
}

/// What one call leaves for the next.
#[derive(Default)]
struct KeptParts {
    names: Kept,
    visibilities: Kept,
    labels: Kept,
}

/// How records are shown: the codecs of their ids, and what was fetched.
pub struct Shown<'a, 'py> {
    pub rows: &'a RecordRows,
    pub hints: &'a FetchHints,
    /// The same as Python has it.
    pub given: &'a Bound<'py, PyAny>,
}

#[pymethods]
impl RecordClasses {
    /// Takes the classes by their names, the state `SAID`, and what reads the stored form of the codec `any`.
    #[new]
    fn new(
        py: Python<'_>,
        classes: &Bound<'_, PyAny>,
        said: Py<PyAny>,
        decode: Py<PyAny>,
    ) -> PyResult<Self> {
        let class = |name: &str| classes.get_item(name);
        Ok(RecordClasses {
            vertex: SlotClass::new(
                &class("RecordVertex")?,
                [
                    "properties",
                    "hints",
                    "id",
                    "visibility",
                    "time",
                    "hidden",
                    "labels",
                ],
            )?,
            edge: SlotClass::new(
                &class("RecordEdge")?,
                [
                    "properties",
                    "hints",
                    "id",
                    "shape",
                    "visibility",
                    "time",
                    "hidden",
                ],
            )?,
            reference: SlotClass::new(
                &class("RecordReference")?,
                ["subject", "visibility", "time", "hidden", "signature"],
            )?,
            value: SlotClass::new(&class("RecordValue")?, ["fact", "hidden", "metadata"])?,
            metadata: SlotClass::new(&class("RecordMetadata")?, ["key", "visibility", "value"])?,
            fact: SlotClass::new(
                &class("ValueFact")?,
                [
                    "subject",
                    "time",
                    "state",
                    "visibility",
                    "stamp",
                    "note",
                    "name",
                    "key",
                    "value",
                ],
            )?,
            of_vertex: SlotClass::new(&class("VertexSubject")?, ["id", "key"])?,
            of_edge: SlotClass::new(&class("EdgeSubject")?, ["id", "key"])?,
            of_reference: SlotClass::new(
                &class("ReferenceSubject")?,
                [
                    "vertex",
                    "direction",
                    "label",
                    "sort_key",
                    "other",
                    "edge",
                    "key",
                ],
            )?,
            shape: SlotClass::new(
                &class("EdgeShape")?,
                ["label", "source", "destination", "directed", "properties"],
            )?,
            said,
            directions: Direction::ALL.map(|one| PyString::intern(py, one.name()).unbind()),
            values: TypedValues::new(py, decode)?,
            kept: Mutex::default(),
        })
    }
}

impl RecordClasses {
    /// The references among records as columns: edge ids, other ends, sort keys, signatures, times and visibilities.
    pub fn columns<'py>(
        &self,
        py: Python<'py>,
        records: &Records,
        rows: &RecordRows,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let mut columns: [Vec<Bound<'py, PyAny>>; 6] = Default::default();
        let [edges, others, sort_keys, signatures, times, visibilities] = &mut columns;
        let mut kept = Kept::default();
        for record in &records.records {
            if !matches!(record.kind, SubjectKind::Reference(_)) {
                continue;
            }
            let edge = records.get(record.edge);
            edges.push(self.values.key(py, &Codec::Any, edge)?);
            let other = records.get(record.other);
            others.push(self.values.key(py, rows.vertex_codec(), other)?);
            sort_keys.push(sort_key(py, rows, &self.values, records, record)?);
            let content = records.get(record.content);
            signatures.push(signature(py, &self.values, content)?);
            times.push(PyInt::new(py, record.time).into_any());
            let bytes = |bytes: &[u8]| Ok(PyBytes::new(py, bytes).into_any());
            visibilities.push(kept.get(py, records.get(record.visibility), bytes)?);
        }
        let lists = columns.into_iter().map(|column| PyList::new(py, column));
        PyTuple::new(py, lists.collect::<PyResult<Vec<_>>>()?)
    }

    /// Makes the elements of records.
    pub fn elements<'py>(
        &self,
        py: Python<'py>,
        records: &Records,
        shown: &Shown<'_, 'py>,
    ) -> PyResult<Bound<'py, PyList>> {
        let idle = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = idle().pop();
        let mut maker = Maker {
            py,
            classes: self,
            records,
            shown,
            kept: taken.unwrap_or_default(),
            vertex: Kept::default(),
        };
        let made = records.records.iter().map(|record| maker.element(record));
        let made = made.collect::<PyResult<Vec<_>>>()?;
        idle().push(maker.kept);
        PyList::new(py, made)
    }
}

struct Maker<'a, 'py> {
    py: Python<'py>,
    classes: &'a RecordClasses,
    records: &'a Records,
    shown: &'a Shown<'a, 'py>,
    kept: KeptParts,
    /// The vertex of references, which follow each other.
    vertex: Kept,
}

impl<'py> Maker<'_, 'py> {
    fn element(&mut self, record: &Record) -> PyResult<Bound<'py, PyAny>> {
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
        let vertex = self.vertex.last(py, records.get(record.id), id)?;
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
        let stamp = match value.stamp {
            Some(stamp) => PyInt::new(py, stamp).into_any(),
            None => none.clone(),
        };
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
