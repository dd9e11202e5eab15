#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the figures of docs/performance.md from what ./dev bench has measured, between two markers.

usage: tools/scripts/performance_table.py [--check] [--page PAGE] RESULTS.json...

Each file is one that `./dev bench --json FILE` has written; a row of a later file replaces the same row of
an earlier one of the same machine. Of several machines the first has the tables of times; one more table
has ratios, with a column for each machine and their range. With --check nothing is written: the exit code is 1 if the page is out of date.
"""
import argparse
import json
import math
import pathlib
import sys

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "performance.md"
BEGIN = "<!-- figures: begin (tools/scripts/performance_table.py) -->"
END = "<!-- figures: end -->"

# The columns of all tables, in this order.
SYSTEMS = ["fractalray", "fractalray-optimized", "fractalray-segment", "fractalray-ray", "fractalray-single", "fractalray-plain",
           "fractalray-cubes", "fractalray-expanded", "fractalray-raycast", "textbook-float", "textbook-double",
           "textbook-boxes", "openvdb", "nanovdb", "embree", "embree16", "tinybvh", "bullet", "embree-refit",
           "embree-rebuilt", "grid"]
# Scenes of sweeps, which are drawn instead (tools/bench/plot.py).
SWEEPS = ("strip", "density-", "world-")
# The scenes with a row of hits, and how many of these the works use.
ROWS = ("water-row", "borrowed-row", "entity-row")
AMOUNTS = {"first_of_4096": "first", "tenth_of_4096": "tenth", "all_of_4096": "all", "pull_4096": "all"}
# The segments that are measured after moves of a kind.
QUERIES_AFTER = {"little": "random", "far": "after-far"}
# The scenes with blocks that do not fill their cubes.
SHAPED = ("slabs", "village")


def line_of(row):
    return f"{row['scene']}, {row['rays']}"


def work_of(row):
    return row["work"].replace("_", " ")


def scene_of(row):
    return f"{row['count']:,} {row['scene'].removeprefix('entities-')}"


def is_of_row(row):
    return row["scene"] in ROWS and row["work"] in AMOUNTS


def is_pick(row):
    return row["scene"] == "terrain" and row["rays"].startswith("reach-") and row["work"] == "first_hit"


def is_load(row):
    return is_pick(row) or row["work"] in ("hit_groups", "sight_groups")


def is_first_hit(row):
    return row["work"] == "first_hit" and row["scene"] not in SHAPED and not is_pick(row)


# The tables: title, the rows of the results that belong to it, what a line and a column of it stand for.
TABLES = [
    ("Loads of games, ns per line", is_load, lambda row: row["rays"], lambda row: row["system"]),
    ("First hit, ns per segment", is_first_hit, line_of, lambda row: row["system"]),
    ("Blocks with shapes, ns per segment", lambda row: row["scene"] in SHAPED,
     lambda row: f"{line_of(row)}: {work_of(row)}", lambda row: row["system"]),
    ("Other queries, ns per segment", lambda row: row["count"] == 0 and not is_of_row(row),
     lambda row: f"{line_of(row)}: {work_of(row)}", lambda row: row["system"]),
    ("A row of 4,096 hits, ns per line", is_of_row,
     lambda row: row["rays"], lambda row: f"{row['scene']}: {AMOUNTS[row['work']]}"),
    ("Ticks, ns for the move of an entity and a segment", lambda row: row["work"] == "entity_tick",
     lambda row: f"{scene_of(row)}, {row['rays']}", lambda row: row["system"]),
    ("Entities, ns per moved entity or per segment", lambda row: row["count"] > 0,
     lambda row: f"{scene_of(row)}, {row['rays']}: {work_of(row)}",
     lambda row: row["system"]),
]


class BadResults(Exception):
    pass


def checked(row, path):
    """Returns a row of the results with the members that the tables read, or raises BadResults."""
    members = {"scene": str, "rays": str, "work": str, "system": str, "count": int, "ns": (int, float), "wrong": int}
    for name, kind in members.items():
        value = row.get(name) if isinstance(row, dict) else None
        if not isinstance(value, kind) or isinstance(value, bool):
            raise BadResults(f"{path}: '{name}' of {json.dumps(row)} is missing or not of the form that ./dev bench writes")
    if not (math.isfinite(row["ns"]) and row["ns"] >= 0 and row["count"] >= 0):
        raise BadResults(f"{path}: {json.dumps(row)} is no measurement")
    return row


def read(paths):
    """Returns the rows of each machine, and of each machine how it was measured: "quick", "full" or both."""
    machines, kinds = {}, {}
    for path in paths:
        try:
            data = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise BadResults(f"{path}: {error}") from error
        if not isinstance(data, dict) or not isinstance(data.get("results"), list):
            raise BadResults(f"{path}: has no list 'results'; write it by ./dev bench --json {path}")
        machine = data.get("machine", "an unknown machine")
        if not isinstance(machine, str):
            raise BadResults(f"{path}: 'machine' is no text; write it by ./dev bench --json {path}")
        rows = machines.setdefault(machine, {})
        for row in data["results"]:
            row = checked(row, path)
            key = tuple(row[name] for name in ("scene", "rays", "work", "system", "count"))
            rows[key] = row
        kinds.setdefault(machine, {})["quick" if data.get("quick") else "full"] = None
    drawn = {machine: [row for row in rows.values() if not row["scene"].startswith(SWEEPS)]
             for machine, rows in machines.items()}
    return drawn, kinds


def cell(row):
    if row is None:
        return "-"
    ns = f"{row['ns']:,.0f}"
    return ns if row["wrong"] == 0 else f"{ns} ({row['wrong']:,})"


def table(title, rows, line, column):
    """Returns the lines of a table: a blank one, the heading, its columns and its rows."""
    cells = {}
    for row in rows:
        cells.setdefault(line(row), {})[column(row)] = row
    found = dict.fromkeys(column(row) for row in rows)
    columns = [name for name in SYSTEMS if name in found] + [name for name in found if name not in SYSTEMS]
    heading = ["", f"| {' | '.join([title, *columns])} |", "|---" * (len(columns) + 1) + "|"]
    return heading + [f"| {' | '.join([name, *(cell(of.get(c)) for c in columns)])} |" for name, of in cells.items()]


def ratios(rows):
    """Returns, for each line of the table of ratios, those of our time to a loop's and the fastest peer's."""
    times = {}
    for row in rows:
        if (is_load(row) or is_first_hit(row)) and row["count"] == 0:
            name = row["rays"] if is_load(row) else line_of(row)
            times.setdefault((name, is_pick(row)), {})[row["system"]] = row["ns"]
    lines = {}
    for (name, is_a_pick), systems in times.items():
        # Players pick along rays in doubles.
        ours = systems.get("fractalray-ray" if is_a_pick else "fractalray")
        peers = [ns for system, ns in systems.items()
                 if not system.startswith(("fractalray", "textbook")) and system != "embree16"]
        others = (systems.get("textbook-double"), min(peers, default=None))
        if ours is not None and any(others):
            lines[name] = tuple(ours / other if other else None for other in others)
    return lines


def fastest_of(systems, entities):
    """Returns the systems that take the least time for a tick, each with the number of segments from which it does.

    `systems` has the times of a moved entity and of a segment by name.
    """
    name = min(systems, key=lambda system: systems[system])
    fastest = [(0, name)]
    while True:
        move, query = systems[name]
        # Of those with cheaper segments, the one that catches up first.
        later = [(math.ceil(entities * (systems[other][0] - move) / (query - systems[other][1])), systems[other][1], other)
                 for other in systems if systems[other][1] < query]
        if not later:
            return fastest
        begin, _, name = min(later)
        fastest.append((begin, name))


def tick_table(rows):
    """Returns the lines of a table of the systems that win, by the number of segments a tick."""
    times = {}
    for row in rows:
        is_move = row["work"] == "entity_move"
        if row["count"] > 0 and (is_move or row["work"] == "entity_query"):
            rays = QUERIES_AFTER.get(row["rays"]) if is_move else row["rays"]
            times.setdefault((scene_of(row), row["count"], rays), {}).setdefault(row["system"], {})[is_move] = row["ns"]
    lines = []
    for (scene, count, rays), systems in times.items():
        both = {name: (of[True], of[False]) for name, of in systems.items() if len(of) == 2}
        if len(both) < 2:
            continue
        moves = next(name for name, queries in QUERIES_AFTER.items() if queries == rays)
        won = ", ".join(f"{name} from {begin:,}" for begin, name in fastest_of(both, count))
        lines.append(f"| {scene}, {moves} | {won} |")
    heading = ["", "| The fastest for a tick in which all move, by its number of segments | |", "|---|---|"]
    return heading + lines if lines else []


def in_words(values):
    """Returns a ratio, a range of ratios, or "-" for none."""
    texts = [f"{value:.2f}" for value in sorted(value for value in values if value is not None)]
    if not texts:
        return "-"
    return texts[0] if texts[0] == texts[-1] else f"{texts[0]} to {texts[-1]}"


def ratio_table(machines):
    """Returns the lines of a table with a column for each machine, and the range over all."""
    columns = [ratios(rows) for rows in machines.values()]
    heading = ["Our time to that of a loop in doubles, of the fastest peer", *map(letter, range(len(columns))), "range"]
    lines = ["", f"| {' | '.join(heading)} |", "|---" * len(heading) + "|"]
    for name in dict.fromkeys(name for column in columns for name in column):
        cells = [column.get(name, (None, None)) for column in columns]
        shown = [", ".join(in_words([value]) for value in one) for one in cells]
        shown.append(", ".join(in_words(values) for values in zip(*cells)))
        lines.append(f"| {' | '.join([name, *shown])} |")
    return lines


def letter(number):
    return chr(ord("A") + number)


def figures(paths):
    """Returns the text between the markers. A row belongs to the first table that takes it."""
    machines, kinds = read(paths)
    is_one = len(machines) == 1
    lines = [" ".join(f"A {kind} run on {machine}{'' if is_one else f' ({letter(number)})'}."
                      for number, machine in enumerate(machines) for kind in kinds[machine])]
    if not is_one:
        lines += ratio_table(machines)
    rows = next(iter(machines.values()))
    ticks = tick_table(rows)
    for title, takes, line, column in TABLES:
        taken = [row for row in rows if takes(row)]
        rows = [row for row in rows if not takes(row)]
        if taken:
            lines += table(title if is_one else f"{title}, on A", taken, line, column)
    return "\n".join(lines + ticks) + "\n"


def replaced(page, text, begin=BEGIN, end=END):
    """Returns the page with the text between its markers."""
    if page.count(begin) != 1 or page.count(end) != 1 or page.index(begin) > page.index(end):
        raise BadResults(f"the page needs one line '{begin}' and after it one '{end}'")
    before, rest = page.split(begin)
    return f"{before}{begin}\n{text}{end}{rest.split(end)[1]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--page", type=pathlib.Path, default=PAGE)
    parser.add_argument("results", nargs="+")
    options = parser.parse_args()
    try:
        page = options.page.read_text(encoding="utf-8")
        text = replaced(page, figures(options.results))
    except (BadResults, OSError) as error:
        print(f"performance_table.py: {error}", file=sys.stderr)
        return 2
    if text == page:
        return 0
    if options.check:
        print(f"{options.page} is out of date; run tools/scripts/performance_table.py {' '.join(options.results)}", file=sys.stderr)
        return 1
    options.page.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
