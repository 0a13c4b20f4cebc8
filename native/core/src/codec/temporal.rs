//! Dates, datetimes, times of day and durations.
//!
//! Everything is days or microseconds since 1970-01-01. Keys of aware datetimes and times are the
//! moment they mean; values also keep the offset. Years run from 1 to 9999.

use std::ops::RangeInclusive;

use super::integer;
use super::reader::Reader;
use super::{Timedelta, Value};
use crate::{Error, Result};

pub(crate) const DAY_MICROS: i64 = 86_400_000_000;
const LAST_MICRO: i64 = DAY_MICROS - 1;
const SECOND_MICROS: i64 = 1_000_000;
const LAST_SECOND: i64 = DAY_MICROS / SECOND_MICROS - 1;
const DATES: RangeInclusive<i32> = -719_162..=2_932_896;
const MOMENTS: RangeInclusive<i64> = -62_135_596_800_000_000..=253_402_300_799_999_999;
const OFFSETS: RangeInclusive<i64> = -LAST_MICRO..=LAST_MICRO;
const MAX_DAYS: i32 = 999_999_999;
const NO_OFFSET: u8 = 0;
const WITH_OFFSET: u8 = 1;

pub(crate) type Checked<T> = std::result::Result<T, String>;

pub(crate) fn write_date(days: i32, out: &mut Vec<u8>) -> Result<()> {
    check_date(days).map_err(Error::InvalidValue)?;
    integer::write_i32(days, out);
    Ok(())
}

pub(crate) fn read_date(reader: &mut Reader<'_>) -> Result<Value> {
    let days = integer::read_i32(reader, "date")?;
    check_date(days).map_err(Error::InvalidBytes)?;
    Ok(Value::Date(days))
}

pub(crate) fn write_moment(micros: i64, offset: i64, out: &mut Vec<u8>) -> Result<()> {
    check_moment(micros, offset).map_err(Error::InvalidValue)?;
    integer::write_i64(micros, out);
    Ok(())
}

/// Reads a moment without an offset: a naive datetime, or the key of an aware one.
pub(crate) fn read_moment(reader: &mut Reader<'_>, name: &str) -> Result<i64> {
    let micros = integer::read_i64(reader, name)?;
    check_moment(micros, 0).map_err(Error::InvalidBytes)?;
    Ok(micros)
}

pub(crate) fn read_datetime_value(reader: &mut Reader<'_>) -> Result<Value> {
    let micros = integer::read_i64(reader, "datetime")?;
    let offset = read_offset(reader, "datetime")?;
    check_moment(micros, offset).map_err(Error::InvalidBytes)?;
    Ok(Value::Datetime { micros, offset })
}

pub(crate) fn write_time_key(micros: i64, offset: Option<i64>, out: &mut Vec<u8>) -> Result<()> {
    check_time(micros, offset).map_err(Error::InvalidValue)?;
    out.push(if offset.is_some() {
        WITH_OFFSET
    } else {
        NO_OFFSET
    });
    integer::write_i64(micros - offset.unwrap_or(0), out);
    Ok(())
}

pub(crate) fn read_time_key(reader: &mut Reader<'_>) -> Result<Value> {
    let kind = read_time_kind(reader)?;
    let number = integer::read_i64(reader, "time")?;
    let (micros, offset) = if kind == WITH_OFFSET {
        let local = local_time(number);
        (local, Some(local.saturating_sub(number)))
    } else {
        (number, None)
    };
    check_time(micros, offset).map_err(Error::InvalidBytes)?;
    Ok(Value::Time { micros, offset })
}

/// The local time that a key with an offset comes back as: the nearest of the day.
fn local_time(number: i64) -> i64 {
    // Python compares offsets by whole seconds only, so they are kept whole where that is possible.
    let second = number.div_euclid(SECOND_MICROS).clamp(0, LAST_SECOND);
    let local = second * SECOND_MICROS + number.rem_euclid(SECOND_MICROS);
    if check_offset(local.saturating_sub(number)).is_ok() {
        local
    } else {
        number.clamp(0, LAST_MICRO)
    }
}

pub(crate) fn write_time_value(micros: i64, offset: Option<i64>, out: &mut Vec<u8>) -> Result<()> {
    check_time(micros, offset).map_err(Error::InvalidValue)?;
    out.push(if offset.is_some() {
        WITH_OFFSET
    } else {
        NO_OFFSET
    });
    integer::write_i64(micros, out);
    if let Some(offset) = offset {
        integer::write_small(offset, out);
    }
    Ok(())
}

pub(crate) fn read_time_value(reader: &mut Reader<'_>) -> Result<Value> {
    let kind = read_time_kind(reader)?;
    let micros = integer::read_i64(reader, "time")?;
    let offset = if kind == WITH_OFFSET {
        Some(read_offset(reader, "time")?)
    } else {
        None
    };
    check_time(micros, offset).map_err(Error::InvalidBytes)?;
    Ok(Value::Time { micros, offset })
}

pub(crate) fn write_timedelta(span: Timedelta, out: &mut Vec<u8>) -> Result<()> {
    check_timedelta(span).map_err(Error::InvalidValue)?;
    integer::write_i32(span.days, out);
    out.extend(span.micros.to_be_bytes().iter().skip(3));
    Ok(())
}

pub(crate) fn read_timedelta(reader: &mut Reader<'_>) -> Result<Value> {
    let days = integer::read_i32(reader, "timedelta")?;
    let field: [u8; 5] = reader.array("timedelta")?;
    let micros = field
        .iter()
        .fold(0, |sum, &byte| sum << 8 | i64::from(byte));
    let span = Timedelta { days, micros };
    check_timedelta(span).map_err(Error::InvalidBytes)?;
    Ok(Value::Timedelta(span))
}

fn read_time_kind(reader: &mut Reader<'_>) -> Result<u8> {
    match reader.byte("time")? {
        kind @ (NO_OFFSET | WITH_OFFSET) => Ok(kind),
        other => Err(Error::InvalidBytes(format!(
            "codec 'time' starts with 00 or 01, not {other:02x}"
        ))),
    }
}

fn read_offset(reader: &mut Reader<'_>, name: &str) -> Result<i64> {
    let offset = integer::read(reader, name)?.to_i64();
    offset.ok_or_else(|| Error::InvalidBytes("the UTC offset is a day or more".into()))
}

fn check_date(days: i32) -> Checked<()> {
    require(
        DATES.contains(&days),
        "the date lies outside the years 1 to 9999",
    )
}

pub(crate) fn check_moment(micros: i64, offset: i64) -> Checked<()> {
    check_offset(offset)?;
    let local = micros.saturating_add(offset);
    require(
        MOMENTS.contains(&micros) && MOMENTS.contains(&local),
        "the datetime lies outside the years 1 to 9999",
    )
}

fn check_time(micros: i64, offset: Option<i64>) -> Checked<()> {
    check_offset(offset.unwrap_or(0))?;
    require(
        (0..DAY_MICROS).contains(&micros),
        "the time lies outside the day",
    )
}

fn check_offset(offset: i64) -> Checked<()> {
    require(OFFSETS.contains(&offset), "the UTC offset is a day or more")
}

fn check_timedelta(span: Timedelta) -> Checked<()> {
    require(
        (-MAX_DAYS..=MAX_DAYS).contains(&span.days) && (0..DAY_MICROS).contains(&span.micros),
        "the duration has too many days, or a day too many microseconds",
    )
}

fn require(holds: bool, problem: &str) -> Checked<()> {
    if holds {
        Ok(())
    } else {
        Err(problem.into())
    }
}
