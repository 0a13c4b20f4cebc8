//! A block read by code: which cells count for which group, and the figures of their properties.

use std::ops::Range;

use super::figures::Figures;
use super::memo::{Decision, Memo, NONE};
use super::program::{Figure, Program, Versions};
use super::states::StateColumns;
use super::{Step, Stop};
use crate::block::{Block, CellCursor, RowCursor};
use crate::plan::model::ValueForm;
use crate::plan::{Reader, RowCode, RowShapes};

/// A cell that counts, and its group.
#[derive(Debug, Clone, Copy)]
struct Picked {
    cell: u32,
    slot: u32,
    group: u32,
}

/// What is kept from block to block.
pub struct Coded<'p> {
    program: &'p Program,
    pub memo: Memo,
    shapes: RowShapes<'p>,
    reader: Reader,
    cursor: CellCursor,
    rows: RowCursor,
    combined: Vec<u32>,
    codes: Vec<u32>,
    starts: Vec<u32>,
    picked: Vec<Picked>,
    times: Vec<i64>,
    /// The groups of the cells that were picked.
    groups: Vec<u32>,
    columns: StateColumns,
    key: Vec<u8>,
    scratch: Vec<u8>,
}

impl<'p> Coded<'p> {
    pub fn new(program: &'p Program) -> Coded<'p> {
        let shapes = program.plan.model().rows.len();
        Coded {
            program,
            // Two for each shape, and one for rows that have none.
            memo: Memo::new(2 * shapes + 1),
            shapes: RowShapes::new(&program.plan),
            reader: Reader::new(program.plan.clone()),
            cursor: CellCursor::default(),
            rows: RowCursor::default(),
            combined: Vec::new(),
            codes: Vec::new(),
            starts: Vec::new(),
            picked: Vec::new(),
            times: Vec::new(),
            groups: Vec::new(),
            columns: StateColumns::default(),
            key: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// Adds the cells of a block whose columns the memo has loaded. `repeats` marks cells that are not the first
    /// version of their column; it is empty where that does not matter.
    pub fn read(
        &mut self,
        block: &Block<'_>,
        cells: Range<usize>,
        repeats: &[bool],
        figures: &mut Figures,
    ) -> Step<()> {
        self.combine(block)?;
        self.pick(block, cells, figures)?;
        let is_repeat = |picked: &Picked| repeats.get(picked.cell as usize) == Some(&true);
        if self.program.versions == Versions::Newest {
            self.picked.retain(|picked| !is_repeat(picked));
        }
        if self.picked.is_empty() {
            return Ok(());
        }
        self.check_properties(block)?;
        block.times().copy_to(block.body(), block.cells(), &mut self.times)?;
        for picked in &self.picked {
            let Some(slot) = figures.slots.get_mut(picked.slot as usize) else {
                continue;
            };
            slot.count += u64::from(!is_repeat(picked));
            let time = self.times.get(picked.cell as usize).copied();
            slot.newest = slot.newest.max(time.unwrap_or(i64::MIN));
        }
        for place in 0..self.program.figures.len() {
            self.measure(block, place, figures)?;
        }
        Ok(())
    }

    /// One number for family, label and qualifier of each cell.
    fn combine(&mut self, block: &Block<'_>) -> Step<()> {
        let (body, count) = (block.body(), block.cells());
        self.combined.clear();
        self.combined.resize(count, 0);
        let columns = [
            (block.families(), &self.memo.families.terms),
            (block.visibilities(), &self.memo.labels.terms),
            (block.qualifiers(), &self.memo.qualifiers.terms),
        ];
        for (column, terms) in columns {
            if let [term] = terms.as_slice() {
                // A constant; it was wanted and visible, or the block would have been passed over.
                self.combined.iter_mut().for_each(|one| *one |= term);
                continue;
            }
            column.copy_codes(body, count, &mut self.codes)?;
            for (one, &code) in self.combined.iter_mut().zip(&self.codes) {
                let term = terms.get(code as usize).copied().unwrap_or(NONE);
                // Terms have no bit in common, and NONE has nearly all.
                *one |= term;
            }
        }
        Ok(())
    }

    fn pick(&mut self, block: &Block<'_>, cells: Range<usize>, figures: &mut Figures) -> Step<()> {
        self.picked.clear();
        self.groups.clear();
        let has_starts = block.copy_row_starts(&mut self.starts)?;
        let mut entries = block.row_entries()?;
        let misfit = 2 * self.program.plan.model().rows.len();
        for row in 0..block.rows() {
            let (shared, rest) = entries.advance()?;
            let code = match self.shapes.next(shared, rest) {
                Some(code) => code,
                None => {
                    self.rows.seek(block, row)?;
                    self.shapes.whole(self.rows.row())
                }
            };
            let code = match code {
                RowCode::MISFIT => misfit,
                code => code.index(),
            };
            let base = code * self.memo.stride;
            let (mut cell, end) = match has_starts {
                false => (row, row + 1),
                true => {
                    let start = |row: usize| self.starts.get(row).map(|&start| start as usize);
                    (start(row).unwrap_or(0), start(row + 1).unwrap_or(block.cells()))
                }
            };
            while cell < end {
                let combined = self.combined.get(cell).copied().unwrap_or(NONE);
                if combined < NONE && cells.contains(&cell) {
                    let index = base + combined as usize;
                    let mut decision = self.memo.get(index);
                    if decision == Decision::UNKNOWN {
                        decision = self.decide(block, cell, figures)?;
                        self.memo.set(index, decision);
                    }
                    let Decision { slot, group } = decision;
                    if decision != Decision::LEFT_OUT {
                        let cell = cell as u32;
                        self.picked.push(Picked { cell, slot, group });
                        if self.groups.last() != Some(&group) && !self.groups.contains(&group) {
                            self.groups.push(group);
                        }
                    }
                }
                cell += 1;
            }
        }
        Ok(())
    }

    /// Asks filters and grouping about one cell; all of its combination have the answer in common.
    #[cold]
    fn decide(&mut self, block: &Block<'_>, cell: usize, figures: &mut Figures) -> Step<Decision> {
        self.cursor.seek(block, cell)?;
        let Some(element) = self.reader.read(self.cursor.cell(block))? else {
            return Ok(Decision::LEFT_OUT);
        };
        let (key, scratch) = (&mut self.key, &mut self.scratch);
        if !self.program.group_key(&element, key, scratch)? {
            return Ok(Decision::LEFT_OUT);
        }
        Ok(Decision {
            slot: figures.slot(key) as u32,
            group: element.group() as u32,
        })
    }

    fn measure(&mut self, block: &Block<'_>, place: usize, figures: &mut Figures) -> Step<()> {
        let program = self.program;
        let (field, is_sum) = match program.figures.get(place) {
            Some(Figure::Sum(field)) => (field, true),
            Some(Figure::States(field)) => (field, false),
            _ => return Ok(()),
        };
        let Some(aggregator) = program.measures.get(place).map(|one| one.aggregator()) else {
            return Ok(());
        };
        for &group in &self.groups {
            let Some(property) = program.plan.property_of(field, group as usize) else {
                continue;
            };
            let Some(column) = self.columns.open(block, &program.plan, group as usize, property)?
            else {
                continue;
            };
            let alone = self.groups.len() == 1;
            let picked = self.picked.iter().filter(|one| alone || one.group == group);
            if is_sum {
                let Some(sums) = figures.sums.get_mut(place) else {
                    continue;
                };
                for picked in picked {
                    let number = column.number(picked.cell as usize)?;
                    let sum = sums.get_mut(picked.slot as usize);
                    if let Some((sum, number)) = sum.zip(number) {
                        sum.total += i128::from(number);
                        sum.seen = true;
                    }
                }
                continue;
            }
            let Some(states) = figures.states.get_mut(place) else {
                continue;
            };
            for picked in picked {
                let state = column.state(picked.cell as usize)?;
                let held = states.get_mut(picked.slot as usize);
                if let Some((held, state)) = held.zip(state) {
                    let time = self.times.get(picked.cell as usize).copied();
                    aggregator.fold(held, state, time.unwrap_or_default())?;
                }
            }
        }
        Ok(())
    }

    /// Refuses values with properties that the plan does not name.
    fn check_properties(&self, block: &Block<'_>) -> Step<()> {
        let Some(properties) = block.properties() else {
            return Ok(());
        };
        for &group in &self.groups {
            let Some(group) = self.program.plan.model().groups.get(group as usize) else {
                continue;
            };
            let known = |id: usize| group.properties.iter().any(|one| one.id as usize == id);
            if group.form == ValueForm::Tagged && !properties.iter().all(|one| known(one.id)) {
                return Err(Stop::Unfit);
            }
        }
        Ok(())
    }
}
