//! A summary as a cursor: by column where that works, else by the stages.

use std::collections::VecDeque;
use std::sync::Arc;

use super::{try_open, ColumnScan, Counters, Request};
use crate::cells::{Cell, CellRef, Range};
use crate::scan::{Input, ResolvedStack};
use crate::stages::{Cursor, Families, Source};
use crate::tree::{TreeId, Watch};
use crate::Result;

/// What a summary is made of.
struct Parts {
    scan: ColumnScan,
    input: Input,
    stack: ResolvedStack,
    threads: usize,
    watch: Arc<Watch>,
}

/// The results of the first `summarise` of a scan.
pub struct Summary {
    parts: Arc<Parts>,
    /// The same by the stages.
    staged: Source,
    /// The results that are left, where columns gave them.
    ready: Option<VecDeque<Cell>>,
}

/// Puts the column path in the place of the stages up to the first `summarise`, which `staged` is; gives that
/// back where the path does not take them.
pub fn over(
    staged: Source,
    input: &Input,
    stack: &ResolvedStack,
    threads: usize,
    watch: &Arc<Watch>,
) -> Result<(Source, Option<Arc<Counters>>)> {
    let qualifiers = stack
        .columns
        .iter()
        .any(|(_, qualifier)| qualifier.is_some());
    let stages = stack.stages.get(..=stack.split).unwrap_or_default();
    if qualifiers || !input.buffered.is_empty() {
        return Ok((staged, None));
    }
    let Some(scan) = try_open(stages, &mut stack.context(input.now))? else {
        return Ok((staged, None));
    };
    let counters = scan.counters().clone();
    let parts = Parts {
        scan,
        input: input.clone(),
        stack: stack.clone(),
        threads,
        watch: Arc::clone(watch),
    };
    let summary = Summary {
        parts: Arc::new(parts),
        staged,
        ready: None,
    };
    Ok((Box::new(summary), Some(counters)))
}

impl Parts {
    fn run(&self) -> Result<Option<Vec<Cell>>> {
        let wanted = &self.stack.families;
        let holds = |families: &Families| match wanted.inclusive {
            true => wanted.names.iter().any(|name| families.wants(name)),
            false => true,
        };
        let groups = self.input.groups.iter();
        let trees: Vec<TreeId> = groups
            .filter(|group| holds(&group.families))
            .map(|group| group.tree)
            .collect();
        let request = Request {
            snapshot: &self.input.snapshot,
            trees: &trees,
            families: wanted,
            view: &self.stack.view,
            default_visibility: &self.stack.default_visibility,
            ranges: &self.stack.ranges,
        };
        let check = || self.watch.check();
        self.scan.run(&request, self.threads, &check)
    }
}

impl Cursor for Summary {
    fn seek(&mut self, range: &Range, families: &Families) -> Result<()> {
        self.ready = None;
        match self.parts.run()? {
            Some(cells) => {
                let inside = |cell: &Cell| range.contains(&cell.key.as_ref());
                self.ready = Some(cells.into_iter().filter(inside).collect());
                Ok(())
            }
            None => self.staged.seek(range, families),
        }
    }

    fn top(&self) -> Option<CellRef<'_>> {
        match &self.ready {
            Some(cells) => cells.front().map(Cell::as_ref),
            None => self.staged.top(),
        }
    }

    fn advance(&mut self) -> Result<()> {
        match &mut self.ready {
            Some(cells) => {
                cells.pop_front();
                Ok(())
            }
            None => self.staged.advance(),
        }
    }

    fn fork(&self) -> Source {
        Box::new(Summary {
            parts: Arc::clone(&self.parts),
            staged: self.staged.fork(),
            ready: None,
        })
    }
}
