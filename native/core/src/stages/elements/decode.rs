//! The stage that turns values into tuples of fields which describe themselves.
//!
//! Keys stay as they are. Readers need no plan any more.

use std::sync::Arc;

use crate::cells::{CellRef, Range};
use crate::codec::{Codec, Value};
use crate::plan::{FieldRef, Plan, Reader};
use crate::stages::{Cursor, Families, Source};
use crate::Result;

/// Gives for each element the tuple of some fields, null where one is absent.
pub struct Decode {
    source: Source,
    reader: Reader,
    fields: Arc<[FieldRef]>,
    value: Vec<u8>,
    is_held: bool,
}

impl Decode {
    /// Looks up the fields. Groups may disagree on what one holds: the tuple says what each is.
    pub fn new(source: Source, plan: Arc<Plan>, fields: &[String]) -> Result<Decode> {
        let known = plan.fields(None)?;
        let found: Result<Vec<FieldRef>> = fields.iter().map(|name| known.locate(name)).collect();
        let fields = Arc::from(found?);
        Ok(Decode::with(source, plan, fields))
    }

    fn with(source: Source, plan: Arc<Plan>, fields: Arc<[FieldRef]>) -> Decode {
        Decode {
            source,
            reader: Reader::new(plan),
            fields,
            value: Vec::new(),
            is_held: false,
        }
    }

    /// Goes on to the next element, from here on.
    fn settle(&mut self) -> Result<()> {
        self.is_held = false;
        while let Some(cell) = self.source.top() {
            if let Some(element) = self.reader.read(cell)? {
                let values = self.fields.iter().map(|field| element.value(field));
                let tuple = Value::Tuple(values.collect::<Result<_>>()?);
                self.value.clear();
                Codec::Any.encode_value(&tuple, &mut self.value)?;
                self.is_held = true;
                return Ok(());
            }
            self.source.advance()?;
        }
        Ok(())
    }
}

impl Cursor for Decode {
    fn seek(&mut self, range: &Range, families: &Families) -> Result<()> {
        self.is_held = false;
        self.source.seek(range, families)?;
        self.settle()
    }

    fn top(&self) -> Option<CellRef<'_>> {
        let cell = self.source.top().filter(|_| self.is_held)?;
        let value = &self.value;
        Some(CellRef { value, ..cell })
    }

    fn advance(&mut self) -> Result<()> {
        if self.is_held {
            self.source.advance()?;
            self.settle()?;
        }
        Ok(())
    }

    fn fork(&self) -> Source {
        let plan = self.reader.plan().clone();
        Box::new(Decode::with(self.source.fork(), plan, self.fields.clone()))
    }
}
