//! The stage that merges elements of a row which agree in some of the group-by properties.
//!
//! What it gives has a plan of its own. Groups are read whole: all of a row's family. Where the
//! kept fields come first in the qualifier, results stream; otherwise all results of one row and
//! family are held in memory at once. An element that nothing merges with is passed on in buffers
//! that are kept: most are alone.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use super::rolled::{Rolled, RolledGroup};
use super::rolled_cells::Bundle;
use super::widen::widen_to_families;
use crate::cells::{Cell, CellRef, Key, Range};
use crate::plan::{Kept, Place, Reader};
use crate::stages::{Cursor, Families, Source};
use crate::visibility::conjunction;
use crate::Result;

/// How many labels are remembered as parsed or not.
const KNOWN_LABELS: usize = 4096;

/// Merges elements over all group-by properties but some.
pub struct RollUp {
    source: Source,
    reader: Reader,
    rolled: Arc<Rolled>,
    range: Range,
    ready: VecDeque<Cell>,
    /// The element at hand, given as it is while it is `alone`.
    held: Cell,
    is_alone: bool,
    /// The qualifiers that results have: of the element at hand, and of the one behind it.
    qualifier: Vec<u8>,
    next: Vec<u8>,
    known_labels: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
}

impl RollUp {
    /// Puts a roll-up on top of a source.
    pub fn new(source: Source, rolled: Rolled) -> RollUp {
        RollUp::with(source, Arc::new(rolled))
    }

    fn with(source: Source, rolled: Arc<Rolled>) -> RollUp {
        RollUp {
            source,
            reader: Reader::new(rolled.plan.clone()),
            rolled,
            range: Range::default(),
            ready: VecDeque::new(),
            held: Cell::default(),
            is_alone: false,
            qualifier: Vec::new(),
            next: Vec::new(),
            known_labels: BTreeMap::new(),
        }
    }

    fn fill(&mut self) -> Result<()> {
        self.is_alone = false;
        while self.ready.is_empty() {
            let Some(cell) = self.source.top() else {
                return Ok(());
            };
            let Some(place) = self.reader.place(cell.key.row, cell.key.family)? else {
                self.held.key.assign(&cell.key);
                self.pass_over()?;
                continue;
            };
            self.held.key.assign(&cell.key);
            self.held.value.clear();
            self.held.value.extend_from_slice(cell.value);
            let rolled = Arc::clone(&self.rolled);
            let Some(group) = rolled.groups.get(place.group) else {
                self.pass_over()?;
                continue;
            };
            self.reader
                .read_qualifier(place, &self.held.key.qualifier)?;
            self.qualifier.clear();
            let spans = self.reader.qualifier_spans();
            group
                .kept
                .write(&self.held.key.qualifier, spans, &mut self.qualifier);
            self.source.advance()?;
            if group.passes_on() && !self.is_followed(&group.kept, place)? {
                self.pass_on(place)?;
                if self.range.contains(&self.held.key.as_ref()) {
                    self.is_alone = true;
                    return Ok(());
                }
                continue;
            }
            self.roll(group, place)?;
        }
        Ok(())
    }

    /// Leaves out the rest of a row's family.
    fn pass_over(&mut self) -> Result<()> {
        while next_of(self.source.as_ref(), &self.held.key).is_some() {
            self.source.advance()?;
        }
        Ok(())
    }

    /// Whether the cell at hand may have to be merged with what comes behind it.
    fn is_followed(&mut self, kept: &Kept, place: Place) -> Result<bool> {
        let Some(next) = next_of(self.source.as_ref(), &self.held.key) else {
            return Ok(false);
        };
        if !kept.is_prefix {
            return Ok(true);
        }
        self.reader.read_qualifier(place, next.key.qualifier)?;
        self.next.clear();
        let spans = self.reader.qualifier_spans();
        kept.write(next.key.qualifier, spans, &mut self.next);
        Ok(self.next == self.qualifier)
    }

    /// Makes the cell at hand a result of its own.
    fn pass_on(&mut self, place: Place) -> Result<()> {
        self.reader.check_value(place, &self.held.value)?;
        let key = &mut self.held.key;
        std::mem::swap(&mut key.qualifier, &mut self.qualifier);
        if self.rolled.merges_labels {
            if let Some(label) = merged_label(&key.visibility, &mut self.known_labels) {
                key.visibility.clone_from(label);
            }
        }
        Ok(())
    }

    /// Gathers the next result where they stream, else all of the row's family, from the cell at hand on.
    fn roll(&mut self, group: &RolledGroup, place: Place) -> Result<()> {
        let (merges, kept) = (self.rolled.merges_labels, &group.kept);
        let mut bundles: BTreeMap<Vec<u8>, Bundle> = BTreeMap::new();
        let first = self.held.as_ref();
        let merged = merges && merged_label(first.key.visibility, &mut self.known_labels).is_some();
        let bundle = bundles.entry(self.qualifier.clone()).or_default();
        group.fold(&mut self.reader, place, first, bundle.of(&first, merged))?;
        while let Some(cell) = next_of(self.source.as_ref(), &self.held.key) {
            self.reader.read_qualifier(place, cell.key.qualifier)?;
            self.qualifier.clear();
            let spans = self.reader.qualifier_spans();
            kept.write(cell.key.qualifier, spans, &mut self.qualifier);
            let merged =
                merges && merged_label(cell.key.visibility, &mut self.known_labels).is_some();
            if !bundles.contains_key(&self.qualifier) {
                if kept.is_prefix {
                    break;
                }
                bundles.insert(self.qualifier.clone(), Bundle::default());
            }
            if let Some(bundle) = bundles.get_mut(&self.qualifier) {
                group.fold(&mut self.reader, place, cell, bundle.of(&cell, merged))?;
            }
            self.source.advance()?;
        }
        let mut key = Key {
            row: self.held.key.row.clone(),
            family: self.held.key.family.clone(),
            ..Key::default()
        };
        let value = self.rolled.output.value(place.group);
        for (qualifier, bundle) in bundles {
            key.qualifier = qualifier;
            let cells = bundle.into_cells(&key, value, group.passes_on())?;
            let range = &self.range;
            let inside = cells
                .into_iter()
                .filter(|cell| range.contains(&cell.key.as_ref()));
            self.ready.extend(inside);
        }
        Ok(())
    }
}

impl Cursor for RollUp {
    fn seek(&mut self, range: &Range, families: &Families) -> Result<()> {
        self.ready.clear();
        self.range = range.clone();
        self.source.seek(&widen_to_families(range), families)?;
        self.fill()
    }

    fn top(&self) -> Option<CellRef<'_>> {
        if self.is_alone {
            return Some(self.held.as_ref());
        }
        self.ready.front().map(Cell::as_ref)
    }

    fn advance(&mut self) -> Result<()> {
        if self.is_alone || self.ready.pop_front().is_some() {
            self.fill()?;
        }
        Ok(())
    }

    fn fork(&self) -> Source {
        Box::new(RollUp::with(self.source.fork(), self.rolled.clone()))
    }
}

/// The next cell, if it lies in the same row and family.
fn next_of<'a>(source: &'a dyn Cursor, key: &Key) -> Option<CellRef<'a>> {
    source
        .top()
        .filter(|cell| cell.key.row == key.row && cell.key.family == key.family)
}

/// The label of a result that has this one alone; none for one that cannot be parsed, which merges with no other.
fn merged_label<'k>(
    label: &[u8],
    known: &'k mut BTreeMap<Vec<u8>, Option<Vec<u8>>>,
) -> Option<&'k Vec<u8>> {
    if !known.contains_key(label) {
        if known.len() >= KNOWN_LABELS {
            known.clear();
        }
        known.insert(label.to_vec(), conjunction([label]).ok());
    }
    known.get(label)?.as_ref()
}
