//! Stages that search the text or bytes of a cell: `regex` reads bytes as text, as Java does; `grep`
//! compares bytes.

use memchr::memmem::Finder;
use serde_json::Value;

use super::filter::{filter, Test};
use super::java_text::Charset;
use super::options::{read_choice, Options};
use super::{Source, StageContext};
use crate::cells::json::bytes_from_json;
use crate::cells::CellRef;
use crate::functions::JavaRegex;
use crate::Result;

/// A part of a cell that is searched.
#[derive(Debug, Clone, Copy)]
enum Field {
    Row,
    Family,
    Qualifier,
    Visibility,
    Value,
}

const FIELDS: [(&str, Field); 5] = [
    ("row", Field::Row),
    ("family", Field::Family),
    ("qualifier", Field::Qualifier),
    ("visibility", Field::Visibility),
    ("value", Field::Value),
];
const NAMES: [&str; 5] = ["row", "family", "qualifier", "visibility", "value"];
const SEARCHED: [(&str, Field); 4] = [
    ("row", Field::Row),
    ("family", Field::Family),
    ("qualifier", Field::Qualifier),
    ("value", Field::Value),
];

impl Field {
    fn of<'a>(self, cell: &CellRef<'a>) -> &'a [u8] {
        match self {
            Field::Row => cell.key.row,
            Field::Family => cell.key.family,
            Field::Qualifier => cell.key.qualifier,
            Field::Visibility => cell.key.visibility,
            Field::Value => cell.value,
        }
    }
}

#[derive(Clone)]
struct Patterns {
    patterns: Vec<(Field, JavaRegex)>,
    any: bool,
    charset: Charset,
}

impl Test for Patterns {
    fn accepts(&mut self, cell: &CellRef<'_>) -> Result<bool> {
        let mut results = self
            .patterns
            .iter()
            .map(|(field, regex)| regex.is_match(&self.charset.decode(field.of(cell))));
        Ok(if self.any {
            results.any(|matched| matched)
        } else {
            results.all(|matched| matched)
        })
    }
}

/// Makes `regex`: cells whose fields match, all patterns given, or with `any` one of them. A pattern
/// matches a whole field, or with `substring` a part of it.
pub fn regex(source: Source, options: &Value, _: &mut StageContext) -> Result<Source> {
    let known = [
        "row",
        "family",
        "qualifier",
        "value",
        "any",
        "substring",
        "encoding",
        "negate",
    ];
    let options = Options::of_stage("regex", options, &known)?;
    let any = options.flag("any", false)?;
    let substring = options.flag("substring", false)?;
    let charset = Charset::named(options.choice("encoding", &Charset::NAMES)?);
    let negate = options.flag("negate", false)?;
    let mut patterns = Vec::new();
    for (name, field) in SEARCHED {
        if let Some(pattern) = options.text(name)? {
            patterns.push((
                field,
                JavaRegex::new(pattern, substring, &options.name(name))?,
            ));
        }
    }
    let test = Patterns {
        patterns,
        any,
        charset,
    };
    Ok(filter(source, test, negate))
}

#[derive(Clone)]
struct Holds {
    term: Finder<'static>,
    fields: Vec<Field>,
}

impl Test for Holds {
    fn accepts(&mut self, cell: &CellRef<'_>) -> Result<bool> {
        let mut fields = self.fields.iter();
        Ok(fields.any(|field| self.term.find(field.of(cell)).is_some()))
    }
}

/// Makes `grep`: cells that have the bytes of `term` in one of `fields`.
pub fn grep(source: Source, options: &Value, _: &mut StageContext) -> Result<Source> {
    let options = Options::of_stage("grep", options, &["term", "fields", "negate"])?;
    let term = bytes_from_json(options.required("term")?, &options.name("term"))?;
    let chosen = options.list("fields", 0, |value, what| {
        let name = read_choice(value, what, &NAMES)?;
        Ok(FIELDS.iter().find(|(known, _)| *known == name))
    })?;
    let fields = match chosen {
        None => SEARCHED.iter().map(|(_, field)| *field).collect(),
        Some(chosen) => chosen
            .into_iter()
            .flatten()
            .map(|(_, field)| *field)
            .collect(),
    };
    let test = Holds {
        term: Finder::new(&term).into_owned(),
        fields,
    };
    Ok(filter(source, test, options.flag("negate", false)?))
}
