//! Classes of characters in brackets; classes within classes and intersections are refused.

use super::char_set::CharSet;
use super::escapes::Escaped;
use super::translation::Translation;
use crate::Result;

impl Translation<'_> {
    pub(super) fn class(&mut self) -> Result<()> {
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
}
