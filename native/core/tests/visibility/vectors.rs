//! Reading JSON vectors: a byte string is a JSON string (its UTF-8) or `{"hex": ...}`.

use serde_json::Value;
use std::path::Path;

pub fn load(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).expect("the vectors are JSON")
}

pub fn section<'a>(vectors: &'a Value, name: &str) -> &'a [Value] {
    let cases = vectors[name]
        .as_array()
        .unwrap_or_else(|| panic!("no section {name}"));
    assert!(!cases.is_empty(), "section {name} is empty");
    cases
}

pub fn raw(text: &Value) -> Vec<u8> {
    if let Some(text) = text.as_str() {
        return text.as_bytes().to_vec();
    }
    let digits = text["hex"]
        .as_str()
        .unwrap_or_else(|| panic!("not a byte string: {text}"));
    let pairs = digits
        .as_bytes()
        .chunks(2)
        .map(|pair| std::str::from_utf8(pair).unwrap());
    pairs
        .map(|pair| u8::from_str_radix(pair, 16).unwrap())
        .collect()
}

pub fn raws(texts: &Value) -> Vec<Vec<u8>> {
    texts
        .as_array()
        .unwrap_or_else(|| panic!("not a list: {texts}"))
        .iter()
        .map(raw)
        .collect()
}
