//! `_native.ElementEncoder`: columns of Arrow in, the cells of elements out.

use lexigraph_core::elements::{Buffers, BytesOf, Column, Encoded, Items, Program, Request, Type};
use lexigraph_core::{Error, Result};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::buffers::Held;
use crate::errors::to_python;
use crate::guarded::detached;

/// Makes cells of tables of one group.
#[pyclass(frozen, module = "lexigraph._native")]
pub struct ElementEncoder(Program);

/// A column as Python holds it.
struct HeldColumn {
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

type Answer<'py> = (Option<Bound<'py, PyTuple>>, usize, Vec<usize>);

#[pymethods]
impl ElementEncoder {
    /// Reads a program in JSON text; refuses what the core does not know.
    #[new]
    fn new(py: Python<'_>, program: &str) -> PyResult<ElementEncoder> {
        let parsed = serde_json::from_str(program)
            .map_err(|error| Error::InvalidOption(format!("the program is not JSON: {error}")));
        let program = parsed.and_then(|json| Program::parse(&json));
        let program = program.map_err(|error| to_python(py, error))?;
        Ok(ElementEncoder(program))
    }

    /// Gives the cells of some rows as a tuple of thirteen, as a write takes them; how many elements they are; and
    /// the rows that do not fit. With `skips` false the first of those is told alone, and there are no cells.
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
    ) -> PyResult<Answer<'py>> {
        let held = columns.iter().map(HeldColumn::read);
        let held: Vec<HeldColumn> = held.collect::<PyResult<_>>()?;
        let request = Request {
            rows,
            now,
            turn,
            skips,
        };
        let encoded = detached(py, || {
            let columns = held.iter().map(|column| column.view(rows));
            let columns: Vec<Column<'_>> = columns.collect::<Result<_>>()?;
            self.0.encode(&columns, &request)
        })?;
        let cells = if encoded.elements > 0 {
            Some(cells_to_python(py, &encoded)?)
        } else {
            None
        };
        let (elements, bad) = (encoded.elements, encoded.bad.clone());
        self.0.reuse(encoded);
        Ok((cells, elements, bad))
    }
}

impl HeldColumn {
    fn read(column: &Bound<'_, PyTuple>) -> PyResult<HeldColumn> {
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

    fn view(&self, rows: usize) -> Result<Column<'_>> {
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
