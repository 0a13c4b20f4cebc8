//! The label cache judges each label once and stays within its limit.

use lexigraph_core::visibility::{Authorizations, LabelCache, View};

fn cache(limit_bytes: usize) -> LabelCache {
    LabelCache::new(
        View::Of(Authorizations::new(["A"]).unwrap()),
        b"",
        limit_bytes,
    )
}

#[test]
fn a_label_is_judged_once_however_often_it_is_asked_for() {
    let mut cache = cache(LabelCache::LIMIT_BYTES);
    for _ in 0..10 {
        assert!(cache.can_see(b"A"));
        assert!(!cache.can_see(b"A&"));
        assert!(cache.can_see(b""));
    }
    assert_eq!((cache.evaluated(), cache.len()), (3, 3));
}

#[test]
fn a_full_cache_starts_afresh_and_answers_the_same() {
    let mut cache = cache(1000);
    for number in 0..100 {
        assert!(cache.can_see(format!("A|B{number}").as_bytes()));
        assert!(cache.len() < 10);
    }
    assert!(!cache.is_empty());
}

#[test]
fn a_label_larger_than_the_limit_is_judged_but_not_kept() {
    let mut cache = cache(1000);
    assert!(cache.can_see(format!("A|{}", "B".repeat(2000)).as_bytes()));
    assert!(cache.is_empty());
}
