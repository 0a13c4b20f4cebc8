//! Depth is bounded by memory alone: nothing here may overflow the stack or take quadratic time.

use lexigraph_core::visibility::{Authorizations, Visibility};
use lexigraph_core::Error;

const DEPTH: usize = 100_000;

fn held() -> Authorizations {
    Authorizations::new(["A", "B"]).unwrap()
}

#[test]
fn a_hundred_thousand_brackets_around_a_term_are_that_term() {
    let expression = format!("{}A{}", "(".repeat(DEPTH), ")".repeat(DEPTH));
    let label = Visibility::parse(expression.as_bytes()).unwrap();
    assert!(label.evaluate(&held()));
    assert_eq!(label.normalise(), b"A");
}

#[test]
fn a_hundred_thousand_open_brackets_are_an_error_at_the_end() {
    let found = Visibility::parse("(".repeat(DEPTH).as_bytes()).unwrap_err();
    assert!(
        matches!(
            found,
            Error::InvalidVisibility {
                position: DEPTH,
                ..
            }
        ),
        "{found}"
    );
}

#[test]
fn nested_groups_of_alternating_operators_keep_their_depth() {
    let expression = format!("{}A{}", "B&(A|(".repeat(DEPTH), "))".repeat(DEPTH));
    let label = Visibility::parse(expression.as_bytes()).unwrap();
    assert!(label.evaluate(&held()));
    let flat = label.clone().flatten();
    assert_eq!(Visibility::parse(&flat).unwrap().flatten(), flat);
    assert!(Visibility::parse(&flat).unwrap().evaluate(&held()));
}

#[test]
fn nested_groups_of_one_operator_roll_up_into_one() {
    for chain in [
        format!("{}A{}", "B&(".repeat(DEPTH), ")".repeat(DEPTH)),
        format!("{}A{}", "(".repeat(DEPTH), "&B)".repeat(DEPTH)),
    ] {
        assert_eq!(
            Visibility::parse(chain.as_bytes()).unwrap().normalise(),
            b"A&B"
        );
    }
}

#[test]
fn two_deep_equal_siblings_become_one() {
    let deep = format!("{}A{}", "B&(C|(".repeat(DEPTH / 4), "))".repeat(DEPTH / 4));
    let twice = format!("({deep})|({deep})");
    let once = Visibility::parse(deep.as_bytes()).unwrap().flatten();
    assert_eq!(Visibility::parse(twice.as_bytes()).unwrap().flatten(), once);
}
