# SPDX-License-Identifier: Apache-2.0
"""Reads saved worlds, such as those of Luanti."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from ctypes import addressof, byref, c_char_p, c_size_t, c_void_p
from dataclasses import dataclass
from typing import Any, Union

from ._abi import FrLoadSummary, FrOpenOptions, FrWorldDef
from ._arguments import Index, chunk_box, limit, read_text, text
from ._calls import Owned, call, sized
from ._library import lib
from .enums import Kind
from .errors import InvalidArgumentError

#: A path of the file system.
Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]


@dataclass(frozen=True)
class LoadReport:
    """What was read of a saved world.

    format: the name of its format, such as "Luanti".
    chunks: the chunks in the box that was to be read: loaded, not generated, damaged or
        unsupported.
    not_generated, damaged, unsupported: those that are absent from the world, as its generator has
        not finished them, as they could not be decoded, or as they are in a version of the format
        that is not read.
    outside: the chunks outside of the box that were skipped, which `chunks` does not count: 0 if
        the map's index has found those in the box.
    bytes: of all chunks in the box, as stored.
    damages: the first damaged chunks, each as "(2, 0, 0): the zstd data is cut off"; and
        last, if chunks are unsupported, why.
    defaulted_names: the names of nodes that the table of kinds does not list, so that its default
        holds for them.
    """

    format: str
    chunks: int
    loaded: int
    not_generated: int
    damaged: int
    unsupported: int
    outside: int
    bytes: int
    damages: tuple[str, ...]
    defaulted_names: tuple[str, ...]


def open_saved(
    definition: FrWorldDef,
    path: Path,
    kinds: Mapping[str, Any] | None,
    chunks: tuple[Index, Index] | None,
    types: Iterable[str] | None,
    limits: Mapping[str, int | None],
) -> tuple[int, LoadReport]:
    """Returns the address of the world at a path, and what was read of it."""
    options = sized(FrOpenOptions)
    for name, value in limits.items():
        setattr(options, name, limit(value, name))
    if kinds is not None:
        options.node_kinds = _kinds_as_json(kinds)
    if chunks is not None:
        options.has_box = 1
        options.min_chunk, options.max_chunk = chunk_box(chunks)
    names = None if types is None else _names(types)
    if names is not None:
        options.block_types, options.block_type_count = addressof(names), len(names)
    world, report = c_void_p(), c_void_p()
    arguments = (byref(definition), encoded_path(path), byref(options))
    call(lib.frOpenWorld, *arguments, byref(world), byref(report))
    assert world.value is not None and report.value is not None
    try:
        return world.value, _read_report(report.value)
    except BaseException:
        call(lib.frDestroyWorld, world)
        raise


def encoded_path(path: Path) -> bytes:
    """Returns a path as the library takes it."""
    encoded = os.fsencode(path)
    if b"\0" in encoded:
        raise InvalidArgumentError(f"the path is {path!r}; it must not contain a zero character")
    return encoded


def _names(types: Iterable[str]) -> Any:
    if isinstance(types, (str, bytes)) or not isinstance(types, Iterable):
        raise TypeError(f"types is {types!r:.100}; it must be a list of names of block types")
    encoded = [text(name, f"types[{i}]") for i, name in enumerate(types)]
    if not encoded:
        raise InvalidArgumentError('types is empty; give the names of all block types, "air" first')
    return (c_char_p * len(encoded))(*encoded)


def _kinds_as_json(kinds: Mapping[str, Any]) -> bytes:
    if not isinstance(kinds, Mapping):
        raise TypeError(f"kinds is {kinds!r}; it must be a dict, as of docs/luanti.md")
    return json.dumps(_with_words(kinds)).encode("ascii")


def _with_words(value: Any) -> Any:
    """Returns the value with each Kind as its word."""
    if isinstance(value, Mapping):
        return {name: _with_words(member) for name, member in value.items()}
    return value.name.lower() if isinstance(value, Kind) else value


def _read_report(pointer: int) -> LoadReport:
    with Owned(pointer, lib.frDestroyLoadReport) as report:
        summary = sized(FrLoadSummary)
        call(lib.frLoadReport_GetSummary, pointer, byref(summary))

        def texts(function: Callable[..., int], count: int) -> tuple[str, ...]:
            return tuple(
                read_text(function, report._handle, c_size_t(index)) for index in range(count)
            )

        return LoadReport(
            format=read_text(lib.frLoadReport_GetFormat, report._handle),
            chunks=summary.chunks,
            loaded=summary.loaded,
            not_generated=summary.not_generated,
            damaged=summary.damaged,
            unsupported=summary.unsupported,
            outside=summary.outside,
            bytes=summary.bytes,
            damages=texts(lib.frLoadReport_GetDamage, summary.named_damages),
            defaulted_names=texts(lib.frLoadReport_GetDefaultedName, summary.defaulted_names),
        )
