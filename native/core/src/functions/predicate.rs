//! Predicates: questions about the fields of an element, as data.
//!
//! Values are key forms, so every language compares bytes and gives the same answer. A comparison
//! with an absent field is false, also `ne`. A predicate is bound once to the fields of a group
//! and then asked for each element.

use std::sync::Arc;

use super::contents::{AgeOff, Contains, Length, Matches, Substring};
use super::key_set::KeySet;
use crate::codec::{Codec, Value};
use crate::{Error, Result};

/// How a field is compared with a key form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// A question with its fields by name, as a scan gives it.
pub type Predicate = Test<String>;

/// A question about one element; `F` says where a field is found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Test<F> {
    Compare {
        how: Comparison,
        field: F,
        value: Vec<u8>,
    },
    /// Two fields of one codec.
    CompareFields {
        how: Comparison,
        field: F,
        other: F,
    },
    Matches(F, Matches),
    Substring(F, Substring),
    Contains(F, Contains),
    Length(F, Length),
    AgeOff(F, AgeOff),
    /// The values are sorted.
    AnyOf {
        field: F,
        values: Vec<Vec<u8>>,
    },
    /// The set is one of the scan.
    InSet {
        field: F,
        set: Arc<KeySet>,
    },
    Exists(F),
    And(Vec<Test<F>>),
    Or(Vec<Test<F>>),
    Not(Box<Test<F>>),
}

/// What a field holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holds {
    /// The codec of its values, or of those in its collection.
    pub codec: Codec,
    /// The codec of what people see; none for a collection.
    pub result: Option<Codec>,
    /// Whether the collection is one of pairs.
    pub is_map: bool,
}

/// What a predicate asks of a group: where its fields are.
pub trait Fields {
    /// Where a field is found.
    type Field;

    /// Finds a field that has a key form.
    fn key_of(&self, name: &str) -> Result<Self::Field>;

    /// Finds a field to ask for its presence alone; works for sets too.
    fn presence_of(&self, name: &str) -> Result<Self::Field>;

    /// What a field holds.
    fn holds(&self, name: &str) -> Result<Holds>;
}

/// What a test asks of an element.
pub trait Lookup<F> {
    /// The key form of a field, none where it is absent; `scratch` is there to be filled.
    fn key<'a>(&'a self, field: &F, scratch: &'a mut Vec<u8>) -> Result<Option<&'a [u8]>>;

    /// The finished value of a field; null where it is absent.
    fn value(&self, field: &F) -> Result<Value>;

    /// Whether a field is there.
    fn has(&self, field: &F) -> Result<bool>;
}

impl Predicate {
    /// Looks up every field once.
    pub fn bind<S: Fields>(&self, fields: &S) -> Result<Test<S::Field>> {
        let all = |of: &[Predicate]| of.iter().map(|one| one.bind(fields)).collect::<Result<_>>();
        Ok(match self {
            Test::Compare { how, field, value } => Test::Compare {
                how: *how,
                field: fields.key_of(field)?,
                value: value.clone(),
            },
            Test::CompareFields { how, field, other } => {
                if fields.holds(field)?.result != fields.holds(other)?.result {
                    return Err(Error::InvalidOption(format!(
                        "'{field}' and '{other}' are of different types and cannot be compared"
                    )));
                }
                Test::CompareFields {
                    how: *how,
                    field: fields.key_of(field)?,
                    other: fields.key_of(other)?,
                }
            }
            Test::Matches(field, test) => {
                require(field, &fields.holds(field)?, "regex", &[Codec::Str])?;
                Test::Matches(fields.presence_of(field)?, test.clone())
            }
            Test::Substring(field, test) => {
                require(field, &fields.holds(field)?, "substring", &[Codec::Str])?;
                Test::Substring(fields.presence_of(field)?, test.clone())
            }
            Test::Contains(field, test) => {
                let bound = test.bound(field, &fields.holds(field)?)?;
                Test::Contains(fields.presence_of(field)?, bound)
            }
            Test::Length(field, test) => {
                let holds = fields.holds(field)?;
                if holds.result.is_some() {
                    require(field, &holds, "length", &[Codec::Str, Codec::Bytes])?;
                }
                Test::Length(fields.presence_of(field)?, *test)
            }
            Test::AgeOff(field, test) => {
                require(field, &fields.holds(field)?, "age-off", &AgeOff::CODECS)?;
                Test::AgeOff(fields.presence_of(field)?, *test)
            }
            Test::AnyOf { field, values } => Test::AnyOf {
                field: fields.key_of(field)?,
                values: values.clone(),
            },
            Test::InSet { field, set } => Test::InSet {
                field: fields.key_of(field)?,
                set: set.clone(),
            },
            Test::Exists(field) => Test::Exists(fields.presence_of(field)?),
            Test::And(of) => Test::And(all(of)?),
            Test::Or(of) => Test::Or(all(of)?),
            Test::Not(of) => Test::Not(Box::new(of.bind(fields)?)),
        })
    }
}

impl<F> Test<F> {
    /// Gives every field that it asks for.
    pub fn each_field(&self, visit: &mut impl FnMut(&F)) {
        match self {
            Test::Compare { field, .. }
            | Test::AnyOf { field, .. }
            | Test::InSet { field, .. }
            | Test::Exists(field) => visit(field),
            Test::CompareFields { field, other, .. } => {
                visit(field);
                visit(other);
            }
            Test::Matches(field, _)
            | Test::Substring(field, _)
            | Test::Contains(field, _)
            | Test::Length(field, _)
            | Test::AgeOff(field, _) => visit(field),
            Test::And(of) | Test::Or(of) => of.iter().for_each(|test| test.each_field(visit)),
            Test::Not(of) => of.each_field(visit),
        }
    }

    /// Whether it looks at the clock of its scan.
    pub fn is_timed(&self) -> bool {
        match self {
            Test::AgeOff(..) => true,
            Test::And(of) | Test::Or(of) => of.iter().any(Test::is_timed),
            Test::Not(of) => of.is_timed(),
            _ => false,
        }
    }

    /// Whether it holds for an element.
    pub fn holds<E: Lookup<F>>(&self, element: &E, scratch: &mut Vec<u8>) -> Result<bool> {
        Ok(match self {
            Test::Compare { how, field, value } => {
                let key = element.key(field, scratch)?;
                key.is_some_and(|key| how.holds(key, value))
            }
            Test::AnyOf { field, values } => {
                let key = element.key(field, scratch)?;
                key.is_some_and(|key| {
                    let found = values.binary_search_by(|value| value.as_slice().cmp(key));
                    found.is_ok()
                })
            }
            Test::InSet { field, set } => match element.key(field, scratch)? {
                Some(key) => set.contains(key)?,
                None => false,
            },
            Test::CompareFields { how, field, other } => {
                let mut second = Vec::new();
                match (
                    element.key(field, scratch)?,
                    element.key(other, &mut second)?,
                ) {
                    (Some(one), Some(other)) => how.holds(one, other),
                    _ => false,
                }
            }
            Test::Matches(field, test) => test.holds(&element.value(field)?),
            Test::Substring(field, test) => test.holds(&element.value(field)?),
            Test::Contains(field, test) => test.holds(&element.value(field)?, scratch)?,
            Test::Length(field, test) => test.holds(&element.value(field)?),
            Test::AgeOff(field, test) => test.holds(&element.value(field)?),
            Test::Exists(field) => element.has(field)?,
            Test::And(of) => {
                for test in of {
                    if !test.holds(element, scratch)? {
                        return Ok(false);
                    }
                }
                true
            }
            Test::Or(of) => {
                for test in of {
                    if test.holds(element, scratch)? {
                        return Ok(true);
                    }
                }
                false
            }
            Test::Not(of) => !of.holds(element, scratch)?,
        })
    }
}

fn require(field: &str, holds: &Holds, op: &str, codecs: &[Codec]) -> Result<()> {
    if holds
        .result
        .as_ref()
        .is_some_and(|held| codecs.contains(held))
    {
        return Ok(());
    }
    let names: Vec<&str> = codecs.iter().map(Codec::name).collect();
    let held = holds.result.as_ref().map_or("a collection", Codec::name);
    Err(Error::InvalidOption(format!(
        "'{op}' looks at {}; field '{field}' holds {held}",
        names.join(", ")
    )))
}

impl Comparison {
    pub(super) fn holds<T: Ord + ?Sized>(self, key: &T, value: &T) -> bool {
        match self {
            Comparison::Equal => key == value,
            Comparison::NotEqual => key != value,
            Comparison::Less => key < value,
            Comparison::LessOrEqual => key <= value,
            Comparison::Greater => key > value,
            Comparison::GreaterOrEqual => key >= value,
        }
    }
}
