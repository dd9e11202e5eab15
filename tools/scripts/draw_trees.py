#!/usr/bin/env python3
"""Draws docs/figures/trees.svg: how a line descends from a region to a block by an AND of two words.

Usage: tools/scripts/draw_trees.py > docs/figures/trees.svg
"""

import svg

PART, GAP, LEFT, TOP = 62, 64, 20, 64  # pixels: a part, between panels, the first panel
PANELS = [("region", "chunk", 64), ("chunk", "brick", 16), ("brick", "block", 4)]  # width in blocks
START, END = (1.0, 12.0), (63.0, 41.5)  # the line, in blocks
COLORS = {"none": "#ffffff", "occupied": "#b9cde4", "line": "#fdf1c7", "both": "#e8a33d"}


def is_solid(x, y):
    """Returns whether a block is solid: ground, a boulder above the line and a tower on it."""
    return y < 7 - x // 16 or (x - 12) ** 2 + (y - 40) ** 2 < 60 or 41 <= x <= 45 and y < 31 + x % 3


def is_touched(x, y, width):
    """Returns whether the line touches a closed square."""
    (x0, y0), (x1, y1) = START, END
    t0, t1 = 0.0, 1.0
    for p, d, low in ((x0, x1 - x0, x), (y0, y1 - y0, y)):
        t0, t1 = max(t0, (low - p) / d), min(t1, (low + width - p) / d)
    return t0 <= t1


def parts_of(x, y, width):
    """Returns the 16 parts of a square by slot: (is occupied, is touched, x, y)."""
    part = width // 4
    for slot in range(16):
        px, py = x + slot % 4 * part, y + slot // 4 * part
        blocks = ((bx, by) for bx in range(px, px + part) for by in range(py, py + part))
        yield any(is_solid(bx, by) for bx, by in blocks), is_touched(px, py, part), px, py


def word(bits):
    """Returns bits by slot as a binary number, in groups of a row."""
    return " ".join("".join("1" if bits[4 * row + 3 - i] else "0" for i in range(4)) for row in (3, 2, 1, 0))


def text(x, y, content, size=13, color="#555555", anchor="start", family=""):
    print(f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{color}" text-anchor="{anchor}"{family}>{content}</text>')


def draw_panel(left, name, part_name, x, y, width, parts):
    """Draws the parts of a square, its line and its words."""
    def at(px, py):
        return left + (px - x) * 4 * PART / width, TOP + (y + width - py) * 4 * PART / width

    text(left, TOP - 34, f"a {name}: 4 x 4 {part_name}s", 15, "#222222")
    text(left, TOP - 14, f"{width} blocks wide", 12)
    for slot, (occupied, touched, px, py) in enumerate(parts):
        kind = "both" if occupied and touched else "occupied" if occupied else "line" if touched else "none"
        cx, cy = at(px, py + width // 4)
        print(f'<rect x="{cx:g}" y="{cy:g}" width="{PART}" height="{PART}" fill="{COLORS[kind]}" stroke="#888888"/>')
        text(cx + 5, cy + 14, slot, 10, "#888888")
    ends = [START, END]
    slope = (END[1] - START[1]) / (END[0] - START[0])
    for i, edge in enumerate((x, x + width)):
        if START[0] < edge < END[0]:
            ends[i] = (edge, START[1] + (edge - START[0]) * slope)
    (ax, ay), (bx, by) = (at(*end) for end in ends)
    print(f'<g clip-path="url(#clip{width})"><path d="M{ax:g},{ay:g} L{bx:g},{by:g}" stroke="#c0392b" '
          'stroke-width="3"/></g>')
    print(f'<rect x="{left}" y="{TOP}" width="{4 * PART}" height="{4 * PART}" fill="none" stroke="#222222" '
          'stroke-width="2"/>')
    rows = [("occupied", [p[0] for p in parts]), ("the line", [p[1] for p in parts])]
    rows.append(("AND", [a and b for a, b in zip(rows[0][1], rows[1][1])]))
    for row, (label, bits) in enumerate(rows):
        line = TOP + 4 * PART + 26 + 20 * row
        text(left, line, label, 13, "#222222")
        text(left + 4 * PART, line, word(bits), 13, "#222222", "end", ' font-family="monospace"')


def main():
    width = 2 * LEFT + len(PANELS) * 4 * PART + (len(PANELS) - 1) * GAP
    height = TOP + 4 * PART + 84
    svg.begin(width, height)
    x, y = 0, 0
    for number, (name, part_name, size) in enumerate(PANELS):
        left = LEFT + number * (4 * PART + GAP)
        print(f'<clipPath id="clip{size}"><rect x="{left}" y="{TOP}" width="{4 * PART}" height="{4 * PART}"/></clipPath>')
        parts = list(parts_of(x, y, size))
        draw_panel(left, name, part_name, x, y, size, parts)
        both = [part for part in parts if part[0] and part[1]]
        hit = next(part for part in both if any(p[0] and p[1] for p in parts_of(part[2], part[3], size // 4)) or size == 4)
        x, y = hit[2], hit[3]
        if number + 1 < len(PANELS):  # an arrow from the part that is descended into
            px = left + (x % size // (size // 4) + 0.5) * PART
            py = TOP + (3 - y % size // (size // 4) + 0.5) * PART
            end = left + 4 * PART + GAP - 6
            print(f'<path d="M{px + 12:g},{py:g} L{end},{TOP + 2 * PART}" stroke="#222222" stroke-width="1.5" '
                  'stroke-dasharray="5 4" fill="none"/>')
            print(f'<path d="M{end},{TOP + 2 * PART} l-10,-5 l0,10 Z" fill="#222222"/>')
    svg.end()


if __name__ == "__main__":
    main()
