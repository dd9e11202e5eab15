# SPDX-License-Identifier: Apache-2.0
"""The command line of bakes: python3 -m fractalray.bake JOB ..."""

from __future__ import annotations

import argparse
import dataclasses
import os
import re
import shlex
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..errors import FractalrayError, InvalidArgumentError
from .chunk_sight import ChunkSight
from .collect import collect
from .dask_executor import Dask
from .executors import BakeExecutor, Loop, Processes
from .job import Job, find
from .map_tiles import MapTiles
from .progress import Printed
from .region import Region, parse_box
from .run import run
from .shares import parse_share, share_of
from .sky_light import SkyLight
from .source import SavedWorld, Source

JOBS: dict[str, type[Job]] = {"map": MapTiles, "light": SkyLight, "sight": ChunkSight}
INTERRUPTED = 128 + signal.SIGINT

#: Types of fields without a default, and a value of each.
_EXAMPLES: dict[Any, tuple[type, str]] = {
    "bool": (bool, "yes"),
    "int": (int, "8"),
    "float": (float, "0.5"),
}

_PROGRAM = "python3 -m fractalray.bake"
_HELP = f"""usage: {_PROGRAM} JOB --world WORLD --out FOLDER [options]
       {_PROGRAM} JOB --help
       {_PROGRAM} collect --out FOLDER

Bakes a world region by region. JOB is one of

  map      the world from above with shadows, and its heights
  light    sky light and ambient occlusion of each column's surface
  sight    which chunks see which
  MODULE:CLASS, a job of your own, such as my_jobs:Caves

and `collect` joins the regions to arrays, pictures and one hash, and lists those that are missing.

examples:
  {_PROGRAM} map --world worlds/mine --out out/map --processes 4
  {_PROGRAM} light --world worlds/mine --out out/light --dask tcp://127.0.0.1:8786
  {_PROGRAM} sight --world worlds/mine --out out/sight --share 0/4
  sbatch --array=0-31 --wrap "{_PROGRAM} map --world worlds/mine --out out/map"
  mpirun -n 4 {_PROGRAM} map --world worlds/mine --out out/map
  {_PROGRAM} collect --out out/map

Repeat a command that was stopped: it bakes what is missing or damaged. docs/bake.md has more."""


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are exceptions."""

    def error(self, message: str) -> Any:
        raise InvalidArgumentError(f"{message}; see {self.prog} --help")


def main(arguments: Sequence[str]) -> int:
    """Runs a command. Returns the exit status: 0, 1 for errors, 130 after Ctrl+C."""
    try:
        return _main(_joined(arguments))
    except KeyboardInterrupt:
        text = "interrupted; finished regions are kept. Repeat the command to continue"
        print(f"\nfractalray.bake: {text}", file=sys.stderr)
        return INTERRUPTED
    except (FractalrayError, OSError, TypeError, ValueError) as error:
        print(f"fractalray.bake: {error}", file=sys.stderr)
        return 1


def _main(arguments: Sequence[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_HELP)
        return 0 if arguments else 1
    name, rest = arguments[0], arguments[1:]
    if name == "collect":
        parsed = _collect_parser().parse_args(rest)
        return _collect(parsed.out, parsed.hash_only)
    if name not in JOBS and ":" not in name:
        raise InvalidArgumentError(
            f"the job is {name!r}; it must be one of {', '.join(JOBS)}, collect, or MODULE:CLASS"
        )
    kind = JOBS[name] if name in JOBS else find(name, Job)
    parsed = _job_parser(name, kind).parse_args(rest)
    return _bake(kind, parsed)


def _joined(arguments: Sequence[str]) -> list[str]:
    """Returns the arguments with negative values joined: --box -4,0.. becomes --box=-4,0.."""
    made: list[str] = []
    for argument in arguments:
        if made and re.match(r"--[\w-]+$", made[-1]) and re.match(r"-\d", argument):
            made[-1] += "=" + argument
        else:
            made.append(argument)
    return made


def _collect_parser() -> _Parser:
    parser = _Parser(prog=f"{_PROGRAM} collect", description="Joins the regions of a bake.")
    parser.add_argument("--out", required=True, metavar="FOLDER", help="the folder of the bake")
    parser.add_argument("--hash-only", action="store_true", help="write no arrays and pictures")
    return parser


def _job_parser(name: str, kind: type[Job]) -> _Parser:
    description = (kind.__doc__ or "").strip()
    parser = _Parser(
        prog=f"{_PROGRAM} {name}",
        description=re.sub(r"\n {4}", "\n", description),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    world = parser.add_argument_group("the world")
    given = world.add_mutually_exclusive_group(required=True)
    given.add_argument("--world", metavar="PATH", help="a Luanti world, or its map.sqlite")
    given.add_argument("--source", metavar="MODULE:NAME", help="a bake.Source of your own")
    world.add_argument("--kinds", metavar="FILE", help="a table of kinds, see docs/luanti.md")
    world.add_argument("--open", choices=("whole", "parts"), help="read all of the map, or regions")
    world.add_argument("--state", metavar="TEXT", help="names the content, in place of its hash")
    world.add_argument(
        "--skip-damaged",
        action="store_true",
        default=None,
        help="take chunks that cannot be read as not loaded",
    )
    world.add_argument(
        "--box", metavar="X,Y,Z..X,Y,Z", help="chunks, or X,Z..X,Z; all by default"
    )
    how = parser.add_argument_group("how")
    how.add_argument("--out", required=True, metavar="FOLDER", help="of one bake; used again")
    how.add_argument("--region", type=int, default=8, metavar="N", help="chunks wide (8)")
    executor = how.add_mutually_exclusive_group()
    executor.add_argument("--processes", type=int, metavar="N", help="of this machine")
    executor.add_argument("--dask", metavar="ADDRESS", help="the scheduler of a Dask cluster")
    how.add_argument(
        "--share", metavar="I/N", help="of processes on one folder; Slurm arrays and mpirun set it"
    )
    options = parser.add_argument_group("options of the job")
    for each in dataclasses.fields(kind) if dataclasses.is_dataclass(kind) else ():
        words, shown = each.metadata.get("help", ""), _shown(each)
        text = f"{words} ({shown})" if shown else words
        try:
            options.add_argument(
                "--" + each.name.replace("_", "-"),
                dest="job_" + each.name,
                metavar="VALUE",
                required=_default_of(each) is dataclasses.MISSING,
                help=text.replace("%", "%%"),
            )
        except argparse.ArgumentError:
            raise InvalidArgumentError(
                f"{name}: the field {each.name!r} has the name of an option of all jobs; rename it"
            ) from None
    return parser


def _default_of(each: dataclasses.Field[Any]) -> Any:
    """Returns the default of a field; MISSING if there is none."""
    factory = each.default_factory
    return each.default if factory is dataclasses.MISSING else factory()


def _shown(each: dataclasses.Field[Any]) -> str:
    """Returns the default of a field as it is written; an empty text if there is none."""
    default = _default_of(each)
    if default is dataclasses.MISSING:
        return ""
    if isinstance(default, bool):
        return "yes" if default else "no"
    is_several = isinstance(default, (tuple, list))
    return ",".join(map(str, default)) if is_several else str(default)


def _made_job(kind: type[Job], parsed: argparse.Namespace) -> Job:
    values = {}
    for each in dataclasses.fields(kind) if dataclasses.is_dataclass(kind) else ():
        text = getattr(parsed, "job_" + each.name)
        if text is not None:
            values[each.name] = _value_of(each, text)
    return kind(**values)


def _value_of(each: dataclasses.Field[Any], text: str) -> Any:
    parse, default = each.metadata.get("parse"), _default_of(each)
    if parse is not None:
        return parse(text)
    kind = type(default)
    if default is dataclasses.MISSING:  # the annotation, a text or a class, names it
        kind = _EXAMPLES.get(getattr(each.type, "__name__", each.type), (str, ""))[0]
    try:
        if kind is bool:
            return {"yes": True, "no": False}[text]
        if kind in (tuple, list):
            return tuple(int(part) for part in text.split(","))
        return kind(text) if kind in (int, float) else text
    except (ValueError, KeyError):
        name, shown = each.name.replace("_", "-"), _shown(each)
        shown = shown or _EXAMPLES.get(kind.__name__, (str, "1,2"))[1]  # a tuple or list is left
        raise InvalidArgumentError(f"--{name} is {text!r}; give a value such as {shown}") from None


def _bake(kind: type[Job], parsed: argparse.Namespace) -> int:
    job, source = _made_job(kind, parsed), _source(parsed)
    box: Region | None = None
    if parsed.box is not None:
        box = parse_box(parsed.box, source.extent().height)
    share, variables = (parse_share(parsed.share), "") if parsed.share else share_of(os.environ)
    executor = _executor(parsed)
    printed = Printed(job.name, share, variables)
    run(
        job,
        source,
        parsed.out,
        box=box,
        width=parsed.region,
        executor=executor,
        share=share,
        progress=printed,
        begun=printed.begin,
    )
    if share.count > 1:
        collecting = f"{_PROGRAM} collect --out {shlex.quote(parsed.out)}"
        print(f"share {share} is done; when all are: {collecting}")
        return 0
    return _collect(parsed.out, hash_only=False, job=job)


def _source(parsed: argparse.Namespace) -> Source:
    if parsed.source is not None:
        for name in ("kinds", "open", "state", "skip-damaged"):
            if getattr(parsed, name.replace("-", "_")) is not None:
                raise InvalidArgumentError(f"--{name} is for --world; leave it out with --source")
        found = find(parsed.source, Source)
        source: Source = found() if isinstance(found, type) else found
        return source
    kinds = None if parsed.kinds is None else Path(parsed.kinds).read_text(encoding="utf-8")
    whole = None if parsed.open is None else parsed.open == "whole"
    return SavedWorld(parsed.world, kinds, whole, parsed.state, bool(parsed.skip_damaged))


def _executor(parsed: argparse.Namespace) -> BakeExecutor:
    if parsed.processes is not None:
        return Processes(parsed.processes)
    if parsed.dask is not None:
        return Dask(parsed.dask)
    return Loop()


def _collect(out: str, hash_only: bool, job: Job | None = None) -> int:
    collected = collect(out, job=job, arrays=not hash_only, pictures=not hash_only)
    name = collected.plan.job.name
    print(f"{name}: {collected.regions} regions, {collected.columns} columns of chunks")
    print(f"hash {collected.hash}")
    for path in collected.arrays.values():
        print(f"array {path}")
    if collected.page is not None:
        print(f"page {collected.page}")
    return 0
