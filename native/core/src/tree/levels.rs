//! The trees of a locality group: the base and the runs of the delta, in the order of their age.
//!
//! Runs are numbered 1 to 255, round and round: the run behind 255 is 1. All runs of a group lie within half a
//! round, so the widest gap in the circle tells the oldest from the youngest.

use std::ops::Bound;
use std::sync::Arc;

use super::counters::{counts_key, Counts};
use super::keys::prefix;
use super::mapped::Snapshot;
use super::TreeId;
use crate::Result;

/// One tree of a locality group: the base, or a run of the delta.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Level(u8);

/// A delta gets no further run while it has so many: a reader looks into each.
pub(crate) const MOST_RUNS: usize = 12;
/// A run that is smaller than the batch by this factor is rewritten with it.
const MUCH_SMALLER: u64 = 4;
/// Half a round.
const WINDOW: u8 = 127;

impl Level {
    pub const BASE: Level = Level(0);
    /// The first run of a delta that has none.
    pub const FIRST: Level = Level(1);

    pub(super) fn number(self) -> u8 {
        self.0
    }

    fn next(self) -> Level {
        match self.0 {
            u8::MAX => Level(1),
            number => Level(number + 1),
        }
    }

    /// How many steps it is from an older run to this one.
    fn steps_from(self, older: Level) -> u8 {
        match self.0 >= older.0 {
            true => self.0 - older.0,
            false => u8::MAX - older.0 + self.0,
        }
    }
}

/// Puts runs into the order of their age, the youngest first.
fn by_age(runs: &mut [Level]) {
    runs.sort_unstable_by_key(|run| run.0);
    let Some((mut before, mut widest)) = runs.last().map(|last| (*last, 0)) else {
        return;
    };
    let mut oldest = 0;
    for (place, run) in runs.iter().enumerate() {
        let gap = match runs.len() {
            1 => 1,
            _ => run.steps_from(before),
        };
        if gap > widest {
            (oldest, widest) = (place, gap);
        }
        before = *run;
    }
    runs.rotate_left(oldest);
    runs.reverse();
}

/// Where the cells of a batch go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// A run that has no block yet.
    New(Level),
    /// The youngest run, whose blocks are rewritten.
    Youngest(Level),
}

impl Snapshot {
    /// The runs of a locality group, the youngest first.
    pub(crate) fn runs(self: &Arc<Self>, tree: TreeId) -> Result<Vec<Level>> {
        let mut levels = self.stored(tree)?;
        levels.retain(|level| *level != Level::BASE);
        by_age(&mut levels);
        Ok(levels)
    }

    /// How many runs a locality group has.
    pub fn run_count(self: &Arc<Self>, tree: TreeId) -> Result<u64> {
        let _guard = self.enter()?;
        Ok(self.runs(tree)?.len() as u64)
    }

    /// All trees of a locality group that hold a block, the youngest first, the base last.
    pub(crate) fn levels(self: &Arc<Self>, tree: TreeId) -> Result<Arc<[Level]>> {
        let _guard = self.enter()?;
        self.looked_up().levels(tree, || {
            let mut levels = self.stored(tree)?;
            let base = levels.first() == Some(&Level::BASE);
            levels.retain(|level| *level != Level::BASE);
            by_age(&mut levels);
            levels.extend(base.then_some(Level::BASE));
            Ok(levels)
        })
    }

    /// The trees that hold a block, by number. Blocks alone tell: a tree is there when its first block is.
    fn stored(self: &Arc<Self>, tree: TreeId) -> Result<Vec<Level>> {
        let mut found = Vec::new();
        let mut from = prefix(tree, Level::BASE);
        let group = from;
        let group = group.get(..group.len() - 1).unwrap_or_default();
        while let Some(entry) = self.first(Bound::Included(&from), group)? {
            let Some(&number) = entry.key.get(group.len()) else {
                break;
            };
            found.push(Level(number));
            match number.checked_add(1) {
                Some(next) => from = prefix(tree, Level(next)),
                None => break,
            }
        }
        Ok(found)
    }

    /// What one tree holds.
    pub(crate) fn level_counts(self: &Arc<Self>, tree: TreeId, level: Level) -> Result<Counts> {
        let key = counts_key(&prefix(tree, level));
        let bytes = self.get(self.databases().meta, &key)?;
        bytes.map_or(Ok(Counts::default()), |bytes| Counts::read(bytes.as_ref()))
    }

    /// What the base and the delta of a locality group hold.
    pub fn counts(self: &Arc<Self>, tree: TreeId) -> Result<[Counts; 2]> {
        let _guard = self.enter()?;
        let mut delta = Counts::default();
        for run in self.runs(tree)? {
            delta.add(&self.level_counts(tree, run)?);
        }
        Ok([self.level_counts(tree, Level::BASE)?, delta])
    }

    /// Where a batch of so many cells goes; those of `own_run` and more may become a run of their own.
    pub(super) fn target(
        self: &Arc<Self>,
        tree: TreeId,
        cells: u64,
        own_run: usize,
    ) -> Result<Target> {
        let runs = self.runs(tree)?;
        let (Some(&youngest), Some(&oldest)) = (runs.first(), runs.last()) else {
            return Ok(Target::New(Level::FIRST));
        };
        let new = youngest.next();
        let is_free = runs.len() < MOST_RUNS && new.steps_from(oldest) <= WINDOW;
        if cells < own_run as u64 || !is_free {
            return Ok(Target::Youngest(youngest));
        }
        let there = self.level_counts(tree, youngest)?.cells;
        match there.saturating_mul(MUCH_SMALLER) <= cells {
            true => Ok(Target::Youngest(youngest)),
            false => Ok(Target::New(new)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aged(numbers: &[u8]) -> Vec<u8> {
        let mut runs: Vec<Level> = numbers.iter().map(|&number| Level(number)).collect();
        by_age(&mut runs);
        runs.into_iter().map(Level::number).collect()
    }

    #[test]
    fn the_youngest_run_is_the_first_also_where_the_numbers_start_again() {
        assert!(aged(&[]).is_empty());
        assert_eq!(aged(&[7]), [7]);
        assert_eq!(aged(&[3, 1, 2]), [3, 2, 1]);
        assert_eq!(aged(&[1, 2, 254, 255]), [2, 1, 255, 254]);
        assert_eq!(aged(&[1, 255]), [1, 255]);
        assert_eq!(aged(&[100, 200, 120]), [200, 120, 100]);
        assert_eq!(aged(&[10, 200, 250]), [10, 250, 200]);
    }

    #[test]
    fn numbers_go_round_without_the_base() {
        assert_eq!(Level(255).next(), Level(1));
        assert_eq!(Level(1).steps_from(Level(255)), 1);
        assert_eq!(Level(5).steps_from(Level(1)), 4);
    }
}
