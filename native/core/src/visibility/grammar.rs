//! The grammar: terms joined with only `&` or only `|`, brackets to mix them. A term is plain
//! (letters, digits, `_ - . : /`) or in double quotes, where it may hold any byte and `\` stands
//! only before `"` and `\`.

use crate::{Error, Result};
use std::borrow::Cow;
use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Operator {
    Or,
    And,
}

/// A node; children are indexes of nodes that lie before it in the list `parse` returns.
#[derive(Debug, Clone)]
pub(super) enum Node {
    Term(Term),
    Group {
        operator: Operator,
        children: Vec<usize>,
    },
}

/// Where a term is written and, only if escapes made it differ, what it says.
#[derive(Debug, Clone)]
pub(super) struct Term {
    written: Range<usize>,
    token: Range<usize>,
    unescaped: Option<Box<[u8]>>,
}

impl Term {
    pub(super) fn written<'a>(&self, expression: &'a [u8]) -> &'a [u8] {
        expression.get(self.written.clone()).unwrap_or_default()
    }

    pub(super) fn token<'a>(&'a self, expression: &'a [u8]) -> &'a [u8] {
        match &self.unescaped {
            Some(token) => token,
            None => expression.get(self.token.clone()).unwrap_or_default(),
        }
    }
}

impl Node {
    pub(super) fn token<'a>(&'a self, expression: &'a [u8]) -> Option<&'a [u8]> {
        match self {
            Node::Term(term) => Some(term.token(expression)),
            Node::Group { .. } => None,
        }
    }
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-.:/".contains(&byte)
}

/// Writes a token so that it reads back as itself; plain and empty tokens stay as they are.
pub fn quote(token: &[u8]) -> Cow<'_, [u8]> {
    if token.iter().all(|&byte| is_plain(byte)) {
        return token.into();
    }
    let mut quoted = Vec::with_capacity(token.len() + 2);
    quoted.push(b'"');
    for &byte in token {
        if byte == b'"' || byte == b'\\' {
            quoted.push(b'\\');
        }
        quoted.push(byte);
    }
    quoted.push(b'"');
    quoted.into()
}

/// The brackets being read: operator so far, finished children, where they were opened.
#[derive(Default)]
struct OpenGroup {
    open: usize,
    operator: Option<Operator>,
    children: Vec<usize>,
}

impl OpenGroup {
    /// Ends the group with its last child and returns the node that stands for it.
    fn close(mut self, last: usize, nodes: &mut Vec<Node>) -> usize {
        let Some(operator) = self.operator else {
            return last;
        };
        self.children.push(last);
        nodes.push(Node::Group {
            operator,
            children: self.children,
        });
        nodes.len() - 1
    }
}

pub(super) fn parse(expression: &[u8]) -> Result<Vec<Node>> {
    let mut nodes = Vec::new();
    if expression.is_empty() {
        return Ok(nodes);
    }
    let (mut group, mut outer) = (OpenGroup::default(), Vec::new());
    let mut operand: Option<usize> = None;
    let mut position = 0;
    while let Some(&byte) = expression.get(position) {
        match byte {
            b'&' | b'|' => {
                let operator = if byte == b'&' {
                    Operator::And
                } else {
                    Operator::Or
                };
                let child = operand.take().ok_or_else(|| missing_term(position))?;
                if *group.operator.get_or_insert(operator) != operator {
                    return Err(problem(
                        "& and | cannot be mixed without brackets",
                        position,
                    ));
                }
                group.children.push(child);
                position += 1;
            }
            b')' => {
                let child = operand.take().ok_or_else(|| missing_term(position))?;
                let enclosing = outer
                    .pop()
                    .ok_or_else(|| problem("this bracket closes nothing", position))?;
                operand = Some(std::mem::replace(&mut group, enclosing).close(child, &mut nodes));
                position += 1;
            }
            b'(' => {
                if operand.is_some() {
                    return Err(missing_operator(position));
                }
                let inner = OpenGroup {
                    open: position,
                    ..OpenGroup::default()
                };
                outer.push(std::mem::replace(&mut group, inner));
                position += 1;
            }
            _ => {
                let term = read_term(expression, position)?;
                if operand.is_some() {
                    return Err(missing_operator(position));
                }
                position = term.written.end;
                nodes.push(Node::Term(term));
                operand = Some(nodes.len() - 1);
            }
        }
    }
    let last = operand.ok_or_else(|| missing_term(position))?;
    if !outer.is_empty() {
        return Err(problem("this bracket is never closed", group.open));
    }
    group.close(last, &mut nodes);
    Ok(nodes)
}

fn read_term(expression: &[u8], start: usize) -> Result<Term> {
    let rest = expression.get(start..).unwrap_or_default();
    let plain = rest.iter().take_while(|&&byte| is_plain(byte)).count();
    if plain > 0 {
        let written = start..start + plain;
        return Ok(Term {
            token: written.clone(),
            written,
            unescaped: None,
        });
    }
    if rest.first() != Some(&b'"') {
        return Err(problem(
            "this character is only allowed inside quotes",
            start,
        ));
    }
    read_quoted(expression, start)
}

fn read_quoted(expression: &[u8], start: usize) -> Result<Term> {
    let mut position = start + 1;
    let mut escapes = Vec::new();
    loop {
        match expression.get(position) {
            None => return Err(problem("this quote is never closed", start)),
            Some(b'"') => break,
            Some(b'\\') => {
                if !matches!(expression.get(position + 1), Some(b'"' | b'\\')) {
                    let message = "inside quotes \\ may only stand before \" and \\";
                    return Err(problem(message, position));
                }
                escapes.push(position);
                position += 2;
            }
            Some(_) => position += 1,
        }
    }
    let token = start + 1..position;
    if token.is_empty() {
        return Err(problem("quotes must hold at least one character", start));
    }
    let unescaped = (!escapes.is_empty()).then(|| unescape(expression, &token, &escapes));
    Ok(Term {
        written: start..position + 1,
        token,
        unescaped,
    })
}

fn unescape(expression: &[u8], token: &Range<usize>, escapes: &[usize]) -> Box<[u8]> {
    let mut text = Vec::with_capacity(token.len());
    let mut from = token.start;
    for &escape in escapes.iter().chain([&token.end]) {
        text.extend_from_slice(expression.get(from..escape).unwrap_or_default());
        from = escape + 1;
    }
    text.into()
}

fn missing_term(position: usize) -> Error {
    problem("a term is missing here", position)
}

fn missing_operator(position: usize) -> Error {
    problem("& or | is missing here", position)
}

fn problem(message: &str, position: usize) -> Error {
    Error::InvalidVisibility {
        message: message.to_owned(),
        position,
    }
}
