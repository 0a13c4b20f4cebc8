//! Cells cut at boundaries into stretches, from memory and from files.

use std::borrow::Cow;

use super::boundary::{sort_key_for, Boundary, Finder};
use super::pairs::Pairs;
use super::record;
use super::spill::Run;
use super::stretch::Stretch;
use crate::cells::{Key, KeyRef};
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
        // A stretch should fit the caches of a core, with what it is sorted by.
        let stretch = (memory / 64).clamp(4096, 1 << 20);
        Sizes {
            stretch,
            // Where files are cut at different keys, a stretch reads from each about a frame too much.
            frame: (stretch / 16).clamp(512, 64 << 10),
            sample: (stretch / 256).clamp(64, 4096),
        }
    }

    pub fn chunk(&self, most: usize) -> usize {
        (self.stretch * 4).min(most)
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

/// Records by stretch: neighbouring chunks, older before newer, each with its stretches one behind the other.
pub(super) struct Memory(Vec<Sheaf>);

/// The records of some chunks, by stretch.
#[derive(Default)]
struct Sheaf {
    bytes: Vec<u8>,
    /// Where each stretch starts, and behind them where the last one ends.
    starts: Vec<usize>,
}

impl Memory {
    /// Puts the records of chunks into the order of their stretches. Memory comes from `spare` where there is some, and
    /// that of the chunks goes there.
    pub fn distribute(
        chunks: Vec<Vec<u8>>,
        boundaries: &[Boundary],
        pairs: &Pairs,
        threads: usize,
        spare: &mut Spare,
    ) -> Result<Memory> {
        let mut shares = Vec::new();
        let mut rest = chunks;
        for left in (1..=threads.max(1)).rev() {
            let later = rest.split_off(rest.len().div_ceil(left));
            let share = std::mem::replace(&mut rest, later);
            if !share.is_empty() {
                shares.push((share, spare.take_sheaf()));
            }
        }
        let sheaves: Vec<(Sheaf, Vec<Vec<u8>>)> = std::thread::scope(|scope| {
            let handles: Vec<_> = shares
                .into_iter()
                .map(|(share, bytes)| {
                    scope.spawn(move || (distribute(&share, boundaries, pairs, bytes), share))
                })
                .collect();
            let died = |_| Error::Store("a thread that sorted cells has died".into());
            handles
                .into_iter()
                .map(|handle| handle.join().map_err(died))
                .collect::<Result<_>>()
        })?;
        let mut memory = Memory(Vec::with_capacity(sheaves.len()));
        for (sheaf, chunks) in sheaves {
            memory.0.push(sheaf);
            spare.give_chunks(chunks);
        }
        Ok(memory)
    }

    /// What a stretch has.
    pub fn pieces(&self, stretch: usize) -> impl Iterator<Item = &[u8]> {
        self.0.iter().filter_map(move |sheaf| {
            let ends = sheaf.starts.get(stretch..)?.first_chunk::<2>()?;
            sheaf.bytes.get(ends[0]..ends[1])
        })
    }

    /// Gives its memory back.
    pub fn give_back(self, spare: &mut Spare) {
        for sheaf in self.0 {
            spare.give_sheaf(sheaf.bytes);
        }
    }
}

/// The records of some chunks by stretch, in this memory. They are looked at twice: where they go, and then how.
fn distribute(
    chunks: &[Vec<u8>],
    boundaries: &[Boundary],
    pairs: &Pairs,
    mut bytes: Vec<u8>,
) -> Sheaf {
    let mut finder = Finder::new(boundaries);
    let mut places: Vec<u32> = Vec::new();
    let mut starts = vec![0usize; boundaries.len() + 2];
    for chunk in chunks {
        let mut rest = chunk.as_slice();
        while let Some((cell, length)) = record::read(rest, pairs) {
            let stretch = match boundaries.is_empty() {
                true => 0,
                false => finder.stretch(&cell.key),
            };
            if let Some(size) = starts.get_mut(stretch + 1) {
                *size += length;
            }
            places.push(stretch as u32);
            rest = rest.get(length..).unwrap_or_default();
        }
    }
    let mut sum = 0;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    bytes.clear();
    bytes.resize(sum, 0);
    let mut ends = starts.clone();
    let mut places = places.iter();
    for chunk in chunks {
        let mut rest = chunk.as_slice();
        while !rest.is_empty() {
            let (Some(&stretch), Some(length)) = (places.next(), record::length(rest)) else {
                break;
            };
            let Some((record, later)) = rest.split_at_checked(length) else {
                break;
            };
            if let Some(end) = ends.get_mut(stretch as usize) {
                if let Some(place) = bytes.get_mut(*end..*end + record.len()) {
                    place.copy_from_slice(record);
                }
                *end += record.len();
            }
            rest = later;
        }
    }
    Sheaf { bytes, starts }
}

/// Memory that was used, to be used again: fresh memory costs more than what is done in it.
#[derive(Debug, Default)]
pub(super) struct Spare {
    chunks: Vec<Vec<u8>>,
    sheaves: Vec<Vec<u8>>,
}

impl Spare {
    /// Memory for records, which may have room for some.
    pub fn take_chunk(&mut self) -> Vec<u8> {
        let mut chunk = self.chunks.pop().unwrap_or_default();
        chunk.clear();
        chunk
    }

    pub fn give_chunks(&mut self, chunks: Vec<Vec<u8>>) {
        self.chunks.extend(chunks);
    }

    fn take_sheaf(&mut self) -> Vec<u8> {
        self.sheaves.pop().unwrap_or_default()
    }

    fn give_sheaf(&mut self, sheaf: Vec<u8>) {
        self.sheaves.push(sheaf);
    }
}

/// Cells cut into stretches.
pub(crate) struct Cut {
    boundaries: Vec<Boundary>,
    memory: Memory,
    runs: Vec<Run>,
    pairs: Pairs,
    equal: Equal,
}

impl Cut {
    pub(super) fn new(
        boundaries: Vec<Boundary>,
        memory: Memory,
        runs: Vec<Run>,
        pairs: Pairs,
        equal: Equal,
    ) -> Cut {
        Cut {
            boundaries,
            memory,
            runs,
            pairs,
            equal,
        }
    }

    /// How many stretches there are.
    pub fn len(&self) -> usize {
        self.boundaries.len() + 1
    }

    /// The cells of a stretch, sorted.
    pub fn read(&self, stretch: usize) -> Result<Stretch<'_>> {
        let mut pieces = Vec::with_capacity(self.runs.len() + 1);
        for run in &self.runs {
            pieces.push(Cow::Owned(self.read_run(run, stretch)?));
        }
        pieces.extend(self.memory.pieces(stretch).map(Cow::Borrowed));
        Ok(match self.equal {
            Equal::LaterFirst => {
                pieces.reverse();
                Stretch::sort(pieces, &self.pairs, true)
            }
            Equal::EarlierFirst => Stretch::sort(pieces, &self.pairs, false),
        })
    }

    fn read_run(&self, run: &Run, stretch: usize) -> Result<Vec<u8>> {
        let low = stretch
            .checked_sub(1)
            .and_then(|before| self.boundaries.get(before));
        let high = self.boundaries.get(stretch);
        let is_behind = |boundary: &Boundary, key: &KeyRef<'_>| {
            // Takes no memory unless there is a sort key to make.
            let mut scratch = Vec::new();
            sort_key_for(boundary, key, &mut scratch);
            boundary.is_behind(key, &scratch)
        };
        let is_at = |boundary: Option<&Boundary>, first: Option<&Key>| match (boundary, first) {
            (Some(Boundary::Key(key)), Some(first)) => key == first,
            (boundary, first) => boundary.is_none() && first.is_none(),
        };
        let mut piece = Vec::new();
        run.read(
            |first| low.is_some_and(|low| is_behind(low, &first.as_ref())),
            |first| high.is_none_or(|high| is_behind(high, &first.as_ref())),
            |first| is_at(low, Some(first)),
            |first| is_at(high, first),
            |records, may_hold_others| {
                if !may_hold_others {
                    piece.extend_from_slice(records);
                    return Ok(());
                }
                let mut rest = records;
                while !rest.is_empty() {
                    let (cell, length) =
                        record::read(rest, &self.pairs).ok_or_else(|| run.damaged())?;
                    let (record, later) = rest.split_at(length);
                    let is_before = low.is_some_and(|low| is_behind(low, &cell.key));
                    if !is_before && high.is_none_or(|high| is_behind(high, &cell.key)) {
                        piece.extend_from_slice(record);
                    }
                    rest = later;
                }
                Ok(())
            },
        )?;
        Ok(piece)
    }
}
