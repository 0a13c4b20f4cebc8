//! Conditional writes see what came before them, also within one call.

use lexigraph_core::engine::{Condition, Conditional, Engine, Outcome};
use lexigraph_core::visibility::{Authorizations, View};

use crate::support::*;

fn condition<'a>(family: &'a str, value: Option<&'a str>) -> Condition<'a> {
    Condition {
        family: family.as_bytes(),
        qualifier: b"",
        visibility: b"",
        value: value.map(str::as_bytes),
        timestamp: None,
    }
}

fn fixture() -> (Directory, Engine) {
    let directory = Directory::new();
    let engine = open(&directory);
    engine.create_table("t", "{}", &[]).unwrap();
    (directory, engine)
}

#[test]
fn of_two_that_want_a_lock_the_first_gets_it() {
    let (_directory, engine) = fixture();
    let (ann, bob) = (
        Columns::of(&[put("job", "lock", "ann")]),
        Columns::of(&[put("job", "lock", "bob")]),
    );
    let free = vec![condition("lock", None)];
    let taken = vec![condition("lock", Some("ann"))];
    let mutation = |conditions: &Vec<Condition<'static>>, columns: &'static Columns| Conditional {
        row: b"job",
        conditions: conditions.clone(),
        batch: columns.batch(),
    };
    let (ann, bob): (&'static Columns, &'static Columns) =
        (Box::leak(Box::new(ann)), Box::leak(Box::new(bob)));
    let outcomes = engine
        .conditional_write(
            "t",
            &[
                mutation(&free, ann),
                mutation(&free, bob),
                mutation(&taken, bob),
            ],
            &View::All,
            None,
        )
        .unwrap();
    assert_eq!(
        outcomes,
        [Outcome::Accepted, Outcome::Rejected, Outcome::Accepted]
    );
    assert_eq!(shown(&scan(&engine, "t", None)), ["job=bob"]);
}

#[test]
fn constraints_and_labels_have_outcomes_of_their_own() {
    let (_directory, engine) = fixture();
    let mut bad = put("r", "f", "1");
    bad.cell.key.visibility = b"a&".to_vec();
    let (bad, good) = (Columns::of(&[bad]), Columns::of(&[put("r", "f", "1")]));
    let hidden = Condition {
        visibility: b"secret",
        ..condition("f", None)
    };
    let mutations = [
        Conditional {
            row: b"r",
            conditions: vec![],
            batch: bad.batch(),
        },
        Conditional {
            row: b"r",
            conditions: vec![hidden],
            batch: good.batch(),
        },
    ];
    let reader = View::Of(Authorizations::new(["public"]).unwrap());
    let outcomes = engine
        .conditional_write("t", &mutations, &reader, None)
        .unwrap();
    assert_eq!(outcomes, [Outcome::Violated, Outcome::InvisibleVisibility]);
    assert!(scan(&engine, "t", None).is_empty());
}
