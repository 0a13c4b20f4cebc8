//! The buffers of a column, as Arrow lays them out.

/// Bits, eight to a byte, the lowest first. Nearly all columns have every entry, so bytes are made when the first bit comes
/// that is not set.
#[derive(Debug, Default, Clone)]
pub struct Bits {
    /// Nothing while all are set.
    bytes: Vec<u8>,
    pub len: usize,
    /// How many are not set.
    pub zeros: usize,
}

impl Bits {
    #[inline]
    pub(super) fn push(&mut self, bit: bool) {
        if self.zeros == 0 {
            if bit {
                self.len += 1;
                return;
            }
            self.write_ones();
        }
        if self.len % 8 == 0 {
            self.bytes.push(0);
        }
        if let Some(last) = self.bytes.last_mut() {
            *last |= u8::from(bit) << (self.len % 8);
        }
        self.len += 1;
        self.zeros += usize::from(!bit);
    }

    /// Adds so many of one kind.
    pub(super) fn push_many(&mut self, bit: bool, count: usize) {
        if bit && self.zeros == 0 {
            self.len += count;
            return;
        }
        (0..count).for_each(|_| self.push(bit));
    }

    /// Whether a bit is set; those behind the last are not.
    pub(super) fn get(&self, at: usize) -> bool {
        if at >= self.len || self.zeros == 0 {
            return at < self.len;
        }
        let byte = self.bytes.get(at / 8);
        byte.is_some_and(|byte| byte >> (at % 8) & 1 == 1)
    }

    /// The bytes; bits behind the last are not set.
    pub fn into_bytes(mut self) -> Vec<u8> {
        if self.zeros == 0 {
            self.write_ones();
        }
        self.bytes
    }

    fn write_ones(&mut self) {
        self.bytes = vec![0xff; self.len / 8];
        if self.len % 8 > 0 {
            self.bytes.push((1 << (self.len % 8)) - 1);
        }
    }
}

/// A finished column: which entries are there, offsets of those that have any length, the entries, and the columns inside
/// entries that are lists, maps or points.
#[derive(Debug, Default)]
pub struct Buffers {
    pub present: Bits,
    pub offsets: Option<Vec<i32>>,
    pub data: Vec<u8>,
    pub children: Vec<Buffers>,
}

impl Buffers {
    /// What it takes up, the columns inside too.
    pub(super) fn size_bytes(&self) -> usize {
        let inside: usize = self.children.iter().map(Buffers::size_bytes).sum();
        let offsets = self.offsets.as_ref().map_or(0, |offsets| 4 * offsets.len());
        self.present.bytes.len() + self.data.len() + offsets + inside
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bits_are_those_that_were_pushed(runs in prop::collection::vec((any::<bool>(), 0usize..20), 0..9)) {
            let (mut bits, mut pushed) = (Bits::default(), Vec::new());
            for (bit, count) in runs {
                bits.push_many(bit, count);
                pushed.extend(std::iter::repeat_n(bit, count));
                bits.push(!bit);
                pushed.push(!bit);
            }
            prop_assert_eq!(bits.len, pushed.len());
            prop_assert_eq!(bits.zeros, pushed.iter().filter(|bit| !**bit).count());
            let got: Vec<bool> = (0..pushed.len()).map(|at| bits.get(at)).collect();
            prop_assert_eq!(&got, &pushed);
            prop_assert!(!bits.get(pushed.len()));
            let bytes = bits.into_bytes();
            prop_assert_eq!(bytes.len(), pushed.len().div_ceil(8));
            let read = |at: usize| bytes.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 == 1);
            let all: Vec<bool> = (0..8 * bytes.len()).map(read).collect();
            pushed.resize(8 * bytes.len(), false);
            prop_assert_eq!(all, pushed);
        }
    }
}
