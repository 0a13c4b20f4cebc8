//! Moments rounded down to the start of their hour, week, month and so on, in UTC.

use crate::codec::Value;
use crate::{Error, Result};

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;
/// The first day of the year 1: its week starts before the calendar.
const FIRST_DAY: i64 = -719_162;

/// A span of time that moments are counted by. Weeks start on Monday.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bucket {
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
}

impl Bucket {
    /// The words in a plan.
    pub const NAMES: [(&'static str, Bucket); 7] = [
        ("second", Bucket::Second),
        ("minute", Bucket::Minute),
        ("hour", Bucket::Hour),
        ("day", Bucket::Day),
        ("week", Bucket::Week),
        ("month", Bucket::Month),
        ("year", Bucket::Year),
    ];

    /// Whether it consists of whole days.
    pub fn is_days(self) -> bool {
        !matches!(self, Bucket::Second | Bucket::Minute | Bucket::Hour)
    }

    /// The start of the bucket that a moment falls into.
    pub(crate) fn start(self, moment: &Value) -> Result<Value> {
        match moment {
            Value::Date(days) => {
                let first = self.first_day(i64::from(*days));
                let refused = |_| Error::InvalidValue("the date is not valid".into());
                Ok(Value::Date(i32::try_from(first).map_err(refused)?))
            }
            Value::NaiveDatetime(micros) => Ok(Value::NaiveDatetime(self.first_micro(*micros))),
            Value::Datetime { micros, .. } => Ok(Value::Datetime {
                micros: self.first_micro(*micros),
                offset: 0,
            }),
            other => Err(Error::InvalidValue(format!(
                "'time-series' counts moments, not {}",
                other.kind()
            ))),
        }
    }

    fn first_micro(self, micros: i64) -> i64 {
        let span = match self {
            Bucket::Second => SECOND,
            Bucket::Minute => 60 * SECOND,
            Bucket::Hour => 3600 * SECOND,
            _ => return self.first_day(micros.div_euclid(DAY)).saturating_mul(DAY),
        };
        micros.div_euclid(span).saturating_mul(span)
    }

    fn first_day(self, days: i64) -> i64 {
        match self {
            // 1970-01-01 was a Thursday.
            Bucket::Week => (days - (days + 3).rem_euclid(7)).max(FIRST_DAY),
            Bucket::Month => days - (civil(days).2 - 1),
            Bucket::Year => {
                let (year, ..) = civil(days);
                january_first(year)
            }
            _ => days,
        }
    }
}

/// Year, month and day of the proleptic Gregorian calendar.
fn civil(days: i64) -> (i64, i64, i64) {
    // Counted from 1 March of the year 0, so that a leap day ends its year.
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

fn january_first(year: i64) -> i64 {
    let before = year - 1;
    before * 365 + before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400) - 719_162
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_of_eight_hundred_years_has_its_date() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(20_455), (2026, 1, 2));
        assert_eq!(january_first(1970), 0);
        let mut last = civil(-200_000);
        for days in -199_999..100_000 {
            let (year, month, day) = civil(days);
            match day {
                1 if month == 1 => assert_eq!((last.0 + 1, days), (year, january_first(year))),
                1 => assert_eq!((last.0, last.1 + 1), (year, month)),
                _ => assert_eq!((last.0, last.1, last.2 + 1), (year, month, day)),
            }
            last = (year, month, day);
        }
    }
}
