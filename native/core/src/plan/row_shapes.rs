//! The shapes of many rows in order, without looking twice at bytes that rows share.
//!
//! Rows come as a block stores them: how many bytes each shares with the one before, and the rest. A row is read
//! whole once (the *anchor*); the rows behind it have its shape for certain while
//! - they share all bytes up to the anchor's last field, and the bytes at which each shape tried before failed; or such
//!   a shape is a *twin*: the same parts but for the last const;
//! - the last field is plain text (no escape, ASCII), so that no codec could refuse it, and ends where the anchor's
//!   const follows to the end.
//!
//! Anything else is read whole again, at a glance where that is enough. So the answer is always that of [`Reader::place`](super::Reader::place).

use super::glance::{glances, greatest, Glance};
use super::model::{Form, Part};
use super::parts::{Misfit, Span};
use super::plain::{find_zero, is_plain, is_plain_word, is_same, TWOS};
use super::slots::Slot;
use super::{Place, Plan};
use crate::block::{shows, RowEntries};

/// The number of a shape and whether the first end is not the greater one; [`RowCode::MISFIT`] fits none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowCode(u16);

impl RowCode {
    pub const MISFIT: RowCode = RowCode(u16::MAX);

    fn new(shape: usize, ordered: bool) -> RowCode {
        RowCode((shape * 2) as u16 | u16::from(ordered))
    }

    /// The number of the shape.
    pub fn shape(self) -> Option<usize> {
        (self != RowCode::MISFIT).then_some(usize::from(self.0) / 2)
    }

    /// Whether the first end is not the greater one.
    pub fn is_ordered(self) -> bool {
        self.0 & 1 == 1
    }

    /// A small number of its own.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Reads rows in order.
#[derive(Debug)]
pub struct RowShapes<'p> {
    plan: &'p Plan,
    /// The last row that was read whole; the row before has its first `held` bytes.
    row: Vec<u8>,
    held: usize,
    /// The length of the row before.
    length: usize,
    code: RowCode,
    /// How many bytes a row must share with the anchor to have its shape; none does where it is `usize::MAX`.
    stable: usize,
    /// What stands behind the last field, and the same as a number with the bits that it takes.
    tail: &'p [u8],
    tail_word: u64,
    tail_bits: u64,
    /// The greatest byte that the last field may hold, less two.
    most: u8,
    glances: Vec<Glance<'p>>,
    spans: Vec<Span>,
    scratch: Vec<u8>,
    other: Vec<u8>,
}

impl<'p> RowShapes<'p> {
    pub fn new(plan: &'p Plan) -> RowShapes<'p> {
        RowShapes {
            plan,
            row: Vec::new(),
            held: 0,
            length: 0,
            code: RowCode::MISFIT,
            stable: usize::MAX,
            tail: &[],
            tail_word: 0,
            tail_bits: 0,
            most: 0,
            glances: glances(plan),
            spans: Vec::new(),
            scratch: Vec::new(),
            other: Vec::new(),
        }
    }

    /// Whether the code of a row says all about its direction: ends that are compared stand in the row, and so does what
    /// tells the shape.
    pub fn suits(plan: &Plan) -> bool {
        let places = plan.model.groups.iter().enumerate().flat_map(|(group, _)| {
            (0..plan.model.rows.len()).map(move |shape| Place { group, shape })
        });
        let in_row = |slot: Slot| matches!(slot, Slot::Row(_));
        let decided = |place: Place| match plan.direction(place) {
            Some(direction) if direction.compares() && plan.serves(place) => plan
                .ends(place)
                .is_some_and(|(first, second)| in_row(first) && in_row(second)),
            _ => true,
        };
        let mut places = places;
        plan.model.rows.len() < 1 << 14 && !plan.has_own_families && places.all(decided)
    }

    /// Whether rows of one form have one shape: consts are bytes that a form shows, and fields take any text.
    pub fn follow_forms(plan: &Plan) -> bool {
        let shown = |part: &Part| match part {
            Part::Const(data) => shows(data),
            Part::Field(field) => greatest(field).is_some(),
        };
        let mut parts = plan.model.rows.iter().flat_map(|shape| &shape.parts);
        parts.all(shown)
    }

    /// Whether rows of this code's shape differ in what their ends say.
    pub fn compares(&self, code: RowCode) -> bool {
        let shape = code.shape().and_then(|at| self.plan.model.rows.get(at));
        let direction = shape.and_then(|shape| shape.direction);
        direction.is_some_and(|direction| direction.compares())
    }

    /// The code of the row before.
    pub fn code(&self) -> RowCode {
        self.code
    }

    /// Passes over at most `most` rows that have the shape of the one before for certain, and gives how many. Made for rows
    /// whose last bytes alone differ, a handful of them: there is no loop over these, and no branch that follows
    /// their number, which no processor could foresee.
    #[inline(always)]
    pub fn pass(&mut self, entries: &mut RowEntries<'_>, most: usize) -> usize {
        let (stable, tail, allowed) = (self.stable, self.tail.len(), self.most);
        let (tail_word, tail_bits) = (self.tail_word, self.tail_bits);
        let (mut held, mut before) = (self.held, self.length);
        let passed = entries.pass(most, |shared, length, word| {
            // The shared bytes must end inside the last field, and so must the rest begin there.
            if shared < stable || shared + tail > before || length < tail || length > 8 {
                return false;
            }
            let bits = 8 * (length - tail) as u32;
            let field = (1u64.wrapping_shl(bits)).wrapping_sub(1);
            let fits = bits < 64
                && word.wrapping_shr(bits) & tail_bits == tail_word
                && is_plain_word(word & field | TWOS & !field, allowed);
            if fits {
                held = held.min(shared);
                before = shared + length;
            }
            fits
        });
        (self.held, self.length) = (held, before);
        passed
    }

    /// The next row; `None` where it cannot be known from these bytes: then [`RowShapes::whole`] must be called.
    pub fn next(&mut self, shared: usize, rest: &[u8]) -> Option<RowCode> {
        let length = shared + rest.len();
        if shared >= self.stable {
            if shared + self.tail.len() <= self.length && self.fits(rest) {
                self.held = self.held.min(shared);
                self.length = length;
                return Some(self.code);
            }
        } else if shared == 0 && self.stable != usize::MAX {
            let stable = self.stable;
            if let Some((first, last)) = rest.split_at_checked(stable) {
                let row = self.row.get(..stable).unwrap_or_default();
                if is_same(row, first) && self.fits(last) {
                    // The rest of this row is not kept: none behind it can need more of it and fit.
                    self.held = self.held.min(stable);
                    self.length = length;
                    return Some(self.code);
                }
            }
        }
        if shared > self.held {
            return None;
        }
        self.row.truncate(shared);
        self.row.extend_from_slice(rest);
        Some(self.anchor())
    }

    /// The next row, of which so many bytes are certainly those of the row before. Nothing of it is kept: parts of it are
    /// those of [`RowShapes::part_in`].
    #[inline(always)]
    pub fn after(&mut self, row: &[u8], shared: usize) -> RowCode {
        if let Some((first, last)) = row.split_at_checked(self.stable) {
            let is_stable = shared >= self.stable || self.row.get(..self.stable) == Some(first);
            if is_stable && self.fits(last) {
                (self.held, self.length) = (self.held.min(self.stable), row.len());
                return self.code;
            }
        }
        self.whole(row)
    }

    /// A part of the row that was given to [`RowShapes::after`] last, in its own bytes; `is_last` tells whether it is the last field.
    #[inline(always)]
    pub fn part_in<'r>(&self, row: &'r [u8], at: usize, is_last: bool) -> Option<&'r [u8]> {
        let span = self.spans.get(at)?;
        if self.stable == usize::MAX || !is_last {
            return Some(span.of(row));
        }
        row.get(span.start()..row.len().checked_sub(self.tail.len())?)
    }

    /// The next row, given whole.
    pub fn whole(&mut self, row: &[u8]) -> RowCode {
        self.row.clear();
        self.row.extend_from_slice(row);
        self.anchor()
    }

    /// Whether these are plain bytes and then the const that ends the shape.
    #[inline(always)]
    fn fits(&self, rest: &[u8]) -> bool {
        let Some((field, end)) = rest
            .len()
            .checked_sub(self.tail.len())
            .and_then(|at| rest.split_at_checked(at))
        else {
            return false;
        };
        is_same(end, self.tail) && is_plain(field, self.most)
    }

    fn anchor(&mut self) -> RowCode {
        self.held = self.row.len();
        self.length = self.row.len();
        self.stable = usize::MAX;
        self.code = RowCode::MISFIT;
        if self.glance().is_some() {
            return self.code;
        }
        let plan = self.plan;
        let (mut needed, mut found) = (0, None);
        for (shape, parts) in plan.shapes().iter().enumerate() {
            match parts.read(&self.row, &mut self.spans, &mut self.scratch) {
                Ok(()) => {
                    found = Some(shape);
                    break;
                }
                Err(misfit) => {
                    let failed = self.failed_at(shape, &misfit);
                    needed = needed.max(failed.unwrap_or(usize::MAX));
                }
            }
        }
        let Some(shape) = found else {
            return self.code;
        };
        if needed == usize::MAX {
            needed = self.needed_with_twins(shape);
            // Reading again to have the spans of this shape.
            if let Some(parts) = plan.shapes().get(shape) {
                let _ = parts.read(&self.row, &mut self.spans, &mut self.scratch);
            }
        }
        self.code = RowCode::new(shape, self.is_ordered(shape));
        self.settle(shape, needed);
        self.code
    }

    /// Cuts the row where a glance is enough.
    fn glance(&mut self) -> Option<()> {
        let row = self.row.as_slice();
        let (first, rest) = row.split_at_checked(find_zero(row)?)?;
        let starts_with = |middle: &[u8]| {
            let start = rest.get(..middle.len());
            start.is_some_and(|start| is_same(start, middle))
        };
        let mut glances = self.glances.iter();
        let found = glances.find(|one| starts_with(one.middle))?;
        let last = rest.get(found.middle.len()..)?;
        let (last, tail) = last.split_at_checked(last.len().checked_sub(found.tail.len())?)?;
        if !is_same(tail, found.tail) {
            return None;
        }
        if !is_plain(first, found.most.0) || !is_plain(last, found.most.1) {
            return None;
        }
        let stable = first.len() + found.told;
        let start = first.len() + found.middle.len();
        let end = start + last.len();
        if stable > row.len() {
            return None;
        }
        self.spans.clear();
        self.spans.extend([
            Span::new(0, first.len()),
            Span::new(first.len(), start),
            Span::new(start, end),
            Span::new(end, row.len()),
        ]);
        self.code = RowCode::new(found.shape, true);
        self.most = found.most.1;
        let tail = found.tail;
        self.end_with(tail);
        self.stable = stable;
        Some(())
    }

    fn end_with(&mut self, tail: &'p [u8]) {
        self.tail = tail;
        let number = |number: u64, &byte: &u8| number << 8 | u64::from(byte);
        // A longer one is not looked at as a number.
        let few = tail.get(..tail.len().min(8)).unwrap_or_default();
        self.tail_word = few.iter().rev().fold(0, number);
        self.tail_bits = few.iter().fold(0, |bits, _| bits << 8 | 0xff);
    }

    /// How many bytes a row must share with this one to fail the same way.
    fn failed_at(&self, shape: usize, misfit: &Misfit) -> Option<usize> {
        match misfit {
            Misfit::Left { count } => Some(self.row.len() - count + 1),
            Misfit::Const { at } => {
                let parts = &self.plan.model.rows.get(shape)?.parts;
                match parts.get(self.spans.len()) {
                    Some(Part::Const(data)) => Some(at + data.len()),
                    _ => None,
                }
            }
            Misfit::Codec(_) => None,
        }
        .filter(|&needed| needed <= self.row.len())
    }

    /// The same over all shapes before the one that fits, leaving out its twins.
    fn needed_with_twins(&mut self, found: usize) -> usize {
        let mut needed = 0;
        let plan = self.plan;
        for (shape, parts) in plan.shapes().iter().enumerate().take(found) {
            if is_twin(plan, shape, found) {
                continue;
            }
            let read = parts.read(&self.row, &mut self.spans, &mut self.scratch);
            let failed = read.err().and_then(|misfit| self.failed_at(shape, &misfit));
            needed = needed.max(failed.unwrap_or(usize::MAX));
        }
        needed
    }

    fn is_ordered(&mut self, shape: usize) -> bool {
        let plan = self.plan;
        let places = (0..plan.model.groups.len()).map(|group| Place { group, shape });
        let compares = |place: &Place| {
            plan.direction(*place)
                .is_some_and(|direction| direction.compares())
        };
        let Some(place) = places.filter(compares).find(|place| plan.serves(*place)) else {
            return true;
        };
        let part = |slot: Slot| match slot {
            Slot::Row(at) => {
                let field = plan.row_parts(place)?.field(at)?;
                Some((field, self.spans.get(at)?.of(&self.row)))
            }
            _ => None,
        };
        let ends = plan.ends(place).and_then(|(a, b)| part(a).zip(part(b)));
        let Some((first, second)) = ends else {
            return true;
        };
        // What was just read has a key form.
        let a = first.0.key_or_null(first.1, &mut self.scratch);
        let b = second.0.key_or_null(second.1, &mut self.other);
        match (a, b) {
            (Ok(a), Ok(b)) => a <= b,
            _ => true,
        }
    }

    /// Says which rows behind this one have its shape.
    fn settle(&mut self, shape: usize, needed: usize) {
        let Some(model) = self.plan.model.rows.get(shape) else {
            return;
        };
        if model.direction.is_some_and(|one| one.compares()) {
            return;
        }
        let (last, tail) = match model.parts.as_slice() {
            [.., Part::Field(_), Part::Const(tail)] => (model.parts.len() - 2, tail.as_slice()),
            [.., Part::Field(_)] => (model.parts.len() - 1, [].as_slice()),
            _ => return,
        };
        let Some(Part::Field(field)) = model.parts.get(last) else {
            return;
        };
        let Some((most, span)) = greatest(field).zip(self.spans.get(last).copied()) else {
            return;
        };
        self.most = most;
        if is_plain(span.of(&self.row), most) {
            self.end_with(tail);
            self.stable = needed.max(span.start());
        }
    }
}

/// Whether two shapes differ in their last const only, so that no row fits both.
fn is_twin(plan: &Plan, shape: usize, other: usize) -> bool {
    let parts = |shape: usize| plan.model.rows.get(shape).map(|one| one.parts.as_slice());
    let (Some([a @ .., Part::Const(x)]), Some([b @ .., Part::Const(y)])) =
        (parts(shape), parts(other))
    else {
        return false;
    };
    let alike = |(a, b): (&Part, &Part)| match (a, b) {
        (Part::Const(a), Part::Const(b)) => a == b,
        (Part::Field(a), Part::Field(b)) => {
            (&a.codec, a.form, a.descending, a.nulls) == (&b.codec, b.form, b.descending, b.nulls)
        }
        _ => false,
    };
    let ends_in_text = matches!(a.last(), Some(Part::Field(field)) if field.form == Form::Escaped);
    x != y && ends_in_text && a.len() == b.len() && a.iter().zip(b).all(alike)
}
