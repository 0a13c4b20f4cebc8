//! The pages of an LMDB file, read with plain reads and trusted in nothing.
//!
//! LMDB itself takes its pages as they are: a damaged one can send it out of its map and end the process. This
//! walk reads the same structure (version 1 of LMDB's format, little-endian, 64 bits) without a map, checks
//! every number before it is used, visits no page twice, and so ends on any bytes with a list of what is wrong.

mod account;
mod free;
mod meta;
mod order;
mod page;
mod walk;

pub use account::Pages;
pub(super) use meta::{number_from, read_metas};
pub(super) use walk::{walk, Depth};

fn number<const N: usize>(bytes: &[u8], place: usize) -> Option<[u8; N]> {
    bytes.get(place..)?.first_chunk().copied()
}

/// A number of the file; 0 behind the end of the bytes.
fn u16_at(bytes: &[u8], place: usize) -> u16 {
    number(bytes, place).map_or(0, u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], place: usize) -> u32 {
    number(bytes, place).map_or(0, u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], place: usize) -> u64 {
    number(bytes, place).map_or(0, u64::from_le_bytes)
}
