"""Elements by column, as engines return them: the words for asking, and what is returned.

Layer ``store``. They are those of ``keyplan``, under a name that knows no cells.
"""

from lexigraph.keyplan.columns.frames import Frame, FrameBuffers, FrameColumn, FrameEnds

__all__ = ["Frame", "FrameBuffers", "FrameColumn", "FrameEnds"]
