//! The few words that facts are made of: tables, subjects, kinds and states.

/// Which of the two tables of records cells come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Table {
    /// Rows of vertices and of references.
    Vertices,
    Edges,
}

/// What a row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubjectKind {
    Vertex,
    Edge,
    Reference(Direction),
}

/// How an edge lies at the vertex of a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Out,
    In,
    /// Of an undirected edge.
    Either,
}

impl Direction {
    /// All of them, in the order of rows.
    pub const ALL: [Direction; 3] = [Direction::Out, Direction::In, Direction::Either];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Direction::Out => "out",
            Direction::In => "in",
            Direction::Either => "either",
        }
    }
}

/// What a fact says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactKind {
    /// A reader must also satisfy an expression.
    Required,
    Existence,
    Hide,
    ValueHide,
    Label,
    Value,
    Metadata,
}

/// What a version says of its fact. The numbers are stored: never renumber one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum FactState {
    Said = 1,
    Deleted = 2,
    Moved = 3,
    Removed = 4,
    Undone = 5,
}

impl FactKind {
    /// The kind of a family, in the rows of such a subject.
    pub fn of(subject: SubjectKind, family: &[u8]) -> Option<FactKind> {
        let family = match (subject, family) {
            (SubjectKind::Reference(_), [b'r', family @ ..]) => match family {
                b"a" | b"e" | b"h" => family,
                _ => return None,
            },
            (SubjectKind::Reference(_), _) => return None,
            _ => family,
        };
        Some(match family {
            b"a" => FactKind::Required,
            b"e" => FactKind::Existence,
            b"h" => FactKind::Hide,
            b"hp" => FactKind::ValueHide,
            b"l" if subject == SubjectKind::Vertex => FactKind::Label,
            b"p" => FactKind::Value,
            b"pm" => FactKind::Metadata,
            _ => return None,
        })
    }

    /// The state of a stored byte, if facts of this kind have it.
    pub fn state(self, byte: u8) -> Option<FactState> {
        let state = match byte {
            1 => FactState::Said,
            2 => FactState::Deleted,
            3 => FactState::Moved,
            4 => FactState::Removed,
            5 => FactState::Undone,
            _ => return None,
        };
        let has = match self {
            FactKind::Existence => state != FactState::Undone,
            FactKind::Label | FactKind::Value => {
                !matches!(state, FactState::Moved | FactState::Undone)
            }
            FactKind::Metadata => matches!(state, FactState::Said | FactState::Undone),
            FactKind::Required | FactKind::Hide | FactKind::ValueHide => {
                !matches!(state, FactState::Deleted | FactState::Moved)
            }
        };
        has.then_some(state)
    }

    /// The word for it, for messages.
    pub fn name(self) -> &'static str {
        match self {
            FactKind::Required => "additional visibility",
            FactKind::Existence => "existence",
            FactKind::Hide => "hide",
            FactKind::ValueHide => "hide of a property",
            FactKind::Label => "label",
            FactKind::Value => "property value",
            FactKind::Metadata => "metadata entry",
        }
    }
}
