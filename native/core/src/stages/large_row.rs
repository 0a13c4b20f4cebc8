//! The stage that hides rows of too many cells; a merge puts a marker in their place.
//!
//! A row is read from its first cell and held until it is known to fit, so memory is bounded by the
//! largest row that fits.

use std::collections::VecDeque;

use serde_json::Value;

use super::entry::{from_row_start, Entry};
use super::options::Options;
use super::rows::{is_row_marker, with_empty_family};
use super::{Cursor, Families, Scope, Source, StageContext};
use crate::cells::{Cell, CellRef, Key, Range};
use crate::Result;

/// The value that marks a row as too large, as Accumulo writes it.
const SUPPRESSED_ROW: &[u8] = b"SUPPRESS_ROW";

/// Hides rows of more than `max_columns` cells. A row of a single cell is never too large. The
/// marker keeps the row hidden for ever.
struct LargeRow {
    source: Source,
    most: usize,
    scope: Scope,
    entry: Entry,
    families: Families,
    held: VecDeque<Cell>,
    /// A row whose rest is passed over.
    suppressed: Option<Vec<u8>>,
}

/// Makes `large-row`.
pub fn large_row(source: Source, options: &Value, context: &mut StageContext) -> Result<Source> {
    let options = Options::of_stage("large-row", options, &["max_columns"])?;
    let most = options.required_integer("max_columns", 0, i64::from(i32::MAX))?;
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    Ok(Box::new(LargeRow::new(source, most, context.scope)))
}

impl LargeRow {
    fn new(source: Source, most: usize, scope: Scope) -> LargeRow {
        LargeRow {
            source,
            most,
            scope,
            entry: Entry::default(),
            families: Families::default(),
            held: VecDeque::new(),
            suppressed: None,
        }
    }

    fn settle(&mut self) -> Result<()> {
        loop {
            while let Some(first) = self.held.front() {
                if !self.entry.is_before(&first.key.as_ref()) {
                    return Ok(());
                }
                self.held.pop_front();
            }
            if let Some(row) = self.suppressed.take() {
                while self.source.top().is_some_and(|top| top.key.row == row) {
                    self.source.advance()?;
                }
            }
            if self.source.top().is_none() {
                return Ok(());
            }
            self.hold_row()?;
        }
    }

    /// Reads one row; leaves its cells, or its marker, or nothing in `held`.
    fn hold_row(&mut self) -> Result<()> {
        let mut row: Option<Vec<u8>> = None;
        while let Some(top) = self.source.top() {
            let first = row.is_none();
            if first && is_row_marker(&top, SUPPRESSED_ROW) {
                let marker = top.to_owned();
                self.suppress(marker);
                return Ok(());
            }
            if row.as_ref().is_some_and(|row| row != top.key.row) {
                break;
            }
            if first {
                row = Some(top.key.row.to_vec());
            }
            if self.families.wants(top.key.family) {
                self.held.push_back(top.to_owned());
            }
            if !first && self.held.len() > self.most {
                self.suppress(Cell {
                    key: Key {
                        row: row.unwrap_or_default(),
                        timestamp: i64::MAX,
                        ..Key::default()
                    },
                    value: SUPPRESSED_ROW.to_vec(),
                });
                return Ok(());
            }
            self.source.advance()?;
        }
        Ok(())
    }

    fn suppress(&mut self, marker: Cell) {
        self.held.clear();
        self.suppressed = Some(marker.key.row.clone());
        if self.scope != Scope::Scan && self.families.wants(b"") {
            self.held.push_back(marker);
        }
    }
}

impl Cursor for LargeRow {
    fn seek(&mut self, range: &Range, families: &Families) -> Result<()> {
        self.entry = Entry::into_range(range);
        self.families.clone_from(families);
        self.held.clear();
        self.suppressed = None;
        self.source
            .seek(&from_row_start(range), &with_empty_family(families))?;
        self.settle()
    }

    fn top(&self) -> Option<CellRef<'_>> {
        self.held.front().map(Cell::as_ref)
    }

    fn advance(&mut self) -> Result<()> {
        self.held.pop_front();
        self.settle()
    }

    fn fork(&self) -> Source {
        Box::new(LargeRow::new(self.source.fork(), self.most, self.scope))
    }
}
