#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws what ./dev bench has written with --json: SVG files for docs/performance.md.

usage: tools/bench/plot.py RESULTS.json [FOLDER]     (docs/figures by default)
"""
import json
import math
import os
import sys
from xml.sax.saxutils import escape

COLORS = {
    "fractalray": "#0b5fa5",
    "fractalray-optimized": "#2f7fc2",
    "fractalray-segment": "#2f7fc2",
    "fractalray-ray": "#539bd4",
    "fractalray-plain": "#7fb2dd",
    "textbook-float": "#b3b3b3",
    "textbook-double": "#7a7a7a",
    "openvdb": "#d9822b",
    "nanovdb": "#b8501a",
    "embree": "#5d8f3a",
    "embree16": "#2f6b2f",
    "tinybvh": "#8a6bb0",
    "embree-refit": "#2f6b2f",
    "embree-rebuilt": "#9bc27f",
    "bullet": "#a03c6e",
    "grid": "#7a7a7a",
}
INK = "#333333"
GRID = "#e3e3e3"
LEVELS = ["one_level", "two_levels", "three_levels", "four_levels", "five_levels"]


class Drawing:
    def __init__(self, width, height, title):
        self.width = width
        self.height = height
        self.parts = []
        self.text(16, 26, title, size=16, weight="bold")

    def rect(self, x, y, width, height, fill):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
                          f'height="{height:.1f}" fill="{fill}"/>')

    def line(self, points, color, width=1.0):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" '
                          f'stroke-width="{width}"/>')

    def dot(self, x, y, color):
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>')

    def text(self, x, y, text, size=12, anchor="start", weight="normal", color=INK):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{color}" '
                          f'font-weight="{weight}" text-anchor="{anchor}">{escape(text)}</text>')

    def save(self, path):
        with open(path, "w", encoding="utf-8") as out:
            out.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} '
                      f'{self.height}" width="{self.width}" height="{self.height}" '
                      'font-family="Helvetica, Arial, sans-serif">\n'
                      f'<rect width="{self.width}" height="{self.height}" fill="white"/>\n')
            out.write("\n".join(self.parts))
            out.write("\n</svg>\n")
        print(path)


class Scale:
    """Maps values to positions on an axis: linear from 0, or logarithmic over whole decades."""

    def __init__(self, values, start, end, log):
        self.start, self.end, self.log = start, end, log
        self.low = 10.0 ** math.floor(math.log10(min(values))) if log else 0.0
        self.high = 10.0 ** math.ceil(math.log10(max(values))) if log else nice_above(max(values))
        if log and self.high == self.low:
            self.high *= 10

    def at(self, value):
        if self.log:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = value / self.high
        return self.start + share * (self.end - self.start)

    def ticks(self):
        if self.log:
            return [10.0 ** e for e in range(round(math.log10(self.low)),
                                             round(math.log10(self.high)) + 1)]
        return [self.high * i / 5 for i in range(6)]


def nice_above(value):
    step = 10.0 ** math.floor(math.log10(value))
    return next(step * factor for factor in (1, 2, 2.5, 5, 10) if step * factor >= value)


def number(value):
    if value >= 1 or value == 0:
        return f"{value:,.0f}"
    return f"{value:.10f}".rstrip("0")


def rows(data, **wanted):
    return [row for row in data["results"]
            if all(row[key] == value for key, value in wanted.items())]


def bars(data, path, title, panels, value, unit):
    """Panels of horizontal bars, two side by side, each from 0 unless that hides the small."""
    filled = []
    for name, wanted in panels:
        found = [row for row in rows(data, **wanted) if value(row) > 0]
        if found:
            filled.append((name, found))
    if not filled:
        return
    tallest = max(len(found) for _, found in filled)
    panel_height = 46 + 20 * tallest
    height = 70 + panel_height * ((len(filled) + 1) // 2)
    drawing = Drawing(900, height, title)
    drawing.text(16, 46, f"{unit}; less is better", color="#777777")
    for i, (name, found) in enumerate(filled):
        left = 16 + 446 * (i % 2)
        top = 60 + panel_height * (i // 2)
        values = [value(row) for row in found]
        log = max(values) > 60 * min(values)
        scale = Scale(values, left + 116, left + 370, log)
        drawing.text(left, top + 16, name + (" (logarithmic)" if log else ""), size=13,
                     weight="bold")
        bottom = top + 26 + 20 * len(found)
        for tick in scale.ticks():
            drawing.line([(scale.at(tick), top + 22), (scale.at(tick), bottom)], GRID)
        for j, row in enumerate(found):
            y = top + 26 + 20 * j
            color = COLORS.get(row["system"], "#999999")
            weight = "bold" if row["system"] == "fractalray" else "normal"
            drawing.text(left + 110, y + 12, row["system"], anchor="end", weight=weight)
            drawing.rect(scale.start, y, max(scale.at(value(row)) - scale.start, 1), 15, color)
            shown = f"{value(row):,.0f}" if value(row) >= 10 else f"{value(row):.1f}"
            drawing.text(scale.at(value(row)) + 5, y + 12, shown, size=11, weight=weight)
    drawing.save(path)


def lines(path, title, x_title, series, log_x, log_y, y_title="ns per segment"):
    """series: {system: [(x, y), ...]}."""
    if not series:
        return
    drawing = Drawing(720, 400, title)
    xs = [x for points in series.values() for x, _ in points]
    ys = [y for points in series.values() for _, y in points]
    across = Scale(xs, 80, 540, log_x)
    if not log_x:
        across.high = max(xs)
    up = Scale(ys, 350, 50, log_y)
    for tick in up.ticks():
        drawing.line([(80, up.at(tick)), (540, up.at(tick))], GRID)
        drawing.text(74, up.at(tick) + 4, number(tick), anchor="end", size=11)
    for tick in across.ticks() if log_x else sorted(set(xs)):
        drawing.line([(across.at(tick), 50), (across.at(tick), 350)], GRID)
        drawing.text(across.at(tick), 366, number(tick), anchor="middle", size=11)
    drawing.line([(80, 50), (80, 350), (540, 350)], INK)
    drawing.text(310, 388, x_title, anchor="middle")
    drawing.text(80, 42, y_title, size=11, color="#777777")
    label_ys = []
    by_end = sorted(series.items(), key=lambda item: up.at(sorted(item[1])[-1][1]))
    for system, points in by_end:
        points = sorted(points)
        color = COLORS.get(system, "#999999")
        width = 2.5 if system == "fractalray" else 1.5
        drawing.line([(across.at(x), up.at(y)) for x, y in points], color, width)
        for x, y in points:
            drawing.dot(across.at(x), up.at(y), color)
        # Labels follow the last points, without overlap.
        label_y = up.at(points[-1][1]) + 4
        if label_ys:
            label_y = max(label_y, label_ys[-1] + 14)
        label_ys.append(label_y)
        weight = "bold" if system == "fractalray" else "normal"
        drawing.text(across.at(points[-1][0]) + 10, label_y, system, color=color, weight=weight)
    drawing.save(path)


def sweep(data, key, prefix, **wanted):
    """{system: [(number after the prefix of row[key], ns), ...]}"""
    series = {}
    for row in rows(data, **wanted):
        if row[key].startswith(prefix):
            point = (float(row[key][len(prefix):]), row["ns"])
            series.setdefault(row["system"], []).append(point)
    return series


def levels(data):
    series = {}
    for i, work in enumerate(LEVELS):
        for row in rows(data, scene="fractal", rays="random", work=work):
            series.setdefault(row["system"], []).append((i + 1, row["ns"]))
    return series


def by_count(data, **wanted):
    series = {}
    for row in rows(data, **wanted):
        series.setdefault(row["system"], []).append((row["count"], row["ns"]))
    return series


def draw_all(data, folder):
    def first_hits(scene, rays):
        return {"scene": scene, "rays": rays, "work": "first_hit"}

    bars(data, os.path.join(folder, "first-hit.svg"), "First hit",
         [("terrain", first_hits("terrain", "random")),
          ("sparse", first_hits("sparse", "random")),
          ("caves", first_hits("caves", "random")),
          ("Luanti world", first_hits("luanti", "random")),
          ("terrain, camera", first_hits("terrain", "camera")),
          ("sparse, camera", first_hits("sparse", "camera")),
          ("Luanti world, camera", first_hits("luanti", "camera")),
          ("terrain, segments of 40,000 blocks", first_hits("terrain", "long"))],
         lambda row: row["ns"], "ns per segment")
    bars(data, os.path.join(folder, "memory.svg"), "Memory of a scene",
         [("terrain", first_hits("terrain", "random")),
          ("sparse", first_hits("sparse", "random"))],
         lambda row: row["bytes"] / 1e6, "MB")
    lines(os.path.join(folder, "length.svg"), "By length of the segment, in a nearly empty world",
          "length of a segment, in blocks",
          sweep(data, "rays", "length-", scene="strip"), log_x=True, log_y=True)
    lines(os.path.join(folder, "density.svg"), "By share of solid blocks, placed at random",
          "solid blocks, of all", sweep(data, "scene", "density-"), log_x=True, log_y=True)
    lines(os.path.join(folder, "world.svg"), "By size of the world, with the same terrain along the segments",
          "width of the world, in blocks", sweep(data, "scene", "world-"), log_x=False,
          log_y=False)
    lines(os.path.join(folder, "levels.svg"), "By number of levels queried, with the same hits",
          "levels", levels(data), log_x=False, log_y=False)
    for scene in ("uniform", "clustered"):
        wanted = {"scene": "entities-" + scene}
        lines(os.path.join(folder, f"entities-{scene}-move.svg"),
              f"Small moves of all entities, {scene}", "entities",
              by_count(data, rays="little", work="entity_move", **wanted),
              log_x=True, log_y=True, y_title="ns per entity")
        lines(os.path.join(folder, f"entities-{scene}-query.svg"),
              f"All entities on a segment of 400 blocks, {scene}", "entities",
              by_count(data, rays="random", work="entity_query", **wanted),
              log_x=True, log_y=True)


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[1] in ("-h", "--help"):
        print(__doc__.strip(), file=sys.stdout if len(sys.argv) > 1 else sys.stderr)
        return 0 if sys.argv[1:2] in (["-h"], ["--help"]) else 2
    folder = sys.argv[2] if len(sys.argv) == 3 else os.path.join(
        os.path.dirname(os.path.abspath(__file__)), "..", "docs", "figures")
    try:
        with open(sys.argv[1], encoding="utf-8") as results:
            data = json.load(results)
    except (OSError, ValueError) as error:
        print(f"plot.py: {sys.argv[1]}: {error}", file=sys.stderr)
        return 1
    os.makedirs(folder, exist_ok=True)
    draw_all(data, os.path.normpath(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
