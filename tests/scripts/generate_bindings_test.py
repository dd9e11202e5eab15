# SPDX-License-Identifier: Apache-2.0
"""Tests of tools/scripts/generate_bindings.py and of the model that it reads, on a small header and the real one."""

import contextlib
import ctypes
import io
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/scripts"))

import generate_bindings  # noqa: E402
import js_layout  # noqa: E402
import read_c_header  # noqa: E402
from c_header import Type  # noqa: E402

SMALL = """\
/* A header. */
#ifndef SMALL_H
#define SMALL_H
#include <stddef.h>
#include <stdint.h>
#ifndef FR_API
#if defined(_WIN32)
#define FR_API __declspec(dllexport)
#else
#define FR_API
#endif
#endif
#define FR_MAJOR 2
#define FR_VERSION (FR_MAJOR * 1000 + \\
                    0x10u) /* of the header */
#ifdef __cplusplus
extern "C" {
#endif

/* ---- A section ---- */

typedef int32_t frResult; /* a number */
enum { FR_OK = 0, FR_BAD = 3 /* an argument */ };
typedef struct frThing frThing; /* opaque */

/* Two
 * lines. */
typedef struct frPair {
  int64_t from[FR_MAJOR]; /* in units */
  /* Of both. */
  int8_t kind;
  uint8_t reserved[7];
} frPair;

typedef frResult frVisitFcn(void* context, const frPair* pair);
typedef struct frDef {
  uint32_t struct_size;
  const char* name;
  size_t count;
  frPair pair;
  frVisitFcn* visit; /* or null,
                      * for none */
} frDef;

/* Makes a thing. */
FR_API frResult frMakeThing(const frDef* def, double size, const int64_t at[3], frThing** thing);
FR_API const char* frGetText(void);
FR_API void frForget(frThing* thing, char* text, size_t capacity);

#ifdef __cplusplus
}
#endif
typedef char frCheckPair[sizeof(frPair) == 24 ? 1 : -1];
#endif
"""


class TheModel(unittest.TestCase):
    def setUp(self):
        self.header = read_c_header.parse(SMALL)

    def test_has_every_declaration(self):
        self.assertEqual(self.header.constants, {"FR_MAJOR": 2, "FR_VERSION": 2016, "FR_OK": 0, "FR_BAD": 3})
        self.assertEqual(list(self.header.aliases), ["frResult"])
        self.assertEqual(list(self.header.handles), ["frThing"])
        self.assertEqual(list(self.header.structs), ["frPair", "frDef"])
        self.assertEqual(list(self.header.callbacks), ["frVisitFcn"])
        self.assertEqual(list(self.header.functions), ["frMakeThing", "frGetText", "frForget"])

    def test_has_types_and_names_of_parameters(self):
        parameters = self.header.functions["frMakeThing"].parameters
        self.assertEqual([str(each) for each in parameters],
                         ["const frDef* def", "double size", "const int64_t at[3]", "frThing** thing"])
        self.assertEqual(self.header.functions["frGetText"].result, Type("char", True, 1))
        self.assertEqual(self.header.functions["frGetText"].parameters, ())
        names = read_c_header.parse(SMALL + "FR_API frResult frTake(const char* const* names);\n").functions["frTake"]
        self.assertEqual(names.parameters[0].type, Type("char", True, 2))

    def test_has_the_comments(self):
        self.assertEqual(self.header.structs["frPair"].comment, "Two lines.")
        self.assertEqual([each.comment for each in self.header.structs["frPair"].members],
                         ["in units", "Of both.", ""])
        self.assertEqual(self.header.structs["frDef"].members[-1].comment, "or null, for none")
        self.assertEqual(self.header.handles["frThing"].comment, "opaque")
        self.assertEqual(self.header.aliases["frResult"].comment, "a number")
        self.assertEqual(self.header.functions["frMakeThing"].comment, "Makes a thing.")
        self.assertEqual(self.header.functions["frGetText"].comment, "")

    def test_computes_layouts_of_64_and_32_bits(self):
        pair, definition = self.header.structs.values()
        self.assertTrue(self.header.is_portable(pair))
        self.assertFalse(self.header.is_portable(definition))
        self.assertEqual(self.header.layout(pair).offsets, {"from": 0, "kind": 16, "reserved": 17})
        wide, narrow = self.header.layout(definition), self.header.layout(definition, 4)
        self.assertEqual(wide.offsets, {"struct_size": 0, "name": 8, "count": 16, "pair": 24, "visit": 48})
        self.assertEqual(narrow.offsets, {"struct_size": 0, "name": 4, "count": 8, "pair": 16, "visit": 40})
        self.assertEqual((wide.size, narrow.size), (56, 48))


class Refused(unittest.TestCase):
    """Each addition to the small header is refused, with its line."""

    def refuse(self, added, reason, line=1):
        with self.assertRaisesRegex(read_c_header.HeaderError, reason) as caught:
            read_c_header.parse(SMALL + added, "small.h")
        self.assertTrue(str(caught.exception).startswith(f"small.h:{SMALL.count(chr(10)) + line}: "),
                        caught.exception)
        self.assertIn("; ", str(caught.exception))  # the remedy

    def test_unknown_text(self):
        self.refuse("// text\n", "'// text' is not understood; comments are")
        self.refuse("\nint global;\n", "'int' begins nothing that is known", line=2)
        self.refuse("#pragma pack(1)\n", "'#pragma pack\\(1\\)' is not understood")
        self.refuse("#if defined(__linux__)\n", "no #if")
        self.refuse("#ifdef __cplusplus\n", "has no #endif")
        self.refuse("typedef struct frMore {\n  int32_t a;", "ends within a declaration", line=2)

    def test_numbers(self):
        self.refuse("#define FR_TEXT \"a\"\n", "FR_TEXT is '\"a\"'; write a number")
        self.refuse("#define FR_MORE FR_UNKNOWN + 1\n", "FR_MORE is 'FR_UNKNOWN \\+ 1'")
        self.refuse("#define FR_CALL int(2)\n", "FR_CALL is")
        self.refuse("enum { FR_A, FR_B };\n", "',' is where '=' is expected; give each enumerator its number")
        self.refuse("enum { FR_OK = 4 };\n", "FR_OK is declared twice")

    def test_types(self):
        self.refuse("typedef long frLong;\n", "the type 'long' is unknown; declare it above")
        self.refuse("typedef float* frFloats;\n", "the type 'float' is unknown")
        self.refuse("typedef const int32_t frConst;\n", "stands for 'const int32_t'")
        self.refuse("typedef struct frMore {\n  unsigned a;\n} frMore;\n", "'unsigned' is unknown", line=2)
        self.refuse("typedef struct frMore {\n  frThing a;\n} frMore;\n", "no values of the type 'frThing'", line=2)
        self.refuse("typedef struct frMore {\n  frVisitFcn a;\n} frMore;\n", "'frVisitFcn'; use a pointer", line=2)
        self.refuse("typedef struct frMore {\n  int32_t a[];\n} frMore;\n", "']' is no length", line=2)
        self.refuse("typedef struct frMore {\n  int32_t a[0];\n} frMore;\n", "'0' is no length", line=2)
        self.refuse("typedef struct frMore {\n  int32_t a : 3;\n} frMore;\n", "':' is where ';'", line=2)
        self.refuse("typedef struct frMore {\n  int32_t a;\n  int32_t a;\n} frMore;\n", "two members a", line=3)
        self.refuse("typedef struct frPair frPair;\n", "frPair is declared twice")

    def test_functions(self):
        self.refuse("FR_API frResult frTake(frPair pair);\n", "pair is a frPair by value; pass a pointer")
        self.refuse("FR_API frPair frGive(void);\n", "returns 'frPair'; return an frResult")
        self.refuse("FR_API frResult frTake(int32_t a, ...);\n", "not understood")
        self.refuse("FR_API frResult frForget(void);\n", "frForget is declared twice")

    def test_layouts_that_differ_by_target(self):
        self.refuse("typedef struct frMore {\n  int32_t a;\n  int64_t b;\n} frMore;\n", "frMore has 4 bytes without a name")
        self.refuse("typedef struct frMore {\n  int64_t a;\n  int8_t b;\n} frMore;\n", "frMore has 7 bytes without a name")

    def test_a_size_that_is_wrong(self):
        text = SMALL.replace("== 24", "== 32")
        with self.assertRaisesRegex(read_c_header.HeaderError, "frPair has 24 bytes, and frCheckPair says 32"):
            read_c_header.parse(text)


class TheHeader(unittest.TestCase):
    """The real one."""

    def test_ctypes_lays_its_structs_out_as_the_model(self):
        header, made = read_c_header.read(ROOT / generate_bindings.HEADER), {}
        exec(generate_bindings.python(header), made)
        self.assertGreater(len(header.structs), 30)
        for name, struct in header.structs.items():
            layout, mirror = header.layout(struct, ctypes.sizeof(ctypes.c_void_p)), made["Fr" + name[2:]]
            self.assertEqual(ctypes.sizeof(mirror), layout.size, name)
            self.assertEqual([getattr(mirror, member).offset for member, _ in mirror._fields_],
                             list(layout.offsets.values()), name)

    def test_everything_that_begins_with_FR_API_is_a_function(self):
        text = (ROOT / generate_bindings.HEADER).read_text(encoding="utf-8")
        written = [line for line in text.splitlines() if line.startswith("FR_API ")]
        self.assertEqual(len(read_c_header.parse(text).functions), len(written))


PLAIN = """\
enum { FR_RULE_COST = 5 };
typedef uint16_t frChannel;
typedef struct frQueryOptions {
  int32_t corner;
  uint64_t most; /* things; 0 for all */
  const uint64_t* ids;
  frChannel channel;
  uint8_t no_things; /* 1 to find none */
  uint8_t reserved[5];
} frQueryOptions;
typedef struct frSightOptions {
  int32_t unloaded;
  int32_t reserved;
  uint64_t through;
} frSightOptions;
typedef struct frRule {
  double per_hit;
  int32_t kind;
  uint8_t budget; /* the number of one */
  uint8_t twice; /* 1 if it is paid twice */
  uint8_t reserved[2];
} frRule;
"""


class Writers(unittest.TestCase):
    def setUp(self):
        self.header = read_c_header.parse(SMALL)

    def test_python_has_the_layout_of_the_compiler(self):
        made = {}
        exec(generate_bindings.python(self.header), made)
        self.assertEqual(made["FR_VERSION"], 2016)
        self.assertEqual([name for name, _ in made["FrPair"]._fields_], ["from_", "kind", "reserved"])
        self.assertEqual(ctypes.sizeof(made["FrDef"]), 56)
        self.assertEqual(made["PARAMETERS"], {
            "frMakeThing": (ctypes.c_void_p, ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p),
            "frGetText": (),
            "frForget": (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t)})
        self.assertEqual(made["RESULTS"], {"frGetText": ctypes.c_char_p, "frForget": None})

    def test_luajit_has_one_declaration_a_line(self):
        self.assertEqual([generate_bindings.declaration(each) for each in self.header.declarations], [
            "static const int FR_MAJOR = 2;",
            "static const int FR_VERSION = 2016;",
            "typedef int32_t frResult;",
            "enum { FR_OK = 0, FR_BAD = 3 };",
            "typedef struct frThing frThing;",
            "typedef struct frPair { int64_t from[2]; int8_t kind; uint8_t reserved[7]; } frPair;",
            "typedef frResult frVisitFcn(void* context, const frPair* pair);",
            "typedef struct frDef { uint32_t struct_size; const char* name; size_t count; frPair pair; "
            "frVisitFcn* visit; } frDef;",
            "frResult frMakeThing(const frDef* def, double size, const int64_t at[3], frThing** thing);",
            "const char* frGetText(void);",
            "void frForget(frThing* thing, char* text, size_t capacity);",
            "typedef char frCheckPair[sizeof(frPair) == 24 ? 1 : -1];"])

    def test_the_module_exports_the_functions_that_the_package_calls_and_the_callbacks(self):
        texts = ['create((out) => module.c.frMakeThing(def.at, out), "frForget")', "frGetTextually(); // fromText"]
        exports = json.loads(js_layout.exports(self.header, texts))
        self.assertEqual(exports[:3], ["_frMakeThing", "_frForget", "_frjs_Visit"])
        self.assertEqual(exports[-2:], ["_malloc", "_free"])
        own = json.loads(js_layout.exports(read_c_header.read(ROOT / generate_bindings.HEADER)))
        self.assertIn("_frWorld_ClosestHit", own)
        self.assertNotIn("_frConnect", own)

    def test_javascript_has_the_constants_and_a_class_for_each_struct(self):
        made = generate_bindings.javascript(self.header)
        for line in ("export const MAJOR = 2;", "export const VERSION = 2016;", "export const BAD = 3;",
                     "export class Pair {", "  static size = 24;", "export class Def {", "  static size = 48;",
                     "  get pair() { return new Pair(this.memory, this.at + 16); }",
                     "  get kind() { return this.memory.i8[this.at + 16]; }",
                     "  set visit(value) { this.memory.u32[this.at + 40 >>> 2] = value; }"):
            self.assertIn(line + "\n", made)
        self.assertNotIn("reserved", made)

    def test_typescript_has_the_comments(self):
        made = generate_bindings.typescript(self.header)
        for text in ("/** an argument */\nexport const BAD: 3;\n", "/** Two lines. */\nexport class Pair {\n",
                     "  /** in units */\n  from(i: number): number;\n", "  fromBig(i: number): bigint;\n"):
            self.assertIn(text, made)
        self.assertEqual(made.count("/** an argument */"), 2)  # of each constant on its line

    @unittest.skipUnless(shutil.which("node"), "no Node")
    def test_javascript_reads_and_writes_what_it_should(self):
        program = """
          const { Pair, Def } = await import("./layout.mjs");
          const bytes = new ArrayBuffer(4096);
          const memory = { i8: new Int8Array(bytes), u8: new Uint8Array(bytes), i32: new Int32Array(bytes),
            u32: new Uint32Array(bytes), i64: new BigInt64Array(bytes), u64: new BigUint64Array(bytes) };
          const pair = new Pair(memory, 8).move(2), def = new Def(memory, 1024), read = [];
          for (const number of [0, 1, -1, 2 ** 32, -(2 ** 32), 2 ** 53 - 1, 1 - 2 ** 53]) {
            pair.setFrom(1, number);
            read.push(pair.from(1) === number && pair.fromBig(1) === BigInt(number) && memory.i64[8] === BigInt(number));
          }
          pair.setFromBig(0, -(2n ** 63n));
          pair.kind = -3;
          def.pair.kind = 7;
          def.visit = 0xfffffff8;
          read.push(pair.from(0) === -(2 ** 63), pair.kind === -3, memory.i8[56 + 16] === -3, memory.i8[1024 + 32] === 7,
            def.visit === 0xfffffff8);
          console.log(read.every(Boolean) ? "all" : read.join());"""
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "layout.mjs").write_text(generate_bindings.javascript(self.header), encoding="utf-8")
            (pathlib.Path(folder) / "program.mjs").write_text(program, encoding="utf-8")
            ran = subprocess.run(["node", "program.mjs"], cwd=folder, capture_output=True, text=True, check=False)
        self.assertEqual((ran.stdout, ran.stderr), ("all\n", ""))

    def test_plain_members_have_their_defaults_and_comments(self):
        made = {}
        exec(generate_bindings.python_members(read_c_header.parse(PLAIN)), made)
        options = made["PlainOptions"]()
        self.assertEqual(vars(options), {"corner": 0, "most": None, "channel": 0, "no_things": False})
        self.assertIn("most: things; None for all.", made["PlainOptions"].__doc__)
        self.assertIn("no_things: to find none.", made["PlainOptions"].__doc__)
        rule = made["PlainRule"].cost(3, twice=True)
        self.assertEqual(vars(rule), {"kind": 5, "per_hit": 0.0, "budget": 3, "twice": True})

    def test_plain_members_have_their_kinds_in_javascript(self):
        header = read_c_header.parse(PLAIN)
        made = generate_bindings.javascript(header)
        self.assertIn('QueryOptions: {\n    most: "limit",\n    channel: "u16",\n    noThings: "flag",\n  },', made)
        self.assertIn('perHit: "number"', made)
        typed = generate_bindings.typescript(header)
        self.assertIn("/** things; null for all */\n  most?: number | null;", typed)
        self.assertIn("noThings?: boolean;", typed)

    def test_a_limit_is_an_integer(self):
        spoiled = PLAIN.replace("double per_hit;", "double per_hit; /* the cost; 0 for none */")
        self.assertNotEqual(spoiled, PLAIN)
        with self.assertRaisesRegex(read_c_header.HeaderError, "per_hit: .* limits are integers"):
            generate_bindings.python_members(read_c_header.parse(spoiled))

    def test_members_are_listed_for_cpp(self):
        text = generate_bindings.fields(read_c_header.parse(PLAIN))
        self.assertIn('{"corner"}, {"most"}, {"ids"}, {"channel"}, {"no_things"}, {"reserved"}', text)
        self.assertEqual(text.count("corner, most, ids, channel, no_things, reserved"), 2)

    def test_the_table_has_both_widths_where_they_differ(self):
        rows = generate_bindings.layout_table(self.header).splitlines()
        self.assertEqual(rows[2], "| `frPair` | 24 | 0 `from`, 16 `kind`, 17 `reserved` |")
        self.assertEqual(rows[3], "| `frDef` | 56/48 | 0 `struct_size`, 8/4 `name`, 16/8 `count`, 24/16 `pair`, 48/40 `visit` |")

    @unittest.skipUnless(shutil.which("cc"), "no compiler of C")
    def test_the_test_of_layouts_compiles_unless_an_offset_is_wrong(self):
        test = generate_bindings.layout_test(self.header).replace("../../bindings/c/fractalray_c.h", "small.h")
        self.assertTrue(self.compiles(test))
        for right, wrong in (("AT(frPair, kind, 16)", "AT(frPair, kind, 17)"), ("AT(frDef, visit, 48)", "AT(frDef, visit, 40)"),
                             ("SIZE(frDef, 56)", "SIZE(frDef, 48)")):
            self.assertIn(right, test)
            self.assertFalse(self.compiles(test.replace(right, wrong)), wrong)

    def compiles(self, source):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "small.h").write_text(SMALL, encoding="utf-8")
            (pathlib.Path(folder) / "layout.c").write_text(source, encoding="utf-8")
            return subprocess.run(["cc", "-std=c99", "-pedantic", "-fsyntax-only", "layout.c"], cwd=folder,
                                  capture_output=True, check=False).returncode == 0

    def test_what_no_text_calls_is_found(self):
        texts = ["frMakeThing(def);", "frGetTextually(); frForgets"]
        self.assertEqual(generate_bindings.uncalled(self.header, texts), ["frGetText", "frForget"])


class TheCheck(unittest.TestCase):
    """In a copy of the files of the repository."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        fuzzers = [path.relative_to(ROOT) for path in (ROOT / "tests/c").glob("fuzz*")]
        for path in [generate_bindings.HEADER, *generate_bindings.TARGETS, *fuzzers]:
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, self.root / path)

    def run_main(self, *arguments):
        errors = io.StringIO()
        with mock.patch.object(generate_bindings, "ROOT", self.root), contextlib.redirect_stderr(errors):
            return generate_bindings.main(list(arguments)), errors.getvalue()

    def edit(self, path, old, new):
        text = (self.root / path).read_text(encoding="utf-8")
        self.assertTrue(old in text, path)
        (self.root / path).write_text(text.replace(old, new), encoding="utf-8")

    def test_nothing_is_reported_of_files_that_agree(self):
        self.assertEqual(self.run_main("--check"), (0, ""))

    def test_each_file_that_differs_is_named_and_made_again(self):
        for path in generate_bindings.TARGETS:
            before = (self.root / path).read_text(encoding="utf-8")
            self.edit(path, "Hit" if path.endswith("exports.json") else "hit", "hat")
            result, errors = self.run_main("--check")
            self.assertEqual(result, 1)
            self.assertEqual(errors.splitlines()[0], f"{path} is not what bindings/c/fractalray_c.h says; "
                             "run tools/scripts/generate_bindings.py")
            self.assertEqual(self.run_main(), (0, ""))
            written = (self.root / path).read_text(encoding="utf-8")
            self.assertTrue(written == before or path == "docs/c-api.md", path)  # most of the page is by hand
            shutil.copy(ROOT / path, self.root / path)

    def test_a_new_function_is_in_no_file_yet(self):
        self.edit(generate_bindings.HEADER, "FR_API frResult frDestroyRules",
                  "FR_API frResult frRules_Forget(frRules* rules);\nFR_API frResult frDestroyRules")
        result, errors = self.run_main("--check")
        self.assertEqual(result, 1)
        self.assertIn("bindings/python/fractalray/_abi.py is not", errors)
        self.assertIn("bindings/luajit/fractalray_cdef.lua is not", errors)
        self.assertNotIn("bindings/js/wasm/exports.json", errors)  # the package does not call it
        self.assertIn("frRules_Forget: no random call has it; add a case", errors)

    def test_a_page_without_a_table_is_refused(self):
        self.edit("docs/c-api.md", generate_bindings.END, "")
        result, errors = self.run_main()
        self.assertEqual(result, 1)
        self.assertIn("docs/c-api.md: there is no table; write", errors)

    def test_arguments(self):
        self.assertEqual(self.run_main("--chekc")[0], 2)
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            self.assertEqual(generate_bindings.main(["--help"]), 0)
        self.assertIn("Example:", printed.getvalue())


if __name__ == "__main__":
    unittest.main()
