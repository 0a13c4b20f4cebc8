//! Sets of values: one member for each key form, the one with the smaller value bytes.

use std::collections::btree_map::{BTreeMap, Entry};

use crate::codec::reader::Reader;
use crate::codec::{uvarint, Codec};
use crate::{Error, Result};

pub(crate) type Members = BTreeMap<Vec<u8>, Vec<u8>>;

/// Calls `each` with key and value form of every member of a state.
pub(crate) fn read_members(
    codec: &Codec,
    data: &[u8],
    mut each: impl FnMut(&[u8], &[u8]),
) -> Result<()> {
    let mut reader = Reader::new(data, 0);
    let (mut last, mut key) = (Vec::new(), Vec::new());
    let mut is_first = true;
    while !reader.is_at_end() {
        let length = uvarint::read(&mut reader, "set")?;
        let value = reader.slice(length, "set")?;
        codec.check_value(value)?;
        key.clear();
        codec.key_of_value(value, &mut key)?;
        if !is_first && key <= last {
            return Err(Error::InvalidBytes(
                "the members of a set are not distinct and in key order".into(),
            ));
        }
        each(&key, value);
        std::mem::swap(&mut last, &mut key);
        is_first = false;
    }
    Ok(())
}

pub(crate) fn insert(members: &mut Members, key: &[u8], value: &[u8]) {
    // A look-up by reference first: most members are there already.
    if let Some(held) = members.get_mut(key) {
        if value < held.as_slice() {
            held.clear();
            held.extend_from_slice(value);
        }
        return;
    }
    members.insert(key.to_vec(), value.to_vec());
}

pub(crate) fn unite(members: &mut Members, others: Members) {
    for (key, value) in others {
        match members.entry(key) {
            Entry::Vacant(place) => {
                place.insert(value);
            }
            Entry::Occupied(mut held) => {
                if value < *held.get() {
                    held.insert(value);
                }
            }
        }
    }
}

pub(crate) fn write_members(members: &Members, out: &mut Vec<u8>) -> Result<()> {
    for value in members.values() {
        uvarint::write(value.len(), out)?;
        out.extend_from_slice(value);
    }
    Ok(())
}
