"""The Java classes that Gaffer's schemas name: what they are here, and what they are to Java.

Layer ``schema``. ``supers`` are those that signatures of functions name. A class that is not in the
table is refused: nothing here could store its values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lexigraph.errors import SchemaError, UnsupportedError, nearest, show
from lexigraph.schema.model import Aggregate, ValueType

_LANG, _UTIL, _MATH, _TIME = "java.lang", "java.util", "java.math", "java.time"
OBJECT, NUMBER, COMPARABLE = f"{_LANG}.Object", f"{_LANG}.Number", f"{_LANG}.Comparable"
STRING, BOOLEAN, LONG = f"{_LANG}.String", f"{_LANG}.Boolean", f"{_LANG}.Long"
COLLECTION, MAP = f"{_UTIL}.Collection", f"{_UTIL}.Map"
_TYPES = "uk.gov.gchq.gaffer.types"
ITERABLE = f"{_LANG}.Iterable"
FREQ_MAP = f"{_TYPES}.FreqMap"
HLL_PLUS = "com.clearspring.analytics.stream.cardinality.HyperLogLogPlus"
_SKETCHES = "org.apache.datasketches"
TYPE_VALUE, TYPE_SUBTYPE_VALUE = f"{_TYPES}.TypeValue", f"{_TYPES}.TypeSubTypeValue"
DATE, BYTES = f"{_UTIL}.Date", "[B"


@dataclass(frozen=True, slots=True)
class JavaClass:
    """One class: the codec of its values, and the aggregator that collections have anyway.

    ``codec`` is that of the members where values are collected.
    """

    name: str
    codec: str
    bits: int | None = None
    supers: tuple[str, ...] = ()
    collects: str | None = None


def _numbers() -> list[JavaClass]:
    supers = (NUMBER, COMPARABLE)
    return [
        JavaClass(f"{_LANG}.Integer", "int", 32, supers),
        JavaClass(LONG, "int", 64, supers),
        JavaClass(f"{_LANG}.Short", "int", 16, supers),
        JavaClass(f"{_LANG}.Byte", "int", 8, supers),
        JavaClass(f"{_LANG}.Double", "float", None, supers),
        JavaClass(f"{_LANG}.Float", "float", 32, supers),
        JavaClass(f"{_MATH}.BigInteger", "int", None, supers),
        JavaClass(f"{_MATH}.BigDecimal", "decimal", None, supers),
    ]


def _collections() -> list[JavaClass]:
    many = (COLLECTION, ITERABLE)
    sets = ("TreeSet", "HashSet", "LinkedHashSet", "Set", "SortedSet")
    lists = ("ArrayList", "LinkedList", "List", "Collection")
    maps = ("HashMap", "TreeMap", "LinkedHashMap", "Map")
    return [
        *(JavaClass(f"{_UTIL}.{one}", "any", None, many, "set") for one in sets),
        *(JavaClass(f"{_UTIL}.{one}", "any", None, many) for one in lists),
        *(JavaClass(f"{_UTIL}.{one}", "any", None, (MAP,)) for one in maps),
        JavaClass(FREQ_MAP, "str", None, (MAP,), "frequency-map"),
    ]


def _sketches() -> list[JavaClass]:
    return [
        JavaClass(HLL_PLUS, "any", collects="hll"),
        JavaClass(f"{_SKETCHES}.hll.HllSketch", "any", collects="hll"),
        JavaClass(f"{_SKETCHES}.hll.Union", "any", collects="hll"),
        JavaClass(f"{_SKETCHES}.theta.Sketch", "any", collects="theta"),
        JavaClass(f"{_SKETCHES}.theta.Union", "any", collects="theta"),
        JavaClass(f"{_SKETCHES}.kll.KllFloatsSketch", "float", collects="quantiles"),
        JavaClass(f"{_SKETCHES}.quantiles.DoublesSketch", "float", collects="quantiles"),
        JavaClass(f"{_SKETCHES}.quantiles.DoublesUnion", "float", collects="quantiles"),
        JavaClass(f"{_SKETCHES}.frequencies.LongsSketch", "int", collects="frequent-items"),
        JavaClass(f"{_SKETCHES}.frequencies.ItemsSketch", "str", collects="frequent-items"),
        JavaClass(f"{_SKETCHES}.sampling.ReservoirItemsSketch", "any", collects="reservoir"),
        JavaClass(f"{_SKETCHES}.sampling.ReservoirLongsSketch", "int", collects="reservoir"),
        JavaClass("org.roaringbitmap.RoaringBitmap", "int", collects="bitmap"),
    ]


CLASSES: dict[str, JavaClass] = {
    one.name: one
    for one in (
        JavaClass(STRING, "str", None, (COMPARABLE, f"{_LANG}.CharSequence")),
        JavaClass(BOOLEAN, "bool", None, (COMPARABLE,)),
        JavaClass(f"{_LANG}.Character", "str", None, (COMPARABLE,)),
        *_numbers(),
        JavaClass(DATE, "datetime", None, (COMPARABLE,)),
        JavaClass(f"{_TIME}.Instant", "datetime", None, (COMPARABLE,)),
        JavaClass(f"{_TIME}.LocalDate", "date", None, (COMPARABLE,)),
        JavaClass(f"{_TIME}.LocalDateTime", "naive_datetime", None, (COMPARABLE,)),
        JavaClass(f"{_UTIL}.UUID", "uuid", None, (COMPARABLE,)),
        JavaClass(BYTES, "bytes"),
        *_collections(),
        *_sketches(),
        JavaClass(TYPE_VALUE, "any", None, (COMPARABLE,)),
        JavaClass(TYPE_SUBTYPE_VALUE, "any", None, (COMPARABLE,)),
        JavaClass(OBJECT, "any"),
    )
}
_WIDTHS: dict[int | None, str] = {8: "Byte", 16: "Short", 32: "Integer"}
_JAVA = {
    "str": STRING,
    "bool": "java.lang.Boolean",
    "decimal": "java.math.BigDecimal",
    "bytes": "[B",
    "datetime": DATE,
    "date": "java.time.LocalDate",
    "naive_datetime": "java.time.LocalDateTime",
    "uuid": "java.util.UUID",
    "any": "java.lang.Object",
}
_COLLECTED = {
    "set": "java.util.TreeSet",
    "list": "java.util.ArrayList",
    "frequency-map": FREQ_MAP,
    "hll": HLL_PLUS,
}
_SHORT = {name.rpartition(".")[2]: name for name in reversed(CLASSES)} | {"byte[]": BYTES}


def find_class(name: Any) -> JavaClass:
    """Find a class by its full or short name.

    >>> find_class("Long").codec
    'int'
    >>> find_class("java.lang.Lng")
    Traceback (most recent call last):
        ...
    lexigraph.errors.SchemaError: the Java class 'java.lang.Lng' is not known \
(did you mean: java.lang.Long?)
    """
    full = _SHORT.get(name, name) if isinstance(name, str) else name
    found = CLASSES.get(full) if isinstance(full, str) else None
    if found is None:
        raise SchemaError(
            f"the Java class {show(name)} is not known",
            near=nearest(name, CLASSES)[:1],
            hint=f"Known classes: {', '.join(sorted(_SHORT))}.",
        )
    return found


def fits(java: str, wanted: str) -> bool:
    """Return whether a value of a class may be given where another class is asked for.

    >>> fits("java.lang.Long", "java.lang.Number"), fits("java.lang.String", "java.lang.Number")
    (True, False)
    """
    return wanted in (OBJECT, java) or wanted in find_class(java).supers


def java_class(kind: ValueType, aggregate: Aggregate | None) -> str:
    """Return the Java class for values of a type.

    >>> java_class(ValueType("int", bits=32), None)
    'java.lang.Integer'
    """
    if kind.java is not None:
        return kind.java
    if aggregate is not None and aggregate.name in _COLLECTED:
        return _COLLECTED[aggregate.name]
    if kind.codec == "int":
        return f"java.lang.{_WIDTHS.get(kind.bits, 'Long')}"
    if kind.codec == "float":
        return "java.lang.Float" if kind.bits == 32 else "java.lang.Double"
    if kind.codec not in _JAVA:
        raise UnsupportedError(
            f"Gaffer has no class for values of {kind.codec!r}",
            hint=f"Use one of: int, float, {', '.join(_JAVA)}.",
        )
    return _JAVA[kind.codec]
