//! What a weave holds of its levels: blocks, how far it has come in them, and what it is to copy.

use std::ops::Range as Places;

use super::mapped::Entry;
use super::opened::Opened;

/// A block that is held, and which of its cells are not lone.
#[derive(Default)]
pub(super) struct Held {
    pub block: Opened,
    /// Empty when all are lone.
    pub others: Vec<bool>,
}

impl Held {
    pub fn judge(&mut self) {
        self.others.clear();
        let cells = &self.block.cells;
        if cells.rows_differ() && !cells.has_deletes() {
            return;
        }
        let mut any = false;
        let mut repeats = cells.repeats(0);
        for cell in 0..cells.len() {
            let next = cell + 1 < cells.len() && cells.repeats(cell + 1);
            let other = repeats || next || cells.is_deleted(cell);
            any |= other;
            repeats = next;
            self.others.push(other);
        }
        if !any {
            self.others.clear();
        }
    }

    pub fn is_lone(&self, cell: usize) -> bool {
        !self.others.get(cell).copied().unwrap_or_default()
    }
}

/// The blocks of one level, one behind the other.
pub(super) struct Strand {
    pub entries: std::vec::IntoIter<Entry>,
    /// The block it is in, by its place among those held, and where its cells of the range end.
    pub page: Option<usize>,
    pub end: usize,
    /// The block with cells behind the range.
    pub rest: Option<Opened>,
}

impl Strand {
    pub fn new(entries: Vec<Entry>) -> Strand {
        Strand {
            entries: entries.into_iter(),
            page: None,
            end: 0,
            rest: None,
        }
    }
}

/// Lone cells to copy: those of one block, behind so many cells of the others.
pub(super) struct Step {
    pub page: usize,
    pub cells: Places<usize>,
    pub behind: usize,
    /// Where its value lies among those that were made, in place of the one in the block; of one cell only.
    pub made: Option<Places<usize>>,
}
