//! Short byte strings as numbers: compared, hashed and kept without looking elsewhere.

/// A byte string of at most 15 bytes: these, zeros, and last the length plus one. So numbers sort as the bytes do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Word(u128);

impl Word {
    /// None where it is too long.
    #[inline]
    pub fn of(bytes: &[u8]) -> Option<Word> {
        let length = bytes.len();
        let shift = |last: u64| u128::from(last) << (8 * (16 - length));
        let packed = match length {
            0..4 => {
                let number = bytes
                    .iter()
                    .fold(0, |all, &byte| all << 8 | u64::from(byte));
                if length == 0 {
                    0
                } else {
                    shift(number)
                }
            }
            // Two numbers that overlap in the middle, where they say the same.
            4..8 => {
                let (first, last) = (bytes.first_chunk()?, bytes.last_chunk()?);
                let first = u128::from(u32::from_be_bytes(*first)) << 96;
                first | shift(u64::from(u32::from_be_bytes(*last)))
            }
            8..16 => {
                let (first, last) = (bytes.first_chunk()?, bytes.last_chunk()?);
                let first = u128::from(u64::from_be_bytes(*first)) << 64;
                first | shift(u64::from_be_bytes(*last))
            }
            _ => return None,
        };
        Some(Word(packed | (length as u128 + 1)))
    }

    /// The bytes and how many of them count.
    pub fn bytes(self) -> ([u8; 16], usize) {
        let bytes = self.0.to_be_bytes();
        (bytes, (self.0 & 0xff) as usize - 1)
    }

    #[inline]
    fn hash(self) -> usize {
        const FIRST: u64 = 0x9e37_79b9_7f4a_7c15;
        const SECOND: u64 = 0xd6e8_feb8_6659_fd93;
        let (high, low) = ((self.0 >> 64) as u64, self.0 as u64);
        let product = u128::from(high ^ FIRST) * u128::from(low ^ SECOND);
        ((product >> 64) as u64 ^ product as u64) as usize
    }
}

/// Distinct words in the order in which they were added.
#[derive(Debug, Default)]
pub struct Words {
    all: Vec<Word>,
    /// Open addressing; 0 is no word.
    slots: Vec<Word>,
}

impl Words {
    pub fn all(&self) -> &[Word] {
        &self.all
    }

    #[inline]
    pub fn add(&mut self, word: Word) {
        if self.slots.len() < 2 * (self.all.len() + 1) {
            self.grow();
        }
        if place(&mut self.slots, word) {
            self.all.push(word);
        }
    }

    fn grow(&mut self) {
        let size = (4 * (self.all.len() + 1)).next_power_of_two().max(64);
        self.slots = vec![Word(0); size];
        for &word in &self.all {
            place(&mut self.slots, word);
        }
    }
}

/// Puts a word where it belongs; `false` where it stands there.
#[inline]
fn place(slots: &mut [Word], word: Word) -> bool {
    let mask = slots.len() - 1;
    let mut slot = word.hash() & mask;
    while let Some(held) = slots.get_mut(slot) {
        if *held == word {
            return false;
        }
        if held.0 == 0 {
            *held = word;
            return true;
        }
        slot = (slot + 1) & mask;
    }
    false
}
