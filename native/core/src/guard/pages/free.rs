//! LMDB's list of free pages, and the pages that were seen.

use super::u64_at;

/// Which pages of a file were met; as many as the file has.
#[derive(Debug)]
pub(super) struct Seen {
    bits: Vec<u64>,
    pages: u64,
}

impl Seen {
    pub fn new(pages: u64) -> Seen {
        Seen {
            bits: vec![0; pages.div_ceil(64) as usize],
            pages,
        }
    }

    /// Notes a page; says whether it is new. Pages behind the end of the file are not noted.
    pub fn add(&mut self, page: u64) -> bool {
        let bit = 1 << (page % 64);
        match self.bits.get_mut((page / 64) as usize) {
            Some(word) if page < self.pages => {
                let new = *word & bit == 0;
                *word |= bit;
                new
            }
            _ => true,
        }
    }

    pub fn missing(&self) -> u64 {
        let seen: u64 = self
            .bits
            .iter()
            .map(|word| u64::from(word.count_ones()))
            .sum();
        self.pages.saturating_sub(seen)
    }
}

/// The pages that one entry of the list names: their number, then they, descending.
pub(super) fn free_pages(bytes: &[u8]) -> Result<Vec<u64>, &'static str> {
    let count = u64_at(bytes, 0);
    let words = (bytes.len() / 8) as u64;
    if count >= words.max(1) {
        return Err("the list of free pages has a damaged length");
    }
    let pages: Vec<u64> = (1..=count)
        .map(|place| u64_at(bytes, place as usize * 8))
        .collect();
    match pages.is_sorted_by(|left, right| left > right) {
        true => Ok(pages),
        false => Err("the list of free pages is out of order"),
    }
}
