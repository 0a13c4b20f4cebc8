//! Key plans read from JSON: what the grammar of `spec/scan.md` section 6 allows and no more.
//!
//! What pieces must have in common is checked in `check`.

use super::check::check_model;
use super::model::{
    Direction, FieldPart, Form, Group, Kind, Matched, Model, Once, Part, Property, Shape, ValueForm,
};
use crate::codec::{Codec, Nulls};
use crate::functions::{Aggregate, Aggregator, Kind as AggregatorKind};
use crate::json::Node;
use crate::Result;

const KINDS: [(&str, Kind); 2] = [("vertex", Kind::Vertex), ("edge", Kind::Edge)];
const MATCHED: [(&str, Matched); 3] = [
    ("source", Matched::Source),
    ("destination", Matched::Destination),
    ("either", Matched::Either),
];
const ONCE: [(&str, Once); 3] = [
    ("always", Once::Always),
    ("never", Once::Never),
    ("ordered", Once::Ordered),
];
const FORMS: [(&str, Form); 3] = [
    ("escaped", Form::Escaped),
    ("part", Form::Part),
    ("rest", Form::Rest),
];
const NULLS: [(&str, Nulls); 2] = [("first", Nulls::First), ("last", Nulls::Last)];
const VALUE_FORMS: [(&str, ValueForm); 3] = [
    ("none", ValueForm::None),
    ("single", ValueForm::Single),
    ("tagged", ValueForm::Tagged),
];

/// Reads and checks a plan; errors say where in it they lie.
pub fn parse_model(node: &Node<'_>) -> Result<Model> {
    node.expect(&["version", "rows", "family", "groups"], &[])?;
    node.member("version")?.integer(1, 1)?;
    let rows = node.member("rows")?.items()?;
    let groups = node.member("groups")?.members()?;
    let model = Model {
        rows: rows.iter().map(read_shape).collect::<Result<_>>()?,
        family: read_parts(&node.member("family")?)?,
        groups: groups
            .iter()
            .map(|(name, item)| read_group(name, item))
            .collect::<Result<_>>()?,
    };
    check_model(&model, node)?;
    Ok(model)
}

fn read_shape(node: &Node<'_>) -> Result<Shape> {
    node.expect(
        &["kind", "parts"],
        &["directed", "matched", "once", "group", "family"],
    )?;
    let direction = match node.member("kind")?.choice(&KINDS)? {
        Kind::Vertex => {
            node.expect(&["kind", "parts"], &["group", "family"])?;
            None
        }
        Kind::Edge => {
            node.expect(
                &["kind", "parts", "directed", "matched", "once"],
                &["group", "family"],
            )?;
            Some(Direction {
                directed: node.member("directed")?.flag()?,
                matched: node.member("matched")?.choice(&MATCHED)?,
                once: node.member("once")?.choice(&ONCE)?,
            })
        }
    };
    let group = node.optional("group")?;
    Ok(Shape {
        direction,
        parts: read_parts(&node.member("parts")?)?,
        group: group
            .map(|name| name.name().map(String::from))
            .transpose()?,
        family: node
            .optional("family")?
            .map(|family| read_parts(&family))
            .transpose()?,
    })
}

fn read_parts(node: &Node<'_>) -> Result<Vec<Part>> {
    node.items()?.iter().map(read_part).collect()
}

fn read_part(node: &Node<'_>) -> Result<Part> {
    if let Some(data) = node.optional("const")? {
        node.expect(&["const"], &[])?;
        let bytes = data.bytes()?;
        if bytes.is_empty() {
            return Err(data.fail("a const needs at least one byte"));
        }
        return Ok(Part::Const(bytes));
    }
    node.expect(&["field", "codec", "form"], &["descending", "nulls"])?;
    let form = node.member("form")?.choice(&FORMS)?;
    let (descending, nulls) = (node.optional("descending")?, node.optional("nulls")?);
    for given in [&descending, &nulls].into_iter().flatten() {
        if form != Form::Part {
            return Err(given.fail("only a field of the form 'part' can be given this"));
        }
    }
    Ok(Part::Field(FieldPart {
        field: node.member("field")?.name()?.into(),
        codec: read_codec(&node.member("codec")?)?,
        form,
        descending: descending.map_or(Ok(false), |flag| flag.flag())?,
        nulls: nulls.map(|place| place.choice(&NULLS)).transpose()?,
    }))
}

fn read_codec(node: &Node<'_>) -> Result<Codec> {
    let name = node.name()?;
    Codec::named(name).ok_or_else(|| node.unknown(format!("there is no codec '{name}'")))
}

fn read_group(name: &str, node: &Node<'_>) -> Result<Group> {
    node.expect(&["kind", "qualifier", "value"], &[])?;
    let value = node.member("value")?;
    value.expect(&["form"], &["property", "properties"])?;
    let form = value.member("form")?.choice(&VALUE_FORMS)?;
    Ok(Group {
        name: name.into(),
        kind: node.member("kind")?.choice(&KINDS)?,
        qualifier: read_parts(&node.member("qualifier")?)?,
        form,
        properties: read_properties(&value, form)?,
    })
}

fn read_properties(value: &Node<'_>, form: ValueForm) -> Result<Vec<Property>> {
    match form {
        ValueForm::None => {
            value.expect(&["form"], &[])?;
            Ok(Vec::new())
        }
        ValueForm::Single => {
            value.expect(&["form", "property"], &[])?;
            Ok(vec![read_property(&value.member("property")?)?])
        }
        ValueForm::Tagged => {
            value.expect(&["form", "properties"], &[])?;
            let mut properties: Vec<Property> = Vec::new();
            for item in value.member("properties")?.items()? {
                let found = read_property(&item)?;
                if let Some(last) = properties.last().filter(|last| found.id <= last.id) {
                    let message = format!("ids ascend: {} comes after {}", found.id, last.id);
                    return Err(item.fail(message));
                }
                properties.push(found);
            }
            Ok(properties)
        }
    }
}

fn read_property(node: &Node<'_>) -> Result<Property> {
    node.expect(&["id", "field", "codec"], &["aggregate"])?;
    let codec = read_codec(&node.member("codec")?)?;
    let aggregate = node.optional("aggregate")?;
    let id = node.member("id")?;
    Ok(Property {
        id: u32::try_from(id.integer(0, u32::MAX.into())?)
            .map_err(|_| id.fail("the id does not fit"))?,
        field: node.member("field")?.name()?.into(),
        aggregate: aggregate
            .map(|aggregate| read_aggregate(&aggregate, &codec))
            .transpose()?,
        codec,
    })
}

fn read_aggregate(node: &Node<'_>, codec: &Codec) -> Result<Aggregate> {
    let aggregate = Aggregate::parse(node)?;
    let named = node.member("name")?;
    if aggregate.kind == AggregatorKind::Count {
        return Err(named.fail("'count' has no field; it works only in the stage 'summarise'"));
    }
    Aggregator::new(aggregate.clone(), codec.clone())
        .map_err(|error| named.fail(error.to_string()))?;
    Ok(aggregate)
}
