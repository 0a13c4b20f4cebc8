//! A column of an answer: where each group has its values, and how they become entries.

use super::buffers::Buffers;
use super::builder::{Builder, Unheld};
use super::kind::Kind;
use crate::codec::composite::split_items;
use crate::codec::{integer, Codec, Value};
use crate::functions::{Aggregator, Kind as Function, Lookup};
use crate::plan::{Element, Field, FieldRef, Held, Needs};
use crate::{Error, Result};

/// Where a group has the values of a column, and how they are got.
#[derive(Debug, Clone)]
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
pub(super) struct FrameColumn {
    name: String,
    /// By number of group.
    origins: Vec<Option<Origin>>,
    builder: Builder,
}

impl FrameColumn {
    /// Of each group that has values: where, what they are, and whether they are times that are shown as moments.
    pub fn new(name: &str, kind: Kind, fields: Vec<Option<(FieldRef, Held, bool)>>) -> FrameColumn {
        let origin = |(field, held, is_moment): (FieldRef, Held, bool)| {
            let form = match is_moment && kind != Kind::Key {
                true => Form::Moment,
                false => form(&kind, &field, &held),
            };
            Origin { field, form }
        };
        FrameColumn {
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

    /// An empty column like this one.
    pub fn like(&self) -> FrameColumn {
        FrameColumn {
            name: self.name.clone(),
            origins: self.origins.clone(),
            builder: Builder::new(self.builder.kind().clone()),
        }
    }

    /// Where a group has its values.
    pub fn field(&self, group: usize) -> Option<&FieldRef> {
        let origin = self.origins.get(group)?.as_ref()?;
        Some(&origin.field)
    }

    /// Whether entries are more than bytes of their own.
    pub fn has_columns_inside(&self) -> bool {
        !self.builder.kind().children().is_empty()
    }

    /// Whether the states of a group's sums are the entries.
    pub fn takes_numbers(&self, group: usize) -> bool {
        let origin = self.origins.get(group);
        matches!(origin, Some(Some(origin)) if origin.form == Form::Int)
    }

    /// Adds nothing.
    pub fn push_null(&mut self) {
        self.builder.push_null();
    }

    /// Adds a number, where it takes these.
    #[inline(always)]
    pub fn push_number(&mut self, number: i64) {
        self.builder.push_fixed(&number.to_ne_bytes());
    }

    /// Adds entries of a column like this one, which has none inside.
    pub fn push_entries(
        &mut self,
        other: &FrameColumn,
        places: impl ExactSizeIterator<Item = usize> + Clone,
    ) -> Result<()> {
        self.builder.push_entries(&other.builder, places)
    }

    /// Whether the bytes of text are the entries of a group.
    pub fn takes_text(&self, group: usize) -> bool {
        let origin = self.origins.get(group);
        matches!(origin, Some(Some(origin)) if origin.form == Form::Key)
    }

    /// Adds text, where it takes that.
    #[inline(always)]
    pub fn push_text(&mut self, text: &[u8]) -> Result<()> {
        self.builder.push_bytes(text)
    }

    /// Adds what a field of a row has, by its own bytes.
    #[inline]
    pub fn push_part(
        &mut self,
        group: usize,
        part: &Field,
        raw: &[u8],
        scratch: &mut Vec<u8>,
    ) -> Result<()> {
        let Some(Some(origin)) = self.origins.get(group) else {
            self.builder.push_null();
            return Ok(());
        };
        let pushed = match origin.form {
            Form::Key | Form::Int => {
                push_key(&mut self.builder, origin.form, part.key(raw, scratch)?)
            }
            _ => self.builder.push(part.value(raw)?),
        };
        pushed.map_err(|unheld| self.refuse(unheld))
    }

    /// Adds what a state of a property says.
    pub fn push_state(
        &mut self,
        group: usize,
        aggregator: &Aggregator,
        state: &[u8],
        scratch: &mut Vec<u8>,
    ) -> Result<()> {
        let Some(Some(origin)) = self.origins.get(group) else {
            self.builder.push_null();
            return Ok(());
        };
        aggregator.check(state)?;
        let pushed = match origin.form {
            Form::Items(are_entries) => {
                push_items(&mut self.builder, are_entries, aggregator.codec(), state)
            }
            Form::Key | Form::Int => {
                let key = aggregator.key(state, scratch)?;
                push_key(&mut self.builder, origin.form, key)
            }
            _ => self.builder.push(aggregator.finish_bytes(state)?),
        };
        pushed.map_err(|unheld| self.refuse(unheld))
    }

    /// Adds the time of a cell.
    pub fn push_time(&mut self, group: usize, micros: i64) -> Result<()> {
        let pushed = match self.origins.get(group) {
            Some(Some(origin)) if origin.form == Form::Moment => {
                let offset = 0;
                self.builder.push(Value::Datetime { micros, offset })
            }
            Some(Some(_)) => self.builder.push(Value::int(micros)),
            _ => {
                self.builder.push_null();
                Ok(())
            }
        };
        pushed.map_err(|unheld| self.refuse(unheld))
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
        (Kind::Key, _) => Form::Key,
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
