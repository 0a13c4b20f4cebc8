//! Readers get the elements of the vectors.

use lexigraph_core::cells::json::bytes_to_json;
use lexigraph_core::cells::{Cell, CellColumns};
use lexigraph_core::codec::Codec;
use lexigraph_core::records::{
    Assembler, Record, RecordReading, RecordRows, Records, Subject, SubjectKind,
};
use lexigraph_core::Result;
use serde_json::{json, Map, Value as Json};

use crate::cells::shape_json;
use crate::support::{files, pairs, reading, rows, shown, stored, table, text};
use crate::write::cells_of;

#[test]
fn readers_get_the_elements_of_the_vectors() {
    let mut judged = 0;
    for (name, file) in files() {
        for case in file["cases"].as_array().into_iter().flatten() {
            for reading in case["readings"].as_array().into_iter().flatten() {
                // The history of subjects is read in Python alone.
                if reading["elements"].is_null() {
                    assert!(!reading["events"].is_null());
                    continue;
                }
                let facts: Vec<&Json> = case["facts"].as_array().unwrap().iter().collect();
                let turned: Vec<&Json> = facts.iter().rev().copied().collect();
                for facts in [facts, turned] {
                    let found = elements(&file, &facts, reading);
                    assert_eq!(found, reading["elements"], "{name}: {}", case["name"]);
                }
                judged += 1;
            }
        }
    }
    assert!(judged > 200, "only {judged} readings");
}

fn elements(file: &Json, facts: &[&Json], asked: &Json) -> Json {
    let mut found = Vec::new();
    for name in ["vertices", "edges"] {
        let cells = cells_of(file, name, facts);
        let reading = reading(&asked["reader"]);
        let assembled = assemble(&rows(file), name, &cells, reading, &[]);
        found.extend(assembled.unwrap());
    }
    Json::from(found)
}

/// The elements of cells as JSON, which are fed in batches that end at these places.
pub fn assemble(
    rows: &RecordRows,
    name: &str,
    cells: &[Cell],
    reading: RecordReading,
    ends: &[usize],
) -> Result<Vec<Json>> {
    let hints = reading.hints.clone();
    let mut assembler = Assembler::new(rows.clone(), table(name), reading);
    let mut found = Vec::new();
    let mut batch = CellColumns::default();
    for (place, cell) in cells.iter().enumerate() {
        while ends.contains(&place) && !batch.is_empty() {
            found.push(assembler.feed(&batch.view())?);
            batch.clear();
        }
        batch.push(&cell.as_ref());
    }
    found.push(assembler.feed(&batch.view())?);
    found.push(assembler.finish()?);
    let show = |records: &Records| -> Vec<Json> {
        let each = records.records.iter();
        each.map(|record| record_json(rows, records, record, &hints))
            .collect()
    };
    Ok(found.iter().flat_map(show).collect())
}

fn record_json(
    rows: &RecordRows,
    records: &Records,
    record: &Record,
    hints: &lexigraph_core::records::FetchHints,
) -> Json {
    let mut found = Map::new();
    let id = records.get(record.id);
    found.insert("time".into(), record.time.into());
    visible(&mut found, records.get(record.visibility));
    if record.hidden {
        found.insert("hidden".into(), true.into());
    }
    if hints.any_property() && !matches!(record.kind, SubjectKind::Reference(_)) {
        let values = &records.values[record.values.start..record.values.end];
        let values = values.iter().map(|value| {
            let mut one = Map::new();
            one.insert("name".into(), text(records.get(value.name)));
            one.insert("value".into(), stored(records.get(value.value)));
            one.insert("time".into(), value.time.into());
            visible(&mut one, records.get(value.visibility));
            if !records.get(value.key).is_empty() {
                one.insert("key".into(), bytes_to_json(records.get(value.key)));
            }
            if value.hidden {
                one.insert("hidden".into(), true.into());
            }
            if hints.any_metadata() {
                let entries = &records.metadata[value.metadata.start..value.metadata.end];
                let entries = entries.iter().map(|entry| {
                    let mut one = Map::new();
                    one.insert("key".into(), text(records.get(entry.entry)));
                    one.insert("value".into(), stored(records.get(entry.value)));
                    visible(&mut one, records.get(entry.visibility));
                    Json::from(one)
                });
                one.insert("metadata".into(), entries.collect::<Vec<_>>().into());
            }
            Json::from(one)
        });
        found.insert("properties".into(), values.collect::<Vec<_>>().into());
    }
    let content = records.get(record.content);
    match record.kind {
        SubjectKind::Vertex => {
            let id = rows.vertex_codec().decode_key(id).unwrap();
            found.insert("vertex".into(), shown(&id));
            if hints.labels {
                let labels = &records.labels[record.labels.start..record.labels.end];
                let labels = labels.iter().map(|label| text(records.get(*label)));
                found.insert("labels".into(), labels.collect::<Vec<_>>().into());
            }
        }
        SubjectKind::Edge => {
            let id = Codec::Any.decode_key(id).unwrap();
            found.insert("edge".into(), shown(&id));
            found.insert("shape".into(), shape_json(content));
        }
        SubjectKind::Reference(direction) => {
            let label = records.get(record.label);
            let reference = json!({
                "vertex": shown(&rows.vertex_codec().decode_key(id).unwrap()),
                "direction": direction.name(),
                "label": text(label),
                "sort_key": sort_key(rows, label, records.get(record.sort_key)),
                "other": shown(&rows.vertex_codec().decode_key(records.get(record.other)).unwrap()),
                "edge": shown(&Codec::Any.decode_key(records.get(record.edge)).unwrap()),
            });
            found.insert("reference".into(), reference);
            let signature = match content {
                [] => json!([]),
                content => pairs(&Codec::Any.decode_value(content).unwrap()),
            };
            found.insert("signature".into(), signature);
        }
    }
    Json::from(found)
}

fn visible(into: &mut Map<String, Json>, visibility: &[u8]) {
    if !visibility.is_empty() {
        into.insert("visibility".into(), bytes_to_json(visibility));
    }
}

fn sort_key(rows: &RecordRows, label: &[u8], data: &[u8]) -> Json {
    let mut at = 0;
    let mut values = Vec::new();
    for part in rows.sort_parts(label) {
        let (value, end) = part.decode_part(data, at).unwrap();
        values.push(shown(&value));
        at = end;
    }
    assert_eq!(at, data.len());
    values.into()
}

/// A subject as vectors have it.
pub fn subject_json(rows: &RecordRows, subject: &Subject) -> Json {
    let vertex = |key: &[u8]| shown(&rows.vertex_codec().decode_key(key).unwrap());
    match subject.kind {
        SubjectKind::Vertex => json!({ "vertex": vertex(&subject.id) }),
        SubjectKind::Edge => {
            json!({ "edge": shown(&Codec::Any.decode_key(&subject.id).unwrap()) })
        }
        SubjectKind::Reference(direction) => json!({"reference": {
            "vertex": vertex(&subject.id),
            "direction": direction.name(),
            "label": text(&subject.label),
            "sort_key": sort_key(rows, &subject.label, subject.sort_key()),
            "other": vertex(&subject.other),
            "edge": shown(&Codec::Any.decode_key(subject.edge()).unwrap()),
        }}),
    }
}
