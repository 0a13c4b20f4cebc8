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
        // The next entries mostly need as much room.
        let mut offsets = Vec::with_capacity(self.offsets.len());
        offsets.push(0);
        let offsets = std::mem::replace(&mut self.offsets, offsets);
        let data = Vec::with_capacity(self.data.len());
        let data = std::mem::replace(&mut self.data, data);
        Buffers {
            present: std::mem::take(&mut self.present),
            offsets: self.kind.has_offsets().then_some(offsets),
            data: match self.kind {
                Kind::Flag => flags.into_bytes(),
                _ => data,
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

    #[inline]
    pub fn push_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.data.extend_from_slice(bytes);
        self.end_bytes()
    }

    /// Adds entries of another column of its kind, which has no columns inside.
    pub fn push_entries(
        &mut self,
        other: &Builder,
        places: impl ExactSizeIterator<Item = usize> + Clone,
    ) -> Result<()> {
        let count = places.len();
        if other.present.zeros == 0 && self.push_repeated(other, count)? {
            return Ok(());
        }
        if other.present.zeros > 0 || self.kind == Kind::Flag {
            for at in places {
                match other.present.get(at) {
                    false => self.push_null(),
                    true if self.kind == Kind::Flag => {
                        self.flags.push(other.flags.get(at));
                        self.present.push(true);
                    }
                    true => {
                        let entry = other.entry(at);
                        self.data.extend_from_slice(entry);
                        if self.kind.has_offsets() {
                            self.push_offset(self.data.len())?;
                        }
                        self.present.push(true);
                    }
                }
            }
            return Ok(());
        }
        self.present.push_many(true, count);
        if self.kind.has_offsets() {
            for at in places {
                self.data.extend_from_slice(other.entry(at));
                self.push_offset(self.data.len())?;
            }
            return Ok(());
        }
        // The loop is made once for what nearly all columns have.
        match self.kind.width() {
            8 => self.push_wide::<8>(other, places),
            4 => self.push_wide::<4>(other, places),
            _ => {
                for at in places {
                    self.data.extend_from_slice(other.entry(at));
                }
            }
        }
        Ok(())
    }

    fn push_wide<const WIDTH: usize>(
        &mut self,
        other: &Builder,
        places: impl ExactSizeIterator<Item = usize>,
    ) {
        self.data.reserve(places.len() * WIDTH);
        for at in places {
            let entry = other.data.get(at * WIDTH..);
            let entry = entry.and_then(|entry| entry.first_chunk::<WIDTH>());
            self.data.extend_from_slice(entry.unwrap_or(&[0; WIDTH]));
        }
    }

    /// Adds so many times the one entry that all of another column are; `false` where they differ.
    fn push_repeated(&mut self, other: &Builder, count: usize) -> Result<bool> {
        if self.kind == Kind::Flag {
            let flag = other.flags.get(0);
            let alike = if flag { 0 } else { other.flags.len };
            if other.flags.len == 0 || other.flags.zeros != alike {
                return Ok(false);
            }
            self.flags.push_many(flag, count);
            self.present.push_many(true, count);
            return Ok(true);
        }
        let entry = other.entry(0);
        let entries = other.present.len;
        if entries == 0 || (1..entries).any(|at| other.entry(at) != entry) {
            return Ok(false);
        }
        let start = self.data.len();
        if !entry.is_empty() {
            self.data.resize(start + count * entry.len(), 0);
            let (_, new) = self.data.split_at_mut(start);
            for place in new.chunks_exact_mut(entry.len()) {
                place.copy_from_slice(entry);
            }
        }
        if self.kind.has_offsets() {
            offset(self.data.len())?;
            let ends = (1..=count).map(|at| (start + at * entry.len()) as i32);
            self.offsets.extend(ends);
        }
        self.present.push_many(true, count);
        Ok(true)
    }

    /// The bytes of an entry.
    #[inline(always)]
    fn entry(&self, at: usize) -> &[u8] {
        let place = match self.kind.has_offsets() {
            false => at * self.kind.width()..(at + 1) * self.kind.width(),
            true => match self.offsets.get(at..) {
                Some([start, end, ..]) => *start as usize..*end as usize,
                _ => return &[],
            },
        };
        self.data.get(place).unwrap_or_default()
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

    #[inline]
    fn end_bytes(&mut self) -> Result<()> {
        self.push_offset(self.data.len())?;
        self.present.push(true);
        Ok(())
    }

    #[inline]
    fn push_offset(&mut self, end: usize) -> Result<()> {
        self.offsets.push(offset(end)?);
        Ok(())
    }
}

fn offset(end: usize) -> Result<i32> {
    i32::try_from(end).map_err(|_| {
        Error::Unsupported("a column of one batch has at most 2 GB; ask for fewer rows".into())
    })
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
