//! A column while it is made: typed buffers and which entries are there.

use crate::codec::{integer, Codec, Value};
use crate::functions::Lookup;
use crate::plan::{Element, FieldRef, Held, Needs};
use crate::{Error, Result};

/// What a column holds, as Arrow calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Binary,
    Flag,
    /// Whole numbers of so many bytes.
    Int(usize),
    Float,
    /// Days, 32 bits.
    Date,
    /// Microseconds of various kinds.
    Micros,
}

impl Kind {
    pub fn named(word: &str) -> Option<Kind> {
        Some(match word {
            "text" => Kind::Text,
            "binary" => Kind::Binary,
            "flag" => Kind::Flag,
            "int8" => Kind::Int(1),
            "int16" => Kind::Int(2),
            "int32" => Kind::Int(4),
            "int64" => Kind::Int(8),
            "float" => Kind::Float,
            "date" => Kind::Date,
            "micros" => Kind::Micros,
            _ => return None,
        })
    }

    fn has_offsets(self) -> bool {
        matches!(self, Kind::Text | Kind::Binary)
    }
}

/// Bits, eight to a byte, the lowest first.
#[derive(Debug, Default, Clone)]
pub struct Bits {
    pub bytes: Vec<u8>,
    pub len: usize,
    /// How many are not set.
    pub zeros: usize,
}

impl Bits {
    #[inline]
    fn push(&mut self, bit: bool) {
        if self.len % 8 == 0 {
            self.bytes.push(0);
        }
        if let Some(last) = self.bytes.last_mut() {
            *last |= u8::from(bit) << (self.len % 8);
        }
        self.len += 1;
        self.zeros += usize::from(!bit);
    }
}

/// A finished column: which entries are there, offsets of those that have any length, and the entries.
#[derive(Debug, Default)]
pub struct Buffers {
    pub present: Bits,
    pub offsets: Option<Vec<i32>>,
    pub data: Vec<u8>,
}

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
    Value,
}

#[derive(Debug)]
pub(super) struct Column {
    name: String,
    kind: Kind,
    /// By number of group.
    origins: Vec<Option<Origin>>,
    present: Bits,
    offsets: Vec<i32>,
    data: Vec<u8>,
    flags: Bits,
}

impl Column {
    pub fn new(name: &str, kind: Kind, fields: Vec<Option<(FieldRef, Held)>>) -> Column {
        let origin = |(field, held): (FieldRef, Held)| {
            let form = match (kind, held.result()) {
                (Kind::Text, _) if field.is_label() => Form::Label,
                (Kind::Text, Some(Codec::Str)) | (Kind::Binary, Some(Codec::Bytes)) => Form::Key,
                (Kind::Int(8), Some(Codec::Int)) => Form::Int,
                _ => Form::Value,
            };
            Origin { field, form }
        };
        let origins = fields.into_iter().map(|field| field.map(origin)).collect();
        Column {
            name: name.to_owned(),
            kind,
            origins,
            present: Bits::default(),
            offsets: vec![0],
            data: Vec::new(),
            flags: Bits::default(),
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
        self.data.len()
    }

    /// The entries so far; it goes on empty.
    pub fn take(&mut self) -> Buffers {
        let flags = std::mem::take(&mut self.flags);
        let offsets = std::mem::replace(&mut self.offsets, vec![0]);
        Buffers {
            present: std::mem::take(&mut self.present),
            offsets: self.kind.has_offsets().then_some(offsets),
            data: match self.kind {
                Kind::Flag => flags.bytes,
                _ => std::mem::take(&mut self.data),
            },
        }
    }

    /// Adds what an element has.
    pub fn push(&mut self, element: &Element<'_>, scratch: &mut Vec<u8>) -> Result<()> {
        let Some(Some(origin)) = self.origins.get(element.group()) else {
            self.push_null();
            return Ok(());
        };
        if origin.form == Form::Value {
            return self.push_value(element.value(&origin.field)?);
        }
        match Lookup::key(element, &origin.field, scratch)? {
            None => self.push_null(),
            Some(key) if origin.form == Form::Key => self.push_bytes(key)?,
            Some(key) if origin.form == Form::Int => match integer::read_small(key) {
                Some(number) => self.push_fixed(&number.to_ne_bytes()),
                None => self.push_value(Codec::Int.decode_key(key)?)?,
            },
            Some(b"") => self.push_null(),
            Some(label) => self.push_bytes(shown_label(label).as_bytes())?,
        }
        Ok(())
    }

    fn push_value(&mut self, value: Value) -> Result<()> {
        match (self.kind, value) {
            (_, Value::Null) => self.push_null(),
            (Kind::Text, Value::Str(text)) => self.push_bytes(text.as_bytes())?,
            (Kind::Binary, Value::Bytes(bytes)) => self.push_bytes(&bytes)?,
            (Kind::Flag, Value::Bool(flag)) => {
                self.flags.push(flag);
                self.present.push(true);
            }
            (Kind::Int(width), value) => match (value.small_integer(), width) {
                (Some(number), 8) => self.push_fixed(&number.to_ne_bytes()),
                (Some(number), 4) if i32::try_from(number).is_ok() => {
                    self.push_fixed(&(number as i32).to_ne_bytes());
                }
                (Some(number), 2) if i16::try_from(number).is_ok() => {
                    self.push_fixed(&(number as i16).to_ne_bytes());
                }
                (Some(number), 1) if i8::try_from(number).is_ok() => {
                    self.push_fixed(&(number as i8).to_ne_bytes());
                }
                _ => return Err(self.too_large(&value)),
            },
            (Kind::Float, value) if value.float().is_some() => {
                self.push_fixed(&value.float().unwrap_or_default().to_ne_bytes());
            }
            (Kind::Date, Value::Date(days)) => self.push_fixed(&days.to_ne_bytes()),
            (Kind::Micros, value) => match micros(&value) {
                Some(micros) => self.push_fixed(&micros.to_ne_bytes()),
                None => return Err(self.too_large(&value)),
            },
            (_, value) => {
                return Err(Error::Unsupported(format!(
                    "column '{}' holds no {}",
                    self.name,
                    value.kind()
                )))
            }
        }
        Ok(())
    }

    fn too_large(&self, value: &Value) -> Error {
        let name = &self.name;
        match (self.kind, value.integer()) {
            (Kind::Int(width), Some(number)) => Error::InvalidValue(format!(
                "column '{name}' of type int{} cannot hold {number}",
                8 * width
            )),
            _ => Error::Unsupported(format!("column '{name}' cannot hold this {}", value.kind())),
        }
    }

    fn push_fixed(&mut self, bytes: &[u8]) {
        self.data.extend_from_slice(bytes);
        self.present.push(true);
    }

    fn push_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        push_bytes(&mut self.offsets, &mut self.data, bytes)?;
        self.present.push(true);
        Ok(())
    }

    fn push_null(&mut self) {
        self.present.push(false);
        match self.kind {
            Kind::Text | Kind::Binary => {
                let last = self.offsets.last().copied().unwrap_or_default();
                self.offsets.push(last);
            }
            Kind::Flag => self.flags.push(false),
            Kind::Int(width) => self.data.extend_from_slice(&[0; 8][..width.min(8)]),
            Kind::Date => self.data.extend_from_slice(&[0; 4]),
            Kind::Float | Kind::Micros => self.data.extend_from_slice(&[0; 8]),
        }
    }
}

fn push_bytes(offsets: &mut Vec<i32>, data: &mut Vec<u8>, bytes: &[u8]) -> Result<()> {
    data.extend_from_slice(bytes);
    let end = i32::try_from(data.len());
    offsets.push(end.map_err(|_| {
        Error::Unsupported("a column of one batch has at most 2 GB; ask for fewer rows".into())
    })?);
    Ok(())
}

/// A moment, a time of day or a span in microseconds.
fn micros(value: &Value) -> Option<i64> {
    match value {
        Value::Datetime { micros, .. } | Value::NaiveDatetime(micros) => Some(*micros),
        // Arrow knows no time of day in a zone.
        Value::Time {
            micros,
            offset: None,
        } => Some(*micros),
        Value::Timedelta(span) => {
            let days = i64::from(span.days).checked_mul(86_400_000_000)?;
            days.checked_add(span.micros)
        }
        // The time of a cell.
        value => value.small_integer(),
    }
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
