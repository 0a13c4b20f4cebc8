"""Cells, keys, ranges of keys and columns of cells: what tables are made of.

Layer ``cells``. Nothing here knows what the bytes mean.
"""
