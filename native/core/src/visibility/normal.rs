//! One form for all the ways to write the same expression: groups of the same operator rolled up,
//! siblings sorted (terms, ORs, ANDs; shorter groups first) and deduplicated, groups of one
//! lifted. Equivalent to what went in; put in again, it comes back unchanged.

use super::grammar::{Node, Operator, Term};
use std::borrow::Cow;
use std::cmp::Ordering;

/// A node in its final order; children are indexes of forms that lie before it.
enum Form<'a> {
    Term(Cow<'a, [u8]>),
    Group(Operator, Vec<usize>),
}

/// Writes the nodes that `parse` gave in sorted form; `write` says how a term is written.
pub(super) fn write_sorted<'a>(
    nodes: &'a [Node],
    write: impl Fn(&'a Term) -> Cow<'a, [u8]>,
) -> Vec<u8> {
    let absorbed = find_absorbed(nodes);
    let mut forms: Vec<Form<'a>> = Vec::with_capacity(nodes.len());
    let mut places: Vec<usize> = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        match node {
            Node::Term(term) => forms.push(Form::Term(write(term))),
            // Its parent gathers its children: sorting them at each level of a long chain would
            // take quadratic time.
            Node::Group { .. } if absorbed[index] => {}
            Node::Group { operator, children } => {
                let mut gathered = gather(*operator, children, nodes, &absorbed, &forms, &places);
                gathered.sort_by(|&a, &b| compare(&forms, a, b));
                gathered.dedup_by(|a, b| compare(&forms, *a, *b) == Ordering::Equal);
                if let [only] = gathered[..] {
                    places.push(only);
                    continue;
                }
                forms.push(Form::Group(*operator, gathered));
            }
        }
        // For an absorbed node this names some form, but nobody asks for it.
        places.push(forms.len().saturating_sub(1));
    }
    places
        .last()
        .map(|&root| write_form(&forms, root))
        .unwrap_or_default()
}

/// Marks the groups whose parent has the same operator.
fn find_absorbed(nodes: &[Node]) -> Vec<bool> {
    let mut absorbed = vec![false; nodes.len()];
    for node in nodes {
        let Node::Group { operator, children } = node else {
            continue;
        };
        for &child in children {
            absorbed[child] =
                matches!(&nodes[child], Node::Group { operator: inner, .. } if inner == operator);
        }
    }
    absorbed
}

fn gather(
    operator: Operator,
    children: &[usize],
    nodes: &[Node],
    absorbed: &[bool],
    forms: &[Form],
    places: &[usize],
) -> Vec<usize> {
    let mut gathered = Vec::with_capacity(children.len());
    let mut pending = children.to_vec();
    while let Some(child) = pending.pop() {
        match (&nodes[child], &forms[places[child]]) {
            (Node::Group { children, .. }, _) if absorbed[child] => pending.extend(children),
            (_, Form::Group(inner, children)) if *inner == operator => gathered.extend(children),
            _ => gathered.push(places[child]),
        }
    }
    gathered
}

fn compare(forms: &[Form], a: usize, b: usize) -> Ordering {
    let mut pending = vec![(a, b)];
    while let Some((a, b)) = pending.pop() {
        let order = match (&forms[a], &forms[b]) {
            (Form::Term(a), Form::Term(b)) => a.cmp(b),
            (Form::Term(_), Form::Group(..)) => Ordering::Less,
            (Form::Group(..), Form::Term(_)) => Ordering::Greater,
            (Form::Group(a, left), Form::Group(b, right)) => {
                let order = a.cmp(b).then(left.len().cmp(&right.len()));
                if order == Ordering::Equal {
                    pending.extend(left.iter().copied().zip(right.iter().copied()).rev());
                }
                order
            }
        };
        if order != Ordering::Equal {
            return order;
        }
    }
    Ordering::Equal
}

enum Piece {
    Byte(u8),
    Form(usize),
}

fn write_form(forms: &[Form], root: usize) -> Vec<u8> {
    let mut out = Vec::new();
    let mut pending = vec![Piece::Form(root)];
    while let Some(piece) = pending.pop() {
        match piece {
            Piece::Byte(byte) => out.push(byte),
            Piece::Form(index) => match &forms[index] {
                Form::Term(text) => out.extend_from_slice(text),
                Form::Group(operator, children) => {
                    let sign = if *operator == Operator::And {
                        b'&'
                    } else {
                        b'|'
                    };
                    push_children(forms, children, sign, &mut pending);
                }
            },
        }
    }
    out
}

/// Pushes the pieces of a group last first, because they are taken from the end.
fn push_children(forms: &[Form], children: &[usize], sign: u8, pending: &mut Vec<Piece>) {
    for (place, &child) in children.iter().rev().enumerate() {
        if place > 0 {
            pending.push(Piece::Byte(sign));
        }
        match forms[child] {
            Form::Term(_) => pending.push(Piece::Form(child)),
            Form::Group(..) => {
                pending.extend([Piece::Byte(b')'), Piece::Form(child), Piece::Byte(b'(')]);
            }
        }
    }
}
