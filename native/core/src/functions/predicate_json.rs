//! Predicates read from their JSON form; every error says where in the predicate it lies.

use super::predicate::{Comparison, Predicate, Test};
use crate::json::Node;
use crate::Result;

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
    /// Reads a predicate.
    pub fn parse(node: &Node<'_>) -> Result<Predicate> {
        parse(node, 1)
    }
}

fn parse(node: &Node<'_>, depth: usize) -> Result<Predicate> {
    if depth > MAX_DEPTH {
        return Err(node.fail(format!("predicates nest at most {MAX_DEPTH} deep")));
    }
    let Some(op) = node.value().get("op").and_then(|op| op.as_str()) else {
        return Err(node.fail("a predicate is an object with an 'op'"));
    };
    let field = || node.member("field")?.text().map(String::from);
    if let Some((_, how)) = COMPARISONS.iter().find(|(name, _)| *name == op) {
        node.expect(&["op", "field", "value"], &[])?;
        return Ok(Test::Compare {
            how: *how,
            field: field()?,
            value: node.member("value")?.bytes()?,
        });
    }
    match op {
        "in" => {
            node.expect(&["op", "field", "values"], &[])?;
            let items = node.member("values")?.items()?;
            let mut values: Vec<Vec<u8>> = items.iter().map(Node::bytes).collect::<Result<_>>()?;
            values.sort();
            let field = field()?;
            Ok(Test::AnyOf { field, values })
        }
        "exists" => {
            node.expect(&["op", "field"], &[])?;
            Ok(Test::Exists(field()?))
        }
        "and" | "or" => {
            node.expect(&["op", "of"], &[])?;
            let items = node.member("of")?.items()?;
            let tests: Result<Vec<Predicate>> =
                items.iter().map(|item| parse(item, depth + 1)).collect();
            Ok(if op == "and" {
                Test::And(tests?)
            } else {
                Test::Or(tests?)
            })
        }
        "not" => {
            node.expect(&["op", "of"], &[])?;
            let inner = parse(&node.member("of")?, depth + 1)?;
            Ok(Test::Not(Box::new(inner)))
        }
        _ => Err(node.fail(format!(
            "there is no predicate '{op}'; there are eq, ne, lt, le, gt, ge, in, exists, and, or, not"
        ))),
    }
}
