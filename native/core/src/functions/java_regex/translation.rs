//! A pattern in Java's syntax on its way into that of the regex crate, one character at a time.

use std::collections::BTreeSet;

use super::char_set::{write_char, CharSet, LINE_ENDS};
use crate::{Error, Result};

/// What a repeat would stand behind.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    Nothing,
    Atom,
    Assertion,
    Repeat,
}

#[derive(Clone, Copy)]
pub(super) struct Flags {
    pub(super) case: bool,
    pub(super) dotall: bool,
    pub(super) multiline: bool,
}

pub(super) struct Translation<'a> {
    pattern: &'a str,
    what: &'a str,
    pub(super) rest: Vec<char>,
    pub(super) out: String,
    pub(super) before: Before,
    pub(super) flags: Flags,
    /// The flags outside of each open group, and whether a case flag was set inline within it.
    pub(super) groups: Vec<(Flags, bool)>,
    pub(super) inline_case: bool,
    pub(super) alternatives: bool,
    pub(super) names: BTreeSet<String>,
    /// Ends with a dollar, or has a `\z` somewhere.
    pub(super) dollar: bool,
    pub(super) end: bool,
}

impl<'a> Translation<'a> {
    pub(super) fn new(pattern: &'a str, what: &'a str) -> Translation<'a> {
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

    pub(super) fn run(&mut self) -> Result<()> {
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

    pub(super) fn dollar(&mut self) -> Result<()> {
        if !self.rest.is_empty() || !self.groups.is_empty() {
            return Err(self.unsupported("a '$' before the end"));
        }
        self.dollar = true;
        Ok(())
    }

    pub(super) fn assertion(&mut self, written: &str) -> Result<()> {
        self.out.push_str(written);
        self.before = Before::Assertion;
        Ok(())
    }

    pub(super) fn atom(&mut self, written: &str) {
        self.out.push_str(written);
        self.before = Before::Atom;
    }

    pub(super) fn literal(&mut self, letter: char) {
        if self.flags.case && letter.is_ascii_alphabetic() {
            self.set(CharSet::new(&[(letter, letter)], false));
        } else {
            write_char(letter, &mut self.out);
            self.before = Before::Atom;
        }
    }

    pub(super) fn set(&mut self, mut set: CharSet) {
        if self.flags.case {
            set.fold_case();
        }
        set.write(&mut self.out);
        self.before = Before::Atom;
    }

    fn alternative(&mut self) -> Result<()> {
        if self.inline_case {
            return Err(self.refused("'|' after an inline flag"));
        }
        self.alternatives |= self.groups.is_empty();
        self.out.push('|');
        self.before = Before::Nothing;
        Ok(())
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
            Some('*' | '+' | '?' | '{') => Err(self.unsupported("a repeat after a lazy one")),
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

    pub(super) fn refused(&self, found: &str) -> Error {
        Error::InvalidOption(format!(
            "{} {:?} has {found}, which is not in the subset of Java's syntax that is supported",
            self.what, self.pattern
        ))
    }

    pub(super) fn unsupported(&self, found: &str) -> Error {
        Error::Unsupported(format!(
            "{} {:?} has {found}, which the native core cannot match; run this stage in Python",
            self.what, self.pattern
        ))
    }
}
