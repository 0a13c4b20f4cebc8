//! The tokens that a reader holds, in Accumulo's serialised form: `!AUTH1:` and the sorted tokens
//! in base64, joined by commas.

use super::base64;
use crate::{Error, Result};
use std::collections::BTreeSet;

const HEADER: &[u8] = b"!AUTH1:";

/// A set of non-empty tokens.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Authorizations {
    tokens: BTreeSet<Vec<u8>>,
}

/// As whom one reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum View {
    /// The owner's view: sees every cell, even one whose label cannot be parsed.
    All,
    /// What these authorizations allow.
    Of(Authorizations),
}

impl Authorizations {
    /// Collects tokens; an empty one is refused.
    pub fn new<T: AsRef<[u8]>>(tokens: impl IntoIterator<Item = T>) -> Result<Authorizations> {
        let tokens: BTreeSet<Vec<u8>> = tokens
            .into_iter()
            .map(|token| token.as_ref().to_vec())
            .collect();
        if tokens.contains(&[][..]) {
            return Err(Error::InvalidValue(
                "an authorization cannot be empty".to_owned(),
            ));
        }
        Ok(Authorizations { tokens })
    }

    /// Reads the serialised form, or the older list of tokens joined by commas.
    pub fn parse(text: &[u8]) -> Result<Authorizations> {
        let tokens = match text.strip_prefix(HEADER) {
            Some(list) => split(list).map(decode).collect::<Result<Vec<_>>>()?,
            None => {
                let list = String::from_utf8_lossy(text);
                split(list.as_bytes())
                    .map(|part| trim(part).to_vec())
                    .collect()
            }
        };
        if let Some(place) = tokens.iter().position(Vec::is_empty) {
            let message = format!("authorization {} of the list is empty", place + 1);
            return Err(Error::InvalidBytes(message));
        }
        Authorizations::new(tokens)
    }

    /// Returns the form that `parse` reads back.
    pub fn serialise(&self) -> Vec<u8> {
        let mut out = HEADER.to_vec();
        for (place, token) in self.tokens.iter().enumerate() {
            if place > 0 {
                out.push(b',');
            }
            base64::encode(token, &mut out);
        }
        out
    }

    /// Whether the token is held.
    pub fn contains(&self, token: &[u8]) -> bool {
        self.tokens.contains(token)
    }

    /// The tokens in byte order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.tokens.iter().map(Vec::as_slice)
    }
}

/// Splits as Java does: fields that are empty at the end do not count.
fn split(list: &[u8]) -> impl Iterator<Item = &[u8]> {
    let length = list
        .iter()
        .rposition(|&byte| byte != b',')
        .map_or(0, |last| last + 1);
    let counted = list.get(..length).unwrap_or_default();
    counted
        .split(|&byte| byte == b',')
        .take(if length == 0 { 0 } else { usize::MAX })
}

/// Takes off what Java's `String.trim` does: every control character and the space.
fn trim(mut part: &[u8]) -> &[u8] {
    while let [0..=b' ', rest @ ..] | [rest @ .., 0..=b' '] = part {
        part = rest;
    }
    part
}

fn decode(part: &[u8]) -> Result<Vec<u8>> {
    base64::decode(part).ok_or_else(|| {
        let shown = String::from_utf8_lossy(part);
        Error::InvalidBytes(format!("{shown:?} is not a token in base64"))
    })
}
