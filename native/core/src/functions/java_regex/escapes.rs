//! What stands behind a backslash.

use super::char_set::{CharSet, DIGITS, HORIZONTAL, SPACE, VERTICAL, WORD};
use super::translation::Translation;
use crate::Result;

/// One character, or a set of them.
pub(super) enum Escaped {
    One(char),
    Set(CharSet),
}

impl Translation<'_> {
    pub(super) fn escape(&mut self) -> Result<()> {
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
    pub(super) fn escaped(&mut self, letter: char) -> Result<Escaped> {
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
}
