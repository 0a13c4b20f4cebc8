//! Java's regular expressions for the regex crate: read alike, translated, refused or left to others.
//!
//! Every character set is written out, so `\d`, `\w`, `\s` and `(?i)` are ASCII, as in Java. What the
//! Python face refuses is InvalidOption here too; what it reads and this crate cannot (look-around,
//! references, possessive repeats, `\b`, a dollar inside) is Unsupported, never guessed. Only whether
//! a text matches counts, so greedy and lazy repeats are one.

mod char_set;
mod classes;
mod escapes;
mod groups;
mod translation;

use regex::Regex;

use crate::Result;
use translation::Translation;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;

    fn matches(pattern: &str, substring: bool, text: &str) -> Result<bool> {
        JavaRegex::new(pattern, substring, "pattern").map(|regex| regex.is_match(text))
    }

    #[test]
    fn case_and_classes_are_those_of_ascii() -> Result<()> {
        assert!(matches("(?i)bar", false, "BaR")?);
        assert!(!matches("(?i)k", false, "\u{212a}")?);
        assert!(!matches(r"\d", false, "\u{0665}")?);
        assert!(matches("(?i)[^a]", false, "b")? && !matches("(?i)[^a]", false, "A")?);
        Ok(())
    }

    #[test]
    fn a_dollar_stands_before_the_last_line_end() -> Result<()> {
        for end in ["", "\n", "\r", "\r\n", "\u{85}", "\u{2028}"] {
            assert!(matches("a$", true, &format!("a{end}"))?, "{end:?}");
        }
        assert!(!matches("a$", true, "a\n\n")? && !matches("\r$", true, "\r\n")?);
        assert!(!matches("a$", false, "a\n")?);
        Ok(())
    }

    #[test]
    fn what_is_wrong_and_what_is_only_too_much_are_told_apart() {
        for wrong in [
            "(", ")", "*", "a**", "[a", "[a&&b]", r"\p{L}", "(?x)a", "a{2,1}", "[z-a]",
        ] {
            let outcome = JavaRegex::new(wrong, false, "pattern");
            assert!(matches!(outcome, Err(Error::InvalidOption(_))), "{wrong}");
        }
        for much in ["a(?=b)", r"(a)\1", "a++", r"\ba", "(?m)^a", "a$b", "a|b$"] {
            let outcome = JavaRegex::new(much, false, "pattern");
            assert!(matches!(outcome, Err(Error::Unsupported(_))), "{much}");
        }
    }
}
