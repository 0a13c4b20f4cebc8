//! A stored block taken apart, to be merged into others.

use super::counters::Counts;
use super::keys::named;
use super::mapped::Entry;
use super::overflow::Reference;
use crate::block::{Page, Unpacked};
use crate::Result;

/// The cells of a stored block by column; keeps its buffers from one block to the next.
#[derive(Debug, Default)]
pub(super) struct Opened {
    pub cells: Unpacked,
    /// The first cell that nobody took yet.
    pub at: usize,
    pub counts: Counts,
}

impl Opened {
    /// Takes a block apart, in place of the one before.
    pub fn read(&mut self, entry: &Entry) -> Result<()> {
        self.try_read(entry).map_err(named(&entry.key))
    }

    fn try_read(&mut self, entry: &Entry) -> Result<()> {
        let page = Page::open(entry.bytes.clone())?;
        self.cells.read(&page.block())?;
        self.at = 0;
        self.counts = Counts {
            cells: self.cells.len() as u64,
            blocks: 1,
            bytes: entry.bytes.as_ref().len() as u64,
            overflow: 0,
        };
        if self.cells.has_references() {
            let mut scratch = Vec::new();
            for cell in (0..self.cells.len()).filter(|&cell| self.cells.is_reference(cell)) {
                let value = self.cells.value(cell, &mut scratch);
                self.counts.overflow += Reference::read(value)?.length;
            }
        }
        Ok(())
    }

    /// The cells up to `end` that nobody took; they are taken now.
    pub fn take(&mut self, end: usize) -> std::ops::Range<usize> {
        let start = self.at;
        self.at = end.max(start);
        start..self.at
    }
}
