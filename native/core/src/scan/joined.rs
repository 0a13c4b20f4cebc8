//! Some sorted, separate ranges of a source as one table, for stages that see them all.

use crate::cells::{CellRef, Range};
use crate::stages::{Cursor, Families, Source};
use crate::Result;

/// Gives what lies in the range it is sought with and in one of its own.
pub struct JoinedRanges {
    source: Source,
    ranges: Vec<Range>,
    /// What is left to read, the next last.
    left: Vec<Range>,
    families: Families,
    /// Whether the source stands in one of the ranges.
    inside: bool,
}

impl JoinedRanges {
    pub fn new(source: Source, ranges: Vec<Range>) -> JoinedRanges {
        JoinedRanges {
            source,
            ranges,
            left: Vec::new(),
            families: Families::default(),
            inside: false,
        }
    }

    fn settle(&mut self) -> Result<()> {
        while !self.inside || self.source.top().is_none() {
            let Some(range) = self.left.pop() else {
                self.inside = false;
                break;
            };
            self.source.seek(&range, &self.families)?;
            self.inside = true;
        }
        Ok(())
    }
}

impl Cursor for JoinedRanges {
    fn seek(&mut self, range: &Range, families: &Families) -> Result<()> {
        let clipped = self.ranges.iter().rev().filter_map(|own| own.clip(range));
        self.left = clipped.collect();
        self.families.clone_from(families);
        self.inside = false;
        self.settle()
    }

    fn top(&self) -> Option<CellRef<'_>> {
        self.inside.then(|| self.source.top())?
    }

    fn advance(&mut self) -> Result<()> {
        if self.inside {
            self.source.advance()?;
            self.settle()?;
        }
        Ok(())
    }

    fn fork(&self) -> Source {
        Box::new(JoinedRanges::new(self.source.fork(), self.ranges.clone()))
    }
}
