# SPDX-License-Identifier: Apache-2.0
"""The bindings are those of the header: structs, functions and constants."""

from __future__ import annotations

import ctypes
import os
import subprocess
from pathlib import Path

import c_header
import fractalray as fr
import pytest
from fractalray import _functions, _library, _structs, blocks, entities, errors, line, rules

SCALARS = {
    "int32_t": ctypes.c_int32,
    "frResult": ctypes.c_int32,
    "uint32_t": ctypes.c_uint32,
    "frLevelMask": ctypes.c_uint32,
    "int64_t": ctypes.c_int64,
    "uint64_t": ctypes.c_uint64,
    "frEntity": ctypes.c_uint64,
    "frBlockType": ctypes.c_uint16,
    "frChannel": ctypes.c_uint16,
    "size_t": ctypes.c_size_t,
    "double": ctypes.c_double,
    "void": None,
}
STRUCTS = {name: getattr(_structs, "Fr" + name[2:], None) for name in c_header.structs()}


def expected_type(written: str) -> type | None:
    if written == "char*":
        return ctypes.c_char_p
    return ctypes.c_void_p if written.endswith("*") else SCALARS[written]


def c_name(member: str) -> str:
    return member.rstrip("_")


def measured_by_the_compiler(folder: Path) -> dict[str, int]:
    """Returns sizes and offsets of all structs, as a program of C prints them."""
    lines = []
    for name, members in c_header.structs().items():
        lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
        for member in members:
            lines.append(f'printf("{name}.{member} %zu\\n", offsetof({name}, {member}));')
            size = f"sizeof((({name}*)0)->{member})"
            lines.append(f'printf("{name}.{member}.size %zu\\n", {size});')
    source, program = folder / "offsets.c", folder / "offsets"
    source.write_text(
        f'#include "{c_header.HEADER}"\n#include <stdio.h>\n'
        "int main(void) {" + "\n".join(lines) + "return 0; }\n"
    )
    compiler = os.environ.get("FRACTALRAY_C_COMPILER", "cc")
    subprocess.run([compiler, "-std=c99", "-Wall", "-Werror", source, "-o", program], check=True)
    printed = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    return {name: int(number) for name, number in map(str.split, printed.splitlines())}


def test_structs_have_the_offsets_of_the_compiler(tmp_path: Path) -> None:
    found = {}
    for name, struct in STRUCTS.items():
        assert struct is not None, f"{name} is not in bindings/python/fractalray/_structs.py"
        found[name] = ctypes.sizeof(struct)
        for member, *_ in struct._fields_:
            field = getattr(struct, member)
            found[f"{name}.{c_name(member)}"] = field.offset
            found[f"{name}.{c_name(member)}.size"] = field.size
    assert found == measured_by_the_compiler(tmp_path)


def test_structs_have_the_members_of_the_header_in_order() -> None:
    found = {n: [c_name(m) for m, *_ in struct._fields_] for n, struct in STRUCTS.items()}
    assert found == c_header.structs()


def test_no_struct_is_bound_that_the_header_lacks() -> None:
    bound = {"fr" + name[2:] for name in vars(_structs) if name.startswith("Fr")}
    assert bound == set(c_header.structs())


def test_every_function_is_bound_with_its_types() -> None:
    declared = c_header.functions()
    differing = sorted(set(_functions.PARAMETERS) ^ set(declared))
    assert not differing, f"of the header or of _functions.py of the package alone: {differing}"
    for name, function in declared.items():
        expected = tuple(map(expected_type, function.parameters))
        assert _functions.PARAMETERS[name] == expected, name
        bound = _functions.RESULTS.get(name, ctypes.c_int32)
        assert bound == expected_type(function.result), name


def test_the_header_has_no_function_that_the_parser_overlooks() -> None:
    # Each declaration but the definitions of FR_API itself.
    lines = [each for each in c_header.text().splitlines() if not each.startswith("#")]
    assert sum(each.count("FR_API") for each in lines) == len(c_header.functions())


@pytest.mark.parametrize(
    ("prefix", "enumeration"),
    [
        ("FR_", fr.Kind),
        ("FR_CORNER_", fr.Corner),
        ("FR_", fr.Response),
        ("FR_", fr.Occlusion),
        ("FR_", fr.ChunkState),
        ("FR_CHUNK_", fr.Source),
        ("FR_HIT_", fr.HitKind),
        ("FR_", fr.Progress),
        ("FR_", fr.MoveKind),
    ],
)
def test_enumerations_have_the_numbers_of_the_header(prefix: str, enumeration: type) -> None:
    for member in enumeration:
        assert c_header.constants()[prefix + member.name] == member.value


def test_constants_have_the_numbers_of_the_header() -> None:
    numbers = c_header.constants()
    version = tuple(numbers[f"FR_VERSION_{part}"] for part in ("MAJOR", "MINOR", "PATCH"))
    assert _library.VERSION == version
    assert fr.MAX_LEVELS == numbers["FR_MAX_LEVELS"]
    assert fr.MAX_BUDGETS == numbers["FR_MAX_BUDGETS"]
    assert fr.UNITS_PER_BLOCK == numbers["FR_UNITS_PER_BLOCK"]
    assert fr.AIR == numbers["FR_AIR"]
    assert fr.NO_BLOCK_TYPE == numbers["FR_NO_BLOCK_TYPE"]
    assert blocks._UNIFORM == numbers["FR_CHUNK_UNIFORM"]
    formats = ("FR_F64", "FR_F32", "FR_UNITS")
    assert (line._F64, line._F32, line._UNITS) == tuple(numbers[name] for name in formats)
    kinds = ("FR_RULE_CONTINUE", "FR_RULE_STOP", "FR_RULE_COST")
    assert (rules._CONTINUE, rules._STOP, rules._COST) == tuple(numbers[name] for name in kinds)
    assert (entities._SPHERE, entities._BOX) == (numbers["FR_SPHERE"], numbers["FR_BOX"])
    for member, bit in entities._SET.items():
        name = "CLASS" if member == "entity_class" else member.upper()
        assert bit == numbers[f"FR_SET_{name}"]
    for number, error in errors._CLASSES.items():
        assert numbers["FR_" + error.code] == number
