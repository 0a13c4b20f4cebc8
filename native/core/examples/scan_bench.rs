//! Measures scans, look-ups of many rows in one call and of one row, on the edges of `store_bench`.
//!
//! `cargo run --release --example scan_bench [cells] [directory] [many | one | whole]`; a store that is there
//! is used again. Every figure is the best of several runs.
#![allow(clippy::unwrap_used)]

mod edges;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use edges::{edges, short_id, Random};
use lexigraph_core::cells::{CellColumns, Key, Range};
use lexigraph_core::scan::{self, Input, RowReader, ScanOptions, Spec};
use lexigraph_core::settings::Settings;
use lexigraph_core::tree::{Options, Store, TreeId};
use lexigraph_core::visibility::{Authorizations, View};

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

/// The best of several runs, in microseconds.
fn best(runs: usize, mut work: impl FnMut() -> usize) -> (f64, usize) {
    let mut least = f64::MAX;
    let mut found = 0;
    for _ in 0..runs {
        let started = Instant::now();
        found = work();
        least = least.min(started.elapsed().as_secs_f64() * 1e6);
    }
    (least, found)
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
    let mut random = Random::new(7);
    let vertices = cells as u64 / 8;
    // Vertices of about 15 cells, as their counts say.
    let mut chosen = Vec::new();
    while chosen.len() < 1000 {
        let id = random.vertex(vertices);
        let spec = Spec {
            ranges: vec![vertex(id)],
            ..whole.clone()
        };
        if (12..=18).contains(&count(&input, &spec, 1)) {
            chosen.push(id);
        }
    }
    let many = Spec {
        ranges: chosen.iter().map(|&id| vertex(id)).collect(),
        ..whole.clone()
    };
    for threads in [1, 2].into_iter().filter(|_| wanted("many")) {
        let (micros, found) = best(RUNS, || count(&input, &many, threads));
        println!("1,000 vertices, {threads} thread(s): {found} cells, {micros:.0} us");
    }
    let mut reader = RowReader::new(&input.settings, &whole).unwrap();
    let mut out = CellColumns::default();
    let runs = if wanted("one") { RUNS } else { 0 };
    let (micros, found) = best(runs, || {
        let mut found = 0;
        for &id in &chosen {
            out.clear();
            reader.read(&input, &vertex(id), &mut out).unwrap();
            found += out.len();
        }
        found
    });
    println!(
        "one vertex at a time, same snapshot: {found} cells, {:.2} us each",
        micros / 1000.0
    );
    let (micros, _) = best(runs, || {
        let mut found = 0;
        for &id in &chosen {
            out.clear();
            let fresh = Input {
                snapshot: store.snapshot().unwrap(),
                ..input.clone()
            };
            reader.read(&fresh, &vertex(id), &mut out).unwrap();
            found += out.len();
        }
        found
    });
    println!(
        "one vertex at a time, fresh snapshot: {:.2} us each",
        micros / 1000.0
    );
    for threads in [1, 2].into_iter().filter(|_| wanted("whole")) {
        let (micros, found) = best(3, || count(&input, &whole, threads));
        let rate = found as f64 / micros;
        println!("whole table, {threads} thread(s): {found} cells, {rate:.2} M cells/s");
    }
}
