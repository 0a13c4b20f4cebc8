//! Measures summaries by column and hops on generated edges, beside a decoder written by hand for the layout.
//!
//! `cargo run --release --example column_bench [edges] [directory]`; prints one line per measure.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lexigraph_core::cells::{Cell, CellRef, KeyRef, Range};
use lexigraph_core::columns::{self, try_open};
use lexigraph_core::hops::{Direction, EdgeReader, Follow, Reach};
use lexigraph_core::scan::{Input, Spec};
use lexigraph_core::settings::Settings;
use lexigraph_core::stages::{
    build_stack, put_stages, Families, SortedCells, StageContext, StageSpec,
};
use lexigraph_core::tree::{
    sort_batch, Batch, Blocks, Level, Options, Store, TreeCursor, TreeId, Watch,
};
use lexigraph_core::visibility::{Authorizations, View};
use serde_json::json;

const TREE: TreeId = TreeId { table: 1, group: 0 };
const LABELS: [&[u8]; 3] = [b"", b"public", b"private&(audit|legal)"];

/// A small generator with a fixed seed, so that every run has the same edges.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// An end of an edge in a graph where few vertices have many: quadrant by quadrant, as R-MAT does.
    fn edge(&mut self, scale: u32) -> (u32, u32) {
        let (mut from, mut to) = (0, 0);
        for _ in 0..scale {
            let draw = self.next() % 100;
            from = from << 1 | u32::from(draw >= 76);
            to = to << 1 | u32::from((57..76).contains(&draw) || draw >= 95);
        }
        // Hide that small numbers have many edges.
        let mix = |id: u32| id.wrapping_mul(0x9e37_79b1) & ((1 << scale) - 1);
        (mix(from), mix(to))
    }
}

pub struct Made {
    row: Vec<u8>,
    qualifier: [u8; 4],
    label: &'static [u8],
    timestamp: i64,
    value: Vec<u8>,
}

impl Made {
    fn cell(&self) -> CellRef<'_> {
        CellRef {
            key: KeyRef {
                row: &self.row,
                family: b"calls",
                qualifier: &self.qualifier,
                visibility: self.label,
                timestamp: self.timestamp,
                deleted: false,
            },
            value: &self.value,
        }
    }
}

/// The value form of a small integer.
fn int(number: u64) -> Vec<u8> {
    let bytes = number.to_be_bytes();
    let size = 8 - number.leading_zeros() as usize / 8;
    [&[0x80 + size as u8][..], &bytes[8 - size..]].concat()
}

fn make(edges: usize, scale: u32, seed: u64) -> Vec<Made> {
    let mut random = Random(seed);
    let mut made = Vec::with_capacity(2 * edges);
    for _ in 0..edges {
        let (from, to) = random.edge(scale);
        let day = (random.next() % 30) as u32;
        let label = LABELS[(random.next() % 3) as usize];
        let (count, weight) = (int(1), int(1 + random.next() % 1000));
        let value = [
            &[1, 1, count.len() as u8][..],
            &count,
            &[2, weight.len() as u8],
            &weight,
        ]
        .concat();
        for (first, flag, second) in [(from, 2u8, to), (to, 3, from)] {
            let row = format!("u{first}\0{0}\0u{second}\0{0}", flag as char).into_bytes();
            made.push(Made {
                row,
                qualifier: ((day + 20_000) ^ 1 << 31).to_be_bytes(),
                label,
                timestamp: i64::from(day) * 86_400_000_000,
                value: value.clone(),
            });
        }
    }
    made
}

fn plan() -> serde_json::Value {
    let end = |name: &str| json!({"field": name, "codec": "str", "form": "escaped"});
    let shape = |matched: &str, once: &str, flag: u8| {
        let (first, second) = match matched {
            "source" => ("source", "destination"),
            _ => ("destination", "source"),
        };
        json!({"kind": "edge", "directed": true, "matched": matched, "once": once, "parts": [
            end(first), {"const": {"hex": format!("00{flag:02x}00")}},
            end(second), {"const": {"hex": format!("00{flag:02x}")}}]})
    };
    let sum = |id: u32, name: &str| json!({"id": id, "field": name, "codec": "int", "aggregate": {"name": "sum"}});
    json!({
        "version": 1,
        "rows": [
            {"kind": "vertex", "parts": [end("vertex"), {"const": {"hex": "0001"}}]},
            shape("source", "always", 2), shape("destination", "never", 3),
        ],
        "family": [{"field": "group", "codec": "str", "form": "rest"}],
        "groups": {"calls": {"kind": "edge",
            "qualifier": [{"field": "day", "codec": "date", "form": "part"}],
            "value": {"form": "tagged", "properties": [sum(1, "count"), sum(2, "weight")]}}},
    })
}

fn stages() -> Vec<StageSpec> {
    let stage = |name: &str, options| StageSpec {
        name: name.into(),
        options,
        priority: None,
    };
    vec![
        stage("aggregate", json!({"plan": "p"})),
        stage("filter", json!({"plan": "p", "once": true})),
        stage(
            "summarise",
            json!({"plan": "p", "by": ["day"], "measures": [
                {"name": "n", "aggregate": "count"},
                {"name": "w", "aggregate": "sum", "field": "weight"}]}),
        ),
    ]
}

fn view() -> View {
    View::Of(Authorizations::new([b"public".as_slice(), b"private", b"audit"]).unwrap())
}

fn context() -> StageContext {
    let mut context = StageContext {
        authorizations: view(),
        ..StageContext::default()
    };
    context.plans.give("p", plan());
    context
}

/// The processor's time of this thread; on a busy machine it says more than the clock.
fn busy() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = text.split(' ').next().and_then(|field| field.parse().ok());
    Duration::from_nanos(nanos.unwrap_or_default())
}

/// The least processor time of some runs of one thread.
fn least<T>(runs: usize, mut run: impl FnMut() -> T) -> Duration {
    let once = |_| {
        let before = busy();
        run();
        busy() - before
    };
    (0..runs).map(once).min().unwrap_or_default()
}

/// The least time of some runs, and what they give.
fn best<T>(runs: usize, mut run: impl FnMut() -> T) -> (Duration, T) {
    let mut best: Option<(Duration, T)> = None;
    for _ in 0..runs {
        let started = Instant::now();
        let result = run();
        let took = started.elapsed();
        if best.as_ref().is_none_or(|(least, _)| took < *least) {
            best = Some((took, result));
        }
    }
    best.unwrap()
}

fn by_columns(store: &Store, threads: usize) -> Vec<Cell> {
    let snapshot = store.snapshot().unwrap();
    let (view, families) = (view(), Families::default());
    let request = columns::Request {
        snapshot: &snapshot,
        trees: &[TREE],
        families: &families,
        view: &view,
        default_visibility: b"",
        ranges: &[Range::default()],
    };
    let scan = try_open(&stages(), &mut context()).unwrap().unwrap();
    scan.run(&request, threads, &|| Ok(())).unwrap().unwrap()
}

fn by_stages(store: &Store) -> Vec<Cell> {
    let mut context = context();
    let snapshot = store.snapshot().unwrap();
    let _guard = snapshot.enter().unwrap();
    let cursor = TreeCursor::new(&snapshot, &[TREE]);
    let (stages, all) = (stages(), Families::default());
    let lower = &stages[..2];
    let mut stack = build_stack(Box::new(cursor), lower, &mut context, &[], b"").unwrap();
    let mut upper = {
        stack.seek(&Range::default(), &all).unwrap();
        let mut cells = Vec::new();
        while let Some(cell) = stack.top() {
            cells.push(cell.to_owned());
            stack.advance().unwrap();
        }
        cells.reverse();
        let source = Box::new(SortedCells::new(cells));
        put_stages(source, &stages[2..], &mut context).unwrap()
    };
    upper.seek(&Range::default(), &all).unwrap();
    let mut found = Vec::new();
    while let Some(cell) = upper.top() {
        found.push(cell.to_owned());
        upper.advance().unwrap();
    }
    found
}

/// What somebody would write who knows the layout and trusts it: count and sum by day of the base alone.
fn by_hand(store: &Store, threads: usize) -> Vec<(u64, u64)> {
    let snapshot = store.snapshot().unwrap();
    let _guard = snapshot.enter().unwrap();
    let blocks = Blocks::new(&snapshot, TREE, Level::BASE);
    let stretches = blocks.stretches(None, None, 32).unwrap();
    let next = std::sync::atomic::AtomicUsize::new(0);
    let total = std::sync::Mutex::new(vec![(0, 0); 30]);
    let visible = |label: &[u8]| label.is_empty() || LABELS.contains(&label);
    let work = || {
        let mut sums = vec![(0u64, 0u64); 30];
        let (mut labels, mut days, mut ends) = (Vec::new(), Vec::new(), Vec::new());
        while let Some(stretch) =
            stretches.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
        {
            blocks
                .each(stretch, |open, _| {
                    let block = open.block();
                    let body = block.body();
                    let sees: Vec<bool> = (0..block.visibilities().entries().unwrap())
                        .map(|code| {
                            visible(block.visibilities().entry(body, code).unwrap().of(body))
                        })
                        .collect();
                    let day = |bytes: &[u8]| {
                        (u32::from_be_bytes(bytes.try_into().unwrap()) ^ 1 << 31) - 20_000
                    };
                    let qualifiers = block.qualifiers();
                    days.clear();
                    let known: Vec<u32> = match qualifiers.entries() {
                        Some(entries) => {
                            qualifiers.copy_codes(body, block.cells(), &mut days)?;
                            let entry = |code| qualifiers.entry(body, code).unwrap().of(body);
                            (0..entries).map(|code| day(entry(code))).collect()
                        }
                        None => {
                            // A small block: each cell has its own.
                            days.extend(0..block.cells() as u32);
                            let item = |cell| qualifiers.span(body, cell).unwrap().of(body);
                            (0..block.cells()).map(|cell| day(item(cell))).collect()
                        }
                    };
                    block
                        .visibilities()
                        .copy_codes(body, block.cells(), &mut labels)?;
                    let weights = &block.properties().unwrap()[1].states;
                    let offsets = match weights {
                        lexigraph_core::block::Strings::Offsets(entries) => {
                            Some(entries.copy_ends(body, &mut ends)?)
                        }
                        _ => None,
                    };
                    let mut rows = block.row_entries()?;
                    let mut starts = Vec::new();
                    let many = block.copy_row_starts(&mut starts)?;
                    for row in 0..block.rows() {
                        let (_, rest) = rows.advance()?;
                        if rest.last() != Some(&2) {
                            continue;
                        }
                        let (first, end) = match many {
                            false => (row, row + 1),
                            true => (
                                starts[row] as usize,
                                starts
                                    .get(row + 1)
                                    .map_or(block.cells(), |&end| end as usize),
                            ),
                        };
                        for cell in first..end {
                            if !sees[labels[cell] as usize] {
                                continue;
                            }
                            let state = match offsets {
                                Some(data) => {
                                    let start = if cell == 0 { 0 } else { ends[cell - 1] };
                                    &data[start as usize..ends[cell] as usize]
                                }
                                None => weights.span(body, cell)?.of(body),
                            };
                            let weight =
                                state[1..].iter().fold(0, |sum, &b| sum << 8 | u64::from(b));
                            let slot = &mut sums[known[days[cell] as usize] as usize];
                            slot.0 += 1;
                            slot.1 += weight;
                        }
                    }
                    Ok(true)
                })
                .unwrap();
        }
        let mut total = total.lock().unwrap();
        for (all, mine) in total.iter_mut().zip(sums) {
            all.0 += mine.0;
            all.1 += mine.1;
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    total.into_inner().unwrap()
}

/// Distinct vertices two and three hops away from each of some vertices with 10 to 30 edges.
fn hops(store: &Store, made: &[Made]) {
    let mut degrees: BTreeMap<&[u8], usize> = BTreeMap::new();
    for one in made.iter().step_by(2) {
        let end = one.row.iter().position(|&byte| byte == 0).unwrap();
        *degrees.entry(&one.row[..end]).or_default() += 1;
    }
    let seeds = degrees
        .iter()
        .filter(|(_, degree)| (10..=30).contains(*degree));
    let step = (seeds.clone().count() / 20).max(1);
    let seeds: Vec<Vec<u8>> = seeds
        .step_by(step)
        .take(20)
        .map(|(seed, _)| seed.to_vec())
        .collect();
    let settings = Settings::default();
    let input = Input {
        snapshot: store.snapshot().unwrap(),
        groups: Input::groups_of(TREE.table, &settings),
        settings: Arc::new(settings),
        buffered: Vec::new(),
        splits: Arc::new([]),
        now: 0,
    };
    let mut spec = Spec {
        view: view(),
        ..Spec::default()
    };
    spec.plans.insert("p".into(), plan());
    let reader = EdgeReader::new(Follow {
        spec,
        plan: "p".into(),
        direction: Direction::Out,
        groups: None,
    });
    for (count, bar) in [(1, ""), (2, "; bar 2.5"), (3, "; bar 300")] {
        let (mut least, mut reached, mut expanded) = (Duration::ZERO, 0, 0);
        for seed in &seeds {
            let reach = Reach {
                seeds: std::slice::from_ref(seed),
                hops: count,
                within: false,
            };
            let watch = Arc::new(Watch::default());
            let (took, found) = best(3, || reader.expand(&input, &reach, 2, &watch).unwrap());
            least += took;
            reached += found.vertices.view().len();
            expanded += found.expanded;
        }
        let many = seeds.len();
        report(
            &format!(
                "{count} hops, {} vertices from {} looked up{bar}",
                reached / many,
                expanded as usize / many
            ),
            least / many as u32,
        );
    }
}

fn report(what: &str, took: Duration) {
    println!("{what:<60} {:>9.1} ms", took.as_secs_f64() * 1e3);
}

fn load(directory: &Path, made: &[Made]) -> Store {
    let _ = std::fs::remove_dir_all(directory);
    let store = Store::open(directory, Options::default()).unwrap();
    let mut loader = store.loader(Default::default());
    for one in made {
        loader.push(TREE, &one.cell()).unwrap();
    }
    store.load(loader, 1, &mut |_| Ok(())).unwrap();
    store
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let edges: usize = arguments
        .next()
        .map_or(4_000_000, |text| text.parse().unwrap());
    let directory = arguments.next().map_or_else(
        || std::env::temp_dir().join("lexigraph-column-bench"),
        std::path::PathBuf::from,
    );
    let scale = (edges / 15).ilog2();
    let load_average = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!(
        "{edges} edges, two cells each; load of the machine {}",
        load_average.trim()
    );
    let made = make(edges, scale, 1);
    let store = load(&directory, &made);
    if std::env::var_os("LOOP").is_some() {
        match std::env::var_os("HAND").is_some() {
            true => report("loop", least(100, || by_hand(&store, 1))),
            false => report("loop", least(100, || by_columns(&store, 1))),
        }
        return;
    }
    let hand_one = least(5, || by_hand(&store, 1));
    let (hand, sums) = best(7, || by_hand(&store, 2));
    let one = least(5, || by_columns(&store, 1));
    let (two, cells) = best(7, || by_columns(&store, 2));
    report("by hand, 1 thread, processor", hand_one);
    report("by hand, 2 threads", hand);
    report("by columns, 1 thread, processor", one);
    report("by columns, 2 threads", two);
    println!(
        "ratio to the decoder written by hand: {:.2} (1 thread), {:.2} (2 threads); bar 1.3",
        one.as_secs_f64() / hand_one.as_secs_f64(),
        two.as_secs_f64() / hand.as_secs_f64()
    );
    println!(
        "groups {}, counted by hand {}",
        cells.len(),
        sums.iter().map(|sum| sum.0).sum::<u64>()
    );
    if arguments.next().is_some() {
        let (took, same) = best(1, || by_stages(&store));
        report("by stages", took);
        assert_eq!(cells, same);
    }
    hops(&store, &made);
    for number in 0..5 {
        let made = make(90_000.min(edges / 10), scale, 100 + number);
        let mut cells: Vec<CellRef<'_>> = made.iter().map(Made::cell).collect();
        sort_batch(&mut cells);
        let batch = Batch {
            tree: TREE,
            cells: &cells,
        };
        store.write(&[batch], 2 + number as i64).unwrap();
    }
    let delta = store.stats(TREE).unwrap().delta.cells;
    let (two, _) = best(7, || by_columns(&store, 2));
    report(
        &format!("by columns, 2 threads, {delta} cells in the delta"),
        two,
    );
    let _ = std::fs::remove_dir_all(&directory);
}
