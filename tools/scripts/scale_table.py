#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the ratios of docs/scale.md from what ./dev bench scale has measured, between two markers.

usage: tools/scripts/scale_table.py [--page PAGE] RESULTS.json
"""
import argparse
import json
import math
import pathlib
import sys

from performance_table import END, BadResults, replaced

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "scale.md"
BEGIN = "<!-- figures: begin (tools/scripts/scale_table.py) -->"
HEADING = ["| ratio | is | must be |", "|---|---|---|"]


def row(target, path):
    """Returns the line of the table for a target."""
    members = {"what": str, "value": (int, float), "must": (int, float), "at_least": bool}
    for name, kind in members.items():
        value = target.get(name) if isinstance(target, dict) else None
        if not isinstance(value, kind) or (kind is not bool and isinstance(value, bool)):
            raise BadResults(f"{path}: '{name}' of {json.dumps(target)} is missing or not of the form that "
                             "./dev bench scale writes")
    if not math.isfinite(target["value"]):
        raise BadResults(f"{path}: {json.dumps(target)} is no measurement")
    is_reached = target["value"] >= target["must"] if target["at_least"] else target["value"] <= target["must"]
    missed = "" if is_reached else " (missed)"
    return f"| {target['what']} | {target['value']:.2f}{missed} | {'>=' if target['at_least'] else '<='} {target['must']} |"


def figures(path):
    """Returns the text between the markers."""
    try:
        data = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadResults(f"{path}: {error}") from error
    if not isinstance(data, dict) or not isinstance(data.get("targets"), list):
        raise BadResults(f"{path}: has no list 'targets'; write it by ./dev bench scale --json {path}")
    run = f"A {'quick' if data.get('quick') else 'full'} run on {data.get('machine', 'an unknown machine')}."
    return "\n".join([run, "", *HEADING, *(row(target, path) for target in data["targets"])]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", type=pathlib.Path, default=PAGE)
    parser.add_argument("results")
    options = parser.parse_args()
    try:
        page = options.page.read_text(encoding="utf-8")
        options.page.write_text(replaced(page, figures(options.results), BEGIN, END), encoding="utf-8")
    except (BadResults, OSError) as error:
        print(f"scale_table.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
