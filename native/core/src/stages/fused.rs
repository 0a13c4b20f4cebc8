//! The bottom of a scan in one step: deletes, families, qualifiers, labels and `versions`.
//!
//! The same answers as the steps of `build_stack` one above the other. All of them ask about the column
//! of a cell alone, so each column is judged once, at its first cell, and no step calls another.

use super::columns::Columns;
use super::entry::from_column_start;
use super::{Column, Cursor, Families, Source};
use crate::cells::{CellRef, Key, Range};
use crate::visibility::{LabelCache, View};
use crate::Result;

/// What stands between raw cells and the stages of a scan.
pub struct Fused<C> {
    source: C,
    judge: Judge,
    families: Families,
    every_family: bool,
    /// The range, while cells before it may come.
    entry: Option<Range>,
    /// The column the cursor is in, once `started`.
    column: Key,
    started: bool,
    /// How many of its cells were seen, and whether the rest of it is hidden.
    seen: u64,
    hidden: bool,
}

/// Decides about columns; good for any number of seeks and sources.
#[derive(Clone)]
pub struct Judge {
    qualifiers: Option<Columns<()>>,
    /// None for the owner's view.
    labels: Option<LabelCache>,
    /// The last label that was asked about, and the answer: labels come in runs.
    label: Vec<u8>,
    shown: Option<bool>,
    /// How many versions of a column are given; none for all.
    most: Option<u64>,
}

impl Judge {
    pub fn new(columns: &[Column], view: &View, default: &[u8], most: Option<u64>) -> Judge {
        let mut wanted = Columns::new();
        for (family, qualifier) in columns {
            wanted.insert(family, qualifier.as_deref(), ());
        }
        let named = columns.iter().any(|(_, qualifier)| qualifier.is_some());
        let labels = LabelCache::new(view.clone(), default, LabelCache::LIMIT_BYTES);
        Judge {
            qualifiers: named.then_some(wanted),
            labels: (*view != View::All).then_some(labels),
            label: Vec::new(),
            shown: None,
            most,
        }
    }

    #[inline]
    fn shows(&mut self, label: &[u8]) -> bool {
        let Some(labels) = &mut self.labels else {
            return true;
        };
        match self.shown {
            Some(shown) if self.label == label => shown,
            _ => {
                let shown = labels.can_see(label);
                self.label.clear();
                self.label.extend_from_slice(label);
                self.shown = Some(shown);
                shown
            }
        }
    }

    #[inline]
    fn wants(&self, family: &[u8], qualifier: &[u8]) -> bool {
        match &self.qualifiers {
            Some(wanted) => wanted.get(family, qualifier).is_some(),
            None => true,
        }
    }
}

impl<C: Cursor> Fused<C> {
    pub fn new(source: C, judge: Judge) -> Fused<C> {
        Fused {
            source,
            judge,
            families: Families::default(),
            every_family: true,
            entry: None,
            column: Key::default(),
            started: false,
            seen: 0,
            hidden: false,
        }
    }

    /// The raw cells below.
    pub fn source_mut(&mut self) -> &mut C {
        &mut self.source
    }

    #[inline]
    fn settle(&mut self) -> Result<()> {
        while let Some(top) = self.source.top() {
            let key = &top.key;
            if !self.started || key.column() != self.column.as_ref().column() {
                self.column.assign(key);
                self.started = true;
                self.seen = 0;
                self.hidden = !(self.every_family || self.families.wants(key.family))
                    || !self.judge.wants(key.family, key.qualifier)
                    || !self.judge.shows(key.visibility);
            }
            if !self.hidden {
                self.seen += 1;
                // A marker hides what is older and therefore sorts behind it: the rest of its column.
                self.hidden = key.deleted || self.judge.most.is_some_and(|most| self.seen > most);
            }
            if !self.hidden {
                match &self.entry {
                    Some(range) if range.is_before(key) => {}
                    Some(_) => {
                        self.entry = None;
                        break;
                    }
                    None => break,
                }
            }
            self.source.advance()?;
        }
        Ok(())
    }
}

impl<C: Cursor + Send + 'static> Cursor for Fused<C> {
    fn seek(&mut self, range: &Range, families: &Families) -> Result<()> {
        if self.families != *families {
            self.families.clone_from(families);
            self.every_family = families.names.is_empty() && !families.inclusive;
        }
        self.started = false;
        let widened = from_column_start(range);
        self.source.seek(&widened, families)?;
        // Behind the start of its column nothing can come before the range.
        self.entry = match widened {
            std::borrow::Cow::Borrowed(_) if range.start_inclusive => None,
            _ => Some(range.clone()),
        };
        self.settle()
    }

    #[inline]
    fn top(&self) -> Option<CellRef<'_>> {
        self.source.top()
    }

    #[inline]
    fn advance(&mut self) -> Result<()> {
        self.source.advance()?;
        self.settle()
    }

    fn fork(&self) -> Source {
        Box::new(Fused::new(Forked(self.source.fork()), self.judge.clone()))
    }
}

/// A fork, whose own type is not known.
struct Forked(Source);

impl Cursor for Forked {
    fn seek(&mut self, range: &Range, families: &Families) -> Result<()> {
        self.0.seek(range, families)
    }

    fn top(&self) -> Option<CellRef<'_>> {
        self.0.top()
    }

    fn advance(&mut self) -> Result<()> {
        self.0.advance()
    }

    fn fork(&self) -> Source {
        self.0.fork()
    }
}
