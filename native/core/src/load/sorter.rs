//! Collects the cells of one tree; what passes the memory limit goes to sorted temporary files.

use super::boundary::Boundary;
use super::cut::{Cut, Equal, Memory, Sizes, Spare};
use super::pairs::{Finder, Pairs};
use super::parallel::in_order;
use super::records::Records;
use super::spill::{Framed, Run, Spill};
use crate::cells::{CellRef, Key};
use crate::tree::sort::sort_places;
use crate::Result;

/// Records lie in pieces of this size, so that memory is given back piece by piece.
const CHUNK: usize = 4 << 20;
/// A frame of so many times the usual size is a large one.
const LARGE: usize = 4;
/// So many frames are written at once.
const FRAMES: usize = 16;

/// The cells of one tree, in the order in which they came.
#[derive(Debug)]
pub(super) struct Sorter {
    sizes: Sizes,
    equal: Equal,
    chunks: Vec<Records>,
    bytes: usize,
    runs: Vec<Run>,
    run_bytes: u64,
    /// The first keys of the newest run's frames.
    firsts: Vec<Key>,
    cells: u64,
}

impl Sorter {
    pub fn new(sizes: Sizes, equal: Equal) -> Sorter {
        Sorter {
            sizes,
            equal,
            chunks: Vec::new(),
            bytes: 0,
            runs: Vec::new(),
            run_bytes: 0,
            firsts: Vec::new(),
            cells: 0,
        }
    }

    /// Takes a cell; gives the bytes that its record takes.
    pub fn push(&mut self, cell: &CellRef<'_>, finder: &mut Finder, spare: &mut Spare) -> usize {
        let (most, sample) = (self.sizes.chunk(CHUNK), self.sizes.sample);
        let full = self
            .chunks
            .last()
            .is_none_or(|chunk| chunk.size_bytes() >= most);
        if full {
            let mut chunk = Records::within(spare.take_chunk());
            // A record may pass the end of the last chunk: then that chunk grows.
            chunk.reserve(most + 4096);
            self.chunks.push(chunk);
        }
        let Some(chunk) = self.chunks.last_mut() else {
            return 0;
        };
        let start = chunk.size_bytes();
        chunk.push(cell, sample, finder);
        let size = chunk.size_bytes() - start;
        self.bytes += size;
        self.cells += 1;
        size
    }

    /// Takes cells that come behind those so far; gives the bytes that their records take.
    pub fn push_records(&mut self, records: Records, spare: &mut Spare) -> usize {
        let size = records.size_bytes();
        self.bytes += size;
        self.cells += records.cells();
        let most = self.sizes.chunk(CHUNK);
        match self.chunks.last_mut() {
            Some(last) if last.size_bytes() + size <= most => {
                last.append(&records);
                spare.give_chunks(vec![records.bytes]);
            }
            _ => self.chunks.push(records),
        }
        size
    }

    pub fn cells(&self) -> u64 {
        self.cells
    }

    /// Whether anything is in a file.
    pub fn is_spilled(&self) -> bool {
        !self.runs.is_empty()
    }

    /// Puts what is in memory into a file, cut at keys of its own into frames. Within a frame cells stay as they came:
    /// they are sorted once, at the end. A run has the frames of the one before as long as those fit, so that frames
    /// of all runs are read whole.
    pub fn spill(
        &mut self,
        spill: &mut Spill,
        pairs: &Pairs,
        threads: usize,
        spare: &mut Spare,
    ) -> Result<()> {
        if self.bytes == 0 {
            return Ok(());
        }
        let bytes = std::mem::take(&mut self.bytes);
        self.run_bytes += bytes as u64;
        let chunks = std::mem::take(&mut self.chunks);
        let keys: Vec<Key> = (chunks.iter())
            .flat_map(|chunk| chunk.keys(pairs))
            .collect();
        if !fits(&self.firsts, &keys, bytes / self.sizes.frame) {
            self.firsts = evenly(keys, bytes / self.sizes.frame);
        }
        let firsts = &self.firsts;
        let boundaries = Boundary::keys(firsts.clone());
        let chunks = chunks.into_iter().map(|chunk| chunk.bytes).collect();
        let memory = Memory::distribute(chunks, &boundaries, pairs, threads, spare)?;
        let mut writer = spill.writer()?;
        let first = |number: usize| match number.checked_sub(1) {
            Some(before) => firsts.get(before).cloned().unwrap_or_default(),
            None => Key::default(),
        };
        let count = boundaries.len() + 1;
        in_order(
            count.div_ceil(FRAMES),
            threads,
            |unit| {
                let mut framed = Framed::default();
                for number in unit * FRAMES..count.min((unit + 1) * FRAMES) {
                    framed.push(first(number), || memory.pieces(number));
                }
                Ok(framed)
            },
            |framed| writer.write(framed),
        )?;
        self.runs.push(writer.finish());
        memory.give_back(spare);
        Ok(())
    }

    /// All cells, ready to be cut into stretches.
    pub fn finish(self, pairs: Pairs) -> Sorted {
        let chunks = self.chunks.iter();
        let mut keys: Vec<Key> = chunks.flat_map(|chunk| chunk.keys(&pairs)).collect();
        for run in &self.runs {
            keys.extend(run.samples().cloned());
        }
        let chunks = self.chunks.into_iter();
        Sorted {
            sizes: self.sizes,
            equal: self.equal,
            keys,
            memory: chunks.map(|chunk| chunk.bytes).collect(),
            runs: self.runs,
            pairs,
            bytes: self.run_bytes + self.bytes as u64,
        }
    }
}

/// Whether keys cut others into about so many parts, none of them large.
fn fits(firsts: &[Key], keys: &[Key], wanted: usize) -> bool {
    if firsts.len() < wanted / 2 || firsts.len() > 2 * wanted {
        return false;
    }
    let mut counts = vec![0; firsts.len() + 1];
    for key in keys {
        let part = firsts.partition_point(|first| first.as_ref() <= key.as_ref());
        if let Some(count) = counts.get_mut(part) {
            *count += 1;
        }
    }
    let most = (LARGE * keys.len()).div_ceil(firsts.len() + 1);
    counts.iter().all(|count| *count <= most)
}

/// At most so many of some keys, about evenly spaced; ascending, none twice.
fn evenly(keys: Vec<Key>, wanted: usize) -> Vec<Key> {
    let mut places: Vec<u64> = (0..keys.len() as u64).collect();
    let none = Key::default();
    let key = |place: u64| keys.get(place as usize).unwrap_or(&none).as_ref();
    sort_places(&mut places, &key);
    // Fewer keys than wanted: each is one.
    let step = (places.len() / (wanted + 1)).max(1);
    let mut chosen: Vec<Key> = Vec::with_capacity(wanted);
    for &place in places.iter().skip(step).step_by(step) {
        let key = key(place);
        if chosen.last().is_none_or(|last| last.as_ref() < key) {
            chosen.push(key.to_owned());
        }
    }
    chosen
}

/// The cells of one tree, in memory and in files, not yet cut into stretches.
#[derive(Debug)]
pub(crate) struct Sorted {
    sizes: Sizes,
    equal: Equal,
    keys: Vec<Key>,
    memory: Vec<Vec<u8>>,
    runs: Vec<Run>,
    pairs: Pairs,
    bytes: u64,
}

impl Sorted {
    /// Keys that cut the cells into stretches of about equal size; ascending, none twice.
    pub fn boundaries(&self) -> Vec<Key> {
        // From every run at least a frame is read for each stretch.
        let size = self
            .sizes
            .stretch
            .max(2 * self.runs.len() * self.sizes.frame);
        evenly(self.keys.clone(), (self.bytes / size as u64) as usize)
    }

    /// Gives cells that have the time of the load another, which must leave them in order.
    pub fn restamp(&mut self, to: i64) {
        let from = std::mem::replace(&mut self.pairs.time, to);
        for key in self.keys.iter_mut().filter(|key| key.timestamp == from) {
            key.timestamp = to;
        }
        for run in &mut self.runs {
            run.restamp(from, to);
        }
    }

    /// Cuts the cells at boundaries, which ascend; both cores share the work.
    pub fn cut(self, boundaries: Vec<Boundary>, threads: usize) -> Result<Cut> {
        let (pairs, spare) = (&self.pairs, &mut Spare::default());
        let memory = Memory::distribute(self.memory, &boundaries, pairs, threads, spare)?;
        Ok(Cut::new(
            boundaries, memory, self.runs, self.pairs, self.equal,
        ))
    }
}
