//! A block read by code: which cells count for which group, and the figures of their properties.

use std::ops::Range;

use super::at_once::{AtOnce, Run};
use super::combined::{combine, Combined, Numbers};
use super::figures::Figures;
use super::forms::FormCodes;
use super::memo::{Memo, LEFT_OUT, NONE, UNKNOWN};
use super::program::{Figure, Program, Versions};
use super::states::StateColumns;
use super::sums::{add_numbers, Picked};
use super::times::{note_and_count, TimeBuffers};
use super::{Step, Stop};
use crate::block::{Block, CellCursor, RowCursor, Times};
use crate::plan::model::ValueForm;
use crate::plan::{Reader, RowCode, RowShapes};
use crate::tree::Ahead;

/// So many cells of a block are worth a look at one combination.
const CELLS_FOR_EACH: usize = 4;

/// How many lines of the next block are asked for between two steps.
const LINES: usize = 16;

/// What is kept from block to block.
pub struct Coded<'p> {
    program: &'p Program,
    pub memo: Memo,
    shapes: RowShapes<'p>,
    forms: FormCodes,
    reader: Reader,
    cursor: CellCursor,
    rows: RowCursor,
    combined: Combined,
    starts: Vec<u32>,
    has_starts: bool,
    picked: Vec<Picked>,
    /// How many of these are picked while that goes on.
    kept: usize,
    times: TimeBuffers,
    /// Of the shapes, by number, those whose cells count in no block.
    never: Vec<bool>,
    /// The shapes of the block at hand so far, and whether none of their cells counts.
    skips: Vec<(usize, bool)>,
    /// The groups of the cells that were picked.
    groups: Vec<u32>,
    at_once: AtOnce,
    /// The next block.
    pub ahead: Ahead,
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
            forms: FormCodes::new(&program.plan),
            reader: Reader::new(program.plan.clone()),
            cursor: CellCursor::default(),
            rows: RowCursor::default(),
            combined: Combined::default(),
            starts: Vec::new(),
            has_starts: false,
            picked: Vec::new(),
            kept: 0,
            times: TimeBuffers::default(),
            // A filter that leaves a shape out does so for every label: no need to look at each.
            never: (0..2 * shapes)
                .map(|code| program.leaves_out(code / 2))
                .collect(),
            skips: Vec::new(),
            groups: Vec::new(),
            at_once: AtOnce::default(),
            ahead: Ahead::default(),
            columns: StateColumns::default(),
            key: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// Takes a block whose columns the memo has loaded, of which some cells are to be read.
    pub fn open(&mut self, block: &Block<'_>, cells: Range<usize>) -> Step<()> {
        self.has_starts = block.copy_row_starts(&mut self.starts)?;
        self.skips.clear();
        // Where versions are told apart, cells of one row are compared.
        let compares = self.has_starts && self.program.tells_versions;
        if cells.len() == block.cells() && !compares {
            return Ok(self.combined.load_apart(block, &self.memo)?);
        }
        self.combined.load(block, &self.memo)?;
        for outside in [0..cells.start, cells.end..block.cells()] {
            let outside = self.combined.all.get_mut(outside).unwrap_or_default();
            outside.fill(NONE);
        }
        Ok(())
    }

    /// Marks the visible cells of the block that follow another version of their column in it.
    pub fn mark_repeats(&self, marks: &mut [bool]) {
        if !self.has_starts {
            return;
        }
        let first = marks.first().copied();
        let pairs = self
            .combined
            .all
            .iter()
            .zip(self.combined.all.iter().skip(1));
        for (mark, (before, here)) in marks.iter_mut().skip(1).zip(pairs) {
            *mark = before == here;
        }
        // A cell that starts a row follows no version of its own column in this block.
        for &start in &self.starts {
            if let Some(mark) = marks.get_mut(start as usize) {
                *mark = false;
            }
        }
        if let Some((mark, first)) = marks.first_mut().zip(first) {
            *mark = first;
        }
    }

    /// Whether some row of the block has several cells.
    pub fn shares_rows(&self) -> bool {
        self.has_starts
    }

    /// Whether a cell of the block is visible, and asked for.
    pub fn is_visible(&self, cell: usize) -> bool {
        self.combined.get(cell) != NONE
    }

    /// Whether two visible cells have family and qualifier in common.
    pub fn same_column(&self, one: usize, other: usize) -> bool {
        let rest = !self.memo.label_bits();
        let column = |cell: usize| self.combined.get(cell) & rest;
        column(one) == column(other)
    }

    /// Adds the cells of the block. `repeats` marks those that are not the first version of their column; it is
    /// empty where that does not matter. Gives whether a single walk was enough.
    pub fn read(
        &mut self,
        block: &Block<'_>,
        repeats: &[bool],
        figures: &mut Figures,
    ) -> Step<bool> {
        let repeats = match repeats.contains(&true) {
            true => repeats,
            false => &[],
        };
        self.ahead.fetch(LINES);
        let by_form = self.forms.open(block, &mut self.shapes)?;
        self.ahead.fetch(LINES);
        if by_form && repeats.is_empty() && self.read_at_once(block, figures)? {
            return Ok(true);
        }
        self.pick(block, by_form, figures)?;
        let is_repeat = |picked: &Picked| repeats.get(picked.cell as usize) == Some(&true);
        if self.program.versions == Versions::Newest {
            self.picked.retain(|picked| !is_repeat(picked));
        }
        if self.picked.is_empty() {
            return Ok(false);
        }
        self.find_groups(figures);
        self.check_properties(block, figures)?;
        let times = self.times.open(block)?;
        // What is not asked for costs nothing to count, and one walk over the slots is cheaper than two.
        if repeats.is_empty() {
            note_and_count(&times, &self.picked, &mut figures.slots, |_| 1);
        } else {
            note_and_count(&times, &self.picked, &mut figures.slots, |picked| {
                u64::from(!is_repeat(picked))
            });
        }
        for place in 0..self.program.figures.len() {
            self.measure(block, place, figures)?;
        }
        Ok(false)
    }

    /// Adds the cells of a block in one walk; `false`, and nothing added, where that cannot be.
    fn read_at_once(&mut self, block: &Block<'_>, figures: &mut Figures) -> Step<bool> {
        let program = self.program;
        let [group] = program.plan.model().groups.as_slice() else {
            return Ok(false);
        };
        // Values that are kept whole are checked one by one.
        let is_checked = group.form == ValueForm::Tagged && block.properties().is_none();
        let (Times::Constant(time), false) = (block.times(), is_checked) else {
            return Ok(false);
        };
        let Some(sum) = program.only_sum() else {
            return Ok(false);
        };
        let slots = figures.slots.len();
        if !self.at_once.suits(block.cells(), slots) {
            return Ok(false);
        }
        let mut runs = std::mem::take(&mut self.at_once.runs);
        runs.clear();
        let (mut row, mut start) = (0, 0);
        while let Some((code, rows)) = self.forms.run(row) {
            row += rows;
            let cells = start..self.first_cell(block, row);
            start = cells.end;
            let code = self.number_of(code);
            if !self.skips(block, code) {
                runs.push(Run { code, cells });
            }
        }
        self.at_once.runs = runs;
        if self.at_once.runs.is_empty() {
            return Ok(true);
        }
        let (plan, mut column) = (&program.plan, None);
        let property = sum.and_then(|(_, field)| plan.property_of(field, 0));
        if let Some(property) = property {
            column = self.columns.open(block, plan, 0, property)?;
        }
        self.ahead.fetch(LINES);
        self.at_once.start(slots);
        let runs = std::mem::take(&mut self.at_once.runs);
        for Run { code, cells } in &runs {
            let numbers = self.combined.numbers(cells.clone());
            let known = self.memo.shape(*code);
            let at_once = &mut self.at_once;
            at_once.add(known, &numbers, cells.clone(), column.as_ref());
            self.ahead.fetch(1 + cells.len() / 4);
        }
        self.at_once.runs = runs;
        let place = sum.map(|(place, _)| place).filter(|_| column.is_some());
        if !self.at_once.fits() {
            return Ok(false);
        }
        if self.at_once.counts() {
            self.groups.clear();
            self.groups.push(0);
            self.check_properties(block, figures)?;
            self.at_once.finish(*time, place, figures);
        }
        Ok(true)
    }

    /// Picks cells run by run: rows of one shape that follow one another.
    fn pick(&mut self, block: &Block<'_>, by_form: bool, figures: &mut Figures) -> Step<()> {
        // Every cell has a place, so that picking one is a step forward and no branch.
        self.picked.resize(block.cells(), Picked::default());
        self.kept = 0;
        match by_form {
            true => self.pick_by_form(block, figures)?,
            false => self.pick_by_row(block, figures)?,
        }
        self.picked.truncate(self.kept);
        Ok(())
    }

    fn pick_by_form(&mut self, block: &Block<'_>, figures: &mut Figures) -> Step<()> {
        let (mut row, mut start) = (0, 0);
        while let Some((code, rows)) = self.forms.run(row) {
            row += rows;
            let end = self.first_cell(block, row);
            self.pick_run(block, code, start..end, figures)?;
            start = end;
        }
        Ok(())
    }

    /// The first cell of a row, or how many cells there are.
    fn first_cell(&self, block: &Block<'_>, row: usize) -> usize {
        match self.has_starts {
            _ if row >= block.rows() => block.cells(),
            false => row,
            true => self.starts.get(row).map_or(0, |&start| start as usize),
        }
    }

    fn pick_by_row(&mut self, block: &Block<'_>, figures: &mut Figures) -> Step<()> {
        let mut entries = block.row_entries()?;
        let (mut code, mut start) = (self.shapes.code(), 0);
        let mut row = 0;
        loop {
            row += self.shapes.pass(&mut entries, block.rows() - row);
            if row == block.rows() {
                break;
            }
            let (shared, rest) = entries.advance()?;
            let next = match self.shapes.next(shared, rest) {
                Some(code) => code,
                None => {
                    self.rows.seek(block, row)?;
                    self.shapes.whole(self.rows.row())
                }
            };
            if next != code {
                let end = self.first_cell(block, row);
                self.pick_run(block, code, start..end, figures)?;
                (code, start) = (next, end);
            }
            row += 1;
        }
        self.pick_run(block, code, start..block.cells(), figures)
    }

    fn pick_run(
        &mut self,
        block: &Block<'_>,
        code: RowCode,
        run: Range<usize>,
        figures: &mut Figures,
    ) -> Step<()> {
        let code = self.number_of(code);
        if self.skips(block, code) {
            return Ok(());
        }
        let known = self.memo.shape(code);
        let room = self.picked.get_mut(self.kept..).unwrap_or_default();
        let first = run.start as u32;
        let (unknown, kept) = match self.combined.numbers(run.clone()) {
            Numbers::Made(numbers) => pick(known, numbers.iter().copied(), first, room),
            Numbers::Apart {
                codes: [labels, qualifiers],
                tables,
                constant,
            } => {
                let codes = labels.iter().zip(qualifiers);
                let numbers =
                    codes.map(|(&label, &qualifier)| constant | combine(tables, label, qualifier));
                pick(known, numbers, first, room)
            }
        };
        if unknown {
            return self.decide_run(block, code, run, figures);
        }
        self.kept += kept;
        Ok(())
    }

    /// The number that the memo has for a shape; rows that have none share one.
    fn number_of(&self, code: RowCode) -> usize {
        match code {
            RowCode::MISFIT => 2 * self.program.plan.model().rows.len(),
            code => code.index(),
        }
    }

    /// Whether no cell of a shape counts in the block at hand.
    fn skips(&mut self, block: &Block<'_>, code: usize) -> bool {
        if self.never.get(code) == Some(&true) {
            return true;
        }
        match self.skips.iter().find(|(known, _)| *known == code) {
            Some((_, skips)) => *skips,
            None => {
                let skips = self.memo.is_left_out(code, block.cells() / CELLS_FOR_EACH);
                self.skips.push((code, skips));
                skips
            }
        }
    }

    /// Picks the cells of a run, of which some have combinations that were not met before.
    #[cold]
    fn decide_run(
        &mut self,
        block: &Block<'_>,
        code: usize,
        cells: Range<usize>,
        figures: &mut Figures,
    ) -> Step<()> {
        for cell in cells {
            let combined = self.combined.get(cell);
            let known = self.memo.shape(code).get(combined as usize).copied();
            let slot = match known {
                None => LEFT_OUT,
                Some(UNKNOWN) => {
                    let slot = self.decide(block, cell, figures)?;
                    self.memo.set(code, combined, slot);
                    slot
                }
                Some(slot) => slot,
            };
            if let Some(place) = self.picked.get_mut(self.kept) {
                let cell = cell as u32;
                *place = Picked { cell, slot };
            }
            self.kept += usize::from(slot < LEFT_OUT);
        }
        Ok(())
    }

    /// Asks filters and grouping about one cell; all of its combination have the answer in common.
    fn decide(&mut self, block: &Block<'_>, cell: usize, figures: &mut Figures) -> Step<u32> {
        self.cursor.seek(block, cell)?;
        let Some(element) = self.reader.read(self.cursor.cell(block))? else {
            return Ok(LEFT_OUT);
        };
        let (key, scratch) = (&mut self.key, &mut self.scratch);
        if !self.program.group_key(&element, key, scratch)? {
            return Ok(LEFT_OUT);
        }
        Ok(figures.slot(element.group() as u32, key) as u32)
    }

    /// Which groups of the plan the picked cells belong to.
    fn find_groups(&mut self, figures: &Figures) {
        self.groups.clear();
        if self.program.plan.model().groups.len() == 1 {
            self.groups.push(0);
            return;
        }
        for picked in &self.picked {
            let slot = figures.slots.get(picked.slot as usize);
            let group = slot.map_or(0, |slot| slot.group);
            if self.groups.last() != Some(&group) && !self.groups.contains(&group) {
                self.groups.push(group);
            }
        }
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
            let Some(column) = self
                .columns
                .open(block, &program.plan, group as usize, property)?
            else {
                continue;
            };
            let slots = &figures.slots;
            let is_of_group = |picked: &&Picked| {
                let slot = slots.get(picked.slot as usize);
                slot.is_some_and(|slot| slot.group == group)
            };
            if is_sum {
                let sums = figures.sums.get_mut(place).map(Vec::as_mut_slice);
                let sums = sums.unwrap_or_default();
                if self.groups.len() == 1 {
                    add_numbers(&column, self.picked.iter(), sums)?;
                } else {
                    add_numbers(&column, self.picked.iter().filter(is_of_group), sums)?;
                }
                continue;
            }
            let Some(states) = figures.states.get_mut(place) else {
                continue;
            };
            let times = self.times.open(block)?;
            for picked in self.picked.iter().filter(is_of_group) {
                let state = column.state(picked.cell as usize)?;
                let held = states.get_mut(picked.slot as usize);
                if let Some((held, state)) = held.zip(state) {
                    aggregator.fold(held, state, times.get(picked.cell as usize))?;
                }
            }
        }
        Ok(())
    }

    /// Refuses values with properties that the plan does not name, and what is no value of the plan.
    fn check_properties(&self, block: &Block<'_>, figures: &Figures) -> Step<()> {
        let Some(properties) = block.properties() else {
            return self.check_values(block, figures);
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

    /// Reads the picked values that are kept whole, as the stages do even where nobody asks for a property.
    fn check_values(&self, block: &Block<'_>, figures: &Figures) -> Step<()> {
        let Some(values) = block.values() else {
            return Ok(());
        };
        let mut spans = Vec::new();
        for picked in &self.picked {
            let slot = figures.slots.get(picked.slot as usize);
            let group = slot.map_or(0, |slot| slot.group as usize);
            let model = self.program.plan.model().groups.get(group);
            if model.is_some_and(|model| model.form == ValueForm::Tagged) {
                let plan = self.program.plan.value(group).ok_or(Stop::Unfit)?;
                let value = values.span(block.body(), picked.cell as usize)?;
                plan.read(value.of(block.body()), &mut spans)?;
            }
        }
        Ok(())
    }
}

/// Puts the cells of a run that count into their places; gives whether some have combinations that are not known, and how
/// many count.
#[inline(always)]
fn pick(
    known: &[u32],
    numbers: impl Iterator<Item = u32>,
    first: u32,
    room: &mut [Picked],
) -> (bool, usize) {
    let (mut unknown, mut kept) = (false, 0);
    for (cell, combined) in (first..).zip(numbers) {
        // What is not visible has no place in the table.
        let slot = known.get(combined as usize).copied().unwrap_or(LEFT_OUT);
        unknown |= slot == UNKNOWN;
        if let Some(place) = room.get_mut(kept) {
            *place = Picked { cell, slot };
        }
        kept += usize::from(slot < LEFT_OUT);
    }
    (unknown, kept)
}
