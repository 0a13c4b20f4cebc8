//! Reads everything and checks what readers rely on: checksums, order, separators, references, counters.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::Arc;

use super::counters::{counts_key, Counts};
use super::keys::{describe, Held, PREFIX};
use super::mapped::{Entry, Snapshot};
use super::overflow;
use super::plan::Stored;
use super::sort_key::sort_key;
use super::Store;
use crate::block::Page;
use crate::{Error, Result};

/// More problems than this are counted, not told.
const TOLD: usize = 100;

/// What was read while checking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Verified {
    pub trees: u64,
    pub counts: Counts,
}

/// What was read, and all that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Inspection {
    /// Tables with cells.
    pub tables: u64,
    pub trees: u64,
    pub counts: Counts,
    pub long_values: u64,
    /// At most a hundred, then only counted.
    pub problems: Vec<Problem>,
    pub problem_count: u64,
}

/// Something that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The table it is in; none where it is in the store's own entries.
    pub table: Option<u32>,
    /// Table, block and what is wrong, in words.
    pub what: String,
}

impl Store {
    /// Checks the whole store; the first thing that is wrong is the error.
    pub fn verify(&self) -> Result<Verified> {
        let found = self.inspect()?;
        match found.problems.into_iter().next() {
            Some(problem) => Err(Error::Corruption(problem.what)),
            None => Ok(Verified {
                trees: found.trees,
                counts: found.counts,
            }),
        }
    }

    /// Checks the whole store and lists what is wrong.
    pub fn inspect(&self) -> Result<Inspection> {
        let snapshot = self.reading()?;
        let mut check = Check::new(&snapshot);
        let mut start = Bound::Unbounded;
        loop {
            let from = start.as_ref().map(Vec::as_slice);
            let Some(entry) = snapshot.first(from, &[])? else {
                break;
            };
            if let Err(error) = check.block(&entry) {
                check.blocks_failed = true;
                check.problem(&entry.key, error)?;
            }
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
    found: Inspection,
    /// Then counters and references cannot agree.
    blocks_failed: bool,
}

impl<'a> Check<'a> {
    fn new(snapshot: &'a Arc<Snapshot>) -> Check<'a> {
        Check {
            snapshot,
            tree: Vec::new(),
            last: Vec::new(),
            counts: BTreeMap::new(),
            long_values: BTreeSet::new(),
            found: Inspection::default(),
            blocks_failed: false,
        }
    }

    /// Notes what is wrong with a block, or with what its key names.
    fn problem(&mut self, key: &[u8], error: Error) -> Result<()> {
        let Error::Corruption(what) = error else {
            return Err(error);
        };
        let name = describe(key);
        let what = match what.contains(&name) {
            true => what,
            false => format!("{name}: {what}"),
        };
        self.note(
            key.first_chunk().map(|table| u32::from_be_bytes(*table)),
            what,
        );
        Ok(())
    }

    fn note(&mut self, table: Option<u32>, what: String) {
        self.found.problem_count += 1;
        if self.found.problems.len() < TOLD {
            self.found.problems.push(Problem { table, what });
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
        Page::open(entry.bytes.clone())?.block().check_forms()?;
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
                if !self.long_values.insert(reference.id) {
                    return Err(wrong("a long value has two references"));
                }
                overflow::get(self.snapshot, &reference, &mut value)?;
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
        between
            .then_some(())
            .ok_or_else(|| wrong("its separator is not between it and the block before"))
    }

    fn finish(mut self) -> Result<Inspection> {
        let mut tables = BTreeSet::new();
        for (prefix, counts) in &self.counts {
            self.found.trees += 1;
            self.found.counts.add(counts);
            tables.insert(prefix.first_chunk::<4>().copied());
        }
        self.found.tables = tables.len() as u64;
        self.found.long_values = self.long_values.len() as u64;
        if !self.blocks_failed {
            self.counters()?;
            self.unused_values()?;
        }
        Ok(self.found)
    }

    fn counters(&mut self) -> Result<()> {
        let meta = self.snapshot.databases().meta;
        let mut told = BTreeMap::new();
        let trees = counts_key(&[]);
        self.snapshot
            .from(meta, Bound::Included(&trees), &trees, usize::MAX, |entry| {
                told.insert(entry.key, entry.bytes);
            })?;
        for (prefix, counts) in std::mem::take(&mut self.counts) {
            let key = counts_key(&prefix);
            let held = told.remove(&key).map(|bytes| Counts::read(bytes.as_ref()));
            if held.and_then(Result::ok) != Some(counts) {
                self.problem(&prefix, wrong("the counters of its tree are wrong"))?;
            }
        }
        for (key, bytes) in told {
            if Counts::read(bytes.as_ref()).ok() != Some(Counts::default()) {
                let prefix = key.get(trees.len()..).unwrap_or_default();
                self.problem(
                    prefix,
                    wrong("the counters name a tree that does not exist"),
                )?;
            }
        }
        Ok(())
    }

    fn unused_values(&mut self) -> Result<()> {
        let database = self.snapshot.databases().overflow;
        let mut unused = BTreeSet::new();
        let used = &self.long_values;
        self.snapshot
            .from(database, Bound::Unbounded, &[], usize::MAX, |entry| {
                let id = entry.key.first_chunk().map(|id| u64::from_be_bytes(*id));
                if id.is_none_or(|id| !used.contains(&id)) && unused.len() < TOLD {
                    unused.insert(id);
                }
            })?;
        for id in unused {
            let id = id.map_or("without a number".into(), |id| id.to_string());
            self.note(None, format!("the long value {id} has no reference"));
        }
        Ok(())
    }
}

fn wrong(what: &str) -> Error {
    Error::Corruption(what.into())
}
