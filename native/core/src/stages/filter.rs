//! What filters share: they keep some cells and leave them as they are, without copying any.
//!
//! A filter passes delete markers on whatever they hold: what they hide may lie in runs that the
//! filter does not see.

use super::settling::settling;
use super::{Cursor, Families, Source};
use crate::cells::{CellRef, Range};
use crate::Result;

/// Decides about one cell at a time, by nothing but that cell.
pub trait Test: Clone + Send + 'static {
    /// Whether the cell is kept.
    fn accepts(&mut self, cell: &CellRef<'_>) -> Result<bool>;
}

/// A cursor over the cells that a test keeps.
pub struct Keep<T> {
    source: Source,
    test: T,
}

impl<T: Test> Keep<T> {
    pub fn new(source: Source, test: T) -> Keep<T> {
        Keep { source, test }
    }

    fn settle(&mut self) -> Result<()> {
        while let Some(top) = self.source.top() {
            if self.test.accepts(&top)? {
                break;
            }
            self.source.advance()?;
        }
        Ok(())
    }
}

impl<T: Test> Cursor for Keep<T> {
    fn seek(&mut self, range: &Range, families: &Families) -> Result<()> {
        self.source.seek(range, families)?;
        self.settle()
    }

    settling!();

    fn fork(&self) -> Source {
        Box::new(Keep::new(self.source.fork(), self.test.clone()))
    }
}

#[derive(Clone)]
struct Filter<T> {
    test: T,
    wanted: bool,
}

impl<T: Test> Test for Filter<T> {
    fn accepts(&mut self, cell: &CellRef<'_>) -> Result<bool> {
        Ok(cell.key.deleted || self.test.accepts(cell)? == self.wanted)
    }
}

/// Puts a filter on a source: it keeps what the test accepts, or negated what it does not, and
/// every delete marker.
pub fn filter(source: Source, test: impl Test, negate: bool) -> Source {
    let wanted = !negate;
    Box::new(Keep::new(source, Filter { test, wanted }))
}
