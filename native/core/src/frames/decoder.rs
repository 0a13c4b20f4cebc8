//! Cells by column in, elements by column out.

use std::sync::Arc;

use super::column::FrameColumn;
use super::{Asked, Ends, Frame};
use crate::cells::CellsView;
use crate::plan::{Element, Plan, Reader};
use crate::Result;

/// Reads cells by a key plan, compiled for the columns that are asked for.
///
/// Cells come in key order, in batches that may be cut anywhere: what is returned in all does not depend on the cuts.
#[derive(Debug)]
pub struct Decoder {
    reader: Reader,
    ends: Option<Ends>,
    needs_qualifier: bool,
    needs_value: bool,
    pub(super) rows: Rows,
    scratch: Vec<u8>,
    other: Vec<u8>,
}

impl Decoder {
    /// Looks the columns up in the plan of the cells.
    pub fn new(plan: &Arc<Plan>, asked: &Asked, ends: Option<Ends>) -> Result<Decoder> {
        let columns = asked.bind(plan)?;
        Ok(Decoder {
            needs_qualifier: columns.iter().any(FrameColumn::is_of_qualifier)
                || plan.has_ends_in_qualifiers(),
            needs_value: columns.iter().any(FrameColumn::is_of_value),
            reader: Reader::new(Arc::clone(plan)),
            rows: Rows { columns, count: 0 },
            ends,
            scratch: Vec::new(),
            other: Vec::new(),
        })
    }

    /// Reads the next cells. Where one does not fit, nothing that was read is kept.
    pub fn add(&mut self, cells: CellsView<'_>) -> Result<()> {
        let added = self.try_add(cells);
        if added.is_err() {
            self.take();
        }
        added
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows.count
    }

    /// How much the largest column holds.
    pub fn column_bytes(&self) -> usize {
        let sizes = self.rows.columns.iter().map(FrameColumn::size_bytes);
        sizes.max().unwrap_or_default()
    }

    /// The rows so far, if there are any; it goes on empty.
    pub fn take(&mut self) -> Option<Frame> {
        let columns = self.rows.columns.iter_mut().map(FrameColumn::take);
        let columns = columns.collect();
        let rows = std::mem::take(&mut self.rows.count);
        (rows > 0).then_some(Frame { rows, columns })
    }

    fn try_add(&mut self, cells: CellsView<'_>) -> Result<()> {
        for index in 0..cells.len() {
            let cell = cells.cell(index);
            let read = self
                .reader
                .read_parts(cell, self.needs_qualifier, self.needs_value)?;
            let Some(element) = read else {
                continue;
            };
            if let Some(ends) = &self.ends {
                if !ends.keep(&element, &mut self.scratch, &mut self.other)? {
                    continue;
                }
            }
            self.rows.assemble(&element, &mut self.scratch)?;
        }
        Ok(())
    }
}

/// The one place where what cells say becomes rows. Today a cell is an element; elements of many cells would be put together
/// here, and a row would be added when the first cell of the next element comes.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) columns: Vec<FrameColumn>,
    pub(super) count: usize,
}

impl Rows {
    fn assemble(&mut self, element: &Element<'_>, scratch: &mut Vec<u8>) -> Result<()> {
        for column in &mut self.columns {
            column.push(element, scratch)?;
        }
        self.count += 1;
        Ok(())
    }
}
