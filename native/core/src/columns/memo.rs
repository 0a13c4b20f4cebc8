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

/// Not decided yet.
pub const UNKNOWN: u32 = u32::MAX;
/// Decided: left out.
pub const LEFT_OUT: u32 = u32::MAX - 1;

/// One dimension of the table: the distinct byte strings of a column, and what each adds to an index.
#[derive(Debug, Default)]
pub struct Dimension {
    known: Dictionary,
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
            let term = if passed { self.known.code(entry) } else { NONE };
            self.terms.push(term);
        }
        Ok(any)
    }

    fn scale(&mut self, factor: u32) {
        for term in &mut self.terms {
            if *term != NONE {
                *term *= factor;
            }
        }
    }
}
