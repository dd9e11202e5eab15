#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the Luanti mod on a headless server of its own, and compares it with Luanti's raycasts.

Usage: run_server_test.py MOD    MOD is the folder of the whole mod, as the build assembles it

Exit code 0 if the mod's answers are exact and each difference is explained, 1 if not, 77 if the
server is not installed.
"""

import collections
import json
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile

import settle

HERE = pathlib.Path(__file__).resolve().parent
NOT_RUN = 77
MOST_SECONDS = 300
WORLD = """\
gameid = fractalray_test
backend = sqlite3
player_backend = sqlite3
auth_backend = sqlite3
mod_storage_backend = sqlite3
"""
CONFIGURATION = """\
mg_name = singlenode
bind_address = 127.0.0.1
secure.enable_security = true
secure.trusted_mods = fractalray
server_unload_unused_data_timeout = 3600
liquid_update = 0.2
fractalray.reread_interval = 0.1
fractalray.reread_mapblocks = 4
"""


def find_server():
    return shutil.which("minetestserver") or shutil.which("/usr/games/minetestserver")


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


def make_world(folder, mod):
    world = folder / "world"
    shutil.copytree(HERE / "game", world / "game")
    shutil.copytree(HERE / "worldmods", world / "worldmods")
    copied = world / "worldmods" / "fractalray"
    shutil.copytree(mod, copied)
    # The mod wraps functions of which `earlier` keeps the original.
    with (copied / "mod.conf").open("a") as conf:
        conf.write("optional_depends = earlier\n")
    (world / "world.mt").write_text(WORLD)
    (folder / "minetest.conf").write_text(CONFIGURATION)
    return world


def run_server(server, folder, world):
    """Returns the report of the test mod; None after printing the server's output if there is none."""
    process = subprocess.Popen(
        [server, "--world", world, "--config", folder / "minetest.conf", "--port", str(free_port()),
         "--logfile", folder / "log.txt"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        env={"HOME": str(folder)})
    try:
        output = process.communicate(timeout=MOST_SECONDS)[0]
    except subprocess.TimeoutExpired:
        process.kill()
        output = process.communicate()[0] + f"it had not ended after {MOST_SECONDS} s\n"
    report = world / "report.json"
    if process.returncode == 0 and report.exists():
        return {**json.loads(report.read_text()), "log": output}
    print(f"the server ended with {process.returncode} and no report:\n{output}")
    return None


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
    faults = 0
    causes = collections.Counter()
    for entry in report["differences"] + report["samples"]:
        for fault in settle.Question(entry).faults_of_ours():
            print(f"WRONG: {fault}\n{json.dumps(entry)}")
            faults += 1
    for entry in report["differences"]:
        question = settle.Question(entry)
        cause = question.cause()
        if cause is None:
            print(f"UNEXPLAINED: {json.dumps(entry)}")
            faults += 1
            continue
        causes[cause[0]] += 1
        print(f"differs by {cause[0]}, {float(cause[1]):.2g} of a node: {question.name} from "
              f"{entry['from']} to {entry['to']}: ours {question.ours}, Luanti's {question.theirs}")
    print(f"{len(report['differences'])} differences; {len(report['samples'])} answers without a "
          f"difference checked too; {faults} faults")
    for cause, count in causes.items():
        print(f"{count:6} {settle.CAUSES[cause]}")
    return faults


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    server = find_server()
    if server is None:
        print("NOT RUN: the mod was not tried on a server, since minetestserver is not installed; "
              "as root: apt-get install minetest-server (./dev test does so)")
        return NOT_RUN
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        report = run_server(server, folder, make_world(folder, pathlib.Path(sys.argv[1])))
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
