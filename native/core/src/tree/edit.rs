//! Changes of a tree: some neighbouring blocks give way to others, in a write transaction.
//!
//! Edits are planned on a snapshot of the state that the transaction started from. When an edit moves
//! a block to another key, later edits that know it by the old one are led to the new one.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Bound;

use super::counters::{book, Counts};
use super::keys::{chained, even_ordinals, ordinal_between, Held, PREFIX, STEM};
use super::lmdb::{PutFlags, RwTxn};
use super::mapped::{failed, Databases};
use super::overflow;
use super::packer::{Packer, Piece};
use super::sort_key::separator;
use crate::Result;

/// Blocks of one tree that give way, and those that take their place.
#[derive(Debug, Default)]
pub(super) struct Edit<'v> {
    pub prefix: [u8; PREFIX],
    /// The keys of neighbouring blocks; none where the tree is empty.
    pub old: Vec<Vec<u8>>,
    pub removed: Counts,
    pub pieces: Vec<Piece>,
    /// Bytes of the long values that the new blocks refer to.
    pub overflow: u64,
    /// Long values to write and to free.
    pub values: Vec<(u64, Cow<'v, [u8]>)>,
    pub freed: Vec<u64>,
}

impl Edit<'_> {
    /// Copies what is borrowed.
    pub fn into_owned(self) -> Edit<'static> {
        let values = self.values.into_iter();
        Edit {
            values: values
                .map(|(id, value)| (id, Cow::Owned(value.into_owned())))
                .collect(),
            prefix: self.prefix,
            old: self.old,
            removed: self.removed,
            pieces: self.pieces,
            overflow: self.overflow,
            freed: self.freed,
        }
    }
}

/// Carries out edits in one transaction.
pub(super) struct Editor<'t, 'e> {
    transaction: &'t mut RwTxn<'e>,
    databases: Databases,
    /// Where blocks went that the snapshot knows by another key, and the way back.
    moved: HashMap<Vec<u8>, Vec<u8>>,
    origin: HashMap<Vec<u8>, Vec<u8>>,
    /// Keys of blocks that the snapshot does not know.
    fresh: HashSet<Vec<u8>>,
}

impl<'t, 'e> Editor<'t, 'e> {
    pub fn new(transaction: &'t mut RwTxn<'e>, databases: Databases) -> Self {
        Editor {
            transaction,
            databases,
            moved: HashMap::new(),
            origin: HashMap::new(),
            fresh: HashSet::new(),
        }
    }

    pub fn apply(&mut self, edit: Edit<'_>) -> Result<()> {
        for (id, value) in &edit.values {
            overflow::put(self.transaction, self.databases.overflow, *id, value)?;
        }
        for &id in &edit.freed {
            overflow::delete(self.transaction, self.databases.overflow, id)?;
        }
        let old: Vec<Vec<u8>> = edit.old.into_iter().map(|key| self.current(key)).collect();
        for key in old.iter().skip(1) {
            self.delete(key)?;
        }
        let first = old.into_iter().next();
        let mut pieces = edit.pieces.iter();
        match (first, pieces.next()) {
            (first, Some(piece)) => {
                let key = first.unwrap_or_else(|| edit.prefix.to_vec());
                self.put(&key, &piece.bytes, PutFlags::empty())?;
                self.follow(
                    &edit.prefix,
                    key,
                    piece,
                    pieces.as_slice(),
                    PutFlags::empty(),
                )?;
            }
            (Some(first), None) => {
                self.delete(&first)?;
                if first == edit.prefix {
                    self.lead(&edit.prefix)?;
                }
            }
            (None, None) => {}
        }
        let mut added = Packer::counts(&edit.pieces);
        added.overflow = edit.overflow;
        book(
            self.transaction,
            self.databases.meta,
            &edit.prefix,
            &added,
            &edit.removed,
        )
    }

    /// Puts pieces behind the block `before`, which stands under `key`; gives the key of the last.
    pub fn follow(
        &mut self,
        prefix: &[u8],
        mut key: Vec<u8>,
        before: &Piece,
        pieces: &[Piece],
        flags: PutFlags,
    ) -> Result<Vec<u8>> {
        let mut last = &before.last;
        for piece in pieces {
            let separator = separator(last, &piece.first);
            key = match separator.get(..STEM) {
                Some(stem) if separator.len() > STEM => self.chain_key(prefix, stem, key)?,
                _ => [prefix, separator].concat(),
            };
            self.put(&key, &piece.bytes, flags)?;
            self.fresh.insert(key.clone());
            last = &piece.last;
        }
        Ok(key)
    }

    pub fn put(&mut self, key: &[u8], bytes: &[u8], flags: PutFlags) -> Result<()> {
        let cells = self.databases.cells;
        cells
            .put_with_flags(self.transaction, flags, key, bytes)
            .map_err(failed("write a block"))
    }

    /// A free key of the chain, right behind the block at `before`.
    fn chain_key(&mut self, prefix: &[u8], stem: &[u8], mut before: Vec<u8>) -> Result<Vec<u8>> {
        loop {
            let low = Held::of(&before).ordinal_in(stem);
            let next = self
                .databases
                .cells
                .get_greater_than(self.transaction, &before);
            let next = next.map_err(failed("read"))?;
            let high = next
                .filter(|(key, _)| key.starts_with(prefix))
                .and_then(|(key, _)| Held::of(key).ordinal_in(stem));
            if let Some(ordinal) = ordinal_between(low, high) {
                return Ok(chained(prefix, stem, ordinal));
            }
            let ordinals = self.renumber(prefix, stem)?;
            if let Some((_, new)) = ordinals.iter().find(|(old, _)| Some(*old) == low) {
                before = chained(prefix, stem, *new);
            }
        }
    }

    /// Gives the blocks of a chain even gaps; returns old and new ordinals.
    fn renumber(&mut self, prefix: &[u8], stem: &[u8]) -> Result<Vec<(u32, u32)>> {
        let chain = [prefix, stem].concat();
        let mut old = Vec::new();
        let from = (Bound::Included(chain.as_slice()), Bound::Unbounded);
        let entries = self.databases.cells.range(self.transaction, &from);
        for entry in entries.map_err(failed("read"))? {
            let (key, _) = entry.map_err(failed("read"))?;
            if !key.starts_with(&chain) {
                break;
            }
            old.extend(Held::of(key).ordinal_in(stem));
        }
        let new = even_ordinals(old.len())?;
        let pairs: Vec<(u32, u32)> = old.into_iter().zip(new).collect();
        // Those that go up from the last on, then those that go down from the first on: no block
        // lands where another still stands, and one at a time is in memory.
        let up = pairs.iter().rev().filter(|(old, new)| new > old);
        let down = pairs.iter().filter(|(old, new)| new < old);
        for (old, new) in up.chain(down) {
            self.rename(chained(prefix, stem, *old), chained(prefix, stem, *new))?;
        }
        Ok(pairs)
    }

    /// Makes the first block that is left in a tree the one with the empty separator.
    fn lead(&mut self, prefix: &[u8]) -> Result<()> {
        let next = self
            .databases
            .cells
            .get_greater_than(self.transaction, prefix);
        let next = next.map_err(failed("read"))?.map(|(key, _)| key.to_vec());
        match next {
            Some(key) if key.starts_with(prefix) => self.rename(key, prefix.to_vec()),
            _ => Ok(()),
        }
    }

    fn rename(&mut self, from: Vec<u8>, to: Vec<u8>) -> Result<()> {
        let bytes = self.databases.cells.get(self.transaction, &from);
        let bytes = bytes.map_err(failed("read"))?.map(<[u8]>::to_vec);
        self.delete(&from)?;
        self.put(&to, &bytes.unwrap_or_default(), PutFlags::empty())?;
        if self.fresh.remove(&from) {
            self.fresh.insert(to);
        } else {
            let origin = self.origin.remove(&from).unwrap_or(from);
            self.origin.insert(to.clone(), origin.clone());
            self.moved.insert(origin, to);
        }
        Ok(())
    }

    fn current(&self, key: Vec<u8>) -> Vec<u8> {
        match self.moved.get(&key) {
            Some(now) => now.clone(),
            None => key,
        }
    }

    fn delete(&mut self, key: &[u8]) -> Result<()> {
        let cells = self.databases.cells;
        cells
            .delete(self.transaction, key)
            .map_err(failed("remove a block"))?;
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::ops::Bound;

    use super::*;
    use crate::block::Compression;
    use crate::cells::{Cell, Key};
    use crate::tree::keys::prefix;
    use crate::tree::{Batch, Level, Options, Store, TreeId};

    const TREE: TreeId = TreeId { table: 1, group: 0 };

    fn row(number: u32) -> Vec<u8> {
        [&[b'k'; 600][..], &number.to_be_bytes()].concat()
    }

    fn write(store: &Store, number: u32) {
        let cell = Cell {
            key: Key {
                row: row(number),
                ..Key::default()
            },
            value: (0..400u32).map(|n| ((n * n) ^ number) as u8).collect(),
        };
        let cells = [cell.as_ref()];
        let tree = TREE;
        store
            .write(
                &[Batch {
                    tree,
                    cells: &cells,
                }],
                1,
            )
            .unwrap();
    }

    /// The ordinals of the chain, in the order of its blocks.
    fn ordinals(store: &Store) -> Vec<u32> {
        let snapshot = store.snapshot().unwrap();
        let _guard = snapshot.enter().unwrap();
        let prefix = prefix(TREE, Level::FIRST);
        let (cells, mut found) = (snapshot.databases().cells, Vec::new());
        let take = |entry: crate::tree::mapped::Entry| {
            if let Held::Cut { ordinal, .. } = Held::of(&entry.key) {
                found.push(ordinal);
            }
        };
        snapshot
            .from(cells, Bound::Included(&prefix), &prefix, usize::MAX, take)
            .unwrap();
        found
    }

    #[test]
    fn a_chain_is_renumbered_with_even_gaps_where_no_ordinal_is_left_and_only_then() {
        let name = format!("lexigraph-edit-{}", std::process::id());
        let directory = std::env::temp_dir().join(name);
        let options = Options {
            target: 400,
            compression: Compression::Never,
            ..Options::default()
        };
        let store = Store::open(&directory, options).unwrap();
        for number in [0, 1 << 31, u32::MAX] {
            write(&store, number);
        }
        // Each row lies right behind the second one, so every new block halves the same gap.
        let mut renumbered = Vec::new();
        for round in 1..40u32 {
            let before = ordinals(&store);
            write(&store, (1 << 31) + (1 << 20) - round);
            let after = ordinals(&store);
            assert!(after.is_sorted_by(|left, right| left < right));
            assert_eq!(after.len(), before.len() + 1);
            let kept = before.iter().filter(|held| after.contains(held)).count();
            if kept < before.len() {
                renumbered.push(round);
                let least = after.windows(2).map(|pair| pair[1] - pair[0]).min();
                assert!(least > Some(1 << 24), "{after:?}");
            }
        }
        // Sixteen halvings use up the first gap; an even one has room for more than are left to come.
        assert_eq!(renumbered, [17]);
        store.verify().unwrap();
        drop(store);
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
