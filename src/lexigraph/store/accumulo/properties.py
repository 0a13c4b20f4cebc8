"""How to reach a cluster: a URL or a properties file, with user and password beside it.

Layer ``store``, only for ``accumulo``. Names are those that Gaffer's store properties have; those
that Accumulo's own client reads are taken as well, for Kerberos and TLS too. A password comes from
a file, the environment or an argument, never from a URL, and no text of ours shows it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from lexigraph.errors import InvalidOption, nearest, show
from lexigraph.store.accumulo.gaffer_properties import (
    MOCK_STORES,
    NUMBERS,
    OTHERS,
    is_mock,
    read_numbers,
    read_preferences,
    read_table_properties,
)
from lexigraph.store.preferences import Preferences

SCHEME = "accumulo://"
USER_VARIABLE = "LEXIGRAPH_ACCUMULO_USER"
PASSWORD_VARIABLE = "LEXIGRAPH_ACCUMULO_PASSWORD"

# Accumulo's own names for the four that every connection needs.
_ACCUMULOS_NAMES = {
    "instance.name": "accumulo.instance",
    "instance.zookeepers": "accumulo.zookeepers",
    "auth.principal": "accumulo.user",
    "auth.token": "accumulo.password",
}
# What Accumulo's client reads itself: TLS, Kerberos, time-outs.
_HANDED_ON = ("ssl.", "sasl.", "instance.zookeepers.timeout", "auth.type", "rpc.")


@dataclass(frozen=True, slots=True)
class ClusterProperties:
    """Where a cluster is, who asks, and how writers and scanners behave."""

    instance: str
    zookeepers: str
    user: str
    password: str = field(repr=False)
    numbers: Mapping[str, int]
    handed_on: Mapping[str, str] = field(repr=False)
    preferences: Preferences = field(default_factory=Preferences)
    for_tables: Mapping[str, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """The URL, which holds neither user nor password."""
        return f"{SCHEME}{self.zookeepers}/{self.instance}"

    def for_client(self) -> dict[str, str]:
        """Return the properties under the names that Accumulo's client reads."""
        return {
            "auth.type": "password",
            **self.handed_on,
            "instance.name": self.instance,
            "instance.zookeepers": self.zookeepers,
            "auth.principal": self.user,
            "auth.token": self.password,
        }


def read_properties(
    where: str | os.PathLike[str] | Mapping[str, Any],
    *,
    user: str | None = None,
    password: str | None = None,
) -> ClusterProperties:
    """Read a URL, a properties file or properties; what is missing comes from the environment.

    >>> read_properties("accumulo://zk1:2181,zk2:2181/main", user="ann", password="secret").url
    'accumulo://zk1:2181,zk2:2181/main'
    """
    found = _read_given(where)
    user = user or found.get("accumulo.user") or os.environ.get(USER_VARIABLE)
    password = password or found.get("accumulo.password") or os.environ.get(PASSWORD_VARIABLE)
    needed = {
        "accumulo.instance": found.get("accumulo.instance"),
        "accumulo.zookeepers": found.get("accumulo.zookeepers"),
        "accumulo.user": user,
        "accumulo.password": password,
    }
    for name, value in needed.items():
        if not value:
            raise InvalidOption(f"a connection to Accumulo needs {name}", hint=_HOW[name])
    _check_names(found)
    handed_on = {name: value for name, value in found.items() if name.startswith(_HANDED_ON)}
    numbers = read_numbers(found)
    return ClusterProperties(
        instance=needed["accumulo.instance"] or "",
        zookeepers=needed["accumulo.zookeepers"] or "",
        user=user or "",
        password=password or "",
        numbers=numbers,
        handed_on=handed_on,
        preferences=read_preferences(found, numbers),
        for_tables=read_table_properties(found),
    )


def read_mock(where: str | os.PathLike[str] | Mapping[str, Any]) -> Preferences | None:
    """Return what graphs follow if the properties name Gaffer's store in memory, else ``None``.

    Gaffer's ``MockAccumuloStore`` keeps its data in the process that opens it, so it needs no
    cluster, user or password.

    >>> store = "gaffer.accumulostore.MockAccumuloStore"
    >>> read_mock({"gaffer.store.class": store, "accumulo.instance": "any"}) is None
    False
    >>> read_mock("accumulo://zk1:2181/main") is None
    True
    """
    found = _read_given(where)
    if not is_mock(found):
        return None
    _check_names(found)
    return read_preferences(found, read_numbers(found), stores=MOCK_STORES)


def _read_given(where: str | os.PathLike[str] | Mapping[str, Any]) -> dict[str, str]:
    if isinstance(where, Mapping):
        given = {str(name): str(value) for name, value in where.items()}
    elif os.fspath(where).startswith(SCHEME):
        given = _read_url(os.fspath(where))
    else:
        given = _read_file(Path(where))
    return {_ACCUMULOS_NAMES.get(name, name): value.strip() for name, value in given.items()}


def _check_names(found: Mapping[str, str]) -> None:
    known = {*_HOW, *NUMBERS, *OTHERS}
    for name in found:
        if name not in known and not name.startswith(_HANDED_ON):
            raise InvalidOption(
                f"{name!r} is not a property of an Accumulo connection",
                near=nearest(name, [*known, *_ACCUMULOS_NAMES]),
            )


def _read_url(url: str) -> dict[str, str]:
    zookeepers, _, instance = url.removeprefix(SCHEME).partition("/")
    if "@" in zookeepers:
        raise InvalidOption(
            "the URL of a cluster must not hold a user or a password: URLs end up in logs",
            hint=f"Pass user= and password=, set {USER_VARIABLE} and {PASSWORD_VARIABLE}, or use "
            "a properties file.",
        )
    instance = unquote(instance.rstrip("/"))
    if not zookeepers or not instance or re.search(r"[/?#]", instance):
        raise InvalidOption(
            f"{show(url)} does not name a cluster",
            hint="Write accumulo://zk1:2181,zk2:2181/instance: ZooKeepers, then the instance.",
        )
    return {"accumulo.zookeepers": zookeepers, "accumulo.instance": instance}


def _read_file(path: Path) -> dict[str, str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        raise InvalidOption(
            f"the properties file {str(path)!r} cannot be read: {problem}",
            hint="Pass a text file of lines 'name=value', such as accumulo-client.properties.",
        ) from None
    found = {}
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text[0] in "#!":
            continue
        name, separator, value = (part.strip() for part in text.partition("="))
        if not separator:
            # Not the line itself: it may be a password.
            raise InvalidOption(
                f"line {number} of {str(path)!r} is not 'name=value'",
                hint="Write one setting a line; a line that starts with '#' is a comment.",
            )
        found[name] = value
    return found


_USER = f"Set it in the properties file, as an argument, or in {USER_VARIABLE}."
_HOW = {
    "accumulo.instance": "Write accumulo://zookeepers/instance, or set it in the properties file.",
    "accumulo.zookeepers": "Write accumulo://zookeepers/instance, or list them in the properties.",
    "accumulo.user": _USER,
    "accumulo.password": _USER.replace(USER_VARIABLE, PASSWORD_VARIABLE),
}
