//! Writes a table anew: every cell that is left goes into new blocks, behind new separators.
//!
//! A separator stays when the cells that it was cut between are gone, so merges alone leave bytes of deleted keys.

use std::sync::atomic::AtomicU64;
use std::sync::Arc;

use super::counters::{book, Counts};
use super::load::{pack, Appender};
use super::packer::Sizing;
use super::{Level, TreeCursor, TreeId, Writer};
use crate::cells::{CellColumns, Range};
use crate::stages::{Cursor, Families};
use crate::Result;

/// So many cells, or bytes, are packed at once.
const STRETCH: usize = 16_384;
const STRETCH_BYTES: usize = 8 << 20;

impl Writer<'_> {
    /// Replaces the trees of a table, all that it has, by bases that hold the same cells; gives their number.
    ///
    /// Reads the state that the transaction started from, so it must be the first that changes the table.
    pub(crate) fn rebuild(&mut self, table: u32, trees: &[TreeId]) -> Result<u64> {
        let snapshot = Arc::clone(&self.snapshot);
        let _guard = snapshot.enter()?;
        self.drop_cells(table)?;
        let ids = AtomicU64::new(self.store.next_overflow(&self.transaction)?);
        let mut count = 0;
        for &tree in trees {
            count += self.append_all(tree, TreeCursor::new(&snapshot, &[tree]), &ids)?;
        }
        self.store
            .set_next_overflow(&mut self.transaction, ids.into_inner())?;
        Ok(count)
    }

    fn append_all(&mut self, tree: TreeId, mut cells: TreeCursor, ids: &AtomicU64) -> Result<u64> {
        let store = self.store;
        let mut appender = Appender::new(store, &self.transaction, tree, Level::BASE)?;
        let mut packer = store.packer(Sizing::Full);
        cells.seek(&Range::default(), &Families::default())?;
        let mut stretch = CellColumns::default();
        while let Some(cell) = cells.top() {
            // Fully equal keys stay in one block.
            let full = stretch.len() >= STRETCH || stretch.size_bytes() >= STRETCH_BYTES;
            if full && stretch.view().cell(stretch.len() - 1).key != cell.key {
                let view = stretch.view();
                let held = (0..view.len()).map(|place| view.cell(place));
                let packed = pack(held, &mut packer, ids)?;
                appender.put(store, &mut self.transaction, packed)?;
                stretch = CellColumns::default();
            }
            stretch.push(&cell);
            cells.advance()?;
        }
        let view = stretch.view();
        let held = (0..view.len()).map(|place| view.cell(place));
        let packed = pack(held, &mut packer, ids)?;
        appender.put(store, &mut self.transaction, packed)?;
        let (meta, none) = (store.databases().meta, Counts::default());
        let counts = appender.counts;
        if counts.blocks > 0 {
            book(
                &mut self.transaction,
                meta,
                &appender.prefix,
                &counts,
                &none,
            )?;
        }
        Ok(counts.cells)
    }
}
