//! Something kept for columns: for a whole family, or for one qualifier of it.

use std::collections::HashMap;

/// Values by family and qualifier; looking one up copies nothing.
#[derive(Debug, Clone)]
pub struct Columns<T> {
    families: HashMap<Vec<u8>, Family<T>>,
}

#[derive(Debug, Clone)]
struct Family<T> {
    whole: Option<T>,
    qualifiers: HashMap<Vec<u8>, T>,
}

impl<T> Columns<T> {
    pub fn new() -> Self {
        Columns {
            families: HashMap::new(),
        }
    }

    /// Adds a column, `None` for the whole family; gives what it had before.
    pub fn insert(&mut self, family: &[u8], qualifier: Option<&[u8]>, value: T) -> Option<T> {
        let entry = self
            .families
            .entry(family.to_vec())
            .or_insert_with(|| Family {
                whole: None,
                qualifiers: HashMap::new(),
            });
        match qualifier {
            None => entry.whole.replace(value),
            Some(qualifier) => entry.qualifiers.insert(qualifier.to_vec(), value),
        }
    }

    /// The value of the column, else that of its family.
    pub fn get(&self, family: &[u8], qualifier: &[u8]) -> Option<&T> {
        let entry = self.families.get(family)?;
        entry.qualifiers.get(qualifier).or(entry.whole.as_ref())
    }
}
