"""Where our predicates and aggregators differ from real Gaffer's, case by case, and why."""

from __future__ import annotations

UNREAD_PREDICATES: dict[str, str] = {
    "AdaptedPredicate": "it runs a transform first: that is a stage of its own",
    "AgeOffFromDays": "the age lies in another property: compare two moments instead",
    "AreIn": "it asks of all members; ask for each with 'contains'",
    "DefaultUserPredicate": "it is about users, not about elements",
    "HllSketchIsLessThan": "the sketches of the cases are Gaffer's own bytes",
    "HyperLogLogPlusIsLessThan": "the sketches of the cases are Gaffer's own bytes",
    "MapContainsPredicate": "a predicate over the keys of a map; ask for a key with 'contains'",
    "NoAccessUserPredicate": "it is about users, not about elements",
    "PredicateMap": "a predicate over one value of a map",
    "UnrestrictedAccessUserPredicate": "it is about users, not about elements",
}
_COLLECTION = "collections are not compared with one another"
_COUNT = "a wrong number of fields is an error"
_MEMBERS = "the members of a collection have one type and are never null"
PREDICATE_DEVIATIONS: dict[str, str] = {
    'IsEqual {"value": {"java.util.TreeSet": ["vezadez"]}} of {"java.util.HashSet": ["vezadez"]}': (
        _COLLECTION
    ),
    'IsIn {"values": ["monan", "pineni", 3, {"java.lang.Long": 4}]} of '
    '{"java.util.ArrayList": []}': _COLLECTION,
    'IsIn {"values": ["monan", "pineni", 3, {"java.lang.Long": 4}]} of '
    '{"java.util.HashMap": {"x": 1}}': _COLLECTION,
    'AreEqual {} of {"@tuple": [1]}': _COUNT,
    'AreEqual {} of {"@tuple": [1, 1, 1]}': _COUNT,
    'IsXLessThanY {} of {"@tuple": [1]}': _COUNT,
    'IsXMoreThanY {} of {"@tuple": [1]}': _COUNT,
    'CollectionContains {"value": 1} of {"java.util.ArrayList": [{"java.lang.Long": 1}]}': _MEMBERS,
    'CollectionContains {"value": 1} of {"java.util.ArrayList": [null]}': _MEMBERS,
    'CollectionContains {} of {"java.util.ArrayList": [null]}': _MEMBERS,
}
_SIZE = "integers never wrap and never saturate"
_ORDER = "no aggregator keeps the order of arrival: parts are sorted"
_SETS = "first and last choose among values, not among collections"
AGGREGATOR_DEVIATIONS: dict[str, str] = {
    "Sum {} of [2147483647, 1]": _SIZE,
    'Sum {} of [{"java.lang.Long": 9223372036854775807}, {"java.lang.Long": 1}]': _SIZE,
    'Sum {} of [{"java.lang.Short": 32767}, {"java.lang.Short": 1}]': _SIZE,
    'First {} of [{"java.util.TreeSet": ["a"]}, {"java.util.TreeSet": ["b"]}]': _SETS,
    'Last {} of [{"java.util.TreeSet": ["a"]}, {"java.util.TreeSet": ["b"]}]': _SETS,
    'StringConcat {} of ["vezadez", ""]': _ORDER,
    'StringConcat {"separator": null} of ["vezadez", "vudine"]': "a separator is a text",
    'StringDeduplicateConcat {} of ["b", "a"]': _ORDER,
    'StringDeduplicateConcat {} of ["vezadez", ""]': _ORDER,
    'StringDeduplicateConcat {} of ["b,a", "a,c", "c"]': _ORDER,
    'IterableMerge {} of [{"java.util.ArrayList": [3]}, {"java.util.ArrayList": [1]}, '
    '{"java.util.ArrayList": [2]}]': _ORDER,
}
TRANSFORM_DEVIATIONS: dict[str, str] = {
    'ToString {} of {"java.util.Date": 1500000065000}': "moments are written as Python writes them",
    'ToString {"charset": "UTF-16"} of {"[B": "aGk="}': "bytes are not taken for text",
    'ToFloat {} of "2147483648"': "floats have 64 bits",
    'MultiplyBy {"by": 2} of 2147483647': _SIZE,
    'MultiplyLongBy {"by": 2} of {"java.lang.Long": 4611686018427387904}': _SIZE,
    'MultiplyLongBy {"by": -3} of {"java.lang.Long": 4611686018427387904}': _SIZE,
    'Increment {"increment": 2} of 2147483647': _SIZE,
    'FreqMapPredicator {"regexPredicate": {"class": "uk.gov.gchq.koryphe.impl.predicate.Regex", '
    '"value": {"java.util.regex.Pattern": "a.*"}}} of '
    '{"uk.gov.gchq.gaffer.types.FreqMap": {"ab": 3, "b": 4}}': "the pattern that is given counts",
}
