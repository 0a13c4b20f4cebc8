//! Cells into blocks of the right size, measured after encoding and compression.
//!
//! LMDB gives space in whole pages, so a block should end just below its target. What cells take is
//! known only once they are encoded; the packer learns the ratio from block to block.

use std::ops::Range;

use super::counters::Counts;
use super::overflow::Reference;
use super::sort_key::sort_key;
use crate::block::{BlockBuilder, Compression, Unpacked};
use crate::cells::CellRef;
use crate::Result;

/// A finished block with the sort keys of its first and last cell.
#[derive(Debug)]
pub(super) struct Piece {
    pub first: Vec<u8>,
    pub last: Vec<u8>,
    pub bytes: Vec<u8>,
    pub cells: usize,
}

/// How blocks are sized.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sizing {
    /// Every block is filled: for cells that will stay.
    Full,
    /// One block up to twice the target, then several of equal size: room for what comes next.
    Roomy,
}

/// Takes cells in order, gives blocks.
#[derive(Debug)]
pub(super) struct Packer {
    builder: BlockBuilder,
    target: usize,
    sizing: Sizing,
    /// Encoded bytes per unit of the builder's guess, as of the last block.
    pub ratio: f64,
    overflow: u64,
    pub pieces: Vec<Piece>,
}

impl Packer {
    pub fn new(target: usize, compression: Compression, sizing: Sizing) -> Packer {
        Packer {
            builder: BlockBuilder::new(compression),
            target,
            sizing,
            ratio: 1.0,
            overflow: 0,
            pieces: Vec::new(),
        }
    }

    pub fn push(&mut self, cell: &CellRef<'_>) -> Result<()> {
        self.builder.push(cell)?;
        self.cut_when_full()
    }

    pub fn push_reference(&mut self, cell: &CellRef<'_>) -> Result<()> {
        self.overflow += Reference::read(cell.value)?.length;
        self.builder.push_reference(cell)?;
        self.cut_when_full()
    }

    /// Takes a cell from a block as it is, a reference as a reference.
    pub fn push_stored(&mut self, cell: &CellRef<'_>, reference: bool) -> Result<()> {
        match reference {
            true => self.push_reference(cell),
            false => self.push(cell),
        }
    }

    /// Takes neighbouring cells from a block as they are, references as references.
    pub fn push_stretch(&mut self, source: &mut Unpacked, cells: Range<usize>) -> Result<()> {
        if cells.is_empty() {
            return Ok(());
        }
        if source.has_references() {
            let mut scratch = Vec::new();
            for cell in cells.clone().filter(|&cell| source.is_reference(cell)) {
                self.overflow += Reference::read(source.value(cell, &mut scratch))?.length;
            }
        }
        self.builder.push_stretch(source, cells)?;
        self.cut_when_full()
    }

    /// Takes a cell from a block with another value, or with a reference to it.
    pub fn push_made(
        &mut self,
        source: &mut Unpacked,
        cell: usize,
        value: &[u8],
        reference: bool,
    ) -> Result<()> {
        if reference {
            self.overflow += Reference::read(value)?.length;
        }
        self.builder.push_made(source, cell, value, reference)?;
        self.cut_when_full()
    }

    /// Makes blocks of all cells that are left; gives the bytes of long values seen since the last time.
    pub fn finish(&mut self) -> Result<u64> {
        if self.sizing == Sizing::Roomy {
            self.finish_roomy()?;
        }
        while !self.builder.is_empty() {
            self.cut_one(self.builder.len())?;
        }
        Ok(std::mem::take(&mut self.overflow))
    }

    /// What `pieces` hold.
    pub fn counts(pieces: &[Piece]) -> Counts {
        Counts {
            cells: pieces.iter().map(|piece| piece.cells as u64).sum(),
            blocks: pieces.len() as u64,
            bytes: pieces.iter().map(|piece| piece.bytes.len() as u64).sum(),
            overflow: 0,
        }
    }

    fn cut_when_full(&mut self) -> Result<()> {
        let slack = match self.sizing {
            Sizing::Full => 1.1,
            Sizing::Roomy => 8.0,
        };
        loop {
            // The next cell may have the same key as the newest, so no block ends behind that one yet.
            let settled = self.builder.len().saturating_sub(1);
            if self.guess(settled) <= slack * self.target as f64 || !self.builder.may_cut(settled) {
                return Ok(());
            }
            self.cut_one(settled)?;
        }
    }

    fn guess(&self, cells: usize) -> f64 {
        self.builder.weight(cells) as f64 * self.ratio
    }

    /// One block of about the target, from the front, of at most `held` cells.
    fn cut_one(&mut self, held: usize) -> Result<()> {
        let mut best: Option<(usize, Vec<u8>)> = None;
        for _ in 0..3 {
            // Neighbouring blocks differ by a few per cent: aiming lower costs less than a second try.
            let fitting = (0.96 * self.target as f64 / self.ratio) as usize;
            let cells = self.cut_place(self.cells_within(fitting).min(held), held);
            if best.as_ref().is_some_and(|(tried, _)| *tried == cells) {
                break;
            }
            let bytes = self.builder.encode(0..cells)?;
            let size = bytes.len();
            self.ratio = size as f64 / self.builder.weight(cells).max(1) as f64;
            let fits = size <= self.target;
            let good = fits && (size * 8 >= self.target * 7 || cells == held);
            // A try that fits beats one that does not; of two that fit, the larger wins.
            let better =
                best.as_ref()
                    .is_none_or(|(tried, old)| match (fits, old.len() <= self.target) {
                        (true, true) => cells > *tried,
                        (true, false) => true,
                        (false, true) => false,
                        (false, false) => cells < *tried,
                    });
            if better {
                best = Some((cells, bytes));
            }
            if good {
                break;
            }
        }
        if let Some((cells, bytes)) = best {
            self.add(0, cells, bytes);
            self.builder.drain(cells);
        }
        Ok(())
    }

    fn finish_roomy(&mut self) -> Result<()> {
        let held = self.builder.len();
        if held == 0 || self.guess(held) > 16.0 * self.target as f64 {
            return Ok(());
        }
        let bytes = self.builder.encode(0..held)?;
        let parts = bytes.len().div_ceil(self.target);
        if parts <= 2 {
            self.add(0, held, bytes);
        } else {
            let weight = self.builder.weight(held);
            let mut start = 0;
            for part in 1..=parts {
                let wanted = self
                    .cells_within(weight * part / parts)
                    .clamp(start.min(held - 1) + 1, held);
                let end = if part == parts {
                    held
                } else {
                    self.cut_place(wanted, held)
                };
                if end > start {
                    let bytes = self.builder.encode(start..end)?;
                    self.add(start, end, bytes);
                    start = end;
                }
            }
        }
        self.builder.drain(held);
        Ok(())
    }

    /// How many cells from the front weigh no more.
    fn cells_within(&self, weight: usize) -> usize {
        let (mut low, mut high) = (0, self.builder.len());
        while low < high {
            let middle = (low + high).div_ceil(2);
            if self.builder.weight(middle) <= weight {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        low.max(1)
    }

    /// The place nearest below `wanted` where a block may end, or else the nearest above.
    fn cut_place(&self, wanted: usize, held: usize) -> usize {
        let below = (1..=wanted).rev().find(|&cell| self.builder.may_cut(cell));
        let above = || (wanted..held).find(|&cell| self.builder.may_cut(cell));
        below.or_else(above).unwrap_or(held)
    }

    fn add(&mut self, start: usize, end: usize, bytes: Vec<u8>) {
        let (mut first, mut last) = (Vec::new(), Vec::new());
        sort_key(&self.builder.key(start), &mut first);
        sort_key(&self.builder.key(end - 1), &mut last);
        self.pieces.push(Piece {
            first,
            last,
            bytes,
            cells: end - start,
        });
    }
}
