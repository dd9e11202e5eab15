# SPDX-License-Identifier: Apache-2.0
"""The structs of the C header, member by member; tests compare them with the compiler's."""

from ctypes import (
    Structure,
    c_char_p,
    c_double,
    c_int8,
    c_int32,
    c_int64,
    c_size_t,
    c_uint8,
    c_uint16,
    c_uint32,
    c_uint64,
    c_void_p,
    sizeof,
)
from typing import TypeVar

MAX_LEVELS = 10
MAX_BUDGETS = 8
UNITS_PER_BLOCK = 65536

AnyStruct = TypeVar("AnyStruct", bound=Structure)


def sized(struct: type[AnyStruct]) -> AnyStruct:
    """Returns a struct of zeros with its struct_size."""
    made = struct()
    made.struct_size = sizeof(struct)
    return made


class FrLine(Structure):
    _fields_ = [
        ("from_", c_int64 * 3),
        ("to", c_int64 * 3),
        ("end_time", c_int64),
        ("begin_plane", c_int64),
        ("begin_axes", c_uint8),
        ("reserved", c_uint8 * 7),
    ]


class FrHit(Structure):
    _fields_ = [
        ("t", c_double),
        ("t_exit", c_double),
        ("distance", c_double),
        ("point", c_double * 3),
        ("normal", c_double * 3),
        ("face_axis", c_int8),
        ("face_sign", c_int8),
        ("start_inside", c_uint8),
        ("kind", c_uint8),
        ("terminal", c_uint8),
        ("step", c_uint8),
        ("type", c_uint16),
        ("level", c_int32),
        ("entity_class", c_uint32),
        ("cell", c_int64 * 3),
        ("entity", c_uint64),
        ("id", c_uint64),
        ("categories", c_uint64),
        ("shape", c_uint8),
        ("reserved", c_uint8 * 7),
        ("half_extents", c_int64 * 3),
    ]


class FrCompactHit(Structure):
    _fields_ = [
        ("t", c_double),
        ("t_exit", c_double),
        ("block", c_int64 * 3),
        ("entity", c_uint64),
        ("id", c_uint64),
        ("type", c_uint16),
        ("kind", c_uint8),
        ("level", c_int8),
        ("face_axis", c_int8),
        ("face_sign", c_int8),
        ("step", c_uint8),
        ("flags", c_uint8),
    ]


class FrStats(Structure):
    _fields_ = [
        ("cells", c_uint64),
        ("chunks", c_uint64),
        ("index_cells", c_uint64),
        ("entities_tested", c_uint64),
        ("skips", c_uint64),
        ("listed", c_uint64),
        ("ordered", c_uint64),
        ("direct", c_uint64),
    ]


class FrVectors(Structure):
    _fields_ = [
        ("data", c_void_p),
        ("vector_stride", c_int64),
        ("component_stride", c_int64),
        ("format", c_int32),
        ("reserved", c_int32),
    ]


class FrWorldDef(Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("version", c_int32),
        ("levels", c_int32),
        ("reserved", c_int32),
        ("anchor", c_char_p),
        ("block_types_of", c_void_p),
        ("parallel_for", c_void_p),
        ("parallel_context", c_void_p),
    ]


class FrOpenOptions(Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("has_box", c_uint8),
        ("reserved", c_uint8 * 3),
        ("min_chunk", c_int64 * 3),
        ("max_chunk", c_int64 * 3),
        ("node_kinds", c_char_p),
        ("mapblocks", c_uint64),
        ("mapblock_bytes", c_uint64),
        ("file_bytes", c_uint64),
        ("named_damages", c_uint64),
    ]


class FrLoadSummary(Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_int32),
        ("chunks", c_uint64),
        ("loaded", c_uint64),
        ("not_generated", c_uint64),
        ("damaged", c_uint64),
        ("outside", c_uint64),
        ("bytes", c_uint64),
        ("named_damages", c_uint64),
        ("defaulted_names", c_uint64),
    ]


class FrBlockTypeDef(Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("kind", c_int32),
        ("name", c_char_p),
        ("channels", c_void_p),
        ("channel_kinds", c_void_p),
        ("channel_count", c_size_t),
    ]


class FrIdLayoutDef(Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("id_bytes", c_int32),
        ("strides", c_int64 * 3),
        ("types", c_void_p),
        ("type_count", c_size_t),
    ]


class FrChunkDef(Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("source", c_int32),
        ("chunk", c_int64 * 3),
        ("layout", c_void_p),
        ("ids", c_void_p),
        ("uniform", c_uint16),
        ("reserved", c_uint8 * 6),
    ]


class FrChunkInfo(Structure):
    _fields_ = [
        ("bytes", c_uint64),
        ("state", c_int32),
        ("is_uniform", c_uint8),
        ("is_borrowed", c_uint8),
        ("is_borrowed_for_writing", c_uint8),
        ("is_empty", c_uint8),
    ]


class FrLevelInfo(Structure):
    _fields_ = [
        ("loaded_chunks", c_uint64),
        ("proto_chunks", c_uint64),
        ("min", c_int64 * 3),
        ("max", c_int64 * 3),
    ]


class FrEngineChunksDef(Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("width", c_int32),
        ("level", c_int32),
        ("source", c_int32),
        ("layout", c_void_p),
        ("find", c_void_p),
        ("context", c_void_p),
    ]


class FrEntityDef(Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("level", c_int32),
        ("id", c_uint64),
        ("categories", c_uint64),
        ("position", c_double * 3),
        ("half_extents", c_double * 3),
        ("shape", c_int32),
        ("entity_class", c_uint32),
    ]


class FrEntityInfo(Structure):
    _fields_ = [
        ("id", c_uint64),
        ("categories", c_uint64),
        ("position", c_int64 * 3),
        ("half_extents", c_int64 * 3),
        ("level", c_int32),
        ("index_level", c_int32),
        ("entity_class", c_uint32),
        ("shape", c_int32),
    ]


class FrBlockOfLevel(Structure):
    _fields_ = [
        ("block", c_int64 * 3),
        ("level", c_int32),
        ("reserved", c_int32),
    ]


class FrLines(Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("is_rays", c_int32),
        ("count", c_size_t),
        ("from_", FrVectors),
        ("to", FrVectors),
        ("max_distances", c_void_p),
        ("bounds", c_void_p),
        ("lines", c_void_p),
        ("levels", c_void_p),
        ("ignore", c_void_p),
        ("ignore_ends", c_void_p),
        ("after", c_void_p),
        ("after_ends", c_void_p),
    ]


class FrRule(Structure):
    _fields_ = [
        ("per_hit", c_double),
        ("per_block", c_double),
        ("kind", c_int32),
        ("budget", c_uint8),
        ("touch_costs", c_uint8),
        ("per_pane", c_uint8),
        ("reserved", c_uint8),
    ]


class FrQueryOptions(Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("corner", c_int32),
        ("categories", c_uint64),
        ("ignore", c_void_p),
        ("ignore_count", c_size_t),
        ("after", c_void_p),
        ("after_count", c_size_t),
        ("rules", c_void_p),
        ("budgets", c_void_p),
        ("block_filter", c_void_p),
        ("entity_filter", c_void_p),
        ("filter_context", c_void_p),
        ("on_hit", c_void_p),
        ("hit_context", c_void_p),
        ("max_hits", c_uint64),
        ("max_steps", c_uint64),
        ("max_batch_steps", c_uint64),
        ("channel", c_uint16),
        ("no_blocks", c_uint8),
        ("no_entities", c_uint8),
        ("solid_only", c_uint8),
        ("skip_start_inside", c_uint8),
        ("report_unknown", c_uint8),
        ("stop_at_unknown", c_uint8),
        ("entities_block", c_uint8),
        ("plain_pass", c_uint8),
        ("reserved", c_uint8 * 6),
    ]


class FrQueryResult(Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("result", c_int32),
        ("blocks_version", c_uint64),
        ("entities_version", c_uint64),
        ("line", FrLine),
        ("hits_begin", c_uint64),
        ("hit_count", c_uint64),
        ("unknown_from", c_double),
        ("stopped_at", c_double),
        ("stats", FrStats),
        ("budgets", c_double * MAX_BUDGETS),
        ("budgets_at_start", c_double * MAX_BUDGETS),
        ("overdrawn", c_double * MAX_BUDGETS),
        ("terminated", c_uint8),
        ("truncated", c_uint8),
        ("has_budgets", c_uint8),
        ("progress", c_uint8),
        ("reserved", c_uint8 * 4),
    ]


class FrReplayOptions(Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("all", c_int32),
        ("on_other_world", c_int32),
        ("reserved", c_int32),
    ]


class FrReplayed(Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("outcome", c_int32),
        ("number", c_uint64),
        ("offset", c_uint64),
        ("line", FrLine),
        ("levels", c_uint32),
        ("verb", c_int32),
    ]


class FrStepEstimate(Structure):
    _fields_ = [
        ("blocks", c_uint64),
        ("entities", c_uint64),
        ("unknown", c_uint64),
        ("listed", c_uint64),
        ("ordered", c_uint64),
    ]


class FrLevelPart(Structure):
    _fields_ = [
        ("t0", c_double),
        ("t1", c_double),
        ("level", c_int32),
        ("reserved", c_int32),
    ]


class FrBatchResult(Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_int32),
        ("blocks_version", c_uint64),
        ("entities_version", c_uint64),
        ("completed", c_uint64),
        ("errors", c_uint64),
        ("hits", c_uint64),
        ("stats", FrStats),
    ]


class FrBlocker(Structure):
    _fields_ = [
        ("t", c_double),
        ("block", c_int64 * 3),
        ("entity", c_uint64),
        ("id", c_uint64),
        ("level", c_int32),
        ("type", c_uint16),
        ("kind", c_uint8),
        ("reserved", c_uint8),
    ]


class FrFoundEntity(Structure):
    _fields_ = [
        ("distance", c_double),
        ("entity", c_uint64),
        ("id", c_uint64),
    ]


class FrFoundBlock(Structure):
    _fields_ = [
        ("distance", c_double),
        ("block", c_int64 * 3),
        ("level", c_int32),
        ("type", c_uint16),
        ("kind", c_uint8),
        ("reserved", c_uint8),
    ]


class FrLineChunk(Structure):
    _fields_ = [
        ("t_enter", c_double),
        ("t_exit", c_double),
        ("chunk", c_int64 * 3),
        ("level", c_int32),
        ("state", c_int32),
    ]


class FrWalkCell(Structure):
    _fields_ = [
        ("cell", c_int64 * 3),
        ("t_numerator", c_int64),
        ("t_denominator", c_int64),
        ("t", c_double),
        ("face_axis", c_int8),
        ("face_sign", c_int8),
        ("reserved", c_uint8 * 6),
    ]


class FrFrameMove(Structure):
    _fields_ = [
        ("chunk", c_int64 * 3),
        ("kind", c_int32),
        ("levels", c_int32),
    ]


class FrWindowMove(Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_int32),
        ("frame_move", FrFrameMove),
        ("dropped_chunks", c_uint64),
        ("evicted", c_uint64),
    ]


class FrChunkOfLevel(Structure):
    _fields_ = [
        ("chunk", c_int64 * 3),
        ("level", c_int32),
        ("reserved", c_int32),
    ]


class FrChunkSource(Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("keeps_changes", c_int32),
        ("request", c_void_p),
        ("unloading", c_void_p),
        ("dropped", c_void_p),
        ("context", c_void_p),
        ("changes_path", c_char_p),
        ("syncs_changes", c_int32),
        ("reserved", c_int32),
    ]


class FrStreamRadii(Structure):
    _fields_ = [
        ("load", c_double),
        ("keep", c_double),
    ]


class FrStreamOptions(Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_int32),
        ("radii", c_void_p),
        ("radius_count", c_size_t),
        ("is_fertile", c_void_p),
        ("fertile_context", c_void_p),
        ("fertile", c_void_p),
        ("fertile_count", c_size_t),
        ("chunks_per_tick", c_uint64),
        ("bytes_per_tick", c_uint64),
        ("max_bytes", c_uint64),
        ("max_pending", c_uint64),
        ("answer_ticks", c_uint64),
        ("retry_ticks", c_uint64),
        ("max_retry_ticks", c_uint64),
        ("want_ticks", c_uint64),
    ]


class FrBlockChange(Structure):
    _fields_ = [
        ("path", c_char_p),
        ("block", c_int64 * 3),
        ("reverts_at", c_int64),
        ("level", c_int32),
        ("type", c_uint16),
        ("is_removed", c_uint8),
        ("reverts", c_uint8),
    ]


class FrStreamStats(Structure):
    _fields_ = [
        ("ticks", c_uint64),
        ("requested", c_uint64),
        ("loaded", c_uint64),
        ("unloaded", c_uint64),
        ("evicted", c_uint64),
        ("nonexistent", c_uint64),
        ("failed", c_uint64),
        ("timed_out", c_uint64),
        ("cancelled", c_uint64),
        ("pending", c_uint64),
        ("failing", c_uint64),
        ("chunks", c_uint64),
        ("bytes", c_uint64),
    ]


class FrVisibilityOptions(Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("levels", c_uint32),
        ("rays", c_uint64),
        ("distance", c_double),
        ("forget_ticks", c_uint64),
        ("filter", c_void_p),
        ("entities_hide", c_int32),
        ("reserved", c_int32),
    ]


class FrViewCone(Structure):
    _fields_ = [
        ("from_", c_double * 3),
        ("direction", c_double * 3),
        ("cos_half_angle", c_double),
    ]


class FrSeenBlock(Structure):
    _fields_ = [
        ("block", c_int64 * 3),
        ("since", c_uint64),
        ("last", c_uint64),
        ("level", c_int32),
        ("type", c_uint16),
        ("reserved", c_uint16),
    ]


class FrSeenChunk(Structure):
    _fields_ = [
        ("chunk", c_int64 * 3),
        ("since", c_uint64),
        ("last", c_uint64),
        ("level", c_int32),
        ("reserved", c_int32),
    ]
