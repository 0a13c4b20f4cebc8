"""Where we answer otherwise than Vertexium, and why: quirk -> reason. There are no others.

Each quirk is a rule of the model of Vertexium (package ``model``), not a list of questions, so it
holds for every scenario. A number is an entry of the README of the scenarios: a defect, or a
behaviour that is decided otherwise here. With all quirks fixed the model must give our answers, and
with all of them Vertexium's: a difference that is not due to them fails, and so does a quirk that
should make a difference and does not. ``docs/reference/deviations.md`` has a row for each.
"""

from __future__ import annotations

QUIRKS: dict[str, str] = {
    # Defects
    "delete with data": "1: a soft delete with event data does not delete the element",
    "shown edges": "4: an edge that is shown again stays hidden at its destination",
    "last hide decides": "5: of several hides of an element the last in order decides",
    "any show shows": "6: a show of a property cancels a hide for another visibility",
    "joined names": "7: name, key and visibility are joined without a separator",
    "gap of a moved value": "10: a value whose visibility changes is missing for a millisecond",
    "references of their own": "13: references of an edge stay where it no longer is",
    "empty names": "18: a property without a name makes its vertex unreadable",
    "server dates references": "19: references are dated by the server, edges by the client",
    "unfetched is empty": "22: some questions for edges that were not fetched are not an error",
    "moves delete ends": "3: a change of visibility removes the ends of an edge from its past",
    "related edges of rows": (
        "16: the edges within a set are read of the rows of vertices alone: deletes and hides do "
        "not count, or count for all references of an edge until one of them is newer"
    ),
    "loops in paths": "a vertex can come twice in a path of two hops, and has a path to itself",
    "words of visibilities": "visibilities are cut into words, which are not their authorizations",
    "guards of what was": "what was deleted, moved or hidden still counts as guarded",
    "null edge": "asking for the edge null is an error, for the vertex null it is not",
    "last value of a mutation": "of two values of a property in one mutation only one is written",
    "history of equal times": "of two versions with one time the history shows the older one",
    # Decisions: design, section 4
    "cascades skip hidden": (
        "14: deletes and hides cascade over what the caller can read, hidden or not; Vertexium "
        "leaves out what is hidden from the caller"
    ),
    "both ends needed": (
        "15: an edge is hidden by itself; whether its ends are seen does not matter (Ends)"
    ),
    "pairs need both": "17: vertices that are not seen are left out (Ends)",
    "one version": "23: history is a setting of a group of records; this graph keeps all of it",
    "one existence": (
        "an element exists under each visibility it was added with, and a move ends only one of "
        "these (moved, Upsert); in Vertexium one signal wins"
    ),
    "deletes for all": "a delete ends what the caller can read, not what others see (Deletes)",
    "equal times survive": "a delete ends what is not newer, so also what is equally old",
    "hides forget their cause": "showing a vertex shows exactly the edges that it hid (Deletes)",
    "metadata has no time": "metadata has the time at which it was set (Time)",
    "old metadata": "a value that is set again at the same time has only its new metadata (Time)",
    "mutations see what was": "changes of one commit see each other (Time)",
    "deletions have metadata": "a deletion in a history has the value before it, not its metadata",
    "events of cells": (
        "each version is one event (History): Vertexium leaves out an add that repeats the one "
        "before, has the value before under any visibility, guesses moves by their times"
    ),
    "shows of nothing": "showing what is not hidden changes nothing",
    "same label": "a change to the label that an edge has changes nothing",
    "raw visibilities": "visibilities are normalised when they are written: B&A is A&B",
}

DECIDED: dict[int, str] = {
    14: QUIRKS["cascades skip hidden"],
    15: QUIRKS["both ends needed"],
    17: QUIRKS["pairs need both"],
    21: (
        "a value says its own type: the first one of a name does not decide the type of the others "
        "(Values); a search for a type is left out, as all searches are"
    ),
    23: QUIRKS["one version"],
}
"""The behaviours of the README that are neither right nor wrong: what we decided for each."""

ROWS: dict[str, str] = {
    "row of another id": "11: a row is found by its whole id, not by what its id starts with",
    "row without its element": "12: rows are seen with their element, and end with it",
    "deletes for all": QUIRKS["deletes for all"],
}
"""Where questions about rows of tables are answered otherwise (``test_tables.py``), and why."""

UNDEFINED = {"joined names"}
"""What Vertexium answers depends on the order of a hash table; only ours is checked."""

REFUSED: dict[str, str] = {
    "an end is missing": QUIRKS["both ends needed"],
    "not fetched": "a change looks for itself; it does not depend on what somebody has loaded",
    "separator": "16 of the behaviours: ids, names and keys are escaped here",
    "stream": "9: the visibility of a stream cannot be changed; streams are left out",
    "VertexiumAccumuloIteratorException": QUIRKS["empty names"],
}
"""Changes that Vertexium refuses and we do not, by what it refuses them for. They are not done."""
