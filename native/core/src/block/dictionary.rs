//! A dictionary of byte strings that gives each distinct one the next number.

use xxhash_rust::xxh3::xxh3_64;

/// So few entries are compared one by one, which costs less than a hash.
const FEW: usize = 8;

/// Distinct byte strings in the order of their first use.
#[derive(Debug, Default)]
pub(crate) struct Dictionary {
    data: Vec<u8>,
    ends: Vec<u32>,
    /// Open addressing: 0 is free, otherwise the number of the entry plus one.
    slots: Vec<u32>,
}

impl Dictionary {
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The bytes of all entries together.
    pub fn size(&self) -> usize {
        self.data.len()
    }

    pub fn clear(&mut self) {
        self.data.clear();
        self.ends.clear();
        self.slots.fill(0);
    }

    #[inline]
    pub fn get(&self, code: u32) -> &[u8] {
        let code = code as usize;
        let start = match code.checked_sub(1) {
            Some(before) => self.ends.get(before).copied().unwrap_or_default(),
            None => 0,
        };
        let end = self.ends.get(code).copied().unwrap_or_default();
        self.data
            .get(start as usize..end as usize)
            .unwrap_or_default()
    }

    /// Adds an entry that the caller knows to be new, and finds by other means.
    pub fn append(&mut self, item: &[u8]) -> u32 {
        self.data.extend_from_slice(item);
        self.ends.push(self.data.len() as u32);
        self.ends.len() as u32 - 1
    }

    /// The number of `item`, a new one where it is not there yet.
    pub fn code(&mut self, item: &[u8]) -> u32 {
        if self.ends.len() <= FEW {
            let known = (0..self.ends.len() as u32).find(|&code| self.get(code) == item);
            if let Some(code) = known {
                return code;
            }
        }
        if self.slots.len() < 2 * (self.ends.len() + 1) {
            self.grow();
        }
        let slot = self.find(item);
        match self.slots.get(slot).copied().unwrap_or_default() {
            0 => {
                let code = self.ends.len() as u32;
                self.data.extend_from_slice(item);
                self.ends.push(self.data.len() as u32);
                if let Some(place) = self.slots.get_mut(slot) {
                    *place = code + 1;
                }
                code
            }
            held => held - 1,
        }
    }

    /// The slot that holds `item`, or the free one where it belongs.
    fn find(&self, item: &[u8]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = xxh3_64(item) as usize & mask;
        while let Some(&held) = self.slots.get(slot) {
            if held == 0 || self.get(held - 1) == item {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        self.slots = vec![0; (4 * (self.ends.len() + 1)).next_power_of_two().max(64)];
        for code in 0..self.ends.len() as u32 {
            let slot = self.find(self.get(code));
            if let Some(place) = self.slots.get_mut(slot) {
                *place = code + 1;
            }
        }
    }
}
