"""The plain members of options and rules: flags, numbers and words, which all languages convert by their
names. The comment of a member in the C header says what it is:

    "1 to ..." or "1 if ..."    a flag
    "...; 0 ..."                a limit or a set of bits, of which 0 stands for none or for all
"""

import re

import read_c_header

# The structs, and the classes that Python has for their plain members.
BY_NAME = {"frQueryOptions": "PlainOptions", "frSightOptions": "PlainSightOptions", "frRule": "PlainRule"}
TYPES = ("int32_t", "uint64_t", "uint16_t", "uint8_t", "double")


def plain_members(header, struct):
    """Returns the members that are words, as int32_t, then those that are flags and numbers."""
    plain = [each for each in struct.members if not each.type.pointers and each.count is None and
             header.scalar(each.type.name) in TYPES and each.name != "reserved"]
    return sorted(plain, key=lambda each: each.type.name != "int32_t")


def kind_of(header, member):
    """Returns "word", "flag", "limit", "number" for one with a fraction, or "integer"."""
    scalar = header.scalar(member.type.name)
    if member.type.name == "int32_t":
        return "word"
    if member.comment.startswith(("1 to ", "1 if ")):
        return "flag"
    if "; 0 " in member.comment:
        if scalar == "double":
            raise read_c_header.HeaderError(
                f"{member.name}: '; 0 ' in its comment makes it a limit, and limits are integers")
        return "limit"
    return "number" if scalar == "double" else "integer"


def said_of(member, nothing):
    """Returns the comment for a language that has true for 1, and `nothing` for 0."""
    return re.sub(r"^1 (to|if) ", r"\1 ", member.comment).replace("; 0 ", f"; {nothing} ")
