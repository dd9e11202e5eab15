# SPDX-License-Identifier: Apache-2.0
"""Loading, reading and editing the blocks of a world."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import Array as CArray
from ctypes import byref, c_int64, c_size_t, c_uint16, c_uint64, sizeof
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from ._abi import FR_CHUNK_UNIFORM, FrChunkDef, FrChunkInfo, FrLevelInfo
from ._arguments import Array, Index, chunk_box, index3, level_number, read_array, triple, unsigned
from ._calls import call, sized
from ._library import lib
from .enums import ChunkState, Source
from .errors import InvalidArgumentError
from .handle import WorldHandle
from .ids import CHUNK, IdLayout, States, id_array


@dataclass(frozen=True)
class ChunkInfo:
    """The state of a chunk. `bytes` is the library's memory, without borrowed ids."""

    state: ChunkState
    bytes: int
    is_uniform: bool
    is_borrowed: bool
    is_borrowed_for_writing: bool
    is_empty: bool


@dataclass(frozen=True)
class LevelInfo:
    """The chunks of a level. `min` and `max` are the box of the loaded ones, None without any."""

    loaded_chunks: int
    proto_chunks: int
    min: tuple[int, int, int] | None
    max: tuple[int, int, int] | None


class BlockReader(WorldHandle):
    """Reads blocks and chunks: methods that worlds and snapshots both have."""

    def block(self, level: int, block: Index) -> int:
        """Returns the type of a block of a loaded chunk; NotFoundError for any other."""
        number = c_uint16()
        at = index3(block, "the block")
        call(lib.frWorld_GetBlock, self._handle, level_number(level), at, byref(number))
        return number.value

    def chunk(self, level: int, chunk: Index) -> ChunkInfo:
        """Describes a chunk; one outside of the frame is absent."""
        info = FrChunkInfo()
        at = index3(chunk, "the chunk")
        call(lib.frWorld_GetChunk, self._handle, level_number(level), at, byref(info))
        return ChunkInfo(
            ChunkState(info.state),
            info.bytes,
            bool(info.is_uniform),
            bool(info.is_borrowed),
            bool(info.is_borrowed_for_writing),
            bool(info.is_empty),
        )

    def chunk_blocks(self, level: int, chunk: Index) -> Array:
        """Returns the types of all blocks of a loaded chunk; NotFoundError for any other.

        A copy: a new array (16, 16, 16) of uint16 with the axes x, y, z, which load_chunks takes.
        """
        types = np.empty((CHUNK, CHUNK, CHUNK), np.uint16, order="F")
        at = index3(chunk, "the chunk")
        number = level_number(level)
        call(lib.frWorld_GetChunkBlocks, self._handle, number, at, types.ctypes.data)
        return types

    def level(self, level: int) -> LevelInfo:
        """Describes a level."""
        info = FrLevelInfo()
        call(lib.frWorld_GetLevel, self._handle, level_number(level), byref(info))
        has_box = info.loaded_chunks > 0
        low = triple(info.min) if has_box else None
        return LevelInfo(
            info.loaded_chunks, info.proto_chunks, low, triple(info.max) if has_box else None
        )

    def loaded_chunks(self, level: int) -> Array:
        """Returns the indices of the loaded chunks of a level, in order: an array (n, 3)."""
        number = level_number(level)
        return read_array(
            lib.frWorld_GetLoadedChunks, self._handle, number, dtype=np.int64, width=3
        )

    def fingerprint(self, level: int, chunks: tuple[Index, Index]) -> int:
        """Returns a fingerprint of the blocks of a box of chunks: a number of 64 bits.

        chunks: the first and the last chunk of the box.

        Of the states of the chunks and the numbers of their blocks' types, it is the same on every
        machine; compare the meaning of the numbers by that of `block_types`. Those of parts add up
        to that of the whole, modulo 2^64; that of absent chunks is 0.
        """
        fingerprint = c_uint64()
        box, number = chunk_box(chunks), level_number(level)
        call(lib.frWorld_Fingerprint, self._handle, number, *box, byref(fingerprint), None)
        return fingerprint.value

    def chunk_fingerprints(self, level: int, chunks: tuple[Index, Index]) -> Array:
        """Returns the fingerprint of each chunk of a box: an array of uint64, its axes x, y, z."""
        low, high = chunk_box(chunks)
        number, count = level_number(level), c_size_t()
        box = self._handle, number, low, high
        call(lib.frWorld_FingerprintChunks, *box, None, 0, byref(count))
        shape = tuple(last - first + 1 for first, last in zip(low, high))
        fingerprints = np.empty(shape, np.uint64, order="F")
        data = fingerprints.ctypes.data
        call(lib.frWorld_FingerprintChunks, *box, data, count.value, byref(count))
        return fingerprints


class BlockEditor(BlockReader):
    """Loads and edits blocks: methods that only worlds have."""

    def load_chunks(
        self,
        level: int,
        chunk: Index,
        ids: Array,
        *,
        types: Any = None,
        states: States | None = None,
        source: Source = Source.COPY,
    ) -> None:
        """Loads or replaces the chunks that an array covers: all of them or none.

        chunk: the index of the chunk that begins at ids[0, 0, 0].
        ids: an array of integers of 1, 2 or 4 bytes with the axes x, y, z, each a multiple of 16
            long, with any strides. If the axes of your array are z, y, x, pass
            ids.transpose(2, 1, 0). Ids are read as unsigned numbers.
        types: the block type of each id; None if ids are block types.
        states: the ids whose type depends on the state of the block; needs types.
        source: COPY, or BORROW to read the array in place. The world keeps a borrowed array alive.
            After a change of the array call refresh_block or refresh_box. With BORROW_FOR_WRITING
            edits of the world write to the array.
        """
        source = Source(source)
        ids = id_array(ids, source == Source.BORROW_FOR_WRITING)
        if any(size % CHUNK for size in ids.shape):
            raise InvalidArgumentError(
                f"the ids have the shape {ids.shape}; each must be a multiple of {CHUNK}; "
                "load_box copies a box of any size"
            )
        first = index3(chunk, "the chunk")
        parts = list(product(*(range(size // CHUNK) for size in ids.shape)))
        with IdLayout(ids, types, states) as layout:
            definitions = (FrChunkDef * len(parts))(
                *(_part(first, part, ids, layout, source) for part in parts)
            )
            chunks, number = [each.chunk for each in definitions], level_number(level)
            lent = (ids, None if states is None else states.values)
            with self._kept.lending(number, chunks, None if source == Source.COPY else lent):
                call(lib.frWorld_LoadChunks, self._handle, number, definitions, len(parts))

    def load_uniform_chunk(self, level: int, chunk: Index, block_type: int) -> None:
        """Loads or replaces a chunk whose blocks are all of one type."""
        definition = sized(FrChunkDef)
        definition.source = FR_CHUNK_UNIFORM
        definition.chunk = index3(chunk, "the chunk")
        definition.uniform = unsigned(block_type, "the block type", 16)
        number = level_number(level)
        with self._kept.lending(number, [definition.chunk], None):
            call(lib.frWorld_LoadChunks, self._handle, number, byref(definition), 1)

    def load_box(
        self,
        level: int,
        first: Index,
        ids: Array,
        *,
        types: Any = None,
        states: States | None = None,
    ) -> None:
        """Copies the blocks of a box of any size, whose smallest block is `first`.

        Chunks that the box covers in part keep their other blocks. `ids`, `types` and `states` are
        as for load_chunks.
        """
        ids = id_array(ids, False)
        low = index3(first, "the first block")
        high = _box_end(low, ids.shape)
        with IdLayout(ids, types, states) as layout:
            call(
                lib.frWorld_LoadBoxIds,
                self._handle,
                level_number(level),
                low,
                high,
                layout._handle,
                ids.ctypes.data,
            )

    def load_proto_chunk(self, level: int, chunk: Index) -> None:
        """Adds a placeholder for a chunk that is not loaded yet."""
        self._edit_chunk(lib.frWorld_LoadProtoChunk, level, chunk)

    def unload_chunk(self, level: int, chunk: Index) -> None:
        """Removes a chunk or a placeholder; NotFoundError if there is none."""
        number, at = level_number(level), index3(chunk, "the index")
        with self._kept.lending(number, [at], None):
            call(lib.frWorld_UnloadChunk, self._handle, number, at)

    def expand_block(self, level: int, block: Index) -> None:
        """Loads the chunk of the next finer level that a block expands into, full of its type."""
        self._edit_chunk(lib.frWorld_ExpandBlock, level, block)

    def _edit_chunk(self, function: Callable[..., int], level: int, chunk: Index) -> None:
        call(function, self._handle, level_number(level), index3(chunk, "the index"))

    def refresh_block(self, level: int, block: Index) -> None:
        """Reads the id of a block of a borrowed array again, after a change of the array."""
        at = index3(block, "the block")
        call(lib.frWorld_RefreshBlock, self._handle, level_number(level), at)

    def refresh_box(self, level: int, first: Index, last: Index) -> None:
        """Reads the ids of a box of blocks again; `last` is the largest block of it."""
        box = index3(first, "the first block"), index3(last, "the last block")
        call(lib.frWorld_RefreshBox, self._handle, level_number(level), *box)

    def set_block(self, level: int, block: Index, block_type: int) -> None:
        """Sets a block of a loaded chunk."""
        at, number = index3(block, "the block"), unsigned(block_type, "the block type", 16)
        call(lib.frWorld_SetBlock, self._handle, level_number(level), at, number)

    def fill_box(self, level: int, first: Index, last: Index, block_type: int) -> None:
        """Sets the blocks of a box of loaded chunks; `last` is the largest block of it."""
        box = index3(first, "the first block"), index3(last, "the last block")
        number = unsigned(block_type, "the block type", 16)
        call(lib.frWorld_FillBox, self._handle, level_number(level), *box, number)

    def move_block(self, level: int, source: Index, target: Index) -> None:
        """Sets the block at `target` to the type of that at `source`, and `source` to air."""
        ends = index3(source, "the source"), index3(target, "the target")
        call(lib.frWorld_MoveBlock, self._handle, level_number(level), *ends)


def _part(
    first: CArray[c_int64], part: tuple[int, ...], ids: Any, layout: IdLayout, source: Source
) -> FrChunkDef:
    """Returns the definition of one of the chunks that an array covers."""
    at = [start + offset for start, offset in zip(first, part)]
    address = ids.ctypes.data + sum(CHUNK * n * stride for n, stride in zip(part, ids.strides))
    return FrChunkDef(
        sizeof(FrChunkDef), source, index3(at, "the last chunk"), layout._handle, address
    )


def _box_end(low: CArray[c_int64], shape: tuple[int, ...]) -> CArray[c_int64]:
    return index3([start + size - 1 for start, size in zip(low, shape)], "the last block")
