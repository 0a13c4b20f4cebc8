//! One cell as a fact: its qualifier, and what its value says.

use super::kinds::{FactKind, FactState, SubjectKind};
use super::rows::terminated;
use super::values::{check_content, Header};
use crate::cells::CellRef;
use crate::codec::check::check_text;
use crate::codec::escape::unescape_into;
use crate::codec::integer;
use crate::codec::reader::Reader;
use crate::codec::Codec;
use crate::{Error, Result};

/// What a qualifier says. Its memory is used again for the next one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Qualifier {
    /// Of values, their metadata and their hides: the name of the property.
    pub name: Vec<u8>,
    /// Of the same: the key.
    pub key: Vec<u8>,
    /// Of metadata and hides of values: the visibility of the value.
    pub value_visibility: Vec<u8>,
    /// Of metadata: the time of the value.
    pub value_time: i64,
    /// Of metadata: its key.
    pub entry: Vec<u8>,
    /// Where the key of the property starts in the bytes that were read.
    pub(crate) key_start: usize,
}

/// A cell of a record, checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact<'a> {
    pub kind: FactKind,
    pub state: FactState,
    pub time: i64,
    /// When it was written, where its own time was given.
    pub stamp: Option<i64>,
    /// Of an existence: what is not newer than this ended.
    pub ended: Option<i64>,
    /// How long it lives; for ever without one.
    pub ttl: Option<i64>,
    /// Event data in the self-describing value form; empty if there is none.
    pub note: &'a [u8],
    /// The value, shape or signature in the self-describing value form.
    pub content: &'a [u8],
    pub qualifier: Qualifier,
}

impl<'a> Fact<'a> {
    /// Reads a cell in the row of such a subject.
    pub fn read(subject: SubjectKind, cell: &CellRef<'a>) -> Result<Fact<'a>> {
        let kind = kind_of(subject, cell)?;
        let header = read_value(kind, subject, cell)?;
        let mut qualifier = Qualifier::default();
        qualifier.read(kind, cell.key.qualifier, cell.key.visibility)?;
        Ok(Fact {
            kind,
            state: header.state,
            time: cell.key.timestamp,
            stamp: header.stamp,
            ended: header.ended,
            ttl: header.ttl,
            note: cell.value.get(header.note).unwrap_or_default(),
            content: cell.value.get(header.content..).unwrap_or_default(),
            qualifier,
        })
    }
}

/// The kind of fact that a cell is.
pub fn kind_of(subject: SubjectKind, cell: &CellRef<'_>) -> Result<FactKind> {
    let kind = FactKind::of(subject, cell.key.family);
    match kind {
        Some(kind) if !cell.key.deleted => Ok(kind),
        _ => {
            let subject = match subject {
                SubjectKind::Vertex => "vertex",
                SubjectKind::Edge => "edge",
                SubjectKind::Reference(_) => "reference",
            };
            let what = match cell.key.deleted {
                true => "delete marker".to_owned(),
                false => format!("cell of the family '{}'", cell.key.family.escape_ascii()),
            };
            invalid(format!("a row of a {subject} does not have a {what}"))
        }
    }
}

/// Reads the value of a cell, and checks its content.
pub fn read_value(kind: FactKind, subject: SubjectKind, cell: &CellRef<'_>) -> Result<Header> {
    let header = Header::read(kind, subject, cell.key.timestamp, cell.value)?;
    let content = cell.value.get(header.content..).unwrap_or_default();
    check_content(kind, subject, header.state, content)?;
    Ok(header)
}

impl Qualifier {
    /// Reads the qualifier of a fact of this kind and visibility.
    pub fn read(&mut self, kind: FactKind, data: &[u8], visibility: &[u8]) -> Result<()> {
        match kind {
            FactKind::Existence if !data.is_empty() => {
                invalid("the qualifier of an existence is empty")
            }
            FactKind::Required if !visibility.is_empty() => {
                invalid("the cell of an additional visibility has a visibility")
            }
            FactKind::Existence | FactKind::Required => Ok(()),
            FactKind::Hide if data.is_empty() => Ok(()),
            FactKind::Hide if Codec::Any.is_null(data) => invalid("null is not a vertex"),
            FactKind::Hide => Codec::Any.check_key(data),
            FactKind::Label => check_text(data),
            FactKind::Value => {
                let key = self.read_name(data)?;
                self.key.extend_from_slice(rest(data, key));
                Ok(())
            }
            FactKind::ValueHide => {
                let visibility = self.read_key(data)?;
                self.value_visibility.clear();
                self.value_visibility
                    .extend_from_slice(rest(data, visibility));
                Ok(())
            }
            FactKind::Metadata => self.read_entry(data),
        }
    }

    fn read_name(&mut self, data: &[u8]) -> Result<usize> {
        let (name, end) = terminated(data, 0)?;
        self.name.clear();
        self.key.clear();
        unescape_into(name, &mut self.name)?;
        check_text(&self.name)?;
        self.key_start = end;
        Ok(end)
    }

    fn read_key(&mut self, data: &[u8]) -> Result<usize> {
        let start = self.read_name(data)?;
        let (key, end) = terminated(data, start)?;
        unescape_into(key, &mut self.key)?;
        Ok(end)
    }

    fn read_entry(&mut self, data: &[u8]) -> Result<()> {
        let start = self.read_key(data)?;
        let (visibility, end) = terminated(data, start)?;
        self.value_visibility.clear();
        unescape_into(visibility, &mut self.value_visibility)?;
        let mut reader = Reader::new(data, end);
        self.value_time = integer::read_i64(&mut reader, "time")?;
        self.entry.clear();
        self.entry.extend_from_slice(rest(data, reader.position()));
        check_text(&self.entry)
    }
}

fn rest(data: &[u8], from: usize) -> &[u8] {
    data.get(from..).unwrap_or_default()
}

fn invalid<T>(message: impl Into<String>) -> Result<T> {
    Err(Error::InvalidBytes(message.into()))
}
