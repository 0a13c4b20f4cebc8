//! A scan on the caller's own thread: range after range through one stack.

use std::collections::VecDeque;

use crate::cells::{CellColumns, Range};
use crate::stages::{Families, Source};
use crate::tree::Watch;
use crate::Result;

use super::skip::Skip;

/// Cells between two looks at the clock, for stages that hold many.
const CHECK: usize = 256;

/// The cells of some ranges, as a stack gives them.
pub struct Serial {
    stack: Source,
    families: Families,
    ranges: VecDeque<Range>,
    inside: bool,
}

impl Serial {
    pub fn new(stack: Source, families: Families, ranges: impl Into<VecDeque<Range>>) -> Serial {
        Serial {
            stack,
            families,
            ranges: ranges.into(),
            inside: false,
        }
    }

    /// Adds cells until `out` holds that many, or that many bytes; `false` when there are no more.
    pub fn fill(
        &mut self,
        out: &mut CellColumns,
        skip: &mut Skip,
        watch: &Watch,
        (cells, bytes): (usize, usize),
    ) -> Result<bool> {
        let mut until_check = 0;
        let mut room = bytes;
        loop {
            if !self.inside {
                let Some(range) = self.ranges.pop_front() else {
                    return Ok(false);
                };
                self.stack.seek(&range, &self.families)?;
                self.inside = true;
            }
            while let Some(cell) = self.stack.top() {
                if until_check == 0 {
                    watch.check()?;
                    until_check = CHECK;
                }
                until_check -= 1;
                if !skip.passes_over(&cell) {
                    if out.len() >= cells || room == 0 {
                        return Ok(true);
                    }
                    room = room.saturating_sub(size(&cell));
                    out.push(&cell);
                }
                self.stack.advance()?;
            }
            self.inside = false;
        }
    }
}

/// About what a cell takes in a batch.
#[inline]
fn size(cell: &crate::cells::CellRef<'_>) -> usize {
    let key = &cell.key;
    49 + key.row.len()
        + key.family.len()
        + key.qualifier.len()
        + key.visibility.len()
        + cell.value.len()
}
