#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the boxes and connections that the Luanti mod computes with node_boxes.py: those of random
definitions in every state.

Usage: boxes_test.py LUAJIT BOXES.LUA [NODEDEFS.JSONL]    the definitions of a file instead of random ones
"""

import json
import pathlib
import random
import subprocess
import sys

import node_boxes

DEFINITIONS = 60
DRAWTYPES = ["nodebox", "mesh", "signlike", "torchlike", "plantlike", "normal"]
PARAM_TYPES = ["none", "facedir", "colorfacedir", "4dir", "color4dir", "wallmounted", "colorwallmounted",
               "leveled"]
KINDS = ["fixed", "leveled", "wallmounted", "connected", "regular"]
MASKS = [0, 1, 2, 3, 4, 8, 16, 32, 21, 63]  # of sides on which a node is connected
PARAM2 = [*range(32), 33, 64, 96, 127, 128, 159, 200, 255]

# Prints what boxes.lua answers, a line each: numbers of boxes in units, then 1 if parts were cut; and of
# each node that grows a 1 for each side and state of each other one on which it connects.
LUA = """
local nodes, masks, values = ...
local boxes = assert(loadfile(%s))()
for _, node in ipairs(nodes) do
  for _, param2 in ipairs(values) do
    for _, mask in ipairs(masks) do
      local placed, is_cut = boxes.placed(node, node.selection_box, param2 %% boxes.states(node), mask)
      local numbers = {}
      for _, box in ipairs(placed) do
        for _, x in ipairs(box) do numbers[#numbers + 1] = ("%%d"):format(x * 65536) end
      end
      print(table.concat(numbers, " ") .. (is_cut and " cut" or ""))
      if mask == 0 and not (node.selection_box and node.selection_box.type == "connected") then break end
    end
  end
end
for _, node in ipairs(nodes) do
  for _, other in ipairs(boxes.grows(node) and nodes or {}) do
    local answers = {}
    for side = 1, 6 do
      for _, param2 in ipairs({0, 1, 2, 3, 4, 23, 33, 255}) do
        local does = boxes.connects(node, other, param2 %% boxes.states(other), side)
        answers[#answers + 1] = does and 1 or 0
      end
    end
    print(table.concat(answers))
  end
end
"""


def lua(value):
    """Returns a value of JSON as Lua."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "nil"}[value]
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, list):
        return "{" + ",".join(map(lua, value)) + "}"
    return "{" + ",".join(f"[{lua(name)}]={lua(member)}" for name, member in value.items()) + "}"


def random_box(draw):
    """Returns a box as the mod's definitions have it: ordered, sometimes flat or beyond the node."""
    reach = draw.choice([8, 8, 8, 20])
    corners = [sorted(draw.choice([draw.randint(-reach, reach) / 16, round(draw.uniform(-0.5, 0.5), 3)])
                      for _ in range(2)) for _ in range(3)]
    if draw.random() < 0.1:
        corners[draw.randrange(3)] = [draw.choice([-0.5, 0.5, 0.4999999, 0.25])] * 2
    return [low for low, _ in corners] + [high for _, high in corners]


def random_node_box(draw, kind):
    box = {"type": kind}
    members = ["fixed"] + ["wall_" + part for part in ("top", "bottom", "side")]
    if kind == "connected":
        members += [word + side for word in ("connect_", "disconnected_") for side in node_boxes.SIDES]
        members += ["disconnected", "disconnected_sides"]
    for member in members:
        if draw.random() < 0.7:
            count = 1 if member.startswith("wall") else draw.randint(1, 3)
            box[member] = [random_box(draw) for _ in range(count)]
    return box


def random_definition(draw, number):
    kind = draw.choice(KINDS)
    box = random_node_box(draw, kind)
    groups = {name: 1 for name in ("a", "b", "a,b") if draw.random() < 0.3}
    node = {"name": f"node:{number}", "drawtype": draw.choice(DRAWTYPES), "paramtype2": draw.choice(PARAM_TYPES),
            "selection_box": box, "groups": groups,
            "connects_to": draw.sample(["group:a", "group:b", "group:a,b", "node:1", "node:2", "b"], 3)}
    if kind == "connected" and draw.random() < 0.8:
        node.update({"drawtype": "nodebox", "node_box": box})
    if draw.random() < 0.3:
        node["leveled"] = draw.randint(1, 100)
    if draw.random() < 0.5:
        node["connect_sides"] = draw.sample(list(node_boxes.SIDES), 3)
    return node


def as_read(node):
    """Returns a line of nodedefs.jsonl as the mod has it: lists of ordered boxes, no empty members."""
    def ordered(numbers):
        return [f(pair) for f in (min, max) for pair in zip(numbers[:3], numbers[3:])]
    def boxes(value):
        return [ordered(each) for each in (value if isinstance(value[0], list) else [value])]
    node = dict(node)
    for member in ("node_box", "selection_box", "collision_box"):
        if node.get(member):
            node[member] = {name: boxes(value) if isinstance(value, list) else value
                            for name, value in node[member].items() if value}
    return {name: value for name, value in node.items() if value not in (None, [], {})}


class Fixed(node_boxes.Nodes):
    """Definitions of which the connections are given."""

    def __init__(self, nodes):
        self.by_name = {node["name"]: node for node in nodes}
        self.mask = None

    def connects(self, name, other, param2, side):
        if self.mask is None:
            return super().connects(name, other, param2, side)
        return bool(self.mask >> list(node_boxes.SIDES).index(side) & 1)

    def grows(self, name):
        return self.mask is not None or super().grows(name)


def expected(nodes):
    known = Fixed(nodes)
    for node in nodes:
        is_connected = node.get("selection_box", {}).get("type") == "connected"
        for param2 in PARAM2:
            for known.mask in MASKS if is_connected else [0]:
                boxes = known.selection(node["name"], param2, lambda step: ("", 0))
                inside = [numbers for numbers in map(node_boxes.units_inside, boxes) if numbers]
                is_cut = any(node_boxes.is_beyond(box) for box in boxes)
                yield " ".join(str(n) for box in inside for n in box) + (" cut" if is_cut else "")
    known.mask = None
    for node in nodes:
        for other in nodes if known.grows(node["name"]) else []:
            yield "".join(str(int(known.connects(node["name"], other["name"], param2, side)))
                          for side in node_boxes.SIDES for param2 in (0, 1, 2, 3, 4, 23, 33, 255))


def main():
    luajit, path, *file = sys.argv[1:]
    draw = random.Random(20261128)
    nodes = [random_definition(draw, number) for number in range(DEFINITIONS)]
    if file:
        nodes = list(map(json.loads, pathlib.Path(file[0]).read_text().splitlines()))
    nodes = list(map(as_read, nodes))
    # One call a node, as a function of Lua holds only so many constants.
    script = "local nodes = {}\n" + "".join(
        f"nodes[{i}] = (function() return {lua(node)} end)()\n" for i, node in enumerate(nodes, 1))
    script += f"local function answer(...) {LUA % lua(path)} end\nanswer(nodes, {lua(MASKS)}, {lua(PARAM2)})"
    answers = subprocess.run([luajit, "-"], input=script, capture_output=True, text=True, check=True).stdout
    pairs = list(zip(answers.split("\n"), [*expected(nodes), ""], strict=True))
    wrong = [pair for pair in pairs if pair[0] != pair[1]]
    for ours, right in wrong[:10]:
        print(f"WRONG: {ours}\n   not {right}")
    print(f"{len(pairs)} answers about {len(nodes)} definitions, {len(wrong)} wrong")
    return 1 if wrong or len(pairs) < 3000 else 0


if __name__ == "__main__":
    sys.exit(main())
