#!/usr/bin/env python3
"""Draws docs/figures/entity-chunks.svg: entities on several chunks, and a shot that finds each once.

Usage: tools/scripts/draw_entity_chunks.py > docs/figures/entity-chunks.svg
"""

import svg

CHUNK = 120  # pixels
COLUMNS, ROWS = 5, 3
MARGIN = 16
SPHERES = [  # name, centre and radius in chunks
    ("A", 0.55, 1.45, 0.22),
    ("B", 2.0, 1.25, 0.30),
    ("C", 3.08, 1.95, 0.34),
    ("D", 4.55, 0.45, 0.20),
]
LINE = ((0.1, 2.3), (4.9, 1.0))


def chunks_of(x, y, r):
    """Returns the chunks whose closed square touches the closed circle."""
    found = []
    for column in range(COLUMNS):
        for row in range(ROWS):
            dx = max(column - x, x - column - 1, 0)
            dy = max(row - y, y - row - 1, 0)
            if dx * dx + dy * dy <= r * r:
                found.append((column, row))
    return found


def crossed():
    (x0, y0), (x1, y1) = LINE
    cells = []
    for i in range(2001):
        t = i / 2000
        cell = (int(x0 + (x1 - x0) * t), int(y0 + (y1 - y0) * t))
        if cell not in cells:
            cells.append(cell)
    return cells


def px(value):
    return f"{MARGIN + value * CHUNK:.0f}"


def main():
    holders = {}
    for name, x, y, r in SPHERES:
        for chunk in chunks_of(x, y, r):
            holders.setdefault(chunk, []).append(name)
    path = crossed()
    width, height = COLUMNS * CHUNK + 2 * MARGIN, ROWS * CHUNK + 2 * MARGIN
    svg.begin(width, height)
    for column in range(COLUMNS):
        for row in range(ROWS):
            visited = (column, row) in path and (column, row) in holders
            fill = "#ffe9b8" if visited else "#f4f4f4" if (column, row) in holders else "#ffffff"
            print(f'<rect x="{px(column)}" y="{px(row)}" width="{CHUNK}" height="{CHUNK}" fill="{fill}" stroke="#999999"/>')
            label = ", ".join(holders.get((column, row), []))
            print(f'<text x="{int(px(column)) + 6}" y="{int(px(row)) + 17}" font-size="13" fill="#555555">{label}</text>')
    for name, x, y, r in SPHERES:
        print(f'<circle cx="{px(x)}" cy="{px(y)}" r="{r * CHUNK:.0f}" fill="#4c78a8" fill-opacity="0.45" stroke="#4c78a8"/>')
        print(f'<text x="{px(x)}" y="{int(px(y)) + 5}" font-size="15" text-anchor="middle" fill="#1f3b57">{name}</text>')
    (x0, y0), (x1, y1) = LINE
    print(f'<line x1="{px(x0)}" y1="{px(y0)}" x2="{px(x1)}" y2="{px(y1)}" stroke="#c0392b" stroke-width="2"/>')
    print(f'<circle cx="{px(x0)}" cy="{px(y0)}" r="4" fill="#c0392b"/>')
    svg.end()


if __name__ == "__main__":
    main()
