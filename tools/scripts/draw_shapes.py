#!/usr/bin/env python3
"""Draws docs/figures/shapes.svg: which lines hit slabs, seen from the side.

Usage: tools/scripts/draw_shapes.py > docs/figures/shapes.svg
"""

import svg
from svg import text

BLOCK, TOP, LEFT = 104, 62, 24  # pixels; y of the upper faces of the blocks
FLOOR = TOP + BLOCK
SLAB, CUBE, CLEAR, HIT = "#4c78a8", "#999999", "#2e8b57", "#c0392b"


def box(x, y, width, height):
    """Draws a box with the faces that it owns, the lower ones, as thick lines."""
    print(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{SLAB}" fill-opacity="0.35"/>')
    print(f'<path d="M{x},{y} L{x},{y + height} L{x + width},{y + height}" stroke="{SLAB}" stroke-width="4" fill="none"/>')
    print(f'<path d="M{x},{y} L{x + width},{y} L{x + width},{y + height}" stroke="{SLAB}" stroke-width="1.5" '
          'stroke-dasharray="3 3" fill="none"/>')


def cube(x, y):
    print(f'<rect x="{x}" y="{y}" width="{BLOCK}" height="{BLOCK}" fill="none" stroke="{CUBE}" stroke-dasharray="6 4"/>')


def line(x1, y1, x2, y2, color):
    print(f'<path d="M{x1},{y1} L{x2},{y2}" stroke="{color}" stroke-width="2.5" marker-end="url(#{color[1:]})" fill="none"/>')


def dot(x, y, color):
    print(f'<circle cx="{x}" cy="{y}" r="5" fill="{color}"/>')


def marker(color):
    print(f'<marker id="{color[1:]}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="5" markerHeight="5" orient="auto">'
          f'<path d="M0,0 L8,4 L0,8 Z" fill="{color}"/></marker>')


def draw_owner(x):
    text(x, 26, "one slab", 15, "#222222")
    text(x, 44, "thick faces are its own", 12)
    cube(x, TOP)
    box(x, TOP + BLOCK // 2, BLOCK, BLOCK // 2)


def draw_row(x):
    half = TOP + BLOCK // 2
    text(x, 26, "feet and eyes on slabs", 15, "#222222")
    text(x, 44, "a line along the top is clear, one along the underside is not", 12)
    for i in range(3):
        cube(x + i * BLOCK, TOP)
        box(x + i * BLOCK, half, BLOCK, BLOCK // 2)
    dot(x + 20, half, CLEAR)
    line(x + 20, half, x + 3 * BLOCK - 8, half, CLEAR)
    line(x + 20, half, x + BLOCK + 30, TOP - 8, CLEAR)
    text(x + BLOCK + 44, TOP + 22, "clear", 13, CLEAR)
    line(x - 14, FLOOR, x + 3, FLOOR, HIT)
    text(x - 14, FLOOR + 22, "hit where it enters the first slab", 13, HIT)


def draw_edge(x):
    half = BLOCK // 2
    text(x, 26, "two boxes that touch at an edge", 15, "#222222")
    text(x, 44, "one shape, or two blocks", 12)
    cube(x, TOP)
    box(x, TOP + half, half, half)
    box(x + half, TOP, half, half)
    line(x + 8, TOP + 8, x + half - 5, TOP + half - 5, HIT)
    dot(x + half, TOP + half, HIT)
    text(x, FLOOR + 22, "hit, unless the corner policy is neither", 13, HIT)


def main():
    width, height = LEFT + 9 * BLOCK - 10, FLOOR + 40
    svg.begin(width, height)
    print("<defs>")
    marker(CLEAR)
    marker(HIT)
    print("</defs>")
    draw_owner(LEFT)
    draw_row(LEFT + 2 * BLOCK)
    draw_edge(LEFT + 6 * BLOCK)
    svg.end()


main()
