//! Cells become records: row by row, in one pass, wherever batches are cut.

use std::ops::Range;

use super::facts::{kind_of, read_value};
use super::hints::FetchHints;
use super::kinds::{FactKind, SubjectKind, Table};
use super::open_fact::OpenFact;
use super::open_row::OpenRow;
use super::output::{Mark, Records};
use super::retention::Retention;
use super::rows::RecordRows;
use crate::cells::{CellRef, CellsView};
use crate::visibility::{LabelCache, View};
use crate::{Error, Result};

/// Who reads records, as of when, and what of them.
#[derive(Debug, Clone)]
pub struct RecordReading {
    pub view: View,
    /// Without one facts that are dated in the future count too.
    pub as_of: Option<i64>,
    pub hints: FetchHints,
    /// When times to live are judged; without it nothing expires.
    pub now: Option<i64>,
    /// What versions are ignored because no history keeps them.
    pub retention: Option<Retention>,
}

/// Makes records of the sorted cells of one table.
///
/// A row ends where the next one begins, so the last one is only given at the end.
#[derive(Debug)]
pub struct Assembler {
    rows: RecordRows,
    table: Table,
    reading: RecordReading,
    labels: LabelCache,
    row: OpenRow,
    is_open: bool,
    column: OpenFact,
    has_column: bool,
    out: Records,
    failure: Option<Error>,
}

impl Assembler {
    /// Starts before the first row.
    pub fn new(rows: RecordRows, table: Table, reading: RecordReading) -> Assembler {
        Assembler {
            labels: LabelCache::new(reading.view.clone(), b"", LabelCache::LIMIT_BYTES),
            rows,
            table,
            reading,
            row: OpenRow::default(),
            is_open: false,
            column: OpenFact::default(),
            has_column: false,
            out: Records::default(),
            failure: None,
        }
    }

    /// How ids and sort keys are read.
    pub fn rows(&self) -> &RecordRows {
        &self.rows
    }

    /// Takes the next cells; gives the records of the rows that ended. What came before invalid bytes is given first.
    pub fn feed(&mut self, cells: &CellsView<'_>) -> Result<Records> {
        self.refuse_failed()?;
        for index in 0..cells.len() {
            if let Err(error) = self.take(&cells.cell(index)) {
                self.failure = Some(error);
                break;
            }
        }
        self.ready()
    }

    /// Gives the record of the last row; it may start again after this.
    pub fn finish(&mut self) -> Result<Records> {
        self.refuse_failed()?;
        self.close_row()?;
        self.ready()
    }

    /// Gives the records of cells that are all there is; it may start again after this, also after an error.
    pub fn whole(&mut self, cells: &CellsView<'_>) -> Result<Records> {
        self.part(cells, 0..cells.len())
    }

    /// The same of some of the cells.
    pub fn part(&mut self, cells: &CellsView<'_>, places: Range<usize>) -> Result<Records> {
        let take_all = || {
            for index in places {
                self.take(&cells.cell(index))?;
            }
            self.close_row()?;
            self.ready()
        };
        let outcome = take_all();
        if outcome.is_err() {
            self.is_open = false;
            self.has_column = false;
            self.out = Records::default();
        }
        outcome
    }

    fn refuse_failed(&self) -> Result<()> {
        match &self.failure {
            Some(failure) => Err(failure.clone()),
            None => Ok(()),
        }
    }

    fn ready(&mut self) -> Result<Records> {
        let rest = match self.is_open {
            true => self.out.split_off(self.row.mark),
            false => Records::default(),
        };
        self.row.mark = Mark::default();
        let ready = std::mem::replace(&mut self.out, rest);
        match ready.records.is_empty() {
            true => self.refuse_failed().map(|()| ready),
            false => Ok(ready),
        }
    }

    fn take(&mut self, cell: &CellRef<'_>) -> Result<()> {
        if !self.is_open || self.row.subject.row() != cell.key.row {
            self.close_row()?;
            self.open_row(cell.key.row)?;
        }
        let subject = self.row.subject.kind;
        let kind = kind_of(subject, cell)?;
        let header = read_value(kind, subject, cell)?;
        if !self.has_column || !self.column.has(kind, cell) {
            self.close_column();
            self.open_column(kind, cell)?;
        }
        if self.column.counts {
            match self.reading.retention {
                Some(_) => self.column.hold(header, cell),
                None => self.column.add(&header, cell, &self.reading),
            }
        }
        Ok(())
    }

    fn open_row(&mut self, row: &[u8]) -> Result<()> {
        self.rows.read(self.table, row, &mut self.row.subject)?;
        let subject = &self.row.subject;
        let wanted = match subject.kind {
            SubjectKind::Reference(direction) => {
                let hints = &self.reading.hints;
                hints.wants_reference(direction, &subject.label)
            }
            _ => true,
        };
        self.row.open(self.out.mark(), wanted);
        self.is_open = true;
        Ok(())
    }

    fn open_column(&mut self, kind: FactKind, cell: &CellRef<'_>) -> Result<()> {
        self.column.open(kind, cell)?;
        self.has_column = true;
        self.column.counts = self.row.wanted
            && self.labels.can_see(cell.key.visibility)
            && self.row.asks_for(&self.column, &self.reading.hints);
        Ok(())
    }

    fn close_column(&mut self) {
        if !std::mem::take(&mut self.has_column) || !self.column.counts {
            return;
        }
        let reading = &self.reading;
        if let Some(retention) = &reading.retention {
            self.column.retain(retention, reading);
        }
        let labels = &mut self.labels;
        let satisfied = |expression: &[u8]| labels.can_see(expression);
        self.row
            .take(&self.column, &reading.hints, satisfied, &mut self.out);
    }

    fn close_row(&mut self) -> Result<()> {
        self.close_column();
        if !std::mem::take(&mut self.is_open) {
            return Ok(());
        }
        self.row
            .close(&self.rows, &self.reading.hints, &mut self.out)
    }
}
