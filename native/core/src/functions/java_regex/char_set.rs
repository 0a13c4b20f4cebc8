//! A set of characters in a regular expression, with ASCII's idea of case.

/// Ranges of characters, and how they are written for the regex crate.
#[derive(Debug, Clone, Default)]
pub struct CharSet {
    ranges: Vec<(char, char)>,
    negated: bool,
}

pub const DIGITS: [(char, char); 1] = [('0', '9')];
pub const WORD: [(char, char); 4] = [('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')];
pub const SPACE: [(char, char); 2] = [('\t', '\r'), (' ', ' ')];
pub const HORIZONTAL: [(char, char); 9] = [
    ('\t', '\t'),
    (' ', ' '),
    ('\u{a0}', '\u{a0}'),
    ('\u{1680}', '\u{1680}'),
    ('\u{180e}', '\u{180e}'),
    ('\u{2000}', '\u{200a}'),
    ('\u{202f}', '\u{202f}'),
    ('\u{205f}', '\u{205f}'),
    ('\u{3000}', '\u{3000}'),
];
pub const VERTICAL: [(char, char); 3] =
    [('\n', '\r'), ('\u{85}', '\u{85}'), ('\u{2028}', '\u{2029}')];
pub const LINE_ENDS: [(char, char); 4] = [
    ('\n', '\n'),
    ('\r', '\r'),
    ('\u{85}', '\u{85}'),
    ('\u{2028}', '\u{2029}'),
];

impl CharSet {
    pub fn new(ranges: &[(char, char)], negated: bool) -> CharSet {
        CharSet {
            ranges: ranges.to_vec(),
            negated,
        }
    }

    pub fn add(&mut self, first: char, last: char) {
        self.ranges.push((first, last));
    }

    pub fn negate(&mut self) {
        self.negated = true;
    }

    /// Adds all characters of a set that may be negated itself.
    pub fn add_set(&mut self, other: &CharSet) {
        if !other.negated {
            self.ranges.extend_from_slice(&other.ranges);
            return;
        }
        let mut ranges = other.ranges.clone();
        ranges.sort_unstable();
        let mut free = '\0';
        for (first, last) in ranges {
            if first > free {
                if let Some(before) = previous(first) {
                    self.ranges.push((free, before));
                }
            }
            match next(last) {
                Some(behind) => free = free.max(behind),
                None => return,
            }
        }
        self.ranges.push((free, char::MAX));
    }

    /// Adds the other case of every ASCII letter in the set.
    pub fn fold_case(&mut self) {
        for place in 0..self.ranges.len() {
            let Some(&(first, last)) = self.ranges.get(place) else {
                return;
            };
            for (from, to, other) in [('A', 'Z', 'a'), ('a', 'z', 'A')] {
                let (low, high) = (first.max(from), last.min(to));
                if low <= high {
                    let shifted = |letter: char| {
                        let offset = u32::from(letter) - u32::from(from);
                        char::from_u32(u32::from(other) + offset)
                    };
                    if let (Some(low), Some(high)) = (shifted(low), shifted(high)) {
                        self.ranges.push((low, high));
                    }
                }
            }
        }
    }

    /// Appends the set in the regex crate's syntax.
    pub fn write(&self, out: &mut String) {
        out.push_str(if self.negated { "[^" } else { "[" });
        for (first, last) in &self.ranges {
            write_char(*first, out);
            out.push('-');
            write_char(*last, out);
        }
        out.push(']');
    }
}

/// Appends one character so that it means itself.
pub fn write_char(letter: char, out: &mut String) {
    if letter.is_ascii_alphanumeric() {
        out.push(letter);
    } else {
        out.push_str(&format!("\\x{{{:x}}}", u32::from(letter)));
    }
}

fn next(letter: char) -> Option<char> {
    match letter {
        '\u{d7ff}' => Some('\u{e000}'),
        _ => char::from_u32(u32::from(letter) + 1),
    }
}

fn previous(letter: char) -> Option<char> {
    match letter {
        '\u{e000}' => Some('\u{d7ff}'),
        _ => u32::from(letter).checked_sub(1).and_then(char::from_u32),
    }
}
