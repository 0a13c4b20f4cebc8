//! Values made anew while elements merge: by other aggregators, and of what was in the key.
//!
//! A group that a roll-up gives aggregators has a tagged value in the plan of its output: properties
//! keep their ids, and group-by properties that move into the value take the next ones. A property
//! whose own aggregator is asked for merges its states; every other starts from the finished value
//! and the time of its cell.

use std::collections::BTreeMap;

use super::model::{fields_in, is_identity, FieldPart, Group, Model, Property, ValueForm};
use super::slots::{FieldRef, Held};
use super::values::States;
use super::{Element, Plan};
use crate::codec::{Codec, Value};
use crate::functions::{Aggregate, Aggregator, Kind};
use crate::json::Node;
use crate::nearest::did_you_mean;
use crate::{Error, Result};

/// The aggregators that a roll-up is given, by group and field.
pub type Aggregates = BTreeMap<String, BTreeMap<String, Aggregate>>;

/// Reads `{group: {field: aggregate}}`; a name that the plan does not have is refused.
pub fn read_aggregates(node: &Node<'_>, model: &Model, by: &[String]) -> Result<Aggregates> {
    let mut found = Aggregates::new();
    for (name, members) in node.members()? {
        let Some(group) = model.groups.iter().find(|group| group.name == name) else {
            let known = model.groups.iter().map(|group| group.name.as_str());
            let near = did_you_mean(name, known);
            return Err(members.fail(format!("the plan has no group '{name}'{near}")));
        };
        let mut asked = BTreeMap::new();
        for (field, item) in members.members()? {
            asked.insert(field.into(), read_aggregate(&item, group, field, by)?);
        }
        found.insert(name.into(), asked);
    }
    Ok(found)
}

fn read_aggregate(item: &Node<'_>, group: &Group, field: &str, by: &[String]) -> Result<Aggregate> {
    let own = group.properties.iter().find(|one| one.field == field);
    let moved = || keyed(group).filter(|part| !by.contains(&part.field));
    let aggregate = Aggregate::parse(item)?;
    if aggregate.kind == Kind::Count {
        return Err(item.fail("'count' has no field; it works only in the stage 'summarise'"));
    }
    let codec = match own {
        Some(own) if own.aggregate.as_ref() == Some(&aggregate) => return Ok(aggregate),
        Some(own) => result_of(own).map_err(|error| item.fail(error.to_string()))?,
        None => match moved().find(|part| part.field == field) {
            Some(part) => part.codec.clone(),
            None => {
                let names = group.properties.iter().map(|one| one.field.as_str());
                let near = did_you_mean(field, names.chain(moved().map(|one| one.field.as_str())));
                let name = &group.name;
                let message = format!("group '{name}' has no aggregated property '{field}'{near}");
                return Err(item.fail(message));
            }
        },
    };
    Aggregator::new(aggregate.clone(), codec).map_err(|error| item.fail(error.to_string()))?;
    Ok(aggregate)
}

/// Changes the value of a group whose properties merge by these aggregators.
pub fn remake_value(group: &mut Group, aggregates: &BTreeMap<String, Aggregate>) -> Result<()> {
    for one in &mut group.properties {
        let asked = aggregates.get(&one.field);
        if asked.is_some() && asked != one.aggregate.as_ref() {
            one.codec = result_of(one)?;
            one.aggregate = asked.cloned();
        }
    }
    let mut id = group.properties.last().map_or(0, |one| one.id);
    let mut moved = Vec::new();
    for part in keyed(group) {
        let Some(aggregate) = aggregates.get(&part.field) else {
            continue;
        };
        id = id.checked_add(1).ok_or_else(|| {
            let (name, field) = (&group.name, &part.field);
            Error::InvalidOption(format!(
                "group '{name}' has no property ids left for '{field}'"
            ))
        })?;
        moved.push(Property {
            id,
            field: part.field.clone(),
            codec: part.codec.clone(),
            aggregate: Some(aggregate.clone()),
        });
    }
    group.properties.extend(moved);
    group.form = ValueForm::Tagged;
    Ok(())
}

/// Gives the states of one group's output, from the element of a cell.
#[derive(Debug)]
pub struct Remake(Vec<Maker>);

#[derive(Debug)]
struct Maker {
    field: FieldRef,
    aggregator: Aggregator,
    /// Whether the element has states of this very aggregator.
    holds_states: bool,
}

impl Remake {
    /// For one group of a plan, whose value becomes that of `output`.
    pub fn new(plan: &Plan, group: &Group, output: &Group) -> Result<Remake> {
        let fields = plan.fields(Some(&group.name))?;
        let maker = |one: &Property| {
            let aggregate = one.aggregate.clone();
            let aggregate = aggregate.unwrap_or_else(|| Kind::Faithful.into());
            Ok(Maker {
                field: fields.locate(&one.field)?,
                aggregator: Aggregator::new(aggregate, one.codec.clone())?,
                holds_states: group.properties.contains(one),
            })
        };
        let makers: Result<Vec<Maker>> = output.properties.iter().map(maker).collect();
        Ok(Remake(makers?))
    }

    /// Merges what one element tells into the states that are held.
    pub fn fold(&self, element: &Element<'_>, states: &mut States) -> Result<()> {
        states.resize(self.0.len(), None);
        let timestamp = element.timestamp();
        for (maker, held) in self.0.iter().zip(states) {
            if maker.holds_states {
                if let Some((_, state)) = element.state(&maker.field) {
                    maker.aggregator.fold(held, state, timestamp)?;
                }
                continue;
            }
            let value = element.value(&maker.field)?;
            if value != Value::Null {
                maker.aggregator.add(held, &value, timestamp)?;
            }
        }
        Ok(())
    }
}

/// The codec of a property's finished values.
fn result_of(one: &Property) -> Result<Codec> {
    let held = Held {
        codec: one.codec.clone(),
        aggregate: one.aggregate.clone(),
    };
    held.result().ok_or_else(|| {
        let field = &one.field;
        Error::InvalidOption(format!(
            "field '{field}' holds a collection, which only its own aggregator merges"
        ))
    })
}

/// The group-by properties, in the order of the qualifier.
fn keyed(group: &Group) -> impl Iterator<Item = &FieldPart> {
    fields_in(&group.qualifier).filter(|part| !is_identity(&part.field))
}
