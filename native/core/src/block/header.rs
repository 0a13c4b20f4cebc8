//! The header of a block: magic, version, checksum; and the compression of what follows it.

use std::borrow::Cow;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{corrupt, HEADER};
use crate::{Error, Result};

const MAGIC: [u8; 2] = *b"LB";
const VERSION: u8 = 1;
const COMPRESSED: u8 = 1;
/// Where the bytes that the checksum covers start.
const COVERED: usize = 12;

/// Puts a header before a body; compresses it when asked to and when that saves a quarter.
pub(super) fn seal(body: &[u8], compress: bool) -> Result<Vec<u8>> {
    let length = u32::try_from(body.len()).map_err(|_| {
        Error::Unsupported(format!(
            "a block of {} bytes: cells with one fully equal key must fit 4 GiB; merge them first",
            body.len()
        ))
    })?;
    let shrunk = compress
        .then(|| lz4_flex::block::compress(body))
        .filter(|shrunk| (shrunk.len() + HEADER) * 4 <= (body.len() + HEADER) * 3);
    let flags = if shrunk.is_some() { COMPRESSED } else { 0 };
    let content = shrunk.as_deref().unwrap_or(body);
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
