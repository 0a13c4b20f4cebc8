//! Measures how fast cells get in: loads of several kinds of data, durable batches onto them, small commits.
//!
//! `cargo run --release --example load_bench [cells] [directory]`; prints one line per measure. Rates by the
//! clock depend on what else the machine does, so processor time stands beside them.
#![allow(clippy::unwrap_used)]

#[allow(dead_code)]
mod edges;
mod measure;

use std::path::Path;

use edges::{short_id, url_id, Random};
use lexigraph_core::cells::{CellColumns, CellRef, KeyRef};
use lexigraph_core::load;
use lexigraph_core::tree::{sort_batch, Batch, Options, Store, TreeId};
use measure::Start;

const TREE: TreeId = TreeId { table: 1, group: 0 };

/// What the data of a run is like.
struct Kind {
    name: &'static str,
    id: fn(u32) -> Vec<u8>,
    labels: usize,
    /// Every cell has a time of its own, to the microsecond.
    unique_times: bool,
}

/// Each edge under both of its ends, as a table of elements has it.
fn edges(kind: &Kind, cells: usize, vertices: u64, seed: u64) -> CellColumns {
    let labels: Vec<Vec<u8>> = match kind.labels {
        3 => vec![
            Vec::new(),
            b"public".to_vec(),
            b"private&(audit|legal)".to_vec(),
        ],
        many => (0..many)
            .map(|number| format!("department{number}&(audit|legal)").into_bytes())
            .collect(),
    };
    let mut random = Random::new(seed);
    let mut out = CellColumns::default();
    for _ in 0..cells / 2 {
        let (from, to) = (random.vertex(vertices), random.vertex(vertices));
        let day = (random.next() % 30) as u32;
        let label = &labels[(random.next() % labels.len() as u64) as usize];
        let [high, low] = ((random.next() % 1000) as u16).to_be_bytes();
        let micros = random.next() % 86_400_000_000;
        for (first, flag, second) in [(from, 2u8, to), (to, 3, from)] {
            let row = [
                &(kind.id)(first)[..],
                &[0, flag, 0],
                &(kind.id)(second),
                &[0, flag],
            ];
            let time = i64::from(day) * 86_400_000_000;
            out.push(&CellRef {
                key: KeyRef {
                    row: &row.concat(),
                    family: b"CALLS",
                    qualifier: &(day ^ 1 << 31).to_be_bytes(),
                    visibility: label,
                    timestamp: if kind.unique_times {
                        time + micros as i64
                    } else {
                        time
                    },
                    deleted: false,
                },
                value: &[1, 1, 1, 1, 2, 2, high, low],
            });
        }
    }
    out
}

/// Anonymous memory of this process, in MB.
fn anonymous() -> usize {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("RssAnon:"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse::<usize>().ok())
        .map_or(0, |kilobytes| kilobytes >> 10)
}

fn load(store: &Store, cells: &CellColumns, options: load::Options, what: &str) {
    let before = anonymous();
    let mut peak = 0;
    let started = Start::now();
    let mut loader = store.loader(options);
    let view = cells.view();
    for cell in 0..view.len() {
        loader.push(TREE, &view.cell(cell)).unwrap();
    }
    let report = store
        .load(loader, 1, &mut |_| {
            peak = peak.max(anonymous());
            Ok(())
        })
        .unwrap();
    started.report(what, cells.len());
    let stats = store.stats(TREE).unwrap();
    println!(
        "{:<44} {:.1} bytes a cell, {} blocks, {} temporary files, file {} MB, own memory {} MB",
        "",
        stats.base.bytes as f64 / stats.base.cells as f64,
        stats.base.blocks,
        report.files,
        stats.file >> 20,
        peak.saturating_sub(before)
    );
}

fn fresh(directory: &Path) -> Store {
    let _ = std::fs::remove_dir_all(directory);
    Store::open(directory, Options::default()).unwrap()
}

fn write(store: &Store, cells: &CellColumns, commit: i64) {
    let view = cells.view();
    let mut batch: Vec<CellRef<'_>> = (0..view.len()).map(|cell| view.cell(cell)).collect();
    sort_batch(&mut batch);
    let batches = [Batch {
        tree: TREE,
        cells: &batch,
    }];
    store.write(&batches, commit).unwrap();
}

fn merge(store: &Store) -> usize {
    let (mut start, mut steps) = (None, 0);
    loop {
        let end = store.merge_end(TREE, start.as_deref(), 256).unwrap();
        store
            .merge_as_is(TREE, start.as_deref(), end.as_deref())
            .unwrap();
        steps += 1;
        match end {
            Some(end) => start = Some(end),
            None => return steps,
        }
    }
}

/// 25 batches, with a merge whenever the delta holds as much as it may.
fn batches(store: &Store, kind: &Kind, cells: usize, vertices: u64) {
    const COUNT: usize = 25;
    let size = 200_000.min(cells / 2);
    let most = 2_000_000;
    let data: Vec<CellColumns> = (0..COUNT)
        .map(|number| edges(kind, size, vertices, 100 + number as u64))
        .collect();
    let started = Start::now();
    let (mut merges, mut merging, mut busy) = (0, 0.0, 0.0);
    for (number, data) in data.iter().enumerate() {
        let batch = Start::now();
        write(store, data, 2 + number as i64);
        if number % 6 == 0 {
            batch.report(&format!("  batch {number}"), size);
        }
        if store.stats(TREE).unwrap().delta.cells >= most {
            let merge_started = Start::now();
            merges += merge(store);
            let (clock, processor) = merge_started.seconds();
            merging += clock;
            busy += processor;
        }
    }
    started.report("25 durable batches with their merges", COUNT * size);
    println!(
        "{:<44} merges took {merging:.2} s, processor {busy:.2} s, {merges} transactions; file {} MB",
        "",
        store.stats(TREE).unwrap().file >> 20
    );
}

fn small_commits(store: &Store, kind: &Kind, vertices: u64) {
    for size in [2, 100] {
        let data: Vec<CellColumns> = (0..200)
            .map(|number| edges(kind, size, vertices, 10_000 + number))
            .collect();
        let started = Start::now();
        for (number, data) in data.iter().enumerate() {
            write(store, data, 1000 + number as i64);
        }
        let (seconds, busy) = started.seconds();
        println!(
            "{:<44} {:.0} us each, processor {:.0} us",
            format!("200 commits of {size} cells"),
            seconds * 1e6 / 200.0,
            busy * 1e6 / 200.0
        );
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let cells: usize = arguments
        .next()
        .map_or(2_000_000, |text| text.parse().unwrap());
    let directory = arguments.next().map_or_else(
        || std::env::temp_dir().join("lexigraph-load-bench"),
        std::path::PathBuf::from,
    );
    let only = arguments.next();
    let kinds = [
        (
            "plain",
            "ids of 4 bytes",
            short_id as fn(u32) -> Vec<u8>,
            3,
            false,
        ),
        ("times", "unique microseconds", short_id, 3, true),
        ("labels", "200 labels", short_id, 200, false),
        ("urls", "60-byte URL ids", url_id, 3, false),
    ];
    for (word, name, id, labels, unique_times) in kinds {
        if only.as_deref().is_some_and(|only| only != word) {
            continue;
        }
        let kind = Kind {
            name,
            id,
            labels,
            unique_times,
        };
        println!("-- {}", kind.name);
        let vertices = cells as u64 / 8;
        let data = edges(&kind, cells, vertices, 1);
        let store = fresh(&directory);
        load(
            &store,
            &data,
            load::Options::default(),
            "load, with sort and fsync",
        );
        if word == "plain" {
            batches(&store, &kind, cells, vertices);
            small_commits(&store, &kind, vertices);
            drop(store);
            let store = fresh(&directory);
            let options = load::Options {
                memory: 64 << 20,
                ..load::Options::default()
            };
            load(&store, &data, options, "load with 64 MB of memory");
        }
    }
    let _ = std::fs::remove_dir_all(&directory);
}
