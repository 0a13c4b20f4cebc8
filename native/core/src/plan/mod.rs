//! Key plans: what the bytes of a table's cells mean, as data.
//!
//! A plan is read from JSON once, checked and compiled; after that nothing is looked up by name
//! for a cell, and no value is decoded before somebody asks for it. Stages know elements only
//! through it, so a user's own layout is pushed down as well as ours. `spec/scan.md` section 6 is
//! the contract.

mod check;
mod element;
mod field_first;
mod glance;
pub mod model;
mod parse;
mod parts;
mod plain;
mod reader;
mod remade;
mod rolled;
mod row_shapes;
mod slots;
mod values;

use std::collections::BTreeMap;

use serde_json::Value as Json;

pub use element::Element;
pub use field_first::FieldFirst;
pub(crate) use parts::Field;
pub use parts::Span;
pub(crate) use plain::is_plain;
pub use reader::{Place, Reader};
pub use remade::{read_aggregates, Aggregates, Remake};
pub use rolled::Kept;
pub(crate) use row_shapes::{RowCode, RowShapes};
pub use slots::{FieldRef, Follows, GroupFields, Held, Needs};
pub use values::{States, ValuePlan};

use crate::json::Node;
use crate::nearest::did_you_mean;
use crate::{Error, Result};
use model::{Direction, FieldPart, Group, Model, Once, Part, Shape, GROUP};
use parts::Parts;
use slots::Slot;

/// A checked and compiled plan; [`Reader`] reads cells by it.
#[derive(Debug)]
pub struct Plan {
    model: Model,
    shapes: Vec<Parts>,
    shape_groups: Vec<Option<usize>>,
    /// By number of shape; none where its family is the plan's.
    own_families: Vec<Option<Parts>>,
    /// Whether some shape has a family of its own, so that rows alone do not tell shapes.
    has_own_families: bool,
    family: Parts,
    group_step: Option<usize>,
    groups: Vec<GroupPlan>,
    names: BTreeMap<Vec<u8>, usize>,
    /// For each pair of group and shape the two ends; none where they do not go together.
    ends: Vec<Option<(Slot, Slot)>>,
    /// By number of shape: whether a row that fits it fits none before it, whatever its family.
    alone: Vec<bool>,
}

/// Where a field stands in cells of one place.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Where {
    Nowhere,
    /// At a part of the row.
    Row(usize),
    Property,
    Time,
    /// In the family, the qualifier or the label, or it follows from the shape.
    Column,
}

#[derive(Debug)]
struct GroupPlan {
    qualifier: Parts,
    value: ValuePlan,
}

impl Plan {
    /// Reads a plan from JSON; `path` names it in errors.
    pub fn parse(json: &Json, path: &str) -> Result<Plan> {
        Plan::compile(parse::parse_model(&Node::new(json, path))?)
    }

    /// What it says.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The plan of a roll-up by these group-by properties, and by these aggregators.
    pub fn rolled(&self, by: &[String], aggregates: &Aggregates) -> Result<Plan> {
        Plan::compile(rolled::roll_model(&self.model, by, aggregates)?)
    }

    /// The fields of one group, or of all.
    pub fn fields(&self, group: Option<&str>) -> Result<GroupFields<'_>> {
        let Some(name) = group else {
            return Ok(GroupFields::new(self, None));
        };
        let found = self.model.groups.iter().find(|group| group.name == name);
        let found = found.ok_or_else(|| {
            let known = self.model.groups.iter().map(|group| group.name.as_str());
            let near = did_you_mean(name, known);
            Error::GroupNotFound(format!("the plan has no group '{name}'{near}"))
        })?;
        Ok(GroupFields::new(self, Some(found)))
    }

    /// The number of a group.
    pub fn find_group(&self, name: &[u8]) -> Option<usize> {
        self.names.get(name).copied()
    }

    /// How a group's values are read and written.
    pub fn value(&self, group: usize) -> Option<&ValuePlan> {
        self.groups.get(group).map(|group| &group.value)
    }

    /// Whether some edges have an end in their qualifier.
    pub(crate) fn has_ends_in_qualifiers(&self) -> bool {
        let outside = |slot: &Slot| matches!(slot, Slot::Qualifier(_));
        let mut ends = self.ends.iter().flatten();
        ends.any(|(first, second)| outside(first) || outside(second))
    }

    /// Which property of a group a field is, in any of its shapes.
    pub(crate) fn property_of(&self, field: &FieldRef, group: usize) -> Option<usize> {
        let shapes = 0..self.shapes.len();
        let slot = |shape| field.slot(self.place_index(Place { group, shape }));
        shapes.into_iter().find_map(|shape| match slot(shape) {
            Slot::Property(at) => Some(at),
            _ => None,
        })
    }

    /// What a field is in rows of a place whose first end is not the greater one, or is.
    pub(crate) fn part_of(&self, field: &FieldRef, place: Place, ordered: bool) -> Where {
        let slot = field.slot(self.place_index(place));
        let (first, second) = self.ends(place).unwrap_or((Slot::Absent, Slot::Absent));
        let slot = match (slot, ordered) {
            (Slot::Lesser, true) | (Slot::Greater, false) => first,
            (Slot::Lesser, false) | (Slot::Greater, true) => second,
            _ => slot,
        };
        match slot {
            Slot::Absent => Where::Nowhere,
            Slot::Row(at) => Where::Row(at),
            Slot::Property(_) => Where::Property,
            Slot::Timestamp => Where::Time,
            _ => Where::Column,
        }
    }

    /// Whether a part is the last field of the rows of a shape.
    pub(crate) fn is_last_field(&self, shape: usize, at: usize) -> bool {
        let parts = self.model.rows.get(shape).map(|shape| &shape.parts);
        let is_field = |part: &Part| matches!(part, Part::Field(_));
        parts.and_then(|parts| parts.iter().rposition(is_field)) == Some(at)
    }

    /// A field of the rows of a shape.
    pub(crate) fn row_field(&self, shape: usize, at: usize) -> Option<&Field> {
        self.shapes.get(shape)?.field(at)
    }

    /// The greatest byte, less two, of text that stands in a part of a row as it is; nothing for other parts.
    pub(crate) fn plain_text(&self, shape: usize, at: usize) -> Option<u8> {
        match self.model.rows.get(shape)?.parts.get(at)? {
            Part::Field(field) => glance::greatest(field),
            Part::Const(_) => None,
        }
    }

    fn compile(model: Model) -> Result<Plan> {
        let compile_group = |group: &Group| {
            Ok(GroupPlan {
                qualifier: Parts::compile(&group.qualifier),
                value: ValuePlan::compile(group)?,
            })
        };
        let groups: Result<Vec<GroupPlan>> = model.groups.iter().map(compile_group).collect();
        let names: BTreeMap<Vec<u8>, usize> = model
            .groups
            .iter()
            .enumerate()
            .map(|(at, group)| (group.name.clone().into_bytes(), at))
            .collect();
        let of_shape = |name: &Option<String>| {
            let name = name.as_ref()?;
            names.get(name.as_bytes()).copied()
        };
        let pairs = model
            .groups
            .iter()
            .flat_map(|group| model.rows.iter().map(move |shape| (group, shape)));
        let is_group = |part: &Part| matches!(part, Part::Field(field) if field.field == GROUP);
        Ok(Plan {
            shapes: model
                .rows
                .iter()
                .map(|shape| Parts::compile(&shape.parts))
                .collect(),
            shape_groups: model
                .rows
                .iter()
                .map(|shape| of_shape(&shape.group))
                .collect(),
            own_families: model
                .rows
                .iter()
                .map(|shape| shape.family.as_deref().map(Parts::compile))
                .collect(),
            has_own_families: model.rows.iter().any(|shape| shape.family.is_some()),
            family: Parts::compile(&model.family),
            group_step: model.family.iter().position(is_group),
            ends: pairs
                .map(|(group, shape)| slots::end_slots(group, shape))
                .collect(),
            alone: (0..model.rows.len())
                .map(|at| is_alone(&model.rows, at))
                .collect(),
            groups: groups?,
            names,
            model,
        })
    }

    fn place_index(&self, place: Place) -> usize {
        place.group * self.shapes.len() + place.shape
    }

    fn ends(&self, place: Place) -> Option<(Slot, Slot)> {
        *self.ends.get(self.place_index(place))?
    }

    fn direction(&self, place: Place) -> Option<&Direction> {
        self.model.rows.get(place.shape)?.direction.as_ref()
    }

    /// Whether rows of a place never stand for their edge.
    pub(crate) fn is_second(&self, place: Place) -> bool {
        let once = self.direction(place).map(|one| one.once);
        once == Some(Once::Never)
    }

    fn serves(&self, place: Place) -> bool {
        let (group, shape) = (
            self.model.groups.get(place.group),
            self.model.rows.get(place.shape),
        );
        group
            .zip(shape)
            .is_some_and(|(group, shape)| shape.serves(group))
    }

    fn group_name(&self, place: Place) -> &str {
        let group = self.model.groups.get(place.group);
        group.map(|group| group.name.as_str()).unwrap_or_default()
    }

    fn shapes(&self) -> &[Parts] {
        &self.shapes
    }

    fn is_alone(&self, shape: usize) -> bool {
        self.alone.get(shape) == Some(&true)
    }

    /// The shapes with a family of their own: number, group, family and row. Those of groups that
    /// are not listed are left out.
    fn own_shapes(&self) -> impl Iterator<Item = (Place, &Parts, &Parts)> {
        let shapes = self.own_families.iter().zip(&self.shapes).enumerate();
        shapes.filter_map(|(shape, (family, row))| {
            let group = self.group_of_shape(shape)?;
            Some((Place { group, shape }, family.as_ref()?, row))
        })
    }

    /// The shapes whose family is the plan's.
    fn shared_shapes(&self) -> impl Iterator<Item = (usize, &Parts)> {
        let shapes = self.own_families.iter().zip(&self.shapes).enumerate();
        shapes.filter_map(|(shape, (family, row))| family.is_none().then_some((shape, row)))
    }

    fn group_of_shape(&self, shape: usize) -> Option<usize> {
        *self.shape_groups.get(shape)?
    }

    fn group_step(&self) -> Option<usize> {
        self.group_step
    }

    fn row_parts(&self, place: Place) -> Option<&Parts> {
        self.shapes.get(place.shape)
    }

    fn family_parts(&self, shape: usize) -> &Parts {
        let own = self.own_families.get(shape).and_then(Option::as_ref);
        own.unwrap_or(&self.family)
    }

    fn qualifier_parts(&self, group: usize) -> Option<&Parts> {
        self.groups.get(group).map(|group| &group.qualifier)
    }

    /// Says which part of a cell does not fit; other errors stay as they are.
    fn misfit(&self, what: &str, data: &[u8], row: &[u8], group: usize, error: Error) -> Error {
        let Error::InvalidBytes(why) = error else {
            return error;
        };
        let group = self
            .model
            .groups
            .get(group)
            .map(|group| group.name.as_str());
        let (group, data, row) = (group.unwrap_or_default(), shown(data), shown(row));
        let place = match what {
            "row" => String::new(),
            _ => format!(" in row '{row}'"),
        };
        Error::InvalidBytes(format!(
            "{what} '{data}'{place} does not fit group '{group}' of the plan: {why}"
        ))
    }
}

/// Whether every shape before one is cut as it is up to a const that differs.
fn is_alone(rows: &[Shape], at: usize) -> bool {
    let Some(shape) = rows.get(at).filter(|shape| shape.family.is_none()) else {
        return false;
    };
    let cut = |field: &FieldPart| {
        let FieldPart { form, nulls, .. } = field;
        (field.codec.clone(), *form, field.descending, *nulls)
    };
    let differs = |before: &Shape| {
        for pair in before.parts.iter().zip(&shape.parts) {
            match pair {
                (Part::Field(one), Part::Field(other)) if cut(one) == cut(other) => {}
                (Part::Const(one), Part::Const(other)) if one == other => {}
                (Part::Const(one), Part::Const(other)) => {
                    return one.iter().zip(other).any(|(a, b)| a != b);
                }
                _ => return false,
            }
        }
        false
    };
    rows.iter().take(at).all(differs)
}

/// The start of some bytes, for messages.
fn shown(data: &[u8]) -> String {
    let start = data.get(..40).unwrap_or(data);
    let more = if start.len() < data.len() { "..." } else { "" };
    format!("{}{more}", start.escape_ascii())
}
