//! The row that is being read: whether its subject is seen, and what of it is returned.

use std::collections::{HashMap, HashSet};

use super::hints::FetchHints;
use super::kinds::{FactKind, SubjectKind};
use super::open_fact::OpenFact;
use super::output::{Mark, Record, RecordMetadata, RecordValue, Records, Span};
use super::rows::{RecordRows, Subject};
use super::versions::Newest;
use crate::codec::escape::escape;
use crate::Result;

/// What is known of the subject of a row so far. Its memory is used again for the next row.
#[derive(Debug, Default)]
pub struct OpenRow {
    pub subject: Subject,
    /// Whether the hints ask for it at all.
    pub wanted: bool,
    /// Whether the additional visibilities are satisfied.
    required_met: bool,
    hidden: bool,
    shown: Option<Newest>,
    shown_value: Vec<u8>,
    shown_visibility: Vec<u8>,
    /// Facts up to this time ended with every live existence.
    cover: Option<i64>,
    /// Properties that are hidden.
    hides: HashSet<Vec<u8>>,
    /// The numbers of the values by their properties, once metadata is looked for.
    numbers: HashMap<Vec<u8>, usize>,
    scratch: Vec<u8>,
    pub mark: Mark,
}

impl OpenRow {
    /// Starts with the facts of its subject.
    pub fn open(&mut self, mark: Mark, wanted: bool) {
        self.wanted = wanted;
        self.required_met = true;
        self.hidden = false;
        self.shown = None;
        self.cover = None;
        self.hides.clear();
        self.numbers.clear();
        self.mark = mark;
    }

    /// Whether the subject is seen, as far as its row was read.
    pub fn is_seen(&self, hints: &FetchHints) -> bool {
        self.required_met && self.shown.is_some() && (!self.hidden || hints.hidden)
    }

    /// Whether a fact is asked for. Everything that decides whether the subject is seen comes before the others.
    pub fn asks_for(&self, column: &OpenFact, hints: &FetchHints) -> bool {
        match column.kind {
            FactKind::Required | FactKind::Existence | FactKind::Hide => true,
            _ if !self.is_seen(hints) => false,
            FactKind::Label => hints.labels,
            FactKind::Metadata => hints.wants_metadata(&column.qualifier.entry),
            FactKind::Value | FactKind::ValueHide => {
                hints.any_property() && hints.wants_property(&column.qualifier.name)
            }
        }
    }

    /// Takes a fact that is said; `satisfied` says whether a reader satisfies an expression.
    pub fn take(
        &mut self,
        column: &OpenFact,
        hints: &FetchHints,
        satisfied: impl FnOnce(&[u8]) -> bool,
        out: &mut Records,
    ) {
        let Some((newest, value)) = column.versions.said() else {
            return;
        };
        let covered = self.cover.is_none_or(|cover| newest.time > cover);
        match column.kind {
            FactKind::Required => self.required_met &= satisfied(&column.raw),
            FactKind::Existence => self.take_existence(column, newest, value),
            FactKind::Hide => self.hidden = true,
            FactKind::ValueHide => {
                self.hides.insert(column.raw.clone());
            }
            FactKind::Metadata => self.take_metadata(column, newest, value, out),
            FactKind::Label if covered => self.take_label(&column.raw, out),
            FactKind::Value if covered => self.take_value(column, newest, value, hints, out),
            FactKind::Label | FactKind::Value => {}
        }
    }

    fn take_existence(&mut self, column: &OpenFact, newest: &Newest, value: &[u8]) {
        let end = column.versions.end();
        let is_shown = match &self.shown {
            None => {
                self.cover = end;
                true
            }
            Some(held) => {
                self.cover = self.cover.and_then(|cover| end.map(|end| end.min(cover)));
                // Columns come by ascending visibility: of equal versions the last is shown.
                let rank = (held.time, held.written, self.shown_value.as_slice());
                (newest.time, newest.written, value) >= rank
            }
        };
        if is_shown {
            self.shown = Some(newest.clone());
            self.shown_value.clear();
            self.shown_value.extend_from_slice(value);
            self.shown_visibility.clear();
            self.shown_visibility.extend_from_slice(&column.visibility);
        }
    }

    fn take_label(&mut self, label: &[u8], out: &mut Records) {
        let held = out.labels.get(self.mark.labels..).unwrap_or_default();
        // The same label under another visibility follows it.
        if held.last().is_none_or(|last| out.get(*last) != label) {
            let label = out.push(label);
            out.labels.push(label);
        }
    }

    fn take_value(
        &mut self,
        column: &OpenFact,
        newest: &Newest,
        value: &[u8],
        hints: &FetchHints,
        out: &mut Records,
    ) {
        let (name, key) = (&column.qualifier.name, &column.qualifier.key);
        let hidden = !self.hides.is_empty() && {
            write_property(name, key, &column.visibility, &mut self.scratch);
            self.hides.contains(&self.scratch)
        };
        if hidden && !hints.hidden {
            return;
        }
        let value = RecordValue {
            name: out.push(name),
            key: out.push(key),
            visibility: out.push(&column.visibility),
            time: newest.time,
            stamp: newest.stamp,
            ttl: newest.ttl,
            note: out.push(value.get(newest.note.clone()).unwrap_or_default()),
            value: out.push(value.get(newest.content..).unwrap_or_default()),
            hidden,
            metadata: Span::default(),
            written: newest.written,
        };
        out.values.push(value);
    }

    fn take_metadata(
        &mut self,
        column: &OpenFact,
        newest: &Newest,
        value: &[u8],
        out: &mut Records,
    ) {
        let values = out.values.get(self.mark.values..).unwrap_or_default();
        if self.numbers.is_empty() {
            for (number, value) in values.iter().enumerate() {
                let (name, key) = (out.get(value.name), out.get(value.key));
                write_property(name, key, out.get(value.visibility), &mut self.scratch);
                self.numbers.insert(self.scratch.clone(), number);
            }
        }
        let given = &column.qualifier;
        write_property(
            &given.name,
            &given.key,
            &given.value_visibility,
            &mut self.scratch,
        );
        let Some(&number) = self.numbers.get(&self.scratch) else {
            return;
        };
        let belongs = values
            .get(number)
            .is_some_and(|value| value.time == given.value_time && newest.written >= value.written);
        if belongs {
            let entry = RecordMetadata {
                entry: out.push(&given.entry),
                visibility: out.push(&column.visibility),
                value: out.push(value.get(newest.content..).unwrap_or_default()),
                of: number,
            };
            out.metadata.push(entry);
        }
    }

    /// Adds the element, if it is seen; otherwise nothing of it is left.
    pub fn close(
        &mut self,
        rows: &RecordRows,
        hints: &FetchHints,
        out: &mut Records,
    ) -> Result<()> {
        let mark = self.mark;
        let shown = match &self.shown {
            Some(shown) if self.wanted && self.is_seen(hints) => shown,
            _ => {
                out.back_to(mark);
                return Ok(());
            }
        };
        out.join_metadata(mark);
        let subject = &self.subject;
        let is_reference = matches!(subject.kind, SubjectKind::Reference(_));
        let mut of_reference = |bytes: &[u8]| match is_reference {
            true => out.push(bytes),
            false => Span::default(),
        };
        let label = of_reference(&subject.label);
        let sort_key = of_reference(subject.sort_key());
        let other = of_reference(&subject.other);
        let edge = of_reference(subject.edge());
        let content = self.shown_value.get(shown.content..).unwrap_or_default();
        let record = Record {
            kind: subject.kind,
            id: out.push(&subject.id),
            label,
            sort_key,
            other,
            edge,
            key: out.write(|bytes| rows.write_key(subject, bytes))?,
            visibility: out.push(&self.shown_visibility),
            time: shown.time,
            hidden: self.hidden,
            content: out.push(content),
            labels: Span {
                start: mark.labels,
                end: out.labels.len(),
            },
            values: Span {
                start: mark.values,
                end: out.values.len(),
            },
        };
        out.records.push(record);
        Ok(())
    }
}

/// What names a property: as the qualifier of its hides.
fn write_property(name: &[u8], key: &[u8], visibility: &[u8], out: &mut Vec<u8>) {
    out.clear();
    escape(name, out);
    out.push(0);
    escape(key, out);
    out.push(0);
    out.extend_from_slice(visibility);
}
