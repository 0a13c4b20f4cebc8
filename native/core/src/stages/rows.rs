//! Stages that look at a row as a whole: its first cell, its deletion.
//!
//! Each reads a row from its first cell even when the range starts inside it, so a row gives the
//! same cells however a scan is cut. Deleting and suppressing a row work by a marker in the empty
//! column, whose family is read even when it was not asked for.

use serde_json::Value;

use super::entry::from_row_start;
use super::options::Options;
use super::settling::settling;
use super::{Cursor, Families, Source, StageContext};
use crate::cells::{CellRef, Key, KeyRef, Range};
use crate::Result;

/// The value that marks a row as deleted, as Accumulo writes it.
const DELETED_ROW: &[u8] = b"DEL_ROW";
const SKIPS_BEFORE_SEEK: u32 = 10;

/// Gives the first cell of each row; a row whose first cell lies before the range gives none.
struct FirstInRow {
    source: Source,
    range: Range,
    families: Families,
    row: Option<Vec<u8>>,
    skipped: u32,
}

/// Makes `first-in-row`.
pub fn first_in_row(source: Source, options: &Value, _: &mut StageContext) -> Result<Source> {
    Options::of_stage("first-in-row", options, &[])?;
    Ok(Box::new(FirstInRow::new(source)))
}

impl FirstInRow {
    fn new(source: Source) -> FirstInRow {
        FirstInRow {
            source,
            range: Range::default(),
            families: Families::default(),
            row: None,
            skipped: 0,
        }
    }

    fn settle(&mut self) -> Result<()> {
        while let Some(top) = self.source.top() {
            match &mut self.row {
                Some(row) if row == top.key.row => {
                    self.skipped += 1;
                    if self.skipped >= SKIPS_BEFORE_SEEK {
                        let rest = self.range.starting(Key::following(&[top.key.row]));
                        self.row = None;
                        self.source.seek(&rest, &self.families)?;
                        continue;
                    }
                }
                row => {
                    let row = row.get_or_insert_with(Vec::new);
                    row.clear();
                    row.extend_from_slice(top.key.row);
                    self.skipped = 0;
                    if !self.range.is_before(&top.key) {
                        break;
                    }
                }
            }
            self.source.advance()?;
        }
        Ok(())
    }
}

impl Cursor for FirstInRow {
    fn seek(&mut self, range: &Range, families: &Families) -> Result<()> {
        self.range.clone_from(range);
        self.families.clone_from(families);
        self.row = None;
        self.source.seek(&from_row_start(range), families)?;
        self.settle()
    }

    settling!();

    fn fork(&self) -> Source {
        Box::new(FirstInRow::new(self.source.fork()))
    }
}

/// Hides what a row marker is not older than; a partial merge keeps the marker itself.
struct RowDelete {
    source: Source,
    keep_markers: bool,
    families: Families,
    /// The last row with a marker, and the marker's time.
    marked: Option<(Vec<u8>, i64)>,
}

/// Makes `row-delete`.
pub fn row_delete(source: Source, options: &Value, context: &mut StageContext) -> Result<Source> {
    Options::of_stage("row-delete", options, &[])?;
    let keep_markers = context.scope.keeps_deletes();
    Ok(Box::new(RowDelete::new(source, keep_markers)))
}

impl RowDelete {
    fn new(source: Source, keep_markers: bool) -> RowDelete {
        RowDelete {
            source,
            keep_markers,
            families: Families::default(),
            marked: None,
        }
    }

    fn settle(&mut self) -> Result<()> {
        while let Some(top) = self.source.top() {
            let kept = match &self.marked {
                Some((row, newest)) if row == top.key.row => top.key.timestamp > *newest,
                _ if is_row_marker(&top, DELETED_ROW) => {
                    self.marked = Some((top.key.row.to_vec(), top.key.timestamp));
                    self.keep_markers
                }
                _ => true,
            };
            if kept && self.families.wants(top.key.family) {
                break;
            }
            self.source.advance()?;
        }
        Ok(())
    }

    /// Finds the marker of the row that the range starts in, where it lies before the range.
    fn find_marker_before(&mut self, range: &Range, wide: &Families) -> Result<()> {
        self.source.seek(&from_row_start(range), wide)?;
        while let Some(top) = self.source.top() {
            if !range.is_before(&top.key) || !is_in_empty_column(&top.key) {
                break;
            }
            if is_row_marker(&top, DELETED_ROW) {
                self.marked = Some((top.key.row.to_vec(), top.key.timestamp));
                break;
            }
            self.source.advance()?;
        }
        Ok(())
    }
}

impl Cursor for RowDelete {
    fn seek(&mut self, range: &Range, families: &Families) -> Result<()> {
        self.families.clone_from(families);
        self.marked = None;
        let wide = with_empty_family(families);
        if range.start.is_some() {
            self.find_marker_before(range, &wide)?;
        }
        self.source.seek(range, &wide)?;
        self.settle()
    }

    settling!();

    fn fork(&self) -> Source {
        Box::new(RowDelete::new(self.source.fork(), self.keep_markers))
    }
}

/// Whether a cell marks its row with `value`.
pub fn is_row_marker(cell: &CellRef<'_>, value: &[u8]) -> bool {
    cell.value == value && is_in_empty_column(&cell.key)
}

fn is_in_empty_column(key: &KeyRef<'_>) -> bool {
    key.family.is_empty() && key.qualifier.is_empty() && key.visibility.is_empty()
}

/// The families with the empty one among them.
pub fn with_empty_family(families: &Families) -> Families {
    let mut wide = families.clone();
    if !wide.wants(b"") {
        if wide.inclusive {
            wide.names.insert(Vec::new());
        } else {
            wide.names.remove(&b""[..]);
        }
    }
    wide
}
