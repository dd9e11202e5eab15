# SPDX-License-Identifier: Apache-2.0
"""The colours of block types on maps."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Union

import numpy as np

from .._arguments import Array
from ..block_types import BlockTypes
from ..errors import InvalidArgumentError, NotFoundError

#: Colours by words of names: the first one that a name contains counts.
_WORDS = (
    ("water", "3a6ea0"),
    ("lava", "e8641e"),
    ("fire", "f08c28"),
    ("torch", "ffd76a"),
    ("light", "ffe9a0"),
    ("snow", "eef2f6"),
    ("ice", "b4d2ee"),
    ("junglegrass", "4e7a30"),
    ("dry_grass", "b4a050"),
    ("dry_dirt_with", "b09a54"),
    ("coniferous", "7a6a40"),
    ("rainforest_litter", "7a5c36"),
    ("with_grass", "6a9a44"),
    ("grass", "74a24a"),
    ("jungleleaves", "2f6a26"),
    ("pine_needles", "2e5a38"),
    ("acacia", "7c8a3a"),
    ("aspen_leaves", "7ea43c"),
    ("leaves", "3a7430"),
    ("needles", "2e5a38"),
    ("bush", "4a7c34"),
    ("fern", "4a8034"),
    ("cactus", "4a8a3c"),
    ("papyrus", "7aa04a"),
    ("lily", "3f8a3a"),
    ("flower", "c85a78"),
    ("mushroom", "a8503c"),
    ("sapling", "5a8a3a"),
    ("silver_sand", "c8c4b8"),
    ("desert_sand", "d8a868"),
    ("desert", "a8603c"),
    ("sandstone", "ccba84"),
    ("sand", "dccc96"),
    ("gravel", "8c8480"),
    ("clay", "b0b4bc"),
    ("dirt", "7c5a3c"),
    ("glass", "cfe6ee"),
    ("obsidian", "201a2c"),
    ("coral", "d27a6a"),
    ("kelp", "3a6a3a"),
    ("brick", "9a6a5a"),
    ("tree", "6a4c2e"),
    ("trunk", "6a4c2e"),
    ("wood", "a8804e"),
    ("fence", "a8804e"),
    ("chest", "a8804e"),
    ("ladder", "a8804e"),
    ("wool", "d8d8d8"),
    ("bed", "b04040"),
    ("steel", "c4c8cc"),
    ("gold", "e8c33c"),
    ("rail", "8a7c6c"),
    ("cobble", "74706c"),
    ("stone", "84807c"),
)
#: The colours of bricks of stone, which are not red.
_EXACT = {"default:stonebrick": "8c8a88", "default:sandstonebrick": "ccba84"}

Color = tuple[int, int, int]


def color_of(name: str) -> Color:
    """Returns the colour of a block type by its name alone; for names without a known word a muted
    one that the name determines."""
    for word, color in ((name, _EXACT.get(name)), *_WORDS):
        if color is not None and word in name:
            return _parsed(color)
    number = zlib.crc32(name.encode())
    return (88 + number % 97, 88 + number // 97 % 97, 88 + number // 9409 % 97)


def palette(types: BlockTypes, colors: Iterable[tuple[str, str]]) -> Array:
    """Returns the colours of all block types of a world by their number: (n, 3) of int64.

    colors: names and colours that replace the built-in ones.
    """
    chosen = {name: _parsed(color) for name, color in colors}
    made = []
    for name in types:
        # One that stands in several ways is several types: "stairs:slab_stone [20]".
        plain = name.partition(" [")[0]
        made.append(chosen.get(plain) or color_of(plain))
    return np.array(made, np.int64)


def _parsed(color: str) -> Color:
    if re.fullmatch("[0-9a-fA-F]{6}", color) is None:
        raise InvalidArgumentError(
            f"the colour is {color!r}; it must be six hexadecimal digits, such as 61605d"
        )
    return (int(color[0:2], 16), int(color[2:4], 16), int(color[4:6], 16))


def read_colors(path: Union[str, Path]) -> tuple[tuple[str, str], ...]:
    """Returns the names and colours of a file, such as the colors.txt of minetestmapper.

    Each line has a name and red, green and blue from 0 to 255: "default:stone 97 94 93". More
    numbers, comments after #, and empty lines are passed over.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise NotFoundError(f"{path}: there is no such file; give a colors.txt") from None
    except UnicodeDecodeError as error:
        raise InvalidArgumentError(f"{path}: {error}; give a text in UTF-8") from None
    made = {}
    for number, line in enumerate(text.splitlines(), 1):
        content = line.partition("#")[0].strip()
        if not content:
            continue
        match = re.fullmatch(r"(\S+)\s+(\d{1,3})\s+(\d{1,3})\s+(\d{1,3})(\s+\d+)*", content)
        values = [int(match[group]) for group in (2, 3, 4)] if match else [256]
        if match is None or max(values) > 255:
            raise InvalidArgumentError(
                f"{path}:{number}: {line!r}; a line must be a name and three numbers up to 255, "
                "such as: default:stone 97 94 93"
            )
        made[match[1]] = bytes(values).hex()
    return tuple(sorted(made.items()))
