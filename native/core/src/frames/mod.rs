//! Elements of a scan by column, as Arrow shapes them: what a table of an answer is made of.
//!
//! The cells of a scan are read by the key plan of its output, one element each, and every wanted field goes into the buffers
//! of its column. What nobody asks for is not looked at, so what is wrong in it is not found.

mod asked;
mod buffers;
mod builder;
mod column;
mod ends;
mod kind;

use crate::cells::CellColumns;
use crate::plan::Reader;
use crate::scan::{self, Cancel, Input, Scan, ScanOptions, Spec};
use crate::{Error, Result};

pub use asked::Asked;
pub use buffers::{Bits, Buffers};
pub use ends::{Among, Ends, Keys};

use column::Column;

/// How many cells are read at once.
const CELLS: usize = 16_384;
/// How many bytes a column of one batch may take up: offsets have 32 bits.
const COLUMN_BYTES: usize = 256 << 20;

/// Some rows of a table: one entry for each column that was asked for.
#[derive(Debug)]
pub struct Frame {
    pub rows: usize,
    pub columns: Vec<Buffers>,
}

/// A running scan whose elements come out as columns.
pub struct FrameScan {
    scan: Scan,
    reader: Reader,
    columns: Vec<Column>,
    ends: Option<Ends>,
    needs_qualifier: bool,
    needs_value: bool,
    rows: usize,
    scratch: Vec<u8>,
    other: Vec<u8>,
    done: bool,
}

/// Starts a scan; `plan` is the key plan of what its stages give.
pub fn open(
    input: Input,
    spec: &Spec,
    plan: &str,
    asked: &Asked,
    ends: Option<Ends>,
    options: &ScanOptions,
) -> Result<FrameScan> {
    let plan = scan::output_plan(&input, spec, plan)?;
    let columns = asked.bind(&plan)?;
    let scan = scan::open(input, spec, options)?;
    Ok(FrameScan {
        needs_qualifier: columns.iter().any(Column::is_of_qualifier)
            || plan.has_ends_in_qualifiers(),
        needs_value: columns.iter().any(Column::is_of_value),
        reader: Reader::new(plan),
        scan,
        columns,
        ends,
        rows: 0,
        scratch: Vec::new(),
        other: Vec::new(),
        done: false,
    })
}

impl FrameScan {
    /// The next rows, at most that many; none when there are no more.
    pub fn next(&mut self, rows: usize) -> Result<Option<Frame>> {
        let rows = rows.max(1);
        while !self.done && self.rows < rows && self.column_bytes() < COLUMN_BYTES {
            match self.scan.next(CELLS.min(rows - self.rows))? {
                Some(cells) => self.add(&cells)?,
                None => self.done = true,
            }
        }
        if self.rows == 0 {
            return Ok(None);
        }
        let rows = std::mem::take(&mut self.rows);
        let columns = self.columns.iter_mut().map(Column::take).collect();
        Ok(Some(Frame { rows, columns }))
    }

    /// A handle by which another thread ends it.
    pub fn cancel_handle(&self) -> Cancel {
        self.scan.cancel_handle()
    }

    fn column_bytes(&self) -> usize {
        let sizes = self.columns.iter().map(Column::size_bytes);
        sizes.max().unwrap_or_default()
    }

    fn add(&mut self, cells: &CellColumns) -> Result<()> {
        let view = cells.view();
        for index in 0..view.len() {
            let cell = view.cell(index);
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
            for column in &mut self.columns {
                column.push(&element, &mut self.scratch)?;
            }
            self.rows += 1;
        }
        Ok(())
    }
}

fn refuse<T>(message: String) -> Result<T> {
    Err(Error::InvalidOption(message))
}
