//! Agreement with Apache Accumulo 2.1.4 on the cases in the directory that the environment variable
//! `LEXIGRAPH_CONFORMANCE` names. Where ours differ on purpose, `docs/reference/deviations.md`
//! says why.

use crate::vectors::{load, raw, raws, section};
use lexigraph_core::visibility::{quote, Authorizations, LabelCache, View, Visibility};
use serde_json::Value;
use std::path::PathBuf;

fn outside() -> Option<Value> {
    let path = std::env::var_os("LEXIGRAPH_CONFORMANCE")
        .map(|root| PathBuf::from(root).join("accumulo").join("visibility.json"))
        .filter(|path| path.is_file());
    if path.is_none() {
        println!("skipped: LEXIGRAPH_CONFORMANCE names no directory with accumulo/visibility.json");
    }
    path.map(|path| load(&path))
}

fn report(section: &str, count: usize) {
    println!("accumulo.visibility {section}: {count} cases ran");
}

#[test]
fn every_expression_gets_accumulos_answer_alone_and_in_a_scan() {
    let Some(vectors) = outside() else { return };
    let cases = section(&vectors, "cases");
    for case in cases {
        let expression = raw(&case["expr"]);
        let held = Authorizations::new(raws(&case["auths"])).unwrap();
        let answer = match Visibility::parse(&expression) {
            Ok(label) if label.evaluate(&held) => "accessible",
            Ok(_) => "inaccessible",
            Err(_) => "error",
        };
        assert_eq!(answer, case["expected"], "{case}");
        let mut cache = LabelCache::new(View::Of(held), b"", LabelCache::LIMIT_BYTES);
        assert_eq!(cache.can_see(&expression), answer == "accessible", "{case}");
    }
    report("cases", cases.len());
}

#[test]
fn flatten_is_accumulos_where_that_is_stable_and_its_fixed_point_elsewhere() {
    let Some(vectors) = outside() else { return };
    let flatten = |expression: &[u8]| Visibility::parse(expression).unwrap().flatten();
    let mut stable = 0;
    for case in section(&vectors, "cases")
        .iter()
        .filter(|case| !case["flat"].is_null())
    {
        let (expression, flat) = (raw(&case["expr"]), raw(&case["flat"]));
        let ours = flatten(&expression);
        assert_eq!(flatten(&ours), ours, "{case}");
        if std::str::from_utf8(&expression).is_err() {
            let replaced = String::from_utf8_lossy(&ours).into_owned();
            assert_eq!(flatten(replaced.as_bytes()), flatten(&flat), "{case}");
        } else if case["flat2"].is_null() {
            assert_eq!(ours, flat, "{case}");
            stable += 1;
        } else {
            assert_eq!(ours, flatten(&raw(&case["flat2"])), "{case}");
        }
    }
    report("flat", stable);
}

#[test]
fn terms_are_quoted_as_accumulo_quotes_them() {
    let Some(vectors) = outside() else { return };
    let cases = section(&vectors, "quote");
    for case in cases {
        assert_eq!(quote(&raw(&case["term"])), raw(&case["quoted"]), "{case}");
    }
    report("quote", cases.len());
}

#[test]
fn authorizations_are_written_and_read_as_accumulo_does() {
    let Some(vectors) = outside() else { return };
    let written = section(&vectors, "authorizations");
    for case in written {
        match Authorizations::new(raws(&case["auths"])) {
            Ok(held) => assert_eq!(held.serialise(), raw(&case["serialized"]), "{case}"),
            Err(_) => assert!(case["error"].is_string(), "{case}"),
        }
    }
    let read = section(&vectors, "authorizations_text");
    for case in read {
        match Authorizations::parse(&raw(&case["text"])) {
            Ok(held) => {
                let expected = Authorizations::new(raws(&case["auths"])).unwrap();
                assert_eq!(held, expected, "{case}");
            }
            Err(_) => assert!(case["error"].is_string(), "{case}"),
        }
    }
    report("authorizations", written.len() + read.len());
}
