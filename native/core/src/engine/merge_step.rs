//! One transaction's share of a merge.

use std::sync::{Arc, Mutex};

use super::background::lock;
use super::definition::Definition;
use super::merge_stages::{Counters, MergeStack};
use crate::cells::Range;
use crate::stages::elements::Versions;
use crate::stages::Source;
use crate::tree::{row_range, Merged, Rows, Transform, TreeId, Writer};
use crate::Result;

/// What one transaction of a merge takes: some rows of the table's trees.
pub(super) struct Step {
    pub definition: Arc<Definition>,
    pub trees: Vec<TreeId>,
    pub start: Option<Vec<u8>>,
    pub end: Option<Vec<u8>>,
    pub stack: MergeStack,
}

impl Step {
    pub fn rows(&self) -> Rows<'_> {
        (self.start.as_deref(), self.end.as_deref())
    }

    /// Puts the stages on some cells; what they count goes to `taken`.
    pub fn put_on(
        &self,
        cells: Source,
        range: &Range,
        taken: &Mutex<Vec<Counters>>,
    ) -> Result<Source> {
        let (cells, counters) = self.stack.put_on(cells, range)?;
        lock(taken).push(counters);
        Ok(cells)
    }

    /// Merges within a transaction, on the state that it started from.
    pub fn merge(&self, writer: &mut Writer<'_>, taken: &Mutex<Vec<Counters>>) -> Result<Merged> {
        let route = |family: &[u8]| self.definition.tree_of(family);
        if self.stack.passes_lone() {
            let merged = self.transformed(taken, |transform| {
                writer.merge_lone(&self.trees, self.rows(), &route, transform)
            })?;
            if let Some(merged) = merged {
                return Ok(merged);
            }
            lock(taken).clear();
        }
        let range = row_range(self.rows());
        let given = writer.merge(&self.trees, self.rows(), route, |cells| {
            self.put_on(cells, &range, taken)
        })?;
        Ok(Merged {
            given,
            ..Merged::default()
        })
    }

    /// Does something with what the stages make of cells that are not lone.
    pub fn transformed<T>(
        &self,
        taken: &Mutex<Vec<Counters>>,
        work: impl FnOnce(Transform<'_>) -> Result<T>,
    ) -> Result<T> {
        match self.stack.aggregates()? {
            Some(plan) => work(Transform::Fold(&|| {
                Box::new(Versions::new(Arc::clone(&plan)))
            })),
            None => work(Transform::Stages(&|cells, range| {
                self.put_on(cells, range, taken)
            })),
        }
    }
}
