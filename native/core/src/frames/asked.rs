//! Which columns are asked for, by name, and where each group has its values.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::column::FrameColumn;
use super::kind::Kind;
use super::refuse;
use crate::json::Node;
use crate::plan::Plan;
use crate::Result;

/// The columns of a table.
#[derive(Debug, Clone)]
pub struct Asked(Vec<AskedColumn>);

#[derive(Debug, Clone)]
struct AskedColumn {
    name: String,
    kind: Kind,
    /// The field of each group that has one.
    fields: BTreeMap<String, String>,
    /// Groups whose values are times of cells, shown as moments.
    moments: BTreeSet<String>,
}

impl Asked {
    /// Reads a list of `name`, `kind`, `fields` and `moments`.
    pub fn from_json(json: &Json) -> Result<Asked> {
        let node = Node::new(json, "columns");
        let columns = node.items()?;
        let columns = columns.iter().map(|node| {
            node.expect(&["name", "kind", "fields"], &["moments"])?;
            let word = node.member("kind")?.text()?.to_owned();
            let mut fields = BTreeMap::new();
            for (group, field) in node.member("fields")?.members()? {
                fields.insert(group.to_owned(), field.text()?.to_owned());
            }
            let moments = match node.optional("moments")? {
                Some(groups) => groups.items()?,
                None => Vec::new(),
            };
            let moments = moments.iter().map(|group| Ok(group.text()?.to_owned()));
            Ok(AskedColumn {
                moments: moments.collect::<Result<_>>()?,
                name: node.member("name")?.text()?.to_owned(),
                kind: match Kind::named(&word) {
                    Some(kind) => kind,
                    None => return refuse(format!("a column cannot hold '{word}'")),
                },
                fields,
            })
        });
        Ok(Asked(columns.collect::<Result<_>>()?))
    }

    /// Looks the fields up in a plan.
    pub(super) fn bind(&self, plan: &Plan) -> Result<Vec<FrameColumn>> {
        let columns = self.0.iter().map(|asked| {
            let mut fields = vec![None; plan.model().groups.len()];
            for (group, name) in &asked.fields {
                let known = plan.fields(Some(group))?;
                let held = known.find(name)?;
                if asked.kind == Kind::Key && held.result().is_none() {
                    return refuse(format!(
                        "field '{name}' holds a collection, which has no key form"
                    ));
                }
                let at = plan.find_group(group.as_bytes());
                if let Some(place) = at.and_then(|at| fields.get_mut(at)) {
                    let is_moment = asked.moments.contains(group);
                    *place = Some((known.locate(name)?, held, is_moment));
                }
            }
            Ok(FrameColumn::new(&asked.name, asked.kind.clone(), fields))
        });
        columns.collect()
    }
}
