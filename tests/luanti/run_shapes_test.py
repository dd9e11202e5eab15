#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the Luanti mod with Luanti's raycast in a world of random nodes of every kind, on a server of its
own with the game devtest. Each difference is settled by exact arithmetic.

Usage: run_shapes_test.py MOD    MOD is the folder of the whole mod, as the build assembles it

Exit code 0 if the mod's answers are exact and each difference is explained, 1 if not, 77 if the
server or the game is not installed.
"""

import math
import pathlib
import sys
import tempfile

import node_boxes
import server
import settle

HERE = pathlib.Path(__file__).resolve().parent
GAME = "devtest"
# A box farther than this from a segment, in nodes, matters to no answer.
NEAR = 0.01
# One in so many equal answers is checked, too.
SAMPLE_EVERY = 32
# The mod logs this if its setting turns shapes off.
CUBES = "fractalray: all nodes fill their cube, as the setting fractalray.shapes is false"
# Boxes of devtest reach no farther beyond their node.
REACH = 2


def inside(box):
    """Returns the part of a box inside its node as fractalray rounds it; None if there is none."""
    numbers = node_boxes.units_inside(box)
    if numbers is None:
        return None
    corners = [settle.Fraction(n, node_boxes.UNITS) - node_boxes.HALF for n in numbers]
    return tuple(corners[:3]), tuple(corners[3:])


class World:
    """The nodes of the report, as they are after so many edits; without shapes, all of them cubes."""

    def __init__(self, report, nodes, has_shapes=True):
        self.nodes = nodes
        self.has_shapes = has_shapes
        self.placed = {}  # names and param2 by position
        self.known = {}  # the boxes of each node that was asked for, as ours and Luanti's
        self.place(report["nodes"])
        self.edits = report["edits"]
        self.done = 0

    def place(self, edits):
        for *at, name, param2 in edits:
            at = tuple(map(int, at))
            self.placed[at] = (name, int(param2))
            for step in [(0, 0, 0), *node_boxes.SIDES.values()]:
                self.known.pop(tuple(a + b for a, b in zip(at, step)), None)

    def edit_until(self, count):
        self.place(self.edits[self.done:count])
        self.done = count

    def boxes(self, at):
        if at not in self.known:
            def neighbor(step):
                return self.placed.get(tuple(a + b for a, b in zip(at, step)), ("air", 0))
            whole = [node_boxes.WHOLE]
            if self.has_shapes:
                whole = self.nodes.selection(*self.placed[at], neighbor)
            cut = [inside(box) for box in whole]
            ours = [box for box in cut if box]
            self.known[at] = ours, whole if any(map(node_boxes.is_beyond, whole)) else ours
        return self.known[at]

    def near(self, ray):
        """Returns the nodes with boxes near a ray that it may hit, and their boxes."""
        low = [math.floor(min(a, b)) - REACH for a, b in zip(ray["from"], ray["to"])]
        high = [math.ceil(max(a, b)) + REACH for a, b in zip(ray["from"], ray["to"])]
        found, shapes = [], []
        for at, (name, _) in self.placed.items():
            if not all(a <= c <= b for a, c, b in zip(low, at, high)):
                continue
            if not (self.nodes.is_pointable(name) or (ray["liquids"] and self.nodes.is_liquid(name))):
                continue
            kept = tuple([box for box in boxes if is_near(ray, at, box)] for boxes in self.boxes(at))
            if name != "air" and any(kept):
                found.append(list(at))
                shapes.append(kept)
        return found, shapes


def is_near(ray, at, box):
    """Returns true unless a segment passes a box of a node at a distance."""
    enter, leave = 0.0, 1.0
    for start, end, node, low, high in zip(ray["from"], ray["to"], at, *box):
        low, high = node + float(low) - NEAR - start, node + float(high) + NEAR - start
        if start == end:
            if low > 0 or high < 0:
                return False
            continue
        times = sorted((low / (end - start), high / (end - start)))
        enter, leave = max(enter, times[0]), min(leave, times[1])
    return enter <= leave


def is_same(ours, theirs):
    return len(ours) == len(theirs) and all(
        a[:6] == b[:6] and math.dist(a[6:], b[6:]) < settle.POINT_TOLERANCE for a, b in zip(ours, theirs))


def question(ray, world):
    def answer(hits):
        return [{"node": [int(c) for c in hit[:3]], "normal": [int(c) for c in hit[3:6]], "point": hit[6:]}
                for hit in hits]
    nodes, shapes = world.near(ray)
    return settle.Question({
        "question": "raycast, liquids" if ray["liquids"] else "raycast", "from": ray["from"], "to": ray["to"],
        "nodes": nodes, "shapes": shapes, "ours": answer(ray["ours"]), "theirs": answer(ray["theirs"])})


def settle_rays(report, nodes):
    """Settles all rays; returns the number of faults."""
    world = World(report, nodes)
    equal, different = [], []
    first_hits = 0
    for i, ray in enumerate(report["rays"]):
        ray["ours"], ray["theirs"] = ray["ours"] or [], ray["theirs"] or []
        world.edit_until(int(ray["edits"]))
        if not is_same(ray["ours"], ray["theirs"]):
            different.append(question(ray, world))
        elif i % SAMPLE_EVERY == 0:
            equal.append(question(ray, world))
        first_hits += [hit[:3] for hit in ray["ours"][:1]] == [hit[:3] for hit in ray["theirs"][:1]]
    faults = settle.settle_all(different, equal)
    print(f"{len(report['nodes'])} nodes, {len(report['edits'])} edits; of {len(report['rays'])} rays "
          f"{len(report['rays']) - len(different)} have the same lists, {first_hits} the same first node")
    return faults


def settle_cubes(report, nodes):
    """Checks all rays in a world without shapes; returns the number of faults."""
    world = World(report, nodes, has_shapes=False)
    faults = []
    for ray in report["rays"]:
        ray["ours"], ray["theirs"] = ray["ours"] or [], ray["theirs"] or []
        world.edit_until(int(ray["edits"]))
        faults += question(ray, world).faults_of_ours()
    if CUBES not in report["log"]:
        faults.append("the log does not say that nodes are cubes")
    for fault in faults:
        print(f"WRONG: without shapes {fault}")
    print(f"without shapes {len(report['rays'])} rays, {len(faults)} faults")
    return len(faults)


def failure(report, least_rays, has_shapes=True):
    """Returns why a report is not one of the whole test; None if it is."""
    if report.get("failure"):
        return report["failure"]
    if report["found"]["nodes"] or has_shapes != bool(report["found"]["cut_types"]):
        return f"verify has found {report['found']}"
    if len(report["rays"]) < least_rays:
        return f"there are only {len(report['rays'])} rays"
    return None


def ask(program, mod, settings=""):
    """Runs a server; returns its report and the definitions of its nodes, None if it has failed."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        world = server.make_world(folder, mod, HERE / "shapes", GAME, settings)
        report = server.run(program, folder, world)
        return report, report and node_boxes.Nodes(world / "nodedefs.jsonl")


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    program = server.find()
    if program is None or not server.has_game(program, GAME):
        return server.NOT_RUN
    mod = pathlib.Path(sys.argv[1])
    report, nodes = ask(program, mod)
    cubes, _ = ask(program, mod, "fractalray.shapes = false\n")
    if report is None or cubes is None:
        return 1
    failed = failure(report, 7000) or failure(cubes, 330, has_shapes=False)
    if failed:
        print(f"FAILED: {failed}")
        return 1
    faults = settle_rays(report, nodes) + settle_cubes(cubes, nodes)
    print(report["said"], report["found"], report["costs"], sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
