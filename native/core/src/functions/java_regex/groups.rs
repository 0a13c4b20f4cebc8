//! Groups and flags. Every group is written without a number: only whether a text matches counts.

use super::translation::{Before, Flags, Translation};
use crate::Result;

impl Translation<'_> {
    pub(super) fn group(&mut self) -> Result<()> {
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

    pub(super) fn close(&mut self) -> Result<()> {
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
}
