//! A store in a directory of its own, random elements of the worked plans, and scans over them.

use std::sync::atomic::Ordering;
use std::sync::Arc;

use lexigraph_core::block::Compression;
use lexigraph_core::cells::{Cell, Key};
use lexigraph_core::codec::escape::escape;
use lexigraph_core::codec::{Codec, Value};
use lexigraph_core::scan::{self, Input, ScanOptions, Spec};
use lexigraph_core::settings::Settings;
use lexigraph_core::tree::{Options, Store, TreeId};
use lexigraph_core::{Error, Result};

use crate::common::cells::write;
use crate::common::folder::Folder;
pub use crate::common::vectors::plan;

pub const TREE: TreeId = TreeId { table: 1, group: 0 };

pub struct Fixture {
    pub store: Store,
    _folder: Folder,
}

impl Fixture {
    pub fn new(target: usize) -> Fixture {
        let folder = Folder::new();
        let options = Options {
            target,
            compression: Compression::Never,
            ..Options::default()
        };
        let store = Store::open(folder.path(), options).unwrap();
        Fixture {
            store,
            _folder: folder,
        }
    }

    pub fn write(&self, cells: &[Cell]) {
        write(&self.store, TREE, cells).unwrap();
    }

    pub fn merge(&self) {
        self.store.merge_range(TREE, None, None, Ok).unwrap();
    }

    pub fn input(&self) -> Input {
        let settings = Settings::default();
        Input {
            snapshot: self.store.snapshot().unwrap(),
            groups: Input::groups_of(TREE.table, &settings),
            settings: Arc::new(settings),
            buffered: Vec::new(),
            splits: Arc::new([]),
            now: 0,
        }
    }
}

/// What the column path did: whether it took the form, whether it finished, blocks by code and by element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ran {
    pub taken: bool,
    pub finished: bool,
    pub coded: u64,
    pub elements: u64,
    pub skipped: u64,
    pub at_once: u64,
}

/// Runs a scan to its end.
pub fn run(
    input: &Input,
    spec: &Spec,
    stages_only: bool,
    threads: usize,
) -> (Result<Vec<Cell>>, Ran) {
    let options = ScanOptions {
        threads,
        stages_only,
        ..ScanOptions::default()
    };
    let mut scan = match scan::open(input.clone(), spec, &options) {
        Ok(scan) => scan,
        Err(error) => return (Err(error), Ran::default()),
    };
    let mut cells = Vec::new();
    let found = loop {
        match scan.next(7) {
            Ok(None) => break Ok(cells),
            Ok(Some(batch)) => {
                let view = batch.view();
                cells.extend((0..view.len()).map(|at| view.cell(at).to_owned()));
            }
            Err(error) => break Err(error),
        }
    };
    let mut ran = Ran::default();
    if let Some(counters) = scan.by_columns() {
        let read = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed);
        ran = Ran {
            taken: true,
            finished: read(&counters.finished) > 0,
            coded: read(&counters.coded_blocks),
            elements: read(&counters.element_blocks),
            skipped: read(&counters.skipped_blocks),
            at_once: read(&counters.blocks_at_once),
        };
    }
    (found, ran)
}

/// Fails where both ways differ; gives what the column path did.
pub fn compare(input: &Input, spec: &Spec) -> Ran {
    compare_cells(input, spec, None)
}

/// The same, where some cells may not fit. The column path may answer what the stages refuse, because it need not read
/// what no answer depends on: then it must say what the stages say of a table that never had these cells, `sound`.
pub fn compare_cells(input: &Input, spec: &Spec, sound: Option<&Input>) -> Ran {
    let (staged, _) = run(input, spec, true, 1);
    let mut ran = Ran::default();
    for threads in [1, 2] {
        let (columns, did) = run(input, spec, false, threads);
        let expected = match (sound, &staged) {
            (Some(sound), Err(Error::InvalidBytes(_))) if columns.is_ok() => {
                run(sound, spec, true, 1).0
            }
            _ => staged.clone(),
        };
        assert_eq!(columns, expected, "{:?}", spec.stages);
        ran = did;
    }
    ran
}

/// A small generator.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) % most
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len() as u64) as usize]
    }
}

const NAMES: [&str; 9] = [
    "A",
    "B",
    "ab",
    "abc",
    "\u{e9}t\u{e9}",
    "a\u{0}b",
    "\u{1}",
    "",
    "zebra",
];
const LABELS: [&[u8]; 6] = [b"", b"p", b"p&q", b"q|r", b"zz", b"((broken"];

pub fn value_of(codec: &Codec, value: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    codec.encode_value(value, &mut out).unwrap();
    out
}

fn escaped(plain: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    escape(plain, &mut out);
    out
}

pub fn tagged(states: &[(u8, Vec<u8>)]) -> Vec<u8> {
    let mut out = vec![1];
    for (id, state) in states {
        out.extend_from_slice(&[*id, state.len() as u8]);
        out.extend_from_slice(state);
    }
    out
}

/// Random elements under `byte-entity.json`.
pub struct Byte<'r> {
    pub random: &'r mut Random,
    /// How many names vertices take.
    pub names: usize,
    pub plain: bool,
}

impl Byte<'_> {
    fn name(&mut self) -> Vec<u8> {
        let number = self.random.below(self.names as u64);
        if self.plain || number >= NAMES.len() as u64 {
            return format!("u{number}").into_bytes();
        }
        escaped(NAMES[number as usize].as_bytes())
    }

    fn day(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        let day = Value::Date(20_000 + self.random.below(4) as i32);
        Codec::Date.encode_key(&day, &mut out).unwrap();
        out
    }

    fn int(&mut self) -> Vec<u8> {
        let small = self.random.below(2000) as i64 - 500;
        value_of(&Codec::Int, &Value::int(small))
    }

    /// The cells of one element.
    pub fn element(&mut self) -> Vec<Cell> {
        let label = self.random.pick(&LABELS[..5]).to_vec();
        let timestamp = self.random.below(5) as i64;
        let cell = |row: Vec<u8>, family: &[u8], qualifier: Vec<u8>, value: Vec<u8>| Cell {
            key: Key {
                row,
                family: family.to_vec(),
                qualifier,
                visibility: label.clone(),
                timestamp,
                deleted: false,
            },
            value,
        };
        let two = |a: &[u8], b: &[u8], first: u8, second: u8| {
            [
                [a, &[0, first, 0], b, &[0, first]].concat(),
                [b, &[0, second, 0], a, &[0, second]].concat(),
            ]
        };
        match self.random.below(10) {
            0 | 1 => {
                let row = [self.name(), vec![0, 1]].concat();
                let mut states = vec![(1, self.int())];
                if self.random.chance(30) {
                    let place = format!("p{}", self.random.below(3)).into_bytes();
                    states.push((4, [vec![place.len() as u8], place].concat()));
                }
                let qualifier = self.day();
                vec![cell(row, b"activity", qualifier, tagged(&states))]
            }
            2 => vec![cell(b"any".to_vec(), b"stranger", Vec::new(), Vec::new())],
            3 | 4 => {
                let (a, b) = (self.name(), self.name());
                let [one, two] = two(&a, &b, 4, 4);
                let mut cells = vec![cell(one.clone(), b"knows", Vec::new(), Vec::new())];
                if one != two {
                    cells.push(cell(two, b"knows", Vec::new(), Vec::new()));
                }
                cells
            }
            _ => {
                let (a, b) = (self.name(), self.name());
                let mut qualifier = self.day();
                match self.random.below(3) {
                    0 => qualifier.push(1),
                    number => qualifier.extend([0, b'd', b'0' + number as u8, 0]),
                }
                let mut states = Vec::new();
                if self.plain || self.random.chance(80) {
                    states.push((1, self.int()));
                }
                if self.random.chance(if self.plain { 0 } else { 30 }) {
                    let float = Value::Float(self.random.below(9) as f64 / 2.0);
                    states.push((2, value_of(&Codec::Float, &float)));
                }
                if self.random.chance(if self.plain { 0 } else { 30 }) {
                    let text = [vec![0], format!("x{}", self.random.below(3)).into_bytes()];
                    states.push((5, text.concat()));
                }
                let [one, two] = two(&a, &b, 2, 3);
                let value = tagged(&states);
                vec![
                    cell(one, b"calls", qualifier.clone(), value.clone()),
                    cell(two, b"calls", qualifier, value),
                ]
            }
        }
    }

    pub fn elements(&mut self, count: usize) -> Vec<Cell> {
        (0..count).flat_map(|_| self.element()).collect()
    }
}
