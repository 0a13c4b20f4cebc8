//! What was decided for each combination of shape, family, label and qualifier.
//!
//! Combinations are numbers in a dense table, small enough to stay in the processor's cache. When it would grow past
//! its limit it starts afresh; nothing but time is lost.

use crate::block::{Block, Dictionary, Strings};
use crate::Result;

/// The term of what is not wanted or not visible: greater than every index.
pub const NONE: u32 = u32::MAX;
/// The most combinations that are remembered.
const LIMIT: usize = 1 << 18;

/// How many short strings are found without hashing.
const LATELY: usize = 256;

/// Not decided yet.
pub const UNKNOWN: u32 = u32::MAX;
/// Decided: left out.
pub const LEFT_OUT: u32 = u32::MAX - 1;

/// One dimension of the table: the distinct byte strings of a column, and what each adds to an index.
#[derive(Debug, Default)]
pub struct Dimension {
    known: Dictionary,
    /// Short strings met lately with their numbers: every block has them, and hashing all takes longer than a look here.
    lately: Vec<(u64, u32)>,
    /// How many strings there is room for; a power of two.
    room: usize,
    /// For each code of the block at hand.
    pub terms: Vec<u32>,
}

/// The table.
#[derive(Debug)]
pub struct Memo {
    pub families: Dimension,
    pub labels: Dimension,
    pub qualifiers: Dimension,
    codes: usize,
    table: Vec<u32>,
    /// How far apart the entries of two shapes are.
    stride: usize,
}

impl Memo {
    /// `codes` is how many numbers a shape can have.
    pub fn new(codes: usize) -> Memo {
        let mut memo = Memo {
            families: Dimension::default(),
            labels: Dimension::default(),
            qualifiers: Dimension::default(),
            codes,
            table: Vec::new(),
            stride: 0,
        };
        for dimension in memo.dimensions() {
            dimension.room = 8;
        }
        memo.restart();
        memo
    }

    /// Whether the columns of a block are codes, and few enough of them.
    pub fn suits(&self, block: &Block<'_>) -> bool {
        let columns = [block.families(), block.visibilities(), block.qualifiers()];
        let mut entries = columns.iter().map(|column| column.entries());
        let product = entries.try_fold(8 * self.codes, |product, entries| {
            product.checked_mul(entries?.next_power_of_two())
        });
        product.is_some_and(|product| product <= LIMIT)
    }

    /// Finds the terms of a block's columns, all of which are codes; `wanted` and `visible` judge families and labels.
    /// `false` where nothing of the block is asked for.
    pub fn load(
        &mut self,
        block: &Block<'_>,
        mut wanted: impl FnMut(&[u8]) -> bool,
        mut visible: impl FnMut(&[u8]) -> bool,
    ) -> Result<bool> {
        let mut all = |_: &[u8]| true;
        loop {
            let [families, labels, qualifiers] = self.dimensions();
            let any = families.load(block, block.families(), &mut wanted)?
                && labels.load(block, block.visibilities(), &mut visible)?
                && qualifiers.load(block, block.qualifiers(), &mut all)?;
            if !any {
                return Ok(false);
            }
            if self
                .dimensions()
                .iter()
                .all(|one| one.known.len() <= one.room)
            {
                break;
            }
            self.grow();
        }
        let (labels, qualifiers) = (self.labels.room as u32, self.qualifiers.room as u32);
        self.families.scale(labels * qualifiers);
        self.labels.scale(qualifiers);
        Ok(true)
    }

    /// The slots of all combinations with one shape.
    #[inline(always)]
    pub fn shape(&self, code: usize) -> &[u32] {
        let start = code * self.stride;
        self.table
            .get(start..start + self.stride)
            .unwrap_or_default()
    }

    pub fn set(&mut self, code: usize, combined: u32, slot: u32) {
        if let Some(place) = self.table.get_mut(code * self.stride + combined as usize) {
            *place = slot;
        }
    }

    fn dimensions(&mut self) -> [&mut Dimension; 3] {
        [&mut self.families, &mut self.labels, &mut self.qualifiers]
    }

    /// Makes room for what is known, or forgets it where that is too much.
    fn grow(&mut self) {
        let room = |one: &Dimension| one.known.len().next_power_of_two().max(one.room);
        let [families, labels, qualifiers] = self.dimensions();
        let size = room(families) * room(labels) * room(qualifiers);
        let too_many = size * self.codes > LIMIT;
        for dimension in self.dimensions() {
            if too_many {
                dimension.room = dimension.terms.len().next_power_of_two().max(8);
                dimension.known.clear();
                dimension.lately.clear();
            } else {
                dimension.room = room(dimension);
            }
        }
        self.restart();
    }

    fn restart(&mut self) {
        self.stride = self.dimensions().iter().map(|one| one.room).product();
        self.table.clear();
        self.table.resize(self.stride * self.codes, UNKNOWN);
    }
}

impl Dimension {
    /// Numbers the entries of a column; `false` where none passes.
    fn load(
        &mut self,
        block: &Block<'_>,
        column: &Strings,
        passes: &mut dyn FnMut(&[u8]) -> bool,
    ) -> Result<bool> {
        self.terms.clear();
        let mut any = false;
        for code in 0..column.entries().unwrap_or_default() {
            let entry = column.entry(block.body(), code)?.of(block.body());
            let passed = passes(entry);
            any |= passed;
            let term = if passed { self.code(entry) } else { NONE };
            self.terms.push(term);
        }
        Ok(any)
    }

    fn code(&mut self, entry: &[u8]) -> u32 {
        let Some(word) = word_of(entry) else {
            return self.known.code(entry);
        };
        if self.lately.is_empty() {
            self.lately.resize(LATELY, (0, 0));
        }
        let place = word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        match self.lately.get_mut(place as usize % LATELY) {
            Some((held, code)) if *held == word => *code,
            Some(held) => {
                *held = (word, self.known.code(entry));
                held.1
            }
            None => self.known.code(entry),
        }
    }

    fn scale(&mut self, factor: u32) {
        for term in &mut self.terms {
            if *term != NONE {
                *term *= factor;
            }
        }
    }
}

/// A number of its own for a string of at most seven bytes; never 0.
fn word_of(entry: &[u8]) -> Option<u64> {
    let mut bytes = [0; 8];
    let (last, first) = bytes.split_last_mut()?;
    first.get_mut(..entry.len())?.copy_from_slice(entry);
    *last = entry.len() as u8 + 1;
    Some(u64::from_le_bytes(bytes))
}
