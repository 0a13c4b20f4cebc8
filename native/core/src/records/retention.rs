//! How long versions of facts are kept: the `history` of groups. Dropping what is not kept never changes an element.

use std::collections::HashMap;

use serde_json::Value as Json;

use super::kinds::{FactKind, FactState};
use super::values::Header;
use super::versions::end_of;
use crate::json::Node;
use crate::{Error, Result};

/// Microseconds.
const DAY: i128 = 86_400_000_000;

/// How much of a fact is kept.
#[derive(Debug, Clone, PartialEq)]
pub enum History {
    /// What is not older than so many days, as microseconds.
    Age { micros: i128, days: String },
    /// So many versions.
    Versions(usize),
}

/// How much history is kept: in general, and of properties of some names.
#[derive(Debug, Clone, Default)]
pub struct Retention {
    history: Option<History>,
    names: HashMap<Vec<u8>, Option<History>>,
    now: i128,
}

/// A version, as retention sees it.
#[derive(Debug, Clone)]
pub struct Version<'a> {
    pub time: i64,
    pub written: i64,
    pub state: FactState,
    /// The time up to which it ends other facts.
    pub end: Option<i64>,
    /// Up to when it says something; a marker does for ever.
    pub until: i128,
    pub value: &'a [u8],
}

/// Later than every time.
const FOREVER: i128 = i128::MAX;

impl<'a> Version<'a> {
    /// Takes a version of a fact.
    pub fn new(kind: FactKind, time: i64, header: &Header, value: &'a [u8]) -> Version<'a> {
        Version {
            time,
            written: header.stamp.unwrap_or(time),
            state: header.state,
            end: end_of(kind, time, header),
            until: match header.ended {
                None => header.expires(time).unwrap_or(FOREVER),
                Some(_) => FOREVER,
            },
            value,
        }
    }
}

impl Retention {
    /// Reads `history` and, by name, `names`: each `{"days": d}`, `{"versions": n}` or null.
    pub fn from_json(value: &Json, now: i64) -> Result<Retention> {
        let root = Node::new(value, "retention");
        root.expect(&[], &["history", "names"])?;
        let mut found = Retention {
            now: now.into(),
            ..Retention::default()
        };
        if let Some(history) = root.optional("history")? {
            found.history = History::from_json(&history)?;
        }
        if let Some(names) = root.optional("names")? {
            for (name, history) in names.members()? {
                let history = History::from_json(&history)?;
                found.names.insert(name.as_bytes().to_vec(), history);
            }
        }
        Ok(found)
    }

    /// The history of a fact; only values and metadata have a name.
    pub fn of(&self, kind: FactKind, name: &[u8]) -> Option<&History> {
        let own = match kind {
            FactKind::Value | FactKind::Metadata => self.names.get(name),
            _ => None,
        };
        own.unwrap_or(&self.history).as_ref()
    }

    /// Refuses an as-of time that lies before what is kept.
    pub fn check_as_of(&self, as_of: i64) -> Result<()> {
        let histories = std::iter::once(&self.history).chain(self.names.values());
        for history in histories.flatten() {
            match history {
                History::Versions(count) => {
                    return Err(Error::Usage(format!(
                        "the history keeps {count} versions of each value, not times; \
                         leave as_of out, or declare history=lg.keep(days=...)"
                    )))
                }
                History::Age { micros, days } if i128::from(as_of) < self.now - micros => {
                    return Err(Error::Usage(format!(
                        "the history goes back {days} days, not to {as_of}; ask for a later as_of time"
                    )))
                }
                History::Age { .. } => {}
            }
        }
        Ok(())
    }

    /// Which versions of one fact are kept, by their places, newest first; equal versions are one.
    pub fn kept(&self, versions: &[Version<'_>], history: Option<&History>) -> Vec<usize> {
        let mut left = after_removal(versions);
        if let Some(history) = history {
            left = self.remembered(versions, left, history);
        }
        let lives = |place: &usize| versions.get(*place).is_some_and(|one| one.until > self.now);
        left.retain(lives);
        left
    }

    fn remembered(
        &self,
        versions: &[Version<'_>],
        left: Vec<usize>,
        history: &History,
    ) -> Vec<usize> {
        let horizon = match history {
            History::Age { micros, .. } => self.now - micros,
            // Everything is past.
            History::Versions(_) => i128::MAX,
        };
        let is_past = |version: &Version<'_>| i128::from(version.time) <= horizon;
        let mut latest: Option<(i64, usize)> = None;
        for (place, version) in each(versions, &left) {
            if is_past(version) && version.until == FOREVER {
                // Of equal ends that of the newest version.
                if let Some(end) = version
                    .end
                    .filter(|end| latest.is_none_or(|(held, _)| *end > held))
                {
                    latest = Some((end, place));
                }
            }
        }
        let hidden_by = match history {
            History::Versions(count) => *count,
            History::Age { .. } => 1,
        };
        // Until when the newer versions of the past last, ascending.
        let mut newer: Vec<i128> = Vec::new();
        let mut kept = Vec::new();
        for (place, version) in each(versions, &left) {
            // A version is only forgotten if those that hide it do not expire before it does.
            let shorter = newer.partition_point(|until| *until < version.until);
            let is_recent = match history {
                History::Age { .. } => i128::from(version.time) >= horizon,
                History::Versions(_) => false,
            };
            let hides = newer.len() - shorter;
            // The removal and the latest end are kept for what is written later, with an earlier date.
            if version.state == FactState::Removed
                || latest.is_some_and(|(_, held)| held == place)
                || is_recent
                || is_past(version) && hides < hidden_by
            {
                kept.push(place);
            }
            if is_past(version) {
                newer.insert(shorter, version.until);
            }
        }
        kept
    }
}

impl History {
    fn from_json(node: &Node<'_>) -> Result<Option<History>> {
        if node.value().is_null() {
            return Ok(None);
        }
        node.expect(&[], &["days", "versions"])?;
        let given = |name: &str| {
            Ok::<_, Error>(node.optional(name)?.filter(|node| !node.value().is_null()))
        };
        if let Some(versions) = given("versions")? {
            return Ok(Some(History::Versions(
                versions.integer(1, u64::MAX)? as usize
            )));
        }
        let Some(days) = given("days")? else {
            return Err(node.fail("a history has days or versions"));
        };
        let micros = match (days.value().as_i64(), days.value().as_f64()) {
            (Some(whole), _) => i128::from(whole) * DAY,
            (None, Some(part)) => (part * DAY as f64) as i128,
            _ => return Err(days.fail("days are a number")),
        };
        Ok(Some(History::Age {
            micros,
            days: days.value().to_string(),
        }))
    }
}

fn each<'v, 'a>(
    versions: &'v [Version<'a>],
    places: &'v [usize],
) -> impl Iterator<Item = (usize, &'v Version<'a>)> {
    places
        .iter()
        .filter_map(|&place| Some((place, versions.get(place)?)))
}

/// The places of what a removal leaves, the removal itself too, newest first.
fn after_removal(versions: &[Version<'_>]) -> Vec<usize> {
    let rank = |place: usize| {
        let version = versions.get(place);
        version.map(|version| (version.time, version.written, version.value))
    };
    let mut places: Vec<usize> = (0..versions.len()).collect();
    places.sort_by(|one, other| rank(*other).cmp(&rank(*one)));
    places.dedup_by(|one, other| rank(*one) == rank(*other));
    let removed = each(versions, &places)
        .find(|(_, version)| version.state == FactState::Removed)
        .map(|(place, version)| (place, version.time));
    if let Some((removal, time)) = removed {
        let is_newer = |place: usize| versions.get(place).is_some_and(|one| one.time > time);
        places.retain(|&place| place == removal || is_newer(place));
    }
    places
}
