//! Random damage: the walk ends, and a check finds it or the cells are right.

use lexigraph_core::cells::Cell;
use lexigraph_core::guard::verify;
use lexigraph_core::Error;

use crate::processes::play_out;
use crate::support::*;

/// Some cells, three of them with long values.
pub fn sample() -> Vec<Cell> {
    let mut cells = rows(2500);
    for cell in cells.iter_mut().step_by(1000) {
        cell.value = vec![cell.value[0]; 20_000];
    }
    cells
}

/// A store that holds cells, and has free pages.
pub fn store_of(cells: &[Cell]) -> Folder {
    let folder = Folder::new();
    let mut options = options();
    options.store.target = 600;
    let directory = lexigraph_core::guard::Directory::open(folder.path(), &options).unwrap();
    for part in cells.chunks(400) {
        write(&directory, part).unwrap();
    }
    folder
}

/// A small generator of numbers, so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }

    /// Flips a bit, sets some bytes, or puts a page in place of another; likelier in the heads of pages.
    fn damage(&mut self, bytes: &mut [u8]) {
        let pages = bytes.len() / 4096;
        let page = self.below(pages) * 4096;
        let place = match self.below(3) {
            0 => page + self.below(40),
            1 => page + self.below(4096),
            _ => self.below(bytes.len()),
        };
        match self.below(4) {
            0 | 1 => bytes[place] ^= 1 << self.below(8),
            2 => {
                for byte in bytes[place..].iter_mut().take(16) {
                    *byte = self.below(256) as u8;
                }
            }
            _ => {
                let from = self.below(pages) * 4096;
                bytes.copy_within(from..from + 4096, page);
            }
        }
    }
}

#[test]
fn a_sound_store_has_no_problems() {
    let folder = store_of(&sample());
    let report = verify(folder.path()).unwrap();
    assert_eq!(report.problems(), []);
    assert_eq!(report.cells.counts.cells, 2500);
    assert_eq!((report.cells.tables, report.cells.long_values), (1, 3));
    assert!(report.cells.counts.blocks > 20 && report.pages.free > 0);
}

#[test]
fn damage_is_found_or_does_no_harm() {
    let folder = store_of(&sample());
    let file = folder.path().join("data.mdb");
    let whole = std::fs::read(&file).unwrap();
    // More rounds, or other ones, by hand.
    let setting = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    let rounds = setting("LEXIGRAPH_DAMAGE_ROUNDS").unwrap_or(150);
    let mut random = Random(setting("LEXIGRAPH_DAMAGE_SEED").unwrap_or(0x5eed));
    let (mut found, mut harmless) = (0, 0);
    for round in 0..rounds {
        let mut bytes = whole.clone();
        for _ in 0..=random.below(2) {
            random.damage(&mut bytes);
        }
        std::fs::write(&file, &bytes).unwrap();
        let (ended, said) = play_out("verify", folder.path());
        assert!(ended, "round {round}: the process died: {said}");
        if said.contains("\nproblem ") {
            found += 1;
        } else {
            assert!(said.contains("\ncells true"), "round {round}: {said}");
            harmless += 1;
        }
    }
    assert!(found > 30 && harmless > 5, "{found} and {harmless}");
}

#[test]
fn a_flipped_bit_in_a_block_is_named_by_whoever_reads_it() {
    let folder = Folder::new();
    write(&open(folder.path()), &rows(20_000)).unwrap();
    let file = folder.path().join("data.mdb");
    let whole = std::fs::read(&file).unwrap();
    // A block on pages of its own starts behind the head of the first.
    let blocks: Vec<usize> = (0..whole.len() / 4096)
        .map(|page| page * 4096 + 16)
        .filter(|&start| whole[start..].starts_with(b"LB\x01"))
        .collect();
    assert!(blocks.len() > 5);
    let mut random = Random(0xb10c);
    let mut named = 0;
    for _ in 0..100 {
        let mut bytes = whole.clone();
        let start = blocks[random.below(blocks.len())];
        bytes[start + random.below(4000)] ^= 1 << random.below(8);
        std::fs::write(&file, &bytes).unwrap();
        match all(&open(folder.path())) {
            Ok(cells) => assert_eq!(cells, rows(20_000)),
            Err(Error::Corruption(message)) => {
                assert!(
                    message.contains("table 1, group 0, delta block"),
                    "{message}"
                );
                named += 1;
            }
            Err(error) => unreachable!("{error}"),
        }
    }
    // Blocks of older states are in the file too; damage in those does no harm.
    assert!(named > 50, "{named}");
}
