//! Parts of cells on their way into blocks: as bytes, or as codes into a dictionary.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::dictionary::Dictionary;
use super::packed::write;
use super::unpacked::Coded;
use super::{encoding, strings};

/// Byte strings one after the other.
#[derive(Debug, Default)]
pub(super) struct Raw {
    pub data: Vec<u8>,
    pub ends: Vec<usize>,
}

impl Raw {
    #[inline]
    pub fn get(&self, item: usize) -> &[u8] {
        let start = match item.checked_sub(1) {
            Some(before) => self.ends.get(before).copied().unwrap_or_default(),
            None => 0,
        };
        let end = self.ends.get(item).copied().unwrap_or_default();
        self.data.get(start..end).unwrap_or_default()
    }

    #[inline]
    pub fn push(&mut self, item: &[u8]) {
        self.data.extend_from_slice(item);
        self.ends.push(self.data.len());
    }

    pub fn clear(&mut self) {
        self.data.clear();
        self.ends.clear();
    }

    /// Forgets all items behind the first `items`.
    pub fn truncate(&mut self, items: usize) {
        self.ends.truncate(items);
        self.data.truncate(self.ends.last().copied().unwrap_or(0));
    }

    /// Takes some neighbouring items of another.
    pub fn extend(&mut self, other: &Raw, items: Range<usize>) {
        let start = match items.start.checked_sub(1) {
            Some(before) => other.ends.get(before).copied().unwrap_or_default(),
            None => 0,
        };
        let ends = other.ends.get(items).unwrap_or_default();
        let end = ends.last().copied().unwrap_or(start);
        let held = self.data.len();
        self.data
            .extend_from_slice(other.data.get(start..end).unwrap_or_default());
        self.ends.extend(ends.iter().map(|end| end - start + held));
    }

    pub fn drain(&mut self, items: usize) {
        let Some(last) = items.checked_sub(1) else {
            return;
        };
        let bytes = self.ends.get(last).copied().unwrap_or(self.data.len());
        self.data.drain(..bytes);
        self.ends.drain(..items.min(self.ends.len()));
        self.ends.iter_mut().for_each(|end| *end -= bytes);
    }
}

/// A column of codes, with the dictionary they belong to.
#[derive(Debug, Default)]
pub(super) struct Codes {
    dictionary: Dictionary,
    codes: Vec<u32>,
    numbers: Vec<u32>,
    /// Names the dictionary for those who remember its codes; 0 until somebody asks.
    name: u64,
}

/// The names of dictionaries so far.
static NAMES: AtomicU64 = AtomicU64::new(0);

impl Codes {
    #[inline]
    pub fn get(&self, cell: usize) -> &[u8] {
        match self.codes.get(cell) {
            Some(&code) => self.dictionary.get(code),
            None => &[],
        }
    }

    /// Takes an item; gives a guess of the bytes it costs.
    pub fn push(&mut self, item: &[u8]) -> usize {
        let entries = self.dictionary.len();
        let code = match self.codes.last() {
            Some(&last) if self.dictionary.get(last) == item => last,
            _ => self.dictionary.code(item),
        };
        self.codes.push(code);
        let fresh = self.dictionary.len() > entries;
        usize::from(entries > 1) + if fresh { item.len() + 1 } else { 0 }
    }

    /// Takes neighbouring items of a block; gives a guess of what new entries cost. Each entry of the
    /// block is looked up once.
    pub fn extend(&mut self, other: &mut Coded, cells: Range<usize>) -> usize {
        if self.name == 0 {
            self.name = NAMES.fetch_add(1, Ordering::Relaxed) + 1;
        }
        if other.of != self.name {
            other.known.clear();
            other.known.resize(other.entries.ends.len(), None);
            other.of = self.name;
        }
        let (held, size) = (self.dictionary.len(), self.dictionary.size());
        for &code in other.codes.get(cells).unwrap_or_default() {
            let known = other.known.get(code as usize).copied().flatten();
            let own = known.unwrap_or_else(|| {
                let own = self.dictionary.code(other.entries.get(code as usize));
                if let Some(known) = other.known.get_mut(code as usize) {
                    *known = Some(own);
                }
                own
            });
            self.codes.push(own);
        }
        self.dictionary.len() - held + self.dictionary.size() - size
    }

    pub fn drain(&mut self, cells: usize) {
        self.codes.drain(..cells);
        // Labels that no cell has any more would stay for ever otherwise.
        if self.dictionary.len() > 1024 + 4 * self.codes.len() {
            let old = std::mem::take(&mut self.dictionary);
            self.name = 0;
            for code in &mut self.codes {
                *code = self.dictionary.code(old.get(*code));
            }
        }
    }

    pub fn encode(&mut self, cells: Range<usize>, out: &mut Vec<u8>) -> u8 {
        const UNUSED: u32 = u32::MAX;
        let codes = self.codes.get(cells).unwrap_or_default();
        let first = codes.first().copied().unwrap_or_default();
        if codes.iter().all(|&code| code == first) {
            out.extend_from_slice(self.dictionary.get(first));
            return encoding::CONSTANT;
        }
        self.numbers.clear();
        self.numbers.resize(self.dictionary.len(), UNUSED);
        let mut used = Vec::new();
        for &code in codes {
            if let Some(number) = self.numbers.get_mut(code as usize) {
                if *number == UNUSED {
                    *number = used.len() as u32;
                    used.push(code);
                }
            }
        }
        out.extend_from_slice(&(used.len() as u32).to_le_bytes());
        let numbers = codes
            .iter()
            .map(|&code| u64::from(self.numbers.get(code as usize).copied().unwrap_or_default()));
        write(numbers, used.len() as u64 - 1, out);
        strings::write_entries(used.len(), |entry| self.dictionary.get(used[entry]), out);
        encoding::DICTIONARY
    }
}
