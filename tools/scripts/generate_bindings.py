#!/usr/bin/env python3
"""Makes everything that mirrors the C header: what bindings declare, the test of layouts, their table.

Usage: tools/scripts/generate_bindings.py            writes the files
       tools/scripts/generate_bindings.py --check    writes nothing; exit code 1 and a line for each file that
                                               differs from what the header says, or call that is missing

Example: after a change of bindings/c/fractalray_c.h

    tools/scripts/generate_bindings.py && git diff --stat

Another language is one more writer: a function from a Header (tools/scripts/c_header.py) to a text, and its
row in TARGETS.
"""

import keyword
import pathlib
import re
import sys
import textwrap

import js_layout
import read_c_header
from c_header import Alias, Constant, Enum, Function, Handle, SizeCheck, Struct
from plain_members import BY_NAME, kind_of, plain_members, said_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADER = "bindings/c/fractalray_c.h"
MADE = f"Made by tools/scripts/generate_bindings.py from {HEADER}, which documents it; do not edit."
LICENSE = "SPDX-License-Identifier: Apache-2.0"
WASM = 4  # the bytes of a pointer of the 32-bit target whose layouts are tested


# ---- Python ----

PYTHON_NAMES = {"c_int32": "I32", "c_int64": "I64", "c_uint8": "U8", "c_uint16": "U16", "c_uint32": "U32",
                "c_uint64": "U64", "c_size_t": "SIZE", "c_double": "F64", "c_char_p": "TEXT", "c_void_p": "PTR"}


def python(header):
    """Returns the module of the Python package with all that ctypes needs of the header."""
    lines = [f"# {MADE}", f"# {LICENSE}", '"""The constants, structs and functions of the C interface."""', "",
             "import ctypes", "from ctypes import c_char_p, c_double, c_int8, c_int32, c_int64, c_size_t",
             "from ctypes import c_uint8, c_uint16, c_uint32, c_uint64, c_void_p", ""]
    lines += [f"{name} = {value}" for name, value in header.constants.items()]
    for struct in header.structs.values():
        lines += ["", "", f"class {_python_class(struct.name)}(ctypes.Structure):", "    _fields_ = ["]
        lines += [f"        ({_python_member(each.name)}, {_python_type(header, each)}),"
                  for each in struct.members]
        lines.append("    ]")
    lines += ["", ""] + [f"_{short} = {name}" for name, short in PYTHON_NAMES.items()]
    lines += ["", "#: The types of the parameters of each function, in order.",
              "PARAMETERS: dict[str, tuple[type, ...]] = {"]
    for function in header.functions.values():
        types = [f"_{PYTHON_NAMES[_python_parameter(header, each)]}" for each in function.parameters]
        lines.append(f'    "{function.name}": ({", ".join(types)}{"," * (len(types) == 1)}),')
    lines += ["}", "", "#: The types of the results that are not an frResult.",
              'RESULTS: dict[str, "type | None"] = {']
    lines += [f'    "{name}": {_python_result(header, each.result)},' for name, each in header.functions.items()
              if each.result.name != "frResult" or each.result.pointers]
    return "\n".join(lines + ["}", ""])


def _python_class(name):
    return "Fr" + name.removeprefix("fr")


def _python_member(name):
    return f'"{name}_"' if keyword.iskeyword(name) else f'"{name}"'


def _python_type(header, member):
    if member.type.name in header.structs and not member.type.pointers:
        one = _python_class(member.type.name)
    else:
        one = _python_scalar(header, member.type)
    return one if member.count is None else f"{one} * {member.count}"


def _python_scalar(header, type_):
    if type_.pointers:
        return "c_char_p" if type_.name == "char" and type_.pointers == 1 else "c_void_p"
    name = header.scalar(type_.name)
    return "c_" + (name if name == "size_t" else name.removesuffix("_t"))


def _python_parameter(header, parameter):
    return "c_void_p" if parameter.count else _python_scalar(header, parameter.type)


def _python_result(header, type_):
    return "None" if type_.name == "void" and not type_.pointers else _python_scalar(header, type_)


def python_members(header):
    """Returns the module of the Python package with the plain members of options and rules."""
    lines = [f"# {MADE}", f"# {LICENSE}", '"""The options and members of rules that are flags and numbers."""', "",
             "from __future__ import annotations", "", "from dataclasses import dataclass", "from typing import TypeVar", "",
             'Made = TypeVar("Made", bound="PlainRule")']
    for struct, name in BY_NAME.items():
        members = plain_members(header, header.structs[struct])
        lines += ["", "", "@dataclass(frozen=True)", f"class {name}:", f'    """The plain members of {struct}.', ""]
        lines += [line for each in members if each.type.name != "int32_t" for line in _python_doc(each, 4)]
        lines += ['    """', ""] + [f"    {each.name}: {_python_default(header, each)}" for each in members]
    costs = [each for each in members if each.name not in ("kind", "budget")]
    lines += ["", "    @classmethod", "    def cost(", "        cls: type[Made],", "        budget: int,", "        *,",
              *(f"        {each.name}: {_python_default(header, each)}," for each in costs), "    ) -> Made:",
              '        """Returns the rule that charges a budget; the hit is terminal if not enough is left.', "",
              *(line for each in costs for line in _python_doc(each, 8)), '        """', "        return cls(",
              f"            kind={header.constants['FR_RULE_COST']},", "            budget=budget,",
              *(f"            {each.name}={each.name}," for each in costs), "        )"]
    return "\n".join(lines + [""])


PYTHON_DEFAULTS = {"word": "int = 0", "flag": "bool = False", "limit": "int | None = None",
                   "number": "float = 0.0", "integer": "int = 0"}


def _python_default(header, member):
    return PYTHON_DEFAULTS[kind_of(header, member)]


def _python_doc(member, indent):
    return textwrap.wrap(f"{member.name}: {said_of(member, None)}.", 100, initial_indent=" " * indent,
                         subsequent_indent=" " * (indent + 4))


# ---- C++ ----

def fields(header):
    """Returns the header of the C interface with the members of the structs that it converts by their names."""
    lines = [f"// {LICENSE}", *(f"// {line}" for line in textwrap.wrap(MADE, 97)), "#pragma once", "", "#include <array>", "#include <tuple>", "",
             '#include "../../../core/fields.h"', '#include "../fractalray_c.h"', "", "namespace fractalray {", "",
             "// clang-format off"]
    for struct in map(header.structs.get, BY_NAME):
        names = [each.name for each in struct.members]
        lines += ["template <>", f"struct Fields<{struct.name}> {{", "  static constexpr auto kNames = std::to_array<FieldName>({",
                  *_wrapped([f'{{"{name}"}}' for name in names], 6), "  });",
                  "  static constexpr auto tie(auto& object) {", "    auto& [", *_wrapped(names, 6), "    ] = object;",
                  "    return std::tie(", *_wrapped(names, 6), "    );", "  }", "};"]
    return "\n".join(lines + ["// clang-format on", "", "}  // namespace fractalray", ""])


def _wrapped(words, indent):
    return textwrap.wrap(", ".join(words), 100, initial_indent=" " * indent, subsequent_indent=" " * indent)


# ---- LuaJIT ----


def luajit(header):
    """Returns the module of LuaJIT with the declarations that its parser reads, one a line."""
    return "\n".join([f"-- {MADE}", f"-- {LICENSE}", "return [[", *map(declaration, header.declarations), "]]", ""])


def declaration(declared):
    """Returns a declaration of C, on one line."""
    match declared:
        case Constant(name, value):
            return f"static const int {name} = {value};"
        case Enum(constants):
            return "enum { " + ", ".join(f"{each.name} = {each.value}" for each in constants) + " };"
        case Alias(name, type_):
            return f"typedef {type_} {name};"
        case Handle(name):
            return f"typedef struct {name} {name};"
        case Struct(name, members):
            return f"typedef struct {name} {{ {' '.join(f'{each};' for each in members)} }} {name};"
        case SizeCheck(name, struct, size):
            return f"typedef char {name}[sizeof({struct}) == {size} ? 1 : -1];"
        case Function(name, result, parameters, _, is_callback):
            listed = ", ".join(map(str, parameters)) or "void"
            return f"{'typedef ' * is_callback}{result} {name}({listed});"
    raise TypeError(f"no declaration: {declared}")


# ---- JavaScript ----


def javascript(header):
    """Returns the module of JavaScript with the constants and the structs in the memory of the WebAssembly module."""
    return js_layout.layout(header, MADE)


def typescript(header):
    """Returns the types of that module and of the functions of the WebAssembly module."""
    return js_layout.types(header, MADE)


# ---- The test of layouts ----


def layout_test(header):
    """Returns a source of C that compiles only if all structs have the layouts of the model."""
    lines = [f"/* {MADE} */", f"/* {LICENSE} */",
             "/* Asserts the layouts that bindings rely on. Those of structs without pointers and size_t are the",
             " * same on all targets. Compiled only; for wasm32, too. */",
             '#include "../../bindings/c/fractalray_c.h"', "",
             "#define SIZE(type, size) typedef char type##_size[sizeof(type) == (size) ? 1 : -1]",
             "#define AT(type, member, offset) \\",
             "  typedef char type##_##member[offsetof(type, member) == (offset) ? 1 : -1]"]
    for struct in header.structs.values():
        if header.is_portable(struct):
            lines += ["", *_layout_asserts(struct, header.layout(struct))]
    structs = [each for each in header.structs.values() if not header.is_portable(each)]
    for condition, pointer_bytes in (("#if UINTPTR_MAX > 0xffffffffu", 8), ("#elif defined(__wasm32__)", WASM)):
        lines += ["", condition]
        for struct in structs:
            lines += ["", *_layout_asserts(struct, header.layout(struct, pointer_bytes))]
    return "\n".join(lines + ["", "#endif", "", "int main(void) {", "  return 0;", "}", ""])


def _layout_asserts(struct, layout):
    return [f"SIZE({struct.name}, {layout.size});",
            *(f"AT({struct.name}, {name}, {offset});" for name, offset in layout.offsets.items())]


# ---- The table of layouts ----

BEGIN, END = "<!-- Layouts, made by tools/scripts/generate_bindings.py: do not edit. -->", "<!-- End of layouts. -->"


def layout_page(header):
    """Returns docs/c-api.md with the table of layouts as it has to be."""
    page = (ROOT / "docs/c-api.md").read_text(encoding="utf-8")
    if page.count(BEGIN) != 1 or page.count(END) != 1 or page.index(BEGIN) > page.index(END):
        raise read_c_header.HeaderError(
            f"docs/c-api.md: there is no table; write '{BEGIN}' and '{END}' where it belongs")
    rest, after = page.split(BEGIN)[0], page.split(END)[1]
    return f"{rest}{BEGIN}\n{layout_table(header)}\n{END}{after}"


def layout_table(header):
    """Returns a table with the size of each struct and the offsets of its members."""
    lines = ["| struct | bytes | offsets of its members |", "|---|---|---|"]
    for struct in header.structs.values():
        wide, narrow = header.layout(struct), header.layout(struct, WASM)
        offsets = ", ".join(f"{_both(wide.offsets[name], narrow.offsets[name])} `{name}`" for name in wide.offsets)
        lines.append(f"| `{struct.name}` | {_both(wide.size, narrow.size)} | {offsets} |")
    return "\n".join(lines)


def _both(wide, narrow):
    return f"{wide}" if wide == narrow else f"{wide}/{narrow}"


# ---- All of them ----

# Each file, and the function that makes it.
TARGETS = {
    "bindings/c/internal/c_fields.h": fields,
    "bindings/python/fractalray/_abi.py": python,
    "bindings/python/fractalray/_plain.py": python_members,
    "bindings/luajit/fractalray_cdef.lua": luajit,
    "bindings/js/src/layout.js": javascript,
    "bindings/js/src/layout.d.ts": typescript,
    "bindings/js/wasm/exports.json": js_layout.exports,
    "tests/c/layout.c": layout_test,
    "docs/c-api.md": layout_page,
}


def uncalled(header, texts):
    """Returns the functions that none of these texts names."""
    words = set(re.findall(r"\w+", "\n".join(texts)))
    return [name for name in header.functions if name not in words]


def check(header):
    """Prints what the header has and its mirrors lack. Returns the exit code."""
    stale = [path for path, write in TARGETS.items()
             if not (ROOT / path).is_file() or (ROOT / path).read_text(encoding="utf-8") != write(header)]
    for path in stale:
        print(f"{path} is not what {HEADER} says; run tools/scripts/generate_bindings.py", file=sys.stderr)
    fuzzers = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests/c").glob("fuzz*"))]
    missing = uncalled(header, fuzzers)
    for name in missing:
        print(f"{name}: no random call has it; add a case to tests/c/fuzzer_calls.cc, or to the file of its "
              "subject next to it", file=sys.stderr)
    return 1 if stale or missing else 0


def main(arguments):
    if arguments in (["--help"], ["-h"]):
        print(textwrap.dedent(__doc__).strip())
        return 0
    if arguments not in ([], ["--check"]):
        print(f"unknown arguments {' '.join(arguments)}; --help says what there is", file=sys.stderr)
        return 2
    try:
        header = read_c_header.read(ROOT / HEADER)
        if arguments:
            return check(header)
        for path, write in TARGETS.items():
            (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
            (ROOT / path).write_text(write(header), encoding="utf-8")
    except (read_c_header.HeaderError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
