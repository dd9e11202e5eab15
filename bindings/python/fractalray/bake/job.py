# SPDX-License-Identifier: Apache-2.0
"""Jobs: what is baked of each region."""

from __future__ import annotations

import importlib
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import field, fields, is_dataclass
from typing import Any, ClassVar

import numpy as np

from .._arguments import Array
from ..errors import InvalidArgumentError, NotFoundError
from ..world import WorldView
from .region import Region

Arrays = Mapping[str, Array]


class Job(ABC):
    """What is baked: a frozen dataclass whose fields are the parameters.

    The result of a region must depend on nothing but the parameters and the blocks of the region
    and of `halo` chunks around it, on all sides. Then any partition gives one result.

    name: in commands, files and the hash.
    version: of the code; another one is baked again. Count it up with each change of results.
    halo: in chunks, a number or a property.
    fills: for names of arrays, the value where the world has no chunks, in place of 0.
    """

    name: ClassVar[str]
    version: ClassVar[int] = 1
    halo: Any = 0
    fills: ClassVar[Mapping[str, int]] = {}

    @abstractmethod
    def run(self, world: WorldView, region: Region) -> Arrays:
        """Returns the arrays of a region.

        The first two axes of each are x and z, with one element or more for each chunk: 16 if
        there is one for each column of blocks. All regions have the same names, dtypes and further
        axes. Take integers where you can: they are the same on every machine.

        world: has at least the region and its halo, and is only read: other threads may use it.
        """

    def pictures(self, arrays: Arrays) -> Arrays:
        """Returns pictures of arrays: uint8 with the axes x, z, and red, green, blue, alpha.

        A pixel depends on the elements at its own position alone.
        """
        return {}

    def parameters(self) -> dict[str, Any]:
        """Returns the parameters, as JSON has them."""
        if not is_dataclass(self):
            raise TypeError(f"{type(self).__name__} must be a dataclass: @dataclass(frozen=True)")
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return dict(json.loads(canonical(values)))

    @classmethod
    def of_parameters(cls, parameters: Mapping[str, Any]) -> Job:
        """Returns the job with the parameters that `parameters` returned."""
        return cls(**{name: _as_tuple(value) for name, value in parameters.items()})


def option(default: Any, help: str, parse: Callable[[str], Any] | None = None) -> Any:
    """Returns a field of a job that the command line describes.

    parse: makes the value from its text; by default numbers, words, and integers with commas.
    """
    return field(default=default, metadata={"help": help, "parse": parse})


def canonical(value: Any) -> str:
    """Returns a value as the one JSON text that all processes make of it."""
    encoder = json.JSONEncoder(
        sort_keys=True, separators=(",", ":"), default=_as_json, allow_nan=False
    )
    try:
        return encoder.encode(value)
    except ValueError as error:
        raise InvalidArgumentError(f"{value!r:.200}: {error}; numbers must be finite") from None


def differing(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[str]:
    """Returns the names of the members that are not as wanted. Compares their texts, which hashes
    are of: to Python 1, 1.0 and True are equal."""
    return [name for name in wanted if canonical(found.get(name)) != canonical(wanted[name])]


def _as_json(value: Any) -> Any:
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    raise TypeError(f"{value!r} is a parameter of a job; it must be one that JSON can have")


def _as_tuple(value: Any) -> Any:
    return tuple(map(_as_tuple, value)) if isinstance(value, list) else value


def path_of(job: Job) -> str:
    """Returns the module and the name of a job's class, for `find`."""
    return f"{type(job).__module__}:{type(job).__qualname__}"


def find(path: str, kind: type) -> Any:
    """Returns the class or object of a path such as "my_module:Caves".

    kind: the class of which it is a subclass or an instance.
    """
    module_name, separator, name = path.partition(":")
    if not separator or not name or not module_name:
        raise InvalidArgumentError(f"{path!r} is no MODULE:NAME, such as my_jobs:Caves")
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise NotFoundError(f"{path}: {error}; set PYTHONPATH to the module's folder") from None
    if not hasattr(module, name):
        raise NotFoundError(f"{path}: the module {module_name} has no {name}; correct the name")
    found = getattr(module, name)
    is_right = issubclass(found, kind) if isinstance(found, type) else isinstance(found, kind)
    if not is_right:
        raise InvalidArgumentError(f"{path} is {found!r}; it must be a bake.{kind.__name__}")
    return found
