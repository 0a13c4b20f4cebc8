//! Cells cut at boundaries into stretches that threads sort, each on its own.

use std::sync::{Mutex, PoisonError};

use super::record;
use super::spill::Run;
use crate::cells::{CellRef, Key, KeyRef};
use crate::tree::sort::sort_places;
use crate::tree::sort_key;
use crate::{Error, Result};

/// How large things are, from the memory limit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes {
    pub stretch: usize,
    pub frame: usize,
    /// Bytes from one sampled key to the next.
    pub sample: usize,
}

impl Sizes {
    pub fn of(memory: usize) -> Sizes {
        // A stretch should fit the caches of a core.
        let stretch = (memory / 64).clamp(4096, 2 << 20);
        Sizes {
            stretch,
            frame: (stretch / 32).clamp(512, 64 << 10),
            sample: (stretch / 512).clamp(64, 4096),
        }
    }

    pub fn chunk(&self, most: usize) -> usize {
        (self.stretch * 2).min(most)
    }
}

/// Which of fully equal keys comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Equal {
    /// What was taken later.
    LaterFirst,
    /// What was taken earlier.
    EarlierFirst,
}

/// Where one stretch ends and the next one starts.
#[derive(Debug)]
pub(crate) enum Boundary {
    /// The first key of the next stretch, or one before it.
    Key(Key),
    /// The same as a sort key, or the start of one.
    SortKey(Vec<u8>),
}

impl Boundary {
    pub fn keys(keys: Vec<Key>) -> Vec<Boundary> {
        keys.into_iter().map(Boundary::Key).collect()
    }

    /// Whether a key belongs before it; `scratch` holds the sort key where there are any to compare.
    fn is_behind(&self, key: &KeyRef<'_>, scratch: &[u8]) -> bool {
        match self {
            Boundary::Key(first) => *key < first.as_ref(),
            Boundary::SortKey(first) => scratch < first.as_slice(),
        }
    }
}

/// Finds the stretch of a key.
struct Finder<'b> {
    boundaries: &'b [Boundary],
    /// The first bytes of the boundaries' rows, which decide most comparisons.
    heads: Vec<u128>,
    sort_keys: bool,
    scratch: Vec<u8>,
}

impl<'b> Finder<'b> {
    fn new(boundaries: &'b [Boundary]) -> Finder<'b> {
        let row = |boundary: &Boundary| match boundary {
            Boundary::Key(key) => row_head(&key.row),
            Boundary::SortKey(_) => 0,
        };
        Finder {
            boundaries,
            heads: boundaries.iter().map(row).collect(),
            sort_keys: boundaries
                .iter()
                .any(|boundary| matches!(boundary, Boundary::SortKey(_))),
            scratch: Vec::new(),
        }
    }

    fn stretch(&mut self, key: &KeyRef<'_>) -> usize {
        let (mut low, mut high) = (0, self.boundaries.len());
        if self.sort_keys {
            sort_key(key, &mut self.scratch);
        } else {
            let head = row_head(key.row);
            low = self.heads.partition_point(|held| *held < head);
            high = low
                + self
                    .heads
                    .get(low..)
                    .map_or(0, |rest| rest.partition_point(|held| *held == head));
        }
        let between = self.boundaries.get(low..high).unwrap_or_default();
        low + between.partition_point(|boundary| !boundary.is_behind(key, &self.scratch))
    }
}

/// The first 16 bytes of a row as a number; rows that differ in it are ordered by it.
fn row_head(row: &[u8]) -> u128 {
    let mut head = [0; 16];
    match row.first_chunk() {
        Some(whole) => head = *whole,
        None => {
            for (place, byte) in head.iter_mut().zip(row) {
                *place = *byte;
            }
        }
    }
    u128::from_be_bytes(head)
}

/// Records by stretch: for each the pieces of memory that hold them, older before newer.
pub(super) struct Memory(Vec<Mutex<Vec<Vec<u8>>>>);

impl Memory {
    pub fn distribute(
        chunks: Vec<Vec<u8>>,
        boundaries: &[Boundary],
        threads: usize,
    ) -> Result<Memory> {
        let mut shares = Vec::new();
        let mut rest = chunks;
        for left in (1..=threads.max(1)).rev() {
            let later = rest.split_off(rest.len().div_ceil(left));
            shares.push(std::mem::replace(&mut rest, later));
        }
        let parts: Vec<Vec<Vec<u8>>> = std::thread::scope(|scope| {
            let handles: Vec<_> = shares
                .into_iter()
                .filter(|share| !share.is_empty())
                .map(|share| scope.spawn(move || distribute(share, boundaries)))
                .collect();
            let died = |_| Error::Store("a thread that sorted cells has died".into());
            handles
                .into_iter()
                .map(|handle| handle.join().map_err(died))
                .collect::<Result<_>>()
        })?;
        let mut stretches: Vec<Vec<Vec<u8>>> = (0..=boundaries.len()).map(|_| Vec::new()).collect();
        for part in parts {
            for (stretch, piece) in stretches.iter_mut().zip(part) {
                stretch.push(piece);
            }
        }
        Ok(Memory(stretches.into_iter().map(Mutex::new).collect()))
    }

    /// Gives what a stretch has, once.
    fn take(&self, stretch: usize) -> Vec<Vec<u8>> {
        self.0.get(stretch).map_or_else(Vec::new, |held| {
            std::mem::take(&mut *held.lock().unwrap_or_else(PoisonError::into_inner))
        })
    }
}

fn distribute(chunks: Vec<Vec<u8>>, boundaries: &[Boundary]) -> Vec<Vec<u8>> {
    if boundaries.is_empty() {
        return vec![chunks.concat()];
    }
    let mut finder = Finder::new(boundaries);
    let mut stretches: Vec<Vec<u8>> = (0..=boundaries.len()).map(|_| Vec::new()).collect();
    for chunk in chunks {
        let mut rest = chunk.as_slice();
        while let Some((cell, length)) = record::read(rest) {
            let (record, later) = rest.split_at(length);
            if let Some(stretch) = stretches.get_mut(finder.stretch(&cell.key)) {
                stretch.extend_from_slice(record);
            }
            rest = later;
        }
    }
    stretches
}

/// Cells cut into stretches; each can be read once.
pub(crate) struct Cut {
    boundaries: Vec<Boundary>,
    memory: Memory,
    runs: Vec<Run>,
    equal: Equal,
}

impl Cut {
    pub(super) fn new(
        boundaries: Vec<Boundary>,
        memory: Memory,
        runs: Vec<Run>,
        equal: Equal,
    ) -> Cut {
        Cut {
            boundaries,
            memory,
            runs,
            equal,
        }
    }

    /// How many stretches there are.
    pub fn len(&self) -> usize {
        self.boundaries.len() + 1
    }

    /// The cells of a stretch, sorted.
    pub fn read(&self, stretch: usize) -> Result<Stretch> {
        let mut files = Vec::new();
        for run in &self.runs {
            files.push(self.read_run(run, stretch)?);
        }
        let mut memory = self.memory.take(stretch);
        Ok(match self.equal {
            // Files have their equal keys in order already, memory has them as they came.
            Equal::LaterFirst => {
                memory.reverse();
                files.reverse();
                let turned = memory.len();
                memory.append(&mut files);
                Stretch::sort(memory, turned)
            }
            Equal::EarlierFirst => {
                files.append(&mut memory);
                Stretch::sort(files, 0)
            }
        })
    }

    fn read_run(&self, run: &Run, stretch: usize) -> Result<Vec<u8>> {
        let low = stretch
            .checked_sub(1)
            .and_then(|before| self.boundaries.get(before));
        let high = self.boundaries.get(stretch);
        let (mut piece, mut whole) = (Vec::new(), true);
        let mut scratch = Vec::new();
        let before = |key: &Key| {
            let mut scratch = Vec::new();
            low.is_some_and(|low| {
                sort_key_for(low, &key.as_ref(), &mut scratch);
                low.is_behind(&key.as_ref(), &scratch)
            })
        };
        run.read(before, |records| {
            let mut rest = records;
            while !rest.is_empty() {
                let Some((cell, length)) = record::read(rest) else {
                    whole = false;
                    return false;
                };
                let mut behind = |boundary: &Boundary| {
                    sort_key_for(boundary, &cell.key, &mut scratch);
                    boundary.is_behind(&cell.key, &scratch)
                };
                let (record, later) = rest.split_at(length);
                if !low.is_some_and(&mut behind) {
                    if !high.is_none_or(&mut behind) {
                        return false;
                    }
                    piece.extend_from_slice(record);
                }
                rest = later;
            }
            true
        })?;
        match whole {
            true => Ok(piece),
            false => Err(run.damaged()),
        }
    }
}

fn sort_key_for(boundary: &Boundary, key: &KeyRef<'_>, scratch: &mut Vec<u8>) {
    if matches!(boundary, Boundary::SortKey(_)) {
        sort_key(key, scratch);
    }
}

/// How many low bits of a place are the offset; those above number the piece.
const OFFSET_BITS: u32 = 40;
const OFFSET: u64 = (1 << OFFSET_BITS) - 1;

/// Sorted cells in memory.
pub(crate) struct Stretch {
    pieces: Vec<Vec<u8>>,
    /// In this many pieces, from the first on, of equal keys the later comes first.
    turned: usize,
    places: Vec<u64>,
}

impl Stretch {
    /// Of equal keys that of an earlier piece comes first.
    fn sort(pieces: Vec<Vec<u8>>, turned: usize) -> Stretch {
        let mut places = Vec::new();
        for (number, piece) in pieces.iter().enumerate() {
            let turn = if number < turned { OFFSET } else { 0 };
            let mut offset = 0;
            while let Some((_, length)) = piece.get(offset..).and_then(record::read) {
                places.push((number as u64) << OFFSET_BITS | (offset as u64 ^ turn));
                offset += length;
            }
        }
        let key = |place: u64| at(&pieces, turned, place).key;
        sort_places(&mut places, &key);
        Stretch {
            pieces,
            turned,
            places,
        }
    }

    /// The cells, in order.
    pub fn cells(&self) -> impl Iterator<Item = CellRef<'_>> {
        let places = self.places.iter();
        places.map(|&place| at(&self.pieces, self.turned, place))
    }
}

fn at(pieces: &[Vec<u8>], turned: usize, place: u64) -> CellRef<'_> {
    const NONE: CellRef<'static> = CellRef {
        key: KeyRef {
            row: &[],
            family: &[],
            qualifier: &[],
            visibility: &[],
            timestamp: 0,
            deleted: false,
        },
        value: &[],
    };
    let number = (place >> OFFSET_BITS) as usize;
    let turn = if number < turned { OFFSET } else { 0 };
    let offset = ((place & OFFSET) ^ turn) as usize;
    pieces
        .get(number)
        .and_then(|piece| piece.get(offset..))
        .and_then(record::read)
        .map_or(NONE, |(cell, _)| cell)
}
