# SPDX-License-Identifier: Apache-2.0
"""Worlds and their snapshots."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from ctypes import byref, c_int32, c_uint64
from typing import Any

from ._abi import FR_MAX_LEVELS as MAX_LEVELS
from ._abi import FrWorldDef
from ._arguments import Index, integer, text, unsigned
from ._calls import call, create, sized
from ._library import lib, version_number
from .blast import Blasts
from .block_types import BlockTypes
from .blocks import BlockEditor, BlockReader
from .callbacks import Effect, Functions, Predicate, address, checked
from .entities import Entities
from .executor import Executor, parallel_for
from .handle import Kept
from .queries import LineQueries
from .query_log import QueryLog
from .saved_world import LoadReport, Path, open_saved
from .searches import Searches
from .sight import BoxSight
from .sight_tables import TableSight
from .window import Window


class WorldView(LineQueries, BoxSight, TableSight, Blasts, Searches, BlockReader):
    """The common part of worlds and snapshots: everything that only reads."""

    def __init__(self, pointer: int, kept: Kept) -> None:
        super().__init__(pointer, lib.frDestroyWorld)
        self._kept = kept

    # Parts are made when they are asked for: kept here, they would make a cycle with the world, whose
    # memory would then wait for Python's collector of cycles.
    @property
    def block_types(self) -> BlockTypes:
        """The block types and channels."""
        return BlockTypes(self)

    @property
    def entities(self) -> Entities:
        """The entities."""
        return Entities(self)

    @property
    def levels(self) -> int:
        """The number of active levels; level 0 is the coarsest."""
        levels = c_int32()
        call(lib.frWorld_GetLevels, self._handle, byref(levels))
        return levels.value

    def record(self, path: Path, *, fingerprints: bool = True) -> QueryLog:
        """Begins a log of all queries from now on, and of moves of the frame; `with` ends it.

        Replaces the file if it exists. The log has every query and its answer: `Replay` finds out
        which are answered differently later. docs/query-log.md says which queries are not logged.

        fingerprints: reads all blocks and entities now, so that a replay on another world is
            refused.

        FailedPreconditionError in a callback, and if the world writes a log already.
        """
        return QueryLog(self, path, fingerprints)

    @property
    def versions(self) -> tuple[int, int]:
        """The versions of the blocks and of the entities, which grow with every change."""
        blocks, entities = c_uint64(), c_uint64()
        call(lib.frWorld_GetVersions, self._handle, byref(blocks), byref(entities))
        return blocks.value, entities.value


class Snapshot(WorldView):
    """A world as it was at one moment, for readers while the original changes.

    Made by `World.snapshot`. An edit of it is a FailedPreconditionError.
    """


class World(WorldView, BlockEditor):
    """A block world with entities, and the queries on it.

    Queries may run on many threads while nobody changes the world; edits need exclusive access. The
    interpreter's lock does not protect a world, as the library runs without it. A world is destroyed
    when nothing refers to it, its parts, or arrays of them, any more; or by `close` or `with`, which
    is an edit.

    load_report: what `World.open` has read; None for a world that was not opened.
    """

    load_report: LoadReport | None = None

    def __init__(
        self,
        levels: int = 1,
        *,
        anchor: str = "",
        executor: Executor | None = None,
        block_types_of: World | None = None,
    ) -> None:
        """Makes an empty world.

        levels: active levels, 1 to 10; level 0 is the coarsest.
        anchor: the path of the level-0 chunk (0, 0, 0) from the root, such as "7a3_221".
        executor: threads for batches.
        block_types_of: a world whose block types this one shares.
        """
        definition = _definition(anchor, executor, block_types_of)
        definition.levels = integer(levels, "levels", 1, MAX_LEVELS)
        self._own(create(lib.frCreateWorld, byref(definition)), executor)

    def _own(self, pointer: int, executor: Executor | None) -> None:
        super().__init__(pointer, Kept(executor))

    @property
    def window(self) -> Window:
        """Moves the frame through a deep tree."""
        return Window(self)

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        kinds: Mapping[str, Any] | None = None,
        chunks: tuple[Index, Index] | None = None,
        types: Iterable[str] | None = None,
        mapblocks: int | None = None,
        mapblock_bytes: int | None = None,
        file_bytes: int | None = None,
        named_damages: int | None = None,
        anchor: str = "",
        executor: Executor | None = None,
        block_types_of: World | None = None,
    ) -> World:
        """Reads a saved world: a Luanti world, by its folder or its map.sqlite. Writes nothing.

        It has 4 levels; node (x, y, z) is block (x, y, z) of level 3, from x to x + 1, and its
        block type has the node's name. `load_report` says what was read: damaged chunks are no
        error.

        kinds: whether nodes are solid, permeable or empty, instead of the built-in table:
            {"default": Kind.SOLID, "types": {"air": Kind.EMPTY}}; words, as in the JSON files of
            docs/luanti.md, do as well.
        chunks: the first and the last chunk, on level 3, of the box to read; None for all. Nodes
            that connect, such as fences, connect only to what is read: for those at the sides of a
            box to be as in the whole world, read a chunk more.
        types: the names of all block types, by number, "air" first: with them a type has the same
            number in every process, whatever it reads. `list(world.block_types)` of a whole world
            is right for its parts. A type of the world that is not among them is a
            FailedPreconditionError.
        mapblocks: the most chunks to read; more are a ResourceExhaustedError.
        mapblock_bytes: the most that a chunk unpacks to; one with more counts as damaged.
        file_bytes: the most of a file that is read whole, such as world.mt.
        named_damages: the most damaged chunks that the report names, 20 by default.
        anchor, executor, block_types_of: as for a new world. After an error the shared block types
            may be more.

        NotFoundError if there is no such file, InvalidArgumentError for one of another format,
        DataLossError for a damaged database, UnavailableError for one that stays locked;
        UnimplementedError if the library was built without the readers.
        """
        definition = _definition(anchor, executor, block_types_of)
        limits = {
            "mapblocks": mapblocks,
            "mapblock_bytes": mapblock_bytes,
            "file_bytes": file_bytes,
            "named_damages": named_damages,
        }
        pointer, report = open_saved(definition, path, kinds, chunks, types, limits)
        world = cls.__new__(cls)
        world._own(pointer, executor)
        world.load_report = report
        return world

    def snapshot(self) -> Snapshot:
        """Returns an immutable copy of the world as it is now; `with` frees it at its end.

        Ids borrowed from arrays are copied.
        """
        return Snapshot(create(lib.frWorld_Snapshot, self._handle), self._kept.snapshot())

    def on_block_hit(
        self, block_type: int, effect: Effect | None = None, *, is_terminal: Predicate | None = None
    ) -> None:
        """Registers callbacks for hits of a block type, in place of earlier ones; None removes one.

        is_terminal: decides which hits end the shot; a solid block ends it anyway.
        """
        number = unsigned(block_type, "the block type", 16)
        functions = _functions(effect, is_terminal)
        self._register(lib.frWorld_OnBlockHit, ("block", number), functions, number)

    def on_entity_hit(
        self,
        entity_class: int,
        effect: Effect | None = None,
        *,
        is_terminal: Predicate | None = None,
    ) -> None:
        """Registers callbacks for hits of an entity class, in place of earlier ones."""
        number = unsigned(entity_class, "the entity class", 32)
        functions = _functions(effect, is_terminal)
        self._register(lib.frWorld_OnEntityHit, ("entity", number), functions, number)

    def _register(
        self, function: Callable[..., int], key: Any, functions: Functions, number: int
    ) -> None:
        addresses = (address(functions, "is_terminal"), address(functions, "effect"))
        with self._kept.registering(key, functions):
            call(function, self._handle, number, *addresses, functions.context)

    def on_any_block_hit(self, effect: Effect | None) -> None:
        """Registers the effect of block types without callbacks of their own; None removes it."""
        self._register_any(lib.frWorld_OnAnyBlockHit, "any block", effect)

    def on_any_entity_hit(self, effect: Effect | None) -> None:
        """Registers the effect of entity classes without callbacks of their own."""
        self._register_any(lib.frWorld_OnAnyEntityHit, "any entity", effect)

    def _register_any(self, function: Callable[..., int], key: str, effect: Effect | None) -> None:
        functions = _functions(effect, None)
        with self._kept.registering(key, functions):
            call(function, self._handle, address(functions, "effect"), functions.context)


def _definition(
    anchor: str, executor: Executor | None, block_types_of: World | None
) -> FrWorldDef:
    definition = sized(FrWorldDef)
    definition.version = version_number()
    definition.anchor = text(anchor, "the anchor")
    definition.block_types_of = None if block_types_of is None else block_types_of._handle
    definition.parallel_for, definition.parallel_context = parallel_for(executor)
    return definition


def _functions(effect: Effect | None, is_terminal: Predicate | None) -> Functions:
    return Functions(
        is_terminal=checked(is_terminal, "is_terminal"), effect=checked(effect, "effect")
    )
