#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the Luanti mod on a headless server of its own, and compares it with Luanti's raycasts.

Usage: run_server_test.py MOD    MOD is the folder of the whole mod, as the build assembles it

Exit code 0 if the mod's answers are exact and each difference is explained, 1 if not, 77 if the
server is not installed.
"""

import json
import pathlib
import re
import shutil
import sys
import tempfile

import server
import settle

HERE = pathlib.Path(__file__).resolve().parent

def make_world(folder, mod):
    world = server.make_world(folder, mod, HERE / "worldmods", "fractalray_test")
    shutil.copytree(HERE / "game", world / "game")
    # The mod wraps functions of which `earlier` keeps the original.
    with (world / "worldmods" / "fractalray" / "mod.conf").open("a") as conf:
        conf.write("optional_depends = earlier\n")
    return world


# The warnings that the test mod causes, each once.
WARNINGS = sorted([
    "the node nodes:odd fills its cube, as its collision_box.fixed has the coordinate 5000; write numbers from "
    "-1000 to 1000",
    "nodes:thing has a selection box of 40 nodes; boxes of 32 and more are not hit",
    'no node has the group glass, which is in a rule of the channel "elsewhere"',
    'no node has the name nodes:pane, which is in a rule of the channel "elsewhere"',
    'no node has the name nodes:window, which is in a rule of the channel "elsewhere"; it is an alias of '
    "nodes:glass: write that",
    "no node has the group glas, which is in on_hit of fractalray.shoot",
    "no node has the name default:stone, which is in on_hit of fractalray.shoot",
])


def warnings_in(log):
    """Returns what the mod warns of, sorted."""
    return sorted(re.findall(r"WARNING\[\w+\]: fractalray: (.*)", log))


def print_costs(costs):
    print(f"\n{'microseconds a call':34}{'fractalray':>12}{'Luanti':>12}")
    for cost in costs:
        theirs = f"{cost['theirs']:12.2f}" if "theirs" in cost else ""
        print(f"{cost['name']:34}{cost['ours']:12.2f}{theirs}")


def settle_all(report):
    """Prints each difference with its cause; returns the number of faults."""
    differences = [settle.Question(entry) for entry in report["differences"]]
    samples = [settle.Question(entry) for entry in report["samples"]]
    return settle.settle_all(differences, samples)


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    program = server.find()
    if program is None:
        return server.NOT_RUN
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        report = server.run(program, folder, make_world(folder, pathlib.Path(sys.argv[1])))
    if report is None:
        return 1
    print(f"{report['segments']} segments compared, {report['hits']} hits, with {report['edits']} "
          "edits in between")
    faults = settle_all(report)
    for failure in report["failures"]:
        print(f"FAILED: {failure}")
    warnings = warnings_in(report["log"])
    if warnings != WARNINGS:
        print(f"FAILED: the warnings are {warnings}, not {WARNINGS}")
        faults += 1
    print_costs(report["costs"])
    return 1 if faults or report["failures"] or report["segments"] < 40000 else 0


if __name__ == "__main__":
    sys.exit(main())
