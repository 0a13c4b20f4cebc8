"""Rows on their way in: files and data frames with columns of their own, as rows of a group.

Layer ``graph``. ``options`` is what the caller says, ``files`` and ``text`` read, ``shaping`` names
and converts columns, ``sifting`` makes cells of the rows that fit, ``skips`` reports the others.
"""
