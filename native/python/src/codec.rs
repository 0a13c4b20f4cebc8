//! The codecs of the core, with codecs and values as JSON text: for tests that compare languages.

use lexigraph_core::codec::Codec;
use lexigraph_core::{Error, Result};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::to_python;
use crate::typed_json::{codec_from_json, value_from_json, value_to_json};

/// Encodes a typed value. `form` is key, part or value.
#[pyfunction]
pub fn codec_encode<'py>(
    py: Python<'py>,
    codec: &str,
    form: &str,
    value: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = encode(codec, form, value).map_err(|error| to_python(py, error))?;
    Ok(PyBytes::new(py, &bytes))
}

/// Decodes bytes that take up all of `data` to a typed value. `form` is key, part or value.
#[pyfunction]
pub fn codec_decode(py: Python<'_>, codec: &str, form: &str, data: &[u8]) -> PyResult<String> {
    decode(codec, form, data).map_err(|error| to_python(py, error))
}

fn encode(codec: &str, form: &str, value: &str) -> Result<Vec<u8>> {
    let codec = parse_codec(codec)?;
    let value = value_from_json(&parse(value)?)?;
    let mut out = Vec::new();
    match form {
        "key" => codec.encode_key(&value, &mut out)?,
        "part" => codec.encode_part(&value, &mut out)?,
        "value" => codec.encode_value(&value, &mut out)?,
        _ => return Err(unknown_form(form)),
    }
    Ok(out)
}

fn decode(codec: &str, form: &str, data: &[u8]) -> Result<String> {
    let codec = parse_codec(codec)?;
    let value = match form {
        "key" => codec.decode_key(data)?,
        "part" => match codec.decode_part(data, 0)? {
            (value, end) if end == data.len() => value,
            (_, end) => {
                return Err(Error::InvalidBytes(format!(
                    "{} bytes follow",
                    data.len() - end
                )))
            }
        },
        "value" => codec.decode_value(data)?,
        _ => return Err(unknown_form(form)),
    };
    Ok(value_to_json(&value).to_string())
}

fn parse_codec(text: &str) -> Result<Codec> {
    codec_from_json(&parse(text)?)
}

fn parse(text: &str) -> Result<serde_json::Value> {
    serde_json::from_str(text)
        .map_err(|error| Error::InvalidValue(format!("the text is not JSON: {error}")))
}

fn unknown_form(form: &str) -> Error {
    Error::InvalidValue(format!("a form is key, part or value, not {form}"))
}
