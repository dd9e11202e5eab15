#!/usr/bin/env python3
"""Draws docs/figures/scale.svg: workers over one store, their clients, and a bake.

Usage: tools/scripts/draw_scale.py > docs/figures/scale.svg
"""

import svg
from svg import text

WIDTH, HEIGHT = 880, 440
ROWS = {"clients": 20, "workers": 180, "store": 342}  # the upper edges, in pixels
PROCESS, CACHE, STORED, TEXT = "#d6e2f0", "#9db9d9", "#ffe2a8", "#222222"


def box(x, y, width, height, title, lines=(), fill=PROCESS):
    """Draws a box with a title and lines below it."""
    print(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="4" fill="{fill}" stroke="#8a8a8a"/>')
    text(x + width / 2, y + 20, title, size=14, color=TEXT, anchor="middle")
    for number, line in enumerate(lines):
        text(x + width / 2, y + 39 + 16 * number, line, anchor="middle")


def arrow(x0, y0, x1, y1, both=False):
    """Draws an arrow to (x1, y1), or to both ends."""
    start = ' marker-start="url(#head)"' if both else ""
    print(f'<line x1="{x0}" y1="{y0}" x2="{x1}" y2="{y1}" stroke="#555555" stroke-width="1.5"{start} '
          'marker-end="url(#head)"/>')


def clients():
    y = ROWS["clients"]
    box(20, y, 200, 78, "game server", ("single shots in process;", "batches, once a tick"))
    box(250, y, 170, 78, "map, anti-cheat, bots", ("batches from C, Python,", "LuaJIT"))
    for x in (50, 400):
        arrow(x, y + 80, x, ROWS["workers"] - 24, both=True)
    text(225, y + 102, "frames on Unix sockets, TCP", anchor="middle")
    text(225, y + 120, "a client whose worker is gone asks another one", anchor="middle", size=11)


def workers():
    y = ROWS["workers"]
    print(f'<rect x="10" y="{y - 22}" width="420" height="120" rx="6" fill="none" stroke="#8a8a8a" '
          'stroke-dasharray="4 3"/>')
    for number, x in enumerate((22, 156, 290)):
        title = ("worker 1", "worker 2", "worker n")[number]
        box(x, y - 10, 128, 92, title, ("no state but a cache", "of one snapshot"), CACHE)
    for x in (30, 410):
        arrow(x, ROWS["store"] - 2, x, y + 100)
    text(220, y + 122, "what lines need; changes since the snapshot", anchor="middle")
    text(220, y + 140, "notices are hints alone: a lost one costs a second", anchor="middle", size=11)


def store():
    y = ROWS["store"]
    box(10, y, 420, 82, "PostgreSQL", ("Luanti's table of mapblocks", "log of changes by transaction, block types"), STORED)
    box(510, y, 160, 82, "Luanti server", ("writes mapblocks,", "knows of nothing else"))
    arrow(508, y + 41, 432, y + 41)


def bake():
    y = ROWS["clients"]
    box(480, y, 380, 78, "a bake", ("regions with a halo, each a pure function;", "processes, Dask, Slurm, mpirun"))
    for number, x in enumerate((486, 612, 738)):
        box(x, y + 120, 116, 56, ("task 1", "task 2", "task n")[number], ("a region",), CACHE)
        arrow(x + 58, y + 80, x + 58, y + 116)
        arrow(x + 58, y + 178, x + 58, y + 212)
    box(480, y + 216, 380, 34, "a file a region, by renaming; one hash of all", (), STORED)
    box(700, ROWS["store"], 168, 82, "copy of the map", ("that nobody writes",), STORED)
    print(f'<path d="M 784 {ROWS["store"]} V {ROWS["store"] - 30} H 870 V {y + 148} H 858" fill="none" stroke="#555555" '
          'stroke-width="1.5" marker-end="url(#head)"/>')


def main():
    svg.begin(WIDTH, HEIGHT)
    print('<defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
          'orient="auto-start-reverse"><path d="M 0 0 L 10 5 L 0 10 z" fill="#555555"/></marker></defs>')
    clients()
    workers()
    store()
    bake()
    svg.end()


if __name__ == "__main__":
    main()
