//! Shapes that a row of plain bytes shows at a glance: text, a const, text, a const.
//!
//! Text without escapes and beyond no codec ends where the const behind it starts, so such a row is cut by looking for one byte.
//! A shape is only taken here when no shape that is tried before it could fit: each of those has text first too, and behind it
//! a const that differs. So the answer is that of trying all of them.

use super::model::{FieldPart, Form, Part, Shape};
use super::Plan;
use crate::codec::Codec;

/// One such shape.
#[derive(Debug)]
pub struct Glance<'p> {
    pub shape: usize,
    pub middle: &'p [u8],
    pub tail: &'p [u8],
    /// The greatest bytes that the texts may hold, less two.
    pub most: (u8, u8),
    /// How many bytes behind the first text show that no shape before it fits.
    pub told: usize,
}

/// The shapes of a plan that can be told so.
pub fn glances(plan: &Plan) -> Vec<Glance<'_>> {
    let rows = &plan.model.rows;
    let shapes = rows.iter().enumerate();
    shapes.filter_map(|(at, _)| glance(rows, at)).collect()
}

fn glance(rows: &[Shape], at: usize) -> Option<Glance<'_>> {
    let shape = rows.get(at)?;
    let [Part::Field(first), Part::Const(middle), Part::Field(second), Part::Const(tail)] =
        shape.parts.as_slice()
    else {
        return None;
    };
    let is_told = shape.direction.is_none_or(|one| !one.compares());
    // Text runs up to the first 00.
    if !is_told || middle.first() != Some(&0) || tail.first() != Some(&0) {
        return None;
    }
    let mut told = middle.len();
    for before in rows.iter().take(at) {
        let [Part::Field(text), Part::Const(other), ..] = before.parts.as_slice() else {
            return None;
        };
        greatest(text)?;
        let differs = middle.iter().zip(other).any(|(one, other)| one != other);
        if !differs {
            return None;
        }
        told = told.max(other.len());
    }
    Some(Glance {
        shape: at,
        middle,
        tail,
        // What a text before this one refuses, no row of plain bytes has.
        most: (0x7d.min(greatest(first)?), greatest(second)?),
        told,
    })
}

/// The greatest byte of text that stands for itself, less two; nothing for other fields.
pub fn greatest(field: &FieldPart) -> Option<u8> {
    match field.codec {
        Codec::Bytes if field.form == Form::Escaped => Some(0xfd),
        Codec::Str if field.form == Form::Escaped => Some(0x7d),
        _ => None,
    }
}
