//! Bringing the bytes of the next block near while this one is read.
//!
//! Who reads a tree block by block waits for memory at the start of each: the checksum takes every byte, faster than memory gives
//! them. Asked for some at a time during the work on the block before, they are there in time.
//!
//! The argument for the `unsafe` code here: a hint to the processor is not a read. It changes nothing that a program can see,
//! and does nothing where an address is not valid. There is no safe way to give one.

use super::mapped::Mapped;

/// What a processor moves at once.
const LINE: usize = 64;

/// The bytes of a block to come, as far as they were not asked for yet.
#[derive(Debug, Default)]
pub struct Ahead {
    block: Option<Mapped>,
    asked: usize,
}

impl Ahead {
    pub(super) fn of(block: Option<Mapped>) -> Ahead {
        Ahead { block, asked: 0 }
    }

    /// Asks for so many more lines of 64 bytes; about 15 can be under way at a time.
    #[inline]
    pub fn fetch(&mut self, lines: usize) {
        let Some(block) = &self.block else {
            return;
        };
        let start = self.asked;
        self.asked = start.saturating_add(lines * LINE);
        let bytes = block.as_ref();
        let bytes = bytes.get(start..self.asked.min(bytes.len()));
        bytes.unwrap_or_default().chunks(LINE).for_each(hint);
    }
}

/// Says that the line of these bytes is going to be read.
#[inline(always)]
fn hint(bytes: &[u8]) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint reads nothing, and the address is that of a slice.
    unsafe {
        use std::arch::x86_64::{_mm_prefetch, _MM_HINT_T0};
        _mm_prefetch::<_MM_HINT_T0>(bytes.as_ptr().cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = bytes;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_asked_for_where_no_block_comes() {
        let mut ahead = Ahead::of(None);
        ahead.fetch(3);
        assert_eq!(ahead.asked, 0);
    }
}
