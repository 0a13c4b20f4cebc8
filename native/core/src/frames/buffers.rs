//! The buffers of a column, as Arrow lays them out.

/// Bits, eight to a byte, the lowest first.
#[derive(Debug, Default, Clone)]
pub struct Bits {
    pub bytes: Vec<u8>,
    pub len: usize,
    /// How many are not set.
    pub zeros: usize,
}

impl Bits {
    #[inline]
    pub(super) fn push(&mut self, bit: bool) {
        if self.len % 8 == 0 {
            self.bytes.push(0);
        }
        if let Some(last) = self.bytes.last_mut() {
            *last |= u8::from(bit) << (self.len % 8);
        }
        self.len += 1;
        self.zeros += usize::from(!bit);
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
