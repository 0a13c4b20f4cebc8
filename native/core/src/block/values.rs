//! Values on their way into blocks: taken apart by property for as long as all have the same ones.
//!
//! Values that are taken apart already are copied from block to block by property, never put together.

use std::ops::Range;

use super::items::Raw;
use super::layout;
use super::shred::{self, Shredder};
use super::span::write_varint;
use super::strings::{self, Scratch};
use super::unpacked::{read_strings, Numbers};
use crate::Result;

/// Values, whole or taken apart.
#[derive(Debug, Default)]
pub(super) struct ValueColumn {
    whole: Raw,
    /// The properties that all values have; none while values are whole.
    ids: Vec<usize>,
    /// The states of each property; behind those are empty columns, kept for their buffers.
    states: Vec<Raw>,
    shredder: Shredder,
}

impl ValueColumn {
    fn len(&self) -> usize {
        match self.states.first() {
            Some(states) if !self.is_whole() => states.ends.len(),
            _ => self.whole.ends.len(),
        }
    }

    fn is_whole(&self) -> bool {
        self.ids.is_empty()
    }

    /// Reads the values of a block, in place of what was held.
    pub fn read(
        &mut self,
        body: &[u8],
        values: &layout::Values,
        count: usize,
        numbers: &mut Numbers,
    ) -> Result<()> {
        self.clear();
        match values {
            layout::Values::Whole(values) => {
                read_strings(body, values, count, &mut self.whole, numbers)
            }
            layout::Values::Shredded(properties) if properties.is_empty() => {
                (0..count).for_each(|_| self.whole.push(&[1]));
                Ok(())
            }
            layout::Values::Shredded(properties) => {
                self.set_ids(properties.iter().map(|property| property.id));
                for (property, states) in properties.iter().zip(&mut self.states) {
                    read_strings(body, &property.states, count, states, numbers)?;
                }
                Ok(())
            }
        }
    }

    pub fn clear(&mut self) {
        self.whole.clear();
        self.ids.clear();
        self.states.iter_mut().for_each(Raw::clear);
    }

    /// Says which properties the values have that come; there must be none yet.
    fn set_ids(&mut self, ids: impl Iterator<Item = usize>) {
        self.ids.clear();
        self.ids.extend(ids);
        let columns = self.states.len().max(self.ids.len());
        self.states.resize_with(columns, Raw::default);
    }

    /// The most bytes that one of its columns holds.
    pub fn widest(&self) -> usize {
        let columns = self.states.iter().chain([&self.whole]);
        columns
            .map(|held| held.data.len())
            .max()
            .unwrap_or_default()
    }

    /// A value, put together in `scratch` where it is taken apart.
    pub fn get<'a>(&'a self, item: usize, scratch: &'a mut Vec<u8>) -> &'a [u8] {
        if self.is_whole() {
            return self.whole.get(item);
        }
        scratch.clear();
        self.join(item, scratch);
        scratch
    }

    /// Puts a value together that is taken apart, behind what `out` holds.
    fn join(&self, item: usize, out: &mut Vec<u8>) {
        out.push(1);
        for (id, states) in self.ids.iter().zip(&self.states) {
            let state = states.get(item);
            write_varint(*id, out);
            write_varint(state.len(), out);
            out.extend_from_slice(state);
        }
    }

    /// About how many bytes a value takes.
    pub fn length(&self, item: usize) -> usize {
        match self.is_whole() {
            true => self.whole.get(item).len(),
            false => {
                let own = self.states.iter().take(self.ids.len());
                1 + own.fold(0, |sum, states| sum + 2 + states.get(item).len())
            }
        }
    }

    /// Adds to each number about how many bytes the value takes.
    pub fn add_lengths(&self, out: &mut [usize]) {
        let add = |column: &Raw, more: usize, out: &mut [usize]| {
            let mut start = 0;
            for (length, &end) in out.iter_mut().zip(&column.ends) {
                *length += end - start + more;
                start = end;
            }
        };
        add(&self.whole, 0, out);
        for states in &self.states {
            add(states, 2, out);
        }
    }

    pub fn push(&mut self, value: &[u8]) {
        if self.len() == 0 {
            self.clear();
            let mut ids = Vec::new();
            if shred::parse(value, |id, _, _| ids.push(id)) {
                self.set_ids(ids.into_iter());
            }
        }
        if self.is_whole() {
            self.whole.push(value);
        } else if !self.push_apart(value) {
            self.make_whole();
            self.whole.push(value);
        }
    }

    /// Adds a value to the columns of its properties; `false`, and nothing added, if it has others.
    fn push_apart(&mut self, value: &[u8]) -> bool {
        let held = self.len();
        let (ids, states) = (&self.ids, &mut self.states);
        let (mut seen, mut same) = (0, true);
        let tagged = shred::parse(value, |id, start, end| {
            same &= ids.get(seen) == Some(&id);
            if let (true, Some(states)) = (same, states.get_mut(seen)) {
                states.push(value.get(start..end).unwrap_or_default());
            }
            seen += 1;
        });
        let fits = tagged && same && seen == ids.len();
        if !fits {
            self.states
                .iter_mut()
                .for_each(|held_states| held_states.truncate(held));
        }
        fits
    }

    /// Takes neighbouring values of another column.
    pub fn extend(&mut self, other: &ValueColumn, items: Range<usize>) {
        if self.len() == 0 {
            self.clear();
            self.set_ids(other.ids.iter().copied());
        }
        if self.ids == other.ids {
            self.whole.extend(&other.whole, items.clone());
            for (own, states) in self.states.iter_mut().zip(&other.states) {
                own.extend(states, items.clone());
            }
            return;
        }
        let mut scratch = Vec::new();
        for item in items {
            self.push(other.get(item, &mut scratch));
        }
    }

    fn make_whole(&mut self) {
        let mut whole = std::mem::take(&mut self.whole);
        whole.clear();
        self.put_together(0..self.len(), &mut whole);
        self.clear();
        self.whole = whole;
    }

    fn put_together(&self, items: Range<usize>, out: &mut Raw) {
        for item in items {
            self.join(item, &mut out.data);
            out.ends.push(out.data.len());
        }
    }

    pub fn drain(&mut self, items: usize) {
        if items >= self.len() {
            return self.clear();
        }
        self.whole.drain(items);
        self.states
            .iter_mut()
            .for_each(|states| states.drain(items));
    }

    /// Appends some values in their smallest encoding and returns it; taken apart only if `may_shred`.
    pub fn encode(
        &mut self,
        items: Range<usize>,
        may_shred: bool,
        scratch: &mut Scratch,
        out: &mut Vec<u8>,
    ) -> u8 {
        let (start, count) = (items.start, items.len());
        if !self.is_whole() {
            if may_shred {
                let state = |place: usize, item: usize| match self.states.get(place) {
                    Some(states) => states.get(start + item),
                    None => &[],
                };
                return shred::write(&self.ids, count, state, scratch, out);
            }
            let mut whole = Raw::default();
            self.put_together(items, &mut whole);
            return strings::encode(count, |item| whole.get(item), scratch, out);
        }
        let item = |item: usize| self.whole.get(start + item);
        if may_shred && self.shredder.shred(count, item) {
            return self.shredder.write(count, item, scratch, out);
        }
        strings::encode(count, item, scratch, out)
    }
}
