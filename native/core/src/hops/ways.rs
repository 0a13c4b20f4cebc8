//! Which rows lead away from a vertex, by the key plan alone.

use std::sync::Arc;

use super::{unsupported, Direction};
use crate::plan::model::{is_end, Form, Matched, Part, Shape};
use crate::plan::{Place, Plan};
use crate::Result;

/// Shapes and groups of edges that are followed.
#[derive(Debug)]
pub struct Ways {
    pub plan: Arc<Plan>,
    /// By number of shape: whether its rows are followed.
    pub shapes: Vec<bool>,
    /// By number of shape: the part of its rows that is the second end, and whether that is the last field.
    pub far_ends: Vec<Option<(usize, bool)>>,
    /// What stands behind a vertex at the start of the rows that are followed; none is the start of another.
    pub prefixes: Vec<Vec<u8>>,
    /// By number of group.
    pub groups: Vec<bool>,
}

impl Ways {
    /// Edges of these groups, or of all; refuses a plan whose edges of a vertex do not lie together.
    pub fn new(plan: Arc<Plan>, direction: Direction, names: Option<&[String]>) -> Result<Ways> {
        let model = plan.model();
        let mut groups = vec![names.is_none(); model.groups.len()];
        for name in names.unwrap_or_default() {
            plan.fields(Some(name))?;
            let place = plan.find_group(name.as_bytes());
            if let Some(wanted) = place.and_then(|at| groups.get_mut(at)) {
                *wanted = true;
            }
        }
        let follows = |shape: &Shape| {
            shape
                .direction
                .is_some_and(|one| match (one.matched, direction) {
                    _ if !one.directed => true,
                    (_, Direction::Both) | (Matched::Either, _) => true,
                    (Matched::Source, Direction::Out) => true,
                    (Matched::Destination, Direction::In) => true,
                    _ => false,
                })
        };
        let shapes: Vec<bool> = model.rows.iter().map(follows).collect();
        let mut prefixes = Vec::new();
        let all = model.rows.iter().zip(&shapes);
        for (shape, _) in all.filter(|(_, follows)| **follows) {
            prefixes.push(prefix_of(shape)?);
        }
        prefixes.sort();
        prefixes.dedup_by(|later, first| later.starts_with(first));
        let far_end = |(shape, model): (usize, &Shape)| {
            let is = |part: &Part| matches!(part, Part::Field(field) if is_end(&field.field));
            let at = model.parts.iter().rposition(is)?;
            Some((at, plan.is_last_field(shape, at)))
        };
        Ok(Ways {
            far_ends: model.rows.iter().enumerate().map(far_end).collect(),
            plan,
            shapes,
            prefixes,
            groups,
        })
    }

    /// Whether edges of a group in rows of a shape are followed.
    pub fn follows(&self, place: Place) -> bool {
        self.shapes.get(place.shape) == Some(&true) && self.groups.get(place.group) == Some(&true)
    }

    /// Refuses bytes that are not a vertex of the plan.
    pub fn check_vertex(&self, vertex: &[u8]) -> Result<()> {
        let parts = self.plan.model().rows.iter().zip(&self.shapes);
        for (shape, _) in parts.filter(|(_, follows)| **follows) {
            if let Some(Part::Field(field)) = shape.parts.first() {
                field.codec.check_key(vertex)?;
            }
        }
        Ok(())
    }
}

/// The const behind the first end of a row.
fn prefix_of(shape: &Shape) -> Result<Vec<u8>> {
    match shape.parts.as_slice() {
        [Part::Field(field), Part::Const(data), ..]
            if is_end(&field.field) && field.form == Form::Escaped =>
        {
            Ok(data.clone())
        }
        [Part::Field(field)] if is_end(&field.field) && field.form == Form::Escaped => {
            Ok(Vec::new())
        }
        [Part::Field(_), ..] => Err(unsupported("this one has an end of another form first")),
        _ => Err(unsupported("this one has something else first")),
    }
}
