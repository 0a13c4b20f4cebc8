//! Stages that keep a span of qualifiers, or a block of families and qualifiers.
//!
//! `qualifier-slice` compares qualifiers as Java text, by UTF-16 units; `column-slice` compares
//! bytes. `seek` lets `column-slice` jump over what it drops; it never changes what is kept.

use std::cmp::Ordering;

use serde_json::Value;

use super::filter::{filter, Test};
use super::java_text::{utf16_cmp, Charset};
use super::options::Options;
use super::settling::settling;
use super::{Cursor, Families, Source, StageContext};
use crate::cells::{CellRef, Key, KeyRef, Range};
use crate::Result;

/// Two bounds, each left out, inclusive or exclusive.
#[derive(Clone)]
struct Span<T> {
    low: Option<T>,
    high: Option<T>,
    low_inclusive: bool,
    high_inclusive: bool,
}

impl<T> Span<T> {
    /// Whether something lies inside; `compare` tells how it stands to a bound.
    fn holds(&self, compare: impl Fn(&T) -> Ordering) -> bool {
        let fits = |bound: &Option<T>, outside: Ordering, inclusive: bool| {
            bound.as_ref().is_none_or(|bound| match compare(bound) {
                Ordering::Equal => inclusive,
                order => order != outside,
            })
        };
        fits(&self.low, Ordering::Less, self.low_inclusive)
            && fits(&self.high, Ordering::Greater, self.high_inclusive)
    }
}

#[derive(Clone)]
struct QualifierSlice(Span<String>);

impl Test for QualifierSlice {
    fn accepts(&mut self, cell: &CellRef<'_>) -> Result<bool> {
        let text = Charset::Utf8.decode(cell.key.qualifier);
        Ok(self.0.holds(|bound| utf16_cmp(&text, bound)))
    }
}

/// Makes `qualifier-slice`: qualifiers from `start` to `end`, in Java's order of text.
pub fn qualifier_slice(source: Source, options: &Value, _: &mut StageContext) -> Result<Source> {
    let known = ["start", "end", "start_inclusive", "end_inclusive", "negate"];
    let options = Options::of_stage("qualifier-slice", options, &known)?;
    let span = Span {
        low: options.text("start")?.map(str::to_owned),
        high: options.text("end")?.map(str::to_owned),
        low_inclusive: options.flag("start_inclusive", true)?,
        high_inclusive: options.flag("end_inclusive", false)?,
    };
    let negate = options.flag("negate", false)?;
    Ok(filter(source, QualifierSlice(span), negate))
}

#[derive(Clone)]
struct Block {
    families: Span<Vec<u8>>,
    qualifiers: Span<Vec<u8>>,
}

impl Block {
    fn has_family(&self, family: &[u8]) -> bool {
        self.families.holds(|bound| family.cmp(bound))
    }

    fn holds(&self, key: &KeyRef<'_>) -> bool {
        self.has_family(key.family) && self.qualifiers.holds(|bound| key.qualifier.cmp(bound))
    }

    /// The first key behind a dropped cell that can be kept, or none to walk on.
    fn jump(&self, key: &KeyRef<'_>) -> Option<Key> {
        let first_family = self.families.low.as_deref();
        let first = self.qualifiers.low.as_deref();
        if let Some(wanted) = first_family.filter(|wanted| key.family < *wanted) {
            return Some(Key::leading(
                key.row,
                wanted,
                first.unwrap_or_default(),
                b"",
            ));
        }
        if !self.has_family(key.family) {
            return Some(if first_family == Some(key.family) {
                Key::following(&[key.row, key.family])
            } else {
                Key::following(&[key.row])
            });
        }
        match first.map(|first| (key.qualifier.cmp(first), first)) {
            Some((Ordering::Less, first)) => Some(Key::leading(key.row, key.family, first, b"")),
            Some((Ordering::Equal, _)) => None,
            _ => Some(Key::following(&[key.row, key.family])),
        }
    }
}

impl Test for Block {
    fn accepts(&mut self, cell: &CellRef<'_>) -> Result<bool> {
        Ok(self.holds(&cell.key))
    }
}

/// Makes `column-slice`: cells whose family and whose qualifier lie in their spans. An exclusive
/// bound leaves out the whole family and the whole qualifier it names.
pub fn column_slice(source: Source, options: &Value, context: &mut StageContext) -> Result<Source> {
    let known = [
        "min_family",
        "max_family",
        "min_qualifier",
        "max_qualifier",
        "min_inclusive",
        "max_inclusive",
        "seek",
        "negate",
    ];
    let options = Options::of_stage("column-slice", options, &known)?;
    let low_inclusive = options.flag("min_inclusive", true)?;
    let high_inclusive = options.flag("max_inclusive", true)?;
    let span = |low: &str, high: &str| -> Result<Span<Vec<u8>>> {
        Ok(Span {
            low: options.bytes(low)?,
            high: options.bytes(high)?,
            low_inclusive,
            high_inclusive,
        })
    };
    let block = Block {
        families: span("min_family", "max_family")?,
        qualifiers: span("min_qualifier", "max_qualifier")?,
    };
    let negate = options.flag("negate", false)?;
    // A jump would pass over delete markers, which every filter lets through.
    if options.flag("seek", false)? && !negate && !context.scope.keeps_deletes() {
        return Ok(Box::new(Jumping::new(source, block)));
    }
    Ok(filter(source, block, negate))
}

/// A block that jumps over what it drops.
struct Jumping {
    source: Source,
    block: Block,
    range: Range,
    families: Families,
    /// Where the last jump went.
    jumped: Option<Range>,
}

impl Jumping {
    fn new(source: Source, block: Block) -> Jumping {
        Jumping {
            source,
            block,
            range: Range::default(),
            families: Families::default(),
            jumped: None,
        }
    }

    fn settle(&mut self) -> Result<()> {
        while let Some(top) = self.source.top() {
            // A stage below may answer with keys before the range: a jump must not stand still.
            let behind = match &self.jumped {
                Some(reached) => !reached.is_before(&top.key),
                None => true,
            };
            if behind {
                if self.block.holds(&top.key) {
                    break;
                }
                if let Some(target) = self.block.jump(&top.key) {
                    let rest = self.range.starting(target);
                    self.source.seek(&rest, &self.families)?;
                    self.jumped = Some(rest);
                    continue;
                }
            }
            self.source.advance()?;
        }
        Ok(())
    }
}

impl Cursor for Jumping {
    fn seek(&mut self, range: &Range, families: &Families) -> Result<()> {
        self.range.clone_from(range);
        self.families.clone_from(families);
        self.jumped = None;
        self.source.seek(range, families)?;
        self.settle()
    }

    settling!();

    fn fork(&self) -> Source {
        Box::new(Jumping::new(self.source.fork(), self.block.clone()))
    }
}
