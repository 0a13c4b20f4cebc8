//! Who may see a cell: visibility expressions and authorizations, exactly as Apache Accumulo 2.1.
//! The twin of `lexigraph.security`: same answers, same normal form, same error positions.
//! Works on bytes. Nothing recurses: a stored label can nest as deep as it is long.

mod authorizations;
mod base64;
mod grammar;
mod label_cache;
mod normal;

pub use authorizations::{Authorizations, View};
pub use grammar::quote;
pub use label_cache::LabelCache;

use crate::Result;
use grammar::{Node, Operator};
use std::collections::BTreeSet;

/// A parsed visibility expression. The empty one is visible to everyone.
///
/// ```
/// use lexigraph_core::visibility::{Authorizations, Visibility};
/// let label = Visibility::parse(b"admin&(audit|legal)")?;
/// let held = Authorizations::new(["admin", "legal"])?;
/// assert!(label.evaluate(&held));
/// # Ok::<(), lexigraph_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Visibility {
    expression: Vec<u8>,
    /// Children before their parents, the root last; empty for the empty expression.
    nodes: Vec<Node>,
}

impl Visibility {
    /// Reads an expression; an error points at the byte where it breaks the grammar.
    pub fn parse(expression: &[u8]) -> Result<Visibility> {
        let nodes = grammar::parse(expression)?;
        Ok(Visibility {
            expression: expression.to_vec(),
            nodes,
        })
    }

    /// The bytes it was made from, unchanged.
    pub fn expression(&self) -> &[u8] {
        &self.expression
    }

    /// Every token that the expression names, unquoted.
    pub fn tokens(&self) -> BTreeSet<&[u8]> {
        let terms = self
            .nodes
            .iter()
            .filter_map(|node| node.token(&self.expression));
        terms.collect()
    }

    /// Whether someone who holds these authorizations sees what carries this label.
    pub fn evaluate(&self, held: &Authorizations) -> bool {
        let mut values: Vec<bool> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            // Children lie before their parent, so each index names a value that is there.
            let value = match node {
                Node::Term(term) => held.contains(term.token(&self.expression)),
                Node::Group {
                    operator: Operator::And,
                    children,
                } => children.iter().all(|&child| values[child]),
                Node::Group {
                    operator: Operator::Or,
                    children,
                } => children.iter().any(|&child| values[child]),
            };
            values.push(value);
        }
        values.last().copied().unwrap_or(true)
    }

    /// The sorted form with every term as it was written, as Accumulo's `flatten`.
    pub fn flatten(&self) -> Vec<u8> {
        normal::write_sorted(&self.nodes, |term| term.written(&self.expression).into())
    }

    /// The one form that equal expressions share: sorted, without needless quotes.
    pub fn normalise(&self) -> Vec<u8> {
        normal::write_sorted(&self.nodes, |term| quote(term.token(&self.expression)))
    }
}

/// The normalised AND of several labels; empty labels ask for nothing and drop out.
///
/// An error carries the index of the label that cannot be parsed.
pub fn conjunction<'a>(
    labels: impl IntoIterator<Item = &'a [u8]>,
) -> std::result::Result<Vec<u8>, (usize, crate::Error)> {
    let mut joined = Vec::new();
    for (index, label) in labels.into_iter().enumerate() {
        grammar::parse(label).map_err(|error| (index, error))?;
        if label.is_empty() {
            continue;
        }
        if !joined.is_empty() {
            joined.push(b'&');
        }
        joined.push(b'(');
        joined.extend_from_slice(label);
        joined.push(b')');
    }
    let whole = Visibility::parse(&joined).map_err(|error| (0, error))?;
    Ok(whole.normalise())
}
