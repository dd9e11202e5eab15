# Made by tools/scripts/generate_bindings.py from bindings/c/fractalray_c.h, which documents it; do not edit.
# SPDX-License-Identifier: Apache-2.0
"""The constants, structs and functions of the C interface."""

import ctypes
from ctypes import c_char_p, c_double, c_int8, c_int32, c_int64, c_size_t
from ctypes import c_uint8, c_uint16, c_uint32, c_uint64, c_void_p

FR_VERSION_MAJOR = 0
FR_VERSION_MINOR = 1
FR_VERSION_PATCH = 0
FR_VERSION = 1000
FR_MAX_LEVELS = 10
FR_MAX_BUDGETS = 8
FR_ALL_LEVELS = 1023
FR_UNITS_PER_BLOCK = 65536
FR_BLOCKS_PER_CHUNK = 4096
FR_AIR = 0
FR_NO_BLOCK_TYPE = 65535
FR_OK = 0
FR_INVALID_ARGUMENT = 3
FR_DEADLINE_EXCEEDED = 4
FR_NOT_FOUND = 5
FR_ALREADY_EXISTS = 6
FR_PERMISSION_DENIED = 7
FR_RESOURCE_EXHAUSTED = 8
FR_FAILED_PRECONDITION = 9
FR_ABORTED = 10
FR_OUT_OF_RANGE = 11
FR_UNIMPLEMENTED = 12
FR_INTERNAL = 13
FR_UNAVAILABLE = 14
FR_DATA_LOSS = 15
FR_SOLID = 0
FR_PERMEABLE = 1
FR_EMPTY = 2
FR_CORNER_BOTH = 0
FR_CORNER_NEITHER = 1
FR_CORNER_STAIRCASE = 2
FR_CONTINUE = 0
FR_STOP = 1
FR_AGAIN = 2
FR_CLEAR = 0
FR_BLOCKED = 1
FR_UNKNOWN = 2
FR_ABSENT = 0
FR_PROTO = 1
FR_LOADED = 2
FR_SPHERE = 0
FR_BOX = 1
FR_HIT_NONE = 0
FR_HIT_BLOCK = 1
FR_HIT_ENTITY = 2
FR_DONE = 0
FR_OUT_OF_STEPS = 1
FR_NOT_STARTED = 2
FR_F64 = 0
FR_F32 = 1
FR_UNITS = 2
FR_CHUNK_UNIFORM = 0
FR_CHUNK_COPY = 1
FR_CHUNK_BORROW = 2
FR_CHUNK_BORROW_FOR_WRITING = 3
FR_CHUNK_UNLOAD = 4
FR_SET_LEVEL = 1
FR_SET_CATEGORIES = 2
FR_SET_POSITION = 4
FR_SET_SHAPE = 8
FR_SET_CLASS = 16
FR_RULE_CONTINUE = 0
FR_RULE_STOP = 1
FR_RULE_COST = 2
FR_HIT_TERMINAL = 1
FR_HIT_START_INSIDE = 2
FR_SIGHT_HIDDEN = 0
FR_SIGHT_UNKNOWN = 1
FR_SIGHT_VISIBLE = 2
FR_SIGHT_UNDECIDED = 3
FR_SIGHT_SKIPPED = 4
FR_UNLOADED_REPORT = 0
FR_UNLOADED_TRANSPARENT = 1
FR_UNLOADED_OPAQUE = 2
FR_UNDECIDED_REPORT = 0
FR_UNDECIDED_VISIBLE = 1
FR_UNDECIDED_HIDDEN = 2
FR_REPLAY_END = 0
FR_REPLAY_EQUAL = 1
FR_REPLAY_DIFFERENT = 2
FR_REPLAY_WORLD_HAD_CHANGED = 3
FR_REPLAY_NOT_REPLAYABLE = 4
FR_VERB_SHOOT = 0
FR_VERB_CLOSEST_HIT = 1
FR_VERB_OCCLUDED = 2
FR_VERB_RESUME = 3
FR_VERB_VISIBLE = 4
FR_VERB_EXPOSURE = 5
FR_VERB_VISIBLE_BOXES = 6
FR_VERB_VISIBLE_BLOCKS = 7
FR_VERB_BLAST = 8
FR_RECORDED = 0
FR_REPLAYED = 1
FR_DESCEND = 1
FR_CLIMB = 2
FR_RECENTER = 3
FR_IN_SIGHT = 0
FR_CAME_INTO_SIGHT = 1
FR_WENT_OUT_OF_SIGHT = 2


class FrLine(ctypes.Structure):
    _fields_ = [
        ("from_", c_int64 * 3),
        ("to", c_int64 * 3),
        ("end_time", c_int64),
        ("begin_plane", c_int64),
        ("begin_axes", c_uint8),
        ("reserved", c_uint8 * 7),
    ]


class FrHit(ctypes.Structure):
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
        ("reserved", c_uint8 * 3),
        ("plane", c_uint32),
        ("half_extents", c_int64 * 3),
    ]


class FrStats(ctypes.Structure):
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


class FrVectors(ctypes.Structure):
    _fields_ = [
        ("data", c_void_p),
        ("vector_stride", c_int64),
        ("component_stride", c_int64),
        ("format", c_int32),
        ("reserved", c_int32),
    ]


class FrWorldDef(ctypes.Structure):
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


class FrOpenOptions(ctypes.Structure):
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
        ("block_types", c_void_p),
        ("block_type_count", c_size_t),
    ]


class FrLoadSummary(ctypes.Structure):
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
        ("unsupported", c_uint64),
    ]


class FrBlockTypeDef(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("kind", c_int32),
        ("name", c_char_p),
        ("channels", c_void_p),
        ("channel_kinds", c_void_p),
        ("channel_count", c_size_t),
        ("channel_shapes", c_void_p),
        ("shape", c_uint16),
        ("reserved", c_uint16 * 3),
    ]


class FrIdStates(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("id", c_uint32),
        ("types", c_void_p),
    ]


class FrIdLayoutDef(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("id_bytes", c_int32),
        ("strides", c_int64 * 3),
        ("types", c_void_p),
        ("type_count", c_size_t),
        ("states", c_void_p),
        ("state_count", c_size_t),
        ("state_offset", c_int64),
        ("state_bits", c_int32),
    ]


class FrChunkDef(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("source", c_int32),
        ("chunk", c_int64 * 3),
        ("layout", c_void_p),
        ("ids", c_void_p),
        ("uniform", c_uint16),
        ("reserved", c_uint8 * 6),
    ]


class FrChunkInfo(ctypes.Structure):
    _fields_ = [
        ("bytes", c_uint64),
        ("state", c_int32),
        ("is_uniform", c_uint8),
        ("is_borrowed", c_uint8),
        ("is_borrowed_for_writing", c_uint8),
        ("is_empty", c_uint8),
    ]


class FrLevelInfo(ctypes.Structure):
    _fields_ = [
        ("loaded_chunks", c_uint64),
        ("proto_chunks", c_uint64),
        ("min", c_int64 * 3),
        ("max", c_int64 * 3),
    ]


class FrEngineChunksDef(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("width", c_int32),
        ("level", c_int32),
        ("source", c_int32),
        ("layout", c_void_p),
        ("find", c_void_p),
        ("context", c_void_p),
    ]


class FrEntityDef(ctypes.Structure):
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


class FrEntityInfo(ctypes.Structure):
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


class FrBlockOfLevel(ctypes.Structure):
    _fields_ = [
        ("block", c_int64 * 3),
        ("level", c_int32),
        ("reserved", c_int32),
    ]


class FrLines(ctypes.Structure):
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


class FrRule(ctypes.Structure):
    _fields_ = [
        ("per_hit", c_double),
        ("per_block", c_double),
        ("kind", c_int32),
        ("budget", c_uint8),
        ("touch_costs", c_uint8),
        ("per_pane", c_uint8),
        ("reserved", c_uint8),
    ]


class FrQueryOptions(ctypes.Structure):
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
        ("after_by_id", c_uint8),
        ("reserved", c_uint8 * 6),
    ]


class FrQueryResult(ctypes.Structure):
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
        ("budgets", c_double * 8),
        ("budgets_at_start", c_double * 8),
        ("overdrawn", c_double * 8),
        ("terminated", c_uint8),
        ("truncated", c_uint8),
        ("has_budgets", c_uint8),
        ("progress", c_uint8),
        ("reserved", c_uint8 * 4),
    ]


class FrLevelPart(ctypes.Structure):
    _fields_ = [
        ("t0", c_double),
        ("t1", c_double),
        ("level", c_int32),
        ("reserved", c_int32),
    ]


class FrBatchResult(ctypes.Structure):
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


class FrCompactHit(ctypes.Structure):
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


class FrBlocker(ctypes.Structure):
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


class FrConnectOptions(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_int32),
        ("token", c_char_p),
        ("deadline_us", c_uint64),
        ("timeout_us", c_uint64),
        ("world", c_char_p),
        ("block_types", c_uint64),
    ]


class FrRemoteInfo(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_int32),
        ("batch_lines", c_uint64),
        ("frame_bytes", c_uint64),
        ("connects", c_uint64),
        ("retry_us", c_uint64),
        ("block_types", c_uint64),
        ("tick", c_uint64),
    ]


class FrFedEntity(ctypes.Structure):
    _fields_ = [
        ("id", c_uint64),
        ("categories", c_uint64),
        ("position", c_int64 * 3),
        ("half_extents", c_int64 * 3),
        ("level", c_int32),
        ("shape", c_int32),
        ("entity_class", c_uint32),
        ("reserved", c_uint32),
    ]


class FrFedMove(ctypes.Structure):
    _fields_ = [
        ("id", c_uint64),
        ("position", c_int64 * 3),
    ]


class FrEntityTick(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("is_whole", c_int32),
        ("tick", c_uint64),
        ("added", c_void_p),
        ("added_count", c_size_t),
        ("moved", c_void_p),
        ("moved_count", c_size_t),
        ("removed", c_void_p),
        ("removed_count", c_size_t),
    ]


class FrFixedBox(ctypes.Structure):
    _fields_ = [
        ("min", c_int64 * 3),
        ("max", c_int64 * 3),
    ]


class FrSightQuery(ctypes.Structure):
    _fields_ = [
        ("eye", c_int64 * 3),
        ("box", FrFixedBox),
    ]


class FrSightOptions(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("unloaded", c_int32),
        ("categories", c_uint64),
        ("ignore", c_void_p),
        ("ignore_count", c_size_t),
        ("occluders", c_void_p),
        ("occluder_count", c_size_t),
        ("block_filter", c_void_p),
        ("entity_filter", c_void_p),
        ("filter_context", c_void_p),
        ("max_steps", c_uint64),
        ("through", c_uint64),
        ("channel", c_uint16),
        ("no_blocks", c_uint8),
        ("skip_start_inside", c_uint8),
        ("boxes_block", c_uint8),
        ("reserved", c_uint8 * 3),
    ]


class FrSightStats(ctypes.Structure):
    _fields_ = [
        ("lines", FrStats),
        ("rays", c_uint64),
        ("cuts", c_uint64),
    ]


class FrSightAnswer(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("sight", c_int32),
        ("blocks_version", c_uint64),
        ("entities_version", c_uint64),
        ("delta", c_int64 * 3),
        ("delta_high", c_int64 * 3),
        ("is_wide", c_uint8),
        ("is_unit", c_uint8),
        ("reserved", c_uint8 * 6),
        ("stats", FrSightStats),
    ]


class FrSightTableOptions(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("if_undecided", c_int32),
        ("each", c_void_p),
        ("left_out", c_void_p),
        ("max_distance", c_int64),
        ("history", c_void_p),
    ]


class FrSightTableStats(ctypes.Structure):
    _fields_ = [
        ("sight", FrSightStats),
        ("pairs", c_uint64),
        ("unchanged", c_uint64),
        ("by_ray", c_uint64),
        ("by_proof", c_uint64),
        ("searched", c_uint64),
        ("undecided", c_uint64),
    ]


class FrFoundEntity(ctypes.Structure):
    _fields_ = [
        ("distance", c_double),
        ("entity", c_uint64),
        ("id", c_uint64),
    ]


class FrFoundBlock(ctypes.Structure):
    _fields_ = [
        ("distance", c_double),
        ("block", c_int64 * 3),
        ("level", c_int32),
        ("type", c_uint16),
        ("kind", c_uint8),
        ("sight", c_uint8),
    ]


class FrBlastRay(ctypes.Structure):
    _fields_ = [
        ("step", c_int64 * 3),
        ("power", c_int64),
    ]


class FrBlastQuery(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_int32),
        ("center", c_double * 3),
        ("radius", c_double),
        ("rays", c_void_p),
        ("ray_count", c_size_t),
        ("resistances", c_void_p),
        ("resistance_count", c_size_t),
        ("falloff", c_int64),
        ("max_samples", c_uint64),
    ]


class FrBrokenBlock(ctypes.Structure):
    _fields_ = [
        ("block", c_int64 * 3),
        ("steps", c_int64),
        ("power", c_int64),
        ("level", c_int32),
        ("ray", c_uint32),
        ("type", c_uint16),
        ("reserved", c_uint16 * 3),
    ]


class FrExposedEntity(ctypes.Structure):
    _fields_ = [
        ("distance", c_double),
        ("from_", c_double),
        ("to", c_double),
        ("entity", c_uint64),
        ("id", c_uint64),
    ]


class FrBlastResult(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reaches_unknown", c_uint8),
        ("reserved", c_uint8 * 3),
        ("blocks_version", c_uint64),
        ("entities_version", c_uint64),
        ("samples", c_uint64),
        ("block_count", c_uint64),
        ("entity_count", c_uint64),
    ]


class FrReplayOptions(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("all", c_int32),
        ("on_other_world", c_int32),
        ("reserved", c_int32),
    ]


class FrReplayed(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("outcome", c_int32),
        ("number", c_uint64),
        ("offset", c_uint64),
        ("line", FrLine),
        ("levels", c_uint32),
        ("verb", c_int32),
        ("sight", FrSightQuery),
        ("viewer_count", c_uint64),
        ("box_count", c_uint64),
        ("center", c_double * 3),
        ("radius", c_double),
    ]


class FrLineChunk(ctypes.Structure):
    _fields_ = [
        ("t_enter", c_double),
        ("t_exit", c_double),
        ("chunk", c_int64 * 3),
        ("level", c_int32),
        ("state", c_int32),
    ]


class FrWalkCell(ctypes.Structure):
    _fields_ = [
        ("cell", c_int64 * 3),
        ("t_numerator", c_int64),
        ("t_denominator", c_int64),
        ("t", c_double),
        ("face_axis", c_int8),
        ("face_sign", c_int8),
        ("reserved", c_uint8 * 6),
    ]


class FrFrameMove(ctypes.Structure):
    _fields_ = [
        ("chunk", c_int64 * 3),
        ("kind", c_int32),
        ("levels", c_int32),
    ]


class FrWindowMove(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_int32),
        ("frame_move", FrFrameMove),
        ("dropped_chunks", c_uint64),
        ("evicted", c_uint64),
    ]


class FrChunkOfLevel(ctypes.Structure):
    _fields_ = [
        ("chunk", c_int64 * 3),
        ("level", c_int32),
        ("reserved", c_int32),
    ]


class FrChunkSource(ctypes.Structure):
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


class FrStreamRadii(ctypes.Structure):
    _fields_ = [
        ("load", c_double),
        ("keep", c_double),
    ]


class FrStreamOptions(ctypes.Structure):
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


class FrBlockChange(ctypes.Structure):
    _fields_ = [
        ("path", c_char_p),
        ("block", c_int64 * 3),
        ("reverts_at", c_int64),
        ("level", c_int32),
        ("type", c_uint16),
        ("is_removed", c_uint8),
        ("reverts", c_uint8),
    ]


class FrStreamStats(ctypes.Structure):
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


class FrVisibilityOptions(ctypes.Structure):
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


class FrViewCone(ctypes.Structure):
    _fields_ = [
        ("from_", c_double * 3),
        ("direction", c_double * 3),
        ("cos_half_angle", c_double),
    ]


class FrSeenBlock(ctypes.Structure):
    _fields_ = [
        ("block", c_int64 * 3),
        ("since", c_uint64),
        ("last", c_uint64),
        ("level", c_int32),
        ("type", c_uint16),
        ("reserved", c_uint16),
    ]


class FrSeenChunk(ctypes.Structure):
    _fields_ = [
        ("chunk", c_int64 * 3),
        ("since", c_uint64),
        ("last", c_uint64),
        ("level", c_int32),
        ("reserved", c_int32),
    ]


_I32 = c_int32
_I64 = c_int64
_U8 = c_uint8
_U16 = c_uint16
_U32 = c_uint32
_U64 = c_uint64
_SIZE = c_size_t
_F64 = c_double
_TEXT = c_char_p
_PTR = c_void_p

#: The types of the parameters of each function, in order.
PARAMETERS: dict[str, tuple[type, ...]] = {
    "frGetVersion": (),
    "frGetResultName": (_I32,),
    "frGetLastError": (),
    "frCreateWorld": (_PTR, _PTR),
    "frDestroyWorld": (_PTR,),
    "frWorld_Snapshot": (_PTR, _PTR),
    "frWorld_GetLevels": (_PTR, _PTR),
    "frWorld_GetVersions": (_PTR, _PTR, _PTR),
    "frWorld_SetParallelFor": (_PTR, _PTR, _PTR),
    "frCreateExecutor": (_I32, _PTR),
    "frDestroyExecutor": (_PTR,),
    "frExecutor_GetThreads": (_PTR, _PTR),
    "frExecutor_Run": (_PTR, _SIZE, _PTR, _PTR),
    "frOpenWorld": (_PTR, _TEXT, _PTR, _PTR, _PTR),
    "frDestroyLoadReport": (_PTR,),
    "frLoadReport_GetSummary": (_PTR, _PTR),
    "frLoadReport_GetFormat": (_PTR, _TEXT, _SIZE, _PTR),
    "frLoadReport_GetDamage": (_PTR, _SIZE, _TEXT, _SIZE, _PTR),
    "frLoadReport_GetDefaultedName": (_PTR, _SIZE, _TEXT, _SIZE, _PTR),
    "frWorld_AddShape": (_PTR, _PTR, _SIZE, _PTR),
    "frWorld_GetShape": (_PTR, _U16, _U16, _PTR, _SIZE, _PTR),
    "frWorld_AddBlockType": (_PTR, _PTR, _PTR),
    "frWorld_AddChannel": (_PTR, _TEXT, _PTR),
    "frWorld_FindBlockType": (_PTR, _TEXT, _PTR),
    "frWorld_FindChannel": (_PTR, _TEXT, _PTR),
    "frWorld_CountBlockTypes": (_PTR, _PTR, _PTR),
    "frWorld_GetBlockTypeName": (_PTR, _U16, _TEXT, _SIZE, _PTR),
    "frWorld_GetChannelName": (_PTR, _U16, _TEXT, _SIZE, _PTR),
    "frWorld_GetBlockKind": (_PTR, _U16, _U16, _PTR),
    "frCreateIdLayout": (_PTR, _PTR),
    "frDestroyIdLayout": (_PTR,),
    "frWorld_LoadChunks": (_PTR, _I32, _PTR, _SIZE),
    "frWorld_LoadProtoChunk": (_PTR, _I32, _PTR),
    "frWorld_UnloadChunk": (_PTR, _I32, _PTR),
    "frWorld_ExpandBlock": (_PTR, _I32, _PTR),
    "frWorld_LoadBox": (_PTR, _I32, _PTR, _PTR, _PTR, _PTR),
    "frWorld_LoadBoxIds": (_PTR, _I32, _PTR, _PTR, _PTR, _PTR),
    "frWorld_RefreshBlock": (_PTR, _I32, _PTR),
    "frWorld_RefreshBox": (_PTR, _I32, _PTR, _PTR),
    "frWorld_GetBlock": (_PTR, _I32, _PTR, _PTR),
    "frWorld_SetBlock": (_PTR, _I32, _PTR, _U16),
    "frWorld_FillBox": (_PTR, _I32, _PTR, _PTR, _U16),
    "frWorld_MoveBlock": (_PTR, _I32, _PTR, _PTR),
    "frWorld_GetChunk": (_PTR, _I32, _PTR, _PTR),
    "frWorld_GetChunkBlocks": (_PTR, _I32, _PTR, _PTR),
    "frWorld_GetLevel": (_PTR, _I32, _PTR),
    "frWorld_GetLoadedChunks": (_PTR, _I32, _PTR, _SIZE, _PTR),
    "frWorld_FingerprintBlockTypes": (_PTR, _PTR),
    "frWorld_Fingerprint": (_PTR, _I32, _PTR, _PTR, _PTR, _PTR),
    "frWorld_FingerprintChunks": (_PTR, _I32, _PTR, _PTR, _PTR, _SIZE, _PTR),
    "frCreateEngineChunks": (_PTR, _PTR, _PTR),
    "frDestroyEngineChunks": (_PTR,),
    "frEngineChunks_Sync": (_PTR, _PTR),
    "frEngineChunks_RefreshBlock": (_PTR, _PTR),
    "frEngineChunks_RefreshBox": (_PTR, _PTR, _PTR),
    "frWorld_AddEntities": (_PTR, _PTR, _SIZE, _PTR),
    "frWorld_MoveEntities": (_PTR, _PTR, _PTR, _SIZE),
    "frWorld_RemoveEntities": (_PTR, _PTR, _SIZE),
    "frWorld_UpdateEntities": (_PTR, _PTR, _PTR, _U32, _SIZE),
    "frWorld_GetEntity": (_PTR, _U64, _PTR),
    "frWorld_FindEntity": (_PTR, _U64, _PTR),
    "frWorld_GetEntities": (_PTR, _PTR, _SIZE, _PTR),
    "frWorld_GetEntityChunks": (_PTR, _U64, _PTR, _SIZE, _PTR),
    "frWorld_RefineEntities": (_PTR, _SIZE, _PTR),
    "frWorld_OptimizeEntities": (_PTR, _PTR),
    "frCreateBindings": (_PTR, _PTR),
    "frDestroyBindings": (_PTR,),
    "frBindings_Bind": (_PTR, _U64, _I32, _PTR),
    "frBindings_Unbind": (_PTR, _U64),
    "frBindings_Clear": (_PTR,),
    "frBindings_GetBlock": (_PTR, _U64, _PTR),
    "frBindings_GetEntities": (_PTR, _I32, _PTR, _PTR, _SIZE, _PTR),
    "frBindings_GetEntitiesInChunk": (_PTR, _I32, _PTR, _PTR, _SIZE, _PTR),
    "frBindings_MoveBlock": (_PTR, _I32, _PTR, _PTR),
    "frBindings_RemoveBlock": (_PTR, _I32, _PTR),
    "frBindings_UnloadChunk": (_PTR, _I32, _PTR),
    "frBindings_RemoveUnloaded": (_PTR, _PTR),
    "frMakeSegment": (_PTR, _PTR, _PTR),
    "frMakeRay": (_PTR, _PTR, _F64, _PTR, _PTR),
    "frLine_GetPoint": (_PTR, _F64, _PTR),
    "frLine_GetLength": (_PTR, _PTR),
    "frCreateRules": (_PTR,),
    "frDestroyRules": (_PTR,),
    "frRules_AddBudget": (_PTR, _F64, _PTR),
    "frRules_SetBlock": (_PTR, _U16, _PTR, _U32),
    "frRules_SetEntities": (_PTR, _U64, _PTR, _U32),
    "frWorld_OnBlockHit": (_PTR, _U16, _PTR, _PTR, _PTR),
    "frWorld_OnEntityHit": (_PTR, _U32, _PTR, _PTR, _PTR),
    "frWorld_OnAnyBlockHit": (_PTR, _PTR, _PTR),
    "frWorld_OnAnyEntityHit": (_PTR, _PTR, _PTR),
    "frWorld_Shoot": (_PTR, _PTR, _U32, _PTR, _PTR, _SIZE, _PTR),
    "frWorld_Resume": (_PTR, _U32, _PTR, _PTR, _SIZE, _PTR),
    "frWorld_ClosestHit": (_PTR, _PTR, _U32, _PTR, _PTR, _PTR),
    "frWorld_Occluded": (_PTR, _PTR, _U32, _PTR, _PTR, _PTR, _PTR),
    "frWorld_HitsAlong": (_PTR, _PTR, _U32, _PTR, _PTR),
    "frCursor_Next": (_PTR, _PTR, _SIZE, _PTR),
    "frCursor_GetResult": (_PTR, _PTR),
    "frDestroyCursor": (_PTR,),
    "frWorld_Reflect": (_PTR, _PTR, _PTR, _PTR),
    "frWorld_GetLevelParts": (_PTR, _PTR, _U32, _PTR, _SIZE, _PTR),
    "frWorld_ClosestHits": (_PTR, _PTR, _U32, _PTR, _PTR, _PTR, _PTR, _PTR),
    "frWorld_CompactHits": (_PTR, _PTR, _U32, _PTR, _PTR, _PTR, _PTR, _PTR),
    "frWorld_GetFullHit": (_PTR, _PTR, _PTR, _PTR),
    "frWorld_GetHitSpans": (_PTR, _PTR, _PTR, _PTR, _PTR, _SIZE, _PTR),
    "frWorld_OccludedMany": (_PTR, _PTR, _U32, _PTR, _PTR, _PTR, _PTR, _PTR),
    "frCreateShotBatch": (_PTR,),
    "frDestroyShotBatch": (_PTR,),
    "frWorld_ShootMany": (_PTR, _PTR, _U32, _PTR, _PTR),
    "frWorld_ResumeMany": (_PTR, _PTR, _U32, _PTR, _PTR),
    "frShotBatch_GetSummary": (_PTR, _PTR),
    "frShotBatch_GetResults": (_PTR, _SIZE, _SIZE, _PTR),
    "frShotBatch_GetHits": (_PTR, _SIZE, _SIZE, _PTR),
    "frCompareHits": (_PTR, _I32, _I32, _PTR, _PTR, _PTR),
    "frMergeHits": (_PTR, _I32, _I32, _PTR, _PTR, _SIZE, _PTR, _SIZE, _PTR),
    "frConnect": (_TEXT, _PTR, _PTR),
    "frDestroyRemote": (_PTR,),
    "frRemote_SetDeadline": (_PTR, _U64),
    "frRemote_SetAtLeast": (_PTR, _TEXT),
    "frRemote_GetInfo": (_PTR, _PTR),
    "frRemote_GetVersion": (_PTR, _TEXT, _SIZE, _PTR),
    "frRemote_CountBlockTypes": (_PTR, _PTR),
    "frRemote_GetBlockTypeName": (_PTR, _U16, _TEXT, _SIZE, _PTR),
    "frRemote_ClosestHits": (_PTR, _PTR, _U32, _PTR, _PTR, _PTR, _PTR, _PTR),
    "frRemote_CompactHits": (_PTR, _PTR, _U32, _PTR, _PTR, _PTR, _PTR, _PTR),
    "frRemote_OccludedMany": (_PTR, _PTR, _U32, _PTR, _PTR, _PTR, _PTR, _PTR),
    "frRemote_FeedTick": (_PTR, _PTR),
    "frMakeSightQuery": (_PTR, _PTR, _PTR, _PTR),
    "frMakeSightQueries": (_PTR, _PTR, _PTR, _SIZE, _PTR),
    "frWorld_Visible": (_PTR, _PTR, _U32, _PTR, _PTR, _PTR),
    "frWorld_FindCertificate": (_PTR, _PTR, _U32, _PTR, _PTR, _SIZE, _PTR),
    "frHides": (_PTR, _SIZE, _PTR, _PTR),
    "frHidesWithin": (_PTR, _SIZE, _PTR, _I64, _PTR),
    "frWorld_Exposure": (_PTR, _PTR, _U32, _PTR, _PTR, _PTR, _PTR),
    "frWorld_VisibleMany": (_PTR, _PTR, _SIZE, _U32, _PTR, _PTR, _PTR),
    "frWorld_Exposures": (_PTR, _PTR, _SIZE, _U32, _PTR, _PTR, _PTR, _PTR),
    "frCreateSightHistory": (_PTR,),
    "frDestroySightHistory": (_PTR,),
    "frWorld_VisibleBoxes": (_PTR, _PTR, _PTR, _SIZE, _PTR, _PTR, _SIZE, _U32, _PTR, _PTR, _PTR),
    "frWorld_EntitiesInSphere": (_PTR, _PTR, _F64, _U32, _PTR, _PTR, _SIZE, _PTR),
    "frWorld_EntitiesInBox": (_PTR, _PTR, _PTR, _U32, _PTR, _PTR, _SIZE, _PTR),
    "frWorld_NearestEntities": (_PTR, _PTR, _F64, _U32, _PTR, _PTR, _SIZE, _PTR),
    "frWorld_BlocksInSphere": (_PTR, _PTR, _F64, _U32, _PTR, _PTR, _SIZE, _PTR),
    "frWorld_BlocksInBox": (_PTR, _PTR, _PTR, _U32, _PTR, _PTR, _SIZE, _PTR),
    "frWorld_VisibleBlocks": (_PTR, _PTR, _F64, _U32, _PTR, _SIZE, _PTR, _PTR, _PTR, _SIZE, _PTR),
    "frMakeCubeFan": (_I32, _F64, _I64, _PTR, _SIZE, _PTR),
    "frWorld_Blast": (_PTR, _PTR, _U32, _PTR, _PTR, _PTR, _SIZE, _PTR, _SIZE, _PTR),
    "frWorld_BeginLog": (_PTR, _TEXT, _I32),
    "frWorld_FlushLog": (_PTR,),
    "frWorld_EndLog": (_PTR, _PTR),
    "frCreateReplay": (_PTR, _TEXT, _PTR, _PTR),
    "frDestroyReplay": (_PTR,),
    "frReplay_Next": (_PTR, _PTR),
    "frReplay_GetReason": (_PTR, _TEXT, _SIZE, _PTR),
    "frReplay_GetAnswer": (_PTR, _I32, _PTR, _PTR, _SIZE, _PTR),
    "frReplay_GetSight": (_PTR, _I32, _PTR, _PTR, _PTR),
    "frReplay_GetSights": (_PTR, _I32, _PTR, _SIZE, _PTR),
    "frReplay_GetVisibleBlocks": (_PTR, _I32, _PTR, _SIZE, _PTR),
    "frReplay_GetBlast": (_PTR, _I32, _PTR, _SIZE, _PTR, _SIZE, _PTR),
    "frReplay_GetLevelParts": (_PTR, _I32, _PTR, _SIZE, _PTR),
    "frWorld_ChunksOn": (_PTR, _PTR, _U32, _I32, _I32, _PTR),
    "frChunkCursor_Next": (_PTR, _PTR, _SIZE, _PTR),
    "frDestroyChunkCursor": (_PTR,),
    "frCreateWalk": (_I32, _PTR, _PTR, _PTR, _I32, _PTR),
    "frWalk_GetCrossings": (_PTR, _PTR),
    "frWalk_Next": (_PTR, _PTR, _SIZE, _PTR),
    "frDestroyWalk": (_PTR,),
    "frWalkMany": (_PTR, _PTR, _I32, _PTR, _PTR, _PTR, _SIZE, _PTR, _PTR, _PTR),
    "frWorld_Descend": (_PTR, _PTR, _PTR, _PTR),
    "frWorld_Climb": (_PTR, _PTR, _PTR),
    "frWorld_Recenter": (_PTR, _PTR, _PTR, _PTR),
    "frDestroyLeftOver": (_PTR,),
    "frWorld_GetEvicted": (_PTR, _PTR, _SIZE, _PTR),
    "frBindings_Follow": (_PTR, _PTR, _PTR, _SIZE, _PTR),
    "frFrameMove_Chunk": (_PTR, _I32, _PTR, _PTR, _PTR, _PTR),
    "frFrameMove_Block": (_PTR, _I32, _PTR, _PTR, _PTR, _PTR),
    "frFrameMove_Point": (_PTR, _PTR, _PTR, _PTR),
    "frWorld_GetAnchor": (_PTR, _TEXT, _SIZE, _PTR),
    "frWorld_GetPath": (_PTR, _I32, _PTR, _TEXT, _SIZE, _PTR),
    "frFollowPath": (_TEXT, _PTR, _PTR, _PTR),
    "frWorld_FindPath": (_PTR, _TEXT, _PTR, _PTR),
    "frCreateStreamer": (_PTR, _PTR, _PTR, _PTR),
    "frDestroyStreamer": (_PTR,),
    "frStreamer_SetOptions": (_PTR, _PTR),
    "frStreamer_Tick": (_PTR, _PTR, _SIZE),
    "frStreamer_TakeRequests": (_PTR, _PTR, _SIZE, _PTR),
    "frStreamer_GetRequestPath": (_PTR, _U64, _TEXT, _SIZE, _PTR),
    "frStreamer_IsWanted": (_PTR, _U64),
    "frStreamer_Answer": (_PTR, _U64, _I32, _PTR),
    "frStreamer_Want": (_PTR, _PTR, _U32, _SIZE, _PTR, _SIZE, _PTR),
    "frStreamer_WantChunks": (_PTR, _PTR, _SIZE, _PTR),
    "frStreamer_SetBlocks": (_PTR, _PTR, _SIZE),
    "frStreamer_RevertChanges": (_PTR, _I64, _SIZE, _PTR),
    "frStreamer_MaintainChanges": (_PTR,),
    "frStreamer_GetError": (_PTR, _I32, _PTR, _PTR, _TEXT, _SIZE, _PTR),
    "frStreamer_GetLoaded": (_PTR, _PTR, _SIZE, _PTR),
    "frStreamer_GetUnloaded": (_PTR, _PTR, _SIZE, _PTR),
    "frStreamer_GetDropped": (_PTR, _SIZE, _TEXT, _SIZE, _PTR),
    "frStreamer_GetStats": (_PTR, _PTR),
    "frCreateVisibility": (_PTR, _PTR, _PTR),
    "frDestroyVisibility": (_PTR,),
    "frVisibility_Tick": (_PTR, _PTR, _PTR),
    "frVisibility_Clear": (_PTR,),
    "frVisibility_GetTicks": (_PTR, _PTR),
    "frVisibility_GetBlocks": (_PTR, _I32, _PTR, _SIZE, _PTR),
    "frVisibility_GetChunks": (_PTR, _I32, _PTR, _SIZE, _PTR),
    "frVisibility_FindBlock": (_PTR, _I32, _PTR, _PTR),
    "frVisibility_FindChunk": (_PTR, _I32, _PTR, _PTR),
    "frVisibility_GetUnknown": (_PTR, _PTR, _SIZE, _PTR),
    "frVisibility_GetEntered": (_PTR, _PTR, _SIZE, _PTR),
}

#: The types of the results that are not an frResult.
RESULTS: dict[str, "type | None"] = {
    "frGetVersion": c_int32,
    "frGetResultName": c_char_p,
    "frGetLastError": c_char_p,
    "frExecutor_Run": None,
}
