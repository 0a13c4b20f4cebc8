//! The stage that keeps elements by a predicate.
//!
//! It decides cell by cell, so any range is passed down as it is. Below `aggregate` or `roll-up` it
//! filters before aggregation, above them after. Delete markers pass, whatever they hold.

use std::sync::Arc;

use crate::cells::{CellRef, Range};
use crate::functions::{Predicate, Test};
use crate::plan::{FieldRef, Plan, Reader};
use crate::stages::settling::settling;
use crate::stages::{Cursor, Families, Source};
use crate::Result;

/// What a filter asks: one predicate for all groups, or one for each that is kept.
#[derive(Debug, Clone)]
pub enum Where {
    All(Predicate),
    ByGroup(Vec<(String, Predicate)>),
}

/// Keeps elements that satisfy their predicate; with `once`, one of an edge's two rows.
pub struct ElementFilter {
    source: Source,
    reader: Reader,
    settings: Arc<Settings>,
    scratch: Vec<u8>,
}

struct Settings {
    /// By number of group; elements of a group without a test are left out.
    tests: Vec<Option<Test<FieldRef>>>,
    once: bool,
}

impl ElementFilter {
    /// Binds the predicates to the fields of the plan.
    pub fn new(
        source: Source,
        plan: Arc<Plan>,
        asked: &Where,
        once: bool,
    ) -> Result<ElementFilter> {
        let tests = bind(asked, &plan)?;
        let settings = Arc::new(Settings { tests, once });
        Ok(ElementFilter::with(source, plan, settings))
    }

    fn with(source: Source, plan: Arc<Plan>, settings: Arc<Settings>) -> ElementFilter {
        ElementFilter {
            source,
            reader: Reader::new(plan),
            settings,
            scratch: Vec::new(),
        }
    }

    /// Goes on to the next cell that is kept, from here on.
    fn settle(&mut self) -> Result<()> {
        while let Some(cell) = self.source.top() {
            if cell.key.deleted {
                return Ok(());
            }
            let place = self.reader.place(cell.key.row, cell.key.family)?;
            // The second row of an edge is left out whatever it holds.
            let wanted =
                place.filter(|&place| !(self.settings.once && self.reader.plan().is_second(place)));
            if wanted.is_none() {
                self.source.advance()?;
                continue;
            }
            if let Some(element) = self.reader.read(cell)? {
                let test = self.settings.tests.get(element.group());
                if let Some(Some(test)) = test.filter(|_| !self.settings.once || element.once()) {
                    if test.holds(&element, &mut self.scratch)? {
                        return Ok(());
                    }
                }
            }
            self.source.advance()?;
        }
        Ok(())
    }
}

impl Cursor for ElementFilter {
    fn seek(&mut self, range: &Range, families: &Families) -> Result<()> {
        self.source.seek(range, families)?;
        self.settle()
    }

    settling!();

    fn fork(&self) -> Source {
        let plan = self.reader.plan().clone();
        Box::new(ElementFilter::with(
            self.source.fork(),
            plan,
            self.settings.clone(),
        ))
    }
}

/// Binds predicates to the fields of the plan, by number of group; none where elements are left out.
pub fn bind(asked: &Where, plan: &Plan) -> Result<Vec<Option<Test<FieldRef>>>> {
    let groups = &plan.model().groups;
    match asked {
        Where::All(predicate) => {
            let test = predicate.bind(&plan.fields(None)?)?;
            Ok(vec![Some(test); groups.len()])
        }
        Where::ByGroup(predicates) => {
            let mut tests = vec![None; groups.len()];
            for (name, predicate) in predicates {
                let test = predicate.bind(&plan.fields(Some(name))?)?;
                let place = plan.find_group(name.as_bytes());
                if let Some(place) = place.and_then(|at| tests.get_mut(at)) {
                    *place = Some(test);
                }
            }
            Ok(tests)
        }
    }
}
