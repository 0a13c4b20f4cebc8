//! Cells read over one range, and several ranges as one.

use lexigraph_core::cells::{Cell, CellRef, Range};
use lexigraph_core::stages::{Cursor, Families, Source};
use lexigraph_core::Result;

/// Several ranges, one after another: what a stage over a whole scan stands on.
pub struct Ranges {
    pub source: Source,
    pub ranges: Vec<Range>,
    pub at: usize,
    pub families: Families,
}

impl Ranges {
    fn settle(&mut self) -> Result<()> {
        while self.source.top().is_none() {
            self.at += 1;
            let Some(range) = self.ranges.get(self.at) else {
                return Ok(());
            };
            self.source.seek(range, &self.families)?;
        }
        Ok(())
    }
}

impl Cursor for Ranges {
    fn seek(&mut self, _: &Range, families: &Families) -> Result<()> {
        self.families = families.clone();
        self.at = 0;
        match self.ranges.first() {
            Some(range) => self.source.seek(range, families)?,
            None => return Ok(()),
        }
        self.settle()
    }

    fn top(&self) -> Option<CellRef<'_>> {
        self.source.top().filter(|_| !self.ranges.is_empty())
    }

    fn advance(&mut self) -> Result<()> {
        self.source.advance()?;
        self.settle()
    }

    fn fork(&self) -> Source {
        Box::new(Ranges {
            source: self.source.fork(),
            ranges: self.ranges.clone(),
            at: 0,
            families: Families::default(),
        })
    }
}

/// Everything in a range.
pub fn read(source: &mut dyn Cursor, range: &Range) -> Result<Vec<Cell>> {
    source.seek(range, &Families::default())?;
    let mut cells = Vec::new();
    while let Some(cell) = source.top() {
        cells.push(cell.to_owned());
        source.advance()?;
    }
    Ok(cells)
}
