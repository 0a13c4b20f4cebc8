//! The fact that is being read: its versions, those that its history keeps.

use super::assembler::RecordReading;
use super::facts::Qualifier;
use super::kinds::FactKind;
use super::retention::{Retention, Version};
use super::values::Header;
use super::versions::Versions;
use crate::cells::CellRef;
use crate::Result;

/// The column that cells come from. Its memory is used again for the next one.
#[derive(Debug)]
pub struct OpenFact {
    pub kind: FactKind,
    pub raw: Vec<u8>,
    pub visibility: Vec<u8>,
    pub qualifier: Qualifier,
    /// Whether the reader sees it and asks for it; decided when it is opened.
    pub counts: bool,
    pub versions: Versions,
    /// All versions, where a history is to choose among them.
    held: Vec<(i64, Header, Vec<u8>)>,
}

impl Default for OpenFact {
    fn default() -> Self {
        OpenFact {
            kind: FactKind::Existence,
            raw: Vec::new(),
            visibility: Vec::new(),
            qualifier: Qualifier::default(),
            counts: false,
            versions: Versions::default(),
            held: Vec::new(),
        }
    }
}

impl OpenFact {
    /// Whether a cell of the same row is one of its versions.
    pub fn has(&self, kind: FactKind, cell: &CellRef<'_>) -> bool {
        self.kind == kind
            && self.raw == cell.key.qualifier
            && self.visibility == cell.key.visibility
    }

    /// Goes on with the column of a cell.
    pub fn open(&mut self, kind: FactKind, cell: &CellRef<'_>) -> Result<()> {
        self.qualifier
            .read(kind, cell.key.qualifier, cell.key.visibility)?;
        self.kind = kind;
        self.raw.clear();
        self.raw.extend_from_slice(cell.key.qualifier);
        self.visibility.clear();
        self.visibility.extend_from_slice(cell.key.visibility);
        self.versions.clear();
        self.held.clear();
        Ok(())
    }

    /// Takes a version.
    pub fn add(&mut self, header: &Header, cell: &CellRef<'_>, reading: &RecordReading) {
        self.judge(cell.key.timestamp, header, cell.value, reading);
    }

    /// Takes a version that waits for the others, where there is a history.
    pub fn hold(&mut self, header: Header, cell: &CellRef<'_>) {
        let value = cell.value.to_vec();
        self.held.push((cell.key.timestamp, header, value));
    }

    /// Chooses among the versions that waited.
    pub fn retain(&mut self, retention: &Retention, reading: &RecordReading) {
        let held = std::mem::take(&mut self.held);
        let versions: Vec<Version<'_>> = held
            .iter()
            .map(|(time, header, value)| Version::new(self.kind, *time, header, value))
            .collect();
        let history = retention.of(self.kind, &self.qualifier.name);
        for place in retention.kept(&versions, history) {
            if let Some((time, header, value)) = held.get(place) {
                self.judge(*time, header, value, reading);
            }
        }
    }

    fn judge(&mut self, time: i64, header: &Header, value: &[u8], reading: &RecordReading) {
        let limit = self.limit(reading.as_of);
        let expires = header.expires(time);
        if expires.is_some_and(|end| reading.now.is_some_and(|now| end <= now.into())) {
            if let Some((header, value)) = header.expired(value) {
                self.versions.add(self.kind, time, &header, &value, limit);
            }
            return;
        }
        self.versions.add(self.kind, time, header, value, limit);
    }

    /// Additional visibilities are always judged at present.
    fn limit(&self, as_of: Option<i64>) -> Option<i64> {
        as_of.filter(|_| self.kind != FactKind::Required)
    }
}
