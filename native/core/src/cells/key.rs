//! Keys and cells, borrowed for the hot path and owned where something must be kept.

use std::cmp::Ordering;

/// The identity of a cell, with its time, borrowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyRef<'a> {
    pub row: &'a [u8],
    pub family: &'a [u8],
    pub qualifier: &'a [u8],
    pub visibility: &'a [u8],
    pub timestamp: i64,
    pub deleted: bool,
}

/// A cell, borrowed: valid until the cursor that gave it moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellRef<'a> {
    pub key: KeyRef<'a>,
    pub value: &'a [u8],
}

/// The identity of a cell, with its time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Key {
    pub row: Vec<u8>,
    pub family: Vec<u8>,
    pub qualifier: Vec<u8>,
    pub visibility: Vec<u8>,
    pub timestamp: i64,
    pub deleted: bool,
}

/// One entry of a table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cell {
    pub key: Key,
    pub value: Vec<u8>,
}

impl<'a> KeyRef<'a> {
    /// Row, family, qualifier and visibility: what versions of one cell share.
    pub fn column(&self) -> (&'a [u8], &'a [u8], &'a [u8], &'a [u8]) {
        (self.row, self.family, self.qualifier, self.visibility)
    }

    /// Copies what is borrowed.
    pub fn to_owned(&self) -> Key {
        Key {
            row: self.row.to_vec(),
            family: self.family.to_vec(),
            qualifier: self.qualifier.to_vec(),
            visibility: self.visibility.to_vec(),
            timestamp: self.timestamp,
            deleted: self.deleted,
        }
    }
}

impl Ord for KeyRef<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.column()
            .cmp(&other.column())
            .then_with(|| other.timestamp.cmp(&self.timestamp))
            .then_with(|| other.deleted.cmp(&self.deleted))
    }
}

impl PartialOrd for KeyRef<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Key {
    /// The first key that has these leading parts, before every delete marker and put.
    pub fn leading(row: &[u8], family: &[u8], qualifier: &[u8], visibility: &[u8]) -> Key {
        KeyRef {
            row,
            family,
            qualifier,
            visibility,
            timestamp: i64::MAX,
            deleted: true,
        }
        .to_owned()
    }

    /// The first key behind everything that has exactly these leading parts, four at most.
    pub fn following(parts: &[&[u8]]) -> Key {
        let part = |place: usize| {
            let mut bytes = parts.get(place).map_or_else(Vec::new, |part| part.to_vec());
            if place + 1 == parts.len() {
                bytes.push(0);
            }
            bytes
        };
        Key {
            row: part(0),
            family: part(1),
            qualifier: part(2),
            visibility: part(3),
            timestamp: i64::MAX,
            deleted: true,
        }
    }

    /// Takes on another key, in the memory it has.
    pub fn assign(&mut self, other: &KeyRef<'_>) {
        self.row.clear();
        self.row.extend_from_slice(other.row);
        self.family.clear();
        self.family.extend_from_slice(other.family);
        self.qualifier.clear();
        self.qualifier.extend_from_slice(other.qualifier);
        self.visibility.clear();
        self.visibility.extend_from_slice(other.visibility);
        self.timestamp = other.timestamp;
        self.deleted = other.deleted;
    }

    /// Borrows it.
    pub fn as_ref(&self) -> KeyRef<'_> {
        KeyRef {
            row: &self.row,
            family: &self.family,
            qualifier: &self.qualifier,
            visibility: &self.visibility,
            timestamp: self.timestamp,
            deleted: self.deleted,
        }
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_ref().cmp(&other.as_ref())
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl CellRef<'_> {
    /// Copies what is borrowed.
    pub fn to_owned(&self) -> Cell {
        Cell {
            key: self.key.to_owned(),
            value: self.value.to_vec(),
        }
    }
}

impl Cell {
    /// Borrows it.
    pub fn as_ref(&self) -> CellRef<'_> {
        CellRef {
            key: self.key.as_ref(),
            value: &self.value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newer_versions_and_delete_markers_come_first() {
        let old = Key {
            row: b"r".to_vec(),
            timestamp: 1,
            ..Key::default()
        };
        let new = Key {
            timestamp: 2,
            ..old.clone()
        };
        let marker = Key {
            deleted: true,
            ..new.clone()
        };
        assert!(marker < new && new < old);
        assert!(Key::leading(b"r", b"", b"", b"") < marker);
    }
}
