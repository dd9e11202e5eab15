# SPDX-License-Identifier: Apache-2.0
"""Reads the C header as text, to compare the bindings with its structs and functions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

HEADER = Path(__file__).resolve().parents[2] / "capi" / "fractalray_c.h"

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_STRUCT = re.compile(r"typedef struct (\w+) \{(.*?)\} \1;", re.DOTALL)
_MEMBER = re.compile(r"(?:const )?\w+\s*\*?\s+\*?(\w+)\s*(?:\[\w+\])?;")
_FUNCTION = re.compile(r"FR_API\s+((?:const )?\w+\s*\*?)\s*(fr\w+)\((.*?)\);", re.DOTALL)
_DEFINE = re.compile(r"#define (FR_[A-Z_]+) (0x[0-9a-f]+u?|\d+u?) *$", re.MULTILINE)
_ENUM = re.compile(r"enum \{(.*?)\};", re.DOTALL)


@dataclass(frozen=True)
class Function:
    """A declaration: the types of the result and of the parameters, without names."""

    result: str
    parameters: tuple[str, ...]


def text() -> str:
    """Returns the header without its comments."""
    return _COMMENT.sub("", HEADER.read_text(encoding="utf-8"))


def structs() -> dict[str, list[str]]:
    """Returns the names of the members of each struct, in order."""
    return {name: _MEMBER.findall(body) for name, body in _STRUCT.findall(text())}


def _type_of(parameter: str) -> str:
    words = parameter.replace("const ", "").replace("*", " * ").split()
    is_array = words[-1].endswith("]")
    return words[0] + "*" * (words.count("*") + is_array)


def functions() -> dict[str, Function]:
    """Returns the functions by name."""
    found = {}
    for result, name, parameters in _FUNCTION.findall(text()):
        listed = [] if parameters.strip() == "void" else parameters.split(",")
        types = tuple(_type_of(parameter) for parameter in listed)
        found[name] = Function(result.replace("const ", "").replace(" ", ""), types)
    return found


def constants() -> dict[str, int]:
    """Returns the numbers of #defines and of enumerators that are written as numbers."""
    found = {name: int(value.rstrip("u"), 0) for name, value in _DEFINE.findall(text())}
    for body in _ENUM.findall(text()):
        for name, value in re.findall(r"(FR_\w+) = (\d+)", body):
            found[name] = int(value)
    return found
