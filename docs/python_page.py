"""The page of public classes: each method with its signature and its docstring's first line."""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Callable, Iterator
from enum import Enum
from typing import ForwardRef

import lexigraph
from lexigraph import graph, plan, schema, security, store
from lexigraph.graph.admin.admin import Admin
from lexigraph.graph.admin.evolving import EvolveReport, NewRule
from lexigraph.graph.admin.indexes import IndexAdmin, IndexInfo
from lexigraph.graph.admin.listening import Listening
from lexigraph.graph.moments import SnapshotSession, TransactionSession
from lexigraph.graph.read.rows import Rows
from lexigraph.graph.write.add import Skipped

INTRO = """\
Names from `lexigraph` are those most people need; the others are where the page says. Schemas are
[explained](../explanation/schemas.md) with all functions of fields. `Text` is
`str | bytes`: text is taken as its UTF-8. A default that is shown as `...` is an empty set or dict,
or everything. The docstrings say more, with an example each: `help(lexigraph.Table)`.

What else there is: [table settings](settings.md), [stages](stages.md), [errors](errors.md), codecs
([their bytes](../formats/codec.md), [your own](../how-to/cells/own-codec.md)) and
[labels](../explanation/security.md)."""

SECTIONS: dict[str, tuple[type, ...]] = {
    "Graphs": (
        graph.Graph,
        Admin,
        EvolveReport,
        NewRule,
        graph.Session,
        SnapshotSession,
        TransactionSession,
        graph.AddReport,
        Skipped,
        graph.DeleteReport,
        graph.EraseReport,
        graph.Committed,
        Listening,
        IndexAdmin,
        IndexInfo,
        graph.Query,
        graph.Prepared,
        Rows,
        plan.Path,
        plan.Element,
        plan.Explanation,
    ),
    "Tables and engines": (
        store.Table,
        store.Engine,
        store.MemoryEngine,
        store.EmbeddedEngine,
        store.AccumuloEngine,
        store.Snapshot,
    ),
    "Writing": (
        store.Mutations,
        store.MutationBatch,
        store.ConditionalMutation,
        store.Condition,
        store.Outcome,
    ),
    "Reading": (
        store.Range,
        store.ScanSpec,
        store.KeySet,
        store.Scan,
        store.RowReader,
        store.Resume,
        store.StageSpec,
        store.Cell,
        store.Key,
        store.CellBatch,
    ),
    "Settings and reports": (
        store.TableSettings,
        store.Capabilities,
        store.CheckReport,
        store.Checked,
        store.MergeReport,
        store.LoadFiles,
        store.LoadReport,
        store.StageCount,
        store.StagePlacement,
        store.TableStats,
    ),
    "Time": (store.Clock, store.SystemClock, store.ManualClock),
    "Labels": (security.Visibility, security.Authorizations),
    "Schemas": (
        schema.Vertex,
        schema.Edge,
        schema.Field,
        schema.FieldCondition,
        schema.Validator,
        schema.Schema,
        schema.Group,
        schema.Property,
        schema.ValueType,
        schema.Aggregate,
        schema.Rule,
    ),
}
WIDTH = 100
SHOWN = {cls for classes in SECTIONS.values() for cls in classes}


def python_page(note: str) -> str:
    """Return the page, with the note that it is made."""
    lines = ["# Python reference", "", note, INTRO]
    for title, classes in SECTIONS.items():
        lines += ["", f"## {title}"]
        if graph.Graph in classes:
            lines += ["", *_function(graph.open), "", *_function(graph.graphs)]
        for cls in classes:
            lines += ["", *_section(cls)]
    return "\n".join(lines) + "\n"


def _section(cls: type) -> list[str]:
    home = "lexigraph" if getattr(lexigraph, cls.__name__, None) is cls else cls.__module__
    for layer in ("lexigraph.store", "lexigraph.schema"):
        home = layer if home.startswith(f"{layer}.") else home
    lines = [f"### {cls.__name__}", "", f"From `{home}`. {_first_line(cls)}", ""]
    if issubclass(cls, Enum):
        return [*lines, "One of " + ", ".join(f"`{member.name}`" for member in cls) + "."]
    if not getattr(cls, "_is_protocol", False):
        lines += ["```text", _broken(_signature(cls.__name__, cls)), "```", ""]
    bases = [base for base in cls.__mro__[1:] if base in SHOWN]
    known = {_call(name, member) for base in bases for name, member in members(base)}
    entries = [_entry(*item) for item in members(cls) if _call(*item) not in known]
    more = [f"Everything that `{base.__name__}` has.\n" for base in bases]
    return "\n".join([*lines, *more, *entries]).rstrip().splitlines()


def _function(function: Callable[..., object]) -> list[str]:
    """Return the section of a function of `lexigraph`: the whole text, up to its example."""
    name = function.__name__
    text = (inspect.getdoc(function) or "").partition("\n\n>>> ")[0].replace("``", "`")
    called = _broken(_signature(name, function))
    return [f"### {name}", "", "From `lexigraph`. " + text, "", "```text", called, "```"]


def members(cls: type) -> Iterator[tuple[str, object]]:
    """Give the public methods and properties that a class defines, or a base without a section."""
    kinds = (types.FunctionType, staticmethod, classmethod, property)
    inner = [base for base in cls.__mro__[1:] if _is_part(base)]
    found: dict[str, object] = {}
    for part in (cls, *inner):
        for name, member in vars(part).items():
            if not name.startswith("_") and isinstance(member, kinds):
                found.setdefault(name, member)
    yield from found.items()


def _is_part(base: type) -> bool:
    parts = (
        "lexigraph.store.embedded.engine",
        "lexigraph.schema.classes",
        "lexigraph.graph.read.results",
        "lexigraph.graph.questions",
        "lexigraph.graph.read.asking",
    )
    return base not in SHOWN and base.__module__.startswith(parts)


def _entry(name: str, member: object) -> str:
    if isinstance(member, property):
        return f"- `{name}`: {_first_line(member.fget)}"
    return f"- `{_call(name, member)}`: {_first_line(getattr(member, '__func__', member))}"


def _call(name: str, member: object) -> str:
    function = getattr(member, "__func__", member)
    return _signature(name, function) if callable(function) else name


def _broken(signature: str) -> str:
    """Return a signature as it is, or with a line for each parameter when it is long."""
    if len(signature) <= WIDTH:
        return signature
    called, arrow, returns = signature.partition(") -> ")
    name, _, inside = called.removesuffix(")").partition("(")
    # A comma within brackets belongs to a type or to a default.
    parts = re.split(r", (?![^\[(]*[\])])", inside)
    return "\n".join([f"{name}(", *(f"    {part}," for part in parts), f"){arrow[1:]}{returns}"])


def _signature(name: str, function: Callable[..., object]) -> str:
    signature = inspect.signature(function)
    bare = isinstance(function, type) or signature.return_annotation is inspect.Signature.empty
    returns = "" if bare else f" -> {_type(signature.return_annotation)}"
    shown: list[str] = []
    for item in signature.parameters.values():
        if item.name in ("self", "cls"):
            continue
        if item.kind is item.KEYWORD_ONLY and "*" not in shown:
            shown.append("*")
        shown.append(_parameter(item))
    return f"{name}({', '.join(shown)}){returns}"


def _parameter(item: inspect.Parameter) -> str:
    stars = "*" * (item.kind is item.VAR_POSITIONAL) + "**" * (item.kind is item.VAR_KEYWORD)
    text = f"{stars}{item.name}: {_type(item.annotation)}"
    if item.default is item.empty:
        return text
    # Factories have no repr that says something, and large defaults hide the rest.
    default = repr(item.default)
    return f"{text} = {'...' if default.startswith('<') or len(default) > 40 else default}"


def _type(annotation: object) -> str:
    if isinstance(annotation, ForwardRef):
        return annotation.__forward_arg__
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)


def _first_line(thing: object) -> str:
    return (inspect.getdoc(thing) or "").split("\n\n", 1)[0].replace("\n", " ").replace("``", "`")
