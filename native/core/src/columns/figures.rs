//! The figures of a summary as they grow: one slot for each combination of `by` within a group of the plan.

use std::collections::BTreeMap;

use super::program::{Figure, Program};
use crate::block::Dictionary;
use crate::cells::{Cell, Key};
use crate::functions::State;
use crate::plan::States;
use crate::stages::elements::write_result;
use crate::Result;

/// What every group has.
#[derive(Debug, Clone)]
pub struct Slot {
    /// The group in the plan.
    pub group: u32,
    pub count: u64,
    pub newest: i64,
}

/// An integer sum, and whether anything was added.
#[derive(Debug, Clone, Default)]
pub struct Sum {
    pub total: i128,
    pub seen: bool,
}

/// Figures by key.
#[derive(Debug)]
pub struct Figures {
    /// The group in the plan (4 bytes) and the row of the result.
    keys: Dictionary,
    key: Vec<u8>,
    pub slots: Vec<Slot>,
    /// For each measure, in order: one entry a slot where it is kept so, else nothing.
    pub sums: Vec<Vec<Sum>>,
    pub states: Vec<Vec<Option<State>>>,
    kinds: Vec<bool>,
}

impl Figures {
    pub fn new(program: &Program) -> Figures {
        let is_sum = |figure: &Figure| matches!(figure, Figure::Sum(_));
        let count = program.figures.len();
        Figures {
            keys: Dictionary::default(),
            key: Vec::new(),
            slots: Vec::new(),
            sums: vec![Vec::new(); count],
            states: vec![Vec::new(); count],
            kinds: program.figures.iter().map(is_sum).collect(),
        }
    }

    /// The slot of a combination.
    pub fn slot(&mut self, group: u32, row: &[u8]) -> usize {
        self.key.clear();
        self.key.extend_from_slice(&group.to_be_bytes());
        self.key.extend_from_slice(row);
        let slot = self.keys.code(&self.key) as usize;
        if slot == self.slots.len() {
            self.slots.push(Slot {
                group,
                count: 0,
                newest: i64::MIN,
            });
            let columns = self.sums.iter_mut().zip(&mut self.states);
            for (is_sum, (sums, states)) in self.kinds.iter().zip(columns) {
                if *is_sum {
                    sums.push(Sum::default());
                } else {
                    states.push(None);
                }
            }
        }
        slot
    }

    /// Takes over what another thread has made.
    pub fn merge(&mut self, other: Figures, program: &Program) -> Result<()> {
        let Figures {
            keys,
            slots,
            sums,
            mut states,
            ..
        } = other;
        for (place, theirs) in slots.iter().enumerate() {
            let slot = self.slot(theirs.group, row_of(&keys, place));
            if let Some(mine) = self.slots.get_mut(slot) {
                mine.count += theirs.count;
                mine.newest = mine.newest.max(theirs.newest);
            }
            for (mine, theirs) in self.sums.iter_mut().zip(&sums) {
                if let (Some(mine), Some(theirs)) = (mine.get_mut(slot), theirs.get(place)) {
                    mine.total += theirs.total;
                    mine.seen |= theirs.seen;
                }
            }
            let columns = self.states.iter_mut().zip(&mut states);
            for (measure, (mine, theirs)) in program.measures.iter().zip(columns) {
                let theirs = theirs.get_mut(place).and_then(Option::take);
                if let (Some(mine), Some(theirs)) = (mine.get_mut(slot), theirs) {
                    measure.aggregator().merge(mine, theirs)?;
                }
            }
        }
        Ok(())
    }

    /// The cells of the summary, in order.
    pub fn into_cells(mut self, program: &Program) -> Result<Vec<Cell>> {
        let mut results: BTreeMap<Vec<u8>, (States, i64)> = BTreeMap::new();
        for place in 0..self.slots.len() {
            let newest = self.slots.get(place).map_or(i64::MIN, |slot| slot.newest);
            let row = row_of(&self.keys, place).to_vec();
            let none = || (vec![None; program.figures.len()], i64::MIN);
            let (states, time) = results.entry(row).or_insert_with(none);
            *time = newest.max(*time);
            let measures = program.measures.iter().zip(&program.figures).enumerate();
            for (state, (at, (measure, figure))) in states.iter_mut().zip(measures) {
                if let Some(other) = self.take(at, figure, place) {
                    measure.aggregator().merge(state, other)?;
                }
            }
        }
        let results = results.into_iter().map(|(row, (states, timestamp))| {
            let key = Key {
                row,
                timestamp,
                ..Key::default()
            };
            let value = write_result(&program.measures, &states)?;
            Ok(Cell { key, value })
        });
        results.collect()
    }

    fn take(&mut self, at: usize, figure: &Figure, place: usize) -> Option<State> {
        match figure {
            Figure::Count => {
                let slot = self.slots.get(place)?;
                Some(State::integer(slot.count.into()))
            }
            Figure::Sum(_) => {
                let sum = self.sums.get(at)?.get(place)?;
                sum.seen.then(|| State::integer(sum.total))
            }
            Figure::States(_) | Figure::Values => self.states.get_mut(at)?.get_mut(place)?.take(),
        }
    }
}

fn row_of(keys: &Dictionary, slot: usize) -> &[u8] {
    keys.get(slot as u32).get(4..).unwrap_or_default()
}
