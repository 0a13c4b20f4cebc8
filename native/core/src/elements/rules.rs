//! The rules of a group, asked of a row before it is stored: as of the element that people see.

use serde_json::Value as Json;

use super::field::{Field, Form};
use super::program::Program;
use super::row::Row;
use crate::codec::{integer, Codec, Value};
use crate::functions::{Fields, Holds, Lookup, Predicate, Sets, Test};
use crate::json::Node;
use crate::plan::model::Kind as ElementKind;
use crate::{Error, Result};

/// Where a rule finds what it asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    Kind,
    Group,
    Directed,
    Visibility,
    Timestamp,
    /// Which end was matched: nothing, of an element that nobody looked for.
    Matched,
    Field(usize),
}

/// Rules bound to the fields of a program.
pub type Rules = Vec<Test<Asked>>;

/// Reads rules; `now` is the clock that those on age look at.
pub fn bind_rules(rules: &[Json], program: &Program, now: i64) -> Result<Rules> {
    let bind = |(at, rule)| {
        let node = Node::new(rule, format!("rules[{at}]"));
        // A rule belongs to the schema, which brings no sets along.
        Predicate::parse(&node, now, &Sets::new())?.bind(program)
    };
    rules.iter().enumerate().map(bind).collect()
}

impl Fields for Program {
    type Field = Asked;

    fn key_of(&self, name: &str) -> Result<Asked> {
        if self.holds(name)?.result.is_none() {
            return Err(Error::InvalidOption(format!(
                "field '{name}' holds a collection, which cannot be compared"
            )));
        }
        self.presence_of(name)
    }

    fn presence_of(&self, name: &str) -> Result<Asked> {
        Ok(match name {
            "kind" => Asked::Kind,
            "group" => Asked::Group,
            "directed" => Asked::Directed,
            "visibility" => Asked::Visibility,
            "timestamp" => Asked::Timestamp,
            "matched" => Asked::Matched,
            _ => {
                let found = self.fields.iter().position(|field| field.name == name);
                Asked::Field(found.ok_or_else(|| {
                    Error::InvalidOption(format!("the group has no field '{name}'"))
                })?)
            }
        })
    }

    fn holds(&self, name: &str) -> Result<Holds> {
        let plain = |codec: Codec| Holds {
            result: Some(codec.clone()),
            codec,
            is_map: false,
        };
        Ok(match self.presence_of(name)? {
            Asked::Kind | Asked::Group | Asked::Matched => plain(Codec::Str),
            Asked::Directed => plain(Codec::Bool),
            Asked::Visibility => plain(Codec::Bytes),
            Asked::Timestamp => plain(Codec::Int64),
            Asked::Field(at) => match (self.values.aggregator(at), self.fields.get(at)) {
                (Some(aggregator), _) => Holds {
                    codec: aggregator.codec().clone(),
                    result: aggregator.result(),
                    is_map: aggregator.kind().is_map(),
                },
                (None, Some(field)) => plain(field.codec.clone()),
                (None, None) => plain(Codec::Null),
            },
        })
    }
}

impl Row<'_, '_> {
    fn field(&self, asked: Asked) -> Option<(usize, &Field)> {
        let Asked::Field(at) = asked else {
            return None;
        };
        Some((at, self.program.fields.get(at)?))
    }

    /// What people see of a field that is there.
    fn finished(&self, at: usize, field: &Field) -> Result<Value> {
        let Some(column) = field.held(self.columns, self.row) else {
            return Ok(Value::Null);
        };
        match self.program.values.aggregator(at) {
            Some(aggregator) if !aggregator.kind().gives_one() => {
                aggregator.finish(&field.state(column, self.row, aggregator)?)
            }
            _ => field.value(column, self.row, &field.codec),
        }
    }
}

impl Lookup<Asked> for Row<'_, '_> {
    fn key<'b>(&'b self, asked: &Asked, scratch: &'b mut Vec<u8>) -> Result<Option<&'b [u8]>> {
        scratch.clear();
        if let Some((at, field)) = self.field(*asked) {
            let Some(column) = field.held(self.columns, self.row) else {
                return Ok(None);
            };
            let codec = match self.program.values.aggregator(at) {
                Some(aggregator) if !aggregator.kind().gives_one() => {
                    let Some(result) = aggregator.result() else {
                        return Ok(None);
                    };
                    result.encode_key(&self.finished(at, field)?, scratch)?;
                    return Ok(Some(scratch));
                }
                _ => &field.codec,
            };
            field.write(column, self.row, codec, Form::Key, scratch)?;
            return Ok((!codec.is_null(scratch)).then_some(scratch));
        }
        Ok(match asked {
            Asked::Kind => Some(self.program.kind.name().as_bytes()),
            Asked::Group => Some(self.program.group.as_bytes()),
            Asked::Directed if self.program.kind == ElementKind::Edge => {
                scratch.push(u8::from(self.directed));
                Some(scratch)
            }
            Asked::Visibility => Some(self.label),
            Asked::Timestamp => {
                integer::write_i64(self.timestamp, scratch);
                Some(scratch)
            }
            _ => None,
        })
    }

    fn value(&self, asked: &Asked) -> Result<Value> {
        if let Some((at, field)) = self.field(*asked) {
            return self.finished(at, field);
        }
        Ok(match asked {
            Asked::Kind => Value::Str(self.program.kind.name().into()),
            Asked::Group => Value::Str(self.program.group.clone()),
            Asked::Directed if self.program.kind == ElementKind::Edge => Value::Bool(self.directed),
            Asked::Visibility => Value::Bytes(self.label.to_vec()),
            Asked::Timestamp => Value::int(self.timestamp),
            _ => Value::Null,
        })
    }

    fn has(&self, asked: &Asked) -> Result<bool> {
        Ok(match self.field(*asked) {
            Some((_, field)) => field.held(self.columns, self.row).is_some(),
            None => match asked {
                Asked::Directed => self.program.kind == ElementKind::Edge,
                Asked::Matched => false,
                _ => true,
            },
        })
    }
}
