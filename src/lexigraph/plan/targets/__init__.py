"""What a change is about: stored elements that are looked for before anything is written.

A delete by identity reads the places of its elements. A question about everything, or around,
within or between vertices, is deleted as a set: the keys that its scan lets through, with those of
the other rows of each edge. Erasures and repairs read as the owner.
"""
