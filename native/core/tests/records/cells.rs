//! Cells are read as the facts of `cells.json`, and refused where it says so.

use lexigraph_core::cells::json::{bytes_to_json, cell_from_json};
use lexigraph_core::codec::{Codec, Value};
use lexigraph_core::records::{Fact, FactKind, FactState, RecordRows, Subject, SubjectKind};
use lexigraph_core::Error;
use serde_json::{json, Value as Json};

use crate::elements::subject_json;
use crate::support::{file, list, pairs, rows, shown, stored, table, text};
use crate::write::cell_of;

#[test]
fn facts_have_the_cells_of_the_vectors_and_come_back() {
    let vectors = file("cells");
    let rows = rows(&vectors);
    for vector in list(&vectors, "cells") {
        let cell = cell_from_json(&vector["cell"]).unwrap();
        let written = cell_of(&vectors, &vector["fact"]);
        assert_eq!(written, (written.0, cell.clone()), "{vector}");
        assert_eq!(vector["table"], written.0);
        let mut subject = Subject::default();
        let place = table(written.0);
        rows.read(place, &cell.key.row, &mut subject).unwrap();
        let fact = Fact::read(subject.kind, &cell.as_ref()).unwrap();
        assert_eq!(fact_json(&rows, &subject, &cell, &fact), vector["fact"]);
    }
}

#[test]
fn cells_that_nobody_writes_are_refused() {
    let vectors = file("cells");
    let rows = rows(&vectors);
    for vector in list(&vectors, "refused") {
        let cell = cell_from_json(&vector["cell"]).unwrap();
        let mut subject = Subject::default();
        let place = table(vector["table"].as_str().unwrap());
        let read = rows
            .read(place, &cell.key.row, &mut subject)
            .and_then(|()| Fact::read(subject.kind, &cell.as_ref()).map(drop));
        let is_refused = matches!(read, Err(Error::InvalidBytes(_)));
        assert!(is_refused, "{}: {read:?}", vector["why"]);
    }
}

fn fact_json(
    rows: &RecordRows,
    subject: &Subject,
    cell: &lexigraph_core::cells::Cell,
    fact: &Fact<'_>,
) -> Json {
    let mut found = json!({
        "of": subject_json(rows, subject),
        "time": fact.time,
        "state": match fact.state {
            FactState::Said => "said",
            FactState::Deleted => "deleted",
            FactState::Moved => "moved",
            FactState::Removed => "removed",
            FactState::Undone => "undone",
        },
    });
    let mut set = |name: &str, value: Json| found[name] = value;
    let given = &fact.qualifier;
    let named = matches!(
        fact.kind,
        FactKind::Value | FactKind::Metadata | FactKind::ValueHide
    );
    if named {
        set("name", text(&given.name));
        if !given.key.is_empty() {
            set("key", bytes_to_json(&given.key));
        }
        if fact.kind != FactKind::Value && !given.value_visibility.is_empty() {
            set("value_visibility", bytes_to_json(&given.value_visibility));
        }
    }
    let kind = match fact.kind {
        FactKind::Required => {
            set("expression", bytes_to_json(&cell.key.qualifier));
            "required"
        }
        FactKind::Existence => "existence",
        FactKind::Hide => {
            if !cell.key.qualifier.is_empty() {
                set(
                    "cause",
                    shown(&Codec::Any.decode_key(&cell.key.qualifier).unwrap()),
                );
            }
            "hide"
        }
        FactKind::ValueHide => "value-hide",
        FactKind::Label => {
            set("label", text(&cell.key.qualifier));
            "label"
        }
        FactKind::Value => "value",
        FactKind::Metadata => {
            set("value_time", Json::from(given.value_time));
            set("entry", text(&given.entry));
            "metadata"
        }
    };
    set("fact", Json::from(kind));
    if !cell.key.visibility.is_empty() {
        set("visibility", bytes_to_json(&cell.key.visibility));
    }
    for (name, time) in [
        ("stamp", fact.stamp),
        ("ended", fact.ended),
        ("ttl", fact.ttl),
    ] {
        if let Some(time) = time {
            set(name, Json::from(time));
        }
    }
    if !fact.note.is_empty() {
        set("note", stored(fact.note));
    }
    if !fact.content.is_empty() {
        match subject.kind {
            _ if fact.kind != FactKind::Existence => set("value", stored(fact.content)),
            SubjectKind::Edge => set("shape", shape_json(fact.content)),
            _ => set(
                "signature",
                pairs(&Codec::Any.decode_value(fact.content).unwrap()),
            ),
        }
    }
    found
}

/// A shape as vectors have it.
pub fn shape_json(content: &[u8]) -> Json {
    let Value::Tuple(parts) = Codec::Any.decode_value(content).unwrap() else {
        panic!("a shape is a tuple")
    };
    let [label, source, destination, Value::Bool(directed), properties] = parts.as_slice() else {
        panic!("a shape is a tuple of five")
    };
    json!({
        "label": shown(label),
        "source": shown(source),
        "destination": shown(destination),
        "directed": directed,
        "properties": pairs(properties),
    })
}
