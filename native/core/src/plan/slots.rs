//! Where the fields of a plan's elements are found, by name, for each group and shape.
//!
//! Names are looked up when a stage is made; for a cell a field is an index.

use super::model::{
    fields_in, is_end, Group, Kind, Matched, Model, Part, Shape, BUILT_IN_FIELDS, GROUP, SOURCE,
};
use super::Plan;
use crate::codec::Codec;
use crate::functions::{Aggregate, Aggregator, Fields, Holds};
use crate::nearest::did_you_mean;
use crate::{Error, Result};

/// The place of a field in cells of one group and shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    Absent,
    Kind,
    Directed,
    Matched,
    Visibility,
    Timestamp,
    Group,
    Row(usize),
    Family(usize),
    Qualifier(usize),
    Property(usize),
    /// The end that is not the greater one.
    Lesser,
    Greater,
}

/// A field, wherever it is found: one slot for each pair of group and shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldRef(Vec<Slot>);

/// What the value of a field follows from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Follows {
    /// Family, qualifier, label, and the shape of the row.
    Column,
    /// Those and the rest of the row.
    Key,
    /// The single cell: its time or its value.
    Cell,
}

/// A part of a cell that need not be read where no field is asked for that stands in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    Qualifier,
    Value,
}

impl FieldRef {
    /// Whether it stands in a part, in any group and shape.
    pub fn needs(&self, part: Needs) -> bool {
        self.0.iter().any(|slot| match part {
            Needs::Qualifier => matches!(slot, Slot::Qualifier(_)),
            Needs::Value => matches!(slot, Slot::Property(_)),
        })
    }

    /// Whether it is the label.
    pub fn is_label(&self) -> bool {
        self.0.contains(&Slot::Visibility)
    }

    /// What it follows from, in the group and shape where that is most.
    pub fn follows(&self) -> Follows {
        let of_slot = |slot: &Slot| match slot {
            Slot::Timestamp | Slot::Property(_) => Follows::Cell,
            Slot::Row(_) | Slot::Lesser | Slot::Greater => Follows::Key,
            _ => Follows::Column,
        };
        self.0.iter().map(of_slot).max().unwrap_or(Follows::Column)
    }

    /// The slot for a place, as [`Plan::place_index`] numbers them.
    pub fn slot(&self, place: usize) -> Slot {
        self.0.get(place).copied().unwrap_or(Slot::Absent)
    }
}

/// What a field holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    pub codec: Codec,
    pub aggregate: Option<Aggregate>,
}

impl Held {
    /// The codec of its values as people see them; none for a collection.
    pub fn result(&self) -> Option<Codec> {
        match &self.aggregate {
            None => Some(self.codec.clone()),
            // A plan binds every aggregator to its codec when it is read.
            Some(aggregate) => Aggregator::new(aggregate.clone(), self.codec.clone())
                .ok()
                .and_then(|aggregator| aggregator.result()),
        }
    }
}

/// The fields of one group of a plan, or of all.
pub struct GroupFields<'a> {
    plan: &'a Plan,
    group: Option<&'a Group>,
}

impl<'a> GroupFields<'a> {
    pub fn new(plan: &'a Plan, group: Option<&'a Group>) -> Self {
        GroupFields { plan, group }
    }

    /// What the field of that name holds; refuses it where groups disagree.
    pub fn find(&self, name: &str) -> Result<Held> {
        let mut found = self
            .groups()
            .filter_map(|group| held(self.plan.model(), group, name));
        let Some(first) = found.next() else {
            return Err(self.unknown(name));
        };
        if found.all(|other| other == first) {
            return Ok(first);
        }
        Err(Error::InvalidOption(format!(
            "the groups of {} hold different kinds of value in '{name}'",
            self.what()
        )))
    }

    /// Where a field is, also where groups disagree on what it holds.
    pub fn locate(&self, name: &str) -> Result<FieldRef> {
        let model = self.plan.model();
        if !self
            .groups()
            .any(|group| held(model, group, name).is_some())
        {
            return Err(self.unknown(name));
        }
        let pairs = model
            .groups
            .iter()
            .flat_map(|group| model.rows.iter().map(move |shape| (group, shape)));
        let slots = pairs.map(|(group, shape)| slot(model, group, shape, name));
        Ok(FieldRef(slots.collect()))
    }

    fn groups(&self) -> impl Iterator<Item = &'a Group> {
        let all = self.plan.model().groups.iter();
        let only = self.group;
        all.filter(move |group| only.is_none_or(|one| one.name == group.name))
    }

    fn what(&self) -> String {
        self.group
            .map_or("the plan".into(), |group| format!("group '{}'", group.name))
    }

    fn unknown(&self, name: &str) -> Error {
        let mut known: Vec<&str> = BUILT_IN_FIELDS.into_iter().chain([GROUP]).collect();
        for group in self.groups() {
            known.extend(key_parts(self.plan.model(), group).map(|part| part.field.as_str()));
            known.extend(group.properties.iter().map(|one| one.field.as_str()));
        }
        known.sort_unstable();
        known.dedup();
        let near = did_you_mean(name, known.iter().copied());
        Error::InvalidOption(format!(
            "{} has no field '{name}'{near}; available: {}",
            self.what(),
            known.join(", ")
        ))
    }
}

impl Fields for GroupFields<'_> {
    type Field = FieldRef;

    fn key_of(&self, name: &str) -> Result<FieldRef> {
        if self.find(name)?.result().is_none() {
            return Err(Error::InvalidOption(format!(
                "field '{name}' holds a collection, which cannot be compared"
            )));
        }
        self.locate(name)
    }

    fn presence_of(&self, name: &str) -> Result<FieldRef> {
        self.find(name)?;
        self.locate(name)
    }

    fn holds(&self, name: &str) -> Result<Holds> {
        let held = self.find(name)?;
        let result = held.result();
        let is_map = held.aggregate.is_some_and(|one| one.kind.is_map());
        Ok(Holds {
            codec: held.codec,
            result,
            is_map,
        })
    }
}

fn key_parts<'a>(
    model: &'a Model,
    group: &'a Group,
) -> impl Iterator<Item = &'a super::model::FieldPart> {
    // All shapes of a group have the same fields.
    let shape = model.rows.iter().find(|shape| shape.serves(group));
    let row = shape
        .map(|shape| shape.parts.as_slice())
        .unwrap_or_default();
    let family = shape.map_or(model.family.as_slice(), |shape| model.family_of(shape));
    fields_in(row)
        .chain(fields_in(family))
        .chain(fields_in(&group.qualifier))
}

fn held(model: &Model, group: &Group, name: &str) -> Option<Held> {
    let plain = |codec| {
        Some(Held {
            codec,
            aggregate: None,
        })
    };
    match name {
        "kind" | "matched" | GROUP => return plain(Codec::Str),
        "directed" => return plain(Codec::Bool),
        "visibility" => return plain(Codec::Bytes),
        "timestamp" => return plain(Codec::Int64),
        _ => {}
    }
    if let Some(part) = key_parts(model, group).find(|part| part.field == name) {
        return plain(part.codec.clone());
    }
    let property = group.properties.iter().find(|one| one.field == name)?;
    Some(Held {
        codec: property.codec.clone(),
        aggregate: property.aggregate.clone(),
    })
}

fn slot(model: &Model, group: &Group, shape: &Shape, name: &str) -> Slot {
    if !shape.serves(group) {
        return Slot::Absent;
    }
    match name {
        "kind" => return Slot::Kind,
        "visibility" => return Slot::Visibility,
        "timestamp" => return Slot::Timestamp,
        GROUP => return Slot::Group,
        "directed" | "matched" if group.kind == Kind::Vertex => return Slot::Absent,
        "directed" => return Slot::Directed,
        "matched" => return Slot::Matched,
        _ => {}
    }
    let either = shape
        .direction
        .is_some_and(|one| one.matched == Matched::Either);
    if either && is_end(name) {
        return if name == SOURCE {
            Slot::Lesser
        } else {
            Slot::Greater
        };
    }
    let step = |parts: &[Part]| {
        parts
            .iter()
            .position(|part| matches!(part, Part::Field(field) if field.field == name))
    };
    if let Some(at) = step(&shape.parts) {
        return Slot::Row(at);
    }
    if let Some(at) = step(model.family_of(shape)) {
        return Slot::Family(at);
    }
    if let Some(at) = step(&group.qualifier) {
        return Slot::Qualifier(at);
    }
    let property = group.properties.iter().position(|one| one.field == name);
    property.map_or(Slot::Absent, Slot::Property)
}

/// The two ends of an edge, in the order of row, then qualifier.
pub fn end_slots(group: &Group, shape: &Shape) -> Option<(Slot, Slot)> {
    let ends = |parts: &[Part], make: fn(usize) -> Slot| -> Vec<Slot> {
        let is = |part: &Part| matches!(part, Part::Field(field) if is_end(&field.field));
        let found = parts.iter().enumerate().filter(|(_, part)| is(part));
        found.map(|(at, _)| make(at)).collect()
    };
    let mut all = ends(&shape.parts, Slot::Row);
    all.extend(ends(&group.qualifier, Slot::Qualifier));
    match all.as_slice() {
        [first, second] => Some((*first, *second)),
        _ => None,
    }
}
