//! What a table holds, as stored: with old versions and delete markers.

use std::collections::BTreeSet;

use super::Engine;
use crate::tree::{Blocks, Counts};
use crate::Result;

/// The size of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableStats {
    pub table: String,
    pub cells: u64,
    pub delete_markers: u64,
    /// Bytes of its blocks and long values, and of what is buffered.
    pub size_bytes: u64,
    pub base: Counts,
    pub delta: Counts,
    /// How many trees the deltas have, each of which a reader looks into.
    pub runs: u64,
    pub buffered_cells: u64,
    pub splits: u64,
    /// The newest commit, in the table's time unit.
    pub newest: Option<i64>,
    /// Bytes of the store's file, all tables, that were ever used.
    pub file_bytes: u64,
    /// Why the last merge in this process failed; none once one of the whole table succeeded.
    pub merge_failure: Option<crate::Error>,
}

impl Engine {
    /// Counts what a table holds; reads no cell.
    pub fn stats(&self, table: &str) -> Result<TableStats> {
        let view = self.inner.view()?;
        let info = view.table(table)?;
        let directory = self.inner.directory()?;
        let (mut base, mut delta) = (Counts::default(), Counts::default());
        let mut tree_runs = 0;
        for tree in info.trees() {
            tree_runs += view.snapshot.run_count(tree)?;
            let [own_base, own_delta] = view.snapshot.counts(tree)?;
            base.add(&own_base);
            delta.add(&own_delta);
        }
        let runs = view.runs(info.id);
        let buffered: u64 = runs.iter().map(|run| run.len() as u64).sum();
        let bytes: u64 = runs.iter().map(|run| run.size_bytes() as u64).sum();
        let size = |counts: &Counts| counts.bytes + counts.overflow;
        Ok(TableStats {
            table: info.name.clone(),
            cells: base.cells + delta.cells + buffered,
            delete_markers: info.delete_markers,
            size_bytes: size(&base) + size(&delta) + bytes,
            base,
            delta,
            runs: tree_runs,
            buffered_cells: buffered,
            splits: info.splits.len() as u64,
            newest: info.last,
            file_bytes: directory.store()?.file_bytes()?,
            merge_failure: self.inner.failures.of(info.id),
        })
    }

    /// The distinct labels of a table's stored cells, at most `limit` of them, sorted. Reads every block, and of
    /// it the labels alone.
    pub fn labels(&self, table: &str, limit: usize) -> Result<Vec<Vec<u8>>> {
        let view = self.inner.view()?;
        let definition = view.catalog.find(table)?;
        let mut labels: BTreeSet<Vec<u8>> = BTreeSet::new();
        for run in view.runs(definition.id) {
            for cell in run.iter() {
                add(&mut labels, cell.key.visibility, limit);
            }
        }
        let _guard = view.snapshot.enter()?;
        for tree in definition.trees() {
            for &level in view.snapshot.levels(tree)?.iter() {
                let blocks = Blocks::new(&view.snapshot, tree, level);
                blocks.each_from(None, |open| {
                    let (block, column) = (open.block(), open.block().visibilities());
                    for code in 0..column.entries().unwrap_or_default() {
                        let label = column.entry(block.body(), code);
                        let label = label.map_err(|error| open.name(error))?;
                        add(&mut labels, label.of(block.body()), limit);
                    }
                    Ok(labels.len() < limit)
                })?;
            }
        }
        Ok(labels.into_iter().collect())
    }
}

fn add(labels: &mut BTreeSet<Vec<u8>>, label: &[u8], limit: usize) {
    if labels.len() < limit && !labels.contains(label) {
        labels.insert(label.to_vec());
    }
}
