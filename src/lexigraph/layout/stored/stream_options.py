"""Where a graph keeps large streaming values, as whoever opens it says.

Layer ``layout``. A folder is named by its path, everything else by a URL that fsspec knows. Nothing
of this is stored: values refer to their files by names only.
"""

from __future__ import annotations

import os
from typing import Any, Final

from lexigraph.arguments import read_count
from lexigraph.errors import InvalidOption, show
from lexigraph.layout.streams.store import MAX_IN_TABLE, StreamOptions
from lexigraph.store.files.local import LocalFiles
from lexigraph.store.files.remote import RemoteFiles
from lexigraph.store.files.spi import Files

__all__ = ["MAX_IN_TABLE", "read_stream_options"]

_MOST: Final = 1 << 40


def read_stream_options(streams: Any, max_streaming_bytes: Any) -> StreamOptions:
    """Return the options of a graph.

    >>> read_stream_options("/mnt/large", 1000).files
    LocalFiles('/mnt/large')
    """
    most = read_count(max_streaming_bytes, "max_streaming_bytes", most=_MOST)
    return StreamOptions(_files(streams), most)


def _files(streams: Any) -> Files | None:
    if streams is None:
        return None
    named = os.fspath(streams) if isinstance(streams, str | os.PathLike) else None
    if not isinstance(named, str) or not named:
        raise InvalidOption(
            f"streams= is a folder or a URL, not {show(streams)}",
            hint="Write streams='/mnt/large' or streams='s3://bucket/folder'.",
        )
    if "://" not in named:
        return LocalFiles(named)
    if named.startswith("file://"):
        return LocalFiles(named.removeprefix("file://"))
    return RemoteFiles(named)
