//! A summary as a cursor: by column where that works, else by the stages.

use std::collections::VecDeque;
use std::sync::Arc;

use super::{try_open, ColumnScan, Counters, Request};
use crate::cells::{Cell, CellRef, Range};
use crate::scan::Shared;
use crate::stages::{Cursor, Families, Source};
use crate::tree::TreeId;
use crate::Result;

/// What a summary is made of.
struct Parts {
    scan: ColumnScan,
    shared: Arc<Shared>,
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
pub fn over(staged: Source, shared: &Arc<Shared>) -> Result<(Source, Option<Arc<Counters>>)> {
    let (input, stack) = (&shared.input, &shared.resolved);
    let qualifiers = stack
        .columns
        .iter()
        .any(|(_, qualifier)| qualifier.is_some());
    let stages = stack.stages.get(..=stack.split).unwrap_or_default();
    if qualifiers || !input.buffered.is_empty() || input.may_share_columns() {
        return Ok((staged, None));
    }
    let Some(scan) = try_open(stages, &mut stack.context(input.now))? else {
        return Ok((staged, None));
    };
    let counters = scan.counters().clone();
    let shared = Arc::clone(shared);
    let summary = Summary {
        parts: Arc::new(Parts { scan, shared }),
        staged,
        ready: None,
    };
    Ok((Box::new(summary), Some(counters)))
}

impl Parts {
    fn run(&self) -> Result<Option<Vec<Cell>>> {
        let Shared {
            input,
            resolved,
            watch,
            threads,
        } = &*self.shared;
        let wanted = &resolved.families;
        let holds = |families: &Families| match wanted.inclusive {
            true => wanted.names.iter().any(|name| families.wants(name)),
            false => true,
        };
        let groups = input.groups.iter();
        let trees: Vec<TreeId> = groups
            .filter(|group| holds(&group.families))
            .map(|group| group.tree)
            .collect();
        let request = Request {
            snapshot: &input.snapshot,
            trees: &trees,
            families: wanted,
            view: &resolved.view,
            default_visibility: &resolved.default_visibility,
            ranges: &resolved.ranges,
        };
        let check = || watch.check();
        self.scan.run(&request, (*threads).max(1), &check)
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
