//! A block read element by element: for filters and groups that follow from the row or from the single cell.

use std::ops::Range;

use super::figures::Figures;
use super::labels::LabelMerge;
use super::program::{Figure, Program, Versions};
use super::{Step, Stop};
use crate::block::{Block, CellCursor};
use crate::codec::integer::read_small;
use crate::plan::Reader;

/// What is kept from block to block.
pub struct Elements<'p> {
    program: &'p Program,
    reader: Reader,
    cursor: CellCursor,
    families: Vec<bool>,
    labels: Vec<bool>,
    key: Vec<u8>,
    scratch: Vec<u8>,
}

impl<'p> Elements<'p> {
    pub fn new(program: &'p Program) -> Elements<'p> {
        Elements {
            program,
            reader: Reader::new(program.plan.clone()),
            cursor: CellCursor::default(),
            families: Vec::new(),
            labels: Vec::new(),
            key: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// Judges families and labels; `false` where nothing of the block is asked for.
    pub fn judge(
        &mut self,
        block: &Block<'_>,
        mut wanted: impl FnMut(&[u8]) -> bool,
        mut visible: impl FnMut(&[u8]) -> bool,
    ) -> Step<bool> {
        self.families.clear();
        self.labels.clear();
        let body = block.body();
        for code in 0..block.families().entries().unwrap_or_default() {
            let family = block.families().entry(body, code)?.of(body);
            self.families.push(wanted(family));
        }
        for code in 0..block.visibilities().entries().unwrap_or_default() {
            let label = block.visibilities().entry(body, code)?.of(body);
            self.labels.push(visible(label));
        }
        Ok(self.families.contains(&true) && self.labels.contains(&true))
    }

    /// Takes the block before the first that is read, which was judged, for the elements that go on from it; whether any
    /// cell counts.
    pub fn carry(&mut self, block: &Block<'_>, merge: &mut LabelMerge) -> Step<bool> {
        let (body, mut any) = (block.body(), false);
        for cell in 0..block.cells() {
            let family = block.families().code(body, cell)?;
            let label = block.visibilities().code(body, cell)?;
            let asked =
                self.families.get(family) == Some(&true) && self.labels.get(label) == Some(&true);
            if !asked {
                continue;
            }
            self.cursor.seek(block, cell)?;
            let cell = self.cursor.cell(block);
            let Some(element) = self.reader.read(cell)? else {
                continue;
            };
            let (key, scratch) = (&mut self.key, &mut self.scratch);
            if self.program.group_key(&element, key, scratch)? {
                merge.meet(&cell.key);
                any = true;
            }
        }
        Ok(any)
    }

    /// Adds the cells of a block that was judged.
    pub fn read(
        &mut self,
        block: &Block<'_>,
        cells: Range<usize>,
        repeats: &[bool],
        merge: &mut LabelMerge,
        figures: &mut Figures,
    ) -> Step<()> {
        let (body, program) = (block.body(), self.program);
        let mut placed = false;
        for cell in cells {
            let family = block.families().code(body, cell)?;
            let label = block.visibilities().code(body, cell)?;
            let asked =
                self.families.get(family) == Some(&true) && self.labels.get(label) == Some(&true);
            let mut repeat = repeats.get(cell) == Some(&true);
            if !asked || (repeat && program.versions == Versions::Newest) {
                continue;
            }
            // The next cell is a step; anything else is a search.
            if placed && self.cursor.index() + 1 == cell {
                self.cursor.advance(block)?;
            } else {
                self.cursor.seek(block, cell)?;
            }
            placed = true;
            let Some(element) = self.reader.read(self.cursor.cell(block))? else {
                continue;
            };
            let (key, scratch) = (&mut self.key, &mut self.scratch);
            if !program.group_key(&element, key, scratch)? {
                continue;
            }
            if program.merges_labels {
                repeat = merge.meet(&self.cursor.cell(block).key);
            }
            let slot = figures.slot(element.group() as u32, key);
            if let Some(held) = figures.slots.get_mut(slot) {
                held.count += u64::from(!repeat);
                held.newest = held.newest.max(element.timestamp());
            }
            for (place, figure) in program.figures.iter().enumerate() {
                match figure {
                    Figure::Count => {}
                    Figure::Sum(field) => {
                        let sum = figures
                            .sums
                            .get_mut(place)
                            .and_then(|all| all.get_mut(slot));
                        if let (Some(sum), Some((_, state))) = (sum, element.state(field)) {
                            let number = read_small(state).ok_or(Stop::Unfit)?;
                            sum.total += i128::from(number);
                            sum.seen = true;
                        }
                    }
                    // The values of a combined element are told by its first version.
                    Figure::Values if repeat => {}
                    Figure::States(_) | Figure::Values => {
                        let state = figures.states.get_mut(place);
                        let state = state.and_then(|all| all.get_mut(slot));
                        let measure = program.measures.get(place);
                        if let Some((state, measure)) = state.zip(measure) {
                            measure.add(&element, state)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }
}
