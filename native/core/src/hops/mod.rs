//! k-hop expansion by a key plan: from some vertices along the edges that a reader can see, frontier by frontier.
//!
//! Every hop keeps the rules of a scan: an edge whose cells are all deleted, hidden by their labels or left out by the
//! scan's stages does not exist. Where no stage looks at single cells and no delete marker is near, rows are read from the blocks
//! directly and only the other end of each is taken; everything else goes through the stack of stages.

mod cells;
mod ends;
mod fast;
mod frontier;
mod judge;
mod known;
mod pairs;
mod references;
mod request;
mod routes;
mod staged;
mod walker;
mod ways;
mod words;

use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::cells::{BytesColumn, BytesView};
use crate::codec::escape::{escape, unescape};
use crate::scan::{GroupTree, Input};
use crate::settings::Settings;
use crate::tree::Watch;
use crate::{Error, Result};

use ends::{Ends, Reached};
use frontier::{Frontier, Mark};
use references::{check_spans, ReferenceRoutes};
use routes::Routes;
use walker::Walker;

pub use cells::{CellEnds, CellWays};
pub use references::FollowReferences;
pub use request::{Direction, Follow, Reach};

/// How many vertices a thread takes at once, at most.
const VERTICES: usize = 64;
/// Fewer vertices than this are not worth a second thread, unless each has very many edges.
const FEW: usize = 16;

/// What an expansion found.
#[derive(Debug, Default)]
pub struct Found {
    /// Key forms, sorted, each once.
    pub vertices: BytesColumn,
    /// How many vertices were looked up.
    pub expanded: u64,
    /// How many of these went through the stages.
    pub staged: u64,
}

/// Follows edges of one kind, prepared: the way from a vertex to its neighbours is worked out once, and again when the
/// settings of the table change. Between two calls it holds no state of the store.
#[derive(Debug)]
pub struct EdgeReader {
    follow: Followed,
    ready: Mutex<Option<Ready>>,
}

/// What is followed: edges of a key plan, or references of records.
#[derive(Debug)]
enum Followed {
    Edges(Follow),
    References(FollowReferences),
}

/// The way from a vertex to its neighbours.
#[derive(Debug)]
enum Roads {
    Edges(Box<Routes>),
    References(Box<ReferenceRoutes>),
}

impl Roads {
    fn new(input: &Input, follow: &Followed) -> Result<Roads> {
        Ok(match follow {
            Followed::Edges(follow) => Roads::Edges(Box::new(Routes::new(input, follow)?)),
            Followed::References(follow) => {
                Roads::References(Box::new(ReferenceRoutes::new(input, follow)?))
            }
        })
    }

    /// Refuses bytes that are no vertex.
    fn check_vertex(&self, vertex: &[u8]) -> Result<()> {
        match self {
            Roads::Edges(routes) => routes.ways.check_vertex(vertex),
            Roads::References(routes) => routes.check_vertex(vertex),
        }
    }

    fn is_timed(&self) -> bool {
        match self {
            Roads::Edges(routes) => routes.is_timed(),
            Roads::References(_) => false,
        }
    }
}

/// Routes, and what they were worked out from.
#[derive(Debug, Clone)]
struct Ready {
    settings: Arc<Settings>,
    groups: Arc<[GroupTree]>,
    is_buffered: bool,
    now: i64,
    routes: Arc<Roads>,
}

impl EdgeReader {
    /// Nothing is checked before the first call, which knows the table.
    pub fn new(follow: Follow) -> EdgeReader {
        EdgeReader {
            follow: Followed::Edges(follow),
            ready: Mutex::default(),
        }
    }

    /// The same along references of records.
    pub fn along_references(follow: FollowReferences) -> Result<EdgeReader> {
        check_spans(&follow.spans)?;
        Ok(EdgeReader {
            follow: Followed::References(follow),
            ready: Mutex::default(),
        })
    }

    /// Refuses mistakes before anything is read.
    pub fn check(&self, input: &Input) -> Result<()> {
        self.routes(input).map(drop)
    }

    /// Follows edges from the seeds. A vertex belongs to the smallest number of hops that reaches it; seeds have
    /// none and are never found.
    pub fn expand(
        &self,
        input: &Input,
        reach: &Reach<'_>,
        threads: usize,
        watch: &Arc<Watch>,
    ) -> Result<Found> {
        let _guard = input.snapshot.enter()?;
        let routes = &*self.routes(input)?;
        let mut seen = seeds(routes, reach.seeds)?;
        let mut found = Found::default();
        let (mut start, mut wanted) = (Mark::default(), seen.mark());
        for hop in 0..reach.hops {
            let frontier = seen.sorted(start);
            start = seen.mark();
            if hop == 0 || !reach.within {
                wanted = start;
            }
            let frontier = frontier.view();
            if frontier.is_empty() {
                break;
            }
            found.expanded += frontier.len() as u64;
            found.staged += step(input, routes, &mut seen, frontier, threads, watch)?;
        }
        found.vertices = unescaped(seen.sorted(wanted))?;
        Ok(found)
    }

    /// The other ends of all edges at some vertices, these among them where they are such an end; sorted, each once.
    pub fn neighbours(
        &self,
        input: &Input,
        vertices: &[Vec<u8>],
        threads: usize,
        watch: &Arc<Watch>,
    ) -> Result<BytesColumn> {
        let _guard = input.snapshot.enter()?;
        let routes = &*self.routes(input)?;
        if let [vertex] = vertices {
            routes.check_vertex(vertex)?;
            let (near, mut ends) = (escaped(vertex), Ends::default());
            let offsets = [0, near.len() as i64];
            let near = BytesView::new(&offsets, &near)?;
            walk(input, routes, near, &AtomicUsize::new(0), &mut ends, watch)?;
            return unescaped(ends.take());
        }
        let near = seeds(routes, vertices)?.sorted(Mark::default());
        let mut reached = Frontier::default();
        step(input, routes, &mut reached, near.view(), threads, watch)?;
        unescaped(reached.sorted(Mark::default()))
    }

    /// The other ends of the edges at each of some vertices: pairs of one of them and a neighbour, sorted, each once.
    pub fn pairs(
        &self,
        input: &Input,
        vertices: &[Vec<u8>],
        threads: usize,
        watch: &Arc<Watch>,
    ) -> Result<(BytesColumn, BytesColumn)> {
        let _guard = input.snapshot.enter()?;
        let routes = &*self.routes(input)?;
        let near = seeds(routes, vertices)?.sorted(Mark::default());
        let (near, far) = pairs::find(input, routes, near.view(), threads, watch)?;
        Ok((unescaped(near)?, unescaped(far)?))
    }

    fn routes(&self, input: &Input) -> Result<Arc<Roads>> {
        let is_buffered = !input.buffered.is_empty();
        let mut held = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(ready) = &*held {
            let same = Arc::ptr_eq(&ready.settings, &input.settings)
                && Arc::ptr_eq(&ready.groups, &input.groups)
                && ready.is_buffered == is_buffered
                && (ready.now == input.now || !ready.routes.is_timed());
            if same {
                return Ok(Arc::clone(&ready.routes));
            }
        }
        let routes = Arc::new(Roads::new(input, &self.follow)?);
        *held = Some(Ready {
            settings: Arc::clone(&input.settings),
            groups: Arc::clone(&input.groups),
            is_buffered,
            now: input.now,
            routes: Arc::clone(&routes),
        });
        Ok(routes)
    }
}

/// Vertices in key form as they stand in rows; refuses bytes that are no vertex.
fn seeds(routes: &Roads, vertices: &[Vec<u8>]) -> Result<Frontier> {
    let mut seeds = Frontier::default();
    for vertex in vertices {
        routes.check_vertex(vertex)?;
        seeds.add(&escaped(vertex));
    }
    Ok(seeds)
}

fn escaped(vertex: &[u8]) -> Cow<'_, [u8]> {
    if vertex.iter().all(|&byte| byte > 1) {
        return Cow::Borrowed(vertex);
    }
    let mut escaped = Vec::new();
    escape(vertex, &mut escaped);
    Cow::Owned(escaped)
}

/// Undoes the escapes of vertices; nearly always there is none.
fn unescaped(vertices: BytesColumn) -> Result<BytesColumn> {
    if vertices.data.iter().all(|&byte| byte > 1) {
        return Ok(vertices);
    }
    let (view, mut plain) = (vertices.view(), BytesColumn::default());
    for place in 0..view.len() {
        plain.push(&unescape(view.get(place))?);
    }
    Ok(plain)
}

/// Adds all neighbours of a frontier; gives how many vertices went through the stages.
fn step(
    input: &Input,
    routes: &Roads,
    seen: &mut Frontier,
    frontier: BytesView<'_>,
    threads: usize,
    watch: &Arc<Watch>,
) -> Result<u64> {
    let next = AtomicUsize::new(0);
    let helpers = helpers(frontier.len(), threads);
    if helpers == 0 {
        return walk(input, routes, frontier, &next, seen, watch);
    }
    let outcome: Mutex<(Vec<Frontier>, u64, Result<()>)> = Mutex::new((Vec::new(), 0, Ok(())));
    let work = || {
        let mut reached = Frontier::default();
        let done = walk(input, routes, frontier, &next, &mut reached, watch);
        let mut held = outcome.lock().unwrap_or_else(PoisonError::into_inner);
        held.0.push(reached);
        match done {
            Ok(staged) => held.1 += staged,
            Err(error) => {
                next.store(frontier.len(), Ordering::Relaxed);
                held.2 = Err(error);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..helpers {
            scope.spawn(work);
        }
        work();
    });
    let (reached, staged, done) = outcome.into_inner().unwrap_or_else(PoisonError::into_inner);
    done?;
    for reached in reached {
        seen.add_all(&reached);
    }
    Ok(staged)
}

/// How many threads besides the caller's follow the edges of so many vertices.
fn helpers(vertices: usize, threads: usize) -> usize {
    match vertices {
        0..FEW => 0,
        _ => threads.saturating_sub(1),
    }
}

/// How many of so many vertices a thread takes at once: some have very many edges, so few at a time where there are few.
fn share(vertices: usize) -> usize {
    (vertices / FEW).clamp(1, VERTICES)
}

/// One thread's share of a hop.
fn walk(
    input: &Input,
    routes: &Roads,
    frontier: BytesView<'_>,
    next: &AtomicUsize,
    reached: &mut impl Reached,
    watch: &Arc<Watch>,
) -> Result<u64> {
    walk_each(input, routes, frontier, next, reached, watch, |_, _| {})
}

/// One thread's share; `each` is told of every vertex that was looked up, by its place.
fn walk_each<R: Reached>(
    input: &Input,
    routes: &Roads,
    frontier: BytesView<'_>,
    next: &AtomicUsize,
    reached: &mut R,
    watch: &Arc<Watch>,
    mut each: impl FnMut(usize, &mut R),
) -> Result<u64> {
    let mut walker = Walker::new(input, routes, watch)?;
    let some = share(frontier.len());
    loop {
        let start = next.fetch_add(some, Ordering::Relaxed);
        let end = (start + some).min(frontier.len());
        if start >= end {
            return Ok(walker.finish());
        }
        watch.check()?;
        for place in start..end {
            walker.neighbours(frontier.get(place), reached)?;
            each(place, reached);
        }
    }
}

fn unsupported(what: &str) -> Error {
    Error::Unsupported(format!(
        "hops need a plan whose edge rows start with an escaped end, so that the edges of a vertex lie together; {what}"
    ))
}
