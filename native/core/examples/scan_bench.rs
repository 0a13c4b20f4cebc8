//! Measures scans, look-ups of many rows in one call and of one row, on the edges of `store_bench`.
//!
//! `cargo run --release --example scan_bench [cells] [directory] [many | one | whole]`; a store that is there
//! is used again. On a busy machine medians and processor time say more than the clock.
#![allow(clippy::unwrap_used)]

#[allow(dead_code)]
mod edges;
#[allow(dead_code)]
mod measure;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use edges::{edges, short_id, Random};
use lexigraph_core::cells::{CellColumns, Key, Range};
use lexigraph_core::scan::{self, Input, RowReader, ScanOptions, Spec};
use lexigraph_core::settings::Settings;
use lexigraph_core::tree::{Options, Store, TreeId};
use lexigraph_core::visibility::{Authorizations, View};
use measure::used;

const RUNS: usize = 100;
const TREE: TreeId = TreeId { table: 1, group: 0 };

fn load(cells: usize, directory: &Path) -> Store {
    let store = Store::open(directory, Options::default()).unwrap();
    if store.stats(TREE).unwrap().base.cells == 0 {
        let edges = edges(cells, cells as u64 / 8, 1, short_id);
        let mut loader = store.loader(Default::default());
        for edge in &edges {
            loader.push(TREE, &edge.cell()).unwrap();
        }
        store.load(loader, 1, &mut |_| Ok(())).unwrap();
    }
    store
}

fn input(store: &Store) -> Input {
    let settings = Settings {
        max_versions: Some(1),
        ..Settings::default()
    };
    Input {
        snapshot: store.snapshot().unwrap(),
        groups: Input::groups_of(1, &settings),
        settings: Arc::new(settings),
        buffered: Vec::new(),
        splits: Arc::new([]),
        now: 0,
    }
}

fn vertex(id: u32) -> Range {
    let id = short_id(id);
    Range {
        start: Some(Key::leading(&id, b"", b"", b"")),
        end: Some(Key::leading(&[&id[..], &[1]].concat(), b"", b"", b"")),
        end_inclusive: false,
        ..Range::default()
    }
}

/// The time of the middle one of several runs, in microseconds, and the processor time of one.
fn timed(runs: usize, mut work: impl FnMut(usize)) -> (f64, f64) {
    let busy = used();
    let mut times: Vec<f64> = (0..runs)
        .map(|run| {
            let started = Instant::now();
            work(run);
            started.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    let busy = (used() - busy) * 1e6 / runs as f64;
    times.sort_by(f64::total_cmp);
    (times[runs / 2], busy)
}

fn count(input: &Input, spec: &Spec, threads: usize) -> usize {
    let options = ScanOptions {
        threads,
        ..ScanOptions::default()
    };
    let mut scan = scan::open(input.clone(), spec, &options).unwrap();
    let mut found = 0;
    while let Some(cells) = scan.next(10_000).unwrap() {
        found += cells.len();
    }
    found
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let cells = arguments
        .next()
        .map_or(2_000_000, |text| text.parse().unwrap());
    let directory = arguments.next().map_or_else(
        || std::env::temp_dir().join("lexigraph-scan-bench"),
        Into::into,
    );
    let only = arguments.next();
    let wanted = |part: &str| only.as_deref().is_none_or(|only| only == part);
    let store = load(cells, &directory);
    let input = input(&store);
    let view = View::Of(Authorizations::new(["public", "private", "audit"]).unwrap());
    let whole = Spec {
        view: view.clone(),
        ..Spec::default()
    };
    // Few vertices have many edges; those of about 15 cells are about here.
    let centre = (cells as f64 / 45.0).powf(1.5) / (cells as f64 / 8.0).sqrt();
    let mut random = Random::new(7);
    let chosen: Vec<Range> = (0..1000)
        .map(|_| vertex((centre * (0.8 + (random.next() % 1000) as f64 * 0.0005)) as u32))
        .collect();
    let many = Spec {
        ranges: chosen.clone(),
        ..whole.clone()
    };
    for threads in [1, 2].into_iter().filter(|_| wanted("many")) {
        let mut found = 0;
        let (micros, busy) = timed(RUNS, |_| found = count(&input, &many, threads));
        println!("1,000 vertices, {threads} thread(s), {found} cells: {micros:.0} us; processor {busy:.0} us");
    }
    if wanted("one") {
        let mut reader = RowReader::new(&input.settings, &whole).unwrap();
        let mut out = CellColumns::default();
        let (micros, busy) = timed(100 * RUNS, |run| {
            out.clear();
            reader.read(&input, &chosen[run % 1000], &mut out).unwrap();
        });
        println!("one vertex, same snapshot: {micros:.2} us; processor {busy:.2} us");
        let mut fresh = input.clone();
        let (micros, busy) = timed(100 * RUNS, |run| {
            out.clear();
            fresh.snapshot = store.snapshot().unwrap();
            reader.read(&fresh, &chosen[run % 1000], &mut out).unwrap();
        });
        println!("one vertex, fresh snapshot: {micros:.2} us; processor {busy:.2} us");
    }
    for threads in [1, 2].into_iter().filter(|_| wanted("whole")) {
        let mut found = 0;
        let (micros, busy) = timed(3, |_| found = count(&input, &whole, threads));
        let (rate, rate_busy) = (found as f64 / micros, found as f64 / busy);
        println!("whole table, {threads} thread(s), {found} cells: {rate:.2} M cells/s; processor {rate_busy:.2} M cells/s");
    }
}
