//! Time buckets and shards: the suffixes that spread a row id over several rows.
//!
//! Bucket text has a fixed width and sorts by time; a shard is the CRC-32 of what tells the cells
//! of one id apart, so that every writer in every language picks the same one.

use super::crc32::crc32;
use super::temporal::{check_moment, DAY_MICROS};
use crate::{Error, Result};

/// The most shards that a plan can have.
pub const MAX_SHARDS: u32 = 10_000;

const HOUR_MICROS: i64 = DAY_MICROS / 24;
/// 1970-01-01 was a Thursday: the fourth day of its week.
const THURSDAY: i64 = 3;

/// How long a bucket is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Hour,
    Day,
    Week,
    Month,
}

impl Unit {
    /// Names the bucket of a moment: microseconds since 1970-01-01T00:00Z.
    ///
    /// ```
    /// use lexigraph_core::codec::rowid::Unit;
    /// assert_eq!(Unit::Week.bucket_of(0).unwrap(), "1970W01");
    /// ```
    pub fn bucket_of(self, micros: i64) -> Result<String> {
        Ok(self.name(self.number_of(micros)?))
    }

    /// Gives the first moment of a bucket; refuses text that names none.
    pub fn parse(self, text: &str) -> Result<i64> {
        let number = self
            .parse_number(text)
            .filter(|&number| self.name(number) == text);
        let micros = number.map(|number| match self {
            Unit::Hour => number * HOUR_MICROS,
            Unit::Day => number * DAY_MICROS,
            Unit::Week => (7 * number - THURSDAY) * DAY_MICROS,
            Unit::Month => days_of(number.div_euclid(12), number.rem_euclid(12), 0) * DAY_MICROS,
        });
        micros
            .filter(|&micros| check_moment(micros, 0).is_ok())
            .ok_or_else(|| {
                let shown: String = text.chars().take(40).collect();
                Error::InvalidBytes(format!("'{shown}' is not a valid {self:?} bucket"))
            })
    }

    /// The number of characters of a bucket.
    pub fn width(self) -> usize {
        match self {
            Unit::Hour => 10,
            Unit::Day => 8,
            Unit::Week => 7,
            Unit::Month => 6,
        }
    }

    /// Counts the buckets up to a moment, so that neighbours have neighbouring numbers.
    pub(crate) fn number_of(self, micros: i64) -> Result<i64> {
        check_moment(micros, 0).map_err(Error::InvalidValue)?;
        let days = micros.div_euclid(DAY_MICROS);
        Ok(match self {
            Unit::Hour => micros.div_euclid(HOUR_MICROS),
            Unit::Day => days,
            Unit::Week => (days + THURSDAY).div_euclid(7),
            Unit::Month => {
                let (year, month, _) = date_of(days);
                year * 12 + month
            }
        })
    }

    pub(crate) fn name(self, number: i64) -> String {
        match self {
            Unit::Hour => {
                format!(
                    "{}{:02}",
                    Unit::Day.name(number.div_euclid(24)),
                    number.rem_euclid(24)
                )
            }
            Unit::Day => {
                let (year, month, day) = date_of(number);
                format!("{year:04}{:02}{:02}", month + 1, day + 1)
            }
            Unit::Week => {
                // A week belongs to the year of its Thursday.
                let thursday = 7 * number;
                let (year, ..) = date_of(thursday);
                format!("{year:04}W{:02}", (thursday - days_of(year, 0, 0)) / 7 + 1)
            }
            Unit::Month => {
                format!(
                    "{:04}{:02}",
                    number.div_euclid(12),
                    number.rem_euclid(12) + 1
                )
            }
        }
    }

    fn parse_number(self, text: &str) -> Option<i64> {
        if text.len() != self.width() || !text.is_ascii() {
            return None;
        }
        let field = |at: usize, size: usize| text.get(at..at + size)?.parse::<i64>().ok();
        let year = field(0, 4)?;
        if self == Unit::Week {
            // The fourth of January lies in the first week.
            let first = (days_of(year, 0, 3) + THURSDAY).div_euclid(7);
            return Some(first + field(5, 2)? - 1);
        }
        let month = field(4, 2)? - 1;
        if self == Unit::Month {
            return Some(year * 12 + month);
        }
        if !(0..12).contains(&month) {
            return None;
        }
        let days = days_of(year, month, field(6, 2)? - 1);
        if self == Unit::Day {
            return Some(days);
        }
        Some(days * 24 + field(8, 2)?)
    }
}

/// Picks the shard of what tells the cells of one id apart, and names it: at least two digits, all
/// names of one width.
///
/// ```
/// assert_eq!(lexigraph_core::codec::rowid::shard_of(b"123456789", 16).unwrap(), "06");
/// ```
pub fn shard_of(spread: &[u8], shards: u32) -> Result<String> {
    check_shards(shards)?;
    Ok(shard_name(crc32(spread) % shards, shards))
}

pub(crate) fn check_shards(shards: u32) -> Result<()> {
    if (1..=MAX_SHARDS).contains(&shards) {
        return Ok(());
    }
    Err(Error::InvalidValue(format!(
        "there are 1 to {MAX_SHARDS} shards, not {shards}"
    )))
}

pub(crate) fn shard_name(number: u32, shards: u32) -> String {
    format!("{number:0width$}", width = shard_width(shards))
}

pub(crate) fn shard_width(shards: u32) -> usize {
    shards.saturating_sub(1).to_string().len().max(2)
}

/// Year, month and day (both counted from 0) of days since 1970-01-01, Gregorian throughout.
fn date_of(days: i64) -> (i64, i64, i64) {
    // Years begin in March here, so that the leap day comes last; 400 years have 146 097 days.
    let shifted = days + 719_468;
    let (era, day) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    // Five months from March on have 153 days.
    let month = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month + 2) / 5;
    let (carry, month) = ((month + 2) / 12, (month + 2) % 12);
    (era * 400 + year + carry, month, day_of_month)
}

/// Days since 1970-01-01 of a date with month and day counted from 0; undoes [`date_of`].
fn days_of(year: i64, month: i64, day: i64) -> i64 {
    let year = if month < 2 { year - 1 } else { year };
    let (era, in_era) = (year.div_euclid(400), year.rem_euclid(400));
    let from_march = (month + 10) % 12;
    let day_of_year = (153 * from_march + 2) / 5 + day;
    era * 146_097 + 365 * in_era + in_era / 4 - in_era / 100 + day_of_year - 719_468
}
