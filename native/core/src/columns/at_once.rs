//! Count, newest time and an integer sum of a block in one walk over its cells, for the blocks that nearly all are: no
//! column has several versions, all cells have one time, and the numbers are small.
//!
//! What a walk adds is kept apart until its end. A block with anything that the walk is not made for (a combination that nobody
//! has decided yet, a number of another form) is read again by the steps of [`super::coded`], as if no walk had been.

use std::ops::Range;

use super::combined::{combine, Numbers};
use super::figures::Figures;
use super::memo::{LEFT_OUT, UNKNOWN};
use super::states::StateColumn;
use crate::codec::integer::{read_narrow_at, NOT_NARROW};

/// So many cells of a block are worth a group whose figures are added at the end.
const CELLS_FOR_EACH: usize = 4;

/// The sum of a group stands in the lowest bits of a word, its count in the others: one addition for both. So many cells
/// with numbers of at most 32 bits overflow neither.
const SUM_BITS: u32 = 48;
const MOST_CELLS: usize = 1 << (SUM_BITS - 32 - 1);
const ONE: u64 = 1 << SUM_BITS;

/// After a block with a number that is not small, so many are not tried.
const PAUSE: u32 = 15;

/// Rows of one shape that follow one another and may count.
#[derive(Debug)]
pub struct Run {
    pub code: usize,
    pub cells: Range<usize>,
}

/// What the block at hand adds; keeps its buffers from block to block.
#[derive(Debug, Default)]
pub struct AtOnce {
    pub runs: Vec<Run>,
    /// One for each group, and one for all that counts for none.
    added: Vec<u64>,
    /// Bits of numbers that are not small.
    odd: u64,
    unknown: bool,
    pause: u32,
}

impl AtOnce {
    /// Whether a block is worth a walk: every group is looked at once at its end.
    pub fn suits(&mut self, cells: usize, groups: usize) -> bool {
        if self.pause > 0 {
            self.pause -= 1;
            return false;
        }
        groups <= cells / CELLS_FOR_EACH && cells <= MOST_CELLS
    }

    /// Starts with a block.
    pub fn start(&mut self, groups: usize) {
        self.added.clear();
        self.added.resize(groups + 1, 0);
        (self.odd, self.unknown) = (0, false);
    }

    /// Adds the cells of a run to what is kept. `known` has the group of each combination.
    pub fn add(
        &mut self,
        known: &[u32],
        combined: &Numbers<'_>,
        cells: Range<usize>,
        column: Option<&StateColumn<'_>>,
    ) {
        // What is not visible has no place in the table.
        let group = |combined: u32| known.get(combined as usize).copied().unwrap_or(LEFT_OUT);
        match combined {
            Numbers::Made(numbers) => {
                let groups = numbers.iter().map(|&combined| group(combined));
                self.add_run(groups, cells, column);
            }
            Numbers::Apart {
                codes: [labels, qualifiers],
                tables,
                constant,
            } => {
                let codes = labels.iter().zip(qualifiers.iter());
                let groups = codes.map(|(&label, &qualifier)| {
                    group(constant | combine(tables, label, qualifier))
                });
                self.add_run(groups, cells, column);
            }
        }
    }

    #[inline(always)]
    fn add_run(
        &mut self,
        groups: impl Iterator<Item = u32>,
        cells: Range<usize>,
        column: Option<&StateColumn<'_>>,
    ) {
        // The loop is made once for each form.
        match column {
            None => self.walk(groups.map(|group| (group, 0))),
            Some(StateColumn::One(_, number)) => {
                let number = narrow(*number);
                self.walk(groups.map(|group| (group, number)));
            }
            Some(StateColumn::Ends { data, ends }) => {
                let before = cells.start.checked_sub(1).and_then(|last| ends.get(last));
                let mut start = before.copied().unwrap_or_default();
                let ends = ends.get(cells).unwrap_or_default();
                let numbers = ends.iter().map(|&end| {
                    let number = read_narrow_at(data, start as usize, end as usize);
                    start = end;
                    number
                });
                self.walk(groups.zip(numbers));
            }
            Some(StateColumn::Coded {
                codes, integers, ..
            }) => {
                let codes = codes.get(cells).unwrap_or_default();
                let number = |&code: &u32| narrow(integers.get(code as usize).copied().flatten());
                self.walk(groups.zip(codes.iter().map(number)));
            }
            Some(StateColumn::Fixed { .. } | StateColumn::Places { .. }) => self.odd = NOT_NARROW,
        }
    }

    /// Adds numbers to their groups.
    #[inline(always)]
    fn walk(&mut self, cells: impl Iterator<Item = (u32, u64)>) {
        let added = self.added.as_mut_slice();
        let last = added.len().saturating_sub(1);
        let (mut odd, mut unknown) = (0, false);
        for (group, number) in cells {
            odd |= number;
            unknown |= group == UNKNOWN;
            // Without a branch: who sees half of the cells waits for no guess.
            if let Some(added) = added.get_mut((group as usize).min(last)) {
                *added = added.wrapping_add(ONE).wrapping_add(number);
            }
        }
        self.odd |= odd;
        self.unknown |= unknown;
    }

    /// Whether all that was added is right; otherwise the block must be read again.
    pub fn fits(&mut self) -> bool {
        let is_odd = self.odd > u64::from(u32::MAX);
        if is_odd {
            self.pause = PAUSE;
        }
        !is_odd && !self.unknown
    }

    /// Whether any cell of the block counts.
    pub fn counts(&self) -> bool {
        let groups = self.added.split_last().map(|(_, groups)| groups);
        groups.is_some_and(|groups| groups.iter().any(|&added| added > 0))
    }

    /// Adds what was kept to the figures, and to the sums at `place` if there is one.
    pub fn finish(&self, time: i64, place: Option<usize>, figures: &mut Figures) {
        for (slot, &added) in figures.slots.iter_mut().zip(&self.added) {
            if added > 0 {
                slot.count += added >> SUM_BITS;
                slot.newest = slot.newest.max(time);
            }
        }
        let sums = place.and_then(|place| figures.sums.get_mut(place));
        for (sum, &added) in sums.into_iter().flatten().zip(&self.added) {
            sum.total += i128::from(added & (ONE - 1));
            sum.seen |= added > 0;
        }
    }
}

/// A number as it is added, or one that is too large for it.
fn narrow(number: Option<i64>) -> u64 {
    number.map_or(NOT_NARROW, |number| number as u64)
}
