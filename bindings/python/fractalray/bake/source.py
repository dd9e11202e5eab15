# SPDX-License-Identifier: Apache-2.0
"""Worlds that are baked, as descriptions that can be sent to other processes."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any

from .._arguments import Array, Index
from ..errors import DataLossError, FailedPreconditionError, InvalidArgumentError, NotFoundError
from ..saved_world import _kinds_as_json
from ..world import World, WorldView
from .job import canonical
from .luanti_index import stored_chunks
from .region import Region

#: Maps whose files have more bytes are read region by region.
WHOLE_BYTES = 32 << 20


@dataclass(frozen=True)
class Extent:
    """The chunks that a world has.

    columns: x and z of each column with a chunk, an array (n, 2) of int64, in order.
    height: y of the lowest and of the highest chunk.
    """

    columns: Array
    height: tuple[int, int]


class Source(ABC):
    """A world that is baked. A small value that can be pickled, compared and hashed, such as a
    frozen dataclass; each process opens it by itself."""

    @abstractmethod
    def identity(self) -> str:
        """Returns a text that differs if the content does.

        Asked before and after each region, so it must be cheap if nothing has changed.
        """

    @abstractmethod
    def extent(self) -> Extent:
        """Returns the chunks that there are."""

    @abstractmethod
    def world(self, box: Region) -> AbstractContextManager[WorldView]:
        """Returns a world, for `with`, that has at least the chunks of a box."""


@dataclass
class _Opened:
    """What a process knows of a saved world in one state of its files."""

    state: tuple[tuple[int, int], ...]
    identity: str
    world: World | None = None


_opened: dict[SavedWorld, _Opened] = {}
_lock = threading.RLock()


@dataclass(frozen=True)
class SavedWorld(Source):
    """A saved Luanti world.

    path: its folder, or its map.sqlite.
    kinds: as for World.open; a mapping, or its JSON text, which it becomes.
    whole: if a process reads all of the map, once, or each region with its halo and a chunk more;
        None for all of maps of up to 32 MB.
    state: a name for the map's content, such as a backup's date, in place of a hash of the files.
        Other content needs another name.
    skip_damaged: takes chunks that cannot be read as not loaded; else they are a DataLossError.
    """

    path: str
    kinds: Any = None
    whole: bool | None = None
    state: str | None = None
    skip_damaged: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", os.path.abspath(os.fsdecode(self.path)))
        if self.kinds is not None:
            object.__setattr__(self, "kinds", _table_text(self.kinds))
        if not os.path.exists(self.map_path):
            raise NotFoundError(f"{self.map_path}: there is no such file; give a Luanti world")

    @property
    def map_path(self) -> str:
        """The path of the database."""
        is_folder = os.path.isdir(self.path)
        return os.path.join(self.path, "map.sqlite") if is_folder else self.path

    def identity(self) -> str:
        return self._current().identity

    def extent(self) -> Extent:
        columns, height = stored_chunks(self.map_path)
        return Extent(columns, height)

    @contextmanager
    def world(self, box: Region) -> Iterator[WorldView]:
        whole = self.whole
        if whole is None:
            whole = os.path.getsize(self.map_path) <= WHOLE_BYTES
        if whole:
            yield self._whole()
            return
        # Reads a chunk more, as the type of a fence depends on the nodes next to it.
        wider = box.grown(1)
        # A world is in a reference cycle: without `with`, its memory would wait for the collector.
        with self._read((wider.low, wider.high)) as part:
            yield part

    def _read(self, chunks: tuple[Index, Index] | None = None) -> World:
        table = None if self.kinds is None else dict(json.loads(self.kinds))
        world = World.open(self.path, kinds=table, chunks=chunks)
        report = world.load_report
        assert report is not None
        unread = report.damaged + report.unsupported
        if unread and not self.skip_damaged:
            world.close()
            raise DataLossError(
                f"{self.map_path}: {unread} of {report.chunks} chunks cannot be read, such as "
                f"{report.damages[0]}; repair the map, or take them as not loaded: --skip-damaged, "
                "SavedWorld(..., skip_damaged=True)"
            )
        return world

    def _whole(self) -> World:
        with _lock:
            known = self._current()
            if known.world is None:
                known.world = self._read()
            return known.world

    def _current(self) -> _Opened:
        """Returns what is known, from scratch if the files have been written since.

        FailedPreconditionError if they have, and `state` names their content.
        """
        with _lock:
            state = tuple(_state(path) for path in self._files())
            known = _opened.get(self)
            if known is not None and known.state != state and self.state is not None:
                raise FailedPreconditionError(
                    f"{self.map_path} was written since it was the state {self.state!r}; name the "
                    "new state, and bake a copy that nobody writes"
                )
            if known is None or known.state != state:
                known = _opened[self] = _Opened(state, self._identity())
            return known

    def _identity(self) -> str:
        how = f"{self.kinds}{' skip damaged' if self.skip_damaged else ''}"
        if self.state is not None:
            return hashlib.sha256(f"{self.state}\0{how}".encode()).hexdigest()
        total = hashlib.sha256(f"{how}\0".encode())
        for path in self._files():
            total.update(_hash_of_file(path))
        return total.hexdigest()

    def _files(self) -> list[str]:
        """Returns the files on which the world depends, whether they exist or not."""
        definitions = os.path.join(os.path.dirname(self.map_path), "nodedefs.jsonl")
        return [self.map_path, self.map_path + "-wal", definitions]


def _table_text(kinds: Any) -> str:
    """Returns a table of kinds as the one JSON text of its content."""
    try:
        table = json.loads(kinds) if isinstance(kinds, str) else kinds
    except ValueError as error:
        raise InvalidArgumentError(f"the table of kinds is no JSON: {error}") from None
    if not isinstance(table, Mapping):
        raise InvalidArgumentError(f"the table of kinds is {kinds!r:.100}; it must be an object")
    return canonical(json.loads(_kinds_as_json(table)))


def _state(path: str) -> tuple[int, int]:
    """Returns the time and the size of a file; an empty one, as readers of SQLite make, is none."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return (0, 0)
    return (status.st_mtime_ns, status.st_size) if status.st_size else (0, 0)


def _hash_of_file(path: str) -> bytes:
    """Returns the hash of a file, 32 bytes; that of an empty one if there is none."""
    total = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            while block := file.read(1 << 20):
                total.update(block)
    except FileNotFoundError:
        pass
    return total.digest()
