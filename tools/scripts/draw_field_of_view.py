#!/usr/bin/env python3
"""Draws docs/figures/field-of-view2d.svg: the fields of view that examples/field_of_view2d.cc prints.

Usage: tools/scripts/draw_field_of_view.py > docs/figures/field-of-view2d.svg
"""

from modules import ROOT

import svg

TILE = 13  # pixels
MARGIN, TOP, GAP = 10, 34, 24
WALL, DARK_WALL = "#4d4d4d", "#b9b9b9"
FLOOR, DARK_FLOOR = "#f7d774", "#ececec"


def read_maps():
    """Returns the printed maps by their titles."""
    maps, title = {}, ""
    for line in (ROOT / "examples" / "expected" / "field_of_view2d.txt").read_text().splitlines():
        if line.startswith("|"):
            maps[title].append(line.strip("|"))
        else:
            title = line.rstrip(":")
            maps[title] = []
    return maps


def color(tile, is_seen):
    if tile == "#":
        return WALL if is_seen else DARK_WALL
    return FLOOR if is_seen else DARK_FLOOR


def panel(left, title, tiles, seen):
    print(f'<text x="{left}" y="22" font-size="13" fill="#222222">{title}</text>')
    for row, (tile_row, seen_row) in enumerate(zip(tiles, seen)):
        for column, (tile, mark) in enumerate(zip(tile_row, seen_row)):
            x, y = left + column * TILE, TOP + row * TILE
            print(f'<rect x="{x}" y="{y}" width="{TILE}" height="{TILE}" fill="{color(tile, mark != " ")}" '
                  'stroke="#ffffff" stroke-width="0.7"/>')
            if tile == "@":
                print(f'<circle cx="{x + TILE / 2}" cy="{y + TILE / 2}" r="{TILE / 3}" fill="#c0392b"/>')


def main():
    maps = read_maps()
    tiles = maps["the map"]
    panel_width = len(tiles[0]) * TILE
    width, height = 2 * MARGIN + 2 * panel_width + GAP, TOP + len(tiles) * TILE + MARGIN
    svg.begin(width, height)
    panel(MARGIN, "kCenter: the middle is seen", tiles, maps["the middle is seen"])
    panel(MARGIN + panel_width + GAP, "kAny: any part is seen", tiles, maps["any part is seen"])
    svg.end()


main()
