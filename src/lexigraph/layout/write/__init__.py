"""The one way in: element changes become cells, which go to a sink.

Data frames stay columns: ``encoding`` describes the keys and values of a group once, and the core
makes the cells of a hundred thousand rows at a time. It only numbers the rows that do not fit;
those are checked one by one, which says why. Deletes are markers in one commit (``removing``),
with a note of the merges that they still owe. What a transaction holds (``uncommitted``) lies on
top of what its questions read.
"""
