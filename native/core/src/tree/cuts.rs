//! Rows at which a tree can be divided into parts of about equal size, found from its separators alone.

use std::ops::Bound;
use std::sync::Arc;

use super::keys::PREFIX;
use super::mapped::Snapshot;
use super::plan::Tree;
use super::TreeId;
use crate::cells::KeyRef;
use crate::codec::escape::unescape;
use crate::Result;

/// Walks the separators of the largest of some trees.
#[derive(Debug)]
pub struct Cuts {
    tree: Tree,
    /// The key of the block that it is at.
    key: Vec<u8>,
    scratch: Vec<u8>,
}

impl Cuts {
    /// Cuts by the tree that has the most blocks; none where all are empty.
    pub fn new(snapshot: &Arc<Snapshot>, trees: &[TreeId]) -> Result<Option<Cuts>> {
        let mut most = (0, None);
        for &tree in trees {
            for &level in snapshot.levels(tree)?.iter() {
                let blocks = snapshot.level_counts(tree, level)?.blocks;
                if blocks > most.0 {
                    most = (blocks, Some((tree, level)));
                }
            }
        }
        Ok(most.1.map(|(tree, level)| Cuts {
            tree: Tree::new(snapshot, tree, level),
            key: Vec::new(),
            scratch: Vec::new(),
        }))
    }

    /// Goes to the block that a key belongs to, or to the first.
    pub fn seek(&mut self, key: Option<&KeyRef<'_>>) -> Result<()> {
        let entry = match key {
            Some(key) => self.tree.locate(key, &mut self.scratch)?,
            None => self.tree.first()?,
        };
        self.key = entry.map_or_else(Vec::new, |entry| entry.key);
        Ok(())
    }

    /// Passes over that many blocks and gives the row that the one behind them starts with, or one shortly
    /// before it; none where there are not so many, or where the row is behind `last`.
    pub fn next(&mut self, blocks: usize, last: Option<&[u8]>) -> Result<Option<Vec<u8>>> {
        // The next block is looked at first: most ranges end before it.
        let mut row = self.pass(1)?;
        let is_inside = |row: &Vec<u8>| last.is_none_or(|last| row.as_slice() <= last);
        if blocks > 1 && row.as_ref().is_some_and(is_inside) {
            row = self.pass(blocks - 1)?;
        }
        Ok(row.filter(is_inside))
    }

    fn pass(&mut self, blocks: usize) -> Result<Option<Vec<u8>>> {
        let cells = self.tree.snapshot.databases().cells;
        let from = Bound::Excluded(self.key.as_slice());
        let (mut seen, mut last) = (0, None);
        self.tree
            .snapshot
            .from(cells, from, &self.tree.prefix, blocks, |entry| {
                seen += 1;
                last = Some(entry.key);
            })?;
        Ok(last.filter(|_| seen == blocks).map(|key| {
            let row = row_of(key.get(PREFIX..).unwrap_or_default());
            self.key = key;
            row
        }))
    }
}

/// The row of a separator, or as much of it as the separator holds.
fn row_of(separator: &[u8]) -> Vec<u8> {
    let escaped = separator
        .split(|&byte| byte == 0)
        .next()
        .unwrap_or_default();
    unescape(escaped).unwrap_or_else(|_| {
        // It was cut behind the first byte of a pair.
        let (_, whole) = escaped.split_last().unwrap_or((&0, &[]));
        unescape(whole).unwrap_or_default()
    })
}
