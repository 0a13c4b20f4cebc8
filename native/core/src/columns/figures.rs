//! The figures of a summary as they grow: one slot for each group of elements.

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
    pub count: u64,
    pub newest: i64,
}

/// An integer sum, and whether anything was added.
#[derive(Debug, Clone, Default)]
pub struct Sum {
    pub total: i128,
    pub seen: bool,
}

/// Groups by key, with their figures.
#[derive(Debug)]
pub struct Figures {
    keys: Dictionary,
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
            slots: Vec::new(),
            sums: vec![Vec::new(); count],
            states: vec![Vec::new(); count],
            kinds: program.figures.iter().map(is_sum).collect(),
        }
    }

    /// The slot of a group.
    pub fn slot(&mut self, key: &[u8]) -> usize {
        let slot = self.keys.code(key) as usize;
        if slot == self.slots.len() {
            self.slots.push(Slot {
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
            let slot = self.slot(keys.get(place as u32));
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
        let mut cells = Vec::with_capacity(self.slots.len());
        for place in 0..self.slots.len() {
            let mut row: States = Vec::with_capacity(program.figures.len());
            for (at, figure) in program.figures.iter().enumerate() {
                row.push(self.take(at, figure, place));
            }
            let key = Key {
                row: self.keys.get(place as u32).to_vec(),
                timestamp: self.slots.get(place).map_or(0, |slot| slot.newest),
                ..Key::default()
            };
            let value = write_result(&program.measures, &row)?;
            cells.push(Cell { key, value });
        }
        cells.sort_by(|left, right| left.key.cmp(&right.key));
        Ok(cells)
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
