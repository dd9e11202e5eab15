# SPDX-License-Identifier: Apache-2.0
"""Fixtures. The package is that of this repository, the library that of FRACTALRAY_LIBRARY."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bindings" / "python"))

import fractalray as fr  # noqa: E402
from fractalray._library import lib  # noqa: E402


@contextmanager
def interrupted(monkeypatch: pytest.MonkeyPatch, name: str) -> Iterator[None]:
    """Makes Ctrl-C arrive when a function of the library returns."""
    function = getattr(lib, name)

    def call(*arguments: object) -> int:
        function(*arguments)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(lib, name, call)
        yield


class Scene:
    """One chunk of air with a wall of stone at x = 8, and a pane of glass at x = 4."""

    def __init__(self) -> None:
        self.world = fr.World()
        self.stone = self.world.block_types.add("stone")
        self.glass = self.world.block_types.add("glass", fr.Kind.PERMEABLE)
        self.ids = np.zeros((16, 16, 16), np.uint16)
        self.ids[8] = self.stone
        self.ids[4] = self.glass
        self.world.load_chunks(0, (0, 0, 0), self.ids)
        self.line = fr.Line.segment((0.5, 2.5, 2.5), (15.5, 2.5, 2.5))


@pytest.fixture
def scene() -> Scene:
    return Scene()


@pytest.fixture
def world(scene: Scene) -> fr.World:
    return scene.world
