"""What the C header declares, as tools/scripts/read_c_header.py has read it: the model from which everything
that mirrors the header is made.
"""

import dataclasses
import itertools

# The bytes of each type of C that the header may use; 0 stands for those of a pointer.
SCALARS = {"int8_t": 1, "uint8_t": 1, "uint16_t": 2, "int32_t": 4, "uint32_t": 4, "int64_t": 8,
           "uint64_t": 8, "size_t": 0, "double": 8}


@dataclasses.dataclass(frozen=True)
class Type:
    name: str
    is_const: bool = False
    pointers: int = 0

    def __str__(self):
        return "const " * self.is_const + self.name + "*" * self.pointers


@dataclasses.dataclass(frozen=True)
class Field:
    """A member of a struct or a parameter. `count` is the length of an array, else None."""
    name: str
    type: Type
    count: int | None = None
    comment: str = ""

    def __str__(self):
        return f"{self.type} {self.name}" + (f"[{self.count}]" if self.count else "")


@dataclasses.dataclass(frozen=True)
class Alias:
    name: str
    type: str
    comment: str


@dataclasses.dataclass(frozen=True)
class Handle:
    """An opaque struct, of which only pointers are used."""
    name: str
    comment: str


@dataclasses.dataclass(frozen=True)
class Struct:
    name: str
    members: tuple[Field, ...]
    comment: str
    line: int


@dataclasses.dataclass(frozen=True)
class Constant:
    """A macro or an enumerator."""
    name: str
    value: int
    comment: str = ""


@dataclasses.dataclass(frozen=True)
class Enum:
    constants: tuple[Constant, ...]
    comment: str


@dataclasses.dataclass(frozen=True)
class Function:
    """A function of the interface, or the type of a callback."""
    name: str
    result: Type
    parameters: tuple[Field, ...]
    comment: str
    is_callback: bool


@dataclasses.dataclass(frozen=True)
class SizeCheck:
    """A typedef that does not compile unless a struct has this size."""
    name: str
    struct: str
    size: int


@dataclasses.dataclass(frozen=True)
class Layout:
    size: int
    alignment: int
    offsets: dict[str, int]


class Header:
    """All declarations in the order of the header, and by kind."""

    def __init__(self, declarations):
        self.declarations = tuple(declarations)
        self.aliases = {each.name: each for each in self.of(Alias)}
        self.handles = {each.name: each for each in self.of(Handle)}
        self.structs = {each.name: each for each in self.of(Struct)}
        self.callbacks = {each.name: each for each in self.of(Function) if each.is_callback}
        self.functions = {each.name: each for each in self.of(Function) if not each.is_callback}
        enumerators = itertools.chain.from_iterable(each.constants for each in self.of(Enum))
        self.constants = {each.name: each.value for each in (*self.of(Constant), *enumerators)}

    def of(self, kind):
        return [each for each in self.declarations if isinstance(each, kind)]

    def scalar(self, name):
        """Returns the type of C that an alias stands for; other names as they are."""
        return self.aliases[name].type if name in self.aliases else name

    def is_portable(self, struct):
        """Returns True if no member is as wide as a pointer: the layout is that of every target."""
        return not any(self._has_pointers(member) for member in struct.members)

    def _has_pointers(self, member):
        if member.type.pointers:
            return True
        if member.type.name in self.structs:
            return not self.is_portable(self.structs[member.type.name])
        return SCALARS[self.scalar(member.type.name)] == 0

    def layout(self, struct, pointer_bytes=8):
        """Returns the layout of a target whose types are aligned to their own sizes."""
        end, alignment, offsets = 0, 1, {}
        for member in struct.members:
            own_alignment = self._size(member.type, pointer_bytes)[1]
            end = _rounded_up(end, own_alignment)
            offsets[member.name] = end
            end += self.size(member, pointer_bytes)
            alignment = max(alignment, own_alignment)
        return Layout(_rounded_up(end, alignment), alignment, offsets)

    def size(self, member, pointer_bytes=8):
        """Returns the bytes of a member, all elements of an array together."""
        return self._size(member.type, pointer_bytes)[0] * (member.count or 1)

    def _size(self, type_, pointer_bytes):
        if not type_.pointers and type_.name in self.structs:
            layout = self.layout(self.structs[type_.name], pointer_bytes)
            return layout.size, layout.alignment
        size = 0 if type_.pointers else SCALARS[self.scalar(type_.name)]
        return (size or pointer_bytes,) * 2


def _rounded_up(number, step):
    return -(-number // step) * step
