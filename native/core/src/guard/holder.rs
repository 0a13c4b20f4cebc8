//! Who holds the writer lock: written into the lock file, for those who wait in vain.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The text starts here; the bytes before it are only locked, never written.
const TEXT: u64 = 16;
const LENGTH: usize = 240;

/// The holder of the writer lock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Holder {
    pub pid: u32,
    /// Since the epoch.
    pub since: Duration,
    pub doing: String,
}

impl Holder {
    pub fn now(doing: &str) -> Holder {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        Holder {
            pid: std::process::id(),
            // As exact as it is written.
            since: Duration::from_micros(since.unwrap_or_default().as_micros() as u64),
            doing: doing.into(),
        }
    }

    /// Failing to leave a name is no reason not to write: the answer is ignored.
    pub fn write(&self, file: &File) {
        let line = format!("{} {} {}", self.pid, self.since.as_micros(), self.doing);
        let mut bytes = line.into_bytes();
        bytes.resize(LENGTH, b' ');
        let _ = file.write_at(&bytes, TEXT);
    }

    /// What the last holder wrote; none where no text is whole.
    pub fn read(file: &File) -> Option<Holder> {
        let mut bytes = [0; LENGTH];
        let length = file.read_at(&mut bytes, TEXT).ok()?;
        let text = String::from_utf8_lossy(bytes.get(..length)?);
        let mut words = text.trim_end().splitn(3, ' ');
        Some(Holder {
            pid: words.next()?.parse().ok()?,
            since: Duration::from_micros(words.next()?.parse().ok()?),
            doing: words.next()?.into(),
        })
    }

    /// For a message: "process 12 (bulk load, since 2026-01-31 12:00:00 UTC, 3.2 s ago)".
    pub fn describe(&self) -> String {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let ago = now.unwrap_or_default().saturating_sub(self.since);
        format!(
            "process {} ({}, since {}, {:.1} s ago)",
            self.pid,
            self.doing,
            date(self.since.as_secs()),
            ago.as_secs_f64()
        )
    }
}

/// The date of a second since the epoch.
fn date(seconds: u64) -> String {
    // Days from 0000-03-01, in eras of 400 years; a year that starts in March ends with its leap day.
    let days = seconds / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = match month {
        0..=9 => (era * 400 + year, month + 3),
        _ => (era * 400 + year + 1, month - 9),
    };
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn seconds_are_shown_as_dates() {
        for (seconds, shown) in [
            (0, "1970-01-01 00:00:00 UTC"),
            (951_782_399, "2000-02-28 23:59:59 UTC"),
            (951_782_400, "2000-02-29 00:00:00 UTC"),
            (1_735_689_599, "2024-12-31 23:59:59 UTC"),
            (4_107_542_400, "2100-03-01 00:00:00 UTC"),
        ] {
            assert_eq!(date(seconds), shown);
        }
    }
}
