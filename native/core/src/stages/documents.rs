//! The two layouts of an index: a family for each term, or terms, types and documents in qualifiers
//! with the bodies of documents beside them.

use std::collections::BTreeSet;

use serde_json::Value;

use super::intersect::{DocumentPlace, Index, Intersection};
use super::options::Options;
use super::{Families, Source, StageContext};
use crate::cells::{Cell, Key, KeyRef, Range};
use crate::{Error, Result};

/// A family is a term, a qualifier a document.
#[derive(Clone)]
struct TermFamilies;

/// Makes `intersect`: the documents that have all `terms` and none of `negated`. A result has the
/// row, an empty family, the document as qualifier and an empty value.
pub fn intersect(source: Source, options: &Value, _: &mut StageContext) -> Result<Source> {
    let options = Options::of_stage("intersect", options, &["terms", "negated"])?;
    let (terms, negated) = read_terms(&options)?;
    Ok(Box::new(Intersection::new(
        source,
        TermFamilies,
        &terms,
        &negated,
    )))
}

impl Index for TermFamilies {
    fn family_of(&self, term: &[u8]) -> Vec<u8> {
        term.to_vec()
    }

    fn key(&self, row: &[u8], term: &[u8], document: Option<&[u8]>) -> Key {
        Key::leading(row, term, document.unwrap_or_default(), b"")
    }

    fn start_key(&self, start: &Key, term: &[u8]) -> Key {
        self.key(&start.row, term, Some(&start.qualifier))
    }

    fn term_of<'a>(&self, key: &KeyRef<'a>) -> Result<&'a [u8]> {
        Ok(key.family)
    }

    fn document_of<'a>(&self, key: &KeyRef<'a>) -> Result<&'a [u8]> {
        Ok(key.qualifier)
    }

    fn result(&self, place: &DocumentPlace, _: &Range, _: &mut Source) -> Result<Option<Cell>> {
        Ok(Some(result(&place.row, b"", place.document.clone())))
    }
}

/// One family holds the index; its qualifiers are term, type, document and info with a 00 byte
/// behind each of the first three. Bodies lie in the same row, in family prefix, 00, type.
#[derive(Clone)]
struct TermQualifiers {
    index_family: Vec<u8>,
    document_family: Vec<u8>,
}

/// Makes `intersect-documents`: the same with bodies. A result has the row, the index family, the
/// qualifier 00 type 00 document 00, and the body as value: empty where the document is missing. A
/// range that starts at such a key starts there; any other at the document its qualifier spells.
pub fn intersect_documents(
    source: Source,
    options: &Value,
    _: &mut StageContext,
) -> Result<Source> {
    let known = ["terms", "negated", "index_family", "document_family"];
    let options = Options::of_stage("intersect-documents", options, &known)?;
    let (terms, negated) = read_terms(&options)?;
    let index = TermQualifiers {
        index_family: options.bytes_or("index_family", b"i")?,
        document_family: options.bytes_or("document_family", b"e")?,
    };
    Ok(Box::new(Intersection::new(source, index, &terms, &negated)))
}

impl TermQualifiers {
    fn is_result(&self, key: &Key) -> bool {
        key.family == self.index_family && matches!(key.qualifier.as_slice(), [0, .., 0])
    }

    fn body(&self, place: &DocumentPlace, source: &mut Source) -> Result<Vec<u8>> {
        let zero = place.document.iter().position(|&byte| byte == 0);
        let (kind, name) = match zero {
            Some(at) => (
                place.document.get(..at).unwrap_or_default(),
                place.document.get(at + 1..).unwrap_or_default(),
            ),
            None => (place.document.as_slice(), &b""[..]),
        };
        let family = [&self.document_family, &b"\0"[..], kind].concat();
        let wanted = Range::exact(&place.row, &family, name);
        let families = Families {
            names: BTreeSet::from([family]),
            inclusive: true,
        };
        source.seek(&wanted, &families)?;
        Ok(source.top().map_or_else(Vec::new, |top| top.value.to_vec()))
    }
}

impl Index for TermQualifiers {
    fn family_of(&self, _: &[u8]) -> Vec<u8> {
        self.index_family.clone()
    }

    fn key(&self, row: &[u8], term: &[u8], document: Option<&[u8]>) -> Key {
        let qualifier = match document {
            None => term.to_vec(),
            Some(document) => [term, b"\0", document, b"\0"].concat(),
        };
        Key::leading(row, &self.index_family, &qualifier, b"")
    }

    fn start_key(&self, start: &Key, term: &[u8]) -> Key {
        let document = match start.qualifier.as_slice() {
            [0, document @ .., 0] if self.is_result(start) => document,
            qualifier => qualifier,
        };
        self.key(&start.row, term, Some(document))
    }

    fn term_of<'a>(&self, key: &KeyRef<'a>) -> Result<&'a [u8]> {
        let end = key.qualifier.iter().position(|&byte| byte == 0);
        end.and_then(|end| key.qualifier.get(..end))
            .ok_or_else(|| broken(key))
    }

    fn document_of<'a>(&self, key: &KeyRef<'a>) -> Result<&'a [u8]> {
        let mut zeros = key
            .qualifier
            .iter()
            .enumerate()
            .filter_map(|(at, &byte)| (byte == 0).then_some(at));
        match (zeros.next(), zeros.next(), zeros.next()) {
            (Some(term), Some(_), Some(document)) => key.qualifier.get(term + 1..document),
            _ => None,
        }
        .ok_or_else(|| broken(key))
    }

    fn result(
        &self,
        place: &DocumentPlace,
        range: &Range,
        source: &mut Source,
    ) -> Result<Option<Cell>> {
        let qualifier = [b"\0", place.document.as_slice(), b"\0"].concat();
        let mut cell = result(&place.row, &self.index_family, qualifier);
        let resumed = range.start.as_ref().is_some_and(|key| self.is_result(key));
        if resumed && range.is_before(&cell.key.as_ref()) {
            return Ok(None);
        }
        cell.value = self.body(place, source)?;
        Ok(Some(cell))
    }
}

fn result(row: &[u8], family: &[u8], qualifier: Vec<u8>) -> Cell {
    Cell {
        key: Key {
            row: row.to_vec(),
            family: family.to_vec(),
            qualifier,
            visibility: Vec::new(),
            timestamp: i64::MAX,
            deleted: false,
        },
        value: Vec::new(),
    }
}

type Terms = Vec<Vec<u8>>;

fn read_terms(options: &Options<'_>) -> Result<(Terms, Terms)> {
    options.required("terms")?;
    let terms = options.bytes_list("terms", 1)?.unwrap_or_default();
    let negated = options.bytes_list("negated", 0)?.unwrap_or_default();
    Ok((terms, negated))
}

fn broken(key: &KeyRef<'_>) -> Error {
    let (row, qualifier) = (key.row.escape_ascii(), key.qualifier.escape_ascii());
    Error::InvalidBytes(format!(
        "the index qualifier '{qualifier}' in row '{row}' is not term, type, document and info with \
         a 00 byte between; name the family of the index with index_family"
    ))
}
