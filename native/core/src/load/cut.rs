//! Cells cut at boundaries into stretches, from memory and from files.

use std::sync::{Mutex, PoisonError};

use super::boundary::{sort_key_for, Boundary, Finder};
use super::record;
use super::spill::Run;
use super::stretch::Stretch;
use crate::cells::Key;
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
    let bytes: usize = chunks.iter().map(Vec::len).sum();
    // Boundaries are sampled, so stretches differ little: most never have to grow.
    let share = bytes / (boundaries.len() + 1);
    let room = share + share / 8;
    let mut stretches: Vec<Vec<u8>> = (0..=boundaries.len())
        .map(|_| Vec::with_capacity(room))
        .collect();
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
