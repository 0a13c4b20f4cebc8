//! A program for edges with a day, a sum and a label, and columns of such edges.
#![allow(dead_code)]

use lexigraph_core::elements::{Buffers, BytesOf, Column, Encoded, Program, Type};
use serde_json::{json, Value};

/// Rows as `source 00 02 00 destination 00 02` and, from the other end, with 03.
pub fn program(aggregate: &str) -> Value {
    let row = |first: usize, flag: &str, second: usize| {
        json!([{"piece": first}, {"const": {"hex": format!("00{flag}00")}},
               {"piece": second}, {"const": {"hex": format!("00{flag}")}}])
    };
    let key = |row: Value| json!({"row": row, "family": [{"const": "calls"}], "qualifier": [{"piece": 2}]});
    let (out, back) = (key(row(0, "02", 1)), key(row(1, "03", 0)));
    let both = json!([out, back]);
    json!({
        "group": "calls",
        "columns": 5,
        "fields": [
            {"name": "source", "codec": "str", "column": 0, "needed": true},
            {"name": "destination", "codec": "str", "column": 1, "needed": true},
            {"name": "day", "codec": "date", "column": 2, "needed": true},
            {"name": "count", "codec": "int", "column": 3, "bits": 16},
        ],
        "pieces": [
            {"field": "source", "codec": "str", "form": "escaped"},
            {"field": "destination", "codec": "str", "form": "escaped"},
            {"field": "day", "codec": "date", "form": "part"},
        ],
        "keys": {
            "directed": {"of_itself": [out], "ascending": both, "descending": both},
            "ends": [0, 1],
        },
        "value": {"form": "tagged", "properties": [
            {"id": 1, "field": "count", "codec": "int", "aggregate": {"name": aggregate}}]},
        "visibility": 4,
        "timestamp": null,
        "directed": null,
        "all_directed": true,
        "shard": null,
        "aggregates": true,
        "rules": [{"op": "not", "of": {"op": "eq", "field": "count", "value": {"hex": "8163"}}}],
    })
}

/// One edge: ends, day, count and label.
pub type Edge<'a> = (Option<&'a str>, &'a str, i64, Option<i64>, &'a str);

/// Memory as Arrow has it.
#[derive(Default)]
pub struct Memory {
    texts: [(Vec<u8>, Vec<u8>); 3],
    numbers: [Vec<u8>; 2],
    there: [Vec<u8>; 2],
    rows: usize,
}

impl Memory {
    pub fn of(edges: &[Edge<'_>]) -> Memory {
        let mut memory = Memory {
            rows: edges.len(),
            ..Memory::default()
        };
        for (offsets, _) in &mut memory.texts {
            offsets.extend(0i32.to_ne_bytes());
        }
        for bits in &mut memory.there {
            bits.resize(edges.len().div_ceil(8), 0);
        }
        for (row, (source, destination, day, count, label)) in edges.iter().enumerate() {
            let texts = [source.unwrap_or(""), destination, label];
            for ((offsets, data), text) in memory.texts.iter_mut().zip(texts) {
                data.extend(text.as_bytes());
                offsets.extend((data.len() as i32).to_ne_bytes());
            }
            memory.numbers[0].extend(day.to_ne_bytes());
            memory.numbers[1].extend(count.unwrap_or(0).to_ne_bytes());
            memory.there[0][row / 8] |= u8::from(source.is_some()) << (row % 8);
            memory.there[1][row / 8] |= u8::from(count.is_some()) << (row % 8);
        }
        memory
    }

    pub fn columns(&self) -> Vec<Column<'_>> {
        let text = |at: usize, validity| Buffers {
            validity,
            offsets: &self.texts[at].0,
            data: &self.texts[at].1,
            ..Buffers::default()
        };
        let number = |at: usize, validity| Buffers {
            validity,
            data: &self.numbers[at],
            ..Buffers::default()
        };
        let all = [
            (Type::Str, text(0, Some(&self.there[0][..]))),
            (Type::Str, text(1, None)),
            (Type::Date, number(0, None)),
            (Type::Int, number(1, Some(&self.there[1][..]))),
            (Type::Str, text(2, None)),
        ];
        all.into_iter()
            .map(|(kind, buffers)| Column::new(kind, self.rows, buffers).unwrap())
            .collect()
    }
}

/// Reads a program.
pub fn parse(json: &Value) -> Program {
    Program::parse(json).unwrap()
}

/// The entries of a column.
pub fn entries(encoded: &Encoded, column: BytesOf) -> Vec<Vec<u8>> {
    let mut data = vec![0; encoded.size_bytes(column)];
    encoded.write_data(column, &mut data);
    let mut start = 0;
    let mut found = Vec::new();
    encoded.each_end(column, |end| {
        found.push(data[start..end as usize].to_vec());
        start = end as usize;
    });
    found
}
