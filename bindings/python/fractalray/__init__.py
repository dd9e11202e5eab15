# SPDX-License-Identifier: Apache-2.0
"""Exact, ordered ray and segment queries in block worlds: what does this line hit, in which order?

>>> import fractalray as fr
>>> world = fr.World()
>>> stone = world.block_types.add("stone")
>>> world.load_chunks(0, (0, 0, 0), ids)  # a NumPy array (16, 16, 16) of block types
>>> world.closest_hit(fr.Line.segment((0.5, 2.5, 2.5), (15, 2.5, 2.5))).hit

Positions and distances are in finest-block widths. docs/python.md begins with a complete program.
"""

from ._abi import FR_MAX_BUDGETS as MAX_BUDGETS
from ._abi import FR_MAX_LEVELS as MAX_LEVELS
from ._abi import FR_UNITS_PER_BLOCK as UNITS_PER_BLOCK
from ._library import VERSION, lib
from .batches import RESULT, ClosestHits, CompactHits, Occlusions, ShotBatch, Summary
from .bindings import Bindings
from .blast import (
    BLAST_RAY,
    BROKEN_BLOCK,
    EXPOSED_ENTITY,
    UNBREAKABLE,
    Blast,
    cube_fan,
)
from .block_types import AIR, DEFAULT_CHANNEL, NO_BLOCK_TYPE, BlockTypes
from .blocks import ChunkInfo, LevelInfo
from .callbacks import Effect, Predicate
from .cursor import HitCursor
from .entities import ENTITY_DEF, Box, Entities, EntityInfo, Shape, Sphere, entity_defs
from .enums import (
    ChunkState,
    Corner,
    HitKind,
    Kind,
    MoveKind,
    Occlusion,
    Outcome,
    Progress,
    Response,
    Sight,
    Source,
    Unloaded,
    Verb,
)
from .errors import (
    AbortedError,
    AlreadyExistsError,
    DataLossError,
    DeadlineExceededError,
    FailedPreconditionError,
    FractalrayError,
    InternalError,
    InvalidArgumentError,
    LibraryNotFoundError,
    NotFoundError,
    OutOfRangeError,
    PermissionDeniedError,
    ResourceExhaustedError,
    UnavailableError,
    UnimplementedError,
)
from .executor import Executor
from .hit import BLOCKER, COMPACT_HIT, HIT, Hit, Stats
from .hit_order import compare_hits, merge_hits
from .ids import States
from .line import LINE, Line, Lines
from .options import Options
from .queries import LEVEL_PART, LINE_CHUNK
from .query_log import QueryLog, Replay, Replayed, ReplayedAnswer
from .remote import FED_ENTITY, FED_MOVE, RemoteWorld, connect
from .rules import Rule, Rules
from .saved_world import LoadReport
from .searches import FOUND_BLOCK, FOUND_ENTITY
from .shot import Closest, Shot
from .sight import (
    FIXED_BOX,
    SIGHT_QUERY,
    Exposures,
    SightOptions,
    SightQuery,
    Sights,
    VisibleBlocks,
    Witness,
    hides,
    sight_queries,
)
from .sight_tables import SightHistory, TableAnswers
from .walk import WALK_CELL, Walk, Walks, to_units, walk_many
from .window import Window, WindowMove, follow_path
from .world import Snapshot, World, WorldView

__version__ = ".".join(map(str, VERSION))


def library_version() -> str:
    """Returns the version of the shared library that is loaded."""
    number = lib.frGetVersion()
    return f"{number // 1_000_000}.{number // 1_000 % 1_000}.{number % 1_000}"


__all__ = [
    "AIR",
    "AbortedError",
    "AlreadyExistsError",
    "BLAST_RAY",
    "BLOCKER",
    "BROKEN_BLOCK",
    "Bindings",
    "Blast",
    "BlockTypes",
    "Box",
    "COMPACT_HIT",
    "ChunkInfo",
    "ChunkState",
    "Closest",
    "ClosestHits",
    "CompactHits",
    "Corner",
    "DEFAULT_CHANNEL",
    "DataLossError",
    "DeadlineExceededError",
    "ENTITY_DEF",
    "EXPOSED_ENTITY",
    "Effect",
    "Entities",
    "EntityInfo",
    "Executor",
    "Exposures",
    "FED_ENTITY",
    "FED_MOVE",
    "FIXED_BOX",
    "FOUND_BLOCK",
    "FOUND_ENTITY",
    "FailedPreconditionError",
    "FractalrayError",
    "HIT",
    "Hit",
    "HitCursor",
    "HitKind",
    "InternalError",
    "InvalidArgumentError",
    "Kind",
    "LEVEL_PART",
    "LINE",
    "LINE_CHUNK",
    "LevelInfo",
    "LibraryNotFoundError",
    "Line",
    "Lines",
    "LoadReport",
    "MAX_BUDGETS",
    "MAX_LEVELS",
    "MoveKind",
    "NO_BLOCK_TYPE",
    "NotFoundError",
    "Occlusion",
    "Occlusions",
    "Options",
    "OutOfRangeError",
    "Outcome",
    "PermissionDeniedError",
    "Predicate",
    "Progress",
    "QueryLog",
    "RESULT",
    "RemoteWorld",
    "Replay",
    "Replayed",
    "ReplayedAnswer",
    "ResourceExhaustedError",
    "Response",
    "Rule",
    "Rules",
    "SIGHT_QUERY",
    "Shape",
    "Shot",
    "ShotBatch",
    "Sight",
    "SightHistory",
    "SightOptions",
    "SightQuery",
    "Sights",
    "Snapshot",
    "Source",
    "Sphere",
    "States",
    "Stats",
    "Summary",
    "TableAnswers",
    "UNBREAKABLE",
    "UNITS_PER_BLOCK",
    "UnavailableError",
    "UnimplementedError",
    "Unloaded",
    "Verb",
    "VisibleBlocks",
    "WALK_CELL",
    "Walk",
    "Walks",
    "Window",
    "WindowMove",
    "Witness",
    "World",
    "WorldView",
    "compare_hits",
    "connect",
    "cube_fan",
    "entity_defs",
    "follow_path",
    "hides",
    "library_version",
    "merge_hits",
    "sight_queries",
    "to_units",
    "walk_many",
]
