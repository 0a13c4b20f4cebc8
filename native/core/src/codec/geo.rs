//! Points on the globe in Z-order.
//!
//! Latitude and longitude are order-preserving doubles, interleaved bit by bit, latitude first:
//! near points mostly have near keys, and nothing is rounded, so every point comes back exactly.

use super::float::{from_key_bits, from_value_bits, key_bits, value_bits};
use super::reader::Reader;
use super::Value;
use crate::{Error, Result};

const NAME: &str = "geo";

pub(crate) fn write_key(latitude: f64, longitude: f64, out: &mut Vec<u8>) -> Result<()> {
    check(latitude, longitude).map_err(Error::InvalidValue)?;
    let mixed = spread(key_bits(latitude)) << 1 | spread(key_bits(longitude));
    out.extend_from_slice(&mixed.to_be_bytes());
    Ok(())
}

pub(crate) fn read_key(reader: &mut Reader<'_>) -> Result<Value> {
    let mixed = u128::from_be_bytes(reader.array(NAME)?);
    let latitude = from_key_bits(gather(mixed >> 1), NAME)?;
    point(latitude, from_key_bits(gather(mixed), NAME)?)
}

pub(crate) fn write_value(latitude: f64, longitude: f64, out: &mut Vec<u8>) -> Result<()> {
    check(latitude, longitude).map_err(Error::InvalidValue)?;
    out.extend_from_slice(&value_bits(latitude).to_be_bytes());
    out.extend_from_slice(&value_bits(longitude).to_be_bytes());
    Ok(())
}

pub(crate) fn read_value(reader: &mut Reader<'_>) -> Result<Value> {
    let latitude = from_value_bits(u64::from_be_bytes(reader.array(NAME)?), NAME)?;
    point(
        latitude,
        from_value_bits(u64::from_be_bytes(reader.array(NAME)?), NAME)?,
    )
}

fn point(latitude: f64, longitude: f64) -> Result<Value> {
    check(latitude, longitude).map_err(Error::InvalidBytes)?;
    Ok(Value::Geo {
        latitude,
        longitude,
    })
}

fn check(latitude: f64, longitude: f64) -> std::result::Result<(), String> {
    for (name, degrees, limit) in [
        ("latitude", latitude, 90.0),
        ("longitude", longitude, 180.0),
    ] {
        // Also false for NaN.
        if !(-limit..=limit).contains(&degrees) {
            return Err(format!("{name} lies between -{limit} and {limit} degrees"));
        }
    }
    Ok(())
}

/// Moves bit i to bit 2i.
fn spread(bits: u64) -> u128 {
    (0..8).fold(0, |sum, at| {
        let mut pair = u128::from(bits >> (8 * at) & 0xff);
        pair = (pair | pair << 4) & 0x0f0f;
        pair = (pair | pair << 2) & 0x3333;
        pair = (pair | pair << 1) & 0x5555;
        sum | pair << (16 * at)
    })
}

/// Moves bit 2i to bit i; undoes [`spread`] and drops the odd bits.
fn gather(bits: u128) -> u64 {
    (0..8).fold(0, |sum, at| {
        let mut byte = (bits >> (16 * at)) as u64 & 0x5555;
        byte = (byte | byte >> 1) & 0x3333;
        byte = (byte | byte >> 2) & 0x0f0f;
        byte = (byte | byte >> 4) & 0x00ff;
        sum | byte << (8 * at)
    })
}
