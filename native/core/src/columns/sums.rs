//! Integers of a block's cells added up by group.

use super::figures::Sum;
use super::states::{ends_of, StateColumn};
use super::{Step, Stop};
use crate::codec::integer::read_small_at;

/// A cell that counts, and its group.
#[derive(Debug, Clone, Copy, Default)]
pub struct Picked {
    pub cell: u32,
    pub slot: u32,
}

/// Adds the integers of picked cells to the sums of their groups.
#[inline]
pub fn add_numbers<'a>(
    column: &StateColumn<'_>,
    picked: impl Iterator<Item = &'a Picked>,
    sums: &mut [Sum],
) -> Step<()> {
    // The loop is made once for the form that nearly all blocks have.
    if let StateColumn::Ends { data, ends } = column {
        return add(picked, sums, |cell| match ends_of(ends, cell) {
            Some((start, end)) => read_small_at(data, start, end).map(Some).ok_or(Stop::Unfit),
            None => Err(Stop::Unfit),
        });
    }
    add(picked, sums, |cell| column.number(cell))
}

#[inline(always)]
fn add<'a>(
    picked: impl Iterator<Item = &'a Picked>,
    sums: &mut [Sum],
    number: impl Fn(usize) -> Step<Option<i64>>,
) -> Step<()> {
    for picked in picked {
        let number = number(picked.cell as usize)?;
        let sum = sums.get_mut(picked.slot as usize);
        if let Some((sum, number)) = sum.zip(number) {
            sum.total += i128::from(number);
            sum.seen = true;
        }
    }
    Ok(())
}
