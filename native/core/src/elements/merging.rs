//! Equal elements of a table become one before they are written: as if one had come after another.
//!
//! Where a commit will give the time, the order of the rows stands for it, and the merged cell gives
//! none. The element that came first keeps its place.

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::row::Part;
use crate::cells::{CellColumns, CellRef};
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

/// Merges equal elements of all parts into the first of them.
pub(super) fn merge_equal(parts: &mut [Part], plan: &ValuePlan) -> Result<()> {
    let (fates, merged) = find_equal(parts, plan)?;
    if merged.is_empty() {
        return Ok(());
    }
    let mut rest = fates.as_slice();
    let mut jobs = Vec::new();
    for part in parts {
        let (own, others) = rest.split_at(part.elements());
        rest = others;
        jobs.push((part, own));
    }
    let values = &merged;
    std::thread::scope(|scope| {
        for (part, own) in jobs {
            scope.spawn(move || keep_leaders(part, own, values));
        }
    });
    Ok(())
}

/// Tells equal elements apart from lone ones, and gives the values of the merged ones.
fn find_equal(parts: &[Part], plan: &ValuePlan) -> Result<(Vec<Fate>, Vec<Vec<u8>>)> {
    let hashes = hash_all(parts);
    let bases: Vec<usize> = parts
        .iter()
        .scan(0, |sum, part| {
            let base = *sum;
            *sum += part.elements();
            Some(base)
        })
        .collect();
    let first_cell = |element: usize| {
        let at = bases
            .partition_point(|base| *base <= element)
            .saturating_sub(1);
        let (part, base) = (parts.get(at)?, bases.get(at)?);
        let cell = *part.starts.get(element - base)?;
        let timed = part.timed.get(cell).copied().unwrap_or_default() != 0;
        Some((part.cells.view().cell(cell), timed))
    };
    let mut fates = vec![Fate::Alone; hashes.len()];
    let mut states: Vec<(States, bool)> = Vec::new();
    // Open addressing: twice as many places as elements, each the number of one.
    let places = (2 * hashes.len()).next_power_of_two().max(2);
    let mut table = vec![NOBODY; places];
    for (element, hash) in hashes.iter().enumerate() {
        let mut place = *hash as usize & (places - 1);
        let leader = loop {
            let Some(held) = table.get_mut(place) else {
                break None;
            };
            if *held == NOBODY {
                *held = element as u32;
                break None;
            }
            let leader = *held as usize;
            if hashes.get(leader) == Some(hash) && is_equal(first_cell(leader), first_cell(element))
            {
                break Some(leader);
            }
            place = (place + 1) & (places - 1);
        };
        let Some(leader) = leader else { continue };
        let (Some((first, timed)), Some((other, _))) = (first_cell(leader), first_cell(element))
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
    let mut values = Vec::with_capacity(states.len());
    for (held, timed) in &states {
        let mut value = Vec::new();
        if *timed {
            plan.write(held, &mut value)?;
        } else {
            plan.write_untimed(held, &mut value)?;
        }
        values.push(value);
    }
    Ok((fates, values))
}

fn hash_all(parts: &[Part]) -> Vec<u64> {
    let mut hashes = Vec::with_capacity(parts.iter().map(Part::elements).sum());
    for part in parts {
        let cells = part.cells.view();
        for start in part.starts.iter().take(part.elements()) {
            let key = cells.cell(*start).key;
            let seed = xxh3_64(key.row) ^ key.timestamp as u64;
            hashes.push(match (key.qualifier, key.visibility) {
                ([], []) => seed,
                (qualifier, label) => {
                    xxh3_64_with_seed(qualifier, seed).rotate_left(1) ^ xxh3_64(label)
                }
            });
        }
    }
    hashes
}

fn is_equal(one: Option<(CellRef<'_>, bool)>, other: Option<(CellRef<'_>, bool)>) -> bool {
    let (Some((one, timed)), Some((other, other_timed))) = (one, other) else {
        return false;
    };
    one.key == other.key && timed == other_timed
}

/// Leaves the cells of those that stand for themselves or for others.
fn keep_leaders(part: &mut Part, fates: &[Fate], values: &[Vec<u8>]) {
    let (mut cells, mut timed, mut starts) = (CellColumns::default(), Vec::new(), vec![0]);
    for (element, fate) in fates.iter().enumerate() {
        let Some([start, end, ..]) = part.starts.get(element..) else {
            continue;
        };
        let value = match fate {
            Fate::Follows => continue,
            Fate::Alone => None,
            Fate::Leads(number) => values.get(*number),
        };
        for at in *start..*end {
            let mut cell = part.cells.view().cell(at);
            if let Some(value) = value {
                cell.value = value;
            }
            cells.push(&cell);
        }
        timed.extend_from_slice(part.timed.get(*start..*end).unwrap_or_default());
        starts.push(timed.len());
    }
    (part.cells, part.timed, part.starts) = (cells, timed, starts);
}
