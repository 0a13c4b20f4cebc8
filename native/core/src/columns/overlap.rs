//! The columns that two trees have in common, found without rebuilding the rows of the larger.
//!
//! The rows of the smaller tree's portion are held; those of the larger come as its blocks store them. Two sorted sequences are
//! merged by the lengths of shared prefixes: while a row shares more with the row before it than that one shared with the row
//! looked for, it is still the lesser one, and no byte of it is looked at.

use std::cmp::Ordering;
use std::ops::Range;

use super::merged::is_column;
use crate::block::{Block, RowCursor, Strings, RESTART};
use crate::cells::Key;
use crate::tree::OpenBlock;
use crate::Result;

/// A row of the smaller portion: its bytes, and its cells by block and number.
#[derive(Debug, Clone, Copy)]
struct Row {
    start: usize,
    end: usize,
    /// How many bytes it shares with the row before.
    shared: usize,
    first_cell: usize,
}

/// A portion of the smaller tree.
#[derive(Debug, Default)]
pub struct Portion {
    pub blocks: Vec<Held>,
    rows: Vec<Row>,
    data: Vec<u8>,
    cells: Vec<(u32, u32)>,
}

/// One of its blocks.
#[derive(Debug)]
pub struct Held {
    pub open: OpenBlock,
    pub cells: Range<usize>,
    /// Cells that are not the first version of their column.
    pub repeats: Vec<bool>,
}

impl Portion {
    /// Takes the next block.
    pub fn push(&mut self, open: OpenBlock, cells: Range<usize>, repeats: Vec<bool>) -> Result<()> {
        let number = self.blocks.len() as u32;
        let held = Held {
            open,
            cells,
            repeats,
        };
        let block = held.open.block();
        let mut cursor = RowCursor::default();
        if !held.cells.is_empty() {
            let mut row = block.row_of(held.cells.start)?;
            cursor.seek(&block, row)?;
            loop {
                let start = block.row_start(row)?.max(held.cells.start);
                let end = block.row_start(row + 1)?.min(held.cells.end);
                self.push_row(cursor.row());
                self.cells
                    .extend((start..end).map(|cell| (number, cell as u32)));
                row += 1;
                if end >= held.cells.end || !cursor.advance(&block)? {
                    break;
                }
            }
        }
        self.blocks.push(held);
        Ok(())
    }

    /// Marks a cell.
    pub fn mark(&mut self, number: u32, cell: u32) {
        let held = self.blocks.get_mut(number as usize);
        if let Some(mark) = held.and_then(|held| held.repeats.get_mut(cell as usize)) {
            *mark = true;
        }
    }

    /// Marks the cells of an element, which must be the first one.
    pub fn mark_first(&mut self, element: &Key) -> Result<()> {
        let Some(row) = self.rows.first() else {
            return Ok(());
        };
        if self.bytes(row) != element.row {
            return Ok(());
        }
        let end = self.rows.get(1).map(|row| row.first_cell);
        let cells = self.cells.get(..end.unwrap_or(self.cells.len()));
        for &(number, cell) in cells.unwrap_or_default() {
            let Some(held) = self.blocks.get_mut(number as usize) else {
                continue;
            };
            if !is_column(&held.open.block(), cell as usize, element)? {
                break;
            }
            if let Some(mark) = held.repeats.get_mut(cell as usize) {
                *mark = true;
            }
        }
        Ok(())
    }

    fn push_row(&mut self, row: &[u8]) {
        let before = self.rows.last().map_or(&[][..], |last| self.bytes(last));
        let shared = common(before, row);
        // A row may go on from one block to the next.
        if !self.rows.is_empty() && shared == row.len() && shared == before.len() {
            return;
        }
        let start = self.data.len();
        self.data.extend_from_slice(row);
        self.rows.push(Row {
            start,
            end: self.data.len(),
            shared,
            first_cell: self.cells.len(),
        });
    }

    fn bytes(&self, row: &Row) -> &[u8] {
        self.data.get(row.start..row.end).unwrap_or_default()
    }
}

/// Walks the blocks of the larger tree and marks which columns of the smaller portion they have too.
#[derive(Debug, Default)]
pub struct Overlap {
    /// The row looked for, and how many bytes the row before shares with it; that row is less.
    target: usize,
    shared: usize,
    /// Before the first block.
    pub at_start: bool,
    /// Whether columns that differ in their label alone are one.
    merges_labels: bool,
}

/// A column of both: block and cell of the smaller, cell of the larger.
pub type Pair = ((u32, u32), usize);

impl Overlap {
    pub fn new(merges_labels: bool) -> Overlap {
        Overlap {
            at_start: true,
            merges_labels,
            ..Overlap::default()
        }
    }

    /// Goes through the next block; gives the columns that both have, each by its first versions. With `carried` the
    /// first cell counts, though it is a later version: the first stands in a block that is not walked.
    pub fn walk(
        &mut self,
        portion: &Portion,
        block: &Block<'_>,
        repeats: &[bool],
        carried: bool,
        pairs: &mut Vec<Pair>,
    ) -> Result<()> {
        pairs.clear();
        let Some(mut target) = portion.rows.get(self.target) else {
            return Ok(());
        };
        let mut wanted = portion.bytes(target);
        let mut entries = block.row_entries()?;
        for row in 0..block.rows() {
            let (shared, rest) = entries.advance()?;
            let is_whole = row % RESTART == 0;
            if shared > self.shared && !is_whole {
                continue;
            }
            let (mut order, mut same) = if shared < self.shared && !is_whole {
                (Ordering::Greater, shared)
            } else {
                compare(shared, rest, wanted, shared)
            };
            loop {
                if order == Ordering::Less {
                    self.shared = same;
                    break;
                }
                if order == Ordering::Equal {
                    let cells = block.row_start(row)?..block.row_start(row + 1)?;
                    let counts =
                        |cell: usize| repeats.get(cell) != Some(&true) || (carried && cell == 0);
                    let same = |theirs: &Block<'_>, a, b| {
                        same_column(theirs, a, block, b, self.merges_labels)
                    };
                    pair_up(portion, self.target, cells, counts, same, pairs)?;
                    if row + 1 == block.rows() {
                        // The row may go on in the next block.
                        return Ok(());
                    }
                }
                self.target += 1;
                let Some(next) = portion.rows.get(self.target) else {
                    return Ok(());
                };
                target = next;
                wanted = portion.bytes(target);
                if order == Ordering::Equal {
                    // The row found is the target before, so the new one is greater.
                    self.shared = target.shared;
                    break;
                }
                match target.shared.cmp(&same) {
                    // The new target goes on as the one before did where that was the lesser one.
                    Ordering::Greater => {}
                    Ordering::Less => {
                        self.shared = target.shared;
                        break;
                    }
                    Ordering::Equal => (order, same) = compare(shared, rest, wanted, same),
                }
            }
        }
        Ok(())
    }
}

/// How a row, of which all but its first `shared` bytes are given, compares with another with which it shares `same` bytes
/// or more, and how many it shares. `same` must not be less than `shared`.
fn compare(shared: usize, rest: &[u8], other: &[u8], same: usize) -> (Ordering, usize) {
    let mine = rest.get(same - shared..).unwrap_or_default();
    let theirs = other.get(same..).unwrap_or_default();
    let more = common(mine, theirs);
    (mine.get(more..).cmp(&theirs.get(more..)), same + more)
}

fn common(left: &[u8], right: &[u8]) -> usize {
    left.iter().zip(right).take_while(|(a, b)| a == b).count()
}

/// Finds the columns of one row.
fn pair_up(
    portion: &Portion,
    row: usize,
    cells: Range<usize>,
    counts: impl Fn(usize) -> bool,
    same: impl Fn(&Block<'_>, usize, usize) -> Result<bool>,
    pairs: &mut Vec<Pair>,
) -> Result<()> {
    let first = |row: usize| portion.rows.get(row).map(|row| row.first_cell);
    let start = first(row).unwrap_or_default();
    let end = first(row + 1).unwrap_or(portion.cells.len());
    for &(number, cell) in portion.cells.get(start..end).unwrap_or_default() {
        let Some(held) = portion.blocks.get(number as usize) else {
            continue;
        };
        if held.repeats.get(cell as usize) == Some(&true) {
            continue;
        }
        let theirs = held.open.block();
        for mine in cells.clone() {
            if counts(mine) && same(&theirs, cell as usize, mine)? {
                pairs.push(((number, cell), mine));
                break;
            }
        }
    }
    Ok(())
}

fn same_column(
    left: &Block<'_>,
    a: usize,
    right: &Block<'_>,
    b: usize,
    whatever_label: bool,
) -> Result<bool> {
    let same = |one: &Strings, two: &Strings| -> Result<bool> {
        let one = one.span(left.body(), a)?.of(left.body());
        Ok(one == two.span(right.body(), b)?.of(right.body()))
    };
    Ok(same(left.qualifiers(), right.qualifiers())?
        && same(left.families(), right.families())?
        && (whatever_label || same(left.visibilities(), right.visibilities())?))
}
