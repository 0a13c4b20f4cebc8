//! Murmur3, the 32-bit hash for x86, as samplers use it.
//!
//! Public-domain algorithm of Austin Appleby; the result is read as unsigned. It must never change:
//! a sample taken today has to be the sample taken tomorrow.

/// The hash of `data` with seed 0.
pub fn murmur3_32(data: &[u8]) -> u32 {
    let blocks = data.chunks_exact(4);
    let tail = blocks.remainder();
    let mut state = blocks.fold(0u32, |state, block| {
        let mixed = state ^ scramble(little_endian(block));
        mixed
            .rotate_left(13)
            .wrapping_mul(5)
            .wrapping_add(0xe654_6b64)
    });
    state ^= scramble(little_endian(tail));
    // The hash counts lengths in 32 bits.
    state ^= data.len() as u32;
    state = (state ^ state >> 16).wrapping_mul(0x85eb_ca6b);
    state = (state ^ state >> 13).wrapping_mul(0xc2b2_ae35);
    state ^ state >> 16
}

fn little_endian(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .rev()
        .fold(0, |number, &byte| number << 8 | u32::from(byte))
}

fn scramble(block: u32) -> u32 {
    block
        .wrapping_mul(0xcc9e_2d51)
        .rotate_left(15)
        .wrapping_mul(0x1b87_3593)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_texts_have_their_known_hashes() {
        assert_eq!(murmur3_32(b""), 0);
        assert_eq!(murmur3_32(b"hello"), 0x248b_fa47);
    }
}
