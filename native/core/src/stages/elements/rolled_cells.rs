//! The elements of one result of a roll-up, by label where labels are kept apart.

use std::collections::{BTreeMap, BTreeSet};

use crate::cells::{Cell, CellRef, Key};
use crate::plan::{States, ValuePlan};
use crate::visibility::conjunction;
use crate::Result;

/// All that is merged under one qualifier.
#[derive(Default)]
pub struct Bundle {
    /// What is merged over all labels.
    merged: Option<Merged>,
    /// What is kept apart by label.
    kept: BTreeMap<Vec<u8>, Merged>,
}

struct Merged {
    /// The value of the first.
    value: Vec<u8>,
    cells: u64,
    states: States,
    timestamp: i64,
    labels: BTreeSet<Vec<u8>>,
}

impl Bundle {
    /// Counts a cell in, under its own label or under that of all, and gives the states that its
    /// own have to be merged into.
    pub fn of(&mut self, cell: &CellRef<'_>, merges_label: bool) -> &mut States {
        let first = || Merged::new(cell);
        let merged = if merges_label {
            self.merged.get_or_insert_with(first)
        } else {
            let label = cell.key.visibility.to_vec();
            self.kept.entry(label).or_insert_with(first)
        };
        merged.add(cell);
        &mut merged.states
    }

    /// The results in key order, their values as `plan` writes them. Where a lone value
    /// `passes_on`, it stays as it is: its bytes may say that its time is the cell's.
    pub fn into_cells(
        self,
        key: &Key,
        plan: Option<&ValuePlan>,
        passes_on: bool,
    ) -> Result<Vec<Cell>> {
        let mut cells = Vec::with_capacity(self.kept.len() + 1);
        if let Some(merged) = self.merged {
            let labels = merged.labels.iter().map(Vec::as_slice);
            let label = conjunction(labels).map_err(|(_, error)| error)?;
            cells.push(merged.into_cell(key, label, plan, passes_on)?);
        }
        for (label, merged) in self.kept {
            cells.push(merged.into_cell(key, label, plan, passes_on)?);
        }
        cells.sort_by(|left, right| left.key.cmp(&right.key));
        Ok(cells)
    }
}

impl Merged {
    fn new(cell: &CellRef<'_>) -> Merged {
        Merged {
            value: cell.value.to_vec(),
            cells: 0,
            states: States::new(),
            timestamp: cell.key.timestamp,
            labels: BTreeSet::new(),
        }
    }

    fn add(&mut self, cell: &CellRef<'_>) {
        self.timestamp = self.timestamp.max(cell.key.timestamp);
        if !self.labels.contains(cell.key.visibility) {
            self.labels.insert(cell.key.visibility.to_vec());
        }
        self.cells += 1;
    }

    fn into_cell(
        self,
        key: &Key,
        label: Vec<u8>,
        plan: Option<&ValuePlan>,
        passes_on: bool,
    ) -> Result<Cell> {
        let mut value = self.value;
        if self.cells > 1 || !passes_on {
            value.clear();
            if let Some(plan) = plan {
                plan.write(&self.states, &mut value)?;
            }
        }
        let key = Key {
            visibility: label,
            timestamp: self.timestamp,
            ..key.clone()
        };
        Ok(Cell { key, value })
    }
}
