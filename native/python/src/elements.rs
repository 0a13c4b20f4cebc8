//! `_native.ElementEncoder`: columns of Arrow in, the cells of elements out.

use lexigraph_core::cells::{BytesColumn, CellColumns};
use lexigraph_core::elements::{Buffers, Column, Encoded, Program, Request, Type};
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
}

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
    /// and the buffers of validity, offsets and data.
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
            Some(parts_to_python(py, &encoded)?)
        } else {
            None
        };
        Ok((cells, encoded.elements, encoded.bad))
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
        Ok(HeldColumn {
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
        Column::new(self.kind, rows, buffers)
    }
}

fn items(held: &Option<Held<u8>>) -> &[u8] {
    held.as_ref().map(Held::items).unwrap_or_default()
}

fn parts_to_python<'py>(py: Python<'py>, encoded: &Encoded) -> PyResult<Bound<'py, PyTuple>> {
    let columns: [fn(&CellColumns) -> &BytesColumn; 5] = [
        |cells| &cells.row,
        |cells| &cells.family,
        |cells| &cells.qualifier,
        |cells| &cells.visibility,
        |cells| &cells.value,
    ];
    let parts = &encoded.parts;
    let mut joined = Vec::with_capacity(13);
    for column in columns {
        joined.push(joined_offsets(py, encoded, column)?);
        let data: Vec<&[u8]> = parts
            .iter()
            .map(|(cells, _)| &column(cells).data[..])
            .collect();
        joined.push(joined_bytes(py, &data)?);
    }
    joined.push(joined_times(py, encoded)?);
    let deleted: Vec<&[u8]> = parts.iter().map(|(cells, _)| &cells.deleted[..]).collect();
    joined.push(joined_bytes(py, &deleted)?);
    let timed: Vec<&[u8]> = parts.iter().map(|(_, timed)| &timed[..]).collect();
    joined.push(joined_bytes(py, &timed)?);
    PyTuple::new(py, joined)
}

fn joined_times<'py>(py: Python<'py>, encoded: &Encoded) -> PyResult<Bound<'py, PyBytes>> {
    let count: usize = encoded.parts.iter().map(|(cells, _)| cells.len()).sum();
    let times = encoded
        .parts
        .iter()
        .flat_map(|(cells, _)| &cells.timestamps);
    PyBytes::new_with(py, 8 * count, |bytes| {
        for (place, time) in bytes.chunks_exact_mut(8).zip(times) {
            place.copy_from_slice(&time.to_ne_bytes());
        }
        Ok(())
    })
}

fn joined_offsets<'py>(
    py: Python<'py>,
    encoded: &Encoded,
    column: fn(&CellColumns) -> &BytesColumn,
) -> PyResult<Bound<'py, PyBytes>> {
    let count: usize = encoded.parts.iter().map(|(cells, _)| cells.len()).sum();
    PyBytes::new_with(py, 8 * (count + 1), |bytes| {
        let mut places = bytes.chunks_exact_mut(8).skip(1);
        let mut base = 0;
        for (cells, _) in &encoded.parts {
            let held = column(cells);
            for (offset, place) in held.offsets.iter().skip(1).zip(&mut places) {
                place.copy_from_slice(&(base + offset).to_ne_bytes());
            }
            base += held.data.len() as i64;
        }
        Ok(())
    })
}

fn joined_bytes<'py>(py: Python<'py>, parts: &[&[u8]]) -> PyResult<Bound<'py, PyBytes>> {
    let length = parts.iter().map(|part| part.len()).sum();
    PyBytes::new_with(py, length, |bytes| {
        let mut rest = bytes;
        for part in parts {
            let (place, behind) = rest.split_at_mut(part.len());
            place.copy_from_slice(part);
            rest = behind;
        }
        Ok(())
    })
}
