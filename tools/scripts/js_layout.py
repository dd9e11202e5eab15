"""Writes what the JavaScript binding needs of the C header: the structs of the module's memory, their types,
and the list of the functions that the module exports. Layouts are those of wasm32, whose pointers have 4 bytes.
"""

import json
import pathlib
import re
import textwrap

from c_header import SCALARS, Constant, Enum
from plain_members import BY_NAME, kind_of, plain_members, said_of

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "bindings/js/src"
POINTER = 4  # bytes
# The view of the memory for each type of C, and the logarithm of its width.
VIEWS = {"int8_t": ("i8", 0), "uint8_t": ("u8", 0), "uint16_t": ("u16", 1), "int32_t": ("i32", 2),
         "uint32_t": ("u32", 2), "double": ("f64", 3)}
# Callbacks that the binding does without: a module has no threads, and streamers take arrays and requests that
# are pulled; chunks of other widths would have to lie in the module's memory.
UNUSED = {"frTaskFcn", "frParallelForFcn", "frFindChunkFcn", "frRequestFcn", "frUnloadingFcn", "frDroppedFcn",
          "frFertileFcn"}
# The functions of bindings/js/wasm/callbacks.c besides those that return the callbacks.
HELPERS = ("frjs_MakeSegment", "frjs_MakeRay", "frjs_ClosestHit", "frjs_ClosestHitOfRay", "frjs_Occluded", "frjs_Shoot",
           "frjs_GetBlock", "frjs_SetBlock")
WIDTH = 100
ABOUT = """A class for each struct of the C interface reads and writes a struct in the module's memory, at the address
`at`. move(i) goes to element i of the array that begins at `begin`. Nothing here makes garbage except for structs
within structs and ...Big. Integers of 64 bits are numbers, exact within +-2^53; the accessors ...Big have all of their
bits, as BigInts."""


def exports(header, texts=None):
    """Returns the symbols of the module's functions, as em++ reads them from a file: a list of JSON. They are those that
    the package calls, of which `texts` are the sources, since all that is exported is in the module."""
    if texts is None:
        texts = [path.read_text(encoding="utf-8") for path in SOURCES.glob("*.js")]
    called = {name for text in texts for name in re.findall(r"\bfr[A-Z]\w+", text)}
    functions = [name for name in header.functions if name in called]
    own = [_getter(name) for name in header.callbacks if name not in UNUSED]
    return json.dumps(["_" + name for name in (*functions, *own, *HELPERS, "malloc", "free")], indent=0) + "\n"


def layout(header, made):
    """Returns the module of JavaScript with the constants, and a class for each struct."""
    lines = ["// SPDX-License-Identifier: Apache-2.0", *_comment(made, "// "), "//",
             *_comment(ABOUT, "// "), ""]
    lines += [f"export const {_constant(name)} = {value};" for name, value in header.constants.items()]
    for struct in header.structs.values():
        lines += ["", *_class(header, struct)]
    lines += ["", *_kinds(header)]
    return "\n".join(lines + [""])


def types(header, made):
    """Returns the declarations for TypeScript of all that layout() writes."""
    lines = ["// SPDX-License-Identifier: Apache-2.0", *_comment(made, "// "), "",
             'import type { Wide } from "../types/common.js";', 'import type { Memory } from "./memory.js";', ""]
    for declared in header.declarations:
        if isinstance(declared, Constant):
            lines += _typed_constant(declared, declared.comment)
        elif isinstance(declared, Enum):
            for each in declared.constants:
                lines += _typed_constant(each, each.comment or declared.comment)
    for struct in header.structs.values():
        lines += ["", *_typed_class(header, struct)]
    lines += _typed_plain(header)
    return "\n".join([*lines, ""])


# ---- Classes ----


def _class(header, struct):
    """Yields the class of a struct in JavaScript."""
    offsets, size = header.layout(struct, POINTER).offsets, header.layout(struct, POINTER).size
    yield f"export class {_short(struct.name)} {{"
    yield f"  static size = {size};"
    yield "  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }"
    yield f"  move(i) {{ this.at = this.begin + {size} * i; return this; }}"
    for member in struct.members:
        if member.name != "reserved":
            yield from (f"  {line}" for line in _accessors(header, member, offsets[member.name]))
    yield "}"


def _accessors(header, member, offset):
    """Yields the accessors of a member in JavaScript."""
    name, kind = _camel(member.name), _kind(header, member.type)
    if kind is None:
        inner = _short(member.type.name)
        yield f"get {name}() {{ return new {inner}(this.memory, {_address(offset)}); }}"
    elif kind in ("int64_t", "uint64_t"):
        yield from _wide_accessors(member, name, kind, offset)
    else:
        view, shift = VIEWS[kind]
        at = f"this.memory.{view}[{_index(offset, shift, ' + i' * bool(member.count))}]"
        if member.count:
            yield f"{name}(i) {{ return {at}; }}"
            yield f"{_setter(name)}(i, value) {{ {at} = value; }}"
        else:
            yield f"get {name}() {{ return {at}; }}"
            yield f"set {name}(value) {{ {at} = value; }}"


def _wide_accessors(member, name, kind, offset):
    """Yields the accessors of an integer of 64 bits: by its two halves as a number, and as a BigInt."""
    high, big = ("i32", "i64") if kind == "int64_t" else ("u32", "u64")
    many = bool(member.count)
    begin = f"const m = this.memory, p = {_index(offset, 2, ' + 2 * i' * many)};"
    read = f"{begin} return m.u32[p] + m.{high}[p + 1] * 4294967296;"
    # A typed array takes the lower 32 bits of any number.
    write = f"{begin} m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296);"
    whole = f"this.memory.{big}[{_index(offset, 3, ' + i' * many)}]"
    if many:
        yield f"{name}(i) {{ {read} }}"
        yield f"{_setter(name)}(i, value) {{ {write} }}"
        yield f"{name}Big(i) {{ return {whole}; }}"
        yield f"{_setter(name)}Big(i, value) {{ {whole} = value; }}"
    else:
        yield f"get {name}() {{ {read} }}"
        yield f"set {name}(value) {{ {write} }}"
        yield f"get {name}Big() {{ return {whole}; }}"
        yield f"set {name}Big(value) {{ {whole} = value; }}"


def _address(offset):
    return f"this.at + {offset}" if offset else "this.at"


def _index(offset, shift, added=""):
    """Returns the index of a member in a view. `>>>` also takes addresses from 2^31 on, and sums bind closer."""
    index = f"{_address(offset)} >>> {shift}" if shift else _address(offset)
    return f"({index}){added}" if shift and added else index + added


# ---- Plain members ----

# The types of the values that JavaScript takes for plain members.
PLAIN_TYPES = {"flag": "boolean", "limit": "number | null", "number": "number", "u8": "number", "u16": "number",
               "u64": "Wide", "word": "number"}


def _plain_kind(header, member):
    kind = kind_of(header, member)
    return "u" + re.search(r"\d+", header.scalar(member.type.name)).group() if kind == "integer" else kind


def _kinds(header):
    """Yields the kinds of the plain members of options and rules, words left out."""
    yield "// The flags and numbers among the members of options and rules, by what they are. Of limits 0 stands for none."
    yield "export const PLAIN = {"
    for name in filter(header.structs.get, BY_NAME):
        yield f"  {_short(name)}: {{"
        yield from (f'    {_camel(member.name)}: "{_plain_kind(header, member)}",'
                    for member in plain_members(header, header.structs[name])
                    if kind_of(header, member) != "word")
        yield "  },"
    yield "};"


def _typed_plain(header):
    """Yields an interface of the plain members of options and rules, as JavaScript takes them."""
    yield from ("", 'export type PlainKind = "flag" | "limit" | "number" | "u8" | "u16" | "u64";',
                "export const PLAIN: {")
    for name in filter(header.structs.get, BY_NAME):
        yield f"  readonly {_short(name)}: {{ readonly [member: string]: PlainKind }};"
    yield "};"
    for name in filter(header.structs.get, BY_NAME):
        yield from ("", *_doc(f"The plain members of {name}; all have a default.", ""), f"export interface Plain{_short(name)} {{")
        for member in plain_members(header, header.structs[name]):
            yield from _doc(said_of(member, "null"), "  ")
            yield f"  {_camel(member.name)}?: {PLAIN_TYPES[_plain_kind(header, member)]};"
        yield "}"


# ---- Types ----


def _typed_constant(constant, comment):
    return [*_doc(comment, ""), f"export const {_constant(constant.name)}: {constant.value};"]


def _typed_class(header, struct):
    """Yields the class of a struct for TypeScript, with the comments of the header."""
    yield from _doc(struct.comment, "")
    yield f"export class {_short(struct.name)} {{"
    yield "  /** The bytes of one. */"
    yield "  static readonly size: number;"
    yield "  memory: Memory;"
    yield "  at: number;"
    yield "  begin: number;"
    yield "  constructor(memory: Memory, at: number);"
    yield "  move(i: number): this;"
    for member in struct.members:
        if member.name != "reserved":
            yield from _doc(member.comment, "  ")
            yield from (f"  {line}" for line in _signatures(header, member))
    yield "}"


def _signatures(header, member):
    name, kind = _camel(member.name), _kind(header, member.type)
    if kind is None:
        yield f"get {name}(): {_short(member.type.name)};"
        return
    forms = [(name, "number")]
    if kind in ("int64_t", "uint64_t"):
        forms.append((name + "Big", "bigint"))
    for form, type_ in forms:
        if member.count:
            setter = _setter(name) + form[len(name):]
            yield f"{form}(i: number): {type_};"
            yield f"{setter}(i: number, value: {type_}): void;"
        else:
            yield f"get {form}(): {type_};"
            yield f"set {form}(value: {type_});"


# ---- Names and comments ----


def _kind(header, type_):
    """Returns the number of C that a member is; None for a struct."""
    if type_.pointers or type_.name in header.callbacks:
        return "uint32_t"
    name = header.scalar(type_.name)
    if name not in SCALARS:
        return None
    return "uint32_t" if name == "size_t" else name


def _short(name):
    return name.removeprefix("fr")


def _constant(name):
    return name.removeprefix("FR_")


def _getter(callback):
    """Returns the function of the module with the address of a callback: frjs_Effect for frEffectFcn."""
    return "frjs_" + _short(callback).removesuffix("Fcn")


def _camel(name):
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def _setter(name):
    return "set" + name[0].upper() + name[1:]


def _comment(text, begin):
    return textwrap.wrap(text, WIDTH, initial_indent=begin, subsequent_indent=begin)


def _doc(comment, indent):
    if not comment:
        return []
    text = re.sub(r"\s+", " ", comment).strip()
    if len(indent) + len(text) + 7 <= WIDTH:
        return [f"{indent}/** {text} */"]
    return [f"{indent}/**", *_comment(text, indent + " * "), f"{indent} */"]
