//! The figures of a summary, and the bytes of a result.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use crate::codec::{uvarint, Codec, Value};
use crate::functions::{Aggregate, Aggregator, Kind, State};
use crate::json::Node;
use crate::plan::{Element, FieldRef, Plan, States};
use crate::{Error, Result};

const FORMAT_VERSION: u8 = 1;

/// One figure of a summary.
#[derive(Debug, Clone)]
pub struct Measure {
    name: String,
    aggregator: Aggregator,
    from: Origin,
}

/// What a figure is made of.
#[derive(Debug, Clone)]
pub enum Origin {
    /// Every element counts, whatever it holds.
    Elements,
    /// The property has states of this very aggregator.
    States(FieldRef),
    Values(FieldRef),
}

impl Measure {
    /// Reads `{"name", "aggregate", "field"}`.
    pub fn parse(plan: &Plan, node: &Node<'_>) -> Result<Measure> {
        node.expect(&["name", "aggregate"], &["field"])?;
        let name = node.member("name")?.name()?.to_owned();
        let asked = node.member("aggregate")?;
        let aggregate = match asked.value().as_str() {
            Some(name) => Kind::named(name)?.into(),
            None => Aggregate::parse(&asked)?,
        };
        let kind = aggregate.kind;
        let field = node
            .optional("field")?
            .filter(|field| !field.value().is_null());
        if kind == Kind::Count {
            if let Some(field) = field {
                return Err(field.fail("'count' takes no field"));
            }
            return Ok(Measure {
                name,
                aggregator: Aggregator::new(kind, Codec::Int)?,
                from: Origin::Elements,
            });
        }
        let Some(field) = field else {
            return Err(node.fail(format!("'{}' needs a field", kind.name())));
        };
        let fields = plan.fields(None)?;
        let held = fields.find(field.name()?)?;
        let place = fields.locate(field.name()?)?;
        // A bare name means the property's own aggregator, with the options that it has.
        let own = held.aggregate.as_ref().filter(|own| match asked.value() {
            Json::String(_) => own.kind == kind,
            _ => **own == aggregate,
        });
        let (aggregator, from) = match (own, held.result()) {
            (Some(own), _) => {
                let aggregator = Aggregator::new(own.clone(), held.codec.clone())?;
                (aggregator, Origin::States(place))
            }
            (None, Some(codec)) => (Aggregator::new(aggregate, codec)?, Origin::Values(place)),
            (None, None) => {
                return Err(node.fail(
                    "the field holds a collection, which only its own aggregator summarises",
                ))
            }
        };
        Ok(Measure {
            name,
            aggregator,
            from,
        })
    }

    /// How it is made.
    pub fn aggregator(&self) -> &Aggregator {
        &self.aggregator
    }

    /// What it is made of.
    pub fn origin(&self) -> &Origin {
        &self.from
    }

    /// Merges what one element tells into the state that is held.
    pub fn add(&self, element: &Element<'_>, held: &mut Option<State>) -> Result<()> {
        let timestamp = element.timestamp();
        match &self.from {
            Origin::Elements => {
                let one = self.aggregator.start(&Value::Null, timestamp)?;
                self.aggregator.merge(held, one)
            }
            Origin::States(field) => match element.state(field) {
                Some((_, state)) => self.aggregator.fold(held, state, timestamp),
                None => Ok(()),
            },
            Origin::Values(field) => match element.value(field)? {
                Value::Null => Ok(()),
                value => self.aggregator.add(held, &value, timestamp),
            },
        }
    }
}

/// Refuses two columns of one name.
pub fn check_names(by: &[String], measures: &[Measure]) -> Result<()> {
    let mut seen = BTreeSet::new();
    for name in by.iter().chain(measures.iter().map(|one| &one.name)) {
        if !seen.insert(name) {
            return Err(Error::InvalidOption(format!(
                "summarise has two columns named '{name}'"
            )));
        }
    }
    Ok(())
}

/// Gives the value of a result.
pub fn write_result(measures: &[Measure], states: &States) -> Result<Vec<u8>> {
    let mut out = vec![FORMAT_VERSION];
    let mut scratch = Vec::new();
    for (measure, state) in measures.iter().zip(states) {
        match state {
            None => out.push(0),
            Some(state) => {
                scratch.clear();
                measure.aggregator.encode(state, &mut scratch)?;
                uvarint::write(scratch.len() + 1, &mut out)?;
                out.extend_from_slice(&scratch);
            }
        }
    }
    Ok(out)
}
