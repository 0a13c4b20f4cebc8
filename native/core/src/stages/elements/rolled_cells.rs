//! The elements of one result of a roll-up, by label where labels are kept apart.

use std::collections::{BTreeMap, BTreeSet};

use crate::cells::{Cell, CellRef, Key};
use crate::plan::{Place, Reader, States};
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
    /// The value of the first; a lone value is passed on, because its bytes may say that its time
    /// is the cell's.
    value: Vec<u8>,
    is_alone: bool,
    states: States,
    timestamp: i64,
    labels: BTreeSet<Vec<u8>>,
}

impl Bundle {
    /// Adds an element, under its own label or under that of all.
    pub fn add(
        &mut self,
        cell: &CellRef<'_>,
        merges_label: bool,
        place: Place,
        reader: &Reader,
    ) -> Result<()> {
        let label = cell.key.visibility;
        let held = if merges_label {
            self.merged.as_mut()
        } else {
            self.kept.get_mut(label)
        };
        if let Some(held) = held {
            return held.add(cell, place, reader);
        }
        let mut first = Merged {
            value: cell.value.to_vec(),
            is_alone: true,
            states: States::new(),
            timestamp: cell.key.timestamp,
            labels: BTreeSet::from([label.to_vec()]),
        };
        reader.fold(place, cell.value, cell.key.timestamp, &mut first.states)?;
        if merges_label {
            self.merged = Some(first);
        } else {
            self.kept.insert(label.to_vec(), first);
        }
        Ok(())
    }

    /// The results in key order.
    pub fn into_cells(self, key: &Key, place: Place, reader: &Reader) -> Result<Vec<Cell>> {
        let mut cells = Vec::with_capacity(self.kept.len() + 1);
        if let Some(merged) = self.merged {
            let labels = merged.labels.iter().map(Vec::as_slice);
            let label = conjunction(labels).map_err(|(_, error)| error)?;
            cells.push(merged.into_cell(key, label, place, reader)?);
        }
        for (label, merged) in self.kept {
            cells.push(merged.into_cell(key, label, place, reader)?);
        }
        cells.sort_by(|left, right| left.key.cmp(&right.key));
        Ok(cells)
    }
}

impl Merged {
    fn add(&mut self, cell: &CellRef<'_>, place: Place, reader: &Reader) -> Result<()> {
        let timestamp = cell.key.timestamp;
        reader.fold(place, cell.value, timestamp, &mut self.states)?;
        self.timestamp = self.timestamp.max(timestamp);
        if !self.labels.contains(cell.key.visibility) {
            self.labels.insert(cell.key.visibility.to_vec());
        }
        self.is_alone = false;
        Ok(())
    }

    fn into_cell(self, key: &Key, label: Vec<u8>, place: Place, reader: &Reader) -> Result<Cell> {
        let mut value = self.value;
        if !self.is_alone {
            value.clear();
            if let Some(plan) = reader.plan().value(place.group) {
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
