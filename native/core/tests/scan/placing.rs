//! Where stages stand and which of them the core runs.

use std::sync::Arc;

use lexigraph_core::scan::{native_prefix, Prepared, Spec};
use lexigraph_core::settings::Settings;
use lexigraph_core::stages::StageSpec;
use lexigraph_core::{Error, Result};
use serde_json::{json, Value};

fn stage(name: &str, options: Value, priority: Option<i64>) -> StageSpec {
    StageSpec {
        name: name.into(),
        options,
        priority,
    }
}

fn spec(stages: Vec<StageSpec>) -> Spec {
    Spec {
        stages,
        ..Spec::default()
    }
}

fn check(settings: &Settings, spec: &Spec) -> Result<()> {
    Prepared::new(&Arc::new(settings.clone()), spec.clone()).map(drop)
}

#[test]
fn mistakes_show_before_any_cell_is_read() {
    let settings = Settings {
        max_versions: Some(1),
        ..Settings::default()
    };
    let limit = || stage("limit", json!({"cells": 1}), None);
    assert_eq!(check(&settings, &spec(vec![limit()])), Ok(()));
    for wrong in [
        vec![stage("limits", json!({}), None)],
        vec![stage("limit", json!({}), None)],
        vec![stage("grep", json!({"term": "a"}), Some(20))],
        vec![limit(), stage("whole-row", json!({}), Some(200))],
        vec![stage("filter", json!({"plan": "absent"}), None)],
    ] {
        let outcome = check(&settings, &spec(wrong.clone()));
        assert!(matches!(outcome, Err(Error::InvalidOption(_))), "{wrong:?}");
    }
    let combining = Settings {
        merge_stages: vec![stage("aggregate", json!({"plan": "p"}), None)],
        ..Settings::default()
    };
    let timed = spec(vec![stage("as-of", json!({"timestamp": 1}), None)]);
    let outcome = check(&combining, &timed);
    assert!(matches!(outcome, Err(Error::Unsupported(_))), "{outcome:?}");
}

#[test]
fn a_plan_of_the_table_is_not_replaced() {
    let mut settings = Settings::default();
    settings.plans.insert("p".into(), json!({"version": 1}));
    let mut clash = Spec::default();
    clash.plans.insert("p".into(), json!({"version": 2}));
    assert!(matches!(
        check(&settings, &clash),
        Err(Error::InvalidOption(_))
    ));
    clash.plans.insert("p".into(), json!({"version": 1}));
    assert_eq!(check(&settings, &clash), Ok(()));
}

#[test]
fn stages_that_only_python_has_end_the_part_that_the_core_runs() {
    let settings = Settings::default();
    let none = Spec::default();
    let (versions, own) = (
        stage("versions", json!({}), Some(20)),
        stage("my-own", json!({"any": 1}), Some(30)),
    );
    let ahead = stage("regex", json!({"row": "a(?=b)"}), Some(35));
    let limit = stage("limit", json!({"cells": 1}), Some(100));
    for (stages, native) in [
        (vec![], 0),
        (vec![versions.clone(), limit.clone()], 2),
        (vec![versions.clone(), own.clone(), limit.clone()], 1),
        (vec![versions.clone(), ahead, limit.clone()], 1),
        (vec![own, limit.clone()], 0),
    ] {
        assert_eq!(native_prefix(&settings, &none, &stages), Ok(native));
    }
    let wrong = stage("grep", json!({"trm": "a"}), Some(35));
    let outcome = native_prefix(&settings, &none, &[versions, wrong, limit]);
    assert!(matches!(outcome, Err(Error::InvalidOption(_))));
}
