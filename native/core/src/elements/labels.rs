//! Labels, each distinct one checked and normalised once.

use std::collections::HashMap;

use crate::visibility::Visibility;
use crate::{Error, Result};

/// So few labels are compared one after the other.
const FEW: usize = 6;

/// The labels that some rows had.
#[derive(Debug, Default)]
pub struct Labels {
    /// Every label as it was given, with the number of its normal form; none for what is no label.
    known: HashMap<Vec<u8>, Option<usize>>,
    normal: Vec<Vec<u8>>,
    /// Whether a row that fits has each of the normal forms.
    used: Vec<bool>,
    /// The first few of `known` that are labels: most rows have one of them.
    few: Vec<(Vec<u8>, usize)>,
}

impl Labels {
    /// The number of a label's normal form.
    pub fn find(&mut self, label: &[u8]) -> Result<usize> {
        if let Some((_, number)) = self.few.iter().find(|(known, _)| known == label) {
            return Ok(*number);
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
        if self.few.len() < FEW {
            self.few.push((label.to_vec(), number));
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

    /// Takes note that a row that fits has it.
    #[inline]
    pub fn note(&mut self, number: usize) {
        if let Some(used) = self.used.get_mut(number) {
            *used = true;
        }
    }

    /// The normal forms that rows have.
    pub fn into_used(self) -> impl Iterator<Item = Vec<u8>> {
        let normal = self.normal.into_iter().zip(self.used);
        normal.filter_map(|(normal, used)| used.then_some(normal))
    }

    fn keep(&mut self, normal: Vec<u8>) -> usize {
        self.used.push(false);
        self.normal.push(normal);
        self.normal.len() - 1
    }
}
