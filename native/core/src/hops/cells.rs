//! The other ends of edges in cells that come from elsewhere: those of the rows of some vertices, in batches.

use std::collections::HashSet;
use std::sync::Arc;

use super::ends::{Ends, Reached};
use super::ways::Ways;
use super::Direction;
use crate::cells::{BytesColumn, CellsView};
use crate::plan::{Plan, Reader};
use crate::Result;

/// How edges of a plan lead from vertices to others, for who fetches their cells.
#[derive(Debug, Clone)]
pub struct CellWays(Arc<Ways>);

impl CellWays {
    /// Refuses a plan whose edges of a vertex do not lie together.
    pub fn new(
        plan: Arc<Plan>,
        direction: Direction,
        groups: Option<&[String]>,
    ) -> Result<CellWays> {
        Ok(CellWays(Arc::new(Ways::new(plan, direction, groups)?)))
    }

    /// What stands behind an escaped vertex at the start of the rows that lead away from it; none is the start of another.
    pub fn prefixes(&self) -> &[Vec<u8>] {
        &self.0.prefixes
    }

    /// Starts to follow the edges at some vertices, which are in key form.
    pub fn follow(&self, vertices: impl IntoIterator<Item = Vec<u8>>) -> Result<CellEnds> {
        let near: HashSet<Vec<u8>> = vertices.into_iter().collect();
        for vertex in &near {
            self.0.check_vertex(vertex)?;
        }
        Ok(CellEnds {
            reader: Reader::new(Arc::clone(&self.0.plan)),
            ways: Arc::clone(&self.0),
            needs_qualifier: self.0.plan.has_ends_in_qualifiers(),
            near,
            far: Ends::default(),
            pairs: Vec::new(),
            scratch: Vec::new(),
            other: Vec::new(),
        })
    }
}

/// Finds the other ends of the edges at some vertices in cells of their rows, whatever else is among these.
#[derive(Debug)]
pub struct CellEnds {
    ways: Arc<Ways>,
    reader: Reader,
    needs_qualifier: bool,
    near: HashSet<Vec<u8>>,
    far: Ends,
    pairs: Vec<(Vec<u8>, Vec<u8>)>,
    scratch: Vec<u8>,
    other: Vec<u8>,
}

impl CellEnds {
    /// Notes the other ends of the edges in some cells.
    pub fn add(&mut self, cells: CellsView<'_>) -> Result<()> {
        self.each(cells, |_, far, found| found.0.add(far))
    }

    /// Notes vertices with the other ends of their edges.
    pub fn add_pairs(&mut self, cells: CellsView<'_>) -> Result<()> {
        self.each(cells, |near, far, found| {
            let last = found.1.last();
            if !last.is_some_and(|(one, other)| one == near && other == far) {
                found.1.push((near.to_vec(), far.to_vec()));
            }
        })
    }

    /// The ends that were noted since the last time, sorted, each once.
    pub fn take(&mut self) -> BytesColumn {
        self.far.take()
    }

    /// The pairs that were noted, sorted, each once.
    pub fn take_pairs(&mut self) -> (BytesColumn, BytesColumn) {
        let mut pairs = std::mem::take(&mut self.pairs);
        pairs.sort_unstable();
        pairs.dedup();
        let (mut near, mut far) = (BytesColumn::default(), BytesColumn::default());
        for (one, other) in &pairs {
            near.push(one);
            far.push(other);
        }
        (near, far)
    }

    fn each(
        &mut self,
        cells: CellsView<'_>,
        mut found: impl FnMut(&[u8], &[u8], (&mut Ends, &mut Vec<(Vec<u8>, Vec<u8>)>)),
    ) -> Result<()> {
        for index in 0..cells.len() {
            // What the value says is nobody's question here.
            let cell = cells.cell(index);
            let Some(element) = self.reader.read_parts(cell, self.needs_qualifier, false)? else {
                continue;
            };
            if !self.ways.follows(element.place()) {
                continue;
            }
            let near = element.first_end(&mut self.scratch)?.unwrap_or_default();
            if !self.near.contains(near) {
                continue;
            }
            if let Some(far) = element.far_end(&mut self.other)? {
                found(near, far, (&mut self.far, &mut self.pairs));
            }
        }
        Ok(())
    }
}
