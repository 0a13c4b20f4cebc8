//! Assembled records: their bytes in one place, and where each part of them lies.

use super::kinds::SubjectKind;

/// A place in the bytes, or among the parts, of [`Records`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Span {
    pub start: usize,
    pub end: usize,
}

impl Span {
    fn back(&mut self, by: usize) {
        self.start = self.start.saturating_sub(by);
        self.end = self.end.saturating_sub(by);
    }
}

/// A vertex, an edge or a reference.
#[derive(Debug, Clone)]
pub struct Record {
    pub kind: SubjectKind,
    /// The id, in key form: of a vertex and of a reference that of a vertex, else that of an edge.
    pub id: Span,
    /// Of a reference: label, parts of the sort key, the other end in key form, edge id.
    pub label: Span,
    pub sort_key: Span,
    pub other: Span,
    pub edge: Span,
    /// What tells subjects apart.
    pub key: Span,
    pub visibility: Span,
    pub time: i64,
    pub hidden: bool,
    /// The shape of an edge, the signature of a reference; empty if there is none.
    pub content: Span,
    /// Among the labels.
    pub labels: Span,
    /// Among the values.
    pub values: Span,
}

/// One value of a property.
#[derive(Debug, Clone)]
pub struct RecordValue {
    pub name: Span,
    pub key: Span,
    pub visibility: Span,
    pub time: i64,
    pub stamp: Option<i64>,
    /// How long it lives; for ever without one.
    pub ttl: Option<i64>,
    /// Event data; empty if there is none.
    pub note: Span,
    pub value: Span,
    pub hidden: bool,
    /// Among the metadata.
    pub metadata: Span,
    /// When it was written.
    pub(crate) written: i64,
}

/// One metadata entry of a value.
#[derive(Debug, Clone)]
pub struct RecordMetadata {
    pub entry: Span,
    pub visibility: Span,
    pub value: Span,
    /// The number of its value among those of its record.
    pub(crate) of: usize,
}

/// Some records, in the order of their rows.
#[derive(Debug, Clone, Default)]
pub struct Records {
    pub records: Vec<Record>,
    pub labels: Vec<Span>,
    pub values: Vec<RecordValue>,
    pub metadata: Vec<RecordMetadata>,
    bytes: Vec<u8>,
}

/// How much there is.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Mark {
    pub bytes: usize,
    pub labels: usize,
    pub values: usize,
    pub metadata: usize,
}

impl Records {
    /// The bytes of a span.
    #[inline]
    pub fn get(&self, span: Span) -> &[u8] {
        self.bytes.get(span.start..span.end).unwrap_or_default()
    }

    /// Appends bytes.
    #[inline]
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Span {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        Span {
            start,
            end: self.bytes.len(),
        }
    }

    /// Appends what is written; after an error it is of no use.
    pub(crate) fn write<E>(
        &mut self,
        write: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
    ) -> Result<Span, E> {
        let start = self.bytes.len();
        write(&mut self.bytes)?;
        Ok(Span {
            start,
            end: self.bytes.len(),
        })
    }

    /// How much there is now.
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            bytes: self.bytes.len(),
            labels: self.labels.len(),
            values: self.values.len(),
            metadata: self.metadata.len(),
        }
    }

    /// Drops what came after a mark.
    pub(crate) fn back_to(&mut self, mark: Mark) {
        self.bytes.truncate(mark.bytes);
        self.labels.truncate(mark.labels);
        self.values.truncate(mark.values);
        self.metadata.truncate(mark.metadata);
    }

    /// Gives each value since a mark its metadata.
    pub(crate) fn join_metadata(&mut self, mark: Mark) {
        let entries = self.metadata.get_mut(mark.metadata..).unwrap_or_default();
        // Sorted cells have them in this order already.
        if !entries.is_sorted_by_key(|entry| entry.of) {
            entries.sort_by_key(|entry| entry.of);
        }
        let mut at = 0;
        for (number, value) in self.values.iter_mut().skip(mark.values).enumerate() {
            let own = entries
                .iter()
                .skip(at)
                .take_while(|entry| entry.of == number);
            let end = at + own.count();
            value.metadata = Span {
                start: mark.metadata + at,
                end: mark.metadata + end,
            };
            at = end;
        }
    }

    /// Takes out what came after a mark, which no record has yet.
    pub(crate) fn split_off(&mut self, mark: Mark) -> Records {
        let mut rest = Records {
            records: Vec::new(),
            labels: self.labels.split_off(mark.labels.min(self.labels.len())),
            values: self.values.split_off(mark.values.min(self.values.len())),
            metadata: self
                .metadata
                .split_off(mark.metadata.min(self.metadata.len())),
            bytes: self.bytes.split_off(mark.bytes.min(self.bytes.len())),
        };
        rest.labels
            .iter_mut()
            .for_each(|label| label.back(mark.bytes));
        for value in &mut rest.values {
            for span in [
                &mut value.name,
                &mut value.key,
                &mut value.visibility,
                &mut value.note,
                &mut value.value,
            ] {
                span.back(mark.bytes);
            }
        }
        for entry in &mut rest.metadata {
            for span in [&mut entry.entry, &mut entry.visibility, &mut entry.value] {
                span.back(mark.bytes);
            }
        }
        rest
    }
}
