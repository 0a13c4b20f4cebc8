//! The cells of a table, as they were made: in parts, of which some cells stay. They are put together
//! where they are wanted, so that they are copied once.

use std::collections::BTreeSet;
use std::ops::Range;

use super::row::Part;
use crate::cells::{BytesColumn, CellColumns, CellRef};
use crate::engine::MutationBatch;

/// Neighbouring cells of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Run {
    pub part: usize,
    pub cells: Range<usize>,
    /// The number of the value that takes the place of theirs.
    pub value: Option<usize>,
}

/// All cells of all parts.
pub(super) fn whole_parts(parts: &[Part]) -> Vec<Run> {
    let whole = |(part, held): (usize, &Part)| Run {
        part,
        cells: 0..held.timed.len(),
        value: None,
    };
    parts.iter().enumerate().map(whole).collect()
}

/// A column of byte strings of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BytesOf {
    Row,
    Family,
    Qualifier,
    Visibility,
    Value,
}

/// What came of a table.
#[derive(Debug, Default)]
pub struct Encoded {
    pub(super) parts: Vec<Part>,
    pub(super) runs: Vec<Run>,
    /// The values of elements that are several.
    pub(super) values: Vec<Vec<u8>>,
    /// How many rows fit, equal ones each counted.
    pub elements: usize,
    /// The numbers of those that do not, ascending; unless they are skipped the first alone, and no cells.
    pub bad: Vec<usize>,
}

impl Encoded {
    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.runs.iter().map(|run| run.cells.len()).sum()
    }

    /// The labels of the elements, each once.
    pub fn labels(&self) -> BTreeSet<&[u8]> {
        let all = self.parts.iter().flat_map(|part| &part.labels);
        all.map(Vec::as_slice).collect()
    }

    /// How many bytes the entries of a column have together.
    pub fn size_bytes(&self, column: BytesOf) -> usize {
        self.pieces(column)
            .map(|(data, _, repeats)| data.len() * repeats)
            .sum()
    }

    /// Puts the entries of a column one behind the other into a place of that size.
    pub fn write_data(&self, column: BytesOf, place: &mut [u8]) {
        let mut rest = place;
        for (data, _, repeats) in self.pieces(column) {
            for _ in 0..repeats {
                rest = put(rest, data);
            }
        }
    }

    /// Gives the end of each entry of a column.
    pub fn each_end(&self, column: BytesOf, mut give: impl FnMut(i64)) {
        let mut base = 0;
        for (data, ends, repeats) in self.pieces(column) {
            let length = data.len() as i64;
            match ends {
                Some((first, ends)) => ends.iter().for_each(|end| give(base + end - first)),
                None => (1..=repeats as i64).for_each(|count| give(base + count * length)),
            }
            base += length * repeats as i64;
        }
    }

    /// Gives the time of each cell.
    pub fn each_time(&self, mut give: impl FnMut(i64)) {
        for (part, run) in self.held() {
            let times = part.cells.timestamps.get(run.cells.clone());
            times
                .unwrap_or_default()
                .iter()
                .for_each(|time| give(*time));
        }
    }

    /// Puts a byte for each cell, whether its time was given, into a place of that size.
    pub fn write_timed(&self, place: &mut [u8]) {
        let mut rest = place;
        for (part, run) in self.held() {
            rest = put(rest, part.timed.get(run.cells.clone()).unwrap_or_default());
        }
    }

    /// The cells of each part as they were made, also those that others stand for.
    pub(crate) fn parts(&self) -> impl Iterator<Item = MutationBatch<'_>> {
        self.parts.iter().map(|part| MutationBatch {
            cells: part.cells.view(),
            timed: &part.timed,
        })
    }

    /// Gives the cells of a part that stay, and whether their time was given.
    pub(crate) fn each_cell(&self, part: usize, mut give: impl FnMut(CellRef<'_>, bool)) {
        let Some(held) = self.parts.get(part) else {
            return;
        };
        let cells = held.cells.view();
        for run in self.runs.iter().filter(|run| run.part == part) {
            let value = run.value.and_then(|value| self.values.get(value));
            for place in run.cells.clone() {
                let mut cell = cells.cell(place);
                if let Some(value) = value {
                    cell.value = value;
                }
                let timed = held.timed.get(place).is_some_and(|timed| *timed != 0);
                give(cell, timed);
            }
        }
    }

    /// All cells put together, and for each whether its time was given.
    pub fn to_columns(&self) -> (CellColumns, Vec<u8>) {
        let (mut cells, mut timed) = (CellColumns::default(), Vec::new());
        for part in 0..self.parts.len() {
            self.each_cell(part, |cell, is_timed| {
                cells.push(&cell);
                timed.push(u8::from(is_timed));
            });
        }
        (cells, timed)
    }

    fn held(&self) -> impl Iterator<Item = (&Part, &Run)> {
        let held = |run: &Run| self.parts.get(run.part);
        self.runs
            .iter()
            .filter_map(move |run| Some((held(run)?, run)))
    }

    /// For each run the bytes of its entries, and either their ends with where they start, or that
    /// the bytes are one entry which is repeated.
    #[allow(clippy::type_complexity)]
    fn pieces(
        &self,
        column: BytesOf,
    ) -> impl Iterator<Item = (&[u8], Option<(i64, &[i64])>, usize)> {
        self.held().filter_map(move |(part, run)| {
            if let (BytesOf::Value, Some(value)) = (column, run.value) {
                return Some((self.values.get(value)?.as_slice(), None, run.cells.len()));
            }
            let BytesColumn { offsets, data } = match column {
                BytesOf::Row => &part.cells.row,
                BytesOf::Family => &part.cells.family,
                BytesOf::Qualifier => &part.cells.qualifier,
                BytesOf::Visibility => &part.cells.visibility,
                BytesOf::Value => &part.cells.value,
            };
            let ends = offsets.get(run.cells.start..=run.cells.end)?;
            let (first, ends) = ends.split_first()?;
            let last = ends.last().unwrap_or(first);
            let data = data.get(*first as usize..*last as usize)?;
            Some((data, Some((*first, ends)), 1))
        })
    }
}

fn put<'a>(place: &'a mut [u8], data: &[u8]) -> &'a mut [u8] {
    match place.split_at_mut_checked(data.len()) {
        Some((place, rest)) => {
            place.copy_from_slice(data);
            rest
        }
        None => &mut [],
    }
}
