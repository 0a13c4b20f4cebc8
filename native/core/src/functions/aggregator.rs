//! What an aggregator is: a state made from values or bytes, merged, written and finished.
//!
//! Merging is associative and commutative and writing is canonical: whatever the order in which
//! states are merged, the bytes are the same (float sums within rounding). Reading accepts only
//! what writing gives. `spec/scan.md` section 6 has the bytes.

use super::bags::{Bag, Rules};
use super::buckets::Bucket;
use super::counts::{self, Counts};
use super::extremes::{outdates, read_timed, replaces, write_timed, write_untimed};
use super::kind::{Aggregate, Kind};
use super::sets::{insert, read_members, unite, write_members, Members};
use super::sketches::Sketch;
use super::state::State;
use super::sums::{add_decimals, multiply_decimals, Total};
use crate::codec::{Codec, Value};
use crate::{Error, Result};

/// One aggregator over the values of one codec.
///
/// ```
/// use lexigraph_core::codec::{Codec, Value};
/// use lexigraph_core::functions::{Aggregator, Kind};
/// let total = Aggregator::new(Kind::Sum, Codec::Int)?;
/// let mut state = None;
/// total.fold(&mut state, b"\x81\x02", 1)?;
/// total.fold(&mut state, b"\x81\x03", 2)?;
/// assert_eq!(total.finish(&state.unwrap())?, Value::int(5));
/// # Ok::<(), lexigraph_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aggregator {
    aggregate: Aggregate,
    codec: Codec,
}

impl Aggregator {
    /// Binds an aggregator to a codec; refuses codecs that it does not work over.
    pub fn new(aggregate: impl Into<Aggregate>, codec: Codec) -> Result<Aggregator> {
        let aggregate = aggregate.into();
        let kind = aggregate.kind;
        let fits = match kind {
            Kind::Sum | Kind::Product => {
                matches!(codec, Codec::Int | Codec::Float | Codec::Decimal)
            }
            Kind::And | Kind::Or => codec == Codec::Bool,
            Kind::Concat => codec == Codec::Str,
            // A Python dict treats 1, 1.0 and True as the same key.
            Kind::FrequencyMap | Kind::FrequentItems => codec != Codec::Any,
            Kind::Bitmap => matches!(
                codec,
                Codec::Int | Codec::Int8 | Codec::Int16 | Codec::Int32 | Codec::Int64
            ),
            Kind::TimeSeries => match codec {
                Codec::Date => aggregate.bucket.is_days(),
                _ => matches!(codec, Codec::Datetime | Codec::NaiveDatetime),
            },
            _ => true,
        };
        if !fits {
            return Err(Error::InvalidOption(format!(
                "aggregator '{}' does not work over '{}'",
                kind.name(),
                codec.name()
            )));
        }
        let codec = if kind == Kind::Count {
            Codec::Int
        } else {
            codec
        };
        Ok(Aggregator { aggregate, codec })
    }

    /// Which one it is.
    pub fn kind(&self) -> Kind {
        self.aggregate.kind
    }

    /// Which one it is, with its options.
    pub fn aggregate(&self) -> &Aggregate {
        &self.aggregate
    }

    /// The codec of its values.
    pub fn codec(&self) -> &Codec {
        &self.codec
    }

    /// The codec of the finished value, by which it is compared; none for a collection.
    pub fn result(&self) -> Option<Codec> {
        match self.kind() {
            Kind::Set
            | Kind::List
            | Kind::TopN
            | Kind::Reservoir
            | Kind::FrequencyMap
            | Kind::TimeSeries
            | Kind::Quantiles
            | Kind::FrequentItems
            | Kind::Bitmap => None,
            Kind::Hll | Kind::Theta => Some(Codec::Float),
            _ => Some(self.codec.clone()),
        }
    }

    /// Refuses bytes that are no state.
    pub fn check(&self, data: &[u8]) -> Result<()> {
        match self.kind() {
            Kind::First | Kind::Last => self.codec.check_value(read_timed(data, 0)?.1),
            Kind::Set => read_members(&self.codec, data, |_, _| {}),
            Kind::List | Kind::Concat | Kind::TopN | Kind::Reservoir => self.rules().check(data),
            Kind::FrequencyMap | Kind::TimeSeries => self.each_count(data, |_, _, _| {}),
            kind if kind.is_sketch() => Sketch::read(&self.aggregate, &self.codec, data).map(drop),
            _ => self.codec.check_value(data),
        }
    }

    /// Merges a state in bytes, out of a cell of `timestamp`, into what is held.
    pub fn fold(&self, held: &mut Option<State>, data: &[u8], timestamp: i64) -> Result<()> {
        match self.kind() {
            Kind::Sum | Kind::Product | Kind::Count => self.fold_number(held, data),
            Kind::Min | Kind::Max => self.fold_extreme(held, data),
            Kind::First | Kind::Last => {
                let (time, value) = read_timed(data, timestamp)?;
                self.codec.check_value(value)?;
                self.fold_timed(held, time, value);
                Ok(())
            }
            Kind::Set => {
                let mut members = match held.take() {
                    Some(State::Set(members)) => members,
                    _ => Members::new(),
                };
                let read = read_members(&self.codec, data, |key, value| {
                    insert(&mut members, key, value);
                });
                *held = Some(State::Set(members));
                read
            }
            Kind::And | Kind::Or => {
                self.codec.check_value(data)?;
                self.merge(held, State::Flag(data == [1]))
            }
            Kind::List | Kind::Concat | Kind::TopN | Kind::Reservoir => {
                let mut bag = match held.take() {
                    Some(State::Bag(bag)) => bag,
                    _ => Bag::default(),
                };
                let read = self.rules().fold(&mut bag, data);
                *held = Some(State::Bag(bag));
                read
            }
            Kind::FrequencyMap | Kind::TimeSeries => {
                let mut counts = match held.take() {
                    Some(State::Counts(counts)) => counts,
                    _ => Counts::new(),
                };
                let read = self.each_count(data, |key, value, count| {
                    counts::add(&mut counts, key.to_vec(), value, &count);
                });
                *held = Some(State::Counts(counts));
                read
            }
            Kind::Hll | Kind::Theta | Kind::Quantiles | Kind::FrequentItems | Kind::Bitmap => {
                let read = Sketch::read(&self.aggregate, &self.codec, data)?;
                self.merge(held, State::Sketch(Box::new(read)))
            }
            Kind::Faithful => {
                let state = State::Faithful(self.codec.decode_value(data)?);
                self.merge(held, state)
            }
        }
    }

    /// The state of no value at all; refused by those that do not collect values.
    pub(crate) fn empty(&self) -> Result<State> {
        Ok(match self.kind() {
            Kind::Set => State::Set(Members::new()),
            Kind::List | Kind::Concat | Kind::TopN | Kind::Reservoir => State::Bag(Bag::default()),
            Kind::FrequencyMap | Kind::TimeSeries => State::Counts(Counts::new()),
            kind if kind.is_sketch() => State::Sketch(Box::new(Sketch::empty(&self.aggregate)?)),
            kind => {
                return Err(Error::InvalidValue(format!(
                    "aggregator '{}' takes one value, not a list",
                    kind.name()
                )))
            }
        })
    }

    /// Makes the state of one value seen at `timestamp`.
    pub fn start(&self, value: &Value, timestamp: i64) -> Result<State> {
        if self.kind() == Kind::Count {
            return Ok(State::Int(Total::Small(1)));
        }
        if self.kind().is_sketch() {
            let mut sketch = Sketch::empty(&self.aggregate)?;
            sketch.add(&self.aggregate, &self.codec, value)?;
            return Ok(State::Sketch(Box::new(sketch)));
        }
        let mut stored = Vec::new();
        self.codec.encode_value(value, &mut stored)?;
        let mut held = None;
        match self.kind() {
            Kind::First | Kind::Last => self.fold_timed(&mut held, timestamp, &stored),
            Kind::Set => {
                let mut key = Vec::new();
                self.codec.encode_key(value, &mut key)?;
                held = Some(State::Set(Members::from([(key, stored)])));
            }
            Kind::List | Kind::Concat | Kind::TopN | Kind::Reservoir => {
                let mut bag = Bag::default();
                self.rules().add(&mut bag, &stored)?;
                held = Some(State::Bag(bag));
            }
            Kind::FrequencyMap | Kind::TimeSeries => {
                let mut counts = Counts::new();
                self.count(&mut counts, value, stored, 1)?;
                held = Some(State::Counts(counts));
            }
            _ => self.fold(&mut held, &stored, timestamp)?,
        }
        held.ok_or_else(|| Error::InvalidValue("a value gave no state".into()))
    }

    /// Merges one value seen at `timestamp` into what is held.
    pub fn add(&self, held: &mut Option<State>, value: &Value, timestamp: i64) -> Result<()> {
        match held {
            // A sketch for each value would cost far more than the value.
            Some(State::Sketch(sketch)) => sketch.add(&self.aggregate, &self.codec, value),
            _ => {
                let state = self.start(value, timestamp)?;
                self.merge(held, state)
            }
        }
    }

    /// Merges a value that came so many times into counts by value.
    pub(crate) fn add_counted(
        &self,
        held: &mut Option<State>,
        value: &Value,
        times: i64,
    ) -> Result<()> {
        let Some(State::Counts(counts)) = held else {
            return Err(Error::InvalidValue(format!(
                "aggregator '{}' takes no counts by value",
                self.kind().name()
            )));
        };
        let mut stored = Vec::new();
        self.codec.encode_value(value, &mut stored)?;
        self.count(counts, value, stored, times)
    }

    fn count(
        &self,
        counts: &mut Counts,
        value: &Value,
        mut stored: Vec<u8>,
        times: i64,
    ) -> Result<()> {
        if let Some(bucket) = self.bucket() {
            let start = bucket.start(value)?;
            stored.clear();
            self.codec.encode_value(&start, &mut stored)?;
        }
        let mut key = Vec::new();
        self.codec.key_of_value(&stored, &mut key)?;
        counts::add(counts, key, &stored, &Total::Small(times.into()));
        Ok(())
    }

    /// Merges a state into what is held.
    pub fn merge(&self, held: &mut Option<State>, other: State) -> Result<()> {
        match (held.as_mut(), other) {
            (None, other) => *held = Some(other),
            (Some(State::Int(product)), State::Int(number)) if self.kind() == Kind::Product => {
                product.multiply(&number)?;
            }
            (Some(State::Float(product)), State::Float(number)) if self.kind() == Kind::Product => {
                *product *= number;
            }
            (Some(State::Decimal(product)), State::Decimal(number))
                if self.kind() == Kind::Product =>
            {
                multiply_decimals(product, &number)?;
            }
            (Some(State::Flag(flag)), State::Flag(other)) => {
                *flag = match self.kind() {
                    Kind::And => *flag && other,
                    _ => *flag || other,
                };
            }
            (Some(State::Sketch(sketch)), State::Sketch(other)) => {
                sketch.unite(&self.aggregate, *other)?;
            }
            (Some(State::Bag(bag)), State::Bag(other)) => self.rules().unite(bag, other),
            (Some(State::Counts(counts)), State::Counts(others)) => counts::unite(counts, others),
            (Some(State::Int(sum)), State::Int(number)) => sum.add(&number),
            (Some(State::Float(sum)), State::Float(number)) => *sum += number,
            (Some(State::Decimal(sum)), State::Decimal(number)) => add_decimals(sum, &number)?,
            (Some(State::Extreme { key, value }), State::Extreme { key: k, value: v }) => {
                let (mine, theirs) = (rank(key, value), rank(&k, &v));
                if replaces(self.kind() == Kind::Max, (mine, value), (theirs, &v)) {
                    (*key, *value) = (k, v);
                }
            }
            (Some(State::Timed { .. }), State::Timed { time, value }) => {
                self.fold_timed(held, time, &value);
            }
            (Some(State::Set(members)), State::Set(others)) => unite(members, others),
            _ => {
                return Err(Error::Unsupported(
                    "states of different aggregators, or of none, cannot be merged".into(),
                ))
            }
        }
        Ok(())
    }

    /// Appends the bytes of a state; equal content, equal bytes.
    pub fn encode(&self, state: &State, out: &mut Vec<u8>) -> Result<()> {
        match state {
            State::Int(sum) => sum.write(out),
            State::Float(sum) => Codec::Float.encode_value(&Value::Float(*sum), out),
            State::Decimal(sum) => Codec::Decimal.encode_value(&Value::Decimal(sum.clone()), out),
            State::Extreme { value, .. } => {
                out.extend_from_slice(value);
                Ok(())
            }
            State::Timed { time, value } => {
                write_timed(*time, value, out);
                Ok(())
            }
            State::Set(members) => write_members(members, out),
            State::Flag(flag) => {
                out.push(u8::from(*flag));
                Ok(())
            }
            State::Bag(bag) => self.rules().write(bag, out),
            State::Counts(counts) => counts::write(counts, out),
            State::Sketch(sketch) => sketch.write(&self.aggregate, out),
            State::Faithful(value) => self.codec.encode_value(value, out),
        }
    }

    /// Appends the bytes of a state whose time is that of the cell it is written to.
    pub fn encode_untimed(&self, state: &State, out: &mut Vec<u8>) -> Result<()> {
        match state {
            State::Timed { value, .. } => {
                write_untimed(value, out);
                Ok(())
            }
            _ => self.encode(state, out),
        }
    }

    /// The value that people see.
    pub fn finish(&self, state: &State) -> Result<Value> {
        match state {
            State::Int(sum) => Ok(Value::Int(sum.to_integer())),
            State::Float(sum) => Ok(Value::Float(*sum)),
            State::Decimal(sum) => Ok(Value::Decimal(sum.clone())),
            State::Extreme { value, .. } | State::Timed { value, .. } => {
                self.codec.decode_value(value)
            }
            State::Set(members) => {
                let values = members.values().map(|value| self.codec.decode_value(value));
                Ok(Value::Tuple(values.collect::<Result<_>>()?))
            }
            State::Flag(flag) => Ok(Value::Bool(*flag)),
            State::Bag(bag) => self.finish_bag(bag),
            State::Counts(counts) => counts::finish(&self.codec, counts),
            State::Sketch(sketch) => sketch.finish(&self.aggregate, &self.codec),
            State::Faithful(value) => Ok(value.clone()),
        }
    }

    /// The stored form of the finished value inside a state; none where it is not in there as it is.
    fn stored<'a>(&self, data: &'a [u8]) -> Result<Option<&'a [u8]>> {
        match self.kind() {
            Kind::First | Kind::Last => Ok(Some(read_timed(data, 0)?.1)),
            Kind::Concat | Kind::Hll | Kind::Theta => Ok(None),
            _ if self.result().is_none() => Ok(None),
            _ => Ok(Some(data)),
        }
    }

    /// The key form of the finished value of a state; none for null and for collections.
    pub fn key<'a>(&self, data: &'a [u8], scratch: &'a mut Vec<u8>) -> Result<Option<&'a [u8]>> {
        scratch.clear();
        match self.stored(data)? {
            Some(stored) if self.codec.is_null(stored) => Ok(None),
            Some(stored) if self.codec.stores_keys() => Ok(Some(stored)),
            Some(stored) => {
                self.codec.key_of_value(stored, scratch)?;
                Ok(Some(scratch))
            }
            None => match self.result() {
                None => Ok(None),
                Some(codec) => {
                    codec.encode_key(&self.finish_bytes(data)?, scratch)?;
                    Ok(Some(scratch))
                }
            },
        }
    }

    /// Whether the finished value of a state is null.
    pub fn is_null(&self, data: &[u8]) -> Result<bool> {
        let stored = self.stored(data)?;
        Ok(stored.is_some_and(|stored| self.codec.is_null(stored)))
    }

    /// Reads a state and finishes it at once.
    pub fn finish_bytes(&self, data: &[u8]) -> Result<Value> {
        match self.stored(data)? {
            Some(stored) => self.codec.decode_value(stored),
            None => {
                let mut held = None;
                self.fold(&mut held, data, 0)?;
                held.map_or(Ok(Value::Null), |state| self.finish(&state))
            }
        }
    }

    fn finish_bag(&self, bag: &Bag) -> Result<Value> {
        let stored = self.rules().values(bag);
        let values = stored
            .into_iter()
            .map(|value| self.codec.decode_value(value));
        let values = values.collect::<Result<Vec<_>>>()?;
        if self.kind() != Kind::Concat {
            return Ok(Value::Tuple(values));
        }
        let texts = values.into_iter().filter_map(|value| match value {
            Value::Str(text) => Some(text),
            _ => None,
        });
        let texts: Vec<String> = texts.collect();
        Ok(Value::Str(texts.join(&self.aggregate.separator)))
    }

    fn rules(&self) -> Rules<'_> {
        Rules::new(&self.aggregate, &self.codec)
    }

    fn bucket(&self) -> Option<Bucket> {
        (self.kind() == Kind::TimeSeries).then_some(self.aggregate.bucket)
    }

    fn each_count(&self, data: &[u8], each: impl FnMut(&[u8], &[u8], Total)) -> Result<()> {
        counts::read(&self.codec, self.bucket(), data, each)
    }

    fn fold_number(&self, held: &mut Option<State>, data: &[u8]) -> Result<()> {
        if self.codec == Codec::Int {
            let number = Total::read(data)?;
            return self.merge(held, State::Int(number));
        }
        match self.codec.decode_value(data)? {
            Value::Float(number) => self.merge(held, State::Float(number)),
            Value::Decimal(number) => self.merge(held, State::Decimal(number)),
            _ => Err(Error::InvalidBytes("the sum is not a number".into())),
        }
    }

    fn fold_extreme(&self, held: &mut Option<State>, data: &[u8]) -> Result<()> {
        self.codec.check_value(data)?;
        let mut key = Vec::new();
        if !self.codec.stores_keys() {
            self.codec.key_of_value(data, &mut key)?;
        }
        if let Some(State::Extreme { key: k, value }) = held {
            let (mine, theirs) = (rank(k, value), rank(&key, data));
            if replaces(self.kind() == Kind::Max, (mine, value), (theirs, data)) {
                *k = key;
                value.clear();
                value.extend_from_slice(data);
            }
            return Ok(());
        }
        let value = data.to_vec();
        self.merge(held, State::Extreme { key, value })
    }

    fn fold_timed(&self, held: &mut Option<State>, time: i64, data: &[u8]) {
        if let Some(State::Timed { time: t, value }) = held {
            if outdates(self.kind() == Kind::Last, (*t, value), (time, data)) {
                *t = time;
                value.clear();
                value.extend_from_slice(data);
            }
            return;
        }
        let value = data.to_vec();
        *held = Some(State::Timed { time, value });
    }
}

/// Where a value stands: its key, or itself where that is the same.
fn rank<'a>(key: &'a [u8], value: &'a [u8]) -> &'a [u8] {
    if key.is_empty() {
        value
    } else {
        key
    }
}
