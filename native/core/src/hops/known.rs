//! What one reader found out about labels, families and columns, for the next call.

use super::fast::Memory;
use crate::block::Dictionary;
use crate::cells::KeyRef;
use crate::plan::{Reader, RowCode};
use crate::scan::ResolvedStack;
use crate::visibility::LabelCache;
use crate::Result;

/// Bytes of columns that are kept at most; behind that it starts afresh.
const LIMIT_BYTES: usize = 1 << 20;

#[derive(Debug)]
pub struct Known {
    pub labels: LabelCache,
    pub reader: Reader,
    /// By family and shape of the row: whether its cells are edges to follow.
    families: Dictionary,
    follows: Vec<Option<bool>>,
    /// Whether the filters look at labels; most do not.
    reads_labels: bool,
    /// By shape of the row and column: whether the filters let it pass, which follows from these alone.
    columns: Dictionary,
    passes: Vec<Option<bool>>,
    scratch: Vec<u8>,
    /// Used again by who reads blocks.
    pub memory: Memory,
}

impl Known {
    pub fn new(stack: &ResolvedStack, reader: Reader, reads_labels: bool) -> Known {
        let (view, label) = (stack.view.clone(), &stack.default_visibility);
        Known {
            labels: LabelCache::new(view, label, LabelCache::LIMIT_BYTES),
            reader,
            families: Dictionary::default(),
            follows: Vec::new(),
            reads_labels,
            columns: Dictionary::default(),
            passes: Vec::new(),
            scratch: Vec::new(),
            memory: Memory::default(),
        }
    }

    /// Whether cells of a family in rows of one of `codes` codes are followed; `find` tells the first time.
    pub fn follows(
        &mut self,
        family: &[u8],
        (code, codes): (RowCode, usize),
        find: impl FnOnce(&mut Reader) -> Result<bool>,
    ) -> Result<bool> {
        if self.families.size() > LIMIT_BYTES {
            self.families.clear();
            self.follows.clear();
        }
        let place = self.families.code(family) as usize * codes + code.index();
        if let Some(Some(known)) = self.follows.get(place) {
            return Ok(*known);
        }
        let follows = find(&mut self.reader)?;
        keep(&mut self.follows, place, follows);
        Ok(follows)
    }

    /// Whether cells of this column in such rows pass, or else where to keep the answer.
    pub fn find(&mut self, code: RowCode, key: &KeyRef<'_>) -> std::result::Result<bool, usize> {
        if self.columns.size() > LIMIT_BYTES {
            self.columns.clear();
            self.passes.clear();
        }
        self.scratch.clear();
        let lengths = (code.index() as u64) << 32 | key.family.len() as u64;
        self.scratch.extend_from_slice(&lengths.to_le_bytes());
        self.scratch.extend_from_slice(key.family);
        if self.reads_labels {
            let length = key.visibility.len() as u64;
            self.scratch.extend_from_slice(&length.to_le_bytes());
            self.scratch.extend_from_slice(key.visibility);
        }
        self.scratch.extend_from_slice(key.qualifier);
        let place = self.columns.code(&self.scratch) as usize;
        match self.passes.get(place) {
            Some(Some(known)) => Ok(*known),
            _ => Err(place),
        }
    }

    /// Keeps an answer.
    pub fn keep(&mut self, place: usize, passes: bool) {
        keep(&mut self.passes, place, passes);
    }
}

fn keep(answers: &mut Vec<Option<bool>>, place: usize, answer: bool) {
    if place >= answers.len() {
        answers.resize(place + 1, None);
    }
    if let Some(held) = answers.get_mut(place) {
        *held = Some(answer);
    }
}
