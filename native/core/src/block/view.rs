//! A block read in place: search by key, and each column for those who need only some.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::layout::Values;
use super::packed::Packed;
use super::shred::{self, ShreddedProperty};
use super::span::Span;
use super::strings::Strings;
use super::times::Times;
use super::{corrupt, header, Layout, RowCursor, RowEntries, HEADER};
use crate::cells::{BytesColumn, KeyRef};
use crate::Result;

/// The bytes of a block, checked, with the places of its columns.
#[derive(Debug)]
pub struct Page<B> {
    bytes: B,
    inflated: Option<Vec<u8>>,
    layout: Layout,
}

impl<B: AsRef<[u8]>> Page<B> {
    /// Checks checksum and directory.
    pub fn open(bytes: B) -> Result<Page<B>> {
        let (inflated, layout) = match header::open(bytes.as_ref())? {
            Cow::Borrowed(body) => (None, Layout::read(body)?),
            Cow::Owned(body) => {
                let layout = Layout::read(&body)?;
                (Some(body), layout)
            }
        };
        Ok(Page {
            bytes,
            inflated,
            layout,
        })
    }

    /// The view of its cells.
    pub fn block(&self) -> Block<'_> {
        let body = match &self.inflated {
            Some(body) => body,
            None => self.bytes.as_ref().get(HEADER..).unwrap_or_default(),
        };
        Block {
            body,
            layout: &self.layout,
        }
    }
}

/// The cells of a block, in place.
#[derive(Debug, Clone, Copy)]
pub struct Block<'a> {
    body: &'a [u8],
    layout: &'a Layout,
}

impl<'a> Block<'a> {
    /// The bytes that spans and columns refer to.
    pub fn body(&self) -> &'a [u8] {
        self.body
    }

    /// The places of its columns.
    pub fn layout(&self) -> &'a Layout {
        self.layout
    }

    /// How many cells it holds; at least one.
    pub fn cells(&self) -> usize {
        self.layout.cells
    }

    /// How many distinct rows it holds.
    pub fn rows(&self) -> usize {
        self.layout.rows.count
    }

    /// Its rows as they are stored, from the first on.
    pub fn row_entries(&self) -> Result<RowEntries<'a>> {
        RowEntries::new(self.body, &self.layout.rows)
    }

    /// The number of the first cell of each row, in place of what `out` held; nothing where each row has
    /// one cell.
    pub fn copy_row_starts(&self, out: &mut Vec<u32>) -> Result<bool> {
        match &self.layout.starts {
            Some(starts) => {
                starts.copy_to(self.body, out)?;
                for (row, start) in out.iter_mut().enumerate() {
                    *start = start.wrapping_add(row as u32);
                }
                Ok(true)
            }
            None => Ok(false),
        }
    }

    /// The number of the first cell of a row.
    pub fn row_start(&self, row: usize) -> Result<usize> {
        match &self.layout.starts {
            _ if row >= self.rows() => Ok(self.cells()),
            Some(starts) => start_of(starts, self.body, row),
            None => Ok(row),
        }
    }

    /// The number of the row that a cell belongs to.
    pub fn row_of(&self, cell: usize) -> Result<usize> {
        let Some(starts) = &self.layout.starts else {
            return Ok(cell);
        };
        let (mut low, mut high) = (0, self.rows());
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if start_of(starts, self.body, middle)? <= cell {
                low = middle;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    /// The families: always codes, so that each distinct one is judged once.
    pub fn families(&self) -> &'a Strings {
        &self.layout.families
    }

    /// The qualifiers.
    pub fn qualifiers(&self) -> &'a Strings {
        &self.layout.qualifiers
    }

    /// The labels: always codes, so that each distinct one is judged once.
    pub fn visibilities(&self) -> &'a Strings {
        &self.layout.visibilities
    }

    /// The timestamps.
    pub fn times(&self) -> &'a Times {
        &self.layout.times
    }

    /// The values, where they are stored whole.
    pub fn values(&self) -> Option<&'a Strings> {
        match &self.layout.values {
            Values::Whole(values) => Some(values),
            Values::Shredded(_) => None,
        }
    }

    /// The columns of the values' properties, where values are taken apart.
    pub fn properties(&self) -> Option<&'a [ShreddedProperty]> {
        match &self.layout.values {
            Values::Whole(_) => None,
            Values::Shredded(properties) => Some(properties),
        }
    }

    /// Adds the value of a cell, put together where it is taken apart.
    #[inline]
    pub(crate) fn push_value(&self, cell: usize, out: &mut BytesColumn) -> Result<()> {
        match &self.layout.values {
            Values::Whole(values) => out.push(values.span(self.body, cell)?.of(self.body)),
            Values::Shredded(properties) => {
                shred::append(self.body, properties, cell, &mut out.data)?;
                out.offsets.push(out.data.len() as i64);
            }
        }
        Ok(())
    }

    /// Whether some cell is a delete marker.
    pub fn has_deletes(&self) -> bool {
        self.layout.deletes.is_some()
    }

    /// Whether a cell is a delete marker.
    pub fn is_deleted(&self, cell: usize) -> bool {
        self.bit(&self.layout.deletes, cell)
    }

    /// Whether some value stands in an entry of its own.
    pub fn has_references(&self) -> bool {
        self.layout.references.is_some()
    }

    /// Whether the value of a cell is a reference to an entry of its own.
    pub fn is_reference(&self, cell: usize) -> bool {
        self.bit(&self.layout.references, cell)
    }

    /// Whether some of its rows is not less, as far as those that stand whole can tell: a quick look.
    pub fn reaches_row(&self, row: &[u8]) -> Result<bool> {
        self.layout.rows.reach(self.body, row)
    }

    /// The first cell that is not less than `key`, or how many cells there are.
    pub fn lower_bound(&self, key: &KeyRef<'_>, rows: &mut RowCursor) -> Result<usize> {
        if !rows.seek_row(self, key.row)? {
            return Ok(self.cells());
        }
        let mut low = self.row_start(rows.index())?;
        if rows.row() != key.row {
            return Ok(low);
        }
        let mut high = self.row_start(rows.index() + 1)?;
        if low > high || high > self.cells() {
            return Err(corrupt("the runs of rows are out of order"));
        }
        while low < high {
            let middle = low + (high - low) / 2;
            if self.compare_in_row(middle, key)? == Ordering::Less {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    /// How a cell compares with a key of the same row.
    fn compare_in_row(&self, cell: usize, key: &KeyRef<'_>) -> Result<Ordering> {
        let part = |strings: &Strings, other: &[u8]| -> Result<Ordering> {
            Ok(strings.span(self.body, cell)?.of(self.body).cmp(other))
        };
        let order = part(&self.layout.families, key.family)?;
        if order.is_ne() {
            return Ok(order);
        }
        let order = part(&self.layout.qualifiers, key.qualifier)?;
        if order.is_ne() {
            return Ok(order);
        }
        let order = part(&self.layout.visibilities, key.visibility)?;
        if order.is_ne() {
            return Ok(order);
        }
        let time = self.layout.times.get(self.body, cell)?;
        Ok(key
            .timestamp
            .cmp(&time)
            .then_with(|| key.deleted.cmp(&self.is_deleted(cell))))
    }

    fn bit(&self, bitmap: &Option<Span>, cell: usize) -> bool {
        bitmap.as_ref().is_some_and(|span| {
            let byte = span.of(self.body).get(cell / 8).copied();
            byte.unwrap_or_default() >> (cell % 8) & 1 == 1
        })
    }
}

/// The first cell of a row, of which the column holds how far it lies behind the number of the row.
#[inline]
fn start_of(starts: &Packed, body: &[u8], row: usize) -> Result<usize> {
    Ok((starts.get(body, row)? as usize).wrapping_add(row))
}
