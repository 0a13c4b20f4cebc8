//! The stage that merges elements of a row which agree in some of the group-by properties.
//!
//! What it gives has a plan of its own. Groups are read whole: all of a row's family. Where the
//! kept fields come first in the qualifier, results stream; otherwise all results of one row and
//! family are held in memory at once.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use super::rolled_cells::Bundle;
use super::widen::widen_to_families;
use crate::cells::{Cell, CellRef, Key, Range};
use crate::plan::{Kept, Place, Plan, Reader};
use crate::stages::{Cursor, Families, Source};
use crate::visibility::Visibility;
use crate::Result;

/// How many labels are remembered as parsed or not.
const KNOWN_LABELS: usize = 4096;

/// Merges elements over all group-by properties but some.
pub struct RollUp {
    source: Source,
    reader: Reader,
    settings: Arc<Settings>,
    range: Range,
    ready: VecDeque<Cell>,
    qualifier: Vec<u8>,
    known_labels: BTreeMap<Vec<u8>, bool>,
}

struct Settings {
    /// By number of group.
    kept: Vec<Kept>,
    merges_labels: bool,
}

impl RollUp {
    /// Merges by the properties in `by`, which [`Plan::rolled`] has checked; with `merges_labels`
    /// one result over all labels, labelled with their conjunction, else one for each.
    pub fn new(source: Source, plan: Arc<Plan>, by: &[String], merges_labels: bool) -> RollUp {
        let groups = plan.model().groups.iter();
        let settings = Settings {
            kept: groups.map(|group| Kept::new(group, by)).collect(),
            merges_labels,
        };
        RollUp::with(source, plan, Arc::new(settings))
    }

    fn with(source: Source, plan: Arc<Plan>, settings: Arc<Settings>) -> RollUp {
        RollUp {
            source,
            reader: Reader::new(plan),
            settings,
            range: Range::default(),
            ready: VecDeque::new(),
            qualifier: Vec::new(),
            known_labels: BTreeMap::new(),
        }
    }

    fn fill(&mut self) -> Result<()> {
        while self.ready.is_empty() {
            let Some(cell) = self.source.top() else {
                return Ok(());
            };
            let key = Key {
                row: cell.key.row.to_vec(),
                family: cell.key.family.to_vec(),
                ..Key::default()
            };
            match self.reader.place(&key.row, &key.family)? {
                None => self.pass_over(&key)?,
                Some(place) => self.roll(key, place)?,
            }
        }
        Ok(())
    }

    /// Leaves out the rest of a row's family.
    fn pass_over(&mut self, key: &Key) -> Result<()> {
        while next_of(self.source.as_ref(), key).is_some() {
            self.source.advance()?;
        }
        Ok(())
    }

    /// Gathers the next result where they stream, else all of the row's family.
    fn roll(&mut self, mut key: Key, place: Place) -> Result<()> {
        let settings = self.settings.clone();
        let Some(kept) = settings.kept.get(place.group) else {
            return self.pass_over(&key);
        };
        let mut bundles: BTreeMap<Vec<u8>, Bundle> = BTreeMap::new();
        while let Some(cell) = next_of(self.source.as_ref(), &key) {
            self.reader.read_qualifier(place, cell.key.qualifier)?;
            self.qualifier.clear();
            let spans = self.reader.qualifier_spans();
            kept.write(cell.key.qualifier, spans, &mut self.qualifier);
            let merges =
                settings.merges_labels && is_valid(cell.key.visibility, &mut self.known_labels);
            if !bundles.contains_key(&self.qualifier) {
                if kept.is_prefix && !bundles.is_empty() {
                    break;
                }
                bundles.insert(self.qualifier.clone(), Bundle::default());
            }
            if let Some(bundle) = bundles.get_mut(&self.qualifier) {
                bundle.add(&cell, merges, place, &self.reader)?;
            }
            self.source.advance()?;
        }
        for (qualifier, bundle) in bundles {
            key.qualifier = qualifier;
            let cells = bundle.into_cells(&key, place, &self.reader)?;
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
        self.ready.front().map(Cell::as_ref)
    }

    fn advance(&mut self) -> Result<()> {
        if self.ready.pop_front().is_some() {
            self.fill()?;
        }
        Ok(())
    }

    fn fork(&self) -> Source {
        let plan = self.reader.plan().clone();
        Box::new(RollUp::with(
            self.source.fork(),
            plan,
            self.settings.clone(),
        ))
    }
}

/// The next cell, if it lies in the same row and family.
fn next_of<'a>(source: &'a dyn Cursor, key: &Key) -> Option<CellRef<'a>> {
    source
        .top()
        .filter(|cell| cell.key.row == key.row && cell.key.family == key.family)
}

fn is_valid(label: &[u8], known: &mut BTreeMap<Vec<u8>, bool>) -> bool {
    if let Some(valid) = known.get(label) {
        return *valid;
    }
    let valid = Visibility::parse(label).is_ok();
    if known.len() >= KNOWN_LABELS {
        known.clear();
    }
    known.insert(label.to_vec(), valid);
    valid
}
