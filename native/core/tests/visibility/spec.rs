//! The vectors that all languages share: `spec/visibility.json`.

use crate::vectors::{load, raw, raws, section};
use lexigraph_core::visibility::{
    conjunction, quote, Authorizations, LabelCache, View, Visibility,
};
use lexigraph_core::Error;
use serde_json::Value;
use std::path::Path;

fn spec() -> Value {
    load(&Path::new("../..").join("spec/visibility.json"))
}

fn parse(case: &Value) -> Visibility {
    Visibility::parse(&raw(&case["expr"])).unwrap_or_else(|error| panic!("{case}: {error}"))
}

#[test]
fn a_valid_expression_names_its_tokens() {
    for case in section(&spec(), "parse") {
        let tokens: Vec<Vec<u8>> = parse(case)
            .tokens()
            .into_iter()
            .map(<[u8]>::to_vec)
            .collect();
        assert_eq!(tokens, raws(&case["tokens"]), "{case}");
    }
}

#[test]
fn a_broken_expression_is_refused_at_the_byte() {
    for case in section(&spec(), "broken") {
        let expected = Error::InvalidVisibility {
            message: case["message"].as_str().unwrap().to_owned(),
            position: case["byte"].as_u64().unwrap() as usize,
        };
        assert_eq!(
            Visibility::parse(&raw(&case["expr"])).err(),
            Some(expected),
            "{case}"
        );
    }
}

#[test]
fn a_label_is_visible_to_those_it_names() {
    for case in section(&spec(), "evaluate") {
        let held = Authorizations::new(raws(&case["auths"])).unwrap();
        assert_eq!(
            Some(parse(case).evaluate(&held)),
            case["visible"].as_bool(),
            "{case}"
        );
    }
}

#[test]
fn an_expression_has_its_sorted_forms() {
    for case in section(&spec(), "forms") {
        assert_eq!(parse(case).flatten(), raw(&case["flat"]), "{case}");
        assert_eq!(parse(case).normalise(), raw(&case["normal"]), "{case}");
    }
}

#[test]
fn labels_join_to_one() {
    for case in section(&spec(), "conjunction") {
        let labels = raws(&case["labels"]);
        let joined = conjunction(labels.iter().map(Vec::as_slice));
        assert_eq!(joined, Ok(raw(&case["joined"])), "{case}");
    }
}

#[test]
fn a_bad_label_among_several_is_named_by_its_index() {
    let (index, error) = conjunction([&b"A"[..], b"B&"]).unwrap_err();
    assert_eq!(
        (index, error.to_string()),
        (1, "a term is missing here at byte 2".to_owned())
    );
}

#[test]
fn a_token_is_quoted_where_it_must_be() {
    for case in section(&spec(), "quote") {
        assert_eq!(quote(&raw(&case["term"])), raw(&case["quoted"]), "{case}");
    }
}

#[test]
fn authorizations_have_one_serialised_form() {
    for case in section(&spec(), "authorizations") {
        match Authorizations::new(raws(&case["auths"])) {
            Ok(held) => assert_eq!(held.serialise(), raw(&case["serialised"]), "{case}"),
            Err(error) => {
                assert!(matches!(error, Error::InvalidValue(_)), "{case}");
                assert_eq!(case["error"], true, "{case}");
            }
        }
    }
}

#[test]
fn authorizations_are_read_from_text() {
    for case in section(&spec(), "authorizations_text") {
        match Authorizations::parse(&raw(&case["text"])) {
            Ok(held) => {
                let tokens: Vec<Vec<u8>> = held.iter().map(<[u8]>::to_vec).collect();
                assert_eq!(tokens, raws(&case["auths"]), "{case}");
            }
            Err(error) => {
                assert!(matches!(error, Error::InvalidBytes(_)), "{case}");
                assert_eq!(case["error"], true, "{case}");
            }
        }
    }
}

#[test]
fn a_scan_shows_or_hides_a_cell() {
    for case in section(&spec(), "scan") {
        let view = match &case["auths"] {
            Value::Null => View::All,
            tokens => View::Of(Authorizations::new(raws(tokens)).unwrap()),
        };
        let mut cache = LabelCache::new(view, &raw(&case["default"]), LabelCache::LIMIT_BYTES);
        assert_eq!(
            Some(cache.can_see(&raw(&case["label"]))),
            case["visible"].as_bool(),
            "{case}"
        );
    }
}
