//! Cells by column on their way in and out: buffers of Python in, bytes out.

use lexigraph_core::cells::{BytesColumn, BytesView, CellColumns, CellsView};
use lexigraph_core::Result;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::buffers::Held;
use crate::guarded::detached;

struct PackedColumn {
    offsets: Held<i64>,
    data: Held<u8>,
}

impl PackedColumn {
    fn view(&self) -> Result<BytesView<'_>> {
        BytesView::new(self.offsets.items(), self.data.items())
    }
}

/// A batch of mutations, held as Python holds it: row, family, qualifier, visibility and value as offsets and
/// data each, then timestamps, delete flags and which timestamps are given.
pub struct HeldBatch {
    columns: [PackedColumn; 5],
    timestamps: Held<i64>,
    deleted: Held<u8>,
    timed: Held<u8>,
}

/// Cells, held as Python holds them: the same without the last.
pub struct HeldCells(HeldBatch);

impl HeldCells {
    /// Takes hold of the buffers in a tuple of twelve.
    pub fn read(parts: &Bound<'_, PyTuple>) -> PyResult<HeldCells> {
        Ok(HeldCells(HeldBatch::read_parts(parts, 11)?))
    }

    /// The cells, checked.
    pub fn view(&self) -> Result<CellsView<'_>> {
        Ok(self.0.view()?.0)
    }
}

impl HeldBatch {
    /// Takes hold of the buffers in a tuple of thirteen.
    pub fn read(parts: &Bound<'_, PyTuple>) -> PyResult<HeldBatch> {
        HeldBatch::read_parts(parts, 12)
    }

    fn read_parts(parts: &Bound<'_, PyTuple>, timed: usize) -> PyResult<HeldBatch> {
        let column = |place: usize| {
            PyResult::Ok(PackedColumn {
                offsets: Held::read(&parts.get_item(2 * place)?)?,
                data: Held::read(&parts.get_item(2 * place + 1)?)?,
            })
        };
        Ok(HeldBatch {
            columns: [column(0)?, column(1)?, column(2)?, column(3)?, column(4)?],
            timestamps: Held::read(&parts.get_item(10)?)?,
            deleted: Held::read(&parts.get_item(11)?)?,
            timed: Held::read(&parts.get_item(timed)?)?,
        })
    }

    /// The cells and which of their timestamps are given, checked.
    pub fn view(&self) -> Result<(CellsView<'_>, &[u8])> {
        let [row, family, qualifier, visibility, value] = &self.columns;
        let view = CellsView {
            row: row.view()?,
            family: family.view()?,
            qualifier: qualifier.view()?,
            visibility: visibility.view()?,
            timestamps: self.timestamps.items(),
            deleted: self.deleted.items(),
            value: value.view()?,
        };
        Ok((view.check()?, self.timed.items()))
    }
}

/// Cells as a tuple of twelve: offsets and data of the five byte columns, timestamps, delete flags.
pub fn to_python<'py>(py: Python<'py>, cells: &CellColumns) -> PyResult<Bound<'py, PyTuple>> {
    let columns = [
        &cells.row,
        &cells.family,
        &cells.qualifier,
        &cells.visibility,
        &cells.value,
    ];
    let mut parts = Vec::with_capacity(12);
    for BytesColumn { offsets, data } in columns {
        parts.push(numbers(py, offsets)?);
        parts.push(PyBytes::new(py, data));
    }
    parts.push(numbers(py, &cells.timestamps)?);
    parts.push(PyBytes::new(py, &cells.deleted));
    PyTuple::new(py, parts)
}

/// Numbers of 64 bits as bytes.
pub fn numbers<'py>(py: Python<'py>, values: &[i64]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, values.len() * 8, |bytes| {
        for (place, value) in bytes.chunks_exact_mut(8).zip(values) {
            place.copy_from_slice(&value.to_ne_bytes());
        }
        Ok(())
    })
}

/// Offsets and data of a column, held.
fn packed(offsets: &Bound<'_, PyAny>, data: &Bound<'_, PyAny>) -> PyResult<PackedColumn> {
    Ok(PackedColumn {
        offsets: Held::read(offsets)?,
        data: Held::read(data)?,
    })
}

/// The entries of a column, each once.
#[pyfunction]
pub fn distinct<'py>(
    py: Python<'py>,
    offsets: &Bound<'py, PyAny>,
    data: &Bound<'py, PyAny>,
) -> PyResult<Vec<Bound<'py, PyBytes>>> {
    let column = packed(offsets, data)?;
    let found = detached(py, || Ok(column.view()?.distinct()))?;
    Ok(found.iter().map(|entry| PyBytes::new(py, entry)).collect())
}

/// Whether no entry of a column comes twice.
#[pyfunction]
pub fn is_distinct(
    py: Python<'_>,
    offsets: &Bound<'_, PyAny>,
    data: &Bound<'_, PyAny>,
) -> PyResult<bool> {
    let column = packed(offsets, data)?;
    detached(py, || Ok(column.view()?.is_distinct()))
}

/// How many bytes the longest entry of a column has.
#[pyfunction]
pub fn longest(
    py: Python<'_>,
    offsets: &Bound<'_, PyAny>,
    data: &Bound<'_, PyAny>,
) -> PyResult<usize> {
    let column = packed(offsets, data)?;
    detached(py, || Ok(column.view()?.longest()))
}
