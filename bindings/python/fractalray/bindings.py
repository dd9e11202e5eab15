# SPDX-License-Identifier: Apache-2.0
"""Entities that belong to blocks: they move with their block, and are removed with it."""

from __future__ import annotations

from ctypes import byref, c_size_t
from typing import TYPE_CHECKING

import numpy as np

from ._abi import FrBlockOfLevel
from ._arguments import Array, Index
from ._arguments import index3, instance, level_number, read_array, triple, unsigned
from ._calls import Owned, call, create
from ._library import lib
from .window import WindowMove

if TYPE_CHECKING:
    from .world import World


class Bindings(Owned):
    """Binds entities of a world to blocks.

    Direct edits of the world change no binding; the edits here do. Call `follow` after every move
    of the window.
    """

    def __init__(self, world: World) -> None:
        pointer = create(lib.frCreateBindings, world._handle)
        super().__init__(pointer, lib.frDestroyBindings)
        self._world = world
        self._kept = world._kept  # also once the world is closed

    def bind(self, entity: int, level: int, block: Index) -> None:
        """Binds an entity to a block."""
        at = index3(block, "the block")
        call(lib.frBindings_Bind, self._handle, _entity(entity), level_number(level), at)

    def unbind(self, entity: int) -> None:
        """Unbinds an entity."""
        call(lib.frBindings_Unbind, self._handle, _entity(entity))

    def clear(self) -> None:
        """Unbinds all entities."""
        call(lib.frBindings_Clear, self._handle)

    def block(self, entity: int) -> tuple[int, tuple[int, int, int]]:
        """Returns the level and the index of an entity's block; NotFoundError if it has none."""
        block = FrBlockOfLevel()
        call(lib.frBindings_GetBlock, self._handle, _entity(entity), byref(block))
        return block.level, triple(block.block)

    def entities(self, level: int, block: Index) -> Array:
        """Returns the entities of a block."""
        arguments = (self._handle, level_number(level), index3(block, "the block"))
        return read_array(lib.frBindings_GetEntities, *arguments, dtype=np.uint64)

    def entities_in_chunk(self, level: int, chunk: Index) -> Array:
        """Returns the entities of all blocks of a chunk."""
        arguments = (self._handle, level_number(level), index3(chunk, "the chunk"))
        return read_array(lib.frBindings_GetEntitiesInChunk, *arguments, dtype=np.uint64)

    def move_block(self, level: int, source: Index, target: Index) -> None:
        """Moves a block with its entities."""
        ends = index3(source, "the source"), index3(target, "the target")
        call(lib.frBindings_MoveBlock, self._handle, level_number(level), *ends)

    def remove_block(self, level: int, block: Index) -> None:
        """Sets a block to air, and removes its entities."""
        at = index3(block, "the block")
        call(lib.frBindings_RemoveBlock, self._handle, level_number(level), at)

    def unload_chunk(self, level: int, chunk: Index) -> None:
        """Unloads a chunk, and removes the entities of its blocks."""
        number, at = level_number(level), index3(chunk, "the chunk")
        with self._world._kept.lending(number, [at], None):
            call(lib.frBindings_UnloadChunk, self._handle, number, at)

    def remove_unloaded(self) -> int:
        """Removes the entities of blocks whose chunks are no longer loaded; returns how many."""
        removed = c_size_t()
        call(lib.frBindings_RemoveUnloaded, self._handle, byref(removed))
        return removed.value

    def follow(self, move: WindowMove) -> Array:
        """Applies a move of the frame; returns the entities that are unbound, as their blocks'
        chunks were dropped."""
        # The bindings follow once, whether or not the array is long enough.
        followed = byref(instance(move, WindowMove, "the move")._move)
        unbound = np.empty(len(self._world.entities) + len(move.evicted), np.uint64)
        count = c_size_t()
        arguments = (followed, unbound.ctypes.data, len(unbound), byref(count))
        call(lib.frBindings_Follow, self._handle, *arguments)
        return unbound[: count.value]


def _entity(entity: int) -> int:
    return unsigned(entity, "the entity", 64)
