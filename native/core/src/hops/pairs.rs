//! Vertices and their neighbours, pair by pair: threads take some vertices each, and the pairs come in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::ends::Ends;
use super::{helpers, share, walk_each, Roads};
use crate::cells::{BytesColumn, BytesView};
use crate::scan::Input;
use crate::tree::Watch;
use crate::Result;

type Pairs = (BytesColumn, BytesColumn);

/// Finds them; vertices are escaped and sorted.
pub fn find(
    input: &Input,
    routes: &Roads,
    vertices: BytesView<'_>,
    threads: usize,
    watch: &Arc<Watch>,
) -> Result<Pairs> {
    let next = AtomicUsize::new(0);
    let outcome: Mutex<(BTreeMap<usize, Pairs>, Result<()>)> =
        Mutex::new((BTreeMap::new(), Ok(())));
    let work = || {
        let mut found: BTreeMap<usize, Pairs> = BTreeMap::new();
        let mut reached = Ends::default();
        let some = share(vertices.len());
        let done = walk_each(
            input,
            routes,
            vertices,
            &next,
            &mut reached,
            watch,
            |at, reached| {
                let (near, far) = found.entry(at / some).or_default();
                let count = reached.move_to(far);
                (0..count).for_each(|_| near.push(vertices.get(at)));
            },
        );
        let mut held = outcome.lock().unwrap_or_else(PoisonError::into_inner);
        held.0.extend(found);
        if let Err(error) = done {
            next.store(vertices.len(), Ordering::Relaxed);
            held.1 = Err(error);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..helpers(vertices.len(), threads) {
            scope.spawn(work);
        }
        work();
    });
    let (found, done) = outcome.into_inner().unwrap_or_else(PoisonError::into_inner);
    done?;
    let (mut near, mut far) = Pairs::default();
    for (some, others) in found.values() {
        near.append(some, 0..some.view().len());
        far.append(others, 0..others.view().len());
    }
    Ok((near, far))
}
