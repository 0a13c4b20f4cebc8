//! `_native.RecordClasses`: the classes of records in Python, and references as columns.

use lexigraph_core::codec::Codec;
use lexigraph_core::records::{Direction, RecordRows, Records, SubjectKind};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyList, PyString, PyTuple};

use crate::instances::SlotClass;
use crate::kept::Kept;
use crate::record_maker::{signature, sort_key};
use crate::typed_values::TypedValues;

/// What records are made of in Python.
#[pyclass(frozen, module = "lexigraph._native")]
pub struct RecordClasses {
    pub vertex: SlotClass<7>,
    pub edge: SlotClass<7>,
    pub reference: SlotClass<5>,
    pub value: SlotClass<3>,
    pub metadata: SlotClass<3>,
    pub fact: SlotClass<10>,
    pub of_vertex: SlotClass<2>,
    pub of_edge: SlotClass<2>,
    pub of_reference: SlotClass<7>,
    pub shape: SlotClass<5>,
    pub said: Py<PyAny>,
    pub directions: [Py<PyString>; 3],
    pub values: TypedValues,
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
                    "ttl",
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
}
