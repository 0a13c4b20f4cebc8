//! One block as rows of a table.

use super::columns::Class;
use super::reading::{Reading, Under};
use super::Way;
use crate::block::{Block, CellCursor, RowCursor};
use crate::cells::{Key, Range};
use crate::codec::Codec;
use crate::columns::{
    Combined, Memo, Picked, StateColumns, Step, Stop, TimeBuffers, LEFT_OUT, NONE, UNKNOWN,
};
use crate::frames::column::FrameColumn;
use crate::functions::Kind;
use crate::plan::model::ValueForm;
use crate::plan::{is_plain, Reader, RowCode, RowShapes, Where};
use crate::tree::Blocks;
use crate::visibility::{conjunction, LabelCache};
use crate::Result;

/// How many combinations of shape, family, label and qualifier are kept; behind that it starts afresh.
const MOST: usize = 1 << 16;
/// Where more than one row in so many must go through the stages, the rest of the block goes.
const FEW: usize = 8;

/// What is kept from block to block.
pub struct BlockReader {
    memo: Memo,
    codes: usize,
    combined: Combined,
    labels: LabelCache,
    reader: Reader,
    cursor: CellCursor,
    rows: RowCursor,
    last: RowCursor,
    starts: Vec<u32>,
    has_starts: bool,
    /// Whether the first block of the range was read.
    started: bool,
    /// The last row that went through the stages; the next block may have more of it.
    staged: Option<Vec<u8>>,
    /// What was decided for each combination that is let pass, and its entries in columns that follow from it.
    kept: Vec<Kept>,
    entries: Vec<FrameColumn>,
    /// Cells that are in columns of the row already, and not yet in the others.
    picked: Vec<Picked>,
    groups: Vec<usize>,
    states: Vec<StateColumns>,
    times: TimeBuffers,
    scratch: Vec<u8>,
}

struct Kept {
    group: usize,
    shape: usize,
    /// Columns that follow from the row, and the part that each is.
    rows: Vec<(usize, Option<RowPart>)>,
}

#[derive(Clone, Copy)]
struct RowPart {
    at: usize,
    /// Whether it is the last field.
    is_last: bool,
    /// The greatest byte, less two, of text that is the entry as it stands; nothing where it must be read.
    most: Option<u8>,
}

impl BlockReader {
    pub fn new(way: &Way) -> Result<BlockReader> {
        let resolved = &way.shared.resolved;
        let label = &resolved.default_visibility;
        // Two for each shape, and one for rows that have none.
        let codes = 2 * way.plan.model().rows.len() + 1;
        Ok(BlockReader {
            memo: Memo::new(codes),
            codes,
            combined: Combined::default(),
            labels: LabelCache::new(resolved.view.clone(), label, LabelCache::LIMIT_BYTES),
            reader: Reader::new(way.plan.clone()),
            cursor: CellCursor::default(),
            rows: RowCursor::default(),
            last: RowCursor::default(),
            starts: Vec::new(),
            has_starts: false,
            started: false,
            staged: None,
            kept: Vec::new(),
            entries: way.asked.bind(&way.plan)?,
            picked: Vec::new(),
            groups: Vec::new(),
            states: Vec::new(),
            times: TimeBuffers::default(),
            scratch: Vec::new(),
        })
    }

    /// Starts with another range.
    pub fn restart(&mut self) {
        self.picked.clear();
        self.started = false;
        self.staged = None;
    }

    /// The first row of a block.
    pub fn first_row(&mut self, block: &Block<'_>, out: &mut Vec<u8>) -> Result<()> {
        self.last.seek(block, 0)?;
        out.clear();
        out.extend_from_slice(self.last.row());
        Ok(())
    }

    /// Whether a tree has cells in a range.
    pub fn has_cells(&mut self, blocks: &Blocks, range: &Range) -> Result<bool> {
        let mut found = false;
        let start = range.start.as_ref().map(Key::as_ref);
        blocks.each_from(start.as_ref(), |open| {
            let block = open.block();
            let mut inside = || -> Result<Option<bool>> {
                let first = match &start {
                    Some(start) => block.lower_bound(start, &mut self.rows)?,
                    None => 0,
                };
                if !self.cursor.seek(&block, first)? {
                    return Ok(None);
                }
                Ok(Some(!range.is_beyond(&self.cursor.cell(&block).key)))
            };
            let inside = inside().map_err(|error| open.name(error))?;
            found = inside == Some(true);
            Ok(inside.is_none())
        })?;
        Ok(found)
    }

    /// Where the row at hand starts, or the one behind it if the stages have given it.
    fn next_key(&self) -> Key {
        let row = self.rows.row();
        match &self.staged {
            Some(staged) if staged == row => Key::following(&[staged]),
            _ => Key::leading(row, b"", b"", b""),
        }
    }

    /// The cells of a row.
    #[inline(always)]
    fn cells(&self, block: &Block<'_>, row: usize) -> std::ops::Range<usize> {
        if !self.has_starts {
            return row..row + 1;
        }
        let start = |row: usize| match self.starts.get(row) {
            Some(&start) => start as usize,
            None => block.cells(),
        };
        start(row)..start(row + 1)
    }

    /// Whether more than one visible cell of a row tells of one element.
    fn is_joined(&self, cells: std::ops::Range<usize>, merges_labels: bool) -> bool {
        let rest = match merges_labels {
            true => !self.memo.label_bits(),
            false => u32::MAX,
        };
        let cells = self.combined.all.get(cells).unwrap_or_default();
        let mut visible = cells
            .iter()
            .filter(|one| **one != NONE)
            .map(|one| one & rest);
        let mut before = visible.next();
        visible.any(|here| before.replace(here) == Some(here))
    }
}

/// Whether a key stands before all cells of its row.
fn starts_row(key: &Key) -> bool {
    let parts = [&key.family, &key.qualifier, &key.visibility];
    parts.iter().all(|part| part.is_empty()) && key.timestamp == i64::MAX && key.deleted
}

impl Reading {
    /// Adds the rows of a block; `next` is the first row of the one behind it. `false` where the range ends in it.
    pub(super) fn read_block(
        &mut self,
        block: &Block<'_>,
        next: Option<&[u8]>,
        under: &mut Under<'_>,
        shapes: &mut RowShapes<'_>,
    ) -> Step<bool> {
        if block.cells() > self.way.rows {
            return Err(Stop::Unfit);
        }
        let blocks = &mut self.blocks;
        if block.has_deletes() || block.has_references() || !blocks.memo.suits(block) {
            blocks.rows.seek(block, 0)?;
            return self.stage_rest(block, under);
        }
        let resolved = &self.way.shared.resolved;
        let wanted = |family: &[u8]| resolved.families.wants(family);
        if blocks.kept.len() > MOST {
            blocks.memo = Memo::new(blocks.codes);
            blocks.kept.clear();
            blocks.entries = blocks.entries.iter().map(FrameColumn::like).collect();
        }
        let labels = &mut blocks.labels;
        if !blocks
            .memo
            .load(block, wanted, |label| labels.can_see(label))?
        {
            return Ok(true);
        }
        blocks.combined.load(block, &blocks.memo)?;
        blocks.has_starts = block.copy_row_starts(&mut blocks.starts)?;
        blocks.rows.seek(block, 0)?;
        if self.decoder.rows.count + block.cells() > self.way.rows {
            let start = self.blocks.next_key();
            self.finish_frame(Some(start), under);
        }
        let blocks = &mut self.blocks;
        let range = under.range;
        if let Some(start) = range.start.as_ref().filter(|_| !blocks.started) {
            if !blocks.rows.seek_row(block, &start.row)? {
                return Ok(true);
            }
        }
        blocks.started = true;
        blocks.last.seek(block, block.rows() - 1)?;
        let goes_on = next == Some(blocks.last.row());
        let end = range.end.as_ref();
        let end = end.filter(|end| blocks.last.row() >= end.row.as_slice());
        let cut_start = range.start.as_ref().filter(|start| !starts_row(start));
        let mut odd = 0;
        // How many bytes a row has in common with the last that was looked at.
        let mut common = 0;
        loop {
            common = common.min(self.blocks.rows.shared());
            let (at, row) = (self.blocks.rows.index(), self.blocks.rows.row());
            let mut is_odd = goes_on && at + 1 == block.rows();
            let mut is_last = false;
            if let Some(end) = end.filter(|end| row >= end.row.as_slice()) {
                if row != end.row || starts_row(end) {
                    self.flush(block)?;
                    return Ok(false);
                }
                (is_odd, is_last) = (true, true);
            }
            is_odd |= cut_start.is_some_and(|start| start.row == row);
            let cells = self.blocks.cells(block, at);
            if cells.len() > 1 && !is_odd && self.way.joins_cells() {
                let merges = self.way.below.merges_labels;
                is_odd = self.blocks.is_joined(cells.clone(), merges);
            }
            let is_done = at == 0 && self.blocks.staged.as_deref() == Some(row);
            if is_odd && !is_done {
                odd += 1;
                let row = row.to_vec();
                self.flush(block)?;
                if odd > 2 + block.rows() / FEW {
                    return self.stage_rest(block, under);
                }
                self.stage_rows(Key::leading(&row, b"", b"", b""), &row, under)?;
                self.blocks.staged = Some(row);
            } else if !is_done {
                for cell in cells {
                    self.pick(block, cell, shapes, &mut common)?;
                }
            }
            if is_last || !self.blocks.rows.advance(block)? {
                self.flush(block)?;
                return Ok(!is_last);
            }
        }
    }

    /// Sends the row at hand and all behind it in the block through the stages.
    fn stage_rest(&mut self, block: &Block<'_>, under: &mut Under<'_>) -> Step<bool> {
        let start = self.blocks.next_key();
        self.blocks.last.seek(block, block.rows() - 1)?;
        let last = self.blocks.last.row().to_vec();
        self.stage_rows(start, &last, under)?;
        self.blocks.staged = Some(last);
        Ok(true)
    }

    /// Adds a cell that tells alone of its element, if it is asked for: to the columns that follow from the row.
    #[inline(always)]
    fn pick(
        &mut self,
        block: &Block<'_>,
        cell: usize,
        shapes: &mut RowShapes<'_>,
        common: &mut usize,
    ) -> Step<()> {
        let combined = self.blocks.combined.all.get(cell).copied().unwrap_or(NONE);
        if combined == NONE {
            return Ok(());
        }
        let code = shapes.after(self.blocks.rows.row(), *common);
        *common = usize::MAX;
        if code == RowCode::MISFIT {
            return Err(Stop::Unfit);
        }
        let known = self.blocks.memo.shape(code.index());
        let slot = match known.get(combined as usize).copied() {
            None => LEFT_OUT,
            Some(UNKNOWN) => {
                let slot = self.decide(block, cell, code)?;
                self.blocks.memo.set(code.index(), combined, slot);
                slot
            }
            Some(slot) => slot,
        };
        if slot >= LEFT_OUT {
            return Ok(());
        }
        let blocks = &mut self.blocks;
        let Some(kept) = blocks.kept.get(slot as usize) else {
            return Err(Stop::Unfit);
        };
        let row = blocks.rows.row();
        for &(column, part) in &kept.rows {
            let Some(column) = self.decoder.rows.columns.get_mut(column) else {
                continue;
            };
            let Some(part) = part else {
                column.push_null();
                continue;
            };
            let Some(raw) = shapes.part_in(row, part.at, part.is_last) else {
                column.push_null();
                continue;
            };
            if let Some(most) = part.most {
                if is_plain(raw, most) {
                    column.push_text(raw)?;
                    continue;
                }
            }
            match self.way.plan.row_field(kept.shape, part.at) {
                Some(field) => column.push_part(kept.group, field, raw, &mut blocks.scratch)?,
                None => column.push_null(),
            }
        }
        blocks.picked.push(Picked {
            cell: cell as u32,
            slot,
        });
        self.decoder.rows.count += 1;
        Ok(())
    }

    /// Asks the filters about one cell; all of its combination have the answer in common.
    #[cold]
    fn decide(&mut self, block: &Block<'_>, cell: usize, code: RowCode) -> Step<u32> {
        let (blocks, way) = (&mut self.blocks, &self.way);
        blocks.cursor.seek(block, cell)?;
        let mut cell = blocks.cursor.cell(block);
        // A label that cannot be parsed stays as it is.
        let merged = match way.below.merges_labels {
            true => conjunction([cell.key.visibility]).ok(),
            false => None,
        };
        cell.key.visibility = merged.as_deref().unwrap_or(cell.key.visibility);
        let Some(element) = blocks.reader.read(cell)? else {
            return Ok(LEFT_OUT);
        };
        if !way.below.keeps(&element, &mut blocks.scratch)? {
            return Ok(LEFT_OUT);
        }
        let place = element.place();
        let mut rows = Vec::new();
        let classes = way.classes.0.iter().zip(&mut blocks.entries).enumerate();
        for (number, (class, entries)) in classes {
            match class {
                Class::Column => entries.push(&element, &mut blocks.scratch)?,
                _ => entries.push_null(),
            }
            if *class == Class::Row {
                let field = entries.field(place.group);
                let part = field.map(|field| way.plan.part_of(field, place, code.is_ordered()));
                rows.push(match part {
                    Some(Where::Row(at)) => {
                        let most = way.plan.plain_text(place.shape, at);
                        let part = RowPart {
                            at,
                            is_last: way.plan.is_last_field(place.shape, at),
                            most: most.filter(|_| entries.takes_text(place.group)),
                        };
                        (number, Some(part))
                    }
                    _ => (number, None),
                });
            }
        }
        blocks.kept.push(Kept {
            group: place.group,
            shape: place.shape,
            rows,
        });
        Ok(blocks.kept.len() as u32 - 1)
    }

    /// Adds the cells that were picked to the other columns.
    fn flush(&mut self, block: &Block<'_>) -> Step<()> {
        let (blocks, way) = (&mut self.blocks, &self.way);
        if blocks.picked.is_empty() {
            return Ok(());
        }
        let (picked, kept) = (&blocks.picked, &blocks.kept);
        let group_of = |picked: &Picked| {
            let kept = kept.get(picked.slot as usize);
            kept.map_or(0, |kept| kept.group)
        };
        blocks.groups.clear();
        for picked in picked {
            let group = group_of(picked);
            if blocks.groups.last() != Some(&group) && !blocks.groups.contains(&group) {
                blocks.groups.push(group);
            }
        }
        check_properties(way, block, &blocks.groups)?;
        let columns = way.classes.0.iter().zip(&mut self.decoder.rows.columns);
        for ((class, column), entries) in columns.zip(&blocks.entries) {
            match class {
                Class::Row => {}
                Class::Column => {
                    let places = picked.iter().map(|picked| picked.slot as usize);
                    column.push_entries(entries, places)?;
                }
                Class::Time => {
                    let times = blocks.times.open(block)?;
                    for picked in picked {
                        column.push_time(group_of(picked), times.get(picked.cell as usize))?;
                    }
                }
                Class::Property => {
                    let count = way.plan.model().groups.len();
                    blocks.states.resize_with(count, StateColumns::default);
                    let mut opened = Vec::with_capacity(count);
                    for (group, states) in blocks.states.iter_mut().enumerate() {
                        let field = entries
                            .field(group)
                            .filter(|_| blocks.groups.contains(&group));
                        let at = field.and_then(|field| way.plan.property_of(field, group));
                        opened.push(match at {
                            Some(at) => states.open(block, &way.plan, group, at)?.zip(Some(at)),
                            None => None,
                        });
                    }
                    add_states(way, column, picked, &opened, &group_of, &mut blocks.scratch)?;
                }
            }
        }
        blocks.picked.clear();
        Ok(())
    }
}

type Opened<'a> = Option<(crate::columns::StateColumn<'a>, usize)>;

/// Adds the states of a property by cell.
fn add_states(
    way: &Way,
    column: &mut FrameColumn,
    picked: &[Picked],
    opened: &[Opened<'_>],
    group_of: &dyn Fn(&Picked) -> usize,
    scratch: &mut Vec<u8>,
) -> Step<()> {
    let aggregator = |group: usize, at: usize| way.plan.value(group)?.aggregator(at);
    // The loop is made once for what nearly all tables have: one group, and whole numbers that are added up.
    if let [Some((states, at))] = opened {
        let is_sum = aggregator(0, *at)
            .is_some_and(|one| one.kind() == Kind::Sum && *one.codec() == Codec::Int);
        if is_sum && column.takes_numbers(0) {
            for picked in picked {
                match states.number(picked.cell as usize)? {
                    Some(number) => column.push_number(number),
                    None => column.push_null(),
                }
            }
            return Ok(());
        }
    }
    for picked in picked {
        let group = group_of(picked);
        let Some(Some((states, at))) = opened.get(group) else {
            column.push_null();
            continue;
        };
        let state = states.state(picked.cell as usize)?;
        match state.zip(aggregator(group, *at)) {
            Some((state, aggregator)) => column.push_state(group, aggregator, state, scratch)?,
            None => column.push_null(),
        }
    }
    Ok(())
}

/// Refuses values with properties that the plan does not name.
fn check_properties(way: &Way, block: &Block<'_>, groups: &[usize]) -> Step<()> {
    let Some(properties) = block.properties() else {
        return Ok(());
    };
    for &group in groups {
        let Some(group) = way.plan.model().groups.get(group) else {
            continue;
        };
        let known = |id: usize| group.properties.iter().any(|one| one.id as usize == id);
        if group.form == ValueForm::Tagged && !properties.iter().all(|one| known(one.id)) {
            return Err(Stop::Unfit);
        }
    }
    Ok(())
}
