//! The writing half of a weave: lone cells by stretches, the others as the stages give them.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use super::overflow::Reference;
use super::packer::Packer;
use super::run::RunCursor;
use super::weave::{Transform, Weaver, Woven};
use super::INLINE;
use crate::cells::{CellRef, KeyRef};
use crate::stages::Families;
use crate::Result;

impl Weaver<'_> {
    /// Gives everything that was taken to the packer of the oldest tree, and lets go of blocks that are done.
    pub fn write(&mut self, transform: Option<Transform<'_>>, ids: &AtomicU64) -> Result<()> {
        let others = std::mem::take(&mut self.others);
        let Some(packer) = self.packers.first_mut() else {
            return Ok(());
        };
        let mut stages = None;
        if let (Some(Transform::Stages(put_on)), false) = (transform, others.is_empty()) {
            let source = Box::new(RunCursor::new(Arc::new(others)));
            let mut source = put_on(source, self.range)?;
            source.seek(self.range, &Families::default())?;
            stages = Some(source);
        }
        let (mut given, mut values) = (0, Vec::new());
        let mut give = |until: Option<&KeyRef<'_>>, packer: &mut Packer| -> Result<()> {
            let Some(cells) = &mut stages else {
                return Ok(());
            };
            while let Some(cell) = cells.top() {
                if until.is_some_and(|until| cell.key >= *until) {
                    break;
                }
                given += 1;
                if cell.value.len() > INLINE {
                    let id = ids.fetch_add(1, Ordering::Relaxed);
                    let value = &Reference::new(id, cell.value).write();
                    values.push((id, Cow::Owned(cell.value.to_vec())));
                    packer.push_reference(&CellRef {
                        key: cell.key,
                        value,
                    })?;
                } else {
                    packer.push(&cell)?;
                }
                cells.advance()?;
            }
            Ok(())
        };
        let (mut lone, mut made) = (0, 0);
        for step in self.steps.drain(..) {
            let Some(held) = self.pages.get_mut(step.page) else {
                continue;
            };
            let cells = &mut held.block.cells;
            if let Some(value) = step.made {
                made += 1;
                let value = self.made.get(value).unwrap_or_default();
                if value.len() > INLINE {
                    let id = ids.fetch_add(1, Ordering::Relaxed);
                    let reference = Reference::new(id, value).write();
                    self.woven.values.push((id, Cow::Owned(value.to_vec())));
                    packer.push_made(cells, step.cells.start, &reference, true)?;
                } else {
                    packer.push_made(cells, step.cells.start, value, false)?;
                }
                continue;
            }
            give(Some(&cells.key(step.cells.start)), packer)?;
            lone += step.cells.len() as u64;
            packer.push_stretch(cells, step.cells)?;
        }
        give(None, packer)?;
        self.made.clear();
        self.woven.lone += lone;
        self.woven.given += made + given;
        self.woven.folded.into += made;
        self.woven.values.extend(values);
        if let Some(side) = self.woven.sides.first_mut() {
            side.changed |= self.woven.lone + self.woven.given > 0;
        }
        self.let_go()
    }

    /// Keeps only the blocks that the levels stand in.
    fn let_go(&mut self) -> Result<()> {
        self.last = None;
        let mut kept = Vec::with_capacity(self.strands.len());
        let pages = std::mem::take(&mut self.pages);
        for (place, held) in pages.into_iter().enumerate() {
            let mut strands = self.strands.iter_mut();
            match strands.find(|strand| strand.page == Some(place)) {
                Some(strand) if held.block.at < strand.end => {
                    strand.page = Some(usize::MAX - kept.len());
                    kept.push(held);
                }
                Some(strand) => {
                    strand.page = None;
                    match strand.end < held.block.cells.len() && self.keeps.1 {
                        true => strand.rest = Some(held.block),
                        false => self.spare.push(held),
                    }
                }
                None => self.spare.push(held),
            }
        }
        for strand in &mut self.strands {
            strand.page = strand.page.map(|page| usize::MAX - page);
        }
        self.pages = kept;
        Ok(())
    }

    /// Keeps what stands behind the range.
    pub fn finish(mut self) -> Result<Woven> {
        for (level, packer) in self.packers.iter_mut().enumerate() {
            if let Some(rest) = self
                .strands
                .get_mut(level)
                .and_then(|held| held.rest.as_mut())
            {
                let end = rest.cells.len();
                let cells = rest.take(end);
                packer.push_stretch(&mut rest.cells, cells)?;
            }
            if let Some(side) = self.woven.sides.get_mut(level) {
                side.overflow = packer.finish()?;
                side.pieces = std::mem::take(&mut packer.pieces);
            }
        }
        Ok(self.woven)
    }
}
