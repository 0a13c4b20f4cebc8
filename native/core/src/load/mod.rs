//! Sorting more cells than memory holds, for loads.
//!
//! Cells are collected as records. When they pass the memory limit they are put into a temporary
//! file, cut at keys but not sorted. At the end all of them, in memory and in files, are cut at sampled keys into stretches that fit the
//! caches; threads sort each stretch and make blocks of it, and one thread writes the blocks in order.
//! So no step compares more than a stretch holds, and nothing but the stretches at work is in memory twice.

mod boundary;
mod cut;
mod pairs;
mod parallel;
mod record;
mod records;
mod sorter;
mod spill;
mod stretch;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::cells::{CellRef, Key};
use crate::tree::TreeId;
use crate::{Error, Result};

pub(crate) use boundary::Boundary;
use cut::{Equal, Sizes, Spare};
pub(crate) use pairs::Finder;
use pairs::SharedPairs;
pub(crate) use parallel::in_order;
pub(crate) use records::Records;
pub(crate) use sorter::Sorted;
use sorter::Sorter;
pub use spill::remove_stale;
use spill::Spill;
pub(crate) use spill::PREFIX as SPILL_PREFIX;

/// How a load goes about it.
#[derive(Debug, Clone)]
pub struct Options {
    /// The bytes of cells that are kept in memory; more go to temporary files.
    pub memory: usize,
    /// The cells come in the order of their keys, and fully equal ones in the order they should have.
    pub sorted: bool,
    /// How many threads sort cells and make blocks; one more writes.
    pub threads: usize,
    /// The time that most cells have. It need not be the last: another may take its place at the end.
    pub time: i64,
}

impl Default for Options {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(2, usize::from);
        Options {
            memory: 512 << 20,
            sorted: false,
            threads: threads.min(8),
            time: 0,
        }
    }
}

/// What a load is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Cells are taken, and sorted into temporary files where memory does not hold them.
    Read,
    /// Blocks are made and written.
    Write,
    /// All blocks are written; the disk is waited for.
    Sync,
}

/// How far a load is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub phase: Phase,
    /// Cells taken from the source.
    pub read: u64,
    /// Cells that stand in blocks, though nobody sees them before the end.
    pub written: u64,
    /// Sorted temporary files so far.
    pub files: u64,
}

/// Is told how far a load is; an error ends the load, and nothing of it is stored.
pub type Watch<'w> = dyn FnMut(&Progress) -> Result<()> + 'w;

/// Cells on their way into trees.
#[derive(Debug)]
pub struct Loader {
    directory: PathBuf,
    options: Options,
    trees: BTreeMap<TreeId, Sorter>,
    spill: Option<Spill>,
    /// Bytes of records in memory.
    held: usize,
    spare: Spare,
    pairs: SharedPairs,
    finder: Finder,
    /// The newest cell, where cells must come in order.
    last: Option<Key>,
    progress: Progress,
}

impl Loader {
    /// Starts a load; temporary files stand in `directory`, which is the store's own.
    pub fn new(directory: &Path, options: Options) -> Loader {
        let pairs = SharedPairs::new(options.time);
        Loader {
            directory: directory.to_path_buf(),
            options,
            trees: BTreeMap::new(),
            spill: None,
            held: 0,
            spare: Spare::default(),
            finder: pairs.finder(),
            pairs,
            last: None,
            progress: Progress {
                phase: Phase::Read,
                read: 0,
                written: 0,
                files: 0,
            },
        }
    }

    /// How far it is.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Takes a cell for a tree.
    pub fn push(&mut self, tree: TreeId, cell: &CellRef<'_>) -> Result<()> {
        if self.options.sorted {
            self.check_order(cell)?;
        }
        self.progress.read += 1;
        let (options, spare) = (&self.options, &mut self.spare);
        let sorter = (self.trees.entry(tree)).or_insert_with(|| new_sorter(options));
        self.held += sorter.push(cell, &mut self.finder, spare);
        self.spill_when_full()
    }

    /// Takes cells for a tree, which come behind those so far. Not for a load whose cells must come in order.
    pub(crate) fn push_records(&mut self, tree: TreeId, records: Records) -> Result<()> {
        self.progress.read += records.cells();
        let (options, spare) = (&self.options, &mut self.spare);
        let sorter = (self.trees.entry(tree)).or_insert_with(|| new_sorter(options));
        self.held += sorter.push_records(records, spare);
        self.spill_when_full()
    }

    /// Whether cells must come in order.
    pub(crate) fn is_sorted(&self) -> bool {
        self.options.sorted
    }

    /// For another thread: no records, with room for so many bytes; how many bytes lie between samples; and what
    /// finds the numbers of families and labels.
    pub(crate) fn new_records(&mut self, bytes: usize) -> (Records, usize, Finder) {
        let mut records = Records::within(self.spare.take_chunk());
        records.reserve(bytes);
        let sample = Sizes::of(self.options.memory).sample;
        (records, sample, self.pairs.finder())
    }

    /// All cells by tree, with the directory that must live as long as they are read.
    pub(crate) fn finish(mut self) -> Result<Loaded> {
        if self.trees.values().any(Sorter::is_spilled) && self.held > 0 {
            // So little memory is left to what comes next.
            self.spill()?;
        }
        let (trees, pairs) = (self.trees.into_iter(), self.pairs.now());
        Ok(Loaded {
            trees: trees
                .map(|(tree, sorter)| (tree, sorter.cells(), sorter.finish(pairs.clone())))
                .collect(),
            threads: self.options.threads,
            into_delta: false,
            progress: self.progress,
            _spill: self.spill,
        })
    }

    fn check_order(&mut self, cell: &CellRef<'_>) -> Result<()> {
        match &mut self.last {
            Some(last) if last.as_ref() > cell.key => {
                return Err(Error::InvalidKey(format!(
                    "cell {} of the sorted import comes before the one ahead of it: sort the cells by key, or \
                     load them as unsorted ones; nothing was stored",
                    self.progress.read
                )))
            }
            Some(last) => last.assign(&cell.key),
            None => self.last = Some(cell.key.to_owned()),
        }
        Ok(())
    }

    fn spill_when_full(&mut self) -> Result<()> {
        match self.held >= self.options.memory {
            true => self.spill(),
            false => Ok(()),
        }
    }

    fn spill(&mut self) -> Result<()> {
        let spill = match &mut self.spill {
            Some(spill) => spill,
            none => none.insert(Spill::new(&self.directory)?),
        };
        let pairs = self.pairs.now();
        for sorter in self.trees.values_mut() {
            sorter.spill(spill, &pairs, self.options.threads, &mut self.spare)?;
        }
        self.progress.files += 1;
        self.held = 0;
        Ok(())
    }
}

fn new_sorter(options: &Options) -> Sorter {
    let equal = match options.sorted {
        true => Equal::EarlierFirst,
        false => Equal::LaterFirst,
    };
    Sorter::new(Sizes::of(options.memory), equal)
}

/// Everything that a load took.
pub(crate) struct Loaded {
    /// Trees, how many cells each gets, and the cells.
    pub trees: Vec<(TreeId, u64, Sorted)>,
    pub threads: usize,
    /// Nothing may go into a base, because trees that are about to go may hold older cells in their deltas.
    pub into_delta: bool,
    pub progress: Progress,
    _spill: Option<Spill>,
}

impl Loaded {
    /// Gives cells that have the time of the load another. No cell may have a time between the two, nor the second:
    /// the order in which cells were sorted would not hold.
    pub(crate) fn restamp(&mut self, to: i64) {
        for (_, _, sorted) in &mut self.trees {
            sorted.restamp(to);
        }
    }
}
