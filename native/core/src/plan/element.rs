//! One element, as a cell holds it: borrowed, its fields read when they are asked for.

use super::model::{Form, Kind, Matched, Once, DESTINATION, SOURCE};
use super::parts::{Field, Span};
use super::reader::{Place, Spans};
use super::slots::{FieldRef, Slot};
use super::Plan;
use crate::cells::CellRef;
use crate::codec::{integer, Value};
use crate::functions::{Aggregator, Lookup};
use crate::Result;

const SOURCE_KEY: &[u8] = SOURCE.as_bytes();
const DESTINATION_KEY: &[u8] = DESTINATION.as_bytes();

/// One vertex or edge of a group, as one cell tells of it.
pub struct Element<'a> {
    pub(super) plan: &'a Plan,
    pub(super) spans: &'a Spans,
    pub(super) cell: CellRef<'a>,
    pub(super) place: Place,
    /// Whether the first end of an edge is not the greater one; true where nobody asks.
    pub(super) ordered: bool,
}

impl<'a> Element<'a> {
    /// The number of its group in the plan.
    pub fn group(&self) -> usize {
        self.place.group
    }

    /// The time of its cell.
    pub fn timestamp(&self) -> i64 {
        self.cell.key.timestamp
    }

    /// The numbers of its group and shape.
    pub(crate) fn place(&self) -> Place {
        self.place
    }

    /// Whether an edge is directed; none for a vertex.
    pub(crate) fn direction(&self) -> Option<bool> {
        self.plan.direction(self.place).map(|one| one.directed)
    }

    /// The key forms of an edge's ends in the order of row, then qualifier.
    pub(crate) fn first_end<'b>(&'b self, scratch: &'b mut Vec<u8>) -> Result<Option<&'b [u8]>> {
        self.end(self.plan.ends(self.place).map(|ends| ends.0), scratch)
    }

    pub(crate) fn far_end<'b>(&'b self, scratch: &'b mut Vec<u8>) -> Result<Option<&'b [u8]>> {
        self.end(self.plan.ends(self.place).map(|ends| ends.1), scratch)
    }

    fn end<'b>(&'b self, slot: Option<Slot>, scratch: &'b mut Vec<u8>) -> Result<Option<&'b [u8]>> {
        match slot.and_then(|slot| self.part(slot)) {
            Some((part, raw)) => part.key(raw, scratch),
            None => Ok(None),
        }
    }

    /// Whether this row stands for the element where each must come once.
    pub fn once(&self) -> bool {
        match self.plan.direction(self.place).map(|one| one.once) {
            None | Some(Once::Always) => true,
            Some(Once::Never) => false,
            Some(Once::Ordered) => self.ordered,
        }
    }

    /// The aggregator and the state of a property, undecoded.
    pub fn state(&self, field: &FieldRef) -> Option<(&'a Aggregator, &'a [u8])> {
        match field.slot(self.plan.place_index(self.place)) {
            Slot::Property(at) => self.property(at),
            _ => None,
        }
    }

    /// The finished value of a field; null where it is absent.
    pub fn value(&self, field: &FieldRef) -> Result<Value> {
        let slot = self.resolve(field);
        if let Some((part, raw)) = self.part(slot) {
            return part.value(raw);
        }
        Ok(match slot {
            Slot::Property(at) => match self.property(at) {
                Some((aggregator, state)) => aggregator.finish_bytes(state)?,
                None => Value::Null,
            },
            Slot::Kind => Value::Str(self.kind().name().into()),
            Slot::Group => Value::Str(self.plan.group_name(self.place).into()),
            Slot::Matched => Value::Str(String::from_utf8_lossy(self.matched()).into()),
            Slot::Directed => Value::Bool(self.directed()),
            Slot::Visibility => Value::Bytes(self.cell.key.visibility.to_vec()),
            Slot::Timestamp => Value::int(self.cell.key.timestamp),
            _ => Value::Null,
        })
    }

    /// How a key holds a field, and its own bytes; none for fields that are not part of the key.
    pub(super) fn key_part(&self, field: &FieldRef) -> Option<(Form, &'a [u8])> {
        let (part, raw) = self.part(self.resolve(field))?;
        Some((part.form(), raw))
    }

    fn resolve(&self, field: &FieldRef) -> Slot {
        let slot = field.slot(self.plan.place_index(self.place));
        let ends = || {
            self.plan
                .ends(self.place)
                .unwrap_or((Slot::Absent, Slot::Absent))
        };
        match (slot, self.ordered) {
            (Slot::Lesser, true) | (Slot::Greater, false) => ends().0,
            (Slot::Lesser, false) | (Slot::Greater, true) => ends().1,
            _ => slot,
        }
    }

    fn part(&self, slot: Slot) -> Option<(&'a Field, &'a [u8])> {
        part_at(self.plan, self.spans, &self.cell, self.place, slot)
    }

    fn property(&self, at: usize) -> Option<(&'a Aggregator, &'a [u8])> {
        let span: Span = (*self.spans.states.get(at)?)?;
        let value = self.plan.value(self.place.group)?;
        Some((value.aggregator(at)?, span.of(self.cell.value)))
    }

    fn kind(&self) -> Kind {
        match self.plan.direction(self.place) {
            None => Kind::Vertex,
            Some(_) => Kind::Edge,
        }
    }

    fn directed(&self) -> bool {
        self.plan
            .direction(self.place)
            .is_some_and(|one| one.directed)
    }

    fn matched(&self) -> &'static [u8] {
        match self.plan.direction(self.place).map(|one| one.matched) {
            Some(Matched::Destination) => DESTINATION_KEY,
            Some(Matched::Either) if !self.ordered => DESTINATION_KEY,
            _ => SOURCE_KEY,
        }
    }
}

impl Lookup<FieldRef> for Element<'_> {
    fn key<'b>(&'b self, field: &FieldRef, scratch: &'b mut Vec<u8>) -> Result<Option<&'b [u8]>> {
        let slot = self.resolve(field);
        if let Some((part, raw)) = self.part(slot) {
            return part.key(raw, scratch);
        }
        Ok(match slot {
            Slot::Property(at) => {
                let Some((aggregator, state)) = self.property(at) else {
                    return Ok(None);
                };
                return aggregator.key(state, scratch);
            }
            Slot::Kind => Some(self.kind().name().as_bytes()),
            Slot::Group => Some(self.plan.group_name(self.place).as_bytes()),
            Slot::Matched => Some(self.matched()),
            Slot::Directed => Some(if self.directed() { &[1] } else { &[0] }),
            Slot::Visibility => Some(self.cell.key.visibility),
            Slot::Timestamp => {
                scratch.clear();
                integer::write_i64(self.cell.key.timestamp, scratch);
                Some(scratch)
            }
            _ => None,
        })
    }

    fn value(&self, field: &FieldRef) -> Result<Value> {
        Element::value(self, field)
    }

    fn has(&self, field: &FieldRef) -> Result<bool> {
        let slot = self.resolve(field);
        if let Some((part, raw)) = self.part(slot) {
            return Ok(part.is_present(raw));
        }
        Ok(match slot {
            Slot::Absent => false,
            Slot::Property(at) => match self.property(at) {
                None => false,
                Some((aggregator, state)) => !aggregator.is_null(state)?,
            },
            _ => true,
        })
    }
}

/// The field at a slot of the key, with its own bytes.
pub(super) fn part_at<'a>(
    plan: &'a Plan,
    spans: &Spans,
    cell: &CellRef<'a>,
    place: Place,
    slot: Slot,
) -> Option<(&'a Field, &'a [u8])> {
    let (parts, spans, data, at) = match slot {
        Slot::Row(at) => (plan.row_parts(place)?, &spans.row, cell.key.row, at),
        Slot::Family(at) => (
            plan.family_parts(place.shape),
            &spans.family,
            cell.key.family,
            at,
        ),
        Slot::Qualifier(at) => (
            plan.qualifier_parts(place.group)?,
            &spans.qualifier,
            cell.key.qualifier,
            at,
        ),
        _ => return None,
    };
    Some((parts.field(at)?, spans.get(at)?.of(data)))
}
