#!/usr/bin/env python3
"""Draws docs/figures/block-order.svg: who reads and writes a borrowed id in a tick, and when.

Usage: tools/scripts/draw_block_order.py > docs/figures/block-order.svg
"""

import svg
from svg import text

COLUMN, LEFT, TOP, ROW = 190, 150, 70, 62  # pixels
STEPS = [
    ("1", "write", "the engine sets an id"),
    ("2", "refresh", "the world reads it again"),
    ("3", "snapshot", "optional: ids are copied"),
    ("4", "query", "any number of threads"),
]
LANES = ["engine's ids", "live world", "snapshot"]
# What each lane holds of the block during each step: old or new, or "-" for nothing.
STATES = [
    ["new", "new", "new", "next write"],
    ["stale", "new", "new", "new"],
    ["-", "-", "new", "new"],
]
FILLS = {"new": "#4c78a8", "stale": "#f3c9c4", "next write": "#e8a33d"}
# (step, from lane, to lane, words)
ARROWS = [(1, 0, 1, "masks"), (2, 1, 2, "copy")]


def arrow(x, y1, y2, words):
    print(f'<path d="M{x},{y1} L{x},{y2 - 6}" stroke="#c0392b" stroke-width="2" fill="none"/>')
    print(f'<path d="M{x - 5},{y2 - 8} L{x + 5},{y2 - 8} L{x},{y2} Z" fill="#c0392b"/>')
    text(x + 9, (y1 + y2) // 2 + 4, words, 11, "#c0392b")


def main():
    width, height = LEFT + len(STEPS) * COLUMN + 20, TOP + len(LANES) * ROW + 40
    svg.begin(width, height)
    for column, (number, verb, note) in enumerate(STEPS):
        x = LEFT + column * COLUMN
        text(x, 26, f"{number}  {verb}", 15, "#222222")
        text(x, 44, note, 11)
    for lane, name in enumerate(LANES):
        y = TOP + lane * ROW
        text(12, y + 19, name, 13, "#222222")
        for column, state in enumerate(STATES[lane]):
            if state == "-":
                continue
            x = LEFT + column * COLUMN
            print(f'<rect x="{x}" y="{y}" width="{COLUMN - 14}" height="28" rx="3" fill="{FILLS[state]}" '
                  'fill-opacity="0.55" stroke="#555555"/>')
            text(x + (COLUMN - 14) // 2, y + 18, state, 12, "#1f3b57", "middle")
    for column, start, end, words in ARROWS:
        arrow(LEFT + column * COLUMN + 30, TOP + start * ROW + 28, TOP + end * ROW, words)
    y = TOP + len(LANES) * ROW + 8
    text(LEFT, y, "With a snapshot held, step 1 of the next tick may run during step 4: readers of the snapshot", 12)
    text(LEFT, y + 17, "see none of it. Queries of the live world must have ended first.", 12)
    svg.end()


main()
