//! The scalar path: one row, now. Prepared once, so that a call finds everything in place.

use std::sync::Arc;

use crate::cells::{CellColumns, Key, Range};
use crate::settings::Settings;
use crate::stages::{judge_of, Cursor, Fused, Judge};
use crate::tree::{Snapshot, TreeCursor, Watch};
use crate::Result;

use super::{open, Input, ResolvedStack, ScanOptions, Spec};

/// Reads single ranges as one reader, through the stages of a spec; its own ranges count for nothing.
///
/// What labels may be seen is remembered from one call to the next. Settings of the table that change
/// want a new reader. Between two calls it holds no state of the store.
pub struct RowReader {
    spec: Spec,
    resolved: ResolvedStack,
    /// Where nothing but `versions` stands above the system steps.
    fast: Option<Fast>,
    range: Range,
    /// Whether the next row is read from the same state.
    stays: bool,
}

struct Fast {
    judge: Judge,
    cursor: Option<Fused<TreeCursor>>,
    /// What the cursor has between two calls, in place of a state.
    rest: Option<Arc<Snapshot>>,
    watch: Arc<Watch>,
}

impl RowReader {
    /// Checks the spec.
    pub fn new(settings: &Settings, spec: &Spec) -> Result<RowReader> {
        let resolved = ResolvedStack::new(settings, spec)?;
        resolved.check()?;
        let label = &resolved.default_visibility;
        let context = resolved.context(0);
        let (judge, above) = judge_of(&resolved.stages, &context, &resolved.columns, label)?;
        let fast = above.is_empty().then(|| Fast {
            judge,
            cursor: None,
            rest: None,
            watch: Arc::default(),
        });
        Ok(RowReader {
            spec: spec.clone(),
            resolved,
            fast,
            range: Range {
                start: Some(Key::leading(b"", b"", b"", b"")),
                end: Some(Key::leading(b"", b"", b"", b"")),
                end_inclusive: false,
                start_inclusive: true,
            },
            stays: false,
        })
    }

    /// Adds the cells of one row.
    pub fn row(&mut self, input: &Input, row: &[u8], out: &mut CellColumns) -> Result<()> {
        let mut range = std::mem::take(&mut self.range);
        if let (Some(start), Some(end)) = (&mut range.start, &mut range.end) {
            start.row.clear();
            start.row.extend_from_slice(row);
            end.row.clear();
            end.row.extend_from_slice(row);
            // The first row behind this one.
            end.row.push(0);
        }
        let outcome = self.read(input, &range, out);
        self.range = range;
        outcome
    }

    /// Adds the cells of some rows. Those that are sorted are read block by block.
    pub fn rows<'a>(
        &mut self,
        input: &Input,
        rows: impl Iterator<Item = &'a [u8]>,
        out: &mut CellColumns,
    ) -> Result<()> {
        let _guard = input.snapshot.enter()?;
        self.stays = true;
        let outcome = { rows }.try_for_each(|row| self.row(input, row, out));
        self.stays = false;
        self.rest(input);
        outcome
    }

    /// Adds the cells of one range.
    pub fn read(&mut self, input: &Input, range: &Range, out: &mut CellColumns) -> Result<()> {
        let Some(fast) = &mut self.fast else {
            self.spec.ranges = vec![range.clone()];
            let options = ScanOptions {
                threads: 1,
                ..ScanOptions::default()
            };
            let mut scan = open(input.clone(), &self.spec, &options)?;
            while let Some(cells) = scan.next(usize::MAX)? {
                let view = cells.view();
                (0..view.len()).for_each(|index| out.push(&view.cell(index)));
            }
            return Ok(());
        };
        let _guard = input.snapshot.enter()?;
        let cursor = match &mut fast.cursor {
            Some(cursor) => {
                let runs = &input.buffered;
                cursor.source_mut().renew(&input.snapshot, runs);
                cursor
            }
            none => none.insert(Fused::new(input.cursor(&fast.watch), fast.judge.clone())),
        };
        let outcome = cursor
            .seek(range, &self.resolved.families)
            .and_then(|()| cursor.fill(out, (usize::MAX, usize::MAX)));
        if !self.stays {
            self.rest(input);
        }
        outcome.map(|_| ())
    }

    /// Lets go of the state: who reads no further row must not keep its pages from being used again.
    fn rest(&mut self, input: &Input) {
        let Some(fast) = &mut self.fast else {
            return;
        };
        let rest = match &mut fast.rest {
            Some(rest) => rest,
            none => none.insert(input.snapshot.ended()),
        };
        if let Some(cursor) = &mut fast.cursor {
            cursor.source_mut().renew(rest, &[]);
        }
    }
}
