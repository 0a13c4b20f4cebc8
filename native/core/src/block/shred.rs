//! Tagged values taken apart: the states of each property are a column of their own.
//!
//! A tagged value (`spec/scan.md`, section 6) has exactly one form, so putting the states together again
//! gives the same bytes. What is not in that form is not taken apart.

use super::encoding;
use super::span::{read_varint, write_varint, Span, Walk};
use super::strings::{self, Scratch, Strings};
use crate::Result;

/// The column of one property of the values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShreddedProperty {
    pub id: usize,
    pub states: Strings,
}

pub(super) fn read(body: &[u8], place: Span, count: usize) -> Result<Vec<ShreddedProperty>> {
    let mut walk = Walk::new(body, place)?;
    let properties = walk.varint()?;
    let mut heads = Vec::new();
    for _ in 0..properties {
        heads.push((walk.varint()?, walk.byte()?, walk.u32()?));
    }
    heads
        .into_iter()
        .map(|(id, kind, length)| {
            let span = walk.take(length)?;
            let states = Strings::read(body, kind, span, count)?;
            Ok(ShreddedProperty { id, states })
        })
        .collect()
}

/// Puts the value of a cell together.
pub(super) fn rebuild(
    body: &[u8],
    properties: &[ShreddedProperty],
    cell: usize,
    out: &mut Vec<u8>,
) -> Result<()> {
    out.clear();
    append(body, properties, cell, out)
}

/// The same, behind what `out` holds.
#[inline]
pub(super) fn append(
    body: &[u8],
    properties: &[ShreddedProperty],
    cell: usize,
    out: &mut Vec<u8>,
) -> Result<()> {
    out.push(1);
    for property in properties {
        let state = property.states.span(body, cell)?;
        write_varint(property.id, out);
        write_varint(state.len(), out);
        out.extend_from_slice(state.of(body));
    }
    Ok(())
}

/// The places of the states of values that all have the same properties.
#[derive(Debug, Default)]
pub(super) struct Shredder {
    ids: Vec<usize>,
    /// For each value the place of each state, in the order of the ids.
    states: Vec<(u32, u32)>,
}

impl Shredder {
    /// Takes values apart; `false` where one is not tagged or has other ids.
    pub fn shred<'a>(&mut self, count: usize, value: impl Fn(usize) -> &'a [u8]) -> bool {
        self.ids.clear();
        self.states.clear();
        if count == 0 || !parse(value(0), |id, _, _| self.ids.push(id)) || self.ids.is_empty() {
            return false;
        }
        (0..count).all(|place| {
            let (mut seen, mut same) = (0, true);
            let whole = parse(value(place), |id, start, end| {
                same &= self.ids.get(seen) == Some(&id);
                seen += 1;
                self.states.push((start as u32, end as u32));
            });
            whole && same && seen == self.ids.len()
        })
    }

    /// Appends what [`Shredder::shred`] found.
    pub fn write<'a>(
        &self,
        count: usize,
        value: impl Fn(usize) -> &'a [u8],
        scratch: &mut Scratch,
        out: &mut Vec<u8>,
    ) -> u8 {
        let many = self.ids.len();
        let state = |place: usize, cell: usize| {
            let (start, end) = self
                .states
                .get(cell * many + place)
                .copied()
                .unwrap_or_default();
            value(cell)
                .get(start as usize..end as usize)
                .unwrap_or_default()
        };
        write(&self.ids, count, state, scratch, out)
    }
}

/// Appends the states of properties; `state` gives that of a property, by its place, and a cell.
pub(super) fn write<'a>(
    ids: &[usize],
    count: usize,
    state: impl Fn(usize, usize) -> &'a [u8],
    scratch: &mut Scratch,
    out: &mut Vec<u8>,
) -> u8 {
    write_varint(ids.len(), out);
    let mut contents = Vec::new();
    for (place, &id) in ids.iter().enumerate() {
        let before = contents.len();
        let kind = strings::encode(count, |cell| state(place, cell), scratch, &mut contents);
        write_varint(id, out);
        out.push(kind);
        out.extend_from_slice(&((contents.len() - before) as u32).to_le_bytes());
    }
    out.extend_from_slice(&contents);
    encoding::SHREDDED
}

/// Gives id, start and end of each state; `false` where the bytes are no tagged value.
pub(super) fn parse(value: &[u8], mut state: impl FnMut(usize, usize, usize)) -> bool {
    if value.first() != Some(&1) {
        return false;
    }
    let mut place = 1;
    let mut before = None;
    while place < value.len() {
        let Some((id, first)) = read_varint(value.get(place..).unwrap_or_default()) else {
            return false;
        };
        place += first;
        let Some((length, second)) = read_varint(value.get(place..).unwrap_or_default()) else {
            return false;
        };
        place += second;
        if length > value.len() - place || before >= Some(id) {
            return false;
        }
        state(id, place, place + length);
        place += length;
        before = Some(id);
    }
    true
}
