//! Rows: one for each vertex, edge and reference. RecordReading accepts exactly what writing gives.

use std::collections::HashMap;
use std::ops::Range;

use super::kinds::{Direction, SubjectKind, Table};
use crate::codec::check::check_text;
use crate::codec::escape::unescape_into;
use crate::codec::{integer, typebytes as types, Codec, Nulls, Scalar};
use crate::json::Node;
use crate::{Error, Result};

const OWN: u8 = 0x01;

/// Where records lie: the codec of vertex ids, and the sort keys that labels of edges declare.
#[derive(Debug, Clone)]
pub struct RecordRows {
    vertex: Codec,
    /// By the UTF-8 of the label.
    parts: HashMap<Vec<u8>, Vec<Codec>>,
}

/// The subject of a row. Its memory is used again for the next row.
#[derive(Debug, Clone)]
pub struct Subject {
    pub kind: SubjectKind,
    /// The id of the vertex, or of the edge, in key form; of a reference the vertex that it is at.
    pub id: Vec<u8>,
    /// Of a reference: the label.
    pub label: Vec<u8>,
    /// Of a reference: the vertex at the other end, in key form.
    pub other: Vec<u8>,
    row: Vec<u8>,
    sort_key: Range<usize>,
    /// Where the escaped label, and where the escaped other end, lie in the row, without the 00 behind them.
    escaped: [Range<usize>; 2],
    id_end: usize,
}

impl Default for Subject {
    fn default() -> Self {
        Subject {
            kind: SubjectKind::Vertex,
            id: Vec::new(),
            label: Vec::new(),
            other: Vec::new(),
            row: Vec::new(),
            sort_key: 0..0,
            escaped: [0..0, 0..0],
            id_end: 0,
        }
    }
}

impl Subject {
    /// The row that was read.
    pub fn row(&self) -> &[u8] {
        &self.row
    }

    /// Of a reference: the parts of the sort key.
    pub fn sort_key(&self) -> &[u8] {
        self.row.get(self.sort_key.clone()).unwrap_or_default()
    }

    /// Of a reference: the edge id, in the key form of the codec `any`.
    pub fn edge(&self) -> &[u8] {
        let [_, other] = &self.escaped;
        self.row.get(other.end + 1..).unwrap_or_default()
    }

    fn part(&self, place: Range<usize>) -> &[u8] {
        self.row.get(place).unwrap_or_default()
    }
}

fn read_codec(node: &Node<'_>) -> Result<Codec> {
    let name = node.name()?;
    Codec::named(name).ok_or_else(|| node.unknown(format!("there is no codec '{name}'")))
}

fn read_key(parts: &Node<'_>) -> Result<Vec<Codec>> {
    let mut found = Vec::new();
    for part in parts.items()? {
        part.expect(&["field", "codec"], &["descending"])?;
        part.member("field")?.name()?;
        let codec = read_codec(&part.member("codec")?)?;
        let descending = match part.optional("descending")? {
            Some(given) => given.flag()?,
            None => false,
        };
        found.push(Codec::part(codec, descending, Some(Nulls::Last)));
    }
    Ok(found)
}

impl RecordRows {
    /// Takes codecs: that of vertex ids, and by label those of its sort key.
    pub fn new(vertex: Codec, sort_keys: impl IntoIterator<Item = (String, Vec<Codec>)>) -> Self {
        let keys = sort_keys.into_iter();
        RecordRows {
            vertex,
            parts: keys
                .map(|(label, parts)| (label.into_bytes(), parts))
                .collect(),
        }
    }

    /// Reads a key plan of facts: `spec/facts.md` section 9.
    pub fn from_plan(plan: &serde_json::Value) -> Result<RecordRows> {
        let root = Node::new(plan, "plan");
        root.expect(&["version", "facts"], &[])?;
        root.member("version")?.integer(1, 1)?;
        let facts = root.member("facts")?;
        facts.expect(&["vertex"], &["labels"])?;
        let vertex = read_codec(&facts.member("vertex")?)?;
        let mut keys = Vec::new();
        if let Some(labels) = facts.optional("labels")? {
            for (label, parts) in labels.members()? {
                keys.push((label.to_owned(), read_key(&parts)?));
            }
        }
        Ok(RecordRows::new(vertex, keys))
    }

    /// The codec of vertex ids.
    pub fn vertex_codec(&self) -> &Codec {
        &self.vertex
    }

    /// The codecs of the sort key of a label, in the form `part`.
    pub fn sort_parts(&self, label: &[u8]) -> &[Codec] {
        self.parts.get(label).map_or(&[], Vec::as_slice)
    }

    /// Reads the subject of a row; after an error it is of no use.
    pub fn read(&self, table: Table, row: &[u8], into: &mut Subject) -> Result<()> {
        into.id.clear();
        if table == Table::Edges {
            check_any(row)?;
            into.kind = SubjectKind::Edge;
            into.id.extend_from_slice(row);
            into.id_end = 0;
            set(&mut into.row, row);
            return Ok(());
        }
        let (id, end) = terminated(row, 0)?;
        // References of a vertex follow each other: it is checked once.
        let again = into.id_end == end && into.row.get(..end) == row.get(..end);
        self.read_id(id, &mut into.id, again)?;
        into.id_end = end;
        into.kind = match row.get(end) {
            Some(&OWN) => SubjectKind::Vertex,
            Some(0x02) => SubjectKind::Reference(Direction::Out),
            Some(0x03) => SubjectKind::Reference(Direction::In),
            Some(0x04) => SubjectKind::Reference(Direction::Either),
            _ => return invalid(format!("byte {end} of the row is not 01, 02, 03 or 04")),
        };
        if into.kind == SubjectKind::Vertex {
            let rest = row.len() - end - 1;
            if rest > 0 {
                return invalid(format!("{rest} bytes follow the row of a vertex"));
            }
        } else {
            self.read_reference(row, end + 1, into)?;
        }
        set(&mut into.row, row);
        Ok(())
    }

    fn read_reference(&self, row: &[u8], at: usize, into: &mut Subject) -> Result<()> {
        let (label, sort_start) = terminated(row, at)?;
        into.label.clear();
        unescape_into(label, &mut into.label)?;
        check_text(&into.label)?;
        let mut sort_end = sort_start;
        for part in self.sort_parts(&into.label) {
            sort_end = part.decode_part(row, sort_end)?.1;
        }
        let (other, edge) = terminated(row, sort_end)?;
        into.other.clear();
        self.read_id(other, &mut into.other, false)?;
        check_any(row.get(edge..).unwrap_or_default())?;
        into.sort_key = sort_start..sort_end;
        into.escaped = [at..sort_start - 1, sort_end..edge - 1];
        Ok(())
    }

    fn read_id(&self, escaped: &[u8], out: &mut Vec<u8>, checked: bool) -> Result<()> {
        unescape_into(escaped, out)?;
        match checked {
            true => Ok(()),
            false => self.vertex.check_key(out),
        }
    }

    /// Appends what tells subjects apart: their parts in the key form of the codec `any`, as Python has them.
    pub fn write_key(&self, subject: &Subject, out: &mut Vec<u8>) -> Result<()> {
        let SubjectKind::Reference(direction) = subject.kind else {
            return match subject.kind {
                SubjectKind::Edge => {
                    out.extend_from_slice(&subject.id);
                    Ok(())
                }
                _ => self.write_id(&subject.id, subject.part(0..subject.id_end), out),
            };
        };
        let [label, other] = subject.escaped.clone();
        self.write_id(&subject.id, subject.part(0..subject.id_end), out)?;
        out.push(types::INT);
        integer::write_small(direction as i64, out);
        out.push(types::STR);
        out.extend_from_slice(subject.part(label.start..label.end + 1));
        let mut at = subject.sort_key.start;
        for part in self.sort_parts(&subject.label) {
            let (value, end) = part.decode_part(&subject.row, at)?;
            Codec::Any.encode_key(&value, out)?;
            at = end;
        }
        self.write_id(
            &subject.other,
            subject.part(other.start..other.end + 1),
            out,
        )?;
        out.extend_from_slice(subject.edge());
        Ok(())
    }

    /// Appends an id in the key form of `any`, given its key form and the same escaped, with the 00 behind it.
    fn write_id(&self, key: &[u8], escaped: &[u8], out: &mut Vec<u8>) -> Result<()> {
        match self.vertex {
            Codec::Any => out.extend_from_slice(key),
            Codec::Str | Codec::Bytes => {
                out.push(match self.vertex {
                    Codec::Str => types::STR,
                    _ => types::BYTES,
                });
                out.extend_from_slice(escaped);
            }
            _ => Codec::Any.encode_key(&self.vertex.decode_key(key)?, out)?,
        }
        Ok(())
    }
}

/// What stands before the next 00, and the place behind it.
pub fn terminated(data: &[u8], at: usize) -> Result<(&[u8], usize)> {
    let rest = data.get(at..).unwrap_or_default();
    match memchr::memchr(0, rest) {
        Some(length) => Ok((rest.get(..length).unwrap_or_default(), at + length + 1)),
        None => invalid(format!(
            "the part that starts at byte {at} has no 00 byte at its end"
        )),
    }
}

/// Refuses what is no key of the codec `any`.
fn check_any(key: &[u8]) -> Result<()> {
    match Scalar::of_key(&Codec::Any, key) {
        Some(_) => Ok(()),
        None => Codec::Any.check_key(key),
    }
}

fn set(into: &mut Vec<u8>, bytes: &[u8]) {
    into.clear();
    into.extend_from_slice(bytes);
}

fn invalid<T>(message: impl Into<String>) -> Result<T> {
    Err(Error::InvalidBytes(message.into()))
}
