//! One field of an element: the column that holds it, and how it is written in every form.

use std::collections::BTreeSet;

use super::column::Column;
use super::types::Type;
use crate::codec::escape::escape;
use crate::codec::{integer, Codec, Value};
use crate::functions::{Aggregator, State};
use crate::json::Node;
use crate::{Error, Result};

/// A form in which codecs write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Key,
    Part,
    Value,
}

/// What a program says of a field.
#[derive(Debug)]
pub struct Field {
    /// Its name in the key plan.
    pub name: String,
    /// The number of its column; none where all rows lack it.
    pub column: Option<usize>,
    pub needed: bool,
    /// The bits that an integer may have, or with 32 the width that a float is rounded to.
    bits: Option<u32>,
    /// The codec of the schema, which need not be that of keys.
    pub codec: Codec,
}

impl Field {
    /// Reads `{"name", "codec", "column", "needed", "bits"}`.
    pub fn parse(node: &Node<'_>, columns: usize) -> Result<Field> {
        node.expect(&["name", "codec"], &["column", "needed", "bits"])?;
        let number = |name: &str, highest: u64| -> Result<Option<u64>> {
            let found = node.optional(name)?;
            found.map(|found| found.integer(0, highest)).transpose()
        };
        let codec = node.member("codec")?;
        let named = codec.name()?;
        let last = columns.checked_sub(1);
        Ok(Field {
            name: node.member("name")?.name()?.into(),
            column: match last {
                None => None,
                Some(last) => number("column", last as u64)?.map(|column| column as usize),
            },
            needed: node
                .optional("needed")?
                .map_or(Ok(false), |flag| flag.flag())?,
            bits: number("bits", 64)?.map(|bits| bits as u32),
            codec: Codec::named(named)
                .ok_or_else(|| codec.unknown(format!("there is no codec '{named}'")))?,
        })
    }

    /// The column, where the field has one and is there in this row.
    #[inline]
    pub fn held<'a, 'b>(&self, columns: &'b [Column<'a>], row: usize) -> Option<&'b Column<'a>> {
        let column = columns.get(self.column?)?;
        (!column.is_null(row)).then_some(column)
    }

    /// Appends a value that is there; refuses one that does not fit.
    #[inline]
    pub fn write(
        &self,
        column: &Column<'_>,
        row: usize,
        codec: &Codec,
        form: Form,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        match (codec, column.kind()) {
            (Codec::Str, Type::Str) | (Codec::Bytes, Type::Bytes) => {
                let text = column.text(row)?;
                if form == Form::Part {
                    escape(text, out);
                    out.push(0);
                } else {
                    out.extend_from_slice(text);
                }
                Ok(())
            }
            (Codec::Int, Type::Int) => {
                integer::write_small(self.number(column, row)?, out);
                Ok(())
            }
            (Codec::Decimal, Type::Decimal { .. }) if form == Form::Value => {
                column.write_decimal(row, out)
            }
            _ => {
                let value = self.value(column, row, codec)?;
                match form {
                    Form::Key => codec.encode_key(&value, out),
                    Form::Part => codec.encode_part(&value, out),
                    Form::Value => codec.encode_value(&value, out),
                }
            }
        }
    }

    /// The state of what is there: one value, all of a list, or the counts of a map.
    pub fn state(&self, column: &Column<'_>, row: usize, aggregator: &Aggregator) -> Result<State> {
        let codec = aggregator.codec();
        let Some((items, rows)) = column.list(row) else {
            return aggregator.start(&self.value(column, row, codec)?, 0);
        };
        let mut state = Some(aggregator.empty()?);
        let mut keys = BTreeSet::new();
        for item in rows {
            let value = match items.values.is_null(item) {
                true => Value::Null,
                // As they are: the width of a property is that of one value.
                false => items.values.value(item, codec)?,
            };
            let Some(numbers) = &items.numbers else {
                aggregator.add(&mut state, &value, 0)?;
                continue;
            };
            let mut key = Vec::new();
            codec.encode_key(&value, &mut key)?;
            if numbers.is_null(item) || !keys.insert(key) {
                return Err(Error::InvalidValue(
                    "a map has one number for each key".into(),
                ));
            }
            aggregator.add_counted(&mut state, &value, numbers.number(item))?;
        }
        state.ok_or_else(refused)
    }

    /// A value that is there, as it is stored: a float of 32 bits is rounded.
    pub fn value(&self, column: &Column<'_>, row: usize, codec: &Codec) -> Result<Value> {
        let value = column.value(row, codec)?;
        match (&value, self.bits) {
            (Value::Float(number), Some(32)) => {
                let rounded = *number as f32;
                if rounded.is_infinite() && number.is_finite() {
                    return Err(refused());
                }
                return Ok(Value::Float(f64::from(rounded)));
            }
            (Value::Int(_), Some(_)) => self.check_bits(column.number(row))?,
            _ => {}
        }
        Ok(value)
    }

    /// A number that is there; refuses one that does not fit into its bits.
    #[inline]
    pub fn number(&self, column: &Column<'_>, row: usize) -> Result<i64> {
        let number = column.number(row);
        self.check_bits(number)?;
        Ok(number)
    }

    #[inline]
    fn check_bits(&self, number: i64) -> Result<()> {
        match self.bits {
            Some(bits @ 1..64) => {
                let top = 1i64 << (bits - 1);
                if (-top..top).contains(&number) {
                    Ok(())
                } else {
                    Err(refused())
                }
            }
            _ => Ok(()),
        }
    }
}

fn refused() -> Error {
    Error::InvalidValue("the number does not fit into its bits".into())
}
