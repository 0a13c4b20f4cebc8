//! Conflicts: whether what a writer has read has changed since, in the store or in this process.

use super::commit::Commit;
use super::snapshot::View;
use super::{log, EngineSnapshot};
use crate::cells::Range;
use crate::{Error, Result};

impl Commit<'_, '_> {
    /// Refuses when anything was written to the ranges since the snapshot.
    pub(super) fn check_unchanged(
        &self,
        snapshot: &EngineSnapshot,
        ranges: &[(String, Range)],
    ) -> Result<()> {
        let since = snapshot.view(self.inner.id)?;
        let mut asked = Vec::with_capacity(ranges.len());
        for (name, range) in ranges {
            let before = since.catalog.tables.get(name);
            match (before, self.catalog.tables.get(name)) {
                (None, None) => return Err(self.catalog.missing(name)),
                (Some(before), Some(now)) if before.id == now.id => asked.push((now.id, range)),
                _ => {
                    return Err(Error::Conflict(format!(
                        "table '{name}' was created, dropped or renamed since the snapshot"
                    )))
                }
            }
        }
        let stored = log::changed_since(self.snapshot(), &since, self.inner.id, &asked)?;
        let changed = stored.or_else(|| self.changed_here(&since, &asked));
        let Some(table) = changed else {
            return Ok(());
        };
        let named = self.catalog.tables.values().find(|held| held.id == table);
        let name = named.map_or("?", |definition| definition.name.as_str());
        Err(Error::Conflict(format!(
            "table '{name}' was written to since the snapshot, in a range that was read from it"
        )))
    }

    /// Whether the buffer, or a commit of this transaction, holds a change of a range.
    fn changed_here(&self, since: &View, asked: &[(u32, &Range)]) -> Option<u32> {
        let buffered = |table: u32, range: &Range| {
            let pending = self.buffered.tables.get(&table)?;
            let mut runs = pending.runs.iter();
            runs.find(|run| {
                let mut span = run.span(range);
                span.any(|cell| run.commit(cell) > since.buffered)
            })
        };
        let accepted = |table: u32, range: &Range| {
            let mut own = self.accepted.iter().filter(|held| held.table == table);
            own.any(|held| {
                let start = held
                    .cells
                    .partition_point(|cell| range.is_before(&cell.key));
                held.cells
                    .get(start)
                    .is_some_and(|cell| !range.is_beyond(&cell.key))
            })
        };
        let mut asked = asked.iter();
        let found = asked
            .find(|(table, range)| buffered(*table, range).is_some() || accepted(*table, range));
        found.map(|(table, _)| *table)
    }
}
