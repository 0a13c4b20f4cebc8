//! The bottom of a scan block by block: the same cells as [`Fused`] gives one by one, read by column.
//!
//! Within a block families and labels are codes, so each is judged once; a cell of another row is in another
//! column, which spares comparing bytes.

use super::fused::{Fused, FusedPlace, Judge, Known};
use super::{Cursor, Families};
use crate::block::{Block, Strings};
use crate::cells::CellColumns;
use crate::tree::{InBlock, TreeCursor};
use crate::Result;

/// How much a batch may hold: cells and bytes.
pub type Limits = (usize, usize);

impl Fused<TreeCursor> {
    /// Adds cells until `out` is full; `false` when the range has no more.
    pub fn fill(&mut self, out: &mut CellColumns, limits: Limits) -> Result<bool> {
        loop {
            if is_full(out, limits) {
                return Ok(self.top().is_some());
            }
            match self.stretch(out, limits)? {
                Some(true) => return Ok(true),
                Some(false) => {}
                None => {
                    let Some(cell) = self.top() else {
                        return Ok(false);
                    };
                    out.push(&cell);
                    self.advance()?;
                }
            }
        }
    }

    /// Adds what follows in the block that the cursor is in; says whether `out` is full, or nothing where
    /// cells must be taken one by one. Before and after, the cursor stands on a cell that is to be given.
    fn stretch(&mut self, out: &mut CellColumns, limits: Limits) -> Result<Option<bool>> {
        if self.entry.is_some() || self.judge.qualifiers.is_some() {
            return Ok(None);
        }
        let Some(mut stretch) = self.source.stretch() else {
            return Ok(None);
        };
        let wanted = (!self.every_family).then_some(&self.families);
        let read = read(
            &mut stretch,
            &mut self.judge,
            (&mut self.place, &mut self.known),
            wanted,
            out,
            limits,
        );
        let full = read.map_err(|error| stretch.name(error))?;
        let block = stretch.block;
        stretch
            .cursor
            .load(&block)
            .map_err(|error| stretch.name(error))?;
        self.column.assign(&stretch.cursor.cell(&block).key);
        if !full {
            self.source.advance()?;
            self.settle()?;
        }
        Ok(Some(full))
    }
}

/// Gives the cells of a stretch up to its last, and stops on the first that finds no room.
fn read(
    stretch: &mut InBlock<'_>,
    judge: &mut Judge,
    (place, known): (&mut FusedPlace, &mut Known),
    wanted: Option<&Families>,
    out: &mut CellColumns,
    limits: Limits,
) -> Result<bool> {
    let (block, cursor) = (stretch.block, &mut *stretch.cursor);
    let (body, families, labels) = (block.body(), block.families(), block.visibilities());
    known.families.clear();
    known.families.resize(families.entries().unwrap_or(1), None);
    known.labels.clear();
    known.labels.resize(labels.entries().unwrap_or(1), None);
    let column = |cell: usize| -> Result<_> {
        let codes = (families.code(body, cell)?, labels.code(body, cell)?);
        Ok((codes, block.qualifiers().span(body, cell)?))
    };
    let mut cell = cursor.index();
    let (mut codes, mut qualifier) = column(cell)?;
    loop {
        if !place.hidden {
            if is_full(out, limits) {
                return Ok(true);
            }
            block.push_value(cell, &mut out.value)?;
            out.row.push(cursor.row());
            out.family.push(families.entry(body, codes.0)?.of(body));
            out.qualifier.push(qualifier.of(body));
            out.visibility.push(labels.entry(body, codes.1)?.of(body));
            out.timestamps.push(block.times().get(body, cell)?);
            out.deleted.push(0);
        }
        cell += 1;
        if cell >= stretch.end {
            return Ok(false);
        }
        let turns = cursor.step(&block)?;
        let (next_codes, next_qualifier) = column(cell)?;
        let same = !turns && next_codes == codes && next_qualifier.of(body) == qualifier.of(body);
        (codes, qualifier) = (next_codes, next_qualifier);
        if !same {
            let shown = known_or(&mut known.labels, codes.1, &block, labels, |label| {
                judge.shows(label)
            })?;
            let family = |family: &[u8]| wanted.is_none_or(|wanted| wanted.wants(family));
            let shown = shown && known_or(&mut known.families, codes.0, &block, families, family)?;
            place.turn(shown);
        }
        place.count(block.is_deleted(cell), judge.most);
    }
}

/// The answer for a code; its bytes are looked at the first time.
#[inline]
fn known_or(
    known: &mut [Option<bool>],
    code: usize,
    block: &Block<'_>,
    strings: &Strings,
    judge: impl FnOnce(&[u8]) -> bool,
) -> Result<bool> {
    if let Some(Some(answer)) = known.get(code) {
        return Ok(*answer);
    }
    let answer = judge(strings.entry(block.body(), code)?.of(block.body()));
    if let Some(place) = known.get_mut(code) {
        *place = Some(answer);
    }
    Ok(answer)
}

#[inline]
fn is_full(out: &CellColumns, (cells, bytes): Limits) -> bool {
    out.len() >= cells || out.size_bytes() >= bytes
}
