//! Predicates: questions about the fields of an element, as data.
//!
//! Values are key forms, so every language compares bytes and gives the same answer. A comparison
//! with an absent field is false, also `ne`. A predicate is bound once to the fields of a group
//! and then asked for each element.

use crate::Result;

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
    /// The values are sorted.
    AnyOf {
        field: F,
        values: Vec<Vec<u8>>,
    },
    Exists(F),
    And(Vec<Test<F>>),
    Or(Vec<Test<F>>),
    Not(Box<Test<F>>),
}

/// What a predicate asks of a group: where its fields are.
pub trait Fields {
    /// Where a field is found.
    type Field;

    /// Finds a field that has a key form.
    fn key_of(&self, name: &str) -> Result<Self::Field>;

    /// Finds a field to ask for its presence alone; works for sets too.
    fn presence_of(&self, name: &str) -> Result<Self::Field>;
}

/// What a test asks of an element.
pub trait Lookup<F> {
    /// The key form of a field, none where it is absent; `scratch` is there to be filled.
    fn key<'a>(&'a self, field: &F, scratch: &'a mut Vec<u8>) -> Result<Option<&'a [u8]>>;

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
            Test::AnyOf { field, values } => Test::AnyOf {
                field: fields.key_of(field)?,
                values: values.clone(),
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
            Test::Compare { field, .. } | Test::AnyOf { field, .. } | Test::Exists(field) => {
                visit(field);
            }
            Test::And(of) | Test::Or(of) => of.iter().for_each(|test| test.each_field(visit)),
            Test::Not(of) => of.each_field(visit),
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

impl Comparison {
    fn holds(self, key: &[u8], value: &[u8]) -> bool {
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
