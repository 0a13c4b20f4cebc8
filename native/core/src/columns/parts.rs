//! A column scan cut into parts, and the threads that take them one after the other.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::figures::Figures;
use super::program::Program;
use super::worker::Worker;
use super::{Counters, Request, Step, Stop};
use crate::cells::{Key, Range};
use crate::tree::{BlockSpan, Blocks, Level, TreeId};
use crate::Result;

/// How many blocks a thread takes at once.
const BLOCKS: usize = 32;

/// Some blocks of one tree; where versions must be told, with the keys between which the other tree's cells belong to it.
#[derive(Debug)]
pub struct Part {
    pub tree: TreeId,
    pub level: Level,
    pub stretch: BlockSpan,
    /// Whether no block of the tree stands before it that the range takes in.
    pub is_first: bool,
    /// The first key that is read, and the first that is not.
    pub start: Option<Key>,
    pub end: Option<Key>,
    pub other: Option<Level>,
    /// Whether that one is older.
    pub is_younger: bool,
    pub other_start: Option<Key>,
    pub other_end: Option<Key>,
}

/// Makes the figures.
pub fn run(
    program: &Program,
    request: &Request<'_>,
    threads: usize,
    check: &(dyn Fn() -> Result<()> + Sync),
    counters: &Counters,
) -> Step<Figures> {
    // All of it is one batch: the pages must stay while threads read them.
    let _guard = request.snapshot.enter()?;
    let parts = make_parts(program, request)?;
    let next = AtomicUsize::new(0);
    let outcome: Mutex<Step<Figures>> = Mutex::new(Ok(Figures::new(program)));
    let work = || {
        let mut worker = Worker::new(program, request, counters);
        let mut done = Ok(());
        while let Some(part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
            done = worker.read(part, check);
            if done.is_err() {
                // The others find nothing more to do.
                next.store(parts.len(), Ordering::Relaxed);
                break;
            }
        }
        let mut held = outcome.lock().unwrap_or_else(PoisonError::into_inner);
        let merged = match (&mut *held, done) {
            (Err(_), _) => return,
            (Ok(figures), Ok(())) => figures.merge(worker.figures, program).map_err(Stop::from),
            (Ok(_), Err(stop)) => Err(stop),
        };
        if let Err(stop) = merged {
            *held = Err(stop);
        }
    };
    std::thread::scope(|scope| {
        let helpers = threads.min(parts.len()).saturating_sub(1);
        let started: Vec<_> = (0..helpers).map(|_| scope.spawn(work)).collect();
        work();
        drop(started);
    });
    outcome.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn make_parts(program: &Program, request: &Request<'_>) -> Step<Vec<Part>> {
    let mut parts = Vec::new();
    for range in request.ranges {
        if !is_cut_between_columns(range, program.merges_labels) {
            return Err(Stop::Unfit);
        }
        for &tree in request.trees {
            let blocks = |level| Blocks::new(request.snapshot, tree, level);
            let stretches = |level| {
                let (start, end) = (range.start.as_ref(), range.end.as_ref());
                blocks(level).stretches(start, end, BLOCKS)
            };
            let mut levels = Vec::new();
            for &level in request.snapshot.levels(tree)?.iter() {
                levels.push((level, stretches(level)?));
            }
            if !program.tells_versions || levels.len() < 2 {
                for (level, stretches) in levels.into_iter().rev() {
                    add_parts(&mut parts, tree, level, stretches, range, &[]);
                }
                continue;
            }
            // The versions of a column are told apart in two trees, not in more.
            let Ok([younger, older]) = <[_; 2]>::try_from(levels) else {
                return Err(Stop::Unfit);
            };
            let is_younger = younger.1.len() > older.1.len();
            let ((level, stretches), (other, _)) = match is_younger {
                true => (younger, older),
                false => (older, younger),
            };
            let mut cuts = Vec::with_capacity(stretches.len());
            for stretch in &stretches {
                let key = blocks(level).first_key(stretch)?;
                let label = match program.merges_labels {
                    true => &[],
                    false => key.visibility.as_slice(),
                };
                cuts.push(Key::leading(&key.row, &key.family, &key.qualifier, label));
            }
            let first = parts.len();
            add_parts(&mut parts, tree, level, stretches, range, &cuts);
            for part in parts.iter_mut().skip(first) {
                (part.other, part.is_younger) = (Some(other), is_younger);
            }
        }
    }
    Ok(parts)
}

fn add_parts(
    parts: &mut Vec<Part>,
    tree: TreeId,
    level: Level,
    stretches: Vec<BlockSpan>,
    range: &Range,
    cuts: &[Key],
) {
    let count = stretches.len();
    for (place, stretch) in stretches.into_iter().enumerate() {
        let (is_first, is_last) = (place == 0, place + 1 == count);
        let start = range.start.clone().filter(|_| is_first);
        let end = range.end.clone().filter(|_| is_last);
        parts.push(Part {
            tree,
            level,
            stretch,
            is_first,
            other: None,
            is_younger: false,
            other_start: match is_first {
                true => start.clone(),
                false => cuts.get(place).cloned(),
            },
            other_end: match is_last {
                true => end.clone(),
                false => cuts.get(place + 1).cloned(),
            },
            start,
            end,
        });
    }
}

/// Whether both ends lie before or behind all versions of any column, so that none is cut; where labels are merged,
/// before or behind all of a row's family.
fn is_cut_between_columns(range: &Range, merges_labels: bool) -> bool {
    let between = |key: &Option<Key>| {
        key.as_ref().is_none_or(|key| {
            let whole = key.qualifier.is_empty() && key.visibility.is_empty();
            key.timestamp == i64::MAX && key.deleted && (whole || !merges_labels)
        })
    };
    between(&range.start) && between(&range.end)
}
