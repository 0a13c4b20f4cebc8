//! Predicates read from their JSON form; every error says where in the predicate it lies.

use super::contents::{AgeOff, Contains, Length, Matches, Substring};
use super::key_set::Sets;
use super::predicate::{Comparison, Predicate, Test};
use crate::json::Node;
use crate::nearest::did_you_mean;
use crate::{Error, Result};

/// How deep predicates may nest, so that no scan can exhaust the stack of an engine.
const MAX_DEPTH: usize = 32;

const COMPARISONS: [(&str, Comparison); 6] = [
    ("eq", Comparison::Equal),
    ("ne", Comparison::NotEqual),
    ("lt", Comparison::Less),
    ("le", Comparison::LessOrEqual),
    ("gt", Comparison::Greater),
    ("ge", Comparison::GreaterOrEqual),
];

impl Predicate {
    /// Reads a predicate; `now` is the clock of its scan in microseconds, `sets` are its sets.
    pub fn parse(node: &Node<'_>, now: i64, sets: &Sets) -> Result<Predicate> {
        parse(node, now, sets, 1)
    }
}

fn parse(node: &Node<'_>, now: i64, sets: &Sets, depth: usize) -> Result<Predicate> {
    if depth > MAX_DEPTH {
        return Err(node.fail(format!("predicates nest at most {MAX_DEPTH} deep")));
    }
    let Some(op) = node.value().get("op").and_then(|op| op.as_str()) else {
        return Err(node.fail("a predicate is an object with an 'op'"));
    };
    let field = || node.member("field")?.text().map(String::from);
    if let Some((_, how)) = COMPARISONS.iter().find(|(name, _)| *name == op) {
        if let Some(other) = node.optional("other")? {
            node.expect(&["op", "field", "other"], &[])?;
            return Ok(Test::CompareFields {
                how: *how,
                field: field()?,
                other: other.text()?.into(),
            });
        }
        node.expect(&["op", "field", "value"], &[])?;
        return Ok(Test::Compare {
            how: *how,
            field: field()?,
            value: node.member("value")?.bytes()?,
        });
    }
    match op {
        "in" if node.optional("set")?.is_some() => {
            node.expect(&["op", "field", "set"], &[])?;
            let (field, named) = (field()?, node.member("set")?);
            let name = named.text()?;
            let Some(set) = sets.get(name) else {
                let near = did_you_mean(name, sets.keys().map(String::as_str));
                return Err(named.fail(format!(
                    "the scan has no set '{name}'{near}; pass it in 'sets' of the scan"
                )));
            };
            let set = set.clone();
            Ok(Test::InSet { field, set })
        }
        "in" => {
            node.expect(&["op", "field", "values"], &[])?;
            let items = node.member("values")?.items()?;
            let mut values: Vec<Vec<u8>> = items.iter().map(Node::bytes).collect::<Result<_>>()?;
            values.sort();
            let field = field()?;
            Ok(Test::AnyOf { field, values })
        }
        "regex" => {
            node.expect(&["op", "field", "pattern"], &[])?;
            let pattern = node.member("pattern")?;
            let test = Matches::new(pattern.text()?).map_err(|error| match error {
                Error::InvalidOption(why) => pattern.fail(why),
                other => other,
            })?;
            Ok(Test::Matches(field()?, test))
        }
        "substring" => {
            node.expect(&["op", "field", "value"], &["ignore_case"])?;
            let ignore = node.optional("ignore_case")?;
            let test = Substring {
                value: node.member("value")?.text()?.into(),
                ignore_case: ignore.map_or(Ok(false), |flag| flag.flag())?,
            };
            Ok(Test::Substring(field()?, test))
        }
        "contains" => {
            node.expect(&["op", "field", "value"], &[])?;
            let value = node.member("value")?.bytes()?;
            Ok(Test::Contains(field()?, Contains::new(value)))
        }
        "length" => {
            node.expect(&["op", "field", "compare", "size"], &[])?;
            let test = Length {
                how: node.member("compare")?.choice(&COMPARISONS)?,
                size: integer(&node.member("size")?)?,
            };
            Ok(Test::Length(field()?, test))
        }
        "age-off" => {
            node.expect(&["op", "field", "ttl"], &[])?;
            let field = field()?;
            let unit = if field == "timestamp" { 1 } else { 1000 };
            let ttl = integer(&node.member("ttl")?)?;
            Ok(Test::AgeOff(field, AgeOff { ttl, now, unit }))
        }
        "exists" => {
            node.expect(&["op", "field"], &[])?;
            Ok(Test::Exists(field()?))
        }
        "and" | "or" => {
            node.expect(&["op", "of"], &[])?;
            let items = node.member("of")?.items()?;
            let tests: Result<Vec<Predicate>> =
                items.iter().map(|item| parse(item, now, sets, depth + 1)).collect();
            Ok(if op == "and" {
                Test::And(tests?)
            } else {
                Test::Or(tests?)
            })
        }
        "not" => {
            node.expect(&["op", "of"], &[])?;
            let inner = parse(&node.member("of")?, now, sets, depth + 1)?;
            Ok(Test::Not(Box::new(inner)))
        }
        _ => Err(node.unknown(format!(
            "there is no predicate '{op}'; available: eq, ne, lt, le, gt, ge, in, exists, regex, substring, \
             contains, length, age-off, and, or, not"
        ))),
    }
}

fn integer(node: &Node<'_>) -> Result<i64> {
    let refused = || node.fail("an integer of 64 bits is needed");
    node.value().as_i64().ok_or_else(refused)
}
