//! Takes cells in order and writes any stretch of them as a block.
//!
//! Cells stay until they are drained, so a caller may try a stretch, look at its size and take another.

use std::cmp::Ordering;
use std::ops::Range;

use super::forms::Forms;
use super::items::{Codes, Raw};
use super::packed::write;
use super::strings::{self, Scratch};
use super::unpacked::Unpacked;
use super::values::ValueColumn;
use super::{column, common, encoding, header, rows, times};
use crate::cells::{CellRef, KeyRef};
use crate::{Error, Result};

/// Whether blocks are compressed where that saves a third.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Compression {
    #[default]
    WherePays,
    /// Where that saves half: for blocks that will soon be read and written again.
    WhereHalf,
    Never,
}

/// Cells on their way into blocks.
#[derive(Debug, Default)]
pub struct BlockBuilder {
    compression: Compression,
    rows: Raw,
    shared: Vec<usize>,
    row_of: Vec<u32>,
    families: Codes,
    qualifiers: Raw,
    visibilities: Codes,
    times: Vec<i64>,
    deletes: Vec<bool>,
    references: Vec<bool>,
    values: ValueColumn,
    weights: Vec<usize>,
    body: Vec<u8>,
    scratch: Scratch,
    row_scratch: Vec<u8>,
    forms: Forms,
    press: header::Press,
}

impl BlockBuilder {
    /// A builder without cells.
    pub fn new(compression: Compression) -> BlockBuilder {
        BlockBuilder {
            compression,
            ..BlockBuilder::default()
        }
    }

    /// How many cells it holds.
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// Whether it holds no cells.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// A guess of the bytes that the first `cells` cells take before any column is made smaller.
    pub fn weight(&self, cells: usize) -> usize {
        match cells.checked_sub(1) {
            Some(last) => self
                .weights
                .get(last)
                .or(self.weights.last())
                .copied()
                .unwrap_or(0),
            None => 0,
        }
    }

    /// Takes a cell, which must not be less than the one before.
    pub fn push(&mut self, cell: &CellRef<'_>) -> Result<()> {
        self.add(cell, false)
    }

    /// Takes a cell whose value is a reference to an entry of its own.
    pub fn push_reference(&mut self, cell: &CellRef<'_>) -> Result<()> {
        self.add(cell, true)
    }

    /// The key of a cell it holds.
    #[inline]
    pub fn key(&self, cell: usize) -> KeyRef<'_> {
        let row = self.row_of.get(cell).copied().unwrap_or_default();
        KeyRef {
            row: self.rows.get(row as usize),
            family: self.families.get(cell),
            qualifier: self.qualifiers.get(cell),
            visibility: self.visibilities.get(cell),
            timestamp: self.times.get(cell).copied().unwrap_or_default(),
            deleted: self.deletes.get(cell).copied().unwrap_or_default(),
        }
    }

    /// Whether a block may end before this cell: not between fully equal keys.
    pub fn may_cut(&self, cell: usize) -> bool {
        cell == 0 || cell >= self.len() || self.key(cell - 1) != self.key(cell)
    }

    /// All cells as one block; the builder is empty afterwards.
    pub fn finish(&mut self) -> Result<Vec<u8>> {
        let block = self.encode(0..self.len())?;
        self.drain(self.len());
        Ok(block)
    }

    /// Some of its cells as a block.
    pub fn encode(&mut self, cells: Range<usize>) -> Result<Vec<u8>> {
        let (start, count) = (cells.start, cells.len());
        let first_row = self.row_of.get(start).copied().unwrap_or_default() as usize;
        let Some(&last_row) = self.row_of.get(start..cells.end).and_then(<[u32]>::last) else {
            return Err(Error::InvalidValue("a block without cells".into()));
        };
        let row_count = last_row as usize + 1 - first_row;
        let mut body = std::mem::take(&mut self.body);
        body.clear();
        body.extend_from_slice(&(count as u32).to_le_bytes());
        body.extend_from_slice(&(row_count as u32).to_le_bytes());
        let directory = body.len();
        body.resize(directory + 5 * column::COUNT, 0);
        for number in 0..column::COUNT {
            let kind = match number {
                column::ROWS => {
                    let row = |row: usize| {
                        let row = first_row + row;
                        let shared = self.shared.get(row).copied().unwrap_or_default();
                        (shared, self.rows.get(row))
                    };
                    let formed = self.forms.encode(row_count, row, &mut body);
                    rows::encode(row_count, row, &mut self.row_scratch, &mut body);
                    match formed {
                        true => encoding::FORMED,
                        false => encoding::PREFIX,
                    }
                }
                column::RUNS => self.encode_starts(cells.clone(), row_count, &mut body),
                column::FAMILIES => self.families.encode(cells.clone(), &mut body),
                column::VISIBILITIES => self.visibilities.encode(cells.clone(), &mut body),
                column::QUALIFIERS => {
                    let item = |cell: usize| self.qualifiers.get(start + cell);
                    strings::encode(count, item, &mut self.scratch, &mut body)
                }
                column::TIMESTAMPS => {
                    times::encode(self.times.get(cells.clone()).unwrap_or_default(), &mut body)
                }
                column::DELETES => encode_bits(self.deletes.get(cells.clone()), &mut body),
                column::REFERENCES => encode_bits(self.references.get(cells.clone()), &mut body),
                _ => self.encode_values(cells.clone(), &mut body),
            };
            let end = (body.len() as u32).to_le_bytes();
            if let Some([place, ends @ ..]) =
                body.get_mut(directory + 5 * number..directory + 5 * number + 5)
            {
                *place = kind;
                ends.copy_from_slice(&end);
            }
        }
        let press = match self.compression {
            Compression::WherePays => Some((&mut self.press, (2, 3))),
            Compression::WhereHalf => Some((&mut self.press, (1, 2))),
            Compression::Never => None,
        };
        let block = header::seal(&body, press);
        self.body = body;
        block
    }

    /// Forgets the first `cells` cells.
    pub fn drain(&mut self, cells: usize) {
        if cells >= self.len() {
            self.rows.drain(self.rows.ends.len());
            self.shared.clear();
            self.row_of.clear();
        } else {
            let row = self.row_of.get(cells).copied().unwrap_or_default();
            self.rows.drain(row as usize);
            self.shared.drain(..row as usize);
            self.row_of.drain(..cells);
            self.row_of.iter_mut().for_each(|place| *place -= row);
        }
        let cells = cells.min(self.len());
        let weight = self.weight(cells);
        self.weights.drain(..cells);
        self.weights.iter_mut().for_each(|held| *held -= weight);
        self.families.drain(cells);
        self.visibilities.drain(cells);
        self.qualifiers.drain(cells);
        self.values.drain(cells);
        self.times.drain(..cells);
        self.deletes.drain(..cells);
        self.references.drain(..cells);
    }

    /// Takes neighbouring cells of a block, references as references; the first must not be less than
    /// the cell before.
    pub(crate) fn push_stretch(
        &mut self,
        source: &mut Unpacked,
        cells: Range<usize>,
    ) -> Result<()> {
        let row = |cell: usize| source.row_of.get(cell).copied().unwrap_or_default() as usize;
        let Some(last) = cells.end.checked_sub(1).filter(|last| *last >= cells.start) else {
            return Ok(());
        };
        let (first_row, last_row) = (row(cells.start), row(last));
        let (rows, qualifiers) = (&source.rows.data, &source.qualifiers.data);
        self.check_size(rows.len() + qualifiers.len() + source.values.widest())?;
        let (shared, new_row) = self.follow(&source.key(cells.start))?;
        let mut weight = self.weight(self.len())
            + 5
            + source.qualifiers.get(cells.start).len()
            + source.values.length(cells.start);
        if new_row {
            weight += source.rows.get(first_row).len() - shared + 2;
            self.shared.push(shared);
        }
        let copied = first_row + usize::from(!new_row);
        let shift = (self.rows.ends.len() as u32).wrapping_sub(copied as u32);
        let part = cells.clone();
        let rows = source.row_of.get(part.clone()).unwrap_or_default();
        self.row_of
            .extend(rows.iter().map(|row| row.wrapping_add(shift)));
        self.rows.extend(&source.rows, copied..last_row + 1);
        let shared = source.shared.get(first_row + 1..=last_row);
        self.shared.extend_from_slice(shared.unwrap_or_default());
        weight += self.families.extend(&mut source.families, part.clone())
            + (self.visibilities).extend(&mut source.visibilities, part.clone());
        self.qualifiers.extend(&source.qualifiers, part.clone());
        self.values.extend(&source.values, part.clone());
        copy(&source.times, part.clone(), &mut self.times);
        copy(&source.deletes, part.clone(), &mut self.deletes);
        copy(&source.references, part.clone(), &mut self.references);
        let weights = source.weights.get(part).unwrap_or_default();
        let before = weights.first().copied().unwrap_or_default();
        self.weights
            .extend(weights.iter().map(|held| held - before + weight));
        Ok(())
    }

    /// Takes a cell of a block with another value, which may be a reference; it must not be less than the cell before.
    pub(crate) fn push_made(
        &mut self,
        source: &mut Unpacked,
        cell: usize,
        value: &[u8],
        reference: bool,
    ) -> Result<()> {
        let key = source.key(cell);
        let mut weight = self.weight(self.len());
        self.check_size(key.row.len() + key.qualifier.len() + value.len())?;
        let (shared, new_row) = self.follow(&key)?;
        if new_row {
            self.rows.push(key.row);
            self.shared.push(shared);
            weight += key.row.len() - shared + 2;
        }
        weight += 5 + key.qualifier.len() + value.len();
        self.row_of.push(self.rows.ends.len() as u32 - 1);
        self.qualifiers.push(key.qualifier);
        self.times.push(key.timestamp);
        self.deletes.push(key.deleted);
        weight += self.families.extend(&mut source.families, cell..cell + 1)
            + (self.visibilities).extend(&mut source.visibilities, cell..cell + 1);
        self.references.push(reference);
        self.values.push(value);
        self.weights.push(weight);
        Ok(())
    }

    fn check_size(&self, more: usize) -> Result<()> {
        let most = (self.rows.data.len())
            .max(self.qualifiers.data.len())
            .max(self.values.widest());
        if most + more > u32::MAX as usize {
            return Err(Error::Unsupported(
                "cells with one fully equal key must fit a block of 4 GiB: merge them first".into(),
            ));
        }
        Ok(())
    }

    /// How much the row of the next cell shares with the one before, and whether it is another one.
    fn follow(&self, key: &KeyRef<'_>) -> Result<(usize, bool)> {
        let Some(last) = self.rows.ends.len().checked_sub(1) else {
            return Ok((0, true));
        };
        let before = self.rows.get(last);
        let shared = common(before, key.row);
        // Behind what they share one row ends or has the smaller byte.
        let rows = before.get(shared).cmp(&key.row.get(shared));
        let order = rows.then_with(|| self.key(self.len() - 1).cmp(key));
        if order == Ordering::Greater {
            return Err(Error::InvalidKey(
                "cells must come in the order of their keys".into(),
            ));
        }
        Ok((shared, rows != Ordering::Equal))
    }

    fn add(&mut self, cell: &CellRef<'_>, reference: bool) -> Result<()> {
        let key = &cell.key;
        let size = key.row.len() + key.family.len() + key.qualifier.len();
        self.check_size(size + key.visibility.len() + cell.value.len())?;
        let mut weight = self.weight(self.len());
        let (shared, new_row) = self.follow(key)?;
        if new_row {
            self.rows.push(key.row);
            self.shared.push(shared);
            weight += key.row.len() - shared + 2;
        }
        weight += 3
            + key.qualifier.len()
            + cell.value.len()
            + self.families.push(key.family)
            + self.visibilities.push(key.visibility);
        self.row_of.push(self.rows.ends.len() as u32 - 1);
        self.qualifiers.push(key.qualifier);
        self.times.push(key.timestamp);
        self.deletes.push(key.deleted);
        self.references.push(reference);
        self.values.push(cell.value);
        self.weights.push(weight);
        Ok(())
    }

    fn encode_starts(&self, cells: Range<usize>, row_count: usize, body: &mut Vec<u8>) -> u8 {
        if row_count == cells.len() {
            return encoding::ABSENT;
        }
        let rows = self.row_of.get(cells).unwrap_or_default();
        let mut before = None;
        let mut numbered = 0;
        // Where nearly every row has one cell, the first cell of a row is not far behind its number.
        let starts = rows.iter().enumerate().filter_map(|(cell, row)| {
            let first = before != Some(row);
            before = Some(row);
            numbered += usize::from(first);
            first.then(|| (cell + 1 - numbered) as u64)
        });
        write(starts, (rows.len() - row_count) as u64, body);
        encoding::STARTS
    }

    fn encode_values(&mut self, cells: Range<usize>, body: &mut Vec<u8>) -> u8 {
        let special = |bits: &[bool]| bits.get(cells.clone()).unwrap_or_default().contains(&true);
        let whole = special(&self.deletes) || special(&self.references);
        self.values.encode(cells, !whole, &mut self.scratch, body)
    }
}

fn encode_bits(bits: Option<&[bool]>, out: &mut Vec<u8>) -> u8 {
    let bits = bits.unwrap_or_default();
    if !bits.contains(&true) {
        return encoding::ABSENT;
    }
    let pack = |bits: &[bool]| {
        let place = |byte: u8, (bit, &set): (usize, &bool)| byte | u8::from(set) << bit;
        bits.iter().enumerate().fold(0, place)
    };
    out.extend(bits.chunks(8).map(pack));
    encoding::BITMAP
}

/// Adds some neighbouring items of a column.
fn copy<T: Copy>(from: &[T], cells: Range<usize>, to: &mut Vec<T>) {
    to.extend_from_slice(from.get(cells).unwrap_or_default());
}
