//! What was decided for each combination of shape, family, label and qualifier.
//!
//! Combinations are numbers in a dense table, small enough to stay in the processor's cache. When it would grow past
//! its limit it starts afresh; nothing but time is lost.

use crate::block::{corrupt, Block, Dictionary, Strings};
use crate::Result;

/// The term of what is not wanted or not visible: greater than every index.
pub const NONE: u32 = u32::MAX;
/// The most combinations that are remembered.
const LIMIT: usize = 1 << 18;

/// How many strings are found without asking what they mean, at first and at most. There is room for a few times as many as
/// a column has, so that few take the place of another.
const LATELY: usize = 128;
const MOST_LATELY: usize = 1 << 13;
const PLACES_FOR_EACH: usize = 8;

/// For how many families, labels and qualifiers there is room at least: scans read one family more often than not, and
/// every place for another one doubles what the labels and qualifiers take.
const LEAST: [usize; 3] = [1, 8, 8];

/// Not decided yet.
pub const UNKNOWN: u32 = u32::MAX;
/// Decided: left out.
pub const LEFT_OUT: u32 = u32::MAX - 1;

/// One dimension of the table: the distinct byte strings of a column, and what each adds to an index.
#[derive(Debug, Default)]
pub struct Dimension {
    known: Dictionary,
    /// Strings met lately with their terms: every block has them, and judging all takes longer than a look here.
    lately: Vec<Lately>,
    ends: Vec<u32>,
    /// How many strings there is room for; a power of two.
    room: usize,
    /// For each code of the block at hand.
    pub terms: Vec<u32>,
}

/// A string and its term; `word` alone tells a short one.
#[derive(Debug, Clone, Default)]
struct Lately {
    word: u64,
    long: Vec<u8>,
    term: u32,
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
        for (dimension, least) in memo.dimensions().into_iter().zip(LEAST) {
            dimension.room = least;
        }
        memo.restart();
        memo
    }

    /// Whether the columns of a block are codes, and few enough of them.
    pub fn suits(&self, block: &Block<'_>) -> bool {
        let columns = [block.families(), block.visibilities(), block.qualifiers()];
        let mut entries = columns.iter().map(|column| column.entries()).zip(LEAST);
        let product = entries.try_fold(self.codes, |product, (entries, least)| {
            product.checked_mul(entries?.next_power_of_two().max(least))
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

    /// The bits of a combination that tell its label.
    pub fn label_bits(&self) -> u32 {
        (self.labels.room as u32 - 1) * self.qualifiers.room as u32
    }

    /// The slots of all combinations with one shape.
    #[inline(always)]
    pub fn shape(&self, code: usize) -> &[u32] {
        let start = code * self.stride;
        self.table
            .get(start..start + self.stride)
            .unwrap_or_default()
    }

    /// Whether all combinations that the block at hand can have with a shape are known to be left out. Where there are
    /// more than `most`, nobody looks.
    pub fn is_left_out(&self, code: usize, most: usize) -> bool {
        let parts = [&self.families, &self.labels, &self.qualifiers];
        let [families, labels, qualifiers] = parts.map(|one| one.terms.as_slice());
        if families.len() * labels.len() * qualifiers.len() > most {
            return false;
        }
        let known = self.shape(code);
        families.iter().all(|family| {
            labels.iter().all(|label| {
                let slots = qualifiers.iter().map(|qualifier| {
                    let combined = family | label | qualifier;
                    known.get(combined as usize).copied().unwrap_or(LEFT_OUT)
                });
                slots.fold(true, |left, slot| left & (slot == LEFT_OUT))
            })
        })
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
        for (dimension, least) in self.dimensions().into_iter().zip(LEAST) {
            if too_many {
                dimension.room = dimension.terms.len().next_power_of_two().max(least);
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
        let body = block.body();
        self.make_room(column.entries().unwrap_or_default());
        match column {
            Strings::Dictionary { entries, .. } => {
                let mut ends = std::mem::take(&mut self.ends);
                let data = entries.copy_ends(body, &mut ends)?;
                let mut start = 0;
                for &end in &ends {
                    let entry = data.get(start..end as usize);
                    let entry =
                        entry.ok_or_else(|| corrupt("the ends of a column are out of order"))?;
                    let term = self.term(entry, passes);
                    self.terms.push(term);
                    start = end as usize;
                }
                self.ends = ends;
            }
            _ => {
                let term = self.term(column.entry(body, 0)?.of(body), passes);
                self.terms.push(term);
            }
        }
        Ok(self.terms.iter().any(|&term| term != NONE))
    }

    /// Makes room for what was met lately where a column has so many strings.
    fn make_room(&mut self, strings: usize) {
        let wanted = PLACES_FOR_EACH * strings.max(self.known.len());
        let wanted = wanted.next_power_of_two().clamp(LATELY, MOST_LATELY);
        if self.lately.len() < wanted {
            self.lately.clear();
            self.lately.resize(wanted, Lately::default());
        }
    }

    /// The number of a string, or [`NONE`] where it does not pass; that of one string is always the same until
    /// what is known is forgotten.
    fn term(&mut self, entry: &[u8], passes: &mut dyn FnMut(&[u8]) -> bool) -> u32 {
        let (word, long) = word_of(entry);
        // The highest bits alone follow from every byte.
        let place = word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - MOST_LATELY.ilog2());
        let place = place as usize & self.lately.len().saturating_sub(1);
        let held = self.lately.get(place);
        if let Some(held) =
            held.filter(|held| held.word == word && (long.is_empty() || held.long == long))
        {
            return held.term;
        }
        let term = match passes(entry) {
            true => self.known.code(entry),
            false => NONE,
        };
        if let Some(held) = self.lately.get_mut(place) {
            (held.word, held.term) = (word, term);
            held.long.clear();
            held.long.extend_from_slice(long);
        }
        term
    }

    fn scale(&mut self, factor: u32) {
        for term in &mut self.terms {
            if *term != NONE {
                *term *= factor;
            }
        }
    }
}

/// A number for a string, never 0. One of at most seven bytes has its own; of longer ones several may share one, so they
/// are given too.
fn word_of(entry: &[u8]) -> (u64, &[u8]) {
    let number = |bytes: &[u8; 4]| u64::from(u32::from_le_bytes(*bytes));
    // Without a loop or a call: every block has tens of them.
    let few = match (entry, entry.first_chunk().zip(entry.last_chunk())) {
        ([], _) => Some(0),
        ([one], _) => Some(u64::from(*one)),
        ([one, two], _) => Some(u64::from(u16::from_le_bytes([*one, *two]))),
        ([one, two, three], _) => Some(number(&[*one, *two, *three, 0])),
        (_, Some((first, last))) if entry.len() < 8 => {
            Some(number(first) | number(last) << (8 * (entry.len() - 4)))
        }
        _ => None,
    };
    if let Some(few) = few {
        return (few | (entry.len() as u64 + 1) << 56, &[]);
    }
    let ends = entry.first_chunk().zip(entry.last_chunk());
    let (first, last) = ends.map_or((0, 0), |(first, last)| {
        (u64::from_le_bytes(*first), u64::from_le_bytes(*last))
    });
    // No length of a short one stands in the last byte.
    let mixed = first ^ last.rotate_left(29) ^ entry.len() as u64;
    (mixed | 0xff << 56, entry)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_is_left_out_where_all_that_a_block_can_have_is() {
        let mut memo = Memo::new(2);
        memo.families.terms = vec![0];
        memo.labels.terms = vec![8, NONE];
        memo.qualifiers.terms = vec![0, 3];
        assert!(!memo.is_left_out(1, 100));
        memo.set(1, 8, LEFT_OUT);
        assert!(!memo.is_left_out(1, 100));
        memo.set(1, 8 | 3, LEFT_OUT);
        assert!(memo.is_left_out(1, 100));
        // Nobody looks at that many, and the other shape is another matter.
        assert!(!memo.is_left_out(1, 3));
        assert!(!memo.is_left_out(0, 100));
        memo.set(1, 8 | 3, 0);
        assert!(!memo.is_left_out(1, 100));
    }

    #[test]
    fn strings_met_lately_are_not_asked_about_again() {
        let mut dimension = Dimension::default();
        let labels: Vec<String> = (0..200).map(|team| format!("team{team:03}")).collect();
        let mut asked = 0;
        for _ in 0..10 {
            dimension.make_room(labels.len());
            for (term, label) in labels.iter().enumerate() {
                let mut passes = |_: &[u8]| {
                    asked += 1;
                    true
                };
                assert_eq!(dimension.term(label.as_bytes(), &mut passes), term as u32);
            }
        }
        // Few share a place with another.
        assert!(asked < 2 * labels.len(), "{asked}");
    }

    #[test]
    fn short_strings_have_words_of_their_own() {
        let mut words = std::collections::BTreeMap::new();
        for length in 0..8 {
            for place in 0..length {
                for byte in [0, 1, 0xff] {
                    let mut entry = vec![7u8; length];
                    entry[place] = byte;
                    let (word, long) = word_of(&entry);
                    assert!(word != 0 && word >> 56 < 0xff && long.is_empty());
                    assert_eq!(words.entry(word).or_insert(entry.clone()), &entry);
                }
            }
        }
        let (word, long) = word_of(b"12345678");
        assert_eq!((word >> 56, long), (0xff, &b"12345678"[..]));
    }
}
