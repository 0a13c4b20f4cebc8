//! Counts by value: one entry for each key form, under the smaller value bytes.

use std::collections::btree_map::{BTreeMap, Entry};

use super::buckets::Bucket;
use super::sums::Total;
use crate::codec::reader::Reader;
use crate::codec::{uvarint, Codec, Value};
use crate::{Error, Result};

/// Key form to value form and count.
pub type Counts = BTreeMap<Vec<u8>, (Vec<u8>, Total)>;

pub(crate) fn add(counts: &mut Counts, key: Vec<u8>, value: &[u8], count: &Total) {
    match counts.entry(key) {
        Entry::Vacant(place) => {
            place.insert((value.to_vec(), count.clone()));
        }
        Entry::Occupied(mut held) => {
            let (stored, total) = held.get_mut();
            total.add(count);
            if value < stored.as_slice() {
                *stored = value.to_vec();
            }
        }
    }
}

pub(crate) fn unite(counts: &mut Counts, others: Counts) {
    for (key, (value, count)) in others {
        add(counts, key, &value, &count);
    }
}

/// Calls `each` with key form, value form and count of every entry of a state; with a bucket, keys
/// must be its starts.
pub(crate) fn read(
    codec: &Codec,
    bucket: Option<Bucket>,
    data: &[u8],
    mut each: impl FnMut(&[u8], &[u8], Total),
) -> Result<()> {
    let mut reader = Reader::new(data, 0);
    let mut last: Option<Vec<u8>> = None;
    while !reader.is_at_end() {
        let length = uvarint::read(&mut reader, "key of a map")?;
        let value = reader.slice(length, "key of a map")?;
        codec.check_value(value)?;
        if let Some(bucket) = bucket {
            check_start(codec, bucket, value)?;
        }
        let mut key = Vec::new();
        codec.key_of_value(value, &mut key)?;
        if last.as_ref().is_some_and(|last| key <= *last) {
            return Err(Error::InvalidBytes(
                "the keys of a map are not distinct and in order".into(),
            ));
        }
        let length = uvarint::read(&mut reader, "count of a map")?;
        let count = Total::read(reader.slice(length, "count of a map")?)?;
        each(&key, value, count);
        last = Some(key);
    }
    Ok(())
}

fn check_start(codec: &Codec, bucket: Bucket, value: &[u8]) -> Result<()> {
    let start = bucket.start(&codec.decode_value(value)?)?;
    let mut expected = Vec::new();
    codec.encode_value(&start, &mut expected)?;
    if expected == value {
        return Ok(());
    }
    Err(Error::InvalidBytes(
        "a key of a time series is not the start of a bucket in UTC".into(),
    ))
}

pub(crate) fn write(counts: &Counts, out: &mut Vec<u8>) -> Result<()> {
    let mut scratch = Vec::new();
    for (value, count) in counts.values() {
        uvarint::write(value.len(), out)?;
        out.extend_from_slice(value);
        scratch.clear();
        count.write(&mut scratch)?;
        uvarint::write(scratch.len(), out)?;
        out.extend_from_slice(&scratch);
    }
    Ok(())
}

/// Pairs of value and count.
pub(crate) fn finish(codec: &Codec, counts: &Counts) -> Result<Value> {
    let pair = |(value, count): &(Vec<u8>, Total)| {
        let value = codec.decode_value(value)?;
        Ok(Value::Tuple(vec![value, Value::Int(count.to_integer())]))
    };
    let pairs: Result<Vec<Value>> = counts.values().map(pair).collect();
    Ok(Value::Tuple(pairs?))
}
