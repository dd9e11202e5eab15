#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what several processes cost, as ratios to one: docs/scale.md.

usage: tools/bench/scale.py FOLDER [--quick] [--part PART] [--json FILE]

FOLDER has the programs of a build, fractalray and fractalray_scale. A store is made in a PostgreSQL server of its own.
Parts whose programs or packages are not installed are left out, with a line that says so.
"""
import argparse
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile

import bake_cost
import local_postgres

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = ("door", "cache", "bake")


def make_store(programs, url):
    """Puts the bundled world into a database."""
    world = ROOT / "examples/worlds/w1"
    with subprocess.Popen([sys.executable, "-B", ROOT / "tools/scripts/map_to_postgres.py", world],
                          stdout=subprocess.PIPE) as printed:
        subprocess.run(["psql", "-q", "-v", "ON_ERROR_STOP=1", url], stdin=printed.stdout, check=True)
    subprocess.run([programs / "fractalray", "store", "init", url], check=True, stdout=subprocess.DEVNULL)


def run_program(programs, arguments, more):
    """Runs fractalray_scale. Returns its results, and if all answers were right."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        command = [programs / "fractalray_scale", "--json", file.name, *more]
        command += ["--quick"] if arguments.quick else []
        is_right = subprocess.run(command).returncode == 0
        return json.loads(pathlib.Path(file.name).read_text()), is_right


def measure_processes(programs, arguments):
    """Measures the door and the cache."""
    part = [] if arguments.part is None else ["--part", arguments.part]
    if arguments.part == "door" or local_postgres.find_programs() is None:
        if arguments.part != "door":
            print("A cache of a store is left out: no PostgreSQL; as root: apt-get install postgresql")
        return run_program(programs, arguments, part)
    with local_postgres.database("w1") as url:
        make_store(programs, url)
        return run_program(programs, arguments, [*part, "--store", url])


def add_bake(results, quick):
    """Adds the cost of Dask. Returns if its results were right."""
    missing = [name for name in ("distributed", "numpy") if importlib.util.find_spec(name) is None]
    if missing:
        print(f"Bakes on Dask are left out: no {', '.join(missing)}; as root: apt-get install "
              + " ".join(f"python3-{name}" for name in missing))
        return True
    print("\nA bake on Dask, with one worker, on one core", flush=True)
    what = "Dask: CPU to that of the plain loop"
    ratio, is_right = bake_cost.measure(quick)
    print(f"  {what:58s} {ratio:10.3f}")
    results.setdefault("figures", []).append({"name": what, "value": ratio, "unit": "ratio"})
    results.setdefault("targets", []).append({"what": what, "value": ratio, "must": 1.1, "at_least": False})
    return is_right


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true", help="fewer rounds: a minute or two")
    parser.add_argument("--part", choices=PARTS, help="measure only this one")
    parser.add_argument("--json", type=pathlib.Path, help="also write the figures to a file")
    arguments = parser.parse_args()
    results, is_right = {"quick": arguments.quick}, True
    if arguments.part != "bake":
        results, is_right = measure_processes(arguments.folder, arguments)
    if arguments.part in (None, "bake"):
        is_right = add_bake(results, arguments.quick) and is_right
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    if not is_right:
        print("scale.py: some answers are wrong", file=sys.stderr)
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
