//! What one reader found out about labels and columns, for the next call.

use super::fast::At;
use crate::block::Dictionary;
use crate::cells::KeyRef;
use crate::plan::RowCode;
use crate::scan::ResolvedStack;
use crate::visibility::LabelCache;

/// Bytes of columns that are kept at most; behind that it starts afresh.
const LIMIT_BYTES: usize = 1 << 20;

#[derive(Debug)]
pub struct Known {
    pub labels: LabelCache,
    /// Whether the filters look at labels; most do not.
    reads_labels: bool,
    /// By shape of the row and column: whether the filters let it pass, which follows from these alone.
    columns: Dictionary,
    passes: Vec<Option<bool>>,
    scratch: Vec<u8>,
    /// Memory of trees that were read.
    pub spare: Vec<At>,
}

impl Known {
    pub fn new(stack: &ResolvedStack, reads_labels: bool) -> Known {
        let (view, label) = (stack.view.clone(), &stack.default_visibility);
        Known {
            labels: LabelCache::new(view, label, LabelCache::LIMIT_BYTES),
            reads_labels,
            columns: Dictionary::default(),
            passes: Vec::new(),
            scratch: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// Whether cells of this column in such rows pass, or else where to keep the answer.
    pub fn find(&mut self, code: RowCode, key: &KeyRef<'_>) -> Result<bool, usize> {
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
        if place >= self.passes.len() {
            self.passes.resize(place + 1, None);
        }
        if let Some(held) = self.passes.get_mut(place) {
            *held = Some(passes);
        }
    }
}
