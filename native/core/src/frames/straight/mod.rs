//! Tables straight from the blocks: columns of a block become columns of Arrow, without making cells.
//!
//! It takes scans whose stages are *`versions` or not, `filter`s, `aggregate` or not, `filter`s, `roll-up` over labels alone or
//! not, `filter`s*, where filters follow from family, qualifier, label and the shape of the row. Nearly every element is
//! one cell, with which these stages do nothing but let it pass; whatever more cells tell of goes through the stages,
//! row by row, and so does the rest of a part with anything unusual in it: delete markers, long values, several trees
//! that hold cells of it, bytes that do not fit the plan. So the answer, and the error if there is one, is that of the
//! stages; but of a value only what is asked for is looked at.

mod blocks;
mod columns;
mod reading;

use std::collections::VecDeque;
use std::sync::Arc;

use super::{Asked, Frame};
use crate::cells::Range;
use crate::columns::{Below, Versions};
use crate::plan::{Follows, Plan, RowShapes};
use crate::scan::{Batch, Make, Parallel, Parts, Shared};
use crate::tree::Watch;
use crate::Result;

use columns::Classes;
use reading::Reading;

/// A scan that can be read so.
#[derive(Clone)]
pub struct Way {
    shared: Arc<Shared>,
    plan: Arc<Plan>,
    asked: Asked,
    below: Arc<Below>,
    classes: Arc<Classes>,
    rows: usize,
}

impl Way {
    /// The way to read a scan in frames of so many rows; nothing where its cells must go through the stages.
    pub fn find(
        shared: &Arc<Shared>,
        plan: &Arc<Plan>,
        asked: &Asked,
        rows: usize,
    ) -> Result<Option<Way>> {
        let (input, stack) = (&shared.input, &shared.resolved);
        let named = |(_, qualifier): &(_, Option<Vec<u8>>)| qualifier.is_some();
        if stack.columns.iter().any(named)
            || !stack.upper().is_empty()
            || !input.buffered.is_empty()
            || input.may_share_columns()
            || !RowShapes::suits(plan)
        {
            return Ok(None);
        }
        let below = Below::compile(stack.lower(), &mut stack.context(input.now))?;
        let Some(below) = below.filter(|below| {
            let by_label = below.merges_labels && below.asks_for_label();
            below.is_about(plan) && below.follows() == Follows::Column && !by_label
        }) else {
            return Ok(None);
        };
        let classes = Classes::find(plan, &asked.bind(plan)?);
        Ok(classes.map(|classes| Way {
            shared: Arc::clone(shared),
            plan: Arc::clone(plan),
            asked: asked.clone(),
            below: Arc::new(below),
            classes: Arc::new(classes),
            rows,
        }))
    }

    /// Starts on the parts of the scan.
    pub fn feed(self, (first, parts): (Vec<Range>, Parts)) -> Result<Feed> {
        let make = self.make(&self.shared.watch)?;
        Ok(Feed {
            way: self,
            make,
            first,
            parts: Some(parts),
            ready: VecDeque::new(),
            parallel: None,
        })
    }

    fn make(&self, watch: &Arc<Watch>) -> Result<Make<Frame>> {
        let mut reading = Reading::new(self.clone(), watch)?;
        Ok(Box::new(move |part, give| reading.make(part, give)))
    }

    /// Whether cells of one column are told apart from those of others by more than their place.
    fn joins_cells(&self) -> bool {
        self.below.versions != Versions::Every
    }
}

impl Batch for Frame {
    fn size_bytes(&self) -> usize {
        let sizes = self.columns.iter().map(super::Buffers::size_bytes);
        sizes.sum()
    }

    fn is_empty(&self) -> bool {
        self.rows == 0
    }
}

/// The frames of a scan in order: the first part on the caller's thread, the others by several where they may be used.
pub struct Feed {
    way: Way,
    make: Make<Frame>,
    first: Vec<Range>,
    parts: Option<Parts>,
    ready: VecDeque<Frame>,
    parallel: Option<Parallel<Frame>>,
}

impl Feed {
    /// The next frame; none behind the last.
    pub fn next(&mut self) -> Result<Option<Frame>> {
        loop {
            self.way.shared.watch.check()?;
            if let Some(frame) = self.ready.pop_front() {
                return Ok(Some(frame));
            }
            if let Some(parallel) = &mut self.parallel {
                return parallel.next();
            }
            let part = match (std::mem::take(&mut self.first), &mut self.parts) {
                (first, _) if !first.is_empty() => first,
                (_, None) => return Ok(None),
                (_, Some(parts)) => {
                    let _guard = self.way.shared.input.snapshot.enter()?;
                    match parts.next()? {
                        Some(part) => part,
                        None => return Ok(None),
                    }
                }
            };
            let ready = &mut self.ready;
            (self.make)(part, &mut |frame| {
                ready.push_back(frame);
                Ok(())
            })?;
            if self.way.shared.threads > 1 {
                // Behind the first part the work is worth several threads.
                self.start();
            }
        }
    }

    fn start(&mut self) {
        let Some(parts) = self.parts.take().filter(|parts| parts.len() > 0) else {
            return;
        };
        let way = self.way.clone();
        let start = Box::new(move |watch: &Arc<Watch>| way.make(watch));
        self.parallel = Some(Parallel::start(&self.way.shared, parts, start));
    }
}
