//! Which file systems a memory-mapped store with record locks can stand on.

use std::path::Path;

use crate::{Error, Result};

/// File systems whose maps or locks reach other machines late or never, by the number that the kernel gives them.
const NETWORK: [(u64, &str); 17] = [
    (0x6969, "NFS"),
    (0x517b, "SMB"),
    (0xff53_4d42, "CIFS"),
    (0xfe53_4d42, "SMB2"),
    (0x0102_1997, "9p"),
    (0x00c3_6400, "Ceph"),
    (0x0bd0_0bd0, "Lustre"),
    (0x5346_414f, "AFS"),
    (0x6b41_4653, "kAFS"),
    (0x7375_7245, "Coda"),
    (0x564c, "NCP"),
    (0x0116_1970, "GFS2"),
    (0x7461_636f, "OCFS2"),
    (0x4750_4653, "GPFS"),
    (0x1983_0326, "BeeGFS"),
    (0x2003_0528, "OrangeFS"),
    (0xaad7_aaea, "PanFS"),
];
const FUSE: u64 = 0x6573_5546;

/// Refuses a directory on a network file system, or on one that a program serves and that may be one.
pub(super) fn check(path: &Path) -> Result<()> {
    match network(super::system::file_system(path), || is_fuse_block(path)) {
        None => Ok(()),
        Some(name) => Err(Error::Store(format!(
            "{} is on a network file system ({name}), where a memory-mapped store can be damaged when two \
             machines use it: choose a local disk, or open it with force if only this machine will",
            path.display()
        ))),
    }
}

/// The name of a network file system; none where it is a local one.
fn network(number: Option<u64>, is_block: impl FnOnce() -> bool) -> Option<&'static str> {
    let number = number?;
    if number == FUSE {
        return (!is_block()).then_some("FUSE");
    }
    let known = NETWORK.iter().find(|(held, _)| *held == number);
    known.map(|(_, name)| *name)
}

/// Whether the mount of a path is `fuseblk`: a program serves it, but from a local disk.
fn is_fuse_block(path: &Path) -> bool {
    let (Ok(path), Ok(mounts)) = (
        std::fs::canonicalize(path),
        std::fs::read_to_string("/proc/self/mounts"),
    ) else {
        return false;
    };
    let mount = |line: &str| {
        let mut words = line.split(' ').skip(1);
        let place = words.next()?.replace("\\040", " ");
        path.starts_with(&place)
            .then_some((place.len(), words.next()? == "fuseblk"))
    };
    let longest = mounts.lines().filter_map(mount).max_by_key(|held| held.0);
    longest.is_some_and(|held| held.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn network_file_systems_are_known_by_their_numbers() {
        assert_eq!(network(Some(0x6969), || false), Some("NFS"));
        assert_eq!(network(Some(0xff53_4d42), || false), Some("CIFS"));
        assert_eq!(network(Some(FUSE), || false), Some("FUSE"));
        assert_eq!(network(Some(FUSE), || true), None);
        assert_eq!(network(Some(0xef53), || false), None);
        assert_eq!(network(None, || false), None);
    }

    #[test]
    fn the_directory_for_temporary_files_is_on_a_local_one() {
        check(&std::env::temp_dir()).unwrap_or_else(|error| unreachable!("{error}"));
    }
}
