//! What an aggregator is: a state made from values or bytes, merged, written and finished.
//!
//! Merging is associative and commutative and writing is canonical: whatever the order in which
//! states are merged, the bytes are the same (float sums within rounding). Reading accepts only
//! what writing gives. `spec/scan.md` section 6 has the bytes.

use super::extremes::{outdates, read_timed, replaces, write_timed};
use super::sets::{insert, read_members, unite, write_members, Members};
use super::state::State;
use super::sums::{add_decimals, Total};
use crate::codec::{Codec, Value};
use crate::{Error, Result};

/// The built-in ways to make one value of many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Sum,
    Min,
    Max,
    First,
    Last,
    Set,
    /// How many elements there are, whatever their values.
    Count,
    /// Nothing is aggregated: the state is the value.
    Faithful,
}

const NAMES: [(&str, Kind); 7] = [
    ("sum", Kind::Sum),
    ("min", Kind::Min),
    ("max", Kind::Max),
    ("first", Kind::First),
    ("last", Kind::Last),
    ("set", Kind::Set),
    ("count", Kind::Count),
];

impl Kind {
    /// Finds an aggregator by its name.
    pub fn named(name: &str) -> Result<Kind> {
        let found = NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, kind)| *kind).ok_or_else(|| {
            let names = NAMES.map(|(known, _)| known).join(", ");
            Error::InvalidOption(format!(
                "there is no aggregator '{name}'; there are {names}"
            ))
        })
    }

    /// The name in a plan.
    pub fn name(self) -> &'static str {
        let found = NAMES.iter().find(|(_, kind)| *kind == self);
        found.map_or("faithful", |(name, _)| name)
    }
}

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
    kind: Kind,
    codec: Codec,
}

impl Aggregator {
    /// Binds an aggregator to a codec; refuses codecs that it does not work over.
    pub fn new(kind: Kind, codec: Codec) -> Result<Aggregator> {
        let summed = matches!(codec, Codec::Int | Codec::Float | Codec::Decimal);
        if kind == Kind::Sum && !summed {
            return Err(Error::InvalidOption(format!(
                "aggregator 'sum' works over int, float, decimal, not '{}'",
                codec.name()
            )));
        }
        let codec = if kind == Kind::Count {
            Codec::Int
        } else {
            codec
        };
        Ok(Aggregator { kind, codec })
    }

    /// Which one it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The codec of its values.
    pub fn codec(&self) -> &Codec {
        &self.codec
    }

    /// Refuses bytes that are no state.
    pub fn check(&self, data: &[u8]) -> Result<()> {
        match self.kind {
            Kind::First | Kind::Last => self.codec.check_value(read_timed(data, 0)?.1),
            Kind::Set => read_members(&self.codec, data, |_, _| {}),
            _ => self.codec.check_value(data),
        }
    }

    /// Merges a state in bytes, out of a cell of `timestamp`, into what is held.
    pub fn fold(&self, held: &mut Option<State>, data: &[u8], timestamp: i64) -> Result<()> {
        match self.kind {
            Kind::Sum | Kind::Count => self.fold_number(held, data),
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
            Kind::Faithful => {
                let state = State::Faithful(self.codec.decode_value(data)?);
                self.merge(held, state)
            }
        }
    }

    /// Makes the state of one value seen at `timestamp`.
    pub fn start(&self, value: &Value, timestamp: i64) -> Result<State> {
        if self.kind == Kind::Count {
            return Ok(State::Int(Total::Small(1)));
        }
        let mut stored = Vec::new();
        self.codec.encode_value(value, &mut stored)?;
        let mut held = None;
        match self.kind {
            Kind::First | Kind::Last => self.fold_timed(&mut held, timestamp, &stored),
            Kind::Set => {
                let mut key = Vec::new();
                self.codec.encode_key(value, &mut key)?;
                held = Some(State::Set(Members::from([(key, stored)])));
            }
            _ => self.fold(&mut held, &stored, timestamp)?,
        }
        held.ok_or_else(|| Error::InvalidValue("a value gave no state".into()))
    }

    /// Merges a state into what is held.
    pub fn merge(&self, held: &mut Option<State>, other: State) -> Result<()> {
        match (held.as_mut(), other) {
            (None, other) => *held = Some(other),
            (Some(State::Int(sum)), State::Int(number)) => sum.add(&number),
            (Some(State::Float(sum)), State::Float(number)) => *sum += number,
            (Some(State::Decimal(sum)), State::Decimal(number)) => add_decimals(sum, &number)?,
            (Some(State::Extreme { key, value }), State::Extreme { key: k, value: v }) => {
                let (mine, theirs) = (rank(key, value), rank(&k, &v));
                if replaces(self.kind == Kind::Max, (mine, value), (theirs, &v)) {
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
            State::Faithful(value) => self.codec.encode_value(value, out),
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
            State::Faithful(value) => Ok(value.clone()),
        }
    }

    /// The stored form of the finished value inside a state; none for a set, which has no such.
    pub fn stored<'a>(&self, data: &'a [u8]) -> Result<Option<&'a [u8]>> {
        match self.kind {
            Kind::First | Kind::Last => Ok(Some(read_timed(data, 0)?.1)),
            Kind::Set => Ok(None),
            _ => Ok(Some(data)),
        }
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

    fn fold_number(&self, held: &mut Option<State>, data: &[u8]) -> Result<()> {
        if self.codec == Codec::Int {
            let number = Total::read(data)?;
            return self.merge(held, State::Int(number));
        }
        match self.codec.decode_value(data)? {
            Value::Float(number) => self.merge(held, State::Float(number)),
            Value::Decimal(number) => self.merge(held, State::Decimal(number)),
            _ => Err(Error::InvalidBytes("the sum is no number".into())),
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
            if replaces(self.kind == Kind::Max, (mine, value), (theirs, data)) {
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
            if outdates(self.kind == Kind::Last, (*t, value), (time, data)) {
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
