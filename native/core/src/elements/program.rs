//! What is to be done with the columns of one group, read once from JSON.

use serde_json::Value as Json;

use super::field::Field;
use super::keys::{EdgeKeys, Piece, WrittenKey};
use super::row::Spare;
use super::rules::{bind_rules, Rules};
use super::shard::Shard;
use super::values::Values;
use crate::json::Node;
use crate::plan::model::Kind;
use crate::{Error, Result};

/// How the rows of a table become cells.
#[derive(Debug)]
pub struct Program {
    pub(super) group: String,
    pub(super) kind: Kind,
    pub(super) fields: Vec<Field>,
    pub(super) pieces: Vec<Piece>,
    pub(super) keys: Keys,
    pub(super) values: Values,
    /// The columns of label and time.
    pub(super) visibility: Option<usize>,
    pub(super) timestamp: Option<usize>,
    pub(super) directed: Directed,
    pub(super) shard: Option<Shard>,
    /// Whether equal elements become one.
    pub(super) aggregates: bool,
    rules: Vec<Json>,
    pub(super) spare: Spare,
}

/// The keys of the cells of an element.
#[derive(Debug)]
pub(super) enum Keys {
    Vertex(Vec<WrittenKey>),
    Edge {
        directed: Option<EdgeKeys>,
        undirected: Option<EdgeKeys>,
        /// The pieces by which the ends are compared.
        ends: (usize, usize),
    },
}

/// Which way edges go.
#[derive(Debug, Default)]
pub(super) struct Directed {
    /// The column in which each edge says so.
    pub column: Option<usize>,
    /// What all edges of the group are.
    pub all: Option<bool>,
}

impl Program {
    /// Reads a program; it is made by `lexigraph.graph`, and no other has to understand it.
    pub fn parse(json: &Json) -> Result<Program> {
        let node = Node::new(json, "program");
        let columns = node.member("columns")?.integer(0, u32::MAX.into())? as usize;
        let column = |name: &str| -> Result<Option<usize>> {
            let found = node
                .optional(name)?
                .filter(|found| !found.value().is_null());
            let last = columns.saturating_sub(1) as u64;
            let number = found.map(|found| found.integer(0, last)).transpose()?;
            Ok(number.map(|number| number as usize))
        };
        let fields = node.member("fields")?.items()?;
        let fields: Vec<Field> = fields
            .iter()
            .map(|item| Field::parse(item, columns))
            .collect::<Result<_>>()?;
        let shard = node.optional("shard")?.filter(|one| !one.value().is_null());
        let shard_field = match &shard {
            Some(shard) => Some(shard.member("field")?.name()?),
            None => None,
        };
        let pieces = node.member("pieces")?.items()?;
        let pieces: Vec<Piece> = pieces
            .iter()
            .map(|item| Piece::parse(item, &fields, shard_field))
            .collect::<Result<_>>()?;
        let rules = node.member("rules")?;
        let rules = rules.value().as_array().cloned();
        let keys = node.member("keys")?;
        let all = node.optional("all_directed")?;
        let all = all.filter(|all| !all.value().is_null());
        let program = Program {
            group: node.member("group")?.name()?.into(),
            kind: if keys.optional("vertex")?.is_some() {
                Kind::Vertex
            } else {
                Kind::Edge
            },
            keys: Keys::parse(&keys, pieces.len())?,
            values: Values::parse(&node.member("value")?, &fields)?,
            visibility: column("visibility")?,
            timestamp: column("timestamp")?,
            directed: Directed {
                column: column("directed")?,
                all: all.map(|all| all.flag()).transpose()?,
            },
            shard: shard
                .map(|shard| Shard::parse(&shard, pieces.len()))
                .transpose()?,
            aggregates: node.member("aggregates")?.flag()?,
            rules: rules.unwrap_or_default(),
            fields,
            pieces,
            spare: Spare::default(),
        };
        // Rules that only Python knows are found now, not at the first row.
        program.rules(0)?;
        Ok(program)
    }

    /// The rules, for which `now` is the time.
    pub(super) fn rules(&self, now: i64) -> Result<Rules> {
        bind_rules(&self.rules, self, now)
    }

    /// Whether elements of the group take turns in shards.
    pub fn takes_turns(&self) -> bool {
        self.shard.as_ref().is_some_and(Shard::takes_turns)
    }
}

impl Keys {
    fn parse(node: &Node<'_>, pieces: usize) -> Result<Keys> {
        if let Some(vertex) = node.optional("vertex")? {
            return Ok(Keys::Vertex(WrittenKey::parse_all(&vertex, pieces)?));
        }
        let edges = |name: &str| -> Result<Option<EdgeKeys>> {
            let found = node.optional(name)?;
            found
                .map(|found| EdgeKeys::parse(&found, pieces))
                .transpose()
        };
        let last = pieces.saturating_sub(1) as u64;
        let ends: Vec<usize> = node
            .member("ends")?
            .items()?
            .iter()
            .map(|end| end.integer(0, last).map(|end| end as usize))
            .collect::<Result<_>>()?;
        let [source, destination] = ends.as_slice() else {
            return Err(Error::InvalidOption("an edge has two ends".into()));
        };
        Ok(Keys::Edge {
            directed: edges("directed")?,
            undirected: edges("undirected")?,
            ends: (*source, *destination),
        })
    }
}
