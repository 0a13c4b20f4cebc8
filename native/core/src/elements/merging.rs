//! Equal elements of a table become one before they are written: as if one had come after another.
//!
//! Where a commit will give the time, the order of the rows stands for it, and the merged cell gives
//! none. The element that came first keeps its place.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::encoded::{whole_parts, Run};
use super::row::Part;
use crate::cells::{CellRef, KeyRef};
use crate::plan::{States, ValuePlan};
use crate::Result;

const NOBODY: u32 = u32::MAX;

/// What becomes of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// Nobody is equal to it.
    Alone,
    /// It stands for itself and others, whose states are kept under this number.
    Leads(usize),
    /// Another stands for it.
    Follows,
}

/// Merges equal elements of all parts into the first of them: says which cells stay, and gives the
/// values of those that others were merged into.
pub(super) fn merge_equal(parts: &[Part], plan: &ValuePlan) -> Result<(Vec<Run>, Vec<Vec<u8>>)> {
    let (fates, values) = find_equal(parts, plan)?;
    if values.is_empty() {
        return Ok((whole_parts(parts), values));
    }
    let mut runs = Vec::with_capacity(3 * values.len());
    let mut fates = fates.iter();
    for (part, held) in parts.iter().enumerate() {
        let mut run = 0;
        for (ends, fate) in held.starts.windows(2).zip(&mut fates) {
            let [start, end] = *ends else { continue };
            if *fate == Fate::Alone {
                continue;
            }
            let before = Run {
                part,
                cells: run..start,
                value: None,
            };
            runs.push(before);
            if let Fate::Leads(number) = fate {
                let led = Run {
                    part,
                    cells: start..end,
                    value: Some(*number),
                };
                runs.push(led);
            }
            run = end;
        }
        runs.push(Run {
            part,
            cells: run..held.timed.len(),
            value: None,
        });
    }
    runs.retain(|run| !run.cells.is_empty());
    Ok((runs, values))
}

/// Tells equal elements apart from lone ones, and gives the values of the merged ones.
fn find_equal(parts: &[Part], plan: &ValuePlan) -> Result<(Vec<Fate>, Vec<Vec<u8>>)> {
    let all = Elements::new(parts);
    let count = all.hashes.len();
    let mut fates = vec![Fate::Alone; count];
    let mut states: Vec<(States, bool)> = Vec::new();
    // Open addressing: at least twice as many places as elements, each the number of one.
    let mask = (2 * count).next_power_of_two() - 1;
    let mut places = vec![NOBODY; mask + 1];
    for (element, hash) in all.hashes.iter().enumerate() {
        let Some(leader) = find_leader(&all, &mut places, mask, element, *hash) else {
            continue;
        };
        let (Some((first, timed)), Some((other, _))) =
            (all.first_cell(leader), all.first_cell(element))
        else {
            continue;
        };
        let number = match fates.get(leader) {
            Some(Fate::Leads(number)) => *number,
            _ => {
                let mut held = States::new();
                plan.fold(first.value, first.key.timestamp, &mut held)?;
                states.push((held, timed));
                if let Some(fate) = fates.get_mut(leader) {
                    *fate = Fate::Leads(states.len() - 1);
                }
                states.len() - 1
            }
        };
        let time = if timed {
            other.key.timestamp
        } else {
            element as i64 + 1
        };
        if let Some((held, _)) = states.get_mut(number) {
            plan.fold(other.value, time, held)?;
        }
        if let Some(fate) = fates.get_mut(element) {
            *fate = Fate::Follows;
        }
    }
    let written = states.iter().map(|(held, timed)| {
        let mut value = Vec::new();
        if *timed {
            plan.write(held, &mut value)?;
        } else {
            plan.write_untimed(held, &mut value)?;
        }
        Ok(value)
    });
    Ok((fates, written.collect::<Result<_>>()?))
}

/// The first element that is equal to this one; if there is none it takes a place itself.
fn find_leader(
    all: &Elements<'_>,
    places: &mut [u32],
    mask: usize,
    element: usize,
    hash: u64,
) -> Option<usize> {
    let mut place = hash as usize & mask;
    loop {
        let held = places.get_mut(place)?;
        if *held == NOBODY {
            *held = element as u32;
            return None;
        }
        let leader = *held as usize;
        if all.hashes.get(leader) == Some(&hash) && all.is_equal(leader, element) {
            return Some(leader);
        }
        place = (place + 1) & mask;
    }
}

/// The elements of all parts, numbered through.
struct Elements<'a> {
    parts: &'a [Part],
    /// The number of the first element of each part.
    bases: Vec<usize>,
    hashes: Vec<u64>,
}

impl<'a> Elements<'a> {
    fn new(parts: &'a [Part]) -> Elements<'a> {
        let mut bases = Vec::new();
        let mut hashes = Vec::with_capacity(parts.iter().map(Part::elements).sum());
        for part in parts {
            bases.push(hashes.len());
            hashes.extend_from_slice(&part.hashes);
        }
        Elements {
            parts,
            bases,
            hashes,
        }
    }

    /// The first cell of an element, and whether its time was given.
    fn first_cell(&self, element: usize) -> Option<(CellRef<'a>, bool)> {
        let after = self.bases.partition_point(|base| *base <= element);
        let at = after.checked_sub(1)?;
        let (part, base) = (self.parts.get(at)?, self.bases.get(at)?);
        let cell = *part.starts.get(element - base)?;
        let timed = part.timed.get(cell).copied().unwrap_or_default() != 0;
        Some((part.cells.view().cell(cell), timed))
    }

    fn is_equal(&self, one: usize, other: usize) -> bool {
        match (self.first_cell(one), self.first_cell(other)) {
            (Some(one), Some(other)) => one.0.key == other.0.key && one.1 == other.1,
            _ => false,
        }
    }
}

/// A hash of all that the first cells of equal elements have in common.
pub(super) fn hash_key(key: &KeyRef<'_>) -> u64 {
    let mut hash = xxh3_64_with_seed(key.row, key.timestamp as u64);
    for part in [key.qualifier, key.visibility] {
        if !part.is_empty() {
            hash = xxh3_64_with_seed(part, hash);
        }
    }
    hash
}
