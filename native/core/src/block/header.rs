//! The header of a block: magic, version, checksum; and the compression of what follows it.

use std::borrow::Cow;

use lz4_flex::block::{compress_into_with_table, get_maximum_output_size, CompressTable};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{corrupt, HEADER};
use crate::{Error, Result};

const MAGIC: [u8; 2] = *b"LB";
const VERSION: u8 = 1;
const COMPRESSED: u8 = 1;
/// Where the bytes that the checksum covers start.
const COVERED: usize = 12;

/// After so many bodies in a row that were not worth it, only one in [`SELDOM`] is tried.
const IN_VAIN: u32 = 4;
const SELDOM: u32 = 16;

/// Compresses bodies where it pays; neighbouring blocks are alike, so it learns where it does not.
#[derive(Default)]
pub(super) struct Press {
    table: CompressTable,
    out: Vec<u8>,
    in_vain: u32,
}

impl std::fmt::Debug for Press {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Press")
    }
}

impl Press {
    /// The body, compressed, if the block then takes no more than this part of what it did.
    fn shrink(&mut self, body: &[u8], (part, of): (usize, usize)) -> Option<&[u8]> {
        self.in_vain += 1;
        if self.in_vain > IN_VAIN && self.in_vain % SELDOM != 0 {
            return None;
        }
        let most = get_maximum_output_size(body.len());
        if self.out.len() < most {
            self.out.resize(most, 0);
        }
        let length = compress_into_with_table(body, &mut self.out, &mut self.table).ok()?;
        if (length + HEADER) * of > (body.len() + HEADER) * part {
            return None;
        }
        self.in_vain = 0;
        self.out.get(..length)
    }
}

/// Puts a header before a body; compresses it when there is a press and that leaves no more than the given
/// part of the block.
pub(super) fn seal(body: &[u8], press: Option<(&mut Press, (usize, usize))>) -> Result<Vec<u8>> {
    let length = u32::try_from(body.len()).map_err(|_| {
        Error::Unsupported(format!(
            "a block of {} bytes: cells with one fully equal key must fit 4 GiB; merge them first",
            body.len()
        ))
    })?;
    let shrunk = press.and_then(|(press, most)| press.shrink(body, most));
    let flags = if shrunk.is_some() { COMPRESSED } else { 0 };
    let content = shrunk.unwrap_or(body);
    let mut block = Vec::with_capacity(HEADER + content.len());
    block.extend_from_slice(&[MAGIC[0], MAGIC[1], VERSION, flags]);
    block.extend_from_slice(&[0; 8]);
    block.extend_from_slice(&length.to_le_bytes());
    block.extend_from_slice(content);
    let sum = checksum(&block);
    if let Some(place) = block.get_mut(4..COVERED) {
        place.copy_from_slice(&sum.to_le_bytes());
    }
    Ok(block)
}

/// Checks the header and the checksum; gives the body, inflated where it is compressed.
pub(super) fn open(block: &[u8]) -> Result<Cow<'_, [u8]>> {
    let (&head, content) = block
        .split_first_chunk::<HEADER>()
        .ok_or_else(|| corrupt("it is shorter than its header"))?;
    let [m0, m1, version, flags, s0, s1, s2, s3, s4, s5, s6, s7, l0, l1, l2, l3] = head;
    if [m0, m1] != MAGIC {
        return Err(corrupt("it does not start like one"));
    }
    if version != VERSION {
        return Err(corrupt(&format!(
            "its format version is {version}, this one reads {VERSION}"
        )));
    }
    if u64::from_le_bytes([s0, s1, s2, s3, s4, s5, s6, s7]) != checksum(block) {
        return Err(corrupt("its checksum is wrong"));
    }
    let length = u32::from_le_bytes([l0, l1, l2, l3]) as usize;
    match flags {
        0 if length == content.len() => Ok(Cow::Borrowed(content)),
        // LZ4 cannot say more than 255 bytes with one: a longer claim is no body of ours.
        COMPRESSED if length / 256 <= content.len() => {
            let mut body = vec![0; length];
            match lz4_flex::block::decompress_into(content, &mut body) {
                Ok(held) if held == length => Ok(Cow::Owned(body)),
                _ => Err(corrupt("its compressed body does not inflate")),
            }
        }
        _ => Err(corrupt("its header contradicts its length")),
    }
}

fn checksum(block: &[u8]) -> u64 {
    let seed = block
        .first_chunk()
        .map_or(0, |head| u32::from_le_bytes(*head));
    xxh3_64_with_seed(block.get(COVERED..).unwrap_or_default(), u64::from(seed))
}
