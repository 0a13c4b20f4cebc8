//! How much stands in a tree: kept in `meta` with every change, so that nobody has to count.

use super::lmdb::{Db, RwTxn};
use super::mapped::failed;
use crate::{Error, Result};

/// What a tree holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    pub cells: u64,
    pub blocks: u64,
    /// Bytes of its blocks.
    pub bytes: u64,
    /// Bytes of long values, which stand beside the blocks.
    pub overflow: u64,
}

impl Counts {
    pub(crate) fn add(&mut self, other: &Counts) {
        self.cells += other.cells;
        self.blocks += other.blocks;
        self.bytes += other.bytes;
        self.overflow += other.overflow;
    }

    fn minus(&self, other: &Counts) -> Option<Counts> {
        Some(Counts {
            cells: self.cells.checked_sub(other.cells)?,
            blocks: self.blocks.checked_sub(other.blocks)?,
            bytes: self.bytes.checked_sub(other.bytes)?,
            overflow: self.overflow.checked_sub(other.overflow)?,
        })
    }

    pub(super) fn read(bytes: &[u8]) -> Result<Counts> {
        let mut numbers = bytes
            .chunks(8)
            .map(|chunk| chunk.try_into().map(u64::from_le_bytes));
        let mut next = || match numbers.next() {
            Some(Ok(number)) => Ok(number),
            _ => Err(Error::Corruption(
                "the counters of a tree are damaged".into(),
            )),
        };
        Ok(Counts {
            cells: next()?,
            blocks: next()?,
            bytes: next()?,
            overflow: next()?,
        })
    }
}

/// The key in `meta` of a tree's counters.
pub(super) fn counts_key(prefix: &[u8]) -> Vec<u8> {
    [b"tree/", prefix].concat()
}

/// Books what a change added and took away.
pub(super) fn book(
    transaction: &mut RwTxn<'_>,
    meta: Db,
    prefix: &[u8],
    added: &Counts,
    removed: &Counts,
) -> Result<()> {
    let key = counts_key(prefix);
    let mut counts = match meta.get(transaction, &key).map_err(failed("read"))? {
        Some(bytes) => Counts::read(bytes)?,
        None => Counts::default(),
    };
    counts.add(added);
    let counts = counts.minus(removed).ok_or_else(|| {
        Error::Corruption("a tree holds more than its counters say: run verify".into())
    })?;
    if counts == Counts::default() {
        // A run that is merged away leaves nothing.
        meta.delete(transaction, &key).map_err(failed("write"))?;
        return Ok(());
    }
    let mut bytes = Vec::with_capacity(32);
    for number in [counts.cells, counts.blocks, counts.bytes, counts.overflow] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    meta.put(transaction, &key, &bytes).map_err(failed("write"))
}
