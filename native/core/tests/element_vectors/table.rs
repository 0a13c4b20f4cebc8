//! A table in memory, as small as can be: sorted cells, deletes, labels and several ranges.

use std::sync::Arc;

use lexigraph_core::cells::{Cell, CellRef, Range};
use lexigraph_core::stages::{Cursor, Families};
use lexigraph_core::Result;

pub type Source = Box<dyn Cursor + Send>;

/// Sorted cells.
pub struct Table {
    cells: Arc<Vec<Cell>>,
    range: Range,
    families: Families,
    at: usize,
}

impl Table {
    pub fn new(mut cells: Vec<Cell>) -> Table {
        cells.sort_by(|left, right| left.key.cmp(&right.key));
        Table {
            cells: Arc::new(cells),
            range: Range::default(),
            families: Families::default(),
            at: 0,
        }
    }

    fn settle(&mut self) {
        while let Some(cell) = self.cells.get(self.at) {
            let key = cell.key.as_ref();
            if self.range.is_beyond(&key) {
                self.at = self.cells.len();
            } else if self.range.contains(&key) && self.families.wants(key.family) {
                return;
            } else {
                self.at += 1;
            }
        }
    }
}

impl Cursor for Table {
    fn seek(&mut self, range: &Range, families: &Families) -> Result<()> {
        (self.range, self.families, self.at) = (range.clone(), families.clone(), 0);
        self.settle();
        Ok(())
    }

    fn top(&self) -> Option<CellRef<'_>> {
        self.cells.get(self.at).map(Cell::as_ref)
    }

    fn advance(&mut self) -> Result<()> {
        self.at = (self.at + 1).min(self.cells.len());
        self.settle();
        Ok(())
    }

    fn fork(&self) -> Source {
        let cells = self.cells.clone();
        Box::new(Table {
            cells,
            range: Range::default(),
            families: Families::default(),
            at: 0,
        })
    }
}

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

/// Leaves out what delete markers hide, and the markers themselves unless they are kept.
pub fn delete(cells: Vec<Cell>, keep_markers: bool) -> Vec<Cell> {
    let hidden = |cell: &Cell| {
        cells.iter().any(|marker| {
            let (mine, other) = (cell.key.as_ref(), marker.key.as_ref());
            other.deleted
                && !mine.deleted
                && other.column() == mine.column()
                && other.timestamp >= mine.timestamp
        })
    };
    let keep = |cell: &&Cell| !hidden(cell) && (keep_markers || !cell.key.deleted);
    cells.iter().filter(keep).cloned().collect()
}
