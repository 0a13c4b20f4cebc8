//! A block taken apart: its columns plain in memory, for whoever copies stretches of its cells into other blocks.
//!
//! Taking all of a column at once costs less than going from cell to cell, and a stretch of plain columns is
//! copied as bytes.

use std::cmp::Ordering;

use super::items::Raw;
use super::strings::Strings;
use super::values::ValueColumn;
use super::{common, corrupt, Block};
use crate::cells::KeyRef;
use crate::Result;

/// The cells of a block by column; keeps its buffers from one block to the next.
#[derive(Debug, Default)]
pub(crate) struct Unpacked {
    /// The distinct rows, whole, and how much each shares with the one before.
    pub(super) rows: Raw,
    pub(super) shared: Vec<usize>,
    pub(super) row_of: Vec<u32>,
    pub(super) families: Coded,
    pub(super) qualifiers: Raw,
    pub(super) visibilities: Coded,
    pub(super) times: Vec<i64>,
    pub(super) deletes: Vec<bool>,
    pub(super) references: Vec<bool>,
    pub(super) values: ValueColumn,
    /// What a builder guesses that the cells up to each one take.
    pub(super) weights: Vec<usize>,
    has_deletes: bool,
    has_references: bool,
    starts: Vec<u32>,
    numbers: Numbers,
}

/// Room for the numbers of a column.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    codes: Vec<u32>,
    ends: Vec<u32>,
}

/// A column of codes with its entries, and the codes that a builder has for the same entries.
#[derive(Debug, Default)]
pub(super) struct Coded {
    pub entries: Raw,
    pub codes: Vec<u32>,
    /// Good for the builder's dictionary of number `of` only.
    pub known: Vec<Option<u32>>,
    pub of: u64,
}

impl Unpacked {
    /// Takes a block apart, in place of what was held.
    pub fn read(&mut self, block: &Block<'_>) -> Result<()> {
        let (body, layout, count) = (block.body(), block.layout(), block.cells());
        self.read_rows(block)?;
        self.families.read(body, &layout.families, count)?;
        self.visibilities.read(body, &layout.visibilities, count)?;
        let numbers = &mut self.numbers;
        read_strings(
            body,
            &layout.qualifiers,
            count,
            &mut self.qualifiers,
            numbers,
        )?;
        self.values.read(body, &layout.values, count, numbers)?;
        layout.times.copy_to(body, count, &mut self.times)?;
        (self.has_deletes, self.has_references) = (block.has_deletes(), block.has_references());
        self.deletes.clear();
        self.references.clear();
        match self.has_deletes {
            true => (self.deletes).extend((0..count).map(|cell| block.is_deleted(cell))),
            false => self.deletes.resize(count, false),
        }
        match self.has_references {
            true => (self.references).extend((0..count).map(|cell| block.is_reference(cell))),
            false => self.references.resize(count, false),
        }
        self.weigh();
        Ok(())
    }

    fn read_rows(&mut self, block: &Block<'_>) -> Result<()> {
        let (count, rows) = (block.cells(), block.rows());
        self.rows.clear();
        self.shared.clear();
        let mut entries = block.row_entries()?;
        let mut before = 0..0;
        for row in 0..rows {
            let (mut shared, rest) = entries.advance()?;
            let data = &mut self.rows.data;
            if shared > before.len() {
                return Err(corrupt("a row shares more than the row before it has"));
            }
            let start = data.len();
            data.extend_from_within(before.start..before.start + shared);
            data.extend_from_slice(rest);
            if shared == 0 && row > 0 {
                // Some rows stand whole although they share.
                let old = data.get(before.clone()).unwrap_or_default();
                shared = common(old, data.get(start..).unwrap_or_default());
            }
            before = start..data.len();
            self.rows.ends.push(before.end);
            self.shared.push(shared);
        }
        self.row_of.clear();
        if !block.copy_row_starts(&mut self.starts)? {
            self.row_of.extend(0..count as u32);
            return Ok(());
        }
        let behind = self.starts.iter().skip(1).copied();
        for (row, end) in behind.chain([count as u32]).enumerate() {
            if (end as usize) <= self.row_of.len() || end as usize > count {
                return Err(corrupt("the runs of rows are out of order"));
            }
            self.row_of.resize(end as usize, row as u32);
        }
        Ok(())
    }

    fn weigh(&mut self) {
        let coded = [&self.families, &self.visibilities];
        let codes = coded.iter().filter(|held| held.entries.ends.len() > 1);
        let each = 3 + codes.count();
        self.weights.clear();
        self.weights.resize(self.times.len(), each);
        self.values.add_lengths(&mut self.weights);
        let (mut weight, mut before, mut start) = (0, None, 0);
        let parts = self.row_of.iter().zip(&self.qualifiers.ends);
        for (held, (&row, &end)) in self.weights.iter_mut().zip(parts) {
            weight += *held + end - start;
            start = end;
            if before != Some(row) {
                before = Some(row);
                let shared = self.shared.get(row as usize).copied().unwrap_or_default();
                weight += self.rows.get(row as usize).len().saturating_sub(shared) + 2;
            }
            *held = weight;
        }
    }

    /// How many cells it holds.
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// Whether some cell is a delete marker.
    pub fn has_deletes(&self) -> bool {
        self.has_deletes
    }

    pub fn is_deleted(&self, cell: usize) -> bool {
        self.deletes.get(cell).copied().unwrap_or_default()
    }

    /// Whether some value stands in an entry of its own.
    pub fn has_references(&self) -> bool {
        self.has_references
    }

    pub fn is_reference(&self, cell: usize) -> bool {
        self.references.get(cell).copied().unwrap_or_default()
    }

    /// The distinct families.
    pub fn families(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.families.entries.ends.len()).map(|code| self.families.entries.get(code))
    }

    #[inline]
    pub fn key(&self, cell: usize) -> KeyRef<'_> {
        let row = self.row_of.get(cell).copied().unwrap_or_default();
        KeyRef {
            row: self.rows.get(row as usize),
            family: self.families.get(cell),
            qualifier: self.qualifiers.get(cell),
            visibility: self.visibilities.get(cell),
            timestamp: self.times.get(cell).copied().unwrap_or_default(),
            deleted: self.is_deleted(cell),
        }
    }

    /// The value of a cell, put together in `scratch` where it is taken apart.
    pub fn value<'a>(&'a self, cell: usize, scratch: &'a mut Vec<u8>) -> &'a [u8] {
        self.values.get(cell, scratch)
    }

    /// Whether a cell has the column of the one before it.
    pub fn repeats(&self, cell: usize) -> bool {
        let Some(before) = cell.checked_sub(1) else {
            return false;
        };
        self.row_of.get(cell) == self.row_of.get(before)
            && self.families.codes.get(cell) == self.families.codes.get(before)
            && self.visibilities.codes.get(cell) == self.visibilities.codes.get(before)
            && self.qualifiers.get(cell) == self.qualifiers.get(before)
    }

    /// Whether each cell has a row of its own.
    pub fn rows_differ(&self) -> bool {
        self.rows.ends.len() == self.len()
    }

    #[inline]
    fn row(&self, cell: usize) -> &[u8] {
        let row = self.row_of.get(cell).copied().unwrap_or_default();
        self.rows.get(row as usize)
    }

    /// The first 16 bytes of a cell's row as a number: rows are in the order of these, as far as they differ.
    #[inline]
    pub fn row_head(&self, cell: usize) -> u128 {
        let row = self.row(cell);
        match row.first_chunk() {
            Some(whole) => u128::from_be_bytes(*whole),
            None => {
                let mut head = [0; 16];
                for (place, byte) in head.iter_mut().zip(row) {
                    *place = *byte;
                }
                u128::from_be_bytes(head)
            }
        }
    }

    /// How a cell compares with a key.
    #[inline]
    fn compare(&self, cell: usize, key: &KeyRef<'_>) -> Ordering {
        // Rows decide nearly always.
        let rows = self.row(cell).cmp(key.row);
        rows.then_with(|| self.key(cell).cmp(key))
    }

    #[inline]
    fn is_less(&self, cell: usize, key: &KeyRef<'_>) -> bool {
        self.compare(cell, key) == Ordering::Less
    }

    /// How a cell compares with one of another block.
    #[inline]
    pub fn compare_with(&self, cell: usize, other: &Unpacked, with: usize) -> Ordering {
        let columns = self.compare_column(cell, other, with);
        columns
            .then_with(|| other.time(with).cmp(&self.time(cell)))
            .then_with(|| other.is_deleted(with).cmp(&self.is_deleted(cell)))
    }

    /// Whether a cell has the column of one of another block.
    pub fn has_column_of(&self, cell: usize, other: &Unpacked, with: usize) -> bool {
        self.row(cell) == other.row(with)
            && self.qualifiers.get(cell) == other.qualifiers.get(with)
            && self.visibilities.get(cell) == other.visibilities.get(with)
            && self.families.get(cell) == other.families.get(with)
    }

    /// How a cell's column compares with that of one of another block.
    pub fn compare_column(&self, cell: usize, other: &Unpacked, with: usize) -> Ordering {
        (self.row(cell).cmp(other.row(with)))
            .then_with(|| self.families.get(cell).cmp(other.families.get(with)))
            .then_with(|| self.qualifiers.get(cell).cmp(other.qualifiers.get(with)))
            .then_with(|| {
                self.visibilities
                    .get(cell)
                    .cmp(other.visibilities.get(with))
            })
    }

    /// The time of a cell.
    pub fn time(&self, cell: usize) -> i64 {
        self.times.get(cell).copied().unwrap_or_default()
    }

    /// The first cell from `start` on that is greater than `key`; quick when it is near.
    pub fn upper_bound(&self, start: usize, key: &KeyRef<'_>) -> usize {
        let mut cell = start;
        while cell < self.len() && self.compare(cell, key) != Ordering::Greater {
            cell += 1;
        }
        cell
    }

    /// The first cell from `start` on that is not less than `key`; quick when it is near.
    pub fn lower_bound(&self, start: usize, key: &KeyRef<'_>) -> usize {
        let count = self.len();
        let before = |cell: usize| cell < count && self.is_less(cell, key);
        let mut step = 1;
        while before(start + step - 1) {
            step *= 2;
        }
        let (mut low, mut high) = (start + step / 2, (start + step - 1).min(count).max(start));
        while low < high {
            let middle = low + (high - low) / 2;
            if before(middle) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

impl Coded {
    fn read(&mut self, body: &[u8], strings: &Strings, count: usize) -> Result<()> {
        self.of = 0;
        self.entries.clear();
        let entries = strings.entries().unwrap_or_default();
        for code in 0..entries {
            self.entries.push(strings.entry(body, code)?.of(body));
        }
        strings.copy_codes(body, count, &mut self.codes)?;
        match self.codes.iter().max() {
            Some(&most) if most as usize >= entries => Err(corrupt("a code has no entry")),
            _ => Ok(()),
        }
    }

    #[inline]
    fn get(&self, cell: usize) -> &[u8] {
        let code = self.codes.get(cell).copied().unwrap_or_default();
        self.entries.get(code as usize)
    }
}

/// All items of a column, in place of what `out` held.
pub(super) fn read_strings(
    body: &[u8],
    strings: &Strings,
    count: usize,
    out: &mut Raw,
    Numbers { codes, ends }: &mut Numbers,
) -> Result<()> {
    out.clear();
    match strings {
        Strings::Constant(item) => {
            let item = item.of(body);
            (0..count).for_each(|_| out.push(item));
        }
        Strings::Fixed { items, width } => {
            out.data.extend_from_slice(items.of(body));
            out.ends.extend((1..=count).map(|item| item * width));
        }
        Strings::Offsets(entries) => {
            let data = entries.copy_ends(body, ends)?;
            check_ends(ends, data)?;
            out.data.extend_from_slice(data);
            out.ends.extend(ends.iter().map(|&end| end as usize));
        }
        Strings::Dictionary { entries, .. } => {
            strings.copy_codes(body, count, codes)?;
            let data = entries.copy_ends(body, ends)?;
            check_ends(ends, data)?;
            for &code in codes.iter() {
                let start = match code.checked_sub(1) {
                    Some(before) => ends.get(before as usize).copied().unwrap_or_default(),
                    None => 0,
                };
                let end = ends.get(code as usize).copied();
                let end = end.ok_or_else(|| corrupt("a code has no entry"))?;
                out.push(data.get(start as usize..end as usize).unwrap_or_default());
            }
        }
    }
    Ok(())
}

fn check_ends(ends: &[u32], data: &[u8]) -> Result<()> {
    let within = ends.last().is_none_or(|&last| last as usize <= data.len());
    match within && ends.is_sorted() {
        true => Ok(()),
        false => Err(corrupt("the ends of a column are out of order")),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::block::{BlockBuilder, Compression, Page};
    use crate::cells::{Cell, Key};

    /// Rows of one and of several cells, few labels, values with one set of properties; then others.
    fn cells(count: u32) -> Vec<Cell> {
        let mut cells: Vec<Cell> = (0..count)
            .map(|number| Cell {
                key: Key {
                    row: format!("row/{:05}", number - number % 3 / 2).into_bytes(),
                    family: b"f".to_vec(),
                    qualifier: number.to_be_bytes().to_vec(),
                    visibility: [&b""[..], b"a", b"a&b"][number as usize % 3].to_vec(),
                    timestamp: i64::from(number % 5),
                    deleted: number == count - 7,
                },
                value: match number % 50 {
                    49 if number > count / 2 => b"plain".to_vec(),
                    _ => vec![1, 1, 1, number as u8, 2, 2, 7, (number >> 8) as u8],
                },
            })
            .collect();
        cells.sort_by(|left, right| left.key.cmp(&right.key));
        cells
    }

    fn unpacked(bytes: Vec<u8>) -> Unpacked {
        let mut unpacked = Unpacked::default();
        unpacked.read(&Page::open(bytes).unwrap().block()).unwrap();
        unpacked
    }

    #[test]
    fn a_block_made_of_stretches_is_the_block_made_of_its_cells() {
        let cells = cells(400);
        let mut one_by_one = BlockBuilder::new(Compression::Never);
        let (mut even, mut odd) = (every_other(&cells, 0), every_other(&cells, 1));
        for cell in &cells {
            one_by_one.push(&cell.as_ref()).unwrap();
        }
        // Five cells of one block, five of the other, and so on.
        let mut stretches = BlockBuilder::new(Compression::Never);
        for start in (0..200).step_by(5) {
            stretches.push_stretch(&mut even, start..start + 5).unwrap();
            stretches.push_stretch(&mut odd, start..start + 5).unwrap();
        }
        for part in [0..400, 0..150, 150..400, 37..201] {
            assert_eq!(
                stretches.encode(part.clone()).unwrap(),
                one_by_one.encode(part).unwrap()
            );
        }
        stretches.drain(150);
        one_by_one.drain(150);
        assert_eq!(stretches.finish().unwrap(), one_by_one.finish().unwrap());
    }

    /// Every other five cells as a block, taken apart.
    fn every_other(cells: &[Cell], which: usize) -> Unpacked {
        let mut builder = BlockBuilder::new(Compression::Never);
        for part in cells.chunks(5).skip(which).step_by(2) {
            for cell in part {
                builder.push(&cell.as_ref()).unwrap();
            }
        }
        unpacked(builder.finish().unwrap())
    }

    #[test]
    fn a_stretch_that_comes_too_early_is_refused() {
        let mut all = every_other(&cells(100), 0);
        let mut builder = BlockBuilder::new(Compression::Never);
        builder.push_stretch(&mut all, 10..20).unwrap();
        assert!(builder.push_stretch(&mut all, 5..8).is_err());
    }

    #[test]
    fn a_key_is_found_from_any_cell_before_it() {
        let cells = cells(100);
        let all = every_other(&cells, 0);
        for (number, cell) in cells.chunks(5).step_by(2).flatten().enumerate() {
            for start in [0, number / 2, number] {
                assert_eq!(all.lower_bound(start, &cell.key.as_ref()), number);
            }
        }
        assert_eq!(
            all.lower_bound(
                3,
                &KeyRef {
                    row: b"s",
                    ..all.key(0)
                }
            ),
            all.len()
        );
    }
}
