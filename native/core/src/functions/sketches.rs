//! Sketches of Apache DataSketches and 64-bit Roaring bitmaps: states of bounded size.
//!
//! A sketch is fed with the text `k` and the hexadecimal key form of each value: every language can
//! hash a text, it is never empty, and texts sort as the key forms do. Their bytes are those of the
//! libraries, which read one another's; equal content may have different bytes.

use std::fmt::Write;

use datasketches::common::SearchCriteria;
use datasketches::frequencies::{ErrorType, FrequentItemsSketch};
use datasketches::hash::value::raw_bytes::from_str;
use datasketches::hll::{HllSketch, HllType, HllUnion};
use datasketches::kll::KllSketch;
use datasketches::theta::{CompactThetaSketch, ThetaSketchBuilder, ThetaUnionBuilder};
use roaring::RoaringTreemap;

use super::kind::{Aggregate, Kind};
use crate::codec::{Codec, Integer, Value};
use crate::{Error, Result};

/// How many theta sketches wait for one union.
const WAITING: usize = 16;
/// How many values a sketch may have seen: the library panics where a sum leaves 64 bits.
const MAX_SEEN: u64 = 1 << 62;
/// The ranks between the smallest and the largest value that are given.
const RANKS: [f64; 3] = [0.25, 0.5, 0.75];

/// The state of a sketch.
#[derive(Debug, Clone)]
pub enum Sketch {
    Hll(HllUnion),
    /// Sketches to be united.
    Theta(Vec<CompactThetaSketch>),
    Quantiles(KllSketch<String>),
    Frequent(FrequentItemsSketch<String>),
    Bitmap(RoaringTreemap),
}

impl Sketch {
    /// A sketch of nothing.
    pub(super) fn empty(aggregate: &Aggregate) -> Result<Sketch> {
        let lg_k = u8::try_from(aggregate.size).unwrap_or(u8::MAX);
        Ok(match aggregate.kind {
            Kind::Hll => Sketch::Hll(HllUnion::new(lg_k).map_err(unfit)?),
            Kind::Theta => Sketch::Theta(Vec::new()),
            Kind::Quantiles => {
                let k = u16::try_from(aggregate.size).unwrap_or(u16::MAX);
                Sketch::Quantiles(KllSketch::new(k).map_err(unfit)?)
            }
            Kind::FrequentItems => {
                Sketch::Frequent(FrequentItemsSketch::new(aggregate.size).map_err(unfit)?)
            }
            Kind::Bitmap => Sketch::Bitmap(RoaringTreemap::new()),
            other => return Err(unfit(format!("'{}' is not a sketch", other.name()))),
        })
    }

    /// Adds one value.
    pub(super) fn add(
        &mut self,
        aggregate: &Aggregate,
        codec: &Codec,
        value: &Value,
    ) -> Result<()> {
        if let Sketch::Bitmap(bitmap) = self {
            bitmap.insert(member(value)?);
            return Ok(());
        }
        let mut key = Vec::new();
        codec.encode_key(value, &mut key)?;
        let text = fed(&key);
        match self {
            Sketch::Hll(union) => union.update_value(from_str(&text)),
            Sketch::Theta(waiting) => {
                let lg_k = u8::try_from(aggregate.size).unwrap_or(u8::MAX);
                let mut one = ThetaSketchBuilder::default()
                    .lg_k(lg_k)
                    .build()
                    .map_err(unfit)?;
                one.update(from_str(&text));
                waiting.push(one.compact(true));
                if waiting.len() >= WAITING {
                    *waiting = vec![united(aggregate, waiting)?];
                }
            }
            Sketch::Quantiles(sketch) => sketch.update(text),
            Sketch::Frequent(sketch) => sketch.update(text),
            Sketch::Bitmap(_) => {}
        }
        Ok(())
    }

    /// Reads a state.
    pub(super) fn read(aggregate: &Aggregate, codec: &Codec, data: &[u8]) -> Result<Sketch> {
        Ok(match aggregate.kind {
            Kind::Hll => {
                let mut sketch = Sketch::empty(aggregate)?;
                if let Sketch::Hll(union) = &mut sketch {
                    union.update(&HllSketch::deserialize(data).map_err(garbage)?);
                }
                sketch
            }
            Kind::Theta => {
                let sketch = CompactThetaSketch::deserialize(data).map_err(garbage)?;
                Sketch::Theta(vec![sketch])
            }
            Kind::Quantiles => {
                let sketch = KllSketch::<String>::deserialize(data).map_err(garbage)?;
                check_seen(sketch.n())?;
                for item in sketch.min_item().into_iter().chain(sketch.max_item()) {
                    codec.check_key(&read_fed(item)?)?;
                }
                Sketch::Quantiles(sketch)
            }
            Kind::FrequentItems => {
                let sketch = FrequentItemsSketch::<String>::deserialize(data).map_err(garbage)?;
                check_seen(sketch.total_weight())?;
                check_seen(sketch.maximum_error())?;
                for row in sketch.frequent_items(ErrorType::NoFalseNegatives) {
                    codec.check_key(&read_fed(row.item())?)?;
                }
                Sketch::Frequent(sketch)
            }
            _ => {
                let mut rest = data;
                let bitmap = RoaringTreemap::deserialize_from(&mut rest).map_err(garbage)?;
                let mut written = Vec::with_capacity(data.len());
                write_bitmap(&bitmap, &mut written)?;
                if written != data {
                    return Err(garbage("it is not in its shortest form"));
                }
                Sketch::Bitmap(bitmap)
            }
        })
    }

    /// Takes another one of the same kind in.
    pub(super) fn unite(&mut self, aggregate: &Aggregate, other: Sketch) -> Result<()> {
        match (&mut *self, other) {
            (Sketch::Hll(union), Sketch::Hll(other)) => {
                union.update(&other.to_sketch(HllType::Hll4));
            }
            (Sketch::Theta(waiting), Sketch::Theta(others)) => {
                waiting.extend(others);
                if waiting.len() >= WAITING {
                    *waiting = vec![united(aggregate, waiting)?];
                }
            }
            (Sketch::Quantiles(sketch), Sketch::Quantiles(other)) => {
                check_seen(sketch.n())?;
                sketch.merge(&other).map_err(unfit)?;
            }
            (Sketch::Frequent(sketch), Sketch::Frequent(other)) => {
                check_seen(sketch.total_weight())?;
                sketch.merge(&other);
            }
            (Sketch::Bitmap(bitmap), Sketch::Bitmap(other)) => *bitmap |= other,
            _ => return Err(unfit("two kinds of sketches cannot be merged")),
        }
        Ok(())
    }

    /// Appends the bytes.
    pub(super) fn write(&self, aggregate: &Aggregate, out: &mut Vec<u8>) -> Result<()> {
        match self {
            Sketch::Hll(union) => out.extend(union.to_sketch(HllType::Hll4).serialize()),
            Sketch::Theta(waiting) => out.extend(united(aggregate, waiting)?.serialize()),
            Sketch::Quantiles(sketch) => out.extend(sketch.serialize()),
            Sketch::Frequent(sketch) => out.extend(sketch.serialize()),
            Sketch::Bitmap(bitmap) => write_bitmap(bitmap, out)?,
        }
        Ok(())
    }

    /// What people see: an estimate, a few quantiles, the most frequent values, the members.
    pub(super) fn finish(&self, aggregate: &Aggregate, codec: &Codec) -> Result<Value> {
        let value_of = |text: &String| codec.decode_key(&read_fed(text)?);
        Ok(match self {
            Sketch::Hll(union) => Value::Float(union.to_sketch(HllType::Hll4).estimate()),
            Sketch::Theta(waiting) => Value::Float(united(aggregate, waiting)?.estimate()),
            Sketch::Quantiles(sketch) => {
                let mut texts: Vec<String> = sketch.min_item().cloned().into_iter().collect();
                let between = sketch.quantiles(&RANKS, SearchCriteria::Inclusive);
                texts.extend(between.map_err(unfit)?.into_iter().flatten());
                texts.extend(sketch.max_item().cloned());
                Value::Tuple(texts.iter().map(value_of).collect::<Result<_>>()?)
            }
            Sketch::Frequent(sketch) => {
                let mut rows = sketch.frequent_items(ErrorType::NoFalseNegatives);
                rows.sort_by(|a, b| {
                    let by_count = b.estimate().cmp(&a.estimate());
                    by_count.then_with(|| a.item().cmp(b.item()))
                });
                let pair = |row: &datasketches::frequencies::Row<String>| {
                    let count = i64::try_from(row.estimate()).unwrap_or(i64::MAX);
                    Ok(Value::Tuple(vec![value_of(row.item())?, Value::int(count)]))
                };
                Value::Tuple(rows.iter().map(pair).collect::<Result<_>>()?)
            }
            Sketch::Bitmap(bitmap) => Value::Tuple(
                bitmap
                    .iter()
                    .map(|member| Value::Int(Integer::from(num_bigint::BigInt::from(member))))
                    .collect(),
            ),
        })
    }
}

fn united(aggregate: &Aggregate, waiting: &[CompactThetaSketch]) -> Result<CompactThetaSketch> {
    let lg_k = u8::try_from(aggregate.size).unwrap_or(u8::MAX);
    let builder = ThetaUnionBuilder::default().lg_k(lg_k);
    let mut union = builder.build().map_err(unfit)?;
    for sketch in waiting {
        union.update(sketch).map_err(unfit)?;
    }
    Ok(union.to_sketch(true))
}

fn write_bitmap(bitmap: &RoaringTreemap, out: &mut Vec<u8>) -> Result<()> {
    let mut smallest = bitmap.clone();
    smallest.optimize();
    smallest.serialize_into(out).map_err(unfit)
}

fn check_seen(count: u64) -> Result<()> {
    if count <= MAX_SEEN {
        return Ok(());
    }
    Err(garbage(format!("it has seen {count} values")))
}

fn member(value: &Value) -> Result<u64> {
    let number = value.integer().map(|number| number.to_bigint());
    let member = number.and_then(|number| u64::try_from(number).ok());
    member.ok_or_else(|| Error::InvalidValue("a bitmap holds integers from 0 to 2**64 - 1".into()))
}

/// The text that a key form is fed as.
fn fed(key: &[u8]) -> String {
    let mut text = String::with_capacity(1 + 2 * key.len());
    text.push('k');
    for byte in key {
        // Writing into a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

fn read_fed(text: &str) -> Result<Vec<u8>> {
    let refused = || garbage("an item of the sketch is not a valid key");
    let digits = text.strip_prefix('k').ok_or_else(refused)?;
    if digits.len() % 2 != 0 || !digits.is_ascii() || digits.contains(|c: char| c.is_uppercase()) {
        return Err(refused());
    }
    let pair = |at: usize| digits.get(at..at + 2).filter(|pair| !pair.starts_with('+'));
    let bytes = (0..digits.len()).step_by(2).map(|at| {
        let byte = pair(at).and_then(|pair| u8::from_str_radix(pair, 16).ok());
        byte.ok_or_else(refused)
    });
    bytes.collect()
}

fn garbage(why: impl ToString) -> Error {
    Error::InvalidBytes(format!(
        "the state is not a valid sketch: {}",
        why.to_string()
    ))
}

fn unfit(why: impl ToString) -> Error {
    Error::InvalidValue(format!("the sketch failed: {}", why.to_string()))
}
