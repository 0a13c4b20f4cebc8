//! `_native.ElementEncoder`: columns of Arrow in, the cells of elements out.

use std::sync::Arc;

use lexigraph_core::elements::{Buffers, BytesOf, Column, Encoded, Items, Program, Request, Type};
use lexigraph_core::Result;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::arguments;
use crate::buffers::Held;
use crate::errors::to_python;
use crate::guarded::{attached, detached};
use crate::offer::Offer;

/// Makes cells of tables of one group.
#[pyclass(frozen, module = "lexigraph._native")]
pub struct ElementEncoder(Arc<Program>);

/// The cells of a table as the core made them.
#[pyclass(frozen, module = "lexigraph._native")]
pub struct EncodedCells {
    encoded: Encoded,
    /// What takes the memory back.
    program: Option<Arc<Program>>,
}

#[pymethods]
impl EncodedCells {
    fn __len__(&self) -> usize {
        self.encoded.cells()
    }

    /// Gives the labels that they have, each once.
    fn labels<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyBytes>> {
        let labels = self.encoded.labels();
        labels.iter().map(|label| PyBytes::new(py, label)).collect()
    }

    /// Gives them as a tuple of thirteen, as a write takes them.
    fn parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        cells_to_python(py, &self.encoded)
    }
}

impl EncodedCells {
    /// Cells whose memory nobody takes back.
    pub fn new(encoded: Encoded) -> EncodedCells {
        EncodedCells {
            encoded,
            program: None,
        }
    }

    pub fn encoded(&self) -> &Encoded {
        &self.encoded
    }
}

impl Drop for EncodedCells {
    fn drop(&mut self) {
        if let Some(program) = &self.program {
            program.reuse(std::mem::take(&mut self.encoded));
        }
    }
}

/// A column as Python holds it.
pub(crate) struct HeldColumn {
    kind: Type,
    offset: usize,
    wide: bool,
    validity: Option<Held<u8>>,
    offsets: Option<Held<u8>>,
    data: Option<Held<u8>>,
    /// Of lists and maps: how many entries there are, the entries or keys, and the numbers of maps.
    items: Option<(usize, Box<HeldColumn>, Option<Box<HeldColumn>>)>,
}

const COLUMNS: [BytesOf; 5] = [
    BytesOf::Row,
    BytesOf::Family,
    BytesOf::Qualifier,
    BytesOf::Visibility,
    BytesOf::Value,
];

type Answer = (Option<EncodedCells>, usize, Vec<usize>, Option<String>);

#[pymethods]
impl ElementEncoder {
    /// Reads a program in JSON text; what the core does not know is a reason to decline.
    #[staticmethod]
    fn prepare(py: Python<'_>, program: &str) -> PyResult<Offer<ElementEncoder>> {
        attached(py, || {
            let made = arguments::json(program).and_then(|json| Program::parse(&json));
            Ok(match made {
                Ok(program) => (Some(ElementEncoder(Arc::new(program))), None),
                // Python says better what is wrong, or can do it.
                Err(error) => (None, Some(error.to_string())),
            })
        })
    }

    /// Gives the cells of some rows; how many elements they are; and the rows that do not fit; and why the core does not
    /// take these columns, if it does not. With `skips` false the first of the rows that do not fit is told alone, and
    /// there are no cells.
    ///
    /// A column is a tuple: the name of its type, the number of its first row, whether its offsets have 64 bits,
    /// and the buffers of validity, offsets and data. One of lists or maps has three more: how many entries there are,
    /// the column of entries or keys, and the column of the numbers of maps.
    #[pyo3(signature = (columns, *, rows, now, turn, skips))]
    fn encode<'py>(
        &self,
        py: Python<'py>,
        columns: Vec<Bound<'py, PyTuple>>,
        rows: usize,
        now: i64,
        turn: u64,
        skips: bool,
    ) -> PyResult<Answer> {
        let held = columns.iter().map(HeldColumn::read);
        let held: Vec<HeldColumn> = held.collect::<PyResult<_>>()?;
        let request = Request {
            rows,
            now,
            turn,
            skips,
        };
        let encode = || {
            let columns = held.iter().map(|column| column.view(rows));
            let columns: Vec<Column<'_>> = columns.collect::<Result<_>>()?;
            self.0.encode(&columns, &request)
        };
        let encoded = match detached(py, || Ok(encode()))? {
            Ok(encoded) => encoded,
            Err(error) => return Ok((None, 0, Vec::new(), Some(error.to_string()))),
        };
        let (elements, bad) = (encoded.elements, encoded.bad.clone());
        let made = EncodedCells {
            encoded,
            program: Some(Arc::clone(&self.0)),
        };
        Ok(((elements > 0).then_some(made), elements, bad, None))
    }
}

impl HeldColumn {
    pub(crate) fn read(column: &Bound<'_, PyTuple>) -> PyResult<HeldColumn> {
        let (kind, offset, wide): (String, usize, bool) = (
            column.get_item(0)?.extract()?,
            column.get_item(1)?.extract()?,
            column.get_item(2)?.extract()?,
        );
        let buffer = |place: usize| {
            let found = column.get_item(place)?;
            (!found.is_none()).then(|| Held::read(&found)).transpose()
        };
        let inside = |place: usize| -> PyResult<Option<Box<HeldColumn>>> {
            let found = column.get_item(place)?;
            if found.is_none() {
                return Ok(None);
            }
            let found = found.cast_into::<PyTuple>()?;
            Ok(Some(Box::new(HeldColumn::read(&found)?)))
        };
        let items = match column.len() {
            9.. => match inside(7)? {
                Some(values) => Some((column.get_item(6)?.extract()?, values, inside(8)?)),
                None => None,
            },
            _ => None,
        };
        Ok(HeldColumn {
            items,
            kind: Type::named(&kind).map_err(|error| to_python(column.py(), error))?,
            offset,
            wide,
            validity: buffer(3)?,
            offsets: buffer(4)?,
            data: buffer(5)?,
        })
    }

    pub(crate) fn view(&self, rows: usize) -> Result<Column<'_>> {
        let buffers = Buffers {
            offset: self.offset,
            validity: self.validity.as_ref().map(Held::items),
            offsets: items(&self.offsets),
            wide: self.wide,
            data: items(&self.data),
        };
        match &self.items {
            Some((rows_inside, values, numbers)) => {
                let numbers = numbers.as_ref().map(|held| held.view(*rows_inside));
                let items = Items {
                    rows: *rows_inside,
                    values: Box::new(values.view(*rows_inside)?),
                    numbers: numbers.transpose()?.map(Box::new),
                };
                Column::lists(rows, buffers, items)
            }
            None => Column::new(self.kind, rows, buffers),
        }
    }
}

fn items(held: &Option<Held<u8>>) -> &[u8] {
    held.as_ref().map(Held::items).unwrap_or_default()
}

/// Cells as a tuple of thirteen: offsets and data of the five byte columns, timestamps, delete flags, and which
/// timestamps are given.
fn cells_to_python<'py>(py: Python<'py>, encoded: &Encoded) -> PyResult<Bound<'py, PyTuple>> {
    let cells = encoded.cells();
    let mut parts = Vec::with_capacity(13);
    for column in COLUMNS {
        parts.push(PyBytes::new_with(py, 8 * (cells + 1), |bytes| {
            let mut places = bytes.chunks_exact_mut(8).skip(1);
            encoded.each_end(column, |end| fill(places.next(), end));
            Ok(())
        })?);
        let size = encoded.size_bytes(column);
        parts.push(PyBytes::new_with(py, size, |bytes| {
            encoded.write_data(column, bytes);
            Ok(())
        })?);
    }
    parts.push(PyBytes::new_with(py, 8 * cells, |bytes| {
        let mut places = bytes.chunks_exact_mut(8);
        encoded.each_time(|time| fill(places.next(), time));
        Ok(())
    })?);
    parts.push(PyBytes::new_with(py, cells, |_| Ok(()))?);
    parts.push(PyBytes::new_with(py, cells, |bytes| {
        encoded.write_timed(bytes);
        Ok(())
    })?);
    PyTuple::new(py, parts)
}

fn fill(place: Option<&mut [u8]>, number: i64) {
    if let Some(place) = place {
        place.copy_from_slice(&number.to_ne_bytes());
    }
}
