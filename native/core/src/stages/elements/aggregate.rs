//! The stage that combines the versions of one column into one element.
//!
//! Nothing is combined across a delete marker, nor in a merge where an unseen cell could lie
//! between two seen ones. A lone cell is passed on as it is, unread.

use std::sync::Arc;

use super::widen::widen_to_columns;
use crate::cells::{Cell, CellRef, KeyRef, Range};
use crate::plan::{Place, Plan, Reader, States};
use crate::stages::{Cursor, Families, Fold, Source};
use crate::Result;

/// Combines versions property by property; the result has the newest timestamp.
///
/// Cells of groups that the plan does not list are passed on.
pub struct AggregateStage {
    source: Source,
    versions: Versions,
    combine: bool,
    range: Range,
    /// The result, kept in the same buffers from one to the next.
    held: Cell,
    is_held: bool,
}

/// Versions of one column on their way into one value.
pub struct Versions {
    reader: Reader,
    place: Option<Place>,
    states: States,
}

impl Versions {
    pub fn new(plan: Arc<Plan>) -> Versions {
        Versions {
            reader: Reader::new(plan),
            place: None,
            states: States::new(),
        }
    }
}

impl Fold for Versions {
    fn start(&mut self, key: &KeyRef<'_>) -> Result<bool> {
        self.place = self.reader.place(key.row, key.family)?;
        self.states.clear();
        match self.place {
            Some(place) => self.reader.read_qualifier(place, key.qualifier)?,
            None => return Ok(false),
        }
        Ok(true)
    }

    fn add(&mut self, value: &[u8], timestamp: i64) -> Result<()> {
        match self.place {
            Some(place) => (self.reader).fold(place, value, timestamp, &mut self.states),
            None => Ok(()),
        }
    }

    fn write(&mut self, out: &mut Vec<u8>) -> Result<()> {
        let group = self.place.map(|place| place.group);
        match group.and_then(|group| self.reader.plan().value(group)) {
            Some(plan) => plan.write(&self.states, out),
            None => Ok(()),
        }
    }
}

impl AggregateStage {
    /// Without `combine` cells are passed on as they are.
    pub fn new(source: Source, plan: Arc<Plan>, combine: bool) -> AggregateStage {
        AggregateStage {
            source,
            versions: Versions::new(plan),
            combine,
            range: Range::default(),
            held: Cell::default(),
            is_held: false,
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
        // A cell that is passed on leaves its versions to be passed on in their turn.
        let key = self.held.key.as_ref();
        if !self.versions.start(&key)? {
            return Ok(());
        }
        self.versions.add(&self.held.value, key.timestamp)?;
        while let Some(version) = following(self.source.as_ref(), &self.held) {
            self.versions.add(version.value, version.key.timestamp)?;
            self.source.advance()?;
        }
        self.held.value.clear();
        self.versions.write(&mut self.held.value)
    }

    fn following(&self) -> Option<CellRef<'_>> {
        following(self.source.as_ref(), &self.held)
    }
}

impl Cursor for AggregateStage {
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
        let plan = self.versions.reader.plan().clone();
        Box::new(AggregateStage::new(self.source.fork(), plan, self.combine))
    }
}

/// The next cell, if it is an older version of the one held and neither is a delete marker.
fn following<'a>(source: &'a dyn Cursor, held: &Cell) -> Option<CellRef<'a>> {
    let key = held.key.as_ref();
    source
        .top()
        .filter(|cell| !cell.key.deleted && !key.deleted && cell.key.column() == key.column())
}
