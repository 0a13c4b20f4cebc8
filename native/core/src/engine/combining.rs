//! Combining the runs of a delta, so that readers find few of them: neighbours of about one size become one.
//!
//! Cells move as they are, rows after rows, from younger runs into the oldest of the chosen ones. Each range is a short
//! transaction that leaves a right store, as in a merge into the base, and a reader sees no difference.

use std::sync::Arc;

use super::background::stopped;
use super::{Inner, Turn};
use crate::tree::{merge_end_of, Durability, Level, Snapshot, TreeId, MOST_RUNS};
use crate::Result;

/// So many runs of about one size are combined.
const ALIKE: usize = 8;
/// The largest of them is no more than so many times as large as those before it on average.
const SPREAD: u64 = 2;

/// Runs of a locality group, the youngest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chosen {
    pub tree: TreeId,
    pub runs: Vec<Level>,
}

/// The runs of a group that should become one, if any.
pub(super) fn choose(snapshot: &Arc<Snapshot>, tree: TreeId) -> Result<Option<Chosen>> {
    let runs = snapshot.runs(tree)?;
    let mut sizes = Vec::with_capacity(runs.len());
    for &run in &runs {
        sizes.push(snapshot.level_counts(tree, run)?.cells);
    }
    Ok(alike(&sizes).map(|(start, end)| Chosen {
        tree,
        runs: runs.get(start..end).unwrap_or_default().to_vec(),
    }))
}

/// All runs of a group where it has several, and their cells: for a reader one is best.
pub(super) fn all_runs(snapshot: &Arc<Snapshot>, tree: TreeId) -> Result<Option<(Chosen, u64)>> {
    let runs = snapshot.runs(tree)?;
    let mut cells = 0;
    for &run in &runs {
        cells += snapshot.level_counts(tree, run)?.cells;
    }
    Ok((runs.len() > 1).then_some((Chosen { tree, runs }, cells)))
}

/// Which of some runs, the youngest first, to combine.
fn alike(sizes: &[u64]) -> Option<(usize, usize)> {
    for start in 0..sizes.len() {
        let (mut sum, mut end) = (0, start);
        while let Some(&size) = sizes.get(end) {
            let count = (end - start) as u64;
            if count > 0 && size * count > SPREAD * sum {
                break;
            }
            sum += size;
            end += 1;
        }
        if end - start >= ALIKE {
            return Some((start, end));
        }
    }
    // Nothing is alike, but readers look into each.
    (sizes.len() >= MOST_RUNS).then_some((0, ALIKE))
}

impl Inner {
    /// Makes one run of some.
    pub(super) fn combine(&self, chosen: &Chosen) -> Result<()> {
        let stops = self.background.stops();
        let mut start: Option<Vec<u8>> = None;
        loop {
            let directory = self.writable()?;
            let (tree, runs) = (chosen.tree, chosen.runs.as_slice());
            let blocks = self.options.merge.blocks;
            let ends = |snapshot: &Arc<Snapshot>| {
                merge_end_of(snapshot, tree, runs, start.as_deref(), blocks)
            };
            let store = directory.store()?;
            // Writers go on while the step is planned, and wait for it to be written only.
            let mut end = ends(&store.snapshot()?)?;
            let draft = store.draft_combine(tree, runs, (start.as_deref(), end.as_deref()))?;
            let mut turn: Turn<'_> = self.turn(&directory, "merge")?;
            let done = match draft {
                Some(draft) => turn.apply_draft(draft, true)?,
                None => None,
            };
            if done.is_none() {
                end = ends(turn.snapshot())?;
                turn.combine(tree, runs, (start.as_deref(), end.as_deref()))?;
            }
            // A power loss may take back the last steps: nothing that can be read changes.
            turn.commit(Durability::Relaxed)?;
            self.background.step();
            start = end;
            if start.is_none() {
                return Ok(());
            }
            if self.background.stops() != stops {
                return Err(stopped());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_about_one_size_are_combined_the_youngest_first() {
        assert_eq!(alike(&[]), None);
        assert_eq!(alike(&[5; 7]), None);
        assert_eq!(alike(&[5; 8]), Some((0, 8)));
        assert_eq!(alike(&[5, 4, 6, 5, 6, 4, 5, 5, 40]), Some((0, 8)));
        assert_eq!(alike(&[1, 9, 9, 9, 9, 9, 9, 9, 9, 90]), Some((1, 9)));
        assert_eq!(alike(&[1, 3, 9, 27, 81, 243, 729]), None);
    }

    #[test]
    fn runs_of_any_size_are_combined_where_they_are_too_many() {
        let sizes: Vec<u64> = (0..MOST_RUNS as u32).map(|run| 3u64.pow(run)).collect();
        assert_eq!(alike(&sizes), Some((0, 8)));
        assert_eq!(alike(sizes.get(1..).unwrap_or_default()), None);
    }
}
