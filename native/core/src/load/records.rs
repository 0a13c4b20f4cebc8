//! Cells one behind the other, in the order in which they came, with the places of some of them.

use super::pairs::{Finder, Pairs};
use super::record;
use crate::cells::{CellRef, Key};

/// Some cells of one tree.
#[derive(Debug, Default)]
pub(crate) struct Records {
    pub(super) bytes: Vec<u8>,
    /// Offsets of some records, about evenly spaced; the first is among them.
    samples: Vec<usize>,
    cells: u64,
}

impl Records {
    /// None yet, in this memory.
    pub fn within(bytes: Vec<u8>) -> Records {
        Records {
            bytes,
            ..Records::default()
        }
    }

    /// Takes room for so many more bytes.
    pub fn reserve(&mut self, bytes: usize) {
        self.bytes.reserve(bytes);
    }

    /// Takes a cell; so many bytes lie between samples.
    #[inline]
    pub fn push(&mut self, cell: &CellRef<'_>, sample: usize, finder: &mut Finder) {
        let start = self.bytes.len();
        if self
            .samples
            .last()
            .is_none_or(|last| start - last >= sample)
        {
            self.samples.push(start);
        }
        record::write(cell, finder, &mut self.bytes);
        self.cells += 1;
    }

    /// Takes the cells of others behind its own.
    pub fn append(&mut self, others: &Records) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(&others.bytes);
        let samples = others.samples.iter().map(|sample| start + sample);
        self.samples.extend(samples);
        self.cells += others.cells;
    }

    pub fn cells(&self) -> u64 {
        self.cells
    }

    pub fn size_bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The keys of the samples.
    pub fn keys<'a>(&'a self, pairs: &'a Pairs) -> impl Iterator<Item = Key> + 'a {
        let key = |offset: &usize| {
            let bytes = self.bytes.get(*offset..)?;
            record::read(bytes, pairs).map(|(cell, _)| cell.key.to_owned())
        };
        self.samples.iter().filter_map(key)
    }
}
