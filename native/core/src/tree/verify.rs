//! Reads everything and checks what readers rely on: checksums, order, separators, references, counters.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::Arc;

use super::counters::{counts_key, Counts};
use super::keys::{named, Held, PREFIX};
use super::mapped::{Entry, Snapshot};
use super::overflow;
use super::plan::Stored;
use super::sort_key::sort_key;
use super::Store;
use crate::{Error, Result};

/// What was read while checking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Verified {
    pub trees: u64,
    pub counts: Counts,
}

impl Store {
    /// Checks the whole store; the first thing that is wrong is the error.
    pub fn verify(&self) -> Result<Verified> {
        let snapshot = self.reading()?;
        let mut check = Check::new(&snapshot);
        let mut start = Bound::Unbounded;
        loop {
            let from = start.as_ref().map(Vec::as_slice);
            let Some(entry) = snapshot.first(from, &[])? else {
                break;
            };
            check.block(&entry).map_err(named(&entry.key))?;
            start = Bound::Excluded(entry.key);
        }
        check.finish()
    }
}

struct Check<'a> {
    snapshot: &'a Arc<Snapshot>,
    tree: Vec<u8>,
    last: Vec<u8>,
    counts: BTreeMap<Vec<u8>, Counts>,
    long_values: BTreeSet<u64>,
}

impl<'a> Check<'a> {
    fn new(snapshot: &'a Arc<Snapshot>) -> Check<'a> {
        Check {
            snapshot,
            tree: Vec::new(),
            last: Vec::new(),
            counts: BTreeMap::new(),
            long_values: BTreeSet::new(),
        }
    }

    fn block(&mut self, entry: &Entry) -> Result<()> {
        let Some(prefix) = entry.key.get(..PREFIX) else {
            return Err(wrong("its key names no tree"));
        };
        let leads = self.tree != prefix;
        if leads {
            self.tree = prefix.to_vec();
            self.last.clear();
            if entry.key.len() > PREFIX {
                return Err(wrong("the first block of a tree has a separator"));
            }
        }
        let mut stored = Stored::open(entry)?;
        self.counts
            .entry(self.tree.clone())
            .or_default()
            .add(&stored.counts);
        let (mut key, mut value) = (Vec::new(), Vec::new());
        let mut first = true;
        while let Some((cell, reference)) = stored.top() {
            sort_key(&cell.key, &mut key);
            // Only within a block may two keys be fully equal.
            if self.last > key || (first && !leads && self.last == key) {
                return Err(wrong("its cells are out of order"));
            }
            if first {
                self.separator(&entry.key, &key, leads)?;
            }
            if reference {
                let reference = overflow::Reference::read(cell.value)?;
                overflow::get(self.snapshot, &reference, &mut value)?;
                if !self.long_values.insert(reference.id) {
                    return Err(wrong("a long value has two references"));
                }
            }
            std::mem::swap(&mut self.last, &mut key);
            first = false;
            stored.advance()?;
        }
        Ok(())
    }

    fn separator(&self, held: &[u8], first: &[u8], leads: bool) -> Result<()> {
        let between = match Held::of(held) {
            Held::Plain(separator) => {
                (leads || self.last.as_slice() < separator) && separator <= first
            }
            Held::Cut { stem, .. } => stem < first,
        };
        between.then_some(()).ok_or_else(|| {
            wrong("its separator does not lie before it and behind the block before")
        })
    }

    fn finish(self) -> Result<Verified> {
        let meta = self.snapshot.databases().meta;
        let mut sum = Verified::default();
        let mut told = BTreeMap::new();
        let trees = counts_key(&[]);
        self.snapshot
            .from(meta, Bound::Included(&trees), &trees, usize::MAX, |entry| {
                told.insert(entry.key, entry.bytes);
            })?;
        for (prefix, counts) in &self.counts {
            let key = counts_key(prefix);
            let held = told.remove(&key).map(|bytes| Counts::read(bytes.as_ref()));
            if held.transpose()? != Some(*counts) {
                return Err(named(prefix)(wrong("the counters of its tree are wrong")));
            }
            sum.trees += 1;
            sum.counts.add(counts);
        }
        for (_, bytes) in told {
            if Counts::read(bytes.as_ref())? != Counts::default() {
                return Err(wrong("the counters name a tree that is not there"));
            }
        }
        self.unused_values()?;
        Ok(sum)
    }

    fn unused_values(&self) -> Result<()> {
        let database = self.snapshot.databases().overflow;
        let mut unused = None;
        self.snapshot
            .from(database, Bound::Unbounded, &[], usize::MAX, |entry| {
                let id = entry.key.first_chunk().map(|id| u64::from_be_bytes(*id));
                if id.is_none_or(|id| !self.long_values.contains(&id)) {
                    unused = Some(entry.key);
                }
            })?;
        match unused {
            Some(_) => Err(wrong("a long value has no reference")),
            None => Ok(()),
        }
    }
}

fn wrong(what: &str) -> Error {
    Error::Corruption(what.into())
}
