//! The timestamps of a block's cells, and the newest of each group.

use super::figures::Slot;
use super::sums::Picked;
use crate::block::{Block, Times};
use crate::Result;

/// Buffers that blocks use one after the other.
#[derive(Debug, Default)]
pub struct TimeBuffers {
    steps: Vec<u8>,
    times: Vec<i64>,
}

/// The timestamps by cell.
pub enum TimeColumn<'a> {
    One(i64),
    /// How many steps each is behind the first: as they are stored, where they are small.
    Steps {
        base: i64,
        step: u64,
        steps: &'a [u8],
    },
    Each(&'a [i64]),
}

impl TimeBuffers {
    pub fn open(&mut self, block: &Block<'_>) -> Result<TimeColumn<'_>> {
        match block.times() {
            Times::Constant(time) => return Ok(TimeColumn::One(*time)),
            Times::Deltas { base, step, deltas }
                if deltas.copy_bytes(block.body(), &mut self.steps) =>
            {
                return Ok(TimeColumn::Steps {
                    base: *base,
                    step: *step,
                    steps: &self.steps,
                });
            }
            _ => {}
        }
        let times = block.times();
        times.copy_to(block.body(), block.cells(), &mut self.times)?;
        Ok(TimeColumn::Each(&self.times))
    }
}

impl TimeColumn<'_> {
    /// The timestamp of a cell, which must be one of the block.
    pub fn get(&self, cell: usize) -> i64 {
        match self {
            TimeColumn::One(time) => *time,
            TimeColumn::Steps { base, step, steps } => after(*base, *step, steps, cell),
            TimeColumn::Each(times) => times.get(cell).copied().unwrap_or(i64::MIN),
        }
    }
}

#[inline(always)]
fn after(base: i64, step: u64, steps: &[u8], cell: usize) -> i64 {
    let steps = steps.get(cell).copied().unwrap_or_default();
    base.wrapping_add(u64::from(steps).wrapping_mul(step) as i64)
}

/// Keeps the newest time of the picked cells of each group, and adds to its count what each cell counts.
#[inline(always)]
pub fn note_and_count(
    times: &TimeColumn<'_>,
    picked: &[Picked],
    slots: &mut [Slot],
    count: impl Fn(&Picked) -> u64,
) {
    // The loop is made once for each form.
    match times {
        TimeColumn::One(time) => note(picked, slots, |_| *time, count),
        TimeColumn::Steps { base, step, steps } => {
            let time = |cell| after(*base, *step, steps, cell);
            note(picked, slots, time, count);
        }
        TimeColumn::Each(_) => note(picked, slots, |cell| times.get(cell), count),
    }
}

#[inline(always)]
fn note(
    picked: &[Picked],
    slots: &mut [Slot],
    time: impl Fn(usize) -> i64,
    count: impl Fn(&Picked) -> u64,
) {
    for picked in picked {
        if let Some(slot) = slots.get_mut(picked.slot as usize) {
            slot.newest = slot.newest.max(time(picked.cell as usize));
            slot.count += count(picked);
        }
    }
}
