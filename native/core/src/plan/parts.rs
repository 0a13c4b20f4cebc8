//! Keys cut into parts, compiled from a plan.
//!
//! Reading gives the place of every part and makes no value; it refuses exactly what the codecs
//! refuse. A part that does not fit costs no message, because shapes are tried one after another.

use super::model::{FieldPart, Form, Part};
use crate::codec::check::check_escaped;
use crate::codec::composite::markers;
use crate::codec::escape::{complement, unescape, unescape_into};
use crate::codec::{typebytes as types, Codec, Value};
use crate::{Error, Result};

/// Where a part stands in its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    start: usize,
    end: usize,
}

impl Span {
    pub fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    /// Where it starts.
    pub fn start(&self) -> usize {
        self.start
    }

    /// Cuts it out.
    #[inline]
    pub fn of<'a>(&self, data: &'a [u8]) -> &'a [u8] {
        data.get(self.start..self.end).unwrap_or_default()
    }
}

/// Why bytes are no key of some parts.
#[derive(Debug)]
pub enum Misfit {
    Const { at: usize },
    Left { count: usize },
    Codec(Error),
}

impl Misfit {
    /// Says it.
    pub fn describe(&self) -> String {
        match self {
            Misfit::Const { at } => format!("byte {at} is not the start of the const"),
            Misfit::Left { count } => format!("{count} bytes follow the last part"),
            Misfit::Codec(error) => error.to_string(),
        }
    }
}

impl From<Error> for Misfit {
    fn from(error: Error) -> Self {
        Misfit::Codec(error)
    }
}

/// A field inside a key, ready to be read.
#[derive(Debug)]
pub struct Field {
    plan: FieldPart,
    /// The codec with its order and nulls.
    bound: Codec,
}

#[derive(Debug)]
enum Step {
    Const(Vec<u8>),
    Field(Box<Field>),
}

/// The parts of a row, family or qualifier.
#[derive(Debug)]
pub struct Parts {
    steps: Vec<Step>,
}

impl Parts {
    pub fn compile(parts: &[Part]) -> Parts {
        let step = |part: &Part| match part {
            Part::Const(data) => Step::Const(data.clone()),
            Part::Field(field) => Step::Field(Box::new(Field {
                bound: Codec::part(field.codec.clone(), field.descending, field.nulls),
                plan: field.clone(),
            })),
        };
        Parts {
            steps: parts.iter().map(step).collect(),
        }
    }

    /// Cuts all of `data`; gives one span for each part, also for consts.
    pub fn read(
        &self,
        data: &[u8],
        spans: &mut Vec<Span>,
        scratch: &mut Vec<u8>,
    ) -> std::result::Result<(), Misfit> {
        spans.clear();
        let mut at = 0;
        for step in &self.steps {
            let rest = data.get(at..).unwrap_or_default();
            let length = match step {
                Step::Const(expected) if rest.starts_with(expected) => expected.len(),
                Step::Const(_) => return Err(Misfit::Const { at }),
                Step::Field(field) => field.measure(rest, scratch)?,
            };
            spans.push(Span::new(at, at + length));
            at += length;
        }
        match data.len().saturating_sub(at) {
            0 => Ok(()),
            count => Err(Misfit::Left { count }),
        }
    }

    /// The field at a step; none for a const.
    pub fn field(&self, step: usize) -> Option<&Field> {
        match self.steps.get(step) {
            Some(Step::Field(field)) => Some(field),
            _ => None,
        }
    }
}

impl Field {
    /// How it stands inside the key.
    pub fn form(&self) -> Form {
        self.plan.form
    }

    /// How many bytes the field takes up at the start of `rest`.
    fn measure(&self, rest: &[u8], scratch: &mut Vec<u8>) -> Result<usize> {
        match self.plan.form {
            Form::Escaped => {
                let length = rest.iter().position(|&byte| byte == 0);
                let escaped = rest.get(..length.unwrap_or(rest.len())).unwrap_or_default();
                self.check_escaped(escaped, scratch)?;
                Ok(escaped.len())
            }
            Form::Rest => {
                self.plan.codec.check_key(rest)?;
                Ok(rest.len())
            }
            Form::Part => measure_part(&self.bound, rest),
        }
    }

    fn check_escaped(&self, escaped: &[u8], scratch: &mut Vec<u8>) -> Result<()> {
        let codec = &self.plan.codec;
        if is_text(codec) {
            return check_escaped(codec, escaped);
        }
        codec.check_key(plain(escaped, scratch)?)
    }

    /// The key form of the value, out of the field's own bytes; none where it is null.
    pub fn key<'a>(&self, raw: &'a [u8], scratch: &'a mut Vec<u8>) -> Result<Option<&'a [u8]>> {
        let codec = &self.plan.codec;
        let key = match self.plan.form {
            Form::Rest => raw,
            Form::Escaped => plain(raw, scratch)?,
            Form::Part => match self.body(raw) {
                None => return Ok(None),
                Some(body) => self.key_of_part(body, scratch)?,
            },
        };
        Ok((!codec.is_null(key)).then_some(key))
    }

    /// The key form, empty for null: for comparing ends, which are null in no sound table.
    pub fn key_or_null<'a>(&self, raw: &'a [u8], scratch: &'a mut Vec<u8>) -> Result<&'a [u8]> {
        Ok(self.key(raw, scratch)?.unwrap_or_default())
    }

    /// Whether the field's own bytes are not those of null.
    pub fn is_present(&self, raw: &[u8]) -> bool {
        let body = match self.plan.form {
            Form::Part => self.body(raw),
            Form::Escaped | Form::Rest => Some(raw),
        };
        match (&self.plan.codec, body) {
            (_, None) | (Codec::Null, _) => false,
            (Codec::Any, Some(body)) => {
                let null = [if self.plan.descending {
                    !types::NULL
                } else {
                    types::NULL
                }];
                body != null
            }
            _ => true,
        }
    }

    /// What stands behind the marker of a nullable part; none for null.
    fn body<'a>(&self, raw: &'a [u8]) -> Option<&'a [u8]> {
        let Some(nulls) = self.plan.nulls else {
            return Some(raw);
        };
        let (marker, body) = raw.split_first()?;
        (*marker == markers(nulls).0).then_some(body)
    }

    fn key_of_part<'a>(&self, body: &'a [u8], scratch: &'a mut Vec<u8>) -> Result<&'a [u8]> {
        let text = is_text(&self.plan.codec);
        // Inside a key text ends with 00, which its key form lacks.
        let body = match body.split_last() {
            Some((_, before)) if text => before,
            _ => body,
        };
        if self.plan.descending {
            let mut turned = body.to_vec();
            complement(&mut turned);
            scratch.clear();
            if text {
                unescape_into(&turned, scratch)?;
            } else {
                scratch.append(&mut turned);
            }
            return Ok(scratch);
        }
        if text {
            return plain(body, scratch);
        }
        Ok(body)
    }

    /// The value, out of the field's own bytes.
    pub fn value(&self, raw: &[u8]) -> Result<Value> {
        match self.plan.form {
            Form::Rest => self.plan.codec.decode_key(raw),
            Form::Escaped => self.plan.codec.decode_key(&unescape(raw)?),
            Form::Part => Ok(self.bound.decode_part(raw, 0)?.0),
        }
    }
}

fn is_text(codec: &Codec) -> bool {
    matches!(codec, Codec::Str | Codec::Bytes)
}

/// Undoes escapes; bytes without any are given as they are.
fn plain<'a>(escaped: &'a [u8], scratch: &'a mut Vec<u8>) -> Result<&'a [u8]> {
    if escaped.iter().all(|&byte| byte > 1) {
        return Ok(escaped);
    }
    scratch.clear();
    unescape_into(escaped, scratch)?;
    Ok(scratch)
}

fn measure_part(codec: &Codec, rest: &[u8]) -> Result<usize> {
    match codec {
        Codec::Str | Codec::Bytes => {
            let Some(length) = rest.iter().position(|&byte| byte == 0) else {
                let name = codec.name();
                let message = format!("codec '{name}': no byte 00 ends the part");
                return Err(Error::InvalidBytes(message));
            };
            check_escaped(codec, rest.get(..length).unwrap_or_default())?;
            Ok(length + 1)
        }
        Codec::Nullable(inner, nulls) if is_text(inner) => match rest.split_first() {
            Some((marker, body)) if *marker == markers(*nulls).0 => {
                Ok(1 + measure_part(inner, body)?)
            }
            _ => codec.decode_part(rest, 0).map(|(_, end)| end),
        },
        _ => codec.decode_part(rest, 0).map(|(_, end)| end),
    }
}
