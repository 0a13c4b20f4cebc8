//! Bytes read as Java reads them: bad UTF-8 replaced, one U+FFFD for each maximal part, and one for
//! a whole encoded surrogate.

use std::borrow::Cow;
use std::cmp::Ordering;

const REPLACEMENT: char = '\u{fffd}';

/// A character set that text stages read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Charset {
    Utf8,
    Latin1,
    Ascii,
}

impl Charset {
    /// The names that Java gives them, the default first.
    pub const NAMES: [&'static str; 3] = ["UTF-8", "ISO-8859-1", "US-ASCII"];

    pub fn named(name: &str) -> Charset {
        match name {
            "ISO-8859-1" => Charset::Latin1,
            "US-ASCII" => Charset::Ascii,
            _ => Charset::Utf8,
        }
    }

    /// Reads bytes as text; copies only what cannot be taken as it is.
    pub fn decode(self, data: &[u8]) -> Cow<'_, str> {
        match (self, std::str::from_utf8(data)) {
            (Charset::Utf8, Ok(text)) => Cow::Borrowed(text),
            (_, Ok(text)) if data.is_ascii() => Cow::Borrowed(text),
            (Charset::Utf8, Err(_)) => Cow::Owned(decode_bad(data)),
            (Charset::Latin1, _) => Cow::Owned(data.iter().copied().map(char::from).collect()),
            (Charset::Ascii, _) => {
                let read = |&byte: &u8| match byte {
                    0..0x80 => char::from(byte),
                    _ => REPLACEMENT,
                };
                Cow::Owned(data.iter().map(read).collect())
            }
        }
    }
}

fn decode_bad(data: &[u8]) -> String {
    let mut text = String::with_capacity(data.len());
    let mut rest = data;
    while let Err(error) = std::str::from_utf8(rest) {
        let (good, bad) = rest.split_at(error.valid_up_to());
        text.push_str(&String::from_utf8_lossy(good));
        text.push(REPLACEMENT);
        // ED A0..BF starts a surrogate: Java takes both bytes and a continuation byte behind them.
        let length = match bad {
            [0xed, 0xa0..=0xbf, 0x80..=0xbf, ..] => 3,
            [0xed, 0xa0..=0xbf, ..] => 2,
            _ => error.error_len().unwrap_or(bad.len()),
        };
        rest = bad.get(length..).unwrap_or_default();
    }
    text.push_str(&String::from_utf8_lossy(rest));
    text
}

/// Compares text as Java does: by UTF-16 units.
pub fn utf16_cmp(left: &str, right: &str) -> Ordering {
    left.encode_utf16().cmp(right.encode_utf16())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_parts_are_replaced_once_each() {
        let cases: [(&[u8], &str); 5] = [
            (b"a\xff", "a\u{fffd}"),
            (b"\xed\xa0\x80!", "\u{fffd}!"),
            (b"\xed\xa0", "\u{fffd}"),
            (b"\xf0\x9f\x98", "\u{fffd}"),
            (b"\xe2\x82x", "\u{fffd}x"),
        ];
        for (bytes, text) in cases {
            assert_eq!(Charset::Utf8.decode(bytes), text, "{bytes:02x?}");
        }
    }

    #[test]
    fn text_beyond_the_first_plane_sorts_before_its_end() {
        assert_eq!(utf16_cmp("\u{1f600}", "\u{ff5e}"), Ordering::Less);
    }
}
