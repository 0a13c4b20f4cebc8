//! Stages that replace the versions of a column by one cell.
//!
//! The result takes the newest timestamp of the versions before the range's end; nothing is combined
//! across a delete marker. They do at a merge what they are told, safe or not.

use super::columns::Columns;
use super::entry::{from_column_start, Entry};
use super::options::{read_column, refuse, Options};
use super::{Cursor, Families, Scope, Source, StageContext};
use crate::cells::{Cell, CellRef, Range};
use crate::{Error, Result};

/// Why a value was not taken.
pub enum Refused {
    /// It cannot be read; a lossy combiner passes over it.
    Unreadable(String),
    /// It cannot be read, and no combiner passes over it.
    Broken(String),
    /// It was read but cannot be combined.
    Failed(Error),
}

/// Combines the values of one column, newest first.
pub trait Fold: Clone + Send + 'static {
    /// Starts with a new column.
    fn start(&mut self);
    /// Takes one value.
    fn take(&mut self, value: &[u8]) -> std::result::Result<(), Refused>;
    /// Appends the combined value.
    fn finish(&mut self, out: &mut Vec<u8>) -> Result<()>;
}

/// The options that all combiners share.
pub const COMMON: [&str; 3] = ["columns", "lossy", "full_merge_only"];

#[derive(Clone)]
struct Settings {
    stage: &'static str,
    /// None combines every column.
    columns: Option<Columns<()>>,
    lossy: bool,
}

struct Combiner<F> {
    source: Source,
    fold: F,
    settings: Settings,
    entry: Entry,
    /// The combined cell, while `holds`; else the source's cell is passed on.
    combined: Cell,
    holds: bool,
}

/// Puts a combiner on a source.
pub fn combiner(
    source: Source,
    fold: impl Fold,
    stage: &'static str,
    options: &Options<'_>,
    context: &StageContext,
) -> Result<Source> {
    let listed = match options.present("columns") {
        None => None,
        Some(_) => options.list("columns", 1, read_column)?,
    };
    let mut columns = listed.as_ref().map(|_| Columns::new());
    if let Some(columns) = &mut columns {
        for (family, qualifier) in listed.iter().flatten() {
            if columns.insert(family, qualifier.as_deref(), ()).is_some() {
                let option = options.name("columns");
                return refuse(format!("{option} names a column twice"));
            }
        }
    }
    if options.flag("full_merge_only", false)? && context.scope == Scope::Merge {
        columns = Some(Columns::new());
    }
    let lossy = options.flag("lossy", false)?;
    let settings = Settings {
        stage,
        columns,
        lossy,
    };
    Ok(Box::new(Combiner::new(source, fold, settings)))
}

impl Settings {
    fn wants(&self, cell: &CellRef<'_>) -> bool {
        let key = &cell.key;
        !key.deleted
            && self
                .columns
                .as_ref()
                .is_none_or(|columns| columns.get(key.family, key.qualifier).is_some())
    }

    fn take(&self, fold: &mut impl Fold, cell: &CellRef<'_>) -> Result<()> {
        let message = match fold.take(cell.value) {
            Ok(()) => return Ok(()),
            Err(Refused::Failed(error)) => return Err(error),
            Err(Refused::Unreadable(_)) if self.lossy => return Ok(()),
            Err(Refused::Unreadable(message) | Refused::Broken(message)) => message,
        };
        let (row, family) = (cell.key.row.escape_ascii(), cell.key.family.escape_ascii());
        Err(Error::InvalidBytes(format!(
            "stage '{}' cannot read the value of family '{family}' in row '{row}': {message}; set \
             lossy to pass over such values, or name other columns",
            self.stage
        )))
    }
}

impl<F: Fold> Combiner<F> {
    fn new(source: Source, fold: F, settings: Settings) -> Combiner<F> {
        Combiner {
            source,
            fold,
            settings,
            entry: Entry::default(),
            combined: Cell::default(),
            holds: false,
        }
    }

    fn settle(&mut self) -> Result<()> {
        self.holds = false;
        while let Some(top) = self.source.top() {
            if self.settings.wants(&top) {
                self.combine()?;
                if !self.entry.is_before(&self.combined.key.as_ref()) {
                    self.holds = true;
                    break;
                }
            } else if self.entry.is_before(&top.key) {
                self.source.advance()?;
            } else {
                break;
            }
        }
        Ok(())
    }

    /// Combines the versions that the source stands on, up to a marker or the end of the column.
    fn combine(&mut self) -> Result<()> {
        self.fold.start();
        let mut first = true;
        while let Some(top) = self.source.top() {
            if first {
                self.combined.key.assign(&top.key);
                first = false;
            } else if top.key.deleted || top.key.column() != self.combined.key.as_ref().column() {
                break;
            }
            self.settings.take(&mut self.fold, &top)?;
            self.source.advance()?;
        }
        self.combined.value.clear();
        self.fold.finish(&mut self.combined.value)
    }
}

impl<F: Fold> Cursor for Combiner<F> {
    fn seek(&mut self, range: &Range, families: &Families) -> Result<()> {
        self.entry = Entry::into_range(range);
        self.source.seek(&from_column_start(range), families)?;
        self.settle()
    }

    fn top(&self) -> Option<CellRef<'_>> {
        if self.holds {
            Some(self.combined.as_ref())
        } else {
            self.source.top()
        }
    }

    fn advance(&mut self) -> Result<()> {
        if !self.holds {
            self.source.advance()?;
        }
        self.settle()
    }

    fn fork(&self) -> Source {
        Box::new(Combiner::new(
            self.source.fork(),
            self.fold.clone(),
            self.settings.clone(),
        ))
    }
}
