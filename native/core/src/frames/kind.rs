//! What a column holds, by the words that a question names it with.

/// What a column holds, as Arrow calls it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Binary,
    Flag,
    /// Whole numbers of so many bytes.
    Int(usize),
    /// Whole numbers from 0 to 2^64 - 1.
    Unsigned,
    Float,
    /// Decimal numbers of so many digits, so many of them after the point.
    Decimal {
        digits: usize,
        scale: usize,
    },
    /// Days, 32 bits.
    Date,
    /// Microseconds of various kinds.
    Micros,
    /// 16 bytes.
    Uuid,
    /// The text of an IP address.
    Address,
    /// Latitude and longitude.
    Point,
    /// The bytes of a value that says its own type, for who reads the column.
    Any,
    /// The key form of a field, which sorts as its values do.
    Key,
    List(Box<Kind>),
    /// Keys, and numbers that belong to them.
    Map(Box<Kind>, Box<Kind>),
    /// An entry of a map: key and number.
    Entry(Box<Kind>, Box<Kind>),
}

impl Kind {
    /// Reads a word, or several joined by colons: `list:text`, `map:date:int64`, `decimal:38:18`.
    pub fn named(word: &str) -> Option<Kind> {
        let (kind, rest) = Kind::read(word)?;
        rest.is_empty().then_some(kind)
    }

    fn read(words: &str) -> Option<(Kind, &str)> {
        let (word, rest) = words.split_once(':').unwrap_or((words, ""));
        let kind = match word {
            "text" => Kind::Text,
            "binary" => Kind::Binary,
            "flag" => Kind::Flag,
            "int8" => Kind::Int(1),
            "int16" => Kind::Int(2),
            "int32" => Kind::Int(4),
            "int64" => Kind::Int(8),
            "uint64" => Kind::Unsigned,
            "float" => Kind::Float,
            "date" => Kind::Date,
            "micros" => Kind::Micros,
            "uuid" => Kind::Uuid,
            "ip" => Kind::Address,
            "point" => Kind::Point,
            "any" => Kind::Any,
            "key" => Kind::Key,
            "decimal" => {
                let (digits, rest) = rest.split_once(':')?;
                let (scale, rest) = rest.split_once(':').unwrap_or((rest, ""));
                let (digits, scale) = (digits.parse().ok()?, scale.parse().ok()?);
                let fits = (1..=76).contains(&digits) && scale <= digits;
                return fits.then_some((Kind::Decimal { digits, scale }, rest));
            }
            "list" => {
                let (item, rest) = Kind::read(rest)?;
                return Some((Kind::List(item.into()), rest));
            }
            "map" => {
                let (key, rest) = Kind::read(rest)?;
                let (number, rest) = Kind::read(rest)?;
                return Some((Kind::Map(key.into(), number.into()), rest));
            }
            _ => return None,
        };
        Some((kind, rest))
    }

    /// The kinds of the columns inside.
    pub fn children(&self) -> Vec<Kind> {
        match self {
            Kind::List(item) => vec![(**item).clone()],
            Kind::Map(key, number) => vec![Kind::Entry(key.clone(), number.clone())],
            Kind::Entry(key, number) => vec![(**key).clone(), (**number).clone()],
            Kind::Point => vec![Kind::Float, Kind::Float],
            _ => Vec::new(),
        }
    }

    pub fn has_offsets(&self) -> bool {
        matches!(
            self,
            Kind::Text
                | Kind::Binary
                | Kind::Address
                | Kind::Any
                | Kind::Key
                | Kind::List(_)
                | Kind::Map(..)
        )
    }

    /// How many bytes each entry has; none for those of any length, for bits and for what is in columns inside.
    pub fn width(&self) -> usize {
        match self {
            Kind::Int(width) => *width,
            Kind::Date => 4,
            Kind::Unsigned | Kind::Float | Kind::Micros => 8,
            Kind::Uuid => 16,
            Kind::Decimal { digits, .. } if *digits > 38 => 32,
            Kind::Decimal { .. } => 16,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_to_their_end() {
        let number = Kind::Decimal {
            digits: 38,
            scale: 0,
        };
        let map = Kind::Map(Kind::Date.into(), number.into());
        let found = Kind::named("list:map:date:decimal:38:0");
        assert_eq!(found, Some(Kind::List(map.into())));
        for wrong in [
            "",
            "texts",
            "text:text",
            "list",
            "map:text",
            "decimal:38",
            "decimal:77:0",
            "decimal:2:3",
        ] {
            assert_eq!(Kind::named(wrong), None, "{wrong}");
        }
    }
}
