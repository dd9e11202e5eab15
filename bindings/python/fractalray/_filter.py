# SPDX-License-Identifier: Apache-2.0
"""What the options of queries and of sight share: a struct of C with a filter."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import addressof
from typing import Any

import numpy as np

from ._arguments import Array, unsigned
from ._calls import sized
from .callbacks import Functions, address, checked


def copy_iterators(options: Any, *names: str) -> None:
    """Replaces iterators, which can be read once, by tuples: each query reads its options."""
    for name in names:
        value = getattr(options, name)
        if isinstance(value, Iterator):
            object.__setattr__(options, name, tuple(value))


class FilterStruct:
    """Options as the library takes them, with all that they point to; `address` is None for the
    defaults."""

    def __init__(self) -> None:
        self.kept: list[Any] = []
        self.struct: Any = None
        self.address: int | None = None
        self.filters: Functions | None = None

    def _make(self, struct: Any) -> None:
        self.struct = sized(struct)
        self.address = addressof(self.struct)

    def _keep(self, array: Array) -> tuple[int | None, int]:
        self.kept.append(array)
        return (array.ctypes.data if array.size else None), len(array)

    def _set_filter(self, options: Any) -> bool:
        """Sets `ignore`, `categories` and the filters. Returns True if no category is left."""
        struct = self.struct
        ignored = [unsigned(entity, "an ignored id", 64) for entity in options.ignore]
        struct.ignore, struct.ignore_count = self._keep(np.array(ignored, np.uint64))
        self._set_functions(options)
        if options.categories is None:
            return False
        struct.categories = unsigned(options.categories, "categories", 64)
        # To the library 0 stands for all categories.
        return bool(struct.categories == 0)

    def _set_functions(self, options: Any) -> None:
        if options.block_filter is None and options.entity_filter is None:
            return
        self.filters = Functions(
            block_filter=checked(options.block_filter, "block_filter"),
            entity_filter=checked(options.entity_filter, "entity_filter"),
        )
        self.struct.block_filter = address(self.filters, "block_filter")
        self.struct.entity_filter = address(self.filters, "entity_filter")
        self.struct.filter_context = self.filters.context
