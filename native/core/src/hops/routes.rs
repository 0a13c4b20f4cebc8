//! Which rows lead away from a vertex, worked out once from plan and stages.

use std::sync::{Arc, Mutex, PoisonError};

use super::known::Known;
use super::ways::Ways;
use super::Follow;
use crate::functions::Test;
use crate::plan::model::{is_end, Form, Part, Shape};
use crate::plan::{FieldRef, Follows, Reader, RowShapes};
use crate::scan::{Input, ResolvedStack};
use crate::stages::elements::{bind, read_filter};
use crate::tree::TreeId;
use crate::Result;

/// The way from a vertex to its neighbours.
#[derive(Debug)]
pub struct Routes {
    pub ways: Ways,
    pub stack: ResolvedStack,
    /// The locality groups that hold a wanted family: in others is no edge to follow.
    pub trees: Vec<TreeId>,
    /// The filters among the stages, where no other stage matters to the existence of an edge.
    pub filters: Option<Vec<EdgeFilter>>,
    /// What earlier calls found out, one for each thread that reads at the same time.
    known: Mutex<Vec<Known>>,
}

/// A filter that follows from family, label, qualifier and shape alone.
#[derive(Debug)]
pub struct EdgeFilter {
    pub tests: Vec<Option<Test<FieldRef>>>,
    pub once: bool,
}

impl Routes {
    pub fn new(input: &Input, request: &Follow) -> Result<Routes> {
        let stack = ResolvedStack::new(&input.settings, &request.spec)?;
        if !stack.upper().is_empty() {
            return Err(crate::Error::InvalidOption(
                "an expansion takes stages that look at single edges, not 'summarise' or 'limit'"
                    .into(),
            ));
        }
        // A mistake shows whether or not a seed leads to the stages.
        stack.check()?;
        let mut context = stack.context(input.now);
        let plan = context.plans.find(&request.plan)?;
        let groups = input.groups.iter();
        let wanted = groups.filter(|group| group.families.meets(&stack.families));
        let mut routes = Routes {
            trees: wanted.map(|group| group.tree).collect(),
            ways: Ways::new(plan, request.direction, request.groups.as_deref())?,
            filters: None,
            known: Mutex::default(),
            stack,
        };
        let is_buffered = !input.buffered.is_empty();
        routes.filters = routes.find_filters(is_buffered, &mut context)?;
        Ok(routes)
    }

    /// What earlier calls found out; nothing at first.
    pub fn lend(&self) -> Known {
        let held = self
            .known
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        held.unwrap_or_else(|| {
            let reader = Reader::new(Arc::clone(&self.ways.plan));
            Known::new(&self.stack, reader, self.reads_labels())
        })
    }

    /// Takes it back.
    pub fn take_back(&self, known: Known) {
        self.known
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(known);
    }

    fn reads_labels(&self) -> bool {
        let filters = self.filters.iter().flatten();
        let mut found = false;
        for test in filters.flat_map(|filter| filter.tests.iter().flatten()) {
            test.each_field(&mut |field: &FieldRef| found |= field.is_label());
        }
        found
    }

    /// Whether the filters look at the clock, so that they hold for one moment only.
    pub fn is_timed(&self) -> bool {
        let filters = self.filters.iter().flatten();
        let mut tests = filters.flat_map(|filter| filter.tests.iter().flatten());
        tests.any(Test::is_timed)
    }

    /// Whether blocks can be read without the stages.
    pub fn is_fast(&self) -> bool {
        self.filters.is_some()
    }

    fn find_filters(
        &self,
        is_buffered: bool,
        context: &mut crate::stages::StageContext,
    ) -> Result<Option<Vec<EdgeFilter>>> {
        let mut filters = Vec::new();
        let both_ends_in_row = |shape: &Shape| {
            let ends = |part: &&Part| match part {
                Part::Field(field) => is_end(&field.field) && field.form == Form::Escaped,
                Part::Const(_) => false,
            };
            shape.parts.iter().filter(ends).count() == 2
        };
        let shapes = self.ways.plan.model().rows.iter().zip(&self.ways.shapes);
        let mut followed = shapes.filter(|(_, follows)| **follows);
        let suits = followed.all(|(shape, _)| both_ends_in_row(shape));
        let qualifiers = self.stack.columns.iter().any(|(_, one)| one.is_some());
        if !suits || is_buffered || qualifiers || !RowShapes::suits(&self.ways.plan) {
            return Ok(None);
        }
        for stage in self.stack.lower() {
            match stage.name.as_str() {
                // Some version stays, and where one is there all are.
                "versions" | "aggregate" => {}
                "filter" => {
                    let (plan, asked, once) = read_filter(&stage.options, context)?;
                    let tests = bind(&asked, &plan)?;
                    let mut least = Follows::Column;
                    for test in tests.iter().flatten() {
                        test.each_field(&mut |field: &FieldRef| least = least.max(field.follows()));
                    }
                    if least != Follows::Column || !Arc::ptr_eq(&plan, &self.ways.plan) {
                        return Ok(None);
                    }
                    filters.push(EdgeFilter { tests, once });
                }
                _ => return Ok(None),
            }
        }
        Ok(Some(filters))
    }
}
