//! Labels, each distinct one checked and normalised once.

use std::collections::HashMap;

use crate::visibility::Visibility;
use crate::{Error, Result};

/// The labels that some rows had.
#[derive(Debug, Default)]
pub struct Labels {
    /// Every label as it was given, with the number of its normal form; none for what is no label.
    known: HashMap<Vec<u8>, Option<usize>>,
    normal: Vec<Vec<u8>>,
    /// Neighbours often have the same.
    last: Option<(Vec<u8>, usize)>,
}

impl Labels {
    /// The number of a label's normal form.
    pub fn find(&mut self, label: &[u8]) -> Result<usize> {
        if let Some((known, number)) = &self.last {
            if known == label {
                return Ok(*number);
            }
        }
        let found = match self.known.get(label) {
            Some(found) => *found,
            None => {
                let parsed = Visibility::parse(label).ok();
                let found = parsed.map(|parsed| self.keep(parsed.normalise()));
                self.known.insert(label.to_vec(), found);
                found
            }
        };
        let number = found.ok_or_else(|| Error::InvalidValue("the value is not a label".into()))?;
        match &mut self.last {
            Some((known, last)) => {
                known.clear();
                known.extend_from_slice(label);
                *last = number;
            }
            None => self.last = Some((label.to_vec(), number)),
        }
        Ok(number)
    }

    /// A normal form.
    pub fn get(&self, number: usize) -> &[u8] {
        self.normal
            .get(number)
            .map(Vec::as_slice)
            .unwrap_or_default()
    }

    fn keep(&mut self, normal: Vec<u8>) -> usize {
        self.normal.push(normal);
        self.normal.len() - 1
    }
}
