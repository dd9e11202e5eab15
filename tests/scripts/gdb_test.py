# SPDX-License-Identifier: Apache-2.0
"""Tests of tools/scripts/gdb/fractalray.py: gdb shows the values of a program. Usage: gdb_test.py GDB PROGRAM"""

import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCALE = 1 << 70
EXPECTED = {
    "block": "(1, -2, 3)",
    "point": "(0.5, 0, -1.25)",
    "path": '"7a3_221"',
    "root": '""',
    "levels": "{0, 2, 9}",
    "none": "{}",
    "fraction": "3/4 = 0.75",
    "plane": "-1/8 = -0.125",
    "sphere": f"about 1, the smaller root of {2 * SCALE} t^2 + 2 ({-5 * SCALE}) t + {8 * SCALE}",
}


class Printers(unittest.TestCase):
    def test_values_are_shown_as_people_write_them(self):
        commands = ["break stop", "run", "up", *(f"print {name}" for name in EXPECTED)]
        options = [option for command in commands for option in ("-ex", command)]
        result = subprocess.run([GDB, "-nx", "-batch", "-x", ROOT / "tools/scripts/gdb/fractalray.py", *options, PROGRAM],
                                capture_output=True, text=True, check=False, timeout=60)
        if "Operation not permitted" in result.stderr:  # as in a container without ptrace
            print("NOT RUN: gdb may not trace programs here")
            self.skipTest("no ptrace")
        shown = [line.split(" = ", 1)[1] for line in result.stdout.splitlines() if line.startswith("$")]
        self.assertEqual(shown, list(EXPECTED.values()), result.stdout + result.stderr)


if __name__ == "__main__":
    GDB, PROGRAM = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
