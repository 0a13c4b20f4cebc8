//! A column of an answer: where each group has its values, and how they become entries.

use super::buffers::Buffers;
use super::builder::{Builder, Unheld};
use super::kind::Kind;
use crate::codec::composite::split_items;
use crate::codec::{integer, Codec, Value};
use crate::functions::{Kind as Function, Lookup};
use crate::plan::{Element, FieldRef, Held, Needs};
use crate::{Error, Result};

/// Where a group has the values of a column, and how they are got.
#[derive(Debug)]
struct Origin {
    field: FieldRef,
    form: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// The key form is the entry itself.
    Key,
    /// A label as text; none where it is empty.
    Label,
    /// The key form is that of an integer, nearly always a small one.
    Int,
    /// The time of the cell.
    Moment,
    /// A state that is a list of values in their order, with whether their bytes are the entries.
    Items(bool),
    Value,
}

#[derive(Debug)]
pub(super) struct Column {
    name: String,
    /// By number of group.
    origins: Vec<Option<Origin>>,
    builder: Builder,
}

impl Column {
    /// Of each group that has values: where, what they are, and whether they are times that are shown as moments.
    pub fn new(name: &str, kind: Kind, fields: Vec<Option<(FieldRef, Held, bool)>>) -> Column {
        let origin = |(field, held, is_moment): (FieldRef, Held, bool)| {
            let form = match is_moment {
                true => Form::Moment,
                false => form(&kind, &field, &held),
            };
            Origin { field, form }
        };
        Column {
            name: name.to_owned(),
            origins: fields.into_iter().map(|field| field.map(origin)).collect(),
            builder: Builder::new(kind),
        }
    }

    /// Whether some group has its values in qualifiers.
    pub fn is_of_qualifier(&self) -> bool {
        self.needs(Needs::Qualifier)
    }

    /// Whether some group has them in values.
    pub fn is_of_value(&self) -> bool {
        self.needs(Needs::Value)
    }

    fn needs(&self, part: Needs) -> bool {
        let mut origins = self.origins.iter().flatten();
        origins.any(|origin| origin.field.needs(part))
    }

    /// How much it holds.
    pub fn size_bytes(&self) -> usize {
        self.builder.size_bytes()
    }

    /// The entries so far; it goes on empty.
    pub fn take(&mut self) -> Buffers {
        self.builder.take()
    }

    /// Adds what an element has.
    pub fn push(&mut self, element: &Element<'_>, scratch: &mut Vec<u8>) -> Result<()> {
        let Some(Some(origin)) = self.origins.get(element.group()) else {
            self.builder.push_null();
            return Ok(());
        };
        let pushed = match origin.form {
            Form::Value => self.builder.push(element.value(&origin.field)?),
            Form::Moment => self.builder.push(Value::Datetime {
                micros: element.timestamp(),
                offset: 0,
            }),
            Form::Items(are_entries) => match element.state(&origin.field) {
                None => self.builder.push(Value::Null),
                Some((aggregator, state)) => {
                    push_items(&mut self.builder, are_entries, aggregator.codec(), state)
                }
            },
            form => {
                let key = Lookup::key(element, &origin.field, scratch)?;
                push_key(&mut self.builder, form, key)
            }
        };
        pushed.map_err(|unheld| self.refuse(unheld))
    }

    fn refuse(&self, unheld: Unheld) -> Error {
        let name = &self.name;
        match unheld {
            Unheld::Failed(error) => error,
            // Reading the elements one by one names the value and its element.
            Unheld::Large(value) => match (self.builder.kind(), value.integer()) {
                (Kind::Int(width), Some(number)) => Error::InvalidValue(format!(
                    "column '{name}' of type int{} cannot hold {number}",
                    8 * width
                )),
                _ => Error::InvalidValue(format!(
                    "column '{name}' cannot hold this {}",
                    value.kind()
                )),
            },
            Unheld::Other(value) => Error::Unsupported(format!(
                "column '{name}' does not hold values of type {}",
                value.kind()
            )),
        }
    }
}

fn form(kind: &Kind, field: &FieldRef, held: &Held) -> Form {
    let aggregate = held.aggregate.as_ref().map(|aggregate| aggregate.kind);
    match (kind, held.result()) {
        (Kind::Text | Kind::Any, _) if field.is_label() => Form::Label,
        (Kind::Text, Some(Codec::Str)) | (Kind::Binary, Some(Codec::Bytes)) => Form::Key,
        (Kind::Int(8), Some(Codec::Int)) => Form::Int,
        (Kind::List(item), None) => match aggregate {
            // The order of their states is that of the answer, which reading has checked.
            Some(Function::Set | Function::List | Function::TopN | Function::Reservoir) => {
                Form::Items(matches!(
                    (&**item, &held.codec),
                    (Kind::Text, Codec::Str) | (Kind::Binary, Codec::Bytes)
                ))
            }
            _ => Form::Value,
        },
        _ => Form::Value,
    }
}

fn push_key(
    builder: &mut Builder,
    form: Form,
    key: Option<&[u8]>,
) -> std::result::Result<(), Unheld> {
    match key {
        None => builder.push_null(),
        Some(key) if form == Form::Key => builder.push_bytes(key)?,
        Some(key) if form == Form::Int => match integer::read_small(key) {
            Some(number) => builder.push_fixed(&number.to_ne_bytes()),
            None => return builder.push(Codec::Int.decode_key(key)?),
        },
        Some(b"") => builder.push_null(),
        Some(label) => return builder.push(Value::Str(shown_label(label).into_owned())),
    }
    Ok(())
}

fn push_items(
    builder: &mut Builder,
    are_entries: bool,
    codec: &Codec,
    state: &[u8],
) -> std::result::Result<(), Unheld> {
    for item in split_items(state, "list")? {
        match are_entries {
            true => builder.push_item_bytes(item)?,
            false => builder.push_item(codec.decode_value(item)?)?,
        }
    }
    Ok(builder.end_list()?)
}

/// A label as text; bytes that are no UTF-8 as Python shows them.
fn shown_label(label: &[u8]) -> std::borrow::Cow<'_, str> {
    match std::str::from_utf8(label) {
        Ok(text) => text.into(),
        Err(_) => {
            let mut shown = String::new();
            for chunk in label.utf8_chunks() {
                shown.push_str(chunk.valid());
                for byte in chunk.invalid() {
                    shown.push_str(&format!("\\x{byte:02x}"));
                }
            }
            shown.into()
        }
    }
}
