//! The visibility check of one scan: each distinct label is judged once. A label that cannot be
//! parsed hides its cell; only the owner's view shows it.

use super::{View, Visibility};
use std::collections::HashMap;

const ENTRY_BYTES: usize = 128;

/// Answers "may this view see this label?" for the cells of one scan.
///
/// Answers are kept until they take about `limit_bytes`; then the cache starts afresh.
#[derive(Debug, Clone)]
pub struct LabelCache {
    view: View,
    default: Vec<u8>,
    answers: HashMap<Box<[u8]>, bool>,
    used: usize,
    limit_bytes: usize,
    evaluated: u64,
}

impl LabelCache {
    /// The limit to use where nothing speaks for another.
    pub const LIMIT_BYTES: usize = 4 << 20;

    /// `default_visibility` stands in for empty labels.
    pub fn new(view: View, default_visibility: &[u8], limit_bytes: usize) -> LabelCache {
        LabelCache {
            view,
            default: default_visibility.to_vec(),
            answers: HashMap::new(),
            used: 0,
            limit_bytes,
            evaluated: 0,
        }
    }

    /// Whether a cell with this label is visible.
    pub fn can_see(&mut self, label: &[u8]) -> bool {
        match self.answers.get(label) {
            Some(&answer) => answer,
            None => self.judge(label),
        }
    }

    /// How often a label was really evaluated.
    pub fn evaluated(&self) -> u64 {
        self.evaluated
    }

    /// How many answers are kept.
    pub fn len(&self) -> usize {
        self.answers.len()
    }

    /// Whether no answer is kept.
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    fn judge(&mut self, label: &[u8]) -> bool {
        self.evaluated += 1;
        let meant = if label.is_empty() {
            &self.default
        } else {
            label
        };
        let answer = match &self.view {
            View::All => true,
            View::Of(held) => Visibility::parse(meant).is_ok_and(|label| label.evaluate(held)),
        };
        let cost = label.len().saturating_add(ENTRY_BYTES);
        if self.used.saturating_add(cost) > self.limit_bytes {
            self.answers.clear();
            self.used = 0;
        }
        if cost <= self.limit_bytes {
            self.answers.insert(label.into(), answer);
            self.used += cost;
        }
        answer
    }
}
