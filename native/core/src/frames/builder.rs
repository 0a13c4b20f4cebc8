//! A column while it is made: typed buffers, those of columns inside it, and which entries are there.

use num_bigint::{BigInt, BigUint, Sign};

use super::buffers::{Bits, Buffers};
use super::kind::Kind;
use crate::codec::{Codec, Value};
use crate::{Error, Result};

#[derive(Debug)]
pub(super) struct Builder {
    kind: Kind,
    present: Bits,
    offsets: Vec<i32>,
    data: Vec<u8>,
    flags: Bits,
    children: Vec<Builder>,
}

/// A value that a column cannot hold.
#[derive(Debug)]
pub(super) enum Unheld {
    /// It is of the kind, but too large, too long or in a zone.
    Large(Value),
    Other(Value),
    Failed(Error),
}

impl From<Error> for Unheld {
    fn from(error: Error) -> Self {
        Unheld::Failed(error)
    }
}

type Pushed = std::result::Result<(), Unheld>;

impl Builder {
    pub fn new(kind: Kind) -> Builder {
        Builder {
            children: kind.children().into_iter().map(Builder::new).collect(),
            offsets: vec![0],
            kind,
            present: Bits::default(),
            data: Vec::new(),
            flags: Bits::default(),
        }
    }

    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// How much it holds, the columns inside too.
    pub fn size_bytes(&self) -> usize {
        let inside: usize = self.children.iter().map(Builder::size_bytes).sum();
        let offsets = match self.kind.has_offsets() {
            true => 4 * self.offsets.len(),
            false => 0,
        };
        self.data.len() + offsets + inside
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
            children: self.children.iter_mut().map(Builder::take).collect(),
        }
    }

    pub fn push(&mut self, value: Value) -> Pushed {
        if matches!(value, Value::Null) {
            self.push_null();
            return Ok(());
        }
        match (&self.kind, value) {
            (Kind::Text, Value::Str(text)) => self.push_bytes(text.as_bytes())?,
            (Kind::Binary, Value::Bytes(bytes)) => self.push_bytes(&bytes)?,
            (Kind::Address, Value::Ip(address)) => {
                self.push_bytes(address.to_string().as_bytes())?;
            }
            (Kind::Flag, Value::Bool(flag)) => {
                self.flags.push(flag);
                self.present.push(true);
            }
            (Kind::Int(width), value) => return self.push_integer(*width, value),
            (Kind::Unsigned, value) => {
                let number = value.integer().map(|number| number.to_bigint());
                match number.and_then(|number| u64::try_from(number).ok()) {
                    Some(number) => self.push_fixed(&number.to_ne_bytes()),
                    None => return Err(unheld(value)),
                }
            }
            (Kind::Float, value) => match value.float() {
                Some(number) => self.push_fixed(&number.to_ne_bytes()),
                None => return Err(Unheld::Other(value)),
            },
            (Kind::Decimal { digits, scale }, value) => match unscaled(&value, *digits, *scale) {
                Some((negative, found)) => self.push_decimal(negative, &found),
                None => return Err(unheld(value)),
            },
            (Kind::Date, Value::Date(days)) => self.push_fixed(&days.to_ne_bytes()),
            (Kind::Micros, value) => match micros(&value) {
                Some(micros) => self.push_fixed(&micros.to_ne_bytes()),
                None => return Err(Unheld::Large(value)),
            },
            (Kind::Uuid, Value::Uuid(bytes)) => self.push_fixed(&bytes),
            (
                Kind::Point,
                Value::Geo {
                    latitude,
                    longitude,
                },
            ) => {
                for (child, degrees) in self.children.iter_mut().zip([latitude, longitude]) {
                    child.push_fixed(&degrees.to_ne_bytes());
                }
                self.present.push(true);
            }
            (Kind::Any, value) => {
                Codec::Any.encode_value(&value, &mut self.data)?;
                self.end_bytes()?;
            }
            (Kind::List(_) | Kind::Map(..), Value::Tuple(items) | Value::List(items)) => {
                for item in items {
                    self.push_item(item)?;
                }
                self.end_list()?;
            }
            (Kind::Entry(..), Value::Tuple(pair)) => {
                for (child, value) in self.children.iter_mut().zip(pair) {
                    child.push(value)?;
                }
                self.present.push(true);
            }
            (_, value) => return Err(Unheld::Other(value)),
        }
        Ok(())
    }

    /// Adds an item to the list that is not ended yet.
    pub fn push_item(&mut self, item: Value) -> Pushed {
        match self.children.first_mut() {
            Some(child) => child.push(item),
            None => Ok(()),
        }
    }

    /// Adds an item whose bytes are the entry.
    pub fn push_item_bytes(&mut self, item: &[u8]) -> Result<()> {
        match self.children.first_mut() {
            Some(child) => child.push_bytes(item),
            None => Ok(()),
        }
    }

    /// Ends a list.
    pub fn end_list(&mut self) -> Result<()> {
        let held = self.children.first().map_or(0, |one| one.present.len);
        self.push_offset(held)?;
        self.present.push(true);
        Ok(())
    }

    pub fn push_fixed(&mut self, bytes: &[u8]) {
        self.data.extend_from_slice(bytes);
        self.present.push(true);
    }

    pub fn push_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.data.extend_from_slice(bytes);
        self.end_bytes()
    }

    pub fn push_null(&mut self) {
        self.present.push(false);
        if self.kind.has_offsets() {
            let last = self.offsets.last().copied().unwrap_or_default();
            self.offsets.push(last);
        } else if self.kind == Kind::Flag {
            self.flags.push(false);
        } else {
            let zeros = self.data.len() + self.kind.width();
            self.data.resize(zeros, 0);
            self.children.iter_mut().for_each(Builder::push_null);
        }
    }

    fn push_integer(&mut self, width: usize, value: Value) -> Pushed {
        let Some(number) = value.small_integer() else {
            return Err(unheld(value));
        };
        match width {
            8 => self.push_fixed(&number.to_ne_bytes()),
            4 if i32::try_from(number).is_ok() => self.push_fixed(&(number as i32).to_ne_bytes()),
            2 if i16::try_from(number).is_ok() => self.push_fixed(&(number as i16).to_ne_bytes()),
            1 if i8::try_from(number).is_ok() => self.push_fixed(&(number as i8).to_ne_bytes()),
            _ => return Err(Unheld::Large(value)),
        }
        Ok(())
    }

    fn push_decimal(&mut self, negative: bool, digits: &[u8]) {
        let magnitude = BigUint::from_radix_be(digits, 10).unwrap_or_default();
        let sign = if negative { Sign::Minus } else { Sign::Plus };
        let mut bytes = BigInt::from_biguint(sign, magnitude).to_signed_bytes_le();
        let filling = match bytes.last() {
            Some(last) if *last >= 0x80 => 0xff,
            _ => 0,
        };
        bytes.resize(self.kind.width(), filling);
        self.push_fixed(&bytes);
    }

    fn end_bytes(&mut self) -> Result<()> {
        self.push_offset(self.data.len())?;
        self.present.push(true);
        Ok(())
    }

    fn push_offset(&mut self, end: usize) -> Result<()> {
        let end = i32::try_from(end).map_err(|_| {
            Error::Unsupported("a column of one batch has at most 2 GB; ask for fewer rows".into())
        })?;
        self.offsets.push(end);
        Ok(())
    }
}

/// Numbers are refused for their size, everything else for what it is.
fn unheld(value: Value) -> Unheld {
    match value {
        Value::Decimal(_) => Unheld::Large(value),
        value if value.integer().is_some() => Unheld::Large(value),
        value => Unheld::Other(value),
    }
}

fn unscaled(value: &Value, digits: usize, scale: usize) -> Option<(bool, Vec<u8>)> {
    if let Value::Decimal(number) = value {
        return number.at_scale(digits, scale);
    }
    let (sign, mut found) = value.integer()?.to_bigint().to_radix_be(10);
    if found != [0] {
        found.resize(found.len() + scale, 0);
    }
    (found.len() <= digits).then_some((sign == Sign::Minus, found))
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
