//! The value of a cell: states of properties, cut, merged and written as a plan says.
//!
//! Reading accepts only what writing gives.

use super::model::{Group, ValueForm};
use super::parts::Span;
use crate::codec::reader::Reader;
use crate::codec::uvarint;
use crate::functions::{Aggregator, Kind, State};
use crate::{Error, Result};

const FORMAT_VERSION: u8 = 1;

/// One state for each property of a group, none where it is absent.
pub type States = Vec<Option<State>>;

/// How one group's values are read and written.
#[derive(Debug)]
pub struct ValuePlan {
    form: ValueForm,
    properties: Vec<PropertyPlan>,
}

#[derive(Debug)]
struct PropertyPlan {
    id: u32,
    name: String,
    aggregator: Aggregator,
}

impl ValuePlan {
    pub fn compile(group: &Group) -> Result<ValuePlan> {
        let mut properties = Vec::new();
        for one in &group.properties {
            let aggregate = one.aggregate.clone();
            let aggregate = aggregate.unwrap_or_else(|| Kind::Faithful.into());
            properties.push(PropertyPlan {
                id: one.id,
                name: one.field.clone(),
                aggregator: Aggregator::new(aggregate, one.codec.clone())?,
            });
        }
        let form = group.form;
        Ok(ValuePlan { form, properties })
    }

    /// The aggregator of a property.
    pub fn aggregator(&self, property: usize) -> Option<&Aggregator> {
        self.properties.get(property).map(|one| &one.aggregator)
    }

    /// Finds where the states are and checks them.
    pub fn read(&self, data: &[u8], spans: &mut Vec<Option<Span>>) -> Result<()> {
        spans.clear();
        spans.resize(self.properties.len(), None);
        self.each(data, |at, span, property| {
            if let Some(place) = spans.get_mut(at) {
                *place = Some(span);
            }
            property.aggregator.check(span.of(data))
        })
    }

    /// Merges the states in the value of a cell of `timestamp` into what is held.
    pub fn fold(&self, data: &[u8], timestamp: i64, states: &mut States) -> Result<()> {
        states.resize(self.properties.len(), None);
        self.each(data, |at, span, property| match states.get_mut(at) {
            Some(state) => property.aggregator.fold(state, span.of(data), timestamp),
            None => Ok(()),
        })
    }

    /// Appends the value of a combined cell.
    pub fn write(&self, states: &States, out: &mut Vec<u8>) -> Result<()> {
        self.write_states(states, Aggregator::encode, out)
    }

    /// Appends the value of a new cell, whose time is that of the states.
    pub fn write_untimed(&self, states: &States, out: &mut Vec<u8>) -> Result<()> {
        self.write_states(states, Aggregator::encode_untimed, out)
    }

    fn write_states(
        &self,
        states: &States,
        encode: impl Fn(&Aggregator, &State, &mut Vec<u8>) -> Result<()>,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        if self.form == ValueForm::Tagged {
            out.push(FORMAT_VERSION);
        }
        let mut scratch = Vec::new();
        for (property, state) in self.properties.iter().zip(states) {
            let Some(state) = state else { continue };
            if self.form == ValueForm::Single {
                return encode(&property.aggregator, state, out);
            }
            scratch.clear();
            encode(&property.aggregator, state, &mut scratch)?;
            uvarint::write(property.id as usize, out)?;
            uvarint::write(scratch.len(), out)?;
            out.extend_from_slice(&scratch);
        }
        Ok(())
    }

    fn each(
        &self,
        data: &[u8],
        mut visit: impl FnMut(usize, Span, &PropertyPlan) -> Result<()>,
    ) -> Result<()> {
        let mut named = |at: usize, span, property: &PropertyPlan| {
            visit(at, span, property).map_err(|error| match error {
                Error::InvalidBytes(why) => {
                    Error::InvalidBytes(format!("property '{}': {why}", property.name))
                }
                other => other,
            })
        };
        match self.form {
            ValueForm::None => Ok(()),
            ValueForm::Single => match self.properties.first() {
                Some(property) => named(0, Span::new(0, data.len()), property),
                None => Ok(()),
            },
            ValueForm::Tagged => self.each_tagged(data, named),
        }
    }

    fn each_tagged(
        &self,
        data: &[u8],
        mut visit: impl FnMut(usize, Span, &PropertyPlan) -> Result<()>,
    ) -> Result<()> {
        if data.is_empty() {
            // Written before its group had any property.
            return Ok(());
        }
        if data.first() != Some(&FORMAT_VERSION) {
            let message = "a tagged value starts with the byte 01".into();
            return Err(Error::InvalidBytes(message));
        }
        let mut reader = Reader::new(data, 1);
        // Both the plan's ids and the value's ascend: one walk over each.
        let mut rest = self.properties.iter().enumerate();
        while !reader.is_at_end() {
            let id = uvarint::read(&mut reader, "property id")?;
            let length = uvarint::read(&mut reader, "property length")?;
            let Some((at, property)) = rest.find(|(_, one)| one.id as usize >= id) else {
                return Err(unknown_id(id));
            };
            if property.id as usize != id {
                return Err(unknown_id(id));
            }
            let start = reader.position();
            reader.slice(length, "property")?;
            visit(at, Span::new(start, start + length), property)?;
        }
        Ok(())
    }
}

fn unknown_id(id: usize) -> Error {
    Error::InvalidBytes(format!(
        "property id {id} is not in the plan or not in order"
    ))
}
