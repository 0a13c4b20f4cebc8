//! A scan on one thread: range after range through one stack.

use std::collections::VecDeque;

use crate::cells::{CellColumns, Range};
use crate::stages::{Cursor, Families, Fused, Limits, Source};
use crate::tree::{TreeCursor, Watch};
use crate::Result;

use super::skip::Skip;

/// Cells between two looks at the clock, for stages that hold many.
const CHECK: usize = 256;

/// What gives the cells: any stack, or one that is nothing but its bottom.
pub enum Cells {
    Stack(Source),
    Bottom(Box<Fused<TreeCursor>>),
}

/// The cells of some ranges.
pub struct Serial {
    cells: Cells,
    families: Families,
    ranges: VecDeque<Range>,
    inside: bool,
}

impl Serial {
    pub fn new(cells: Cells, families: Families, ranges: impl Into<VecDeque<Range>>) -> Serial {
        Serial {
            cells,
            families,
            ranges: ranges.into(),
            inside: false,
        }
    }

    /// Goes on with other ranges.
    pub fn restart(&mut self, ranges: impl Into<VecDeque<Range>>) {
        self.ranges = ranges.into();
        self.inside = false;
    }

    /// The ranges, where none was begun.
    pub fn hand_over(&mut self) -> Option<Vec<Range>> {
        (!self.inside).then(|| std::mem::take(&mut self.ranges).into())
    }

    /// Adds cells until `out` is full; `false` when there are no more.
    pub fn fill(
        &mut self,
        out: &mut CellColumns,
        skip: &mut Skip,
        watch: &Watch,
        limits: Limits,
    ) -> Result<bool> {
        loop {
            if !self.inside {
                let Some(range) = self.ranges.pop_front() else {
                    return Ok(false);
                };
                match &mut self.cells {
                    Cells::Stack(stack) => stack.seek(&range, &self.families)?,
                    Cells::Bottom(bottom) => bottom.seek(&range, &self.families)?,
                }
                self.inside = true;
            }
            let more = match &mut self.cells {
                Cells::Stack(stack) => fill(stack.as_mut(), out, skip, watch, limits)?,
                Cells::Bottom(bottom) if skip.is_over() => bottom.fill(out, limits)?,
                Cells::Bottom(bottom) => fill(bottom.as_mut(), out, skip, watch, limits)?,
            };
            if more {
                return Ok(true);
            }
            self.inside = false;
        }
    }
}

fn fill(
    cursor: &mut (impl Cursor + ?Sized),
    out: &mut CellColumns,
    skip: &mut Skip,
    watch: &Watch,
    (cells, bytes): Limits,
) -> Result<bool> {
    let mut until_check = 0;
    while let Some(cell) = cursor.top() {
        if until_check == 0 {
            watch.check()?;
            until_check = CHECK;
        }
        until_check -= 1;
        if !skip.passes_over(&cell) {
            if out.len() >= cells || out.size_bytes() >= bytes {
                return Ok(true);
            }
            out.push(&cell);
        }
        cursor.advance()?;
    }
    Ok(false)
}
