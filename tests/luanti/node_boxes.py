# SPDX-License-Identifier: Apache-2.0
"""The boxes of Luanti's nodes, in fractions of a node relative to its centre: turned by 24 rotations of the
cube, as a second opinion on the mod."""

import json
import math
from fractions import Fraction

UNITS = 65536  # to which fractalray rounds boxes, in fractions of a node
HALF = Fraction(1, 2)
THIN = Fraction(1, 16)
WHOLE = ((-HALF,) * 3, (HALF,) * 3)
SIDES = {"top": (0, 1, 0), "bottom": (0, -1, 0), "front": (0, 0, -1), "left": (-1, 0, 0),
         "back": (0, 0, 1), "right": (1, 0, 0)}
RING = ["front", "right", "back", "left"]
X, Y, Z = range(3)


def quarters(source, target, count):
    """Returns the rotation by quarters from one axis towards another: row i is the image of axis i."""
    matrix = [[int(i == j) for j in range(3)] for i in range(3)]
    for _ in range(count % 4):
        old = [row[:] for row in matrix]
        matrix[target] = old[source]
        matrix[source] = [-x for x in old[target]]
    return matrix


# How the top is tilted, and the plane and way of one more turn, for each four values of facedir.
FACEDIRS = [((X, Z, 0), (X, Z, -1)), ((Y, Z, 1), (X, Y, 1)), ((Y, Z, -1), (X, Y, -1)),
            ((X, Y, -1), (Y, Z, 1)), ((X, Y, 1), (Y, Z, -1)), ((X, Y, 2), (X, Z, 1))]
FACEDIR_OF_WALL = [20, 0, 17, 15, 8, 6, 0, 0]
QUARTERS_OF_WALL = {2: 2, 3: 0, 4: 3, 5: 1}


def ordered(first, second):
    return tuple(map(min, first, second)), tuple(map(max, first, second))


def turned(box, matrix):
    return ordered(*(tuple(sum(a * c for a, c in zip(row, corner)) for row in matrix) for corner in box))


def turned_as_facedir(box, facedir):
    tilt, (source, target, way) = FACEDIRS[facedir // 4]
    return turned(turned(box, quarters(*tilt)), quarters(source, target, way * (facedir % 4)))


def parse(numbers):
    """Returns the boxes of a list of them, or of one box."""
    if not numbers:
        return []
    lists = numbers if isinstance(numbers[0], list) else [numbers]
    exact = [[Fraction(str(x)) for x in each] for each in lists]
    return [ordered(each[:3], each[3:]) for each in exact]


def units(box):
    """Returns a box in units from the lower corner of its node: flat ones are one unit thick."""
    low, high = ([math.floor((c + HALF) * UNITS + HALF) for c in corner] for corner in box)
    for axis in range(3):
        if low[axis] == high[axis]:
            is_upper_face = high[axis] > 0 and high[axis] % UNITS == 0
            low[axis] -= is_upper_face
            high[axis] += not is_upper_face
    return low, high


def is_beyond(box):
    """Returns true if a part of a box is beyond its node."""
    low, high = units(box)
    return min(low) < 0 or max(high) > UNITS


def units_inside(box):
    """Returns the part of a box inside its node, as six numbers of units; None if there is none."""
    low, high = units(box)
    low, high = [max(c, 0) for c in low], [min(c, UNITS) for c in high]
    return None if any(a >= b for a, b in zip(low, high)) else low + high


class Nodes:
    """The definitions in a file nodedefs.jsonl."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.by_name = {line["name"]: line for line in map(json.loads, file)}

    def is_pointable(self, name):
        return self.by_name[name].get("pointable", True)

    def is_liquid(self, name):
        return self.by_name[name].get("liquidtype", "none") != "none"

    def grows(self, name):
        node = self.by_name[name]
        return node.get("drawtype") == "nodebox" and (node.get("node_box") or {}).get("type") == "connected"

    def lists(self, name, other):
        """Returns true if a node lists another one, or a group of it, to connect to."""
        groups = {"group:" + group for group in self.by_name[other].get("groups") or {}}
        return any(wanted == other or wanted in groups for wanted in self.by_name[name].get("connects_to") or [])

    def connects(self, name, other, param2, side):
        if other not in self.by_name or not self.lists(name, other):
            return False
        if self.grows(other):
            return self.lists(other, name)
        node = self.by_name[other]
        sides = node.get("connect_sides")
        if not sides:
            return True
        if side in RING and node.get("paramtype2") in ("facedir", "colorfacedir"):
            if param2 % 32 >= 4:
                return False
            side = RING[(RING.index(side) + param2 % 32) % 4]
        elif side in RING and node.get("paramtype2") in ("4dir", "color4dir"):
            side = RING[(RING.index(side) + param2) % 4]
        return side in sides

    def selection(self, name, param2, neighbor):
        """Returns the selection boxes of a node. neighbor(step) returns the name and param2 of another."""
        node = self.by_name[name]
        box = node.get("selection_box") or {}
        kind = box.get("type", "regular")
        if kind == "regular":
            return [WHOLE]
        if kind == "connected":
            on = {side for side, step in SIDES.items()
                  if self.grows(name) and self.connects(name, *neighbor(step), side)}
            return connected(box, on)
        if kind == "wallmounted":
            return wallmounted(node, box, param2)
        return fixed(node, box, param2)


def fixed(node, box, param2):
    boxes = parse(box.get("fixed"))
    if box["type"] == "leveled":
        own = param2 % 128 if node.get("paramtype2") == "leveled" else 0
        top = -HALF + Fraction(own or int(node.get("leveled", 0)), 64)
        boxes = [ordered(low, (high[0], top, high[2])) for low, high in boxes]
    facedir = 0
    if node.get("paramtype2") in ("facedir", "colorfacedir"):
        facedir = param2 % 32 % 24
    elif node.get("paramtype2") in ("4dir", "color4dir"):
        facedir = param2 % 4
    elif node.get("paramtype2") in ("wallmounted", "colorwallmounted"):
        facedir = FACEDIR_OF_WALL[param2 % 8]
    return [turned_as_facedir(each, facedir) for each in boxes]


def wallmounted(node, box, param2):
    wall = 1 if node["drawtype"] in ("signlike", "torchlike", "plantlike", "plantlike_rooted") else 0
    if node.get("paramtype2") in ("wallmounted", "colorwallmounted"):
        wall = param2 % 8
    if wall in QUARTERS_OF_WALL:
        side = parse(box.get("wall_side")) or [((-HALF,) * 3, (THIN - HALF, HALF, HALF))]
        return [turned(side[0], quarters(X, Z, QUARTERS_OF_WALL[wall]))]
    if wall == 1:
        return parse(box.get("wall_bottom")) or [((-HALF,) * 3, (HALF, THIN - HALF, HALF))]
    return parse(box.get("wall_top")) or [((-HALF, HALF - THIN, -HALF), (HALF,) * 3)]


def connected(box, on):
    boxes = parse(box.get("fixed"))
    for side in SIDES:
        boxes += parse(box.get(("connect_" if side in on else "disconnected_") + side))
    if not on:
        boxes += parse(box.get("disconnected"))
    if not on - {"top", "bottom"}:
        boxes += parse(box.get("disconnected_sides"))
    return boxes
