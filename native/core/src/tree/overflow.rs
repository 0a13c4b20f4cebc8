//! Long values: cut into chunks under a number of their own; a block holds the reference.

use std::ops::Bound;
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use super::lmdb::{Db, RwTxn};
use super::mapped::{failed, Snapshot};
use crate::{Error, Result};

/// 64 pages of LMDB less the header of the first.
const CHUNK: usize = 64 * 4096 - 16;

/// What a block holds in place of a long value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reference {
    pub id: u64,
    pub length: u64,
    pub sum: u64,
}

impl Reference {
    pub fn new(id: u64, value: &[u8]) -> Reference {
        Reference {
            id,
            length: value.len() as u64,
            sum: xxh3_64(value),
        }
    }

    pub fn write(&self) -> [u8; 24] {
        let mut bytes = [0; 24];
        let numbers = [self.id, self.length, self.sum];
        for (place, number) in bytes.chunks_mut(8).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    pub fn read(bytes: &[u8]) -> Result<Reference> {
        let number = |place: usize| {
            let chunk = bytes.get(place..).and_then(<[u8]>::first_chunk);
            chunk.map(|chunk| u64::from_le_bytes(*chunk))
        };
        match (number(0), number(8), number(16), bytes.len()) {
            (Some(id), Some(length), Some(sum), 24) => Ok(Reference { id, length, sum }),
            _ => Err(Error::Corruption(
                "a reference to a long value is damaged".into(),
            )),
        }
    }
}

pub(super) fn put(transaction: &mut RwTxn<'_>, overflow: Db, id: u64, value: &[u8]) -> Result<()> {
    for (number, chunk) in value.chunks(CHUNK).enumerate() {
        let key = chunk_key(id, number as u32);
        overflow
            .put(transaction, &key, chunk)
            .map_err(failed("write a long value"))?;
    }
    Ok(())
}

pub(super) fn delete(transaction: &mut RwTxn<'_>, overflow: Db, id: u64) -> Result<()> {
    let (start, end) = (chunk_key(id, 0), chunk_key(id, u32::MAX));
    let range = (
        Bound::Included(start.as_slice()),
        Bound::Included(end.as_slice()),
    );
    overflow
        .delete_range(transaction, &range)
        .map_err(failed("free a long value"))?;
    Ok(())
}

/// Reads the value of a reference, in place of what `out` held.
pub(super) fn get(
    snapshot: &Arc<Snapshot>,
    reference: &Reference,
    out: &mut Vec<u8>,
) -> Result<()> {
    out.clear();
    let (start, prefix) = (chunk_key(reference.id, 0), reference.id.to_be_bytes());
    let from = Bound::Included(start.as_slice());
    let chunks = (reference.length as usize).div_ceil(CHUNK);
    let database = snapshot.databases().overflow;
    snapshot.from(database, from, &prefix, chunks, |entry| {
        out.extend_from_slice(entry.bytes.as_ref());
    })?;
    if out.len() as u64 != reference.length || xxh3_64(out) != reference.sum {
        return Err(Error::Corruption(format!(
            "the long value {} is damaged: {} of {} bytes are there",
            reference.id,
            out.len(),
            reference.length
        )));
    }
    Ok(())
}

fn chunk_key(id: u64, number: u32) -> [u8; 12] {
    let mut key = [0; 12];
    let (first, second) = key.split_at_mut(8);
    first.copy_from_slice(&id.to_be_bytes());
    second.copy_from_slice(&number.to_be_bytes());
    key
}
