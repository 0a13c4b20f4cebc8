//! Collects the cells of one tree; what passes the memory limit goes to sorted temporary files.

use super::boundary::Boundary;
use super::cut::{Cut, Equal, Memory, Sizes};
use super::parallel::in_order;
use super::record;
use super::spill::{Run, Spill};
use super::stretch::Stretch;
use crate::cells::{CellRef, Key};
use crate::tree::sort::sort_places;
use crate::Result;

/// Records lie in pieces of this size, so that memory is given back piece by piece.
const CHUNK: usize = 4 << 20;

/// The cells of one tree, in the order in which they came.
#[derive(Debug)]
pub(super) struct Sorter {
    sizes: Sizes,
    equal: Equal,
    chunks: Vec<Vec<u8>>,
    /// Chunk and offset of some records, about evenly spaced.
    samples: Vec<(usize, usize)>,
    /// Bytes since the last sample.
    since: usize,
    bytes: usize,
    runs: Vec<Run>,
    run_bytes: u64,
    cells: u64,
}

impl Sorter {
    pub fn new(sizes: Sizes, equal: Equal) -> Sorter {
        Sorter {
            sizes,
            equal,
            chunks: Vec::new(),
            samples: Vec::new(),
            since: usize::MAX,
            bytes: 0,
            runs: Vec::new(),
            run_bytes: 0,
            cells: 0,
        }
    }

    /// Takes a cell; gives the bytes that its record takes.
    pub fn push(&mut self, cell: &CellRef<'_>) -> usize {
        let full = self
            .chunks
            .last()
            .is_none_or(|chunk| chunk.len() >= self.sizes.chunk(CHUNK));
        if full {
            // A record may pass the end of the last chunk: then that chunk grows.
            self.chunks
                .push(Vec::with_capacity(self.sizes.chunk(CHUNK) + 4096));
        }
        let number = self.chunks.len() - 1;
        let Some(chunk) = self.chunks.last_mut() else {
            return 0;
        };
        let start = chunk.len();
        record::write(cell, chunk);
        let size = chunk.len() - start;
        if self.since >= self.sizes.sample {
            self.samples.push((number, start));
            self.since = 0;
        }
        self.since += size;
        self.bytes += size;
        self.cells += 1;
        size
    }

    pub fn cells(&self) -> u64 {
        self.cells
    }

    /// Puts what is in memory into a sorted file.
    pub fn spill(&mut self, spill: &mut Spill, threads: usize) -> Result<()> {
        if self.bytes == 0 {
            return Ok(());
        }
        self.run_bytes += self.bytes as u64;
        let memory = Sorted {
            sizes: self.sizes,
            equal: self.equal,
            keys: self.keys(),
            memory: std::mem::take(&mut self.chunks),
            runs: Vec::new(),
            bytes: self.bytes as u64,
        };
        self.samples.clear();
        (self.bytes, self.since) = (0, usize::MAX);
        let keys = memory.boundaries();
        let cut = memory.cut(Boundary::keys(keys), threads)?;
        let mut writer = spill.run()?;
        let frame = self.sizes.frame;
        in_order(
            cut.len(),
            threads,
            |number| Ok(frames(&cut.read(number)?, frame)),
            |frames| frames.iter().try_for_each(|frame| writer.frame(frame)),
        )?;
        self.runs.push(writer.finish());
        Ok(())
    }

    /// All cells, ready to be cut into stretches.
    pub fn finish(mut self) -> Sorted {
        let mut keys = self.keys();
        for run in &self.runs {
            keys.extend(run.samples().cloned());
        }
        Sorted {
            sizes: self.sizes,
            equal: self.equal,
            keys,
            memory: std::mem::take(&mut self.chunks),
            runs: self.runs,
            bytes: self.run_bytes + self.bytes as u64,
        }
    }

    fn keys(&self) -> Vec<Key> {
        let key = |&(chunk, offset): &(usize, usize)| {
            let bytes = self.chunks.get(chunk)?.get(offset..)?;
            record::read(bytes).map(|(cell, _)| cell.key.to_owned())
        };
        self.samples.iter().filter_map(key).collect()
    }
}

/// Sorted records in pieces of about `size` bytes.
fn frames(stretch: &Stretch, size: usize) -> Vec<Vec<u8>> {
    let (mut frames, mut frame) = (Vec::new(), Vec::new());
    for cell in stretch.cells() {
        record::write(&cell, &mut frame);
        if frame.len() >= size {
            frames.push(std::mem::take(&mut frame));
        }
    }
    if !frame.is_empty() {
        frames.push(frame);
    }
    frames
}

/// The cells of one tree, in memory and in files, not yet cut into stretches.
#[derive(Debug)]
pub(crate) struct Sorted {
    sizes: Sizes,
    equal: Equal,
    keys: Vec<Key>,
    memory: Vec<Vec<u8>>,
    runs: Vec<Run>,
    bytes: u64,
}

impl Sorted {
    /// Keys that cut the cells into stretches of about equal size; ascending, none twice.
    pub fn boundaries(&self) -> Vec<Key> {
        // From every file at least a frame is read for each stretch.
        let size = self
            .sizes
            .stretch
            .max(2 * self.runs.len() * self.sizes.frame);
        let wanted = (self.bytes / size as u64) as usize;
        let mut places: Vec<u64> = (0..self.keys.len() as u64).collect();
        let none = Key::default();
        let key = |place: u64| self.keys.get(place as usize).unwrap_or(&none).as_ref();
        sort_places(&mut places, &key);
        let step = places.len() / (wanted + 1);
        let mut keys: Vec<Key> = Vec::with_capacity(wanted);
        // Fewer samples than stretches: each is a boundary.
        for &place in places.iter().skip(step.max(1)).step_by(step.max(1)) {
            let key = key(place);
            if keys.last().is_none_or(|last| last.as_ref() < key) {
                keys.push(key.to_owned());
            }
        }
        keys
    }

    /// Gives cells of one time another, which must leave them in order.
    pub fn restamp(&mut self, from: i64, to: i64) {
        for key in self.keys.iter_mut().filter(|key| key.timestamp == from) {
            key.timestamp = to;
        }
        for chunk in &mut self.memory {
            record::restamp(chunk, from, to);
        }
        for run in &mut self.runs {
            run.restamp(from, to);
        }
    }

    /// Cuts the cells at boundaries, which ascend; both cores share the work.
    pub fn cut(self, boundaries: Vec<Boundary>, threads: usize) -> Result<Cut> {
        let memory = Memory::distribute(self.memory, &boundaries, threads)?;
        Ok(Cut::new(boundaries, memory, self.runs, self.equal))
    }
}
