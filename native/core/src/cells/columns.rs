//! Cells by column, shaped as Arrow shapes them: how they come into the core and how they leave it.

use std::collections::HashSet;

use super::{CellRef, KeyRef};
use crate::{Error, Result};

/// A column of byte strings: one offset more than entries, never falling, none outside of the data.
#[derive(Debug, Clone, Copy)]
pub struct BytesView<'a> {
    offsets: &'a [i64],
    data: &'a [u8],
}

impl<'a> BytesView<'a> {
    /// Checks the offsets once, so that reading an entry need not.
    pub fn new(offsets: &'a [i64], data: &'a [u8]) -> Result<BytesView<'a>> {
        let (Some(first), Some(last)) = (offsets.first(), offsets.last()) else {
            return refuse("a column needs one offset more than it has entries".into());
        };
        if *first < 0 || *last > data.len() as i64 || !offsets.is_sorted() {
            return refuse(format!(
                "the offsets of a column must rise within its data of {} bytes",
                data.len()
            ));
        }
        Ok(BytesView { offsets, data })
    }

    /// How many entries it has.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether it has no entry.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many bytes its entries have together.
    pub fn size_bytes(&self) -> usize {
        let ends = self.offsets.first().zip(self.offsets.last());
        ends.map_or(0, |(first, last)| (last - first) as usize)
    }

    /// How many bytes its longest entry has.
    pub fn longest(&self) -> usize {
        let sizes = self.offsets.windows(2).map(|pair| match pair {
            [start, end] => (end - start) as usize,
            _ => 0,
        });
        sizes.max().unwrap_or_default()
    }

    /// Its entries, each once, in no order.
    pub fn distinct(&self) -> HashSet<&'a [u8]> {
        let mut found = HashSet::new();
        let mut last = None;
        for entry in (0..self.len()).map(|at| self.get(at)) {
            // Labels mostly come in a row.
            if last != Some(entry) {
                found.insert(entry);
                last = Some(entry);
            }
        }
        found
    }

    /// Whether no entry comes twice.
    pub fn is_distinct(&self) -> bool {
        let mut found = HashSet::with_capacity(self.len());
        (0..self.len()).all(|at| found.insert(self.get(at)))
    }

    /// An entry; empty where there is none.
    #[inline]
    pub fn get(&self, index: usize) -> &'a [u8] {
        match self.offsets.get(index..) {
            Some([start, end, ..]) => self
                .data
                .get(*start as usize..*end as usize)
                .unwrap_or_default(),
            _ => &[],
        }
    }
}

/// Cells by column; all columns are equally long.
#[derive(Debug, Clone, Copy)]
pub struct CellsView<'a> {
    pub row: BytesView<'a>,
    pub family: BytesView<'a>,
    pub qualifier: BytesView<'a>,
    pub visibility: BytesView<'a>,
    pub timestamps: &'a [i64],
    /// One byte a cell: 1 for a delete marker.
    pub deleted: &'a [u8],
    pub value: BytesView<'a>,
}

impl<'a> CellsView<'a> {
    /// Refuses columns of different lengths.
    pub fn check(self) -> Result<CellsView<'a>> {
        let columns = [
            ("family", self.family.len()),
            ("qualifier", self.qualifier.len()),
            ("visibility", self.visibility.len()),
            ("timestamp", self.timestamps.len()),
            ("deleted", self.deleted.len()),
            ("value", self.value.len()),
        ];
        for (name, length) in columns {
            if length != self.len() {
                return refuse(format!(
                    "column '{name}' has {length} entries, 'row' has {}",
                    self.len()
                ));
            }
        }
        Ok(self)
    }

    /// How many cells there are.
    pub fn len(&self) -> usize {
        self.row.len()
    }

    /// Whether there is no cell.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A cell, with its own timestamp.
    #[inline]
    pub fn cell(&self, index: usize) -> CellRef<'a> {
        CellRef {
            key: KeyRef {
                row: self.row.get(index),
                family: self.family.get(index),
                qualifier: self.qualifier.get(index),
                visibility: self.visibility.get(index),
                timestamp: self.timestamps.get(index).copied().unwrap_or_default(),
                deleted: self.deleted.get(index).copied().unwrap_or_default() != 0,
            },
            value: self.value.get(index),
        }
    }
}

/// A column of byte strings that grows.
#[derive(Debug, Clone)]
pub struct BytesColumn {
    pub offsets: Vec<i64>,
    pub data: Vec<u8>,
}

impl Default for BytesColumn {
    fn default() -> Self {
        BytesColumn {
            offsets: vec![0],
            data: Vec::new(),
        }
    }
}

impl BytesColumn {
    /// Adds an entry.
    #[inline]
    pub fn push(&mut self, entry: &[u8]) {
        self.data.extend_from_slice(entry);
        self.offsets.push(self.data.len() as i64);
    }

    /// Adds some entries of another column.
    pub fn append(&mut self, other: &BytesColumn, entries: std::ops::Range<usize>) {
        let ends = other.offsets.get(entries.start..entries.end + 1);
        let Some([start, ends @ ..]) = ends else {
            return;
        };
        let end = ends.last().unwrap_or(start);
        let shift = self.data.len() as i64 - start;
        let held = other.data.get(*start as usize..*end as usize);
        self.data.extend_from_slice(held.unwrap_or_default());
        self.offsets.extend(ends.iter().map(|end| end + shift));
    }

    /// Forgets the entries and keeps the space.
    pub fn clear(&mut self) {
        self.data.clear();
        self.offsets.truncate(1);
    }

    /// The column to read.
    pub fn view(&self) -> BytesView<'_> {
        BytesView {
            offsets: &self.offsets,
            data: &self.data,
        }
    }
}

/// Cells by column that grow.
#[derive(Debug, Clone, Default)]
pub struct CellColumns {
    pub row: BytesColumn,
    pub family: BytesColumn,
    pub qualifier: BytesColumn,
    pub visibility: BytesColumn,
    pub timestamps: Vec<i64>,
    pub deleted: Vec<u8>,
    pub value: BytesColumn,
}

impl CellColumns {
    /// Adds a cell.
    #[inline]
    pub fn push(&mut self, cell: &CellRef<'_>) {
        self.row.push(cell.key.row);
        self.family.push(cell.key.family);
        self.qualifier.push(cell.key.qualifier);
        self.visibility.push(cell.key.visibility);
        self.timestamps.push(cell.key.timestamp);
        self.deleted.push(u8::from(cell.key.deleted));
        self.value.push(cell.value);
    }

    /// Adds some cells of another batch, which has them.
    pub fn append(&mut self, other: &CellColumns, cells: std::ops::Range<usize>) {
        let Some(times) = other.timestamps.get(cells.clone()) else {
            return;
        };
        self.timestamps.extend_from_slice(times);
        let deleted = other.deleted.get(cells.clone()).unwrap_or_default();
        self.deleted.extend_from_slice(deleted);
        self.row.append(&other.row, cells.clone());
        self.family.append(&other.family, cells.clone());
        self.qualifier.append(&other.qualifier, cells.clone());
        self.visibility.append(&other.visibility, cells.clone());
        self.value.append(&other.value, cells);
    }

    /// How many cells it holds.
    pub fn len(&self) -> usize {
        self.timestamps.len()
    }

    /// Whether it holds no cell.
    pub fn is_empty(&self) -> bool {
        self.timestamps.is_empty()
    }

    /// About how much memory the cells take.
    pub fn size_bytes(&self) -> usize {
        let columns = [
            &self.row,
            &self.family,
            &self.qualifier,
            &self.visibility,
            &self.value,
        ];
        let bytes: usize = columns.iter().map(|column| column.data.len()).sum();
        bytes + self.len() * (5 * 8 + 8 + 1)
    }

    /// Takes room for more; `more` says how much for what has so much now.
    pub fn reserve_by(&mut self, more: impl Fn(usize) -> usize) {
        for column in [
            &mut self.row,
            &mut self.family,
            &mut self.qualifier,
            &mut self.visibility,
            &mut self.value,
        ] {
            column.offsets.reserve(more(column.offsets.len()));
            column.data.reserve(more(column.data.len()));
        }
        self.timestamps.reserve(more(self.timestamps.len()));
        self.deleted.reserve(more(self.deleted.len()));
    }

    /// Forgets the cells and keeps the space.
    pub fn clear(&mut self) {
        for column in [
            &mut self.row,
            &mut self.family,
            &mut self.qualifier,
            &mut self.visibility,
            &mut self.value,
        ] {
            column.clear();
        }
        self.timestamps.clear();
        self.deleted.clear();
    }

    /// The cells to read.
    pub fn view(&self) -> CellsView<'_> {
        CellsView {
            row: self.row.view(),
            family: self.family.view(),
            qualifier: self.qualifier.view(),
            visibility: self.visibility.view(),
            timestamps: &self.timestamps,
            deleted: &self.deleted,
            value: self.value.view(),
        }
    }
}

fn refuse<T>(message: String) -> Result<T> {
    Err(Error::InvalidValue(message))
}
