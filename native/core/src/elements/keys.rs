//! Keys put together from pieces, each of which is written once for an element.

use super::field::{Field, Form};
use crate::cells::BytesColumn;
use crate::codec::composite::markers;
use crate::codec::escape::{complement, escape};
use crate::codec::{Codec, Nulls};
use crate::json::Node;
use crate::plan::model::Form as KeyForm;
use crate::{Error, Result};

use super::column::Column;
use super::types::Type;

const FORMS: [(&str, KeyForm); 3] = [
    ("escaped", KeyForm::Escaped),
    ("part", KeyForm::Part),
    ("rest", KeyForm::Rest),
];
const NULLS: [(&str, Nulls); 2] = [("first", Nulls::First), ("last", Nulls::Last)];

/// A field in one of its forms inside keys.
#[derive(Debug)]
pub struct Piece {
    /// The number of the field; none for the shard.
    pub field: Option<usize>,
    codec: Codec,
    form: KeyForm,
    descending: bool,
    nulls: Option<Nulls>,
}

impl Piece {
    /// Reads a part of a key plan.
    pub fn parse(node: &Node<'_>, fields: &[Field], shard: Option<&str>) -> Result<Piece> {
        node.expect(&["field", "codec", "form"], &["descending", "nulls"])?;
        let (named, codec) = (node.member("field")?, node.member("codec")?);
        let (name, codec_name) = (named.name()?, codec.name()?);
        let field = fields.iter().position(|field| field.name == name);
        if field.is_none() && shard != Some(name) {
            return Err(named.fail(format!("there is no field '{name}'")));
        }
        let (descending, nulls) = (node.optional("descending")?, node.optional("nulls")?);
        Ok(Piece {
            field,
            codec: Codec::named(codec_name)
                .ok_or_else(|| codec.unknown(format!("there is no codec '{codec_name}'")))?,
            form: node.member("form")?.choice(&FORMS)?,
            descending: descending.map_or(Ok(false), |flag| flag.flag())?,
            nulls: nulls.map(|place| place.choice(&NULLS)).transpose()?,
        })
    }

    /// Appends the piece of one row.
    pub fn write(
        &self,
        field: &Field,
        columns: &[Column<'_>],
        row: usize,
        scratch: &mut Vec<u8>,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let column = field.held(columns, row);
        match (self.nulls.map(markers), column) {
            (Some((_, null)), None) => {
                out.push(null);
                return Ok(());
            }
            (Some((present, _)), Some(_)) => out.push(present),
            (None, _) => {}
        }
        let Some(column) = column else {
            return Err(Error::InvalidValue("a part of a key is missing".into()));
        };
        let start = out.len();
        match self.form {
            KeyForm::Rest => field.write(column, row, &self.codec, Form::Key, out)?,
            KeyForm::Part => field.write(column, row, &self.codec, Form::Part, out)?,
            KeyForm::Escaped if column.kind() == Type::Str && self.codec == Codec::Str => {
                escape(column.text(row)?, out);
            }
            KeyForm::Escaped => {
                scratch.clear();
                field.write(column, row, &self.codec, Form::Key, scratch)?;
                escape(scratch, out);
            }
        }
        if self.descending {
            complement(out.get_mut(start..).unwrap_or_default());
        }
        Ok(())
    }

    /// Appends the piece of a shard.
    pub fn write_shard(&self, shard: i64, out: &mut Vec<u8>) -> Result<()> {
        self.codec
            .encode_part(&crate::codec::Value::int(shard), out)
    }
}

/// The pieces of one element.
#[derive(Debug, Default)]
pub struct Pieces {
    data: Vec<u8>,
    spans: Vec<(usize, usize)>,
}

impl Pieces {
    /// Forgets them; there will be so many.
    pub fn clear(&mut self, count: usize) {
        self.data.clear();
        self.spans.clear();
        self.spans.resize(count, (0, 0));
    }

    /// Makes a piece of what `write` appends.
    #[inline]
    pub fn make(
        &mut self,
        piece: usize,
        write: impl FnOnce(&mut Vec<u8>) -> Result<()>,
    ) -> Result<()> {
        let start = self.data.len();
        write(&mut self.data)?;
        if let Some(span) = self.spans.get_mut(piece) {
            *span = (start, self.data.len());
        }
        Ok(())
    }

    #[inline]
    pub fn get(&self, piece: usize) -> &[u8] {
        let (start, end) = self.spans.get(piece).copied().unwrap_or_default();
        self.data.get(start..end).unwrap_or_default()
    }
}

#[derive(Debug)]
enum Item {
    Const(Vec<u8>),
    Piece(usize),
}

/// A row, a family or a qualifier: consts and pieces, one behind the other.
#[derive(Debug)]
pub struct Join(Vec<Item>);

impl Join {
    fn parse(node: &Node<'_>, pieces: usize) -> Result<Join> {
        let last = pieces.saturating_sub(1) as u64;
        let read = |item: &Node<'_>| match item.optional("const")? {
            Some(data) => data.bytes().map(Item::Const),
            None => Ok(Item::Piece(item.member("piece")?.integer(0, last)? as usize)),
        };
        node.items()?
            .iter()
            .map(read)
            .collect::<Result<_>>()
            .map(Join)
    }

    /// Adds it to a column.
    #[inline]
    pub fn push(&self, pieces: &Pieces, out: &mut BytesColumn) {
        for item in &self.0 {
            match item {
                Item::Const(data) => out.data.extend_from_slice(data),
                Item::Piece(piece) => out.data.extend_from_slice(pieces.get(*piece)),
            }
        }
        out.offsets.push(out.data.len() as i64);
    }
}

/// Row, family and qualifier of one cell of an element.
#[derive(Debug)]
pub struct WrittenKey {
    pub row: Join,
    pub family: Join,
    pub qualifier: Join,
}

impl WrittenKey {
    /// Reads a list of keys.
    pub fn parse_all(node: &Node<'_>, pieces: usize) -> Result<Vec<WrittenKey>> {
        let read = |item: &Node<'_>| {
            item.expect(&["row", "family", "qualifier"], &[])?;
            let join = |name: &str| Join::parse(&item.member(name)?, pieces);
            Ok(WrittenKey {
                row: join("row")?,
                family: join("family")?,
                qualifier: join("qualifier")?,
            })
        };
        node.items()?.iter().map(read).collect()
    }
}

/// The keys of edges of one kind, by the order of their ends.
#[derive(Debug)]
pub struct EdgeKeys {
    of_itself: Vec<WrittenKey>,
    ascending: Vec<WrittenKey>,
    descending: Vec<WrittenKey>,
}

impl EdgeKeys {
    /// Reads `{"of_itself", "ascending", "descending"}`.
    pub fn parse(node: &Node<'_>, pieces: usize) -> Result<EdgeKeys> {
        node.expect(&["of_itself", "ascending", "descending"], &[])?;
        let keys = |name: &str| WrittenKey::parse_all(&node.member(name)?, pieces);
        Ok(EdgeKeys {
            of_itself: keys("of_itself")?,
            ascending: keys("ascending")?,
            descending: keys("descending")?,
        })
    }

    /// The keys of an edge whose ends compare so.
    pub fn of(&self, order: std::cmp::Ordering) -> &[WrittenKey] {
        match order {
            std::cmp::Ordering::Less => &self.ascending,
            std::cmp::Ordering::Equal => &self.of_itself,
            std::cmp::Ordering::Greater => &self.descending,
        }
    }
}
