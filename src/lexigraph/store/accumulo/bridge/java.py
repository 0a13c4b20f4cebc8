"""Where Java is: the programs, and the jars of Accumulo and of Lexigraph.

Layer ``store``, only for ``accumulo``. Jars are resolved once by Maven and kept in the user's
cache; whatever is missing is an UnsupportedError that says how to get it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import time
from contextlib import contextmanager, suppress
from fcntl import LOCK_EX, flock
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from lexigraph.errors import UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Iterator

ACCUMULO_VERSION = "2.1.4"
OWN_JAR_VARIABLE = "LEXIGRAPH_JAR"
USER_JARS_VARIABLE = "LEXIGRAPH_JARS"
"""Names jars of a user's own functions, separated as paths are."""
CACHE_VARIABLE = "XDG_CACHE_HOME"
MAVEN_TIMEOUT_S = 900
_BUILT = "lexigraph-accumulo-"
_KEPT_S = 30 * 86_400

_DEPENDENCIES = (
    ("org.apache.accumulo", "accumulo-minicluster", ACCUMULO_VERSION),
    ("org.apache.logging.log4j", "log4j-slf4j2-impl", "2.24.3"),
    # Without it ZooKeeper ends at its start, and says nothing.
    ("io.dropwizard.metrics", "metrics-core", "4.2.25"),
)
_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"


def cache_directory() -> Path:
    """Return the directory in which Lexigraph keeps what it can get again."""
    given = os.environ.get(CACHE_VARIABLE)
    return (Path(given) if given else Path.home() / ".cache") / "lexigraph"


def find_java() -> Path:
    """Return the program ``java``, of JAVA_HOME or of the PATH."""
    home = os.environ.get("JAVA_HOME")
    found = shutil.which("java", path=f"{home}/bin") if home else None
    found = found or shutil.which("java")
    if found is None:
        raise UnsupportedError(
            "Java was not found: neither JAVA_HOME nor the PATH has a program 'java'",
            hint="Install a Java runtime of version 11 or newer, such as openjdk-17-jre-headless.",
        )
    return Path(found)


def find_maven() -> Path:
    """Return the program ``mvn`` of the PATH."""
    found = shutil.which("mvn")
    if found is None:
        raise UnsupportedError(
            "Accumulo's jars are not on this machine yet, and Maven, which downloads them, was "
            "not found",
            hint="Install Maven (the program 'mvn'); it is needed once.",
        )
    return Path(found)


def accumulo_jars() -> Path:
    """Return a directory with the jars of Accumulo's servers and client, filled at first use.

    About 100 MB are fetched the first time.
    """
    jars = cache_directory() / f"accumulo-{ACCUMULO_VERSION}-{_digest_of_dependencies()}"
    if jars.is_dir():
        return jars
    maven = find_maven()
    with _only_one(jars):
        if not jars.is_dir():
            with TemporaryDirectory(dir=jars.parent) as made:
                pom = Path(made, "pom.xml")
                pom.write_text(_pom(), encoding="utf-8")
                target = Path(made, "jars")
                _run_maven(
                    maven, pom, _COPY, f"-DoutputDirectory={target}", "-DincludeScope=runtime"
                )
                target.rename(jars)
    return jars


def own_jar() -> Path:
    """Return the jar of iterators and bridge: a wheel's, or one built from a clone's sources.

    The variable LEXIGRAPH_JAR names another one.
    """
    given = os.environ.get(OWN_JAR_VARIABLE)
    if given:
        if not Path(given).is_file():
            raise UnsupportedError(
                f"{OWN_JAR_VARIABLE} names {given!r}, which does not exist",
                hint="Set it to the path of lexigraph-accumulo.jar, or unset it.",
            )
        return Path(given)
    sources = Path(__file__).parents[5] / "java"
    if not (sources / "pom.xml").is_file():
        return _packed_jar()
    jar = cache_directory() / f"{_BUILT}{_digest_of_sources(sources)}.jar"
    if jar.is_file():
        jar.touch()
        return jar
    maven = find_maven()
    with _only_one(jar):
        if not jar.is_file():
            with TemporaryDirectory(dir=jar.parent) as made:
                target = f"-Dlexigraph.target={made}"
                _run_maven(maven, sources / "pom.xml", "package", target, "-Dmaven.test.skip=true")
                Path(made, "lexigraph-accumulo.jar").rename(jar)
            forget_old_jars(jar.parent)
    return jar


def forget_old_jars(directory: Path) -> None:
    """Remove jars of other sources that nobody has used for a month, and their locks.

    A clone builds one for each state of its sources.
    """
    oldest = time.time() - _KEPT_S
    for old in [*directory.glob(f"{_BUILT}*.jar"), *directory.glob(f".{_BUILT}*.jar.lock")]:
        jar = directory / old.name.removeprefix(".").removesuffix(".lock")
        with suppress(FileNotFoundError):
            # A jar that was used is younger than its lock, which was taken to build it.
            if old.stat().st_mtime < oldest and not (old != jar and jar.exists()):
                old.unlink()


def _packed_jar() -> Path:
    packed = Path(__file__).parents[1] / "lexigraph-accumulo.jar"
    if not packed.is_file():
        raise UnsupportedError(
            "this installation of Lexigraph was built without its jar for Accumulo",
            hint="Install a wheel that 'make wheel' built in a clone, which has it; or build it "
            f"there with 'make java', and let {OWN_JAR_VARIABLE} name the file.",
        )
    return packed


def user_jars() -> list[Path]:
    """Return the jars of users' own functions, which stand beside Lexigraph's."""
    given = os.environ.get(USER_JARS_VARIABLE, "")
    found = [Path(one) for one in given.split(os.pathsep) if one]
    for one in found:
        if not one.is_file():
            raise UnsupportedError(
                f"{USER_JARS_VARIABLE} names {str(one)!r}, which does not exist",
                hint="Set it to the paths of your jars, or unset it.",
            )
    return found


@contextmanager
def _only_one(wanted: Path) -> Iterator[None]:
    # Two processes that start at once must not fetch or build the same twice.
    wanted.parent.mkdir(parents=True, exist_ok=True)
    with (wanted.parent / f".{wanted.name}.lock").open("w") as lock:
        flock(lock, LOCK_EX)
        yield


def _run_maven(maven: Path, pom: Path, *arguments: str) -> None:
    command = [str(maven), "-q", "-B", "-f", str(pom), *arguments]
    try:
        # Offline first: what was fetched before is enough, and needs no network.
        for extra in (["-o"], []):
            ran = subprocess.run(
                [*command, *extra],
                capture_output=True,
                text=True,
                stdin=subprocess.DEVNULL,
                timeout=MAVEN_TIMEOUT_S,
                check=False,
            )
            if ran.returncode == 0:
                return
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise UnsupportedError(f"Maven did not finish: {problem}") from None
    said = [line for line in (ran.stdout + ran.stderr).splitlines() if "ERROR" in line][:5]
    raise UnsupportedError(
        "Maven could not fetch the jars that Accumulo needs:\n  " + "\n  ".join(said),
        hint="Check that Maven reaches its repository: the first time it downloads about 100 MB.",
    )


def _pom() -> str:
    listed = "".join(
        f"<dependency><groupId>{group}</groupId><artifactId>{name}</artifactId>"
        f"<version>{version}</version></dependency>"
        for group, name, version in _DEPENDENCIES
    )
    return (
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
        "<groupId>org.lexigraph</groupId><artifactId>lexigraph-jars</artifactId>"
        "<version>1</version><packaging>pom</packaging>"
        f"<dependencies>{listed}</dependencies></project>\n"
    )


def _digest_of_dependencies() -> str:
    return hashlib.sha256(_pom().encode()).hexdigest()[:12]


def _digest_of_sources(sources: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted([sources / "pom.xml", *(sources / "src" / "main").rglob("*")]):
        if path.is_file():
            digest.update(str(path.relative_to(sources)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]
