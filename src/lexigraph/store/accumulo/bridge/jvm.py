"""The JVM in this process: started when a cluster is opened, joined where one runs already.

Layer ``store``, only for ``accumulo``. A JVM starts once in a process and does not survive a fork.
Whatever Java throws leaves as an error of ours, by the name that it carries.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

from lexigraph import errors
from lexigraph.errors import (
    Authorization,
    ClusterError,
    LexigraphError,
    NotGranted,
    UnsupportedError,
)
from lexigraph.extras import install_hint
from lexigraph.store.accumulo.bridge.java import accumulo_jars, find_java, own_jar, user_jars

OPTIONS_VARIABLE = "LEXIGRAPH_JAVA_OPTIONS"
"""Options of the JVM that is started, separated by spaces."""

# What fails is raised; Accumulo's client would print it, and what it tries again, besides.
_QUIET = "-Dorg.apache.logging.log4j.level=OFF"
_PACKAGE = "org.lexigraph.bridge"
_lock = Lock()
_owner: int | None = None


def java_bridge() -> Any:
    """Return the Java package of the bridge, in a JVM that is started if none runs."""
    global _owner
    try:
        import jpype
    except ImportError:
        raise UnsupportedError(
            "Accumulo needs the Python package JPype1, which is not installed",
            hint=install_hint("accumulo"),
        ) from None
    with _lock:
        check_process()
        if not jpype.isJVMStarted():
            _start(jpype)
        elif _owner is None:
            # Somebody else's: it only has to find our jars.
            for path in _class_path():
                jpype.addClassPath(path)
        _owner = os.getpid()
        try:
            jpype.JClass(f"{_PACKAGE}.Bridge")
        except TypeError as problem:
            raise UnsupportedError(
                f"the JVM of this process cannot load Lexigraph's bridge: {problem}",
                hint="Open the cluster before anything else starts a JVM in this process.",
            ) from None
        return jpype.JPackage("org").lexigraph.bridge


def check_process() -> None:
    """Refuse to call Java from a fork of the process that runs it: nothing would answer."""
    if _owner is not None and _owner != os.getpid():
        raise UnsupportedError(
            "this process was forked from one that runs a JVM, and a JVM does not survive a fork",
            hint="Start processes with the method 'spawn', or open the cluster only in the child "
            "processes.",
        )


def _start(jpype: Any) -> None:
    find_java()
    given = os.environ.get(OPTIONS_VARIABLE, "-Xmx512m").split()
    # Outside of what is caught: a jar that is missing is not Java's fault, and says so itself.
    path = _class_path()
    try:
        # Signals stay Python's: a JVM that is told to end falls apart below a call into it.
        options = {"classpath": path, "convertStrings": False, "interrupt": False}
        jpype.startJVM("-Xrs", _QUIET, *given, **options)
    except (jpype.JVMNotFoundException, OSError, RuntimeError) as problem:
        raise UnsupportedError(
            f"Java cannot be started in this process: {problem}",
            hint="Set JAVA_HOME to a Java of version 11 or newer.",
        ) from None
    # A client's threads would keep a process from ending that forgot to close it.
    from jpype import config

    config.destroy_jvm = False
    atexit.register(_quieten, jpype)


def _quieten(jpype: Any) -> None:
    # JPype does this only where it destroys the JVM too. Its thread that frees what both sides held
    # would wait for an interpreter that is gone, and take the whole process down with it.
    jpype.JClass("org.jpype.ref.JPypeReferenceQueue").getInstance().stop()


def _class_path() -> list[str]:
    jars = sorted(accumulo_jars().glob("*.jar"))
    return [str(own_jar()), *map(str, user_jars()), *map(str, jars)]


@contextmanager
def translated(needs: str | None = None) -> Iterator[None]:
    """Raise what Java throws as the error of ours that it names.

    ``needs`` is how Accumulo's shell permits what is done, for users who are refused it.
    """
    import jpype

    check_process()
    try:
        yield
    except jpype.JException as thrown:
        error = error_of(thrown)
        if needs is not None and isinstance(error, Authorization):
            error = needing(error, needs)
        raise error from None


def needing(refused: Authorization, needs: str) -> Authorization:
    """Return a refusal with what it takes: ``needs`` is how Accumulo's shell permits it."""
    return Authorization(
        f"{refused}; it needs {_permissions(needs)}",
        hint=f"Ask an administrator to run in Accumulo's shell: {needs}",
    )


def _permissions(needs: str) -> str:
    return " and ".join(one.split()[1] for one in needs.split("; "))


def error_of(thrown: Any) -> LexigraphError:
    """Return the error of ours for what Java threw."""
    if not hasattr(thrown, "text"):
        return ClusterError(f"Java failed: {thrown}")
    name, text = str(thrown.name()), str(thrown.text())
    kind = TakenBack if name == NotGranted.__name__ else getattr(errors, name, None)
    if isinstance(kind, type) and issubclass(kind, LexigraphError):
        return kind(text)
    return ClusterError(text if name == SERVER_ERROR else f"{name}: {text}", remote=name)


class TakenBack(NotGranted, ClusterError):
    """Accumulo refused labels during a call: a ClusterError too, so that the engine explains it."""


SERVER_ERROR = "ServerError"
"""How the bridge calls an error on a tablet server, whose message does not come back."""
