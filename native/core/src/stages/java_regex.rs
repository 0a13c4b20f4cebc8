//! Java's regular expressions for the regex crate: read alike, translated, refused or left to others.
//!
//! Every character set is written out, so `\d`, `\w`, `\s` and `(?i)` are ASCII, as in Java. What the
//! Python face refuses is InvalidOption here too; what it reads and this crate cannot (look-around,
//! references, possessive repeats, `\b`, a dollar inside) is Unsupported, never guessed. Only whether
//! a text matches counts, so greedy and lazy repeats are one.

use std::collections::BTreeSet;

use regex::Regex;

use super::java_class::{
    write_char, CharSet, DIGITS, HORIZONTAL, LINE_ENDS, SPACE, VERTICAL, WORD,
};
use crate::{Error, Result};

/// A compiled pattern, asked for a whole text or for a part of it.
#[derive(Debug, Clone)]
pub struct JavaRegex {
    regex: Regex,
    /// Ends with a dollar: a match may end before the last line end too.
    before_line_end: bool,
}

impl JavaRegex {
    /// Compiles a pattern; `what` names the option in errors. It matches a whole text, or with
    /// `substring` a part of it.
    pub fn new(pattern: &str, substring: bool, what: &str) -> Result<JavaRegex> {
        let mut translation = Translation::new(pattern, what);
        translation.run()?;
        let Translation { out, dollar, .. } = &translation;
        let written = match (substring, *dollar) {
            (false, _) => format!("\\A(?:{out})\\z"),
            (true, true) => format!("(?:{out})\\z"),
            (true, false) => out.clone(),
        };
        let regex = Regex::new(&written)
            .map_err(|error| translation.unsupported(&format!("something else: {error}")))?;
        Ok(JavaRegex {
            regex,
            before_line_end: substring && *dollar,
        })
    }

    /// Whether the text matches.
    pub fn is_match(&self, text: &str) -> bool {
        self.regex.is_match(text)
            || (self.before_line_end && self.regex.is_match(without_line_end(text)))
    }
}

fn without_line_end(text: &str) -> &str {
    text.strip_suffix("\r\n")
        .or_else(|| text.strip_suffix(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']))
        .unwrap_or(text)
}

/// What a repeat would stand behind.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    Atom,
    Assertion,
    Repeat,
}

#[derive(Clone, Copy)]
struct Flags {
    case: bool,
    dotall: bool,
    multiline: bool,
}

struct Translation<'a> {
    pattern: &'a str,
    what: &'a str,
    rest: Vec<char>,
    out: String,
    before: Before,
    flags: Flags,
    /// The flags outside of each open group, and whether a case flag was set inline within it.
    groups: Vec<(Flags, bool)>,
    inline_case: bool,
    alternatives: bool,
    names: BTreeSet<String>,
    /// Ends with a dollar, or has a `\z` somewhere.
    dollar: bool,
    end: bool,
}

impl<'a> Translation<'a> {
    fn new(pattern: &'a str, what: &'a str) -> Translation<'a> {
        Translation {
            pattern,
            what,
            rest: pattern.chars().rev().collect(),
            out: String::new(),
            before: Before::Nothing,
            flags: Flags {
                case: false,
                dotall: false,
                multiline: false,
            },
            groups: Vec::new(),
            inline_case: false,
            alternatives: false,
            names: BTreeSet::new(),
            dollar: false,
            end: false,
        }
    }

    fn run(&mut self) -> Result<()> {
        while let Some(letter) = self.rest.pop() {
            self.step(letter)?;
        }
        if !self.groups.is_empty() {
            return Err(self.refused("a group without its ')'"));
        }
        if self.dollar && (self.alternatives || self.end) {
            return Err(self.unsupported("'|' or '\\z' and a '$'"));
        }
        Ok(())
    }

    fn step(&mut self, letter: char) -> Result<()> {
        match letter {
            '\\' => self.escape(),
            '[' => self.class(),
            '(' => self.group(),
            ')' => self.close(),
            '|' => self.alternative(),
            '.' => {
                if self.flags.dotall {
                    self.atom("(?s:.)");
                } else {
                    self.set(CharSet::new(&LINE_ENDS, true));
                }
                Ok(())
            }
            '^' if !self.flags.multiline => self.assertion("\\A"),
            '$' if !self.flags.multiline => self.dollar(),
            '^' | '$' => Err(self.unsupported("a line's start or end")),
            '*' | '+' | '?' => self.repeat(letter, &letter.to_string()),
            '{' => self.braces(),
            _ => {
                self.literal(letter);
                Ok(())
            }
        }
    }

    fn dollar(&mut self) -> Result<()> {
        if !self.rest.is_empty() || !self.groups.is_empty() {
            return Err(self.unsupported("a '$' before the end"));
        }
        self.dollar = true;
        Ok(())
    }

    fn assertion(&mut self, written: &str) -> Result<()> {
        self.out.push_str(written);
        self.before = Before::Assertion;
        Ok(())
    }

    fn atom(&mut self, written: &str) {
        self.out.push_str(written);
        self.before = Before::Atom;
    }

    fn literal(&mut self, letter: char) {
        if self.flags.case && letter.is_ascii_alphabetic() {
            self.set(CharSet::new(&[(letter, letter)], false));
        } else {
            write_char(letter, &mut self.out);
            self.before = Before::Atom;
        }
    }

    fn set(&mut self, mut set: CharSet) {
        if self.flags.case {
            set.fold_case();
        }
        set.write(&mut self.out);
        self.before = Before::Atom;
    }

    fn alternative(&mut self) -> Result<()> {
        if self.inline_case {
            return Err(self.refused("'|' behind an inline flag"));
        }
        self.alternatives |= self.groups.is_empty();
        self.out.push('|');
        self.before = Before::Nothing;
        Ok(())
    }

    fn close(&mut self) -> Result<()> {
        let Some((flags, inline_case)) = self.groups.pop() else {
            return Err(self.refused("a ')' without its group"));
        };
        (self.flags, self.inline_case) = (flags, inline_case);
        self.atom(")");
        Ok(())
    }

    fn open(&mut self, flags: Flags) {
        self.groups.push((self.flags, self.inline_case));
        (self.flags, self.inline_case) = (flags, false);
        self.out.push_str("(?:");
        self.before = Before::Nothing;
    }

    fn repeat(&mut self, sign: char, written: &str) -> Result<()> {
        match self.before {
            Before::Nothing => return Err(self.refused("a repeat of nothing")),
            Before::Repeat if sign == '?' => {
                // Lazy: the same texts match.
                self.before = Before::Nothing;
                return self.lazy();
            }
            Before::Repeat if sign == '+' => return Err(self.unsupported("a possessive repeat")),
            Before::Repeat => return Err(self.refused("a repeat of a repeat")),
            Before::Assertion => return Err(self.unsupported("a repeat of an assertion")),
            Before::Atom => {}
        }
        self.out.push_str(written);
        self.before = Before::Repeat;
        Ok(())
    }

    fn lazy(&mut self) -> Result<()> {
        match self.rest.last() {
            Some('*' | '+' | '?' | '{') => Err(self.unsupported("a repeat behind a lazy one")),
            _ => Ok(()),
        }
    }

    fn braces(&mut self) -> Result<()> {
        let end = self.rest.iter().rposition(|&letter| letter == '}');
        let inside: Option<String> = end.map(|end| self.rest.iter().skip(end + 1).rev().collect());
        let bounds = inside.as_deref().and_then(|inside| {
            let (least, most) = match inside.split_once(',') {
                Some((least, most)) => (least, Some(most)),
                None => (inside, None),
            };
            let number = |text: &str| {
                let digits = text.bytes().all(|digit| digit.is_ascii_digit());
                text.parse::<u32>().ok().filter(|_| digits)
            };
            match (number(least), most) {
                (Some(least), None) => Some((least, Some(least))),
                (Some(least), Some("")) => Some((least, None)),
                (Some(least), Some(most)) => Some((least, Some(number(most)?))),
                _ => None,
            }
        });
        let (Some(end), Some((least, most))) = (end, bounds) else {
            return Err(self.unsupported("a '{' that counts nothing"));
        };
        self.rest.truncate(end);
        match most {
            Some(most) if most < least => Err(self.refused("a repeat with its bounds reversed")),
            Some(most) => self.repeat('{', &format!("{{{least},{most}}}")),
            None => self.repeat('{', &format!("{{{least},}}")),
        }
    }

    fn escape(&mut self) -> Result<()> {
        let Some(letter) = self.rest.pop() else {
            return Err(self.refused("a lone backslash at the end"));
        };
        match letter {
            'Q' => {
                self.quoted();
                Ok(())
            }
            'A' => self.assertion("\\A"),
            'z' => {
                self.end = true;
                self.assertion("\\z")
            }
            'Z' => self.dollar(),
            'h' => {
                self.set(CharSet::new(&HORIZONTAL, false));
                Ok(())
            }
            'v' => {
                self.set(CharSet::new(&VERTICAL, false));
                Ok(())
            }
            'b' | 'B' => Err(self.unsupported("a word's edge")),
            'k' | '1'..='9' => Err(self.unsupported("a reference to a group")),
            _ => {
                match self.escaped(letter)? {
                    Escaped::One(letter) => self.literal(letter),
                    Escaped::Set(set) => self.set(set),
                }
                Ok(())
            }
        }
    }

    fn quoted(&mut self) {
        while let Some(letter) = self.rest.pop() {
            if letter == '\\' && self.rest.last() == Some(&'E') {
                self.rest.pop();
                return;
            }
            self.literal(letter);
        }
    }

    /// Reads what may stand behind a backslash inside of a class and outside.
    fn escaped(&mut self, letter: char) -> Result<Escaped> {
        let one = match letter {
            'd' | 'D' => return Ok(Escaped::Set(CharSet::new(&DIGITS, letter == 'D'))),
            'w' | 'W' => return Ok(Escaped::Set(CharSet::new(&WORD, letter == 'W'))),
            's' | 'S' => return Ok(Escaped::Set(CharSet::new(&SPACE, letter == 'S'))),
            't' => '\t',
            'n' => '\n',
            'r' => '\r',
            'f' => '\u{c}',
            'a' => '\u{7}',
            'e' => '\u{1b}',
            '0' => self.octal()?,
            'x' if self.rest.last() == Some(&'{') => self.code_point()?,
            'x' => self.hex(2)?,
            'u' => self.hex(4)?,
            'c' => match self.rest.pop() {
                Some(control) => self.code(u32::from(control) ^ 64)?,
                None => return Err(self.refused("the escape \\c")),
            },
            _ if letter.is_ascii_alphanumeric() => {
                return Err(self.refused(&format!("the escape \\{letter}")));
            }
            _ => letter,
        };
        Ok(Escaped::One(one))
    }

    fn octal(&mut self) -> Result<char> {
        let mut code = None;
        for most in [3, 7, 7] {
            let digit = self.rest.last().and_then(|letter| letter.to_digit(8));
            // A first digit above 3 leaves room for one more only.
            let Some(digit) = digit else { break };
            if most == 3 && digit > 3 {
                continue;
            }
            self.rest.pop();
            code = Some(code.unwrap_or(0) * 8 + digit);
        }
        match code {
            Some(code) => self.code(code),
            None => Err(self.refused("an octal escape without digits")),
        }
    }

    fn code_point(&mut self) -> Result<char> {
        self.rest.pop();
        let mut digits = String::new();
        while let Some(letter) = self.rest.pop() {
            if letter == '}' {
                break;
            }
            digits.push(letter);
        }
        let plain =
            (1..=6).contains(&digits.len()) && digits.bytes().all(|d| d.is_ascii_hexdigit());
        match u32::from_str_radix(&digits, 16) {
            Ok(code) if plain && code <= 0x10_ffff => self.code(code),
            _ => Err(self.refused("\\x{..} without a code point")),
        }
    }

    fn hex(&mut self, count: usize) -> Result<char> {
        let mut code = 0;
        for _ in 0..count {
            match self.rest.pop().and_then(|letter| letter.to_digit(16)) {
                Some(digit) => code = code * 16 + digit,
                None => return Err(self.refused("an escape without its hex digits")),
            }
        }
        self.code(code)
    }

    fn code(&self, code: u32) -> Result<char> {
        char::from_u32(code).ok_or_else(|| self.unsupported("half of a surrogate pair"))
    }

    fn class(&mut self) -> Result<()> {
        let mut set = CharSet::default();
        if self.rest.last() == Some(&'^') {
            self.rest.pop();
            set.negate();
        }
        let mut first = true;
        loop {
            let low = match self.class_item(first)? {
                None => break,
                Some(item) => item,
            };
            first = false;
            let ranged = self.rest.last() == Some(&'-')
                && self
                    .rest
                    .iter()
                    .rev()
                    .nth(1)
                    .is_some_and(|&next| next != ']');
            if !ranged {
                match low {
                    Escaped::One(letter) => set.add(letter, letter),
                    Escaped::Set(inner) => set.add_set(&inner),
                }
                continue;
            }
            // The '-' that makes a range, unless it is half of a '--'.
            self.check_pair()?;
            self.rest.pop();
            match (low, self.class_item(false)?) {
                (Escaped::One(low), Some(Escaped::One(high))) if low <= high => set.add(low, high),
                _ => return Err(self.refused("a bad range in a class")),
            }
        }
        self.set(set);
        Ok(())
    }

    /// Reads one item of a class; nothing at its end.
    fn class_item(&mut self, first: bool) -> Result<Option<Escaped>> {
        self.check_pair()?;
        match self.rest.pop() {
            None => Err(self.refused("a class without its ']'")),
            Some('[') => Err(self.refused("a nested class")),
            Some(']') if !first => Ok(None),
            Some('\\') => match self.rest.pop() {
                None => Err(self.refused("a lone backslash at the end")),
                Some(letter) if "QbBzZAhvk".contains(letter) => {
                    Err(self.refused(&format!("the escape \\{letter} in a class")))
                }
                Some('1'..='9') => Err(self.unsupported("a digit escape in a class")),
                Some(letter) => self.escaped(letter).map(Some),
            },
            Some(letter) => Ok(Some(Escaped::One(letter))),
        }
    }

    fn check_pair(&self) -> Result<()> {
        match self.rest.as_slice() {
            [.., '&', '&'] | [.., '-', '-'] => Err(self.refused("'&&' or '--' in a class")),
            _ => Ok(()),
        }
    }

    fn group(&mut self) -> Result<()> {
        if self.rest.last() != Some(&'?') {
            self.open(self.flags);
            return Ok(());
        }
        self.rest.pop();
        match self.rest.as_slice() {
            [.., ':'] => {
                self.rest.pop();
                self.open(self.flags);
                Ok(())
            }
            [.., '=' | '!' | '>'] | [.., '=' | '!', '<'] => {
                Err(self.unsupported("look-around or an atomic group"))
            }
            [.., 'a'..='z' | 'A'..='Z', '<'] => self.named_group(),
            _ => self.flag_group(),
        }
    }

    fn named_group(&mut self) -> Result<()> {
        self.rest.pop();
        let mut name = String::new();
        while let Some(letter) = self.rest.pop() {
            if letter == '>' {
                if !self.names.insert(name) {
                    return Err(self.refused("two groups of one name"));
                }
                self.open(self.flags);
                return Ok(());
            }
            if !letter.is_ascii_alphanumeric() {
                return Err(self.unsupported("such a name of a group"));
            }
            name.push(letter);
        }
        Err(self.refused("a name of a group without its '>'"))
    }

    fn flag_group(&mut self) -> Result<()> {
        let mut flags = self.flags;
        let (mut on, mut case, mut counted) = (true, None, 0);
        loop {
            counted += 1;
            match self.rest.pop() {
                Some('i') => {
                    // Where a flag stands on both sides, Python turns case off last but writes on.
                    case = case.or(Some(on));
                    flags.case = case.unwrap_or(on);
                }
                Some('s') => flags.dotall = on,
                Some('m') => flags.multiline = on,
                Some('-') if on => {
                    on = false;
                    if !self.rest.last().is_some_and(char::is_ascii_alphabetic) {
                        return Err(self.refused("this kind of group"));
                    }
                }
                Some(':') if counted > 1 => {
                    self.open(flags);
                    return Ok(());
                }
                Some(')') => break,
                _ => return Err(self.refused("this kind of group, or flags other than i, s, m")),
            }
        }
        self.flags = flags;
        if case.is_some() {
            self.inline_case = true;
            self.before = Before::Nothing;
        }
        Ok(())
    }

    fn refused(&self, found: &str) -> Error {
        Error::InvalidOption(format!(
            "{} {:?} has {found}, which is not in the subset of Java's syntax that is supported",
            self.what, self.pattern
        ))
    }

    fn unsupported(&self, found: &str) -> Error {
        Error::Unsupported(format!(
            "{} {:?} has {found}, which the native core cannot match; run this stage in Python",
            self.what, self.pattern
        ))
    }
}

enum Escaped {
    One(char),
    Set(CharSet),
}
