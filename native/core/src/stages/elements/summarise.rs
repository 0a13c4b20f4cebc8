//! The stage that makes a table of figures out of all elements of a scan.
//!
//! Results are held in memory, one for each distinct combination of `by`; nothing is given before
//! the last element was read. Their values are partial states: readers finish them.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use super::measure::{check_names, write_result, Measure};
use crate::cells::{Cell, CellRef, Key, Range};
use crate::codec::Codec;
use crate::plan::{Element, FieldRef, Plan, Reader, States};
use crate::stages::{Cursor, Families, Source};
use crate::Result;

/// Gives one cell for each distinct combination of some fields, with the states of measures.
pub struct Summarise {
    source: Source,
    reader: Reader,
    settings: Arc<Settings>,
    ready: VecDeque<Cell>,
}

struct Settings {
    by: Vec<FieldRef>,
    measures: Vec<Measure>,
}

impl Summarise {
    /// Looks up the fields; refuses two columns of one name.
    pub fn new(
        source: Source,
        plan: Arc<Plan>,
        by: &[String],
        measures: Vec<Measure>,
    ) -> Result<Summarise> {
        check_names(by, &measures)?;
        let fields = plan.fields(None)?;
        let found: Result<Vec<FieldRef>> = by.iter().map(|name| fields.locate(name)).collect();
        let settings = Settings {
            by: found?,
            measures,
        };
        Ok(Summarise::with(source, plan, Arc::new(settings)))
    }

    fn with(source: Source, plan: Arc<Plan>, settings: Arc<Settings>) -> Summarise {
        Summarise {
            source,
            reader: Reader::new(plan),
            settings,
            ready: VecDeque::new(),
        }
    }

    /// Reads everything that the source gives.
    fn gather(&mut self) -> Result<BTreeMap<Vec<u8>, (States, i64)>> {
        let mut results: BTreeMap<Vec<u8>, (States, i64)> = BTreeMap::new();
        let Settings { by, measures } = &*self.settings;
        let mut row = Vec::new();
        while let Some(cell) = self.source.top() {
            if let Some(element) = self.reader.read(cell)? {
                row.clear();
                for field in by {
                    Codec::Any.encode_key(&element.value(field)?, &mut row)?;
                }
                match results.get_mut(&row) {
                    Some((states, newest)) => {
                        *newest = element.timestamp().max(*newest);
                        add(measures, &element, states)?;
                    }
                    None => {
                        let mut states: States = vec![None; measures.len()];
                        add(measures, &element, &mut states)?;
                        results.insert(row.clone(), (states, element.timestamp()));
                    }
                }
            }
            self.source.advance()?;
        }
        Ok(results)
    }
}

fn add(measures: &[Measure], element: &Element<'_>, states: &mut States) -> Result<()> {
    for (measure, state) in measures.iter().zip(states) {
        measure.add(element, state)?;
    }
    Ok(())
}

impl Cursor for Summarise {
    fn seek(&mut self, range: &Range, families: &Families) -> Result<()> {
        self.ready.clear();
        self.source.seek(&Range::default(), families)?;
        for (row, (states, timestamp)) in self.gather()? {
            let key = Key {
                row,
                timestamp,
                ..Key::default()
            };
            if range.contains(&key.as_ref()) {
                let value = write_result(&self.settings.measures, &states)?;
                self.ready.push_back(Cell { key, value });
            }
        }
        Ok(())
    }

    fn top(&self) -> Option<CellRef<'_>> {
        self.ready.front().map(Cell::as_ref)
    }

    fn advance(&mut self) -> Result<()> {
        self.ready.pop_front();
        Ok(())
    }

    fn fork(&self) -> Source {
        let plan = self.reader.plan().clone();
        Box::new(Summarise::with(
            self.source.fork(),
            plan,
            self.settings.clone(),
        ))
    }
}
