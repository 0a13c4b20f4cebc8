//! Damaged bytes: an error, never other cells and never a panic.

use lexigraph_core::block::Compression;
use lexigraph_core::Error;
use proptest::prelude::*;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::samples::{build, cells, read};

fn is_corruption<T>(result: Result<T, Error>) -> bool {
    matches!(result, Err(Error::Corruption(_)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_flipped_bit_is_found(cells in cells(), at: prop::sample::Index, bit in 0u8..8) {
        let mut bytes = build(&cells, Compression::WherePays);
        let place = at.index(bytes.len());
        bytes[place] ^= 1 << bit;
        prop_assert!(is_corruption(read(&bytes)));
    }

    #[test]
    fn a_cut_block_is_found(cells in cells(), at: prop::sample::Index) {
        let bytes = build(&cells, Compression::WherePays);
        prop_assert!(is_corruption(read(&bytes[..at.index(bytes.len())])));
    }

    #[test]
    fn any_body_under_a_right_checksum_is_read_or_refused(
        cells in cells(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        squeeze: bool,
    ) {
        let compression = if squeeze { Compression::WherePays } else { Compression::Never };
        let mut bytes = build(&cells, compression);
        for (at, byte) in changes {
            let place = 12 + at.index(bytes.len() - 12);
            bytes[place] = byte;
        }
        let seed = u32::from_le_bytes(bytes[..4].try_into().unwrap());
        let sum = xxh3_64_with_seed(&bytes[12..], u64::from(seed));
        bytes[4..12].copy_from_slice(&sum.to_le_bytes());
        let answer = read(&bytes);
        prop_assert!(answer.is_ok() || is_corruption(answer));
    }

    #[test]
    fn noise_is_refused(noise in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(is_corruption(read(&noise)));
    }
}
