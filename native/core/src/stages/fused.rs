//! The bottom of a scan in one step: deletes, families, qualifiers, labels and `versions`.
//!
//! The same answers as the steps of `build_stack` one above the other. All of them ask about the column
//! of a cell alone, so each column is judged once, at its first cell, and no step calls another.

use super::columns::Columns;
use super::entry::from_column_start;
use super::{AskedColumn, Cursor, Families, Source};
use crate::cells::{CellRef, Key, Range};
use crate::visibility::{LabelCache, View};
use crate::Result;

/// How many labels are looked for one by one, before any is hashed.
const RECENT: usize = 4;

/// What stands between raw cells and the stages of a scan.
pub struct Fused<C> {
    pub(super) source: C,
    pub(super) judge: Judge,
    pub(super) families: Families,
    pub(super) every_family: bool,
    /// The range, while cells before it may come.
    pub(super) entry: Option<Range>,
    /// The column the cursor is in, once `started`.
    pub(super) column: Key,
    pub(super) started: bool,
    pub(super) place: FusedPlace,
    /// What is known of the block that is read by column.
    pub(super) known: Known,
}

/// What is known of the families and labels of one block, by their codes.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub families: Vec<Option<bool>>,
    pub labels: Vec<Option<bool>>,
}

/// Where in its column a cursor is.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FusedPlace {
    /// How many cells of the column were seen, and whether the rest of it is hidden.
    seen: u64,
    pub hidden: bool,
}

impl FusedPlace {
    /// The first cell of another column.
    #[inline]
    pub fn turn(&mut self, shown: bool) {
        self.seen = 0;
        self.hidden = !shown;
    }

    /// Counts a cell. A marker hides what is older and therefore sorts behind it: the rest of its column.
    #[inline]
    pub fn count(&mut self, deleted: bool, most: Option<u64>) {
        if !self.hidden {
            self.seen += 1;
            self.hidden = deleted || most.is_some_and(|most| self.seen > most);
        }
    }
}

/// Decides about columns; good for any number of seeks and sources.
#[derive(Clone)]
pub struct Judge {
    pub(super) qualifiers: Option<Columns<()>>,
    /// None for the owner's view.
    labels: Option<LabelCache>,
    /// The labels that were asked about last, and the answers: a few labels are on most cells.
    recent: Vec<(Vec<u8>, bool)>,
    /// How many versions of a column are given; none for all.
    pub(super) most: Option<u64>,
}

impl Judge {
    pub fn new(columns: &[AskedColumn], view: &View, default: &[u8], most: Option<u64>) -> Judge {
        let mut wanted = Columns::new();
        for (family, qualifier) in columns {
            wanted.insert(family, qualifier.as_deref(), ());
        }
        let named = columns.iter().any(|(_, qualifier)| qualifier.is_some());
        let labels = LabelCache::new(view.clone(), default, LabelCache::LIMIT_BYTES);
        Judge {
            qualifiers: named.then_some(wanted),
            labels: (*view != View::All).then_some(labels),
            recent: Vec::new(),
            most,
        }
    }

    #[inline]
    pub(super) fn shows(&mut self, label: &[u8]) -> bool {
        let Some(labels) = &mut self.labels else {
            return true;
        };
        if let Some((_, shown)) = self.recent.iter().find(|(held, _)| held == label) {
            return *shown;
        }
        let shown = labels.can_see(label);
        if self.recent.len() >= RECENT {
            self.recent.clear();
        }
        self.recent.push((label.to_vec(), shown));
        shown
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
            place: FusedPlace::default(),
            known: Known::default(),
        }
    }

    /// The raw cells below.
    pub fn source_mut(&mut self) -> &mut C {
        &mut self.source
    }

    #[inline]
    pub(super) fn settle(&mut self) -> Result<()> {
        while let Some(top) = self.source.top() {
            let key = &top.key;
            if !self.started || key.column() != self.column.as_ref().column() {
                self.column.assign(key);
                self.started = true;
                let shown = (self.every_family || self.families.wants(key.family))
                    && self.judge.wants(key.family, key.qualifier)
                    && self.judge.shows(key.visibility);
                self.place.turn(shown);
            }
            self.place.count(key.deleted, self.judge.most);
            if !self.place.hidden {
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
