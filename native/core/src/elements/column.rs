//! A column as Arrow has it: values of one type, some of them null.

use super::types::Type;
use crate::codec::{decimal, Codec, Decimal, Timedelta, Value};
use crate::{Error, Result};

const DAY_MICROS: i64 = 86_400_000_000;
/// The memory of a column: `offset` is the number of its first row in there.
#[derive(Debug, Clone, Copy, Default)]
pub struct Buffers<'a> {
    pub offset: usize,
    /// A bit for each row, 0 for null; without it no row is null.
    pub validity: Option<&'a [u8]>,
    /// Of text and lists: where each starts, in numbers of 32 bits, or of 64 if `wide`.
    pub offsets: &'a [u8],
    pub wide: bool,
    pub data: &'a [u8],
}

/// The entries of lists and maps, one behind the other.
#[derive(Debug, Clone)]
pub struct Items<'a> {
    pub rows: usize,
    /// The entries of lists, the keys of maps.
    pub values: Box<Column<'a>>,
    /// The numbers that belong to the keys of maps.
    pub numbers: Option<Box<Column<'a>>>,
}

/// The values of a column.
#[derive(Debug, Clone)]
pub struct Column<'a> {
    kind: Type,
    buffers: Buffers<'a>,
    /// Of lists and maps: their entries.
    items: Option<Items<'a>>,
    /// Whether each text has to be looked at, because they are not all known to be UTF-8.
    doubtful: bool,
}

impl<'a> Column<'a> {
    /// Checks that all rows are in the memory.
    pub fn new(kind: Type, rows: usize, buffers: Buffers<'a>) -> Result<Column<'a>> {
        Column::checked(kind, rows, buffers, None)
    }

    /// A column of lists or maps.
    pub fn lists(rows: usize, buffers: Buffers<'a>, items: Items<'a>) -> Result<Column<'a>> {
        Column::checked(Type::List, rows, buffers, Some(items))
    }

    fn checked(
        kind: Type,
        rows: usize,
        buffers: Buffers<'a>,
        items: Option<Items<'a>>,
    ) -> Result<Column<'a>> {
        let end = buffers.offset.saturating_add(rows);
        let bits = |bytes: &[u8]| bytes.len().saturating_mul(8);
        let mut fits = buffers
            .validity
            .is_none_or(|validity| bits(validity) >= end);
        fits &= match kind {
            Type::Str | Type::Bytes | Type::List => true,
            Type::Bool => bits(buffers.data) >= end,
            _ => buffers.data.len() / kind.width() >= end,
        };
        let mut column = Column {
            kind,
            buffers,
            items,
            doubtful: false,
        };
        if kind.has_offsets() && rows > 0 {
            fits &= column.check_offsets(rows);
            column.doubtful = kind == Type::Str && fits && !column.is_sound(rows);
        }
        if !fits {
            return Err(Error::InvalidValue(format!(
                "a column of {rows} rows does not lie in its memory"
            )));
        }
        Ok(column)
    }

    pub(super) fn kind(&self) -> Type {
        self.kind
    }

    #[inline]
    pub(super) fn is_null(&self, row: usize) -> bool {
        match self.buffers.validity {
            None => false,
            Some(validity) => !bit(validity, self.buffers.offset + row),
        }
    }

    /// A text or byte string.
    #[inline]
    pub(super) fn bytes(&self, row: usize) -> &'a [u8] {
        let at = self.buffers.offset + row;
        let span = self.start(at)..self.start(at + 1);
        self.buffers.data.get(span).unwrap_or_default()
    }

    /// A text or byte string; refuses text that is not UTF-8.
    #[inline]
    pub(super) fn text(&self, row: usize) -> Result<&'a [u8]> {
        let bytes = self.bytes(row);
        if self.doubtful && std::str::from_utf8(bytes).is_err() {
            return Err(Error::InvalidValue("the text is not UTF-8".into()));
        }
        Ok(bytes)
    }

    /// An integer, or days or microseconds.
    #[inline]
    pub(super) fn number(&self, row: usize) -> i64 {
        i64::from_ne_bytes(self.word(row))
    }

    #[inline]
    pub(super) fn flag(&self, row: usize) -> bool {
        bit(self.buffers.data, self.buffers.offset + row)
    }

    /// A list or a map: the entries of all, and which of them it has; none if the column holds neither.
    pub(super) fn list(&self, row: usize) -> Option<(&Items<'a>, std::ops::Range<usize>)> {
        let at = self.buffers.offset + row;
        Some((self.items.as_ref()?, self.start(at)..self.start(at + 1)))
    }

    /// Appends the stored form of a decimal.
    pub(super) fn write_decimal(&self, row: usize, out: &mut Vec<u8>) -> Result<()> {
        let Type::Decimal { bytes: 16, scale } = self.kind else {
            return Codec::Decimal.encode_value(&self.value(row, &Codec::Decimal)?, out);
        };
        let held = self.fixed(row, 16).first_chunk().copied();
        decimal::write_unscaled(i128::from_le_bytes(held.unwrap_or_default()), scale, out);
        Ok(())
    }

    /// The value of a row that is not null, as `codec` wants it.
    pub(super) fn value(&self, row: usize, codec: &Codec) -> Result<Value> {
        Ok(match self.kind {
            Type::List => return Err(Error::InvalidValue("a list is not one value".into())),
            Type::Decimal { bytes, scale } => {
                Value::Decimal(Decimal::from_unscaled(self.fixed(row, bytes), scale))
            }
            Type::Uuid => {
                let held = self.fixed(row, 16).first_chunk();
                Value::Uuid(held.copied().unwrap_or_default())
            }
            Type::Str => Value::Str(String::from_utf8_lossy(self.text(row)?).into_owned()),
            Type::Bytes => Value::Bytes(self.bytes(row).to_vec()),
            Type::Int if matches!(codec, Codec::Float | Codec::Float32) => {
                Value::Float(self.number(row) as f64)
            }
            Type::Int => Value::int(self.number(row)),
            Type::Float => Value::Float(f64::from_ne_bytes(self.word(row))),
            Type::Bool => Value::Bool(self.flag(row)),
            Type::Date => {
                let days = i32::try_from(self.number(row));
                Value::Date(days.map_err(|_| Error::InvalidValue("no such date".into()))?)
            }
            Type::Datetime => Value::Datetime {
                micros: self.number(row),
                offset: 0,
            },
            Type::NaiveDatetime => Value::NaiveDatetime(self.number(row)),
            Type::Time => Value::Time {
                micros: self.number(row),
                offset: None,
            },
            Type::Timedelta => Value::Timedelta(Timedelta {
                // 64 bits of microseconds are fewer days than 32 bits hold.
                days: self.number(row).div_euclid(DAY_MICROS) as i32,
                micros: self.number(row).rem_euclid(DAY_MICROS),
            }),
        })
    }

    /// The bytes of a value that has as many as all others.
    fn fixed(&self, row: usize, width: usize) -> &'a [u8] {
        let start = width * (self.buffers.offset + row);
        let held = self.buffers.data.get(start..start + width);
        held.unwrap_or_default()
    }

    #[inline]
    fn word(&self, row: usize) -> [u8; 8] {
        let start = 8 * (self.buffers.offset + row);
        let held = self.buffers.data.get(start..);
        held.and_then(|held| held.first_chunk())
            .copied()
            .unwrap_or_default()
    }

    #[inline]
    fn start(&self, at: usize) -> usize {
        let offsets = self.buffers.offsets;
        let found = if self.buffers.wide {
            let held = offsets.get(8 * at..).and_then(|held| held.first_chunk());
            held.map(|held| usize::try_from(i64::from_ne_bytes(*held)))
        } else {
            let held = offsets.get(4 * at..).and_then(|held| held.first_chunk());
            held.map(|held| usize::try_from(i64::from(i32::from_ne_bytes(*held))))
        };
        // What is in no place is behind all data.
        found.and_then(|start| start.ok()).unwrap_or(usize::MAX)
    }

    fn check_offsets(&self, rows: usize) -> bool {
        let first = self.buffers.offset;
        let mut last = self.start(first);
        let rising = (first + 1..=first + rows).all(|at| {
            let before = std::mem::replace(&mut last, self.start(at));
            before <= last
        });
        let held = self.items.as_ref().map(|items| items.rows);
        rising && last <= held.unwrap_or(self.buffers.data.len())
    }

    /// Whether all texts are UTF-8, told from all of them together.
    fn is_sound(&self, rows: usize) -> bool {
        let ends = (self.buffers.offset, self.buffers.offset + rows);
        let span = self.start(ends.0)..self.start(ends.1);
        let Some(held) = self.buffers.data.get(span) else {
            return false;
        };
        if held.is_ascii() {
            return true;
        }
        // A text that starts inside a character is none, though all together may be one.
        let starts_inside = |at| {
            let byte = self.buffers.data.get(self.start(at));
            byte.is_some_and(|byte| byte & 0xc0 == 0x80)
        };
        std::str::from_utf8(held).is_ok() && !(ends.0..ends.1).any(starts_inside)
    }
}

#[inline]
fn bit(bytes: &[u8], at: usize) -> bool {
    bytes
        .get(at / 8)
        .is_some_and(|byte| byte >> (at % 8) & 1 == 1)
}
