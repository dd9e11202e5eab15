# SPDX-License-Identifier: Apache-2.0
"""The block types and collision channels of a world."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from ctypes import byref, c_int32, c_size_t, c_uint16, c_uint64
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from ._abi import FR_AIR, FR_NO_BLOCK_TYPE, FrBlockTypeDef
from ._arguments import Array, numbers, read_text, text, unsigned
from ._calls import call, sized
from ._library import lib
from .enums import Kind
from .errors import FractalrayError, InvalidArgumentError

if TYPE_CHECKING:
    from .world import WorldView

AIR = FR_AIR  #: the number of the block type that every world has, empty in every channel
NO_BLOCK_TYPE = FR_NO_BLOCK_TYPE  #: in a table of ids: the engine does not use this id
DEFAULT_CHANNEL = 0

#: The corners of boxes: an array (n, 2, 3), or lists of that form.
Boxes = Union[Sequence[Any], Array]


class BlockTypes:
    """The block types of a world, numbered from 0, which is "air".

    >>> stone = world.block_types.add("stone")
    >>> glass = world.block_types.add("glass", channels={"sight": Kind.EMPTY})
    """

    def __init__(self, world: WorldView) -> None:
        self._world = world

    def add(
        self,
        name: str,
        kind: Kind = Kind.SOLID,
        channels: Mapping[str, Kind] | None = None,
        boxes: Boxes | None = None,
        channel_boxes: Mapping[str, Boxes] | None = None,
    ) -> int:
        """Adds a block type and returns its number.

        channels: the kinds in channels, where they differ from `kind`. Channels that are new are
            added first, and stay if the block type is refused.
        boxes: the shape of blocks that do not fill their cube, as an array (n, 2, 3) of the lower
            and upper corners of boxes, in fractions of the block's width, rounded to 1/65536. A
            type without boxes is empty; None for one that fills its cube.
        channel_boxes: the shapes in channels, where they differ from `boxes`.

        AlreadyExistsError for a name in use.
        """
        channels, channel_boxes = channels or {}, channel_boxes or {}
        names = list(dict.fromkeys([*channels, *channel_boxes]))
        shape = self._shape(boxes, f"block type {name!r}")
        numbers = np.array([self.add_channel(each) for each in names], np.uint16)
        kinds = np.array([Kind(channels.get(each, kind)) for each in names], np.int32)
        own = {
            each: self._shape(channel_boxes[each], f"block type {name!r}, channel {each!r}")
            for each in channel_boxes
        }
        shapes = np.array([own.get(each, shape) for each in names], np.uint16)
        definition = sized(FrBlockTypeDef)
        definition.kind = Kind(kind)
        definition.name = text(name, "the block type's name")
        definition.channels = numbers.ctypes.data
        definition.channel_kinds = kinds.ctypes.data
        definition.channel_shapes = shapes.ctypes.data
        definition.channel_count = len(kinds)
        definition.shape = shape
        number = c_uint16()
        call(lib.frWorld_AddBlockType, self._world._handle, byref(definition), byref(number))
        return number.value

    def _shape(self, boxes: Boxes | None, owner: str) -> int:
        """Returns the number of the shape that is the union of boxes. Errors name its owner."""
        if boxes is None:
            return 0
        corners = np.ascontiguousarray(numbers(boxes, f"{owner}: the boxes"))
        if corners.size == 0:
            corners = corners.reshape(0, 2, 3)
        if corners.ndim != 3 or corners.shape[1:] != (2, 3):
            raise InvalidArgumentError(
                f"{owner}: the boxes have the shape {corners.shape}; it must be (n, 2, 3)"
            )
        number = c_uint16()
        data = corners.ctypes.data if len(corners) else None
        try:
            call(lib.frWorld_AddShape, self._world._handle, data, len(corners), byref(number))
        except FractalrayError as error:
            raise type(error)(f"{owner}: {error}") from None
        return number.value

    def boxes(self, block_type: int, channel: int = DEFAULT_CHANNEL) -> Array:
        """Returns the boxes of a block type in a channel, (n, 2, 3); one if it fills its cube."""
        count = c_size_t()
        numbers = unsigned(block_type, "the block type", 16), unsigned(channel, "the channel", 16)
        call(lib.frWorld_GetShape, self._world._handle, *numbers, None, 0, byref(count))
        corners = np.empty((count.value, 2, 3))
        data = corners.ctypes.data if len(corners) else None
        call(lib.frWorld_GetShape, self._world._handle, *numbers, data, len(corners), None)
        return corners

    def add_channel(self, name: str) -> int:
        """Returns the number of the channel of that name, added if it is new."""
        number = c_uint16()
        encoded = text(name, "the channel's name")
        call(lib.frWorld_AddChannel, self._world._handle, encoded, byref(number))
        return number.value

    def __getitem__(self, name: str) -> int:
        """Returns the number of the block type of that name; NotFoundError if there is none."""
        number = c_uint16()
        encoded = text(name, "the block type's name")
        call(lib.frWorld_FindBlockType, self._world._handle, encoded, byref(number))
        return number.value

    def channel(self, name: str) -> int:
        """Returns the number of the channel of that name; NotFoundError if there is none."""
        number = c_uint16()
        encoded = text(name, "the channel's name")
        call(lib.frWorld_FindChannel, self._world._handle, encoded, byref(number))
        return number.value

    def name(self, block_type: int) -> str:
        """Returns the name of a block type."""
        number = unsigned(block_type, "the block type", 16)
        return read_text(lib.frWorld_GetBlockTypeName, self._world._handle, number)

    def channel_name(self, channel: int) -> str:
        """Returns the name of a channel."""
        number = unsigned(channel, "the channel", 16)
        return read_text(lib.frWorld_GetChannelName, self._world._handle, number)

    def kind(self, block_type: int, channel: int = DEFAULT_CHANNEL) -> Kind:
        """Returns the kind of a block type in a channel."""
        kind = c_int32()
        numbers = unsigned(block_type, "the block type", 16), unsigned(channel, "the channel", 16)
        call(lib.frWorld_GetBlockKind, self._world._handle, *numbers, byref(kind))
        return Kind(kind.value)

    def __len__(self) -> int:
        count = c_size_t()
        call(lib.frWorld_CountBlockTypes, self._world._handle, byref(count), None)
        return count.value

    def __iter__(self) -> Iterator[str]:
        """Iterates over the names, by number."""
        return (self.name(number) for number in range(len(self)))

    def fingerprint(self) -> int:
        """Returns a fingerprint of the block types and channels: a number of 64 bits.

        Of the number, name, kinds and boxes of each, it is the same on every machine. Equal
        fingerprints mean that numbers have equal meanings.
        """
        fingerprint = c_uint64()
        call(lib.frWorld_FingerprintBlockTypes, self._world._handle, byref(fingerprint))
        return fingerprint.value

    def channels(self) -> list[str]:
        """Returns the names of the channels, by number."""
        count = c_size_t()
        call(lib.frWorld_CountBlockTypes, self._world._handle, None, byref(count))
        return [self.channel_name(number) for number in range(count.value)]
