#!/usr/bin/env python3
"""Draws docs/figures/window.svg: a frame of three levels, and what a climb and a descent make of it.

Usage: tools/scripts/draw_window.py > docs/figures/window.svg
"""

import svg
from svg import text

ROW, COLUMN = 62, 250  # pixels
LEFT, TOP = 150, 46
BAR = 178
DEPTHS = [  # the path of the chunk that each row shows, and its name on the left
    ("7a3", "one step below the root"),
    ("7a3_221", ""),
    ("7a3_221_456", ""),
    ("7a3_221_456_600", ""),
    ("...", "down to any depth"),
]
FRAMES = [  # title, first row of the frame, rows that are new, rows that are dropped
    ("after climb()", 0, (0,), (3,)),
    ("a frame of three levels", 1, (), ()),
    ("after descend({4, 5, 6})", 2, (4,), (1,)),
]
KEPT, NEW, DROPPED = "#4c78a8", "#ffffff", "#f3c9c4"


def bar(x, y, fill, dashed):
    dash = ' stroke-dasharray="4 3"' if dashed else ""
    print(f'<rect x="{x}" y="{y}" width="{BAR}" height="22" fill="{fill}" fill-opacity="0.55" '
          f'stroke="#555555"{dash}/>')
    for block in range(1, 8):
        at = x + block * BAR // 8
        print(f'<line x1="{at}" y1="{y}" x2="{at}" y2="{y + 22}" stroke="#999999" stroke-width="0.6"/>')


def zoom(x, y):
    """The block of a chunk that the row below shows."""
    left, right = x + 3 * BAR // 8, x + 4 * BAR // 8
    print(f'<path d="M{left},{y + 22} L{x},{y + ROW} M{right},{y + 22} L{x + BAR},{y + ROW}" '
          'stroke="#bbbbbb" fill="none"/>')


def column(number, title, first, new, dropped):
    x = LEFT + number * COLUMN
    text(x + BAR // 2, 24, title, 14, "#222222", "middle")
    for row in range(len(DEPTHS)):
        y = TOP + row * ROW
        if row + 1 < len(DEPTHS):
            zoom(x, y)
        inside = first <= row < first + 3
        if row in dropped:
            bar(x, y, DROPPED, True)
            text(x + BAR + 6, y + 15, "dropped", 11, "#a03c32")
        elif inside:
            bar(x, y, NEW if row in new else KEPT, False)
            label = f"level {row - first}" + (", new" if row in new else "")
            text(x + BAR // 2, y + 15, label, 12, "#1f3b57", "middle")
    y = TOP + first * ROW - 9
    print(f'<rect x="{x - 10}" y="{y}" width="{BAR + 20}" height="{2 * ROW + 40}" fill="none" '
          'stroke="#c0392b" stroke-width="2" rx="6"/>')


def main():
    width, height = LEFT + 3 * COLUMN + 20, TOP + len(DEPTHS) * ROW
    svg.begin(width, height)
    for row, (path, note) in enumerate(DEPTHS):
        y = TOP + row * ROW
        text(12, y + 14, path, 12, "#222222")
        text(12, y + 29, note, 10)
    for number, frame in enumerate(FRAMES):
        column(number, *frame)
    svg.end()


main()
