//! What the columns of a table follow from.

use crate::frames::column::FrameColumn;
use crate::plan::{Place, Plan, Where};

/// What the entries of a column follow from, in whatever element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Family, qualifier, label and the shape of the row: cells that have these in common have the entry too.
    Column,
    Row,
    Property,
    Time,
}

/// The class of each column.
#[derive(Debug)]
pub struct Classes(pub Vec<Class>);

impl Classes {
    /// Finds them; nothing where a column has no class of its own.
    pub fn find(plan: &Plan, columns: &[FrameColumn]) -> Option<Classes> {
        let classes = columns.iter().map(|column| class_of(plan, column));
        classes.collect::<Option<Vec<_>>>().map(Classes)
    }
}

fn class_of(plan: &Plan, column: &FrameColumn) -> Option<Class> {
    let mut found = None;
    for group in 0..plan.model().groups.len() {
        let Some(field) = column.field(group) else {
            continue;
        };
        for shape in 0..plan.model().rows.len() {
            for ordered in [false, true] {
                let own = match plan.part_of(field, Place { group, shape }, ordered) {
                    Where::Nowhere => continue,
                    Where::Row(_) => Class::Row,
                    Where::Property => Class::Property,
                    Where::Time => Class::Time,
                    Where::Column => Class::Column,
                };
                if *found.get_or_insert(own) != own {
                    return None;
                }
            }
        }
    }
    let found = found.unwrap_or(Class::Column);
    (found != Class::Column || !column.has_columns_inside()).then_some(found)
}
