//! Weaving where a merge does nothing but make one cell of those of a column: no cell is put together for that, and no
//! stage is asked.
//!
//! What comes out is what `aggregate` alone gives: cells behind a delete marker go, with the marker, and the others of a
//! column become one, which has the key of the newest. A cell that is left alone is copied unread.

use std::cmp::Ordering;

use super::overflow::Reference;
use super::strands::Step;
use super::weave::{Load, Weaver};
use crate::stages::Fold;
use crate::Result;

/// Cells that were not lone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Folded {
    /// All of them but those that were copied after all.
    pub cells: u64,
    /// Those that no delete marker hides and that are none.
    pub shown: u64,
    pub markers: u64,
    /// What was made of those that are shown.
    pub into: u64,
}

impl Folded {
    pub(super) fn add(&mut self, other: &Folded) {
        self.cells += other.cells;
        self.shown += other.shown;
        self.markers += other.markers;
        self.into += other.into;
    }
}

/// A column on its way: what is known of the cells that were taken.
enum FoldedColumn {
    Empty,
    /// One cell, by its block and number, which stays as it is unless another comes.
    Single(usize, usize),
    /// One cell of several, with the key of this one.
    Several(usize, usize),
    /// Cells that all stay as they are.
    Kept,
}

impl Weaver<'_> {
    /// Takes lone cells of the first level, or one column of all levels; `false` where a family does not belong to the
    /// tree.
    pub fn fold_some(
        &mut self,
        level: usize,
        fold: &mut dyn Fold,
        load: &mut Load<'_>,
    ) -> Result<bool> {
        let Some((page, start)) = self.top(level) else {
            return Ok(true);
        };
        let stop = self.lone_until(level, page, start);
        if stop == start {
            return self.fold_column(level, fold, load);
        }
        self.pass(page, start..stop);
        if let Some(held) = self.pages.get_mut(page) {
            held.block.at = stop;
        }
        self.place_first();
        Ok(true)
    }

    /// How far the cells of a level are known to be lone and to come before those of the others. Of the last cell of a
    /// block it is not known.
    fn lone_until(&self, level: usize, page: usize, start: usize) -> usize {
        let end = self.strands.get(level).map_or(0, |strand| strand.end);
        let Some(held) = self.pages.get(page) else {
            return start;
        };
        let other = self.order.get(1).copied();
        let bound = other.and_then(|other| Some((other, self.top(other)?)));
        let cells = &held.block.cells;
        let before = |cell: usize| {
            let Some((other, top)) = bound else {
                return true;
            };
            match Some(&cells.row_head(cell)).cmp(&self.heads.get(other)) {
                Ordering::Equal => self.cells(top.0).is_some_and(|others| {
                    cells.compare_column(cell, others, top.1) == Ordering::Less
                }),
                order => order == Ordering::Less,
            }
        };
        let lone = |cell: &usize| held.is_lone(*cell) && before(*cell);
        let last = end.saturating_sub(1);
        (start..last)
            .find(|cell| !lone(cell))
            .unwrap_or(last.max(start))
    }

    /// Takes all cells of the column that the first level stands on.
    fn fold_column(
        &mut self,
        level: usize,
        fold: &mut dyn Fold,
        load: &mut Load<'_>,
    ) -> Result<bool> {
        let Some(first) = self.top(level) else {
            return Ok(true);
        };
        let head = self.heads.get(level).copied();
        let (mut column, mut hidden) = (FoldedColumn::Empty, false);
        let (mut next, mut top) = (level, first);
        loop {
            column = self.take_version(top, column, &mut hidden, fold, load)?;
            if let Some(held) = self.pages.get_mut(top.0) {
                held.block.at = top.1 + 1;
            }
            if !self.fill(next)? {
                return Ok(false);
            }
            self.place_first();
            let Some(&other) = self.order.first() else {
                break;
            };
            if self.heads.get(other).copied() != head {
                break;
            }
            let Some(found) = self.top(other) else {
                break;
            };
            let (Some(cells), Some(others)) = (self.cells(first.0), self.cells(found.0)) else {
                break;
            };
            if !cells.has_column_of(first.1, others, found.1) {
                break;
            }
            (next, top) = (other, found);
        }
        match column {
            FoldedColumn::Single(page, cell) => self.pass(page, cell..cell + 1),
            FoldedColumn::Several(page, cell) => {
                let start = self.made.len();
                fold.write(&mut self.made)?;
                self.steps.push(Step {
                    page,
                    cells: cell..cell + 1,
                    behind: 0,
                    made: Some(start..self.made.len()),
                });
            }
            FoldedColumn::Empty | FoldedColumn::Kept => {}
        }
        Ok(true)
    }

    /// Takes the next version of a column.
    fn take_version(
        &mut self,
        (page, cell): (usize, usize),
        column: FoldedColumn,
        hidden: &mut bool,
        fold: &mut dyn Fold,
        load: &mut Load<'_>,
    ) -> Result<FoldedColumn> {
        let Some(held) = self.pages.get(page) else {
            return Ok(column);
        };
        let cells = &held.block.cells;
        if *hidden || cells.is_deleted(cell) {
            let mut scratch = Vec::new();
            if cells.is_reference(cell) {
                let reference = Reference::read(cells.value(cell, &mut scratch))?;
                self.woven.freed.push(reference.id);
            }
            self.woven.folded.cells += 1;
            self.woven.folded.markers += u64::from(cells.is_deleted(cell));
            *hidden = true;
            return Ok(column);
        }
        match column {
            FoldedColumn::Empty => Ok(FoldedColumn::Single(page, cell)),
            FoldedColumn::Single(first_page, first) => {
                let key = self.key((first_page, first));
                if !key.map_or(Ok(false), |key| fold.start(&key))? {
                    self.pass(first_page, first..first + 1);
                    self.pass(page, cell..cell + 1);
                    return Ok(FoldedColumn::Kept);
                }
                self.fold_value(first_page, first, fold, load)?;
                self.fold_value(page, cell, fold, load)?;
                Ok(FoldedColumn::Several(first_page, first))
            }
            FoldedColumn::Several(..) => {
                self.fold_value(page, cell, fold, load)?;
                Ok(column)
            }
            FoldedColumn::Kept => {
                self.pass(page, cell..cell + 1);
                Ok(column)
            }
        }
    }

    fn fold_value(
        &mut self,
        page: usize,
        cell: usize,
        fold: &mut dyn Fold,
        load: &mut Load<'_>,
    ) -> Result<()> {
        let Some(held) = self.pages.get(page) else {
            return Ok(());
        };
        let cells = &held.block.cells;
        let time = cells.time(cell);
        self.woven.folded.cells += 1;
        self.woven.folded.shown += 1;
        let value = cells.value(cell, &mut self.scratch);
        if cells.is_reference(cell) {
            let value = load(&Reference::read(value)?, &mut self.woven.freed)?;
            return fold.add(&value, time);
        }
        fold.add(value, time)
    }
}
