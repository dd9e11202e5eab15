#!/usr/bin/env python3
"""Makes bindings/luajit/fractalray_cdef.lua, the declarations that LuaJIT reads, from the C header.

Usage: scripts/make_luajit_cdef.py            writes the file
       scripts/make_luajit_cdef.py --check    exit code 1 if it does not agree with the header

Comments and preprocessor lines are dropped; macros that are numbers become constants.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADER = ROOT / "capi" / "fractalray_c.h"
CDEF = ROOT / "bindings" / "luajit" / "fractalray_cdef.lua"

INTRODUCTION = """\
-- SPDX-License-Identifier: Apache-2.0
-- The declarations of capi/fractalray_c.h, which documents them. Made by scripts/make_luajit_cdef.py:
-- run it after each change of the header.
return [[
"""

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
CONSTANT = re.compile(r"^#define (FR_\w+) ([^\n]*\S)[^\S\n]*$", re.MULTILINE)
# Branches for one kind of compiler; of the others nothing is left once preprocessor lines are dropped.
ONLY_CPP = re.compile(r"^#ifdef __cplusplus\n.*?^#endif\n", re.MULTILINE | re.DOTALL)
API_MACRO = re.compile(r"^#ifndef FR_API\n.*?^#endif\n^#endif\n", re.MULTILINE | re.DOTALL)


def declarations(header):
    """Returns the declarations of a header as LuaJIT's parser reads them, one a line."""
    text = COMMENT.sub("", header)
    text = ONLY_CPP.sub("", API_MACRO.sub("", text))
    # A long macro may be broken with a backslash.
    text = CONSTANT.sub(r"static const int \1 = \2;", text.replace("\\\n", " "))
    text = re.sub(r"^\s*#.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"\bFR_API\s+", "", text)
    lines, statement, depth = [], "", 0
    for token in re.findall(r"[^{};]*[{};]|[^{};]+$", text):
        depth += token.count("{") - token.count("}")
        statement += token
        if depth == 0 and token.endswith(";"):
            lines.append(re.sub(r"\s+", " ", statement).strip())
            statement = ""
    if statement.strip():
        raise ValueError(f"after the last declaration: {statement.strip()[:80]}")
    return "\n".join(lines) + "\n"


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    text = INTRODUCTION + declarations(HEADER.read_text()) + "]]\n"
    if not sys.argv[1:]:
        CDEF.write_text(text)
    elif not CDEF.exists() or CDEF.read_text() != text:
        print("bindings/luajit/fractalray_cdef.lua does not agree with capi/fractalray_c.h; "
              "run scripts/make_luajit_cdef.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
