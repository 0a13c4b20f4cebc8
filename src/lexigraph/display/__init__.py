"""How answers look: tables as text and HTML, and pictures of neighbourhoods, without any package.

Layer ``display``, below ``graph``: knows elements and rows, nothing of how they were found.
"""
