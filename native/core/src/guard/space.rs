//! Whether a write that broke off in its middle did so for lack of room.
//!
//! LMDB tells of a write that was cut short as an input/output error. A small file beside the store, or
//! the limit of this process, tells the truth.

use std::io::Write;
use std::path::Path;

/// The code of "no room", if there is none.
pub(crate) fn no_room(directory: &Path) -> Option<i32> {
    let length = std::fs::metadata(directory.join("data.mdb")).map_or(0, |held| held.len());
    if length.saturating_add(1 << 20) > super::system::longest_file() {
        return Some(libc::EFBIG);
    }
    let name = format!("probe.{}.tmp", std::process::id());
    let path = directory.join(name);
    let probe = std::fs::File::create(&path).and_then(|mut file| {
        file.write_all(&[0; 1 << 18])?;
        file.sync_data()
    });
    let _ = std::fs::remove_file(&path);
    let code = probe.err()?.raw_os_error()?;
    matches!(code, libc::ENOSPC | libc::EDQUOT | libc::EFBIG).then_some(code)
}
