#!/usr/bin/env python3
"""Draws docs/figures/streaming.svg: what a streamer has loaded around a viewer, on two levels, seen from the side.

Usage: tools/scripts/draw_streaming.py > docs/figures/streaming.svg
"""

import math

import svg

CHUNK = 46  # pixels of a level-0 chunk on the left
COLUMNS, ROWS = 10, 7
LEFT, TOP = 14, 40
BEFORE, VIEWER = (2.75, 3.3), (4.35, 3.3)  # the viewer's positions, in chunks
LOAD, KEEP = 2, 3
AIM, LIMIT = (9.8, 1.15), 5  # the end of the line of want(), and its limit

BLOCKS = 16  # of a chunk, on the right
BLOCK = ROWS * CHUNK // BLOCKS
RIGHT = LEFT + COLUMNS * CHUNK + 64
FINE_LOAD, FINE_KEEP = 4, 5  # in chunks of level 1, which are as wide as a block of level 0

LOADED, KEPT, DROPPED, MISSING = "#9db9d9", "#d6e2f0", "#f3c9c4", "#ffe2a8"
GROUND, LINE, VIEW = "#a08a6c", "#2f7d4f", "#c0392b"


def distance(cell, point):
    """The distance of a point from the nearest point of a cell, in cells."""
    return math.hypot(*(max(c - p, p - c - 1, 0) for c, p in zip(cell, point)))


def ground(x):
    """The height of the ground, in level-0 chunks from the top."""
    return 3.62 + 0.35 * math.sin(0.9 * x + 0.4) + 0.08 * math.sin(5.1 * x)


def text(x, y, content, size=12, color="#444444", anchor="start", weight="normal"):
    print(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{color}" text-anchor="{anchor}" '
          f'font-weight="{weight}">{content}</text>')


def square(x, y, width, fill, stroke="#8a8a8a", dash="", opacity=1):
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    print(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width}" height="{width}" fill="{fill}" '
          f'fill-opacity="{opacity}" stroke="{stroke}" stroke-width="0.8"{dashed}/>')


def circle(x, y, radius, label, dash=""):
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    print(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="none" stroke="{VIEW}" stroke-width="1.4"{dashed}/>')
    print(f'<rect x="{x - 24:.1f}" y="{y + radius - 7:.1f}" width="48" height="14" fill="#ffffff" fill-opacity="0.85"/>')
    text(x, y + radius + 4, label, 11, VIEW, "middle")


def viewer(x, y):
    print(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{VIEW}" stroke="#ffffff" stroke-width="1.2"/>')


def crossed():
    """The level-0 chunks on the line of want(), in its order."""
    cells = []
    for i in range(4001):
        cell = tuple(int(a + (b - a) * i / 4000) for a, b in zip(VIEWER, AIM))
        if cell not in cells:
            cells.append(cell)
    return cells


def coarse_states():
    """The cells of level 0 by state, and the order in which those that are missing are requested."""
    cells = [(column, row) for column in range(COLUMNS) for row in range(ROWS)]
    before = {cell for cell in cells if distance(cell, BEFORE) <= LOAD}
    needed = {cell for cell in cells if distance(cell, VIEWER) <= LOAD}
    kept = {cell for cell in before - needed if distance(cell, VIEWER) <= KEEP}
    wanted = [cell for cell in crossed() if cell not in before][:LIMIT]
    nearest = sorted(needed - before - set(wanted), key=lambda cell: (distance(cell, VIEWER), cell))
    return before & needed, kept, before - needed - kept, wanted + nearest


def hill(x, y, width, height):
    """The ground of level 0."""
    steps = 120
    points = [(x + width * i / steps, y + ground(width / CHUNK * i / steps) * CHUNK) for i in range(steps + 1)]
    path = " ".join(f"{px:.1f},{py:.1f}" for px, py in points)
    print(f'<polygon points="{x},{y + height} {path} {x + width},{y + height}" fill="{GROUND}" fill-opacity="0.1"/>')
    print(f'<polyline points="{path}" fill="none" stroke="{GROUND}" stroke-width="1.8"/>')


def coarse():
    text(LEFT, 24, "level 0: by distance alone", 14, "#222222", weight="bold")
    loaded, kept, dropped, order = coarse_states()
    for column in range(COLUMNS):
        for row in range(ROWS):
            cell = (column, row)
            x, y = LEFT + column * CHUNK, TOP + row * CHUNK
            fill = next((color for cells, color in ((loaded, LOADED), (kept, KEPT), (dropped, DROPPED),
                                                    (order, MISSING)) if cell in cells), "#ffffff")
            square(x, y, CHUNK, fill, dash="4 3" if cell in dropped else "")
    hill(LEFT, TOP, COLUMNS * CHUNK, ROWS * CHUNK)
    for number, (column, row) in enumerate(order):
        is_wanted = number < LIMIT
        text(LEFT + column * CHUNK + 6, TOP + row * CHUNK + CHUNK - 7, number + 1, 14,
             LINE if is_wanted else "#222222", weight="bold" if is_wanted else "normal")
    at = [(LEFT + x * CHUNK, TOP + y * CHUNK) for x, y in (BEFORE, VIEWER, AIM)]
    print(f'<line x1="{at[1][0]:.1f}" y1="{at[1][1]:.1f}" x2="{at[2][0]:.1f}" y2="{at[2][1]:.1f}" '
          f'stroke="{LINE}" stroke-width="2"/>')
    text(at[2][0] - 4, at[2][1] - 8, "want()", 12, LINE, "end", "bold")
    circle(*at[1], LOAD * CHUNK, "load")
    circle(*at[1], KEEP * CHUNK, "keep", "6 4")
    print(f'<line x1="{at[0][0]:.1f}" y1="{at[0][1]:.1f}" x2="{at[1][0]:.1f}" y2="{at[1][1]:.1f}" '
          f'stroke="{VIEW}" stroke-width="1.4" stroke-dasharray="2 3"/>')
    print(f'<circle cx="{at[0][0]:.1f}" cy="{at[0][1]:.1f}" r="4" fill="#ffffff" stroke="{VIEW}"/>')
    viewer(*at[1])


def fine():
    """The chunk of level 0 in which the viewer is: each of its blocks may be a chunk of level 1."""
    text(RIGHT, 24, "level 1: only where the block is fertile", 14, "#222222", weight="bold")
    column, row = (int(part) for part in VIEWER)
    at = tuple((part - int(part)) * BLOCKS for part in VIEWER)
    for x in range(BLOCKS):
        for y in range(BLOCKS):
            is_fertile = row + (y + 0.5) / BLOCKS > ground(column + (x + 0.5) / BLOCKS)
            is_near = distance((x, y), at) <= FINE_LOAD
            left, top = RIGHT + x * BLOCK, TOP + y * BLOCK
            fill = (LOADED if is_near else "#d9cfc1") if is_fertile else "#ffffff"
            square(left, top, BLOCK, fill, "#8a8a8a" if is_fertile else "#e2e2e2")
            if not (is_fertile and is_near):
                continue
            for part in (1, 2, 3):
                offset = part * BLOCK / 4
                print(f'<path d="M{left + offset:.1f},{top} v{BLOCK} M{left},{top + offset:.1f} h{BLOCK}" '
                      'stroke="#5f7fa6" stroke-width="0.35"/>')
    x, y = RIGHT + at[0] * BLOCK, TOP + at[1] * BLOCK
    circle(x, y, FINE_LOAD * BLOCK, "load")
    circle(x, y, FINE_KEEP * BLOCK, "keep", "6 4")
    viewer(x, y)
    # The lines from the chunk on the left to this picture of it.
    corner = LEFT + (column + 1) * CHUNK, TOP + row * CHUNK
    for part in (0, 1):
        print(f'<path d="M{corner[0]},{corner[1] + part * CHUNK} L{RIGHT},{TOP + part * BLOCKS * BLOCK}" '
              'stroke="#777777" stroke-width="0.9" stroke-dasharray="3 3" fill="none"/>')
    print(f'<rect x="{corner[0] - CHUNK}" y="{corner[1]}" width="{CHUNK}" height="{CHUNK}" fill="none" '
          'stroke="#222222" stroke-width="1.6"/>')
    print(f'<rect x="{RIGHT}" y="{TOP}" width="{BLOCKS * BLOCK}" height="{BLOCKS * BLOCK}" fill="none" '
          'stroke="#222222" stroke-width="1.6"/>')


def legend(y):
    entries = [(LEFT, LOADED, "", "loaded"), (LEFT + 86, KEPT, "", "kept: loaded before the viewer moved"),
               (LEFT + 336, DROPPED, "4 3", "unloaded"), (LEFT + 430, MISSING, "", "missing, requested in this order"),
               (LEFT + 668, "#d9cfc1", "", "fertile, out of reach")]
    for x, fill, dash, label in entries:
        square(x, y, 14, fill, dash=dash)
        text(x + 20, y + 12, label)


def main():
    width, height = RIGHT + BLOCKS * BLOCK + 14, TOP + ROWS * CHUNK + 48
    svg.begin(width, height)
    coarse()
    fine()
    legend(TOP + ROWS * CHUNK + 22)
    svg.end()


main()
