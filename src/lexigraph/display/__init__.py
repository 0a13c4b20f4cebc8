"""How answers look: pictures of neighbourhoods, without any package.

Layer ``display``, below ``graph``: knows elements, nothing of how they were found.
"""
