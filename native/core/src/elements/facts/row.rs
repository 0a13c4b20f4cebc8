//! One row after the other: checked, put together, and added to columns of cells.

use super::program::{EdgeProgram, FactProgram, Subject};
use super::shape::MadeShape;
use super::values::{missing, value_of, write_any, MadeValues};
use super::FactRequest;
use crate::codec::escape::escape;
use crate::codec::{integer, typebytes, uvarint, Codec};
use crate::elements::column::Column;
use crate::elements::field::Field;
use crate::elements::labels::Labels;
use crate::elements::row::Part;
use crate::elements::types::Type;
use crate::{Error, Result};

const SAID: u8 = 1;
const STAMPED: u8 = 2;
const NOTED: u8 = 4;
const EXPIRING: u8 = 8;
const OWN: u8 = 1;
const OUT: u8 = 2;
const IN: u8 = 3;
const EITHER: u8 = 4;
/// One less must be left, for what is strictly older.
const EARLIEST: i64 = i64::MIN + 2;

/// Makes facts of rows; keeps its memory from one to the next.
pub(super) struct FactEncoder<'a, 'b> {
    program: &'b FactProgram,
    columns: &'b [Column<'a>],
    request: &'b FactRequest<'b>,
    labels: Labels,
    /// Whether a row has the visibility of the request.
    unlabelled: bool,
    vertices: Part,
    edges: Part,
    values: MadeValues,
    shape: MadeShape,
    header: Vec<u8>,
    /// The ids of the ends in key form and in value form.
    keys: [Vec<u8>; 2],
    ends: [Vec<u8>; 2],
    edge: Vec<u8>,
    row: Vec<u8>,
    whole: Vec<u8>,
}

/// What all facts of a row have in common.
struct Common<'b> {
    visibility: &'b [u8],
    time: Option<i64>,
    header: &'b [u8],
    /// How long the element lives.
    ttl: Option<i64>,
}

impl Common<'_> {
    /// How long a value lives: not longer than its element.
    fn limited(&self, own: Option<i64>) -> Option<i64> {
        match (own, self.ttl) {
            (Some(own), Some(ttl)) => Some(own.min(ttl)),
            (own, ttl) => own.or(ttl),
        }
    }
}

impl<'a, 'b> FactEncoder<'a, 'b> {
    pub fn new(
        program: &'b FactProgram,
        columns: &'b [Column<'a>],
        request: &'b FactRequest<'b>,
    ) -> FactEncoder<'a, 'b> {
        FactEncoder {
            program,
            columns,
            request,
            labels: Labels::default(),
            unlabelled: false,
            vertices: Part::default().emptied(),
            edges: Part::default().emptied(),
            values: MadeValues::default(),
            shape: MadeShape::default(),
            header: Vec::new(),
            keys: Default::default(),
            ends: Default::default(),
            edge: Vec::new(),
            row: Vec::new(),
            whole: Vec::new(),
        }
    }

    /// Adds the facts of a row; refuses one that does not fit, and adds nothing of it.
    pub fn take(&mut self, row: usize) -> Result<()> {
        let (program, columns) = (self.program, self.columns);
        let label = match self.held(program.visibility, row) {
            Some(column) => Some(self.labels.find(column.text(row)?)?),
            None => None,
        };
        let time = match self.held(program.timestamp, row) {
            Some(column) => Some(column.number(row)),
            None => self.request.time,
        };
        if time.is_some_and(|time| time < EARLIEST) {
            return Err(Error::InvalidValue("the time is too early".into()));
        }
        self.write_header(time)?;
        self.values.clear();
        for one in &program.values {
            one.write(columns, row, &mut self.values)?;
        }
        match &program.subject {
            Subject::Vertex { id } => {
                self.write_end(0, id, row)?;
                self.add_vertex(label, time);
            }
            Subject::Edge(edge) => {
                self.write_end(0, &edge.ends[0], row)?;
                self.write_end(1, &edge.ends[1], row)?;
                self.write_edge_id(edge, row)?;
                let directed = self.direction(edge, row)?;
                if !directed && self.keys[0] > self.keys[1] {
                    self.keys.swap(0, 1);
                    self.ends.swap(0, 1);
                }
                self.shape.read(edge, columns, row)?;
                self.add_edge(edge, directed, label, time)?;
            }
        }
        self.vertices.starts.push(self.vertices.timed.len());
        match label {
            Some(label) => self.labels.note(label),
            None => self.unlabelled = true,
        }
        Ok(())
    }

    /// Takes note of a row that does not fit.
    pub fn refuse(&mut self, row: usize) {
        self.vertices.bad.push(row);
    }

    /// The cells of vertices and references, and those of edges.
    pub fn finish(mut self) -> (Part, Part) {
        let none = self.unlabelled.then(|| self.request.visibility.to_vec());
        let labels: Vec<Vec<u8>> = none.into_iter().chain(self.labels.into_used()).collect();
        self.edges.labels.clone_from(&labels);
        self.vertices.labels = labels;
        (self.vertices, self.edges)
    }

    fn held(&self, column: Option<usize>, row: usize) -> Option<&'b Column<'a>> {
        let column = self.columns.get(column?)?;
        (!column.is_null(row)).then_some(column)
    }

    fn write_header(&mut self, time: Option<i64>) -> Result<()> {
        let request = self.request;
        let stamped = time.is_some_and(|time| time != request.stamp);
        let noted = !request.note.is_empty();
        let flags = if stamped { STAMPED } else { 0 } | if noted { NOTED } else { 0 };
        self.header.clear();
        self.header.extend_from_slice(&[SAID, flags]);
        if stamped {
            let bits = request.stamp ^ i64::MIN;
            self.header.extend_from_slice(&bits.to_be_bytes());
        }
        if noted {
            uvarint::write(request.note.len(), &mut self.header)?;
            self.header.extend_from_slice(request.note);
        }
        Ok(())
    }

    /// Writes an id of a vertex in its key form, for edges also in its value form.
    fn write_end(&mut self, at: usize, field: &Field, row: usize) -> Result<()> {
        let column = field.held(self.columns, row).ok_or_else(missing)?;
        let (Some(key), Some(end)) = (self.keys.get_mut(at), self.ends.get_mut(at)) else {
            return Err(missing());
        };
        key.clear();
        match (&self.program.vertex, column.kind()) {
            (Codec::Str, Type::Str) => key.extend_from_slice(column.text(row)?),
            (Codec::Int, Type::Int) => integer::write_small(field.number(column, row)?, key),
            (codec, _) => codec.encode_key(&value_of(field, column, row)?, key)?,
        }
        end.clear();
        match self.program.subject {
            Subject::Vertex { .. } => Ok(()),
            Subject::Edge(_) => write_any(field, column, row, end),
        }
    }

    fn write_edge_id(&mut self, edge: &EdgeProgram, row: usize) -> Result<()> {
        self.edge.clear();
        let field = edge.id.as_ref();
        let given = field.and_then(|field| Some((field, field.held(self.columns, row)?)));
        if let Some((field, column)) = given {
            return Codec::Any.encode_key(&value_of(field, column, row)?, &mut self.edge);
        }
        let id = generated(self.request.first_id + row as u128);
        if edge.text_ids {
            self.edge.push(typebytes::STR);
            for (at, byte) in id.to_be_bytes().iter().enumerate() {
                if matches!(at, 4 | 6 | 8 | 10) {
                    self.edge.push(b'-');
                }
                for digit in [byte >> 4, byte & 15] {
                    let digit = char::from_digit(digit.into(), 16).unwrap_or('0');
                    self.edge.push(digit as u8);
                }
            }
            self.edge.push(0);
        } else {
            self.edge.push(typebytes::UUID);
            self.edge.extend_from_slice(&id.to_be_bytes());
        }
        Ok(())
    }

    fn direction(&self, edge: &EdgeProgram, row: usize) -> Result<bool> {
        let column = self.held(edge.directed.column, row);
        let said = column
            .filter(|column| column.kind() == Type::Bool)
            .map(|column| column.flag(row));
        match (said, edge.directed.all) {
            (Some(said), Some(all)) if said != all => Err(Error::InvalidValue(
                "all edges of the group go the other way".into(),
            )),
            (said, all) => said.or(all).ok_or_else(missing),
        }
    }

    fn add_vertex(&mut self, label: Option<usize>, time: Option<i64>) {
        let common = Common {
            visibility: label.map_or(self.request.visibility, |label| self.labels.get(label)),
            time,
            header: &self.header,
            ttl: self.program.ttl,
        };
        self.row.clear();
        escape(&self.keys[0], &mut self.row);
        self.row.extend_from_slice(&[0, OWN]);
        let (part, row) = (&mut self.vertices, &self.row);
        let ttl = common.ttl;
        push(part, &common, row, b"e", &[], &[], ttl);
        push(part, &common, row, b"l", &self.program.label, &[], ttl);
        self.values.each(|qualifier, value, own| {
            let ttl = common.limited(own);
            push(part, &common, row, b"p", qualifier, value, ttl);
        });
    }

    fn add_edge(
        &mut self,
        edge: &EdgeProgram,
        directed: bool,
        label: Option<usize>,
        time: Option<i64>,
    ) -> Result<()> {
        self.whole.clear();
        let ends = [self.ends[0].as_slice(), self.ends[1].as_slice()];
        self.shape.write(edge, ends, directed, &mut self.whole)?;
        let common = Common {
            visibility: label.map_or(self.request.visibility, |label| self.labels.get(label)),
            time,
            header: &self.header,
            ttl: self.program.ttl,
        };
        let (part, row) = (&mut self.edges, &self.edge);
        push(part, &common, row, b"e", &[], &self.whole, common.ttl);
        self.values.each(|qualifier, value, own| {
            let ttl = common.limited(own);
            push(part, &common, row, b"p", qualifier, value, ttl);
        });
        part.starts.push(part.timed.len());
        let [source, destination] = &self.keys;
        let from_source = (source, if directed { OUT } else { EITHER }, destination);
        let from_destination = (destination, if directed { IN } else { EITHER }, source);
        let once = match directed {
            true => edge.unidirected,
            false => source == destination,
        };
        let both = [from_source, from_destination];
        for (one, mark, other) in both.into_iter().take(if once { 1 } else { 2 }) {
            self.row.clear();
            escape(one, &mut self.row);
            self.row.extend_from_slice(&[0, mark]);
            self.row.extend_from_slice(&edge.row_label);
            self.row.extend_from_slice(&self.shape.sort_key);
            escape(other, &mut self.row);
            self.row.push(0);
            self.row.extend_from_slice(&self.edge);
            let signature = &self.shape.signature;
            push(
                &mut self.vertices,
                &common,
                &self.row,
                b"re",
                &[],
                signature,
                common.ttl,
            );
        }
        Ok(())
    }
}

fn push(
    part: &mut Part,
    common: &Common<'_>,
    row: &[u8],
    family: &[u8],
    qualifier: &[u8],
    content: &[u8],
    ttl: Option<i64>,
) {
    let cells = &mut part.cells;
    cells.row.push(row);
    cells.family.push(family);
    cells.qualifier.push(qualifier);
    cells.visibility.push(common.visibility);
    cells.timestamps.push(common.time.unwrap_or(0));
    cells.deleted.push(0);
    let value = &mut cells.value;
    let start = value.data.len();
    value.data.extend_from_slice(common.header);
    if let Some(ttl) = ttl {
        if let Some(flags) = value.data.get_mut(start + 1) {
            *flags |= EXPIRING;
        }
        let bits = ttl ^ i64::MIN;
        value.data.extend_from_slice(&bits.to_be_bytes());
    }
    value.data.extend_from_slice(content);
    value.offsets.push(value.data.len() as i64);
    part.timed.push(u8::from(common.time.is_some()));
}

/// The UUIDv7 of a number: 48 bits of milliseconds, then 74 bits that count.
fn generated(number: u128) -> u128 {
    let (stamp, high) = (number >> 74, number >> 62 & 0xfff);
    let low = number & ((1 << 62) - 1);
    stamp << 80 | 0x7 << 76 | high << 64 | 0b10 << 62 | low
}
