"""Makes gdb show values of fractalray as people write them.

Usage: gdb -x tools/scripts/gdb/fractalray.py PROGRAM, or in gdb: source tools/scripts/gdb/fractalray.py

    Vec         (1, 2, 3)
    ChunkPath   "7a3_221", a step for each block on the way down
    LevelMask   {0, 2, 3}
    Fraction    3/4 = 0.75
    HitTime     the same; of a sphere its double, and the equation of which it is the smaller root
"""

import re

import gdb
import gdb.printing

LEVELS = 10


def elements(array):
    """Returns the elements of a std::array."""
    data = array["_M_elems"]
    low, high = data.type.strip_typedefs().range()
    return [data[i] for i in range(low, high + 1)]


def vector(values):
    """Returns the elements of a std::vector."""
    begin, end = values["_M_impl"]["_M_start"], values["_M_impl"]["_M_finish"]
    return [begin[i] for i in range(end - begin)]


def wide(number):
    """Returns an absl::int128; gdb 13 itself converts at most 64 bits."""
    memory = gdb.selected_inferior().read_memory(number.address, number.type.sizeof)
    return int.from_bytes(bytes(memory), "little", signed=True)


def fraction_text(fraction):
    numerator, denominator = int(fraction["numerator"]), int(fraction["denominator"])
    value = f"{numerator / denominator:g}" if denominator else "no number"
    return f"{numerator}/{denominator} = {value}"


class Printer:
    def __init__(self, value):
        self.value = value


class VecPrinter(Printer):
    def to_string(self):
        return "(" + ", ".join(str(each) for each in elements(self.value["values"])) + ")"


class ChunkPathPrinter(Printer):
    def to_string(self):
        steps = vector(self.value["steps_"])
        return '"' + "_".join("".join(f"{int(c):x}" for c in elements(step["values"])) for step in steps) + '"'


class LevelMaskPrinter(Printer):
    def to_string(self):
        bits = int(self.value["bits_"])
        return "{" + ", ".join(str(level) for level in range(LEVELS) if bits >> level & 1) + "}"


class FractionPrinter(Printer):
    def to_string(self):
        return fraction_text(self.value)


class HitTimePrinter(Printer):
    def to_string(self):
        approximate = float(self.value["approximate_"])
        if self.value.address is None:  # in a register
            return f"about {approximate:g}"
        a, b, c = (wide(self.value[name]) for name in ("a_", "b_", "c_"))
        if a == 0:
            return fraction_text(self.value["fraction_"])
        return f"about {approximate:g}, the smaller root of {a} t^2 + 2 ({b}) t + {c}"


def collection():
    printers = gdb.printing.RegexpCollectionPrettyPrinter("fractalray")
    for name, printer in (("Vec", VecPrinter), ("ChunkPath", ChunkPathPrinter), ("LevelMask", LevelMaskPrinter),
                          ("Fraction", FractionPrinter), ("HitTime", HitTimePrinter)):
        printers.add_printer(name, rf"^fractalray::(internal::)?{re.escape(name)}(<.*>)?$", printer)
    return printers


gdb.printing.register_pretty_printer(gdb.current_objfile(), collection(), replace=True)
