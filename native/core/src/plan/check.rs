//! What the pieces of a key plan must have in common.
//!
//! After these checks every cell that fits a plan gives one element: the reader relies on it.

use std::collections::{BTreeMap, BTreeSet};

use super::model::{
    fields_in, is_end, is_identity, FieldPart, Form, Group, Kind, Matched, Model, Part, Shape,
    BUILT_IN_FIELDS, DESTINATION, GROUP, SOURCE, VERTEX,
};
use crate::codec::Codec;
use crate::json::Node;
use crate::Result;

/// Refuses a plan that contradicts itself; `node` is its JSON, for the path in the error.
pub fn check_model(model: &Model, node: &Node<'_>) -> Result<()> {
    let (rows, family, groups) = (
        node.member("rows")?,
        node.member("family")?,
        node.member("groups")?,
    );
    if model.rows.is_empty() {
        return Err(rows.fail("a plan has at least one shape"));
    }
    if model.groups.is_empty() {
        return Err(groups.fail("a plan has at least one group"));
    }
    check_parts(&model.family, &family)?;
    let shapes = rows.items()?;
    for (shape, item) in model.rows.iter().zip(&shapes) {
        check_parts(&shape.parts, &item.member("parts")?)?;
        if let Some(own) = &shape.family {
            check_parts(own, &item.member("family")?)?;
        }
    }
    check_family(model, &family, &shapes)?;
    for (group, (_, item)) in model.groups.iter().zip(groups.members()?) {
        check_parts(&group.qualifier, &item.member("qualifier")?)?;
        check_group(model, group, &item, &shapes)?;
    }
    Ok(())
}

fn check_parts(parts: &[Part], node: &Node<'_>) -> Result<()> {
    for (at, (part, item)) in parts.iter().zip(node.items()?).enumerate() {
        let Part::Field(part) = part else { continue };
        let name = part.field.as_str();
        if BUILT_IN_FIELDS.contains(&name) {
            let message =
                format!("'{name}' is a field of every element and cannot be a part of the key");
            return Err(item.fail(message));
        }
        if (is_identity(name) || name == GROUP) && part.nulls.is_some() {
            let message = format!("'{name}' identifies the element and cannot be null");
            return Err(item.fail(message));
        }
        let following = parts.get(at + 1);
        if part.form == Form::Rest && following.is_some() {
            return Err(item.fail("a field of the form 'rest' takes all bytes and must come last"));
        }
        let terminated = match following {
            None => true,
            Some(Part::Const(data)) => data.first() == Some(&0),
            Some(Part::Field(_)) => false,
        };
        if part.form == Form::Escaped && !terminated {
            return Err(item.fail(
                "after a field of the form 'escaped' comes the end, or a const that starts 00",
            ));
        }
    }
    Ok(())
}

fn check_family(model: &Model, family: &Node<'_>, shapes: &[Node<'_>]) -> Result<()> {
    let grouping = |family: &[Part]| fields_in(family).any(|part| part.field == GROUP);
    let mut grouped = fields_in(&model.family).filter(|part| part.field == GROUP);
    if grouped.any(|part| part.codec != Codec::Str) {
        return Err(family.fail("the field 'group' has the codec 'str'"));
    }
    for (shape, item) in model.rows.iter().zip(shapes) {
        if shape.family.as_ref().is_some_and(|own| grouping(own)) {
            let message = "a shape with its own family must name the group itself";
            return Err(item.fail(message));
        }
        match (grouping(model.family_of(shape)), shape.group.is_some()) {
            (true, true) => {
                return Err(item.fail("the family gives the group; the shape must not give it too"))
            }
            (false, false) => {
                return Err(item.fail("neither the family nor this shape names the group"))
            }
            _ => {}
        }
    }
    Ok(())
}

fn check_group(model: &Model, group: &Group, node: &Node<'_>, shapes: &[Node<'_>]) -> Result<()> {
    let mut first: Option<BTreeMap<&str, &Codec>> = None;
    for (shape, place) in model.rows.iter().zip(shapes) {
        if !shape.serves(group) || group.name.is_empty() {
            continue;
        }
        check_fields(model, group, shape, node)?;
        if shape.kind() == Kind::Edge {
            check_ends(group, shape, place)?;
        }
        let fields: BTreeMap<&str, &Codec> = fields_in(&shape.parts)
            .chain(fields_in(model.family_of(shape)))
            .map(|part| (part.field.as_str(), &part.codec))
            .collect();
        let known = first.get_or_insert_with(|| fields.clone());
        if !known.keys().eq(fields.keys()) {
            let name = &group.name;
            let message = format!("its fields differ from those of the other shapes of '{name}'");
            return Err(place.fail(message));
        }
        if let Some(name) = fields
            .keys()
            .find(|name| known.get(*name) != fields.get(*name))
        {
            return Err(node.fail(format!(
                "'{name}' has two codecs in the shapes of one group"
            )));
        }
    }
    if first.is_none() {
        let (kind, name) = (group.kind.name(), &group.name);
        return Err(node.fail(format!("no shape in the rows is for {kind} group '{name}'")));
    }
    Ok(())
}

fn check_fields(model: &Model, group: &Group, shape: &Shape, node: &Node<'_>) -> Result<()> {
    let own = || fields_in(&shape.parts).chain(fields_in(&group.qualifier));
    let family = model.family_of(shape);
    let in_key = || own().chain(fields_in(family));
    let mut seen = BTreeSet::new();
    let in_value = group.properties.iter().map(|one| one.field.as_str());
    for name in in_key().map(|part| part.field.as_str()).chain(in_value) {
        if !seen.insert(name) {
            return Err(node.fail(format!("the field '{name}' comes twice in one cell")));
        }
    }
    for one in &group.properties {
        let name = one.field.as_str();
        if BUILT_IN_FIELDS.contains(&name) || is_identity(name) || name == GROUP {
            let message = format!("'{name}' is not a property and cannot be in the value");
            return Err(node.fail(message));
        }
    }
    if own().any(|part| part.field == GROUP) {
        return Err(node.fail("the field 'group' can only be in the family"));
    }
    let wanted: BTreeSet<&str> = match group.kind {
        Kind::Vertex => BTreeSet::from([VERTEX]),
        Kind::Edge => BTreeSet::from([SOURCE, DESTINATION]),
    };
    let identity: BTreeSet<&str> = own()
        .map(|part| part.field.as_str())
        .filter(|name| is_identity(name))
        .collect();
    if identity != wanted || fields_in(family).any(|part| is_identity(&part.field)) {
        let wanted: Vec<&str> = wanted.into_iter().collect();
        return Err(node.fail(format!(
            "a group of kind '{}' has {} in row or qualifier, and nothing else of the kind",
            group.kind.name(),
            wanted.join(" and ")
        )));
    }
    Ok(())
}

fn check_ends(group: &Group, shape: &Shape, node: &Node<'_>) -> Result<()> {
    let (Some(direction), Some((first, second))) = (shape.direction, ends_of(shape, group)) else {
        return Err(node.fail("an edge has two ends"));
    };
    if direction.compares() && first.codec != second.codec {
        return Err(node.fail(
            "ends that are compared with each other ('either', 'ordered') must have the same codec",
        ));
    }
    let fits = match direction.matched {
        Matched::Either if direction.directed => {
            return Err(node
                .fail("a directed edge starts with its source or its destination, never 'either'"))
        }
        Matched::Either => true,
        Matched::Source => first.field == SOURCE,
        Matched::Destination => first.field == DESTINATION,
    };
    if fits {
        return Ok(());
    }
    let name = &first.field;
    Err(node.fail(format!(
        "the row starts with '{name}', but 'matched' names the other end"
    )))
}

/// The two ends of an edge in the order of row, then qualifier.
fn ends_of<'a>(shape: &'a Shape, group: &'a Group) -> Option<(&'a FieldPart, &'a FieldPart)> {
    let parts = fields_in(&shape.parts).chain(fields_in(&group.qualifier));
    let mut ends = parts.filter(|part| is_end(&part.field));
    ends.next().zip(ends.next())
}
