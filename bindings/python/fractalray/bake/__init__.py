# SPDX-License-Identifier: Apache-2.0
"""Bakes of whole worlds: maps, light, sight, and jobs of your own. docs/bake.md.

>>> from fractalray import bake
>>> source = bake.SavedWorld("examples/worlds/w1")
>>> bake.run(bake.MapTiles(), source, "out/map", executor=bake.Processes(2))
>>> print(bake.collect("out/map").hash)

From a shell: python3 -m fractalray.bake map --world examples/worlds/w1 --out out/map
"""

from .chunk_sight import ChunkSight, SightTable
from .collect import Collected, collect
from .colors import read_colors
from .dask_executor import Dask
from .errors import MissingRegionsError, RegionError
from .executors import BakeExecutor, Loop, Processes
from .job import Job, option
from .map_tiles import MapTiles
from .plan import Outcome, Plan
from .region import Region, regions
from .run import Summary, run
from .shares import Share, share_of
from .sky_light import SkyLight
from .source import Extent, SavedWorld, Source
from .surface import NOTHING, Surface, count_clear, find_surface, finest

__all__ = [
    "BakeExecutor",
    "ChunkSight",
    "Collected",
    "Dask",
    "Extent",
    "Job",
    "Loop",
    "MapTiles",
    "MissingRegionsError",
    "NOTHING",
    "Outcome",
    "Plan",
    "Processes",
    "Region",
    "RegionError",
    "SavedWorld",
    "Share",
    "SightTable",
    "SkyLight",
    "Source",
    "Summary",
    "Surface",
    "collect",
    "count_clear",
    "find_surface",
    "finest",
    "option",
    "read_colors",
    "regions",
    "run",
    "share_of",
]
