//! The stage that combines the versions of one column into one element.
//!
//! Nothing is combined across a delete marker, nor in a merge where an unseen cell could lie
//! between two seen ones. A lone cell is passed on as it is, unread.

use std::sync::Arc;

use super::widen::widen_to_columns;
use crate::cells::{Cell, CellRef, Range};
use crate::plan::{Plan, Reader, States};
use crate::stages::{Cursor, Families, Source};
use crate::Result;

/// Combines versions property by property; the result has the newest timestamp.
///
/// Cells of groups that the plan does not list are passed on.
pub struct Aggregate {
    source: Source,
    reader: Reader,
    combine: bool,
    range: Range,
    /// The result, kept in the same buffers from one to the next.
    held: Cell,
    is_held: bool,
    states: States,
}

impl Aggregate {
    /// Without `combine` cells are passed on as they are.
    pub fn new(source: Source, plan: Arc<Plan>, combine: bool) -> Aggregate {
        Aggregate {
            source,
            reader: Reader::new(plan),
            combine,
            range: Range::default(),
            held: Cell::default(),
            is_held: false,
            states: States::new(),
        }
    }

    fn next(&mut self) -> Result<()> {
        self.is_held = false;
        while let Some(top) = self.source.top() {
            self.held.key.assign(&top.key);
            self.held.value.clear();
            self.held.value.extend_from_slice(top.value);
            self.source.advance()?;
            self.combine_versions()?;
            if self.range.contains(&self.held.key.as_ref()) {
                self.is_held = true;
                return Ok(());
            }
        }
        Ok(())
    }

    /// Merges what follows into the cell that is held, up to the next column or delete marker.
    fn combine_versions(&mut self) -> Result<()> {
        if self.following().is_none() {
            return Ok(());
        }
        let key = &self.held.key;
        // A cell that is passed on leaves its versions to be passed on in their turn.
        let Some(place) = self.reader.place(&key.row, &key.family)? else {
            return Ok(());
        };
        self.reader.read_qualifier(place, &key.qualifier)?;
        self.states.clear();
        let (value, timestamp) = (&self.held.value, key.timestamp);
        self.reader
            .fold(place, value, timestamp, &mut self.states)?;
        while let Some(version) = following(self.source.as_ref(), &self.held) {
            let timestamp = version.key.timestamp;
            self.reader
                .fold(place, version.value, timestamp, &mut self.states)?;
            self.source.advance()?;
        }
        self.held.value.clear();
        match self.reader.plan().value(place.group) {
            Some(plan) => plan.write(&self.states, &mut self.held.value),
            None => Ok(()),
        }
    }

    fn following(&self) -> Option<CellRef<'_>> {
        following(self.source.as_ref(), &self.held)
    }
}

impl Cursor for Aggregate {
    fn seek(&mut self, range: &Range, families: &Families) -> Result<()> {
        self.is_held = false;
        if !self.combine {
            return self.source.seek(range, families);
        }
        self.range = range.clone();
        self.source.seek(&widen_to_columns(range), families)?;
        self.next()
    }

    fn top(&self) -> Option<CellRef<'_>> {
        if self.combine {
            self.is_held.then(|| self.held.as_ref())
        } else {
            self.source.top()
        }
    }

    fn advance(&mut self) -> Result<()> {
        if !self.combine {
            return self.source.advance();
        }
        if self.is_held {
            self.next()?;
        }
        Ok(())
    }

    fn fork(&self) -> Source {
        let plan = self.reader.plan().clone();
        Box::new(Aggregate::new(self.source.fork(), plan, self.combine))
    }
}

/// The next cell, if it is an older version of the one held and neither is a delete marker.
fn following<'a>(source: &'a dyn Cursor, held: &Cell) -> Option<CellRef<'a>> {
    let key = held.key.as_ref();
    source
        .top()
        .filter(|cell| !cell.key.deleted && !key.deleted && cell.key.column() == key.column())
}
