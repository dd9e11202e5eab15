/* SPDX-License-Identifier: Apache-2.0 */
/* Asserts the offsets of the structs that have no pointers, which bindings may read in memory: they
 * are the same on 64-bit and 32-bit targets. Compiled only; for wasm32, too. */
#include "../../capi/fractalray_c.h"

#define AT(type, member, offset) \
  typedef char type##_##member[offsetof(type, member) == (offset) ? 1 : -1]
#define SIZE(type, size) typedef char type##_size[sizeof(type) == (size) ? 1 : -1]

SIZE(frLine, 72);
AT(frLine, to, 24);
AT(frLine, end_time, 48);
AT(frLine, begin_plane, 56);
AT(frLine, begin_axes, 64);

SIZE(frHit, 168);
AT(frHit, t_exit, 8);
AT(frHit, distance, 16);
AT(frHit, point, 24);
AT(frHit, normal, 48);
AT(frHit, face_axis, 72);
AT(frHit, face_sign, 73);
AT(frHit, start_inside, 74);
AT(frHit, kind, 75);
AT(frHit, terminal, 76);
AT(frHit, step, 77);
AT(frHit, type, 78);
AT(frHit, level, 80);
AT(frHit, entity_class, 84);
AT(frHit, cell, 88);
AT(frHit, entity, 112);
AT(frHit, id, 120);
AT(frHit, categories, 128);
AT(frHit, shape, 136);
AT(frHit, half_extents, 144);

SIZE(frCompactHit, 64);
AT(frCompactHit, block, 16);
AT(frCompactHit, entity, 40);
AT(frCompactHit, id, 48);
AT(frCompactHit, type, 56);
AT(frCompactHit, kind, 58);
AT(frCompactHit, level, 59);
AT(frCompactHit, face_axis, 60);
AT(frCompactHit, step, 62);
AT(frCompactHit, flags, 63);

SIZE(frStats, 64);
AT(frStats, direct, 56);

SIZE(frLoadSummary, 72);
AT(frLoadSummary, chunks, 8);
AT(frLoadSummary, damaged, 32);
AT(frLoadSummary, outside, 40);
AT(frLoadSummary, defaulted_names, 64);

SIZE(frChunkInfo, 16);
AT(frChunkInfo, state, 8);
AT(frChunkInfo, is_uniform, 12);
AT(frChunkInfo, is_empty, 15);

SIZE(frLevelInfo, 64);
AT(frLevelInfo, min, 16);
AT(frLevelInfo, max, 40);

SIZE(frEntityDef, 80);
AT(frEntityDef, level, 4);
AT(frEntityDef, id, 8);
AT(frEntityDef, categories, 16);
AT(frEntityDef, position, 24);
AT(frEntityDef, half_extents, 48);
AT(frEntityDef, shape, 72);
AT(frEntityDef, entity_class, 76);

SIZE(frEntityInfo, 80);
AT(frEntityInfo, position, 16);
AT(frEntityInfo, half_extents, 40);
AT(frEntityInfo, level, 64);
AT(frEntityInfo, index_level, 68);
AT(frEntityInfo, entity_class, 72);
AT(frEntityInfo, shape, 76);

SIZE(frBlockOfLevel, 32);
AT(frBlockOfLevel, level, 24);

SIZE(frRule, 24);
AT(frRule, per_block, 8);
AT(frRule, kind, 16);
AT(frRule, budget, 20);
AT(frRule, per_pane, 22);

SIZE(frQueryResult, 392);
AT(frQueryResult, result, 4);
AT(frQueryResult, blocks_version, 8);
AT(frQueryResult, line, 24);
AT(frQueryResult, hits_begin, 96);
AT(frQueryResult, hit_count, 104);
AT(frQueryResult, unknown_from, 112);
AT(frQueryResult, stopped_at, 120);
AT(frQueryResult, stats, 128);
AT(frQueryResult, budgets, 192);
AT(frQueryResult, budgets_at_start, 256);
AT(frQueryResult, overdrawn, 320);
AT(frQueryResult, terminated, 384);
AT(frQueryResult, progress, 387);

SIZE(frReplayOptions, 16);
SIZE(frReplayed, 104);
AT(frReplayed, number, 8);
AT(frReplayed, offset, 16);
AT(frReplayed, line, 24);
AT(frReplayed, levels, 96);
AT(frReplayed, verb, 100);

SIZE(frStepEstimate, 40);
SIZE(frLevelPart, 24);
AT(frLevelPart, level, 16);

SIZE(frBatchResult, 112);
AT(frBatchResult, blocks_version, 8);
AT(frBatchResult, completed, 24);
AT(frBatchResult, hits, 40);
AT(frBatchResult, stats, 48);

SIZE(frBlocker, 56);
AT(frBlocker, block, 8);
AT(frBlocker, entity, 32);
AT(frBlocker, id, 40);
AT(frBlocker, level, 48);
AT(frBlocker, type, 52);
AT(frBlocker, kind, 54);

SIZE(frFoundEntity, 24);
SIZE(frFoundBlock, 40);
AT(frFoundBlock, block, 8);
AT(frFoundBlock, level, 32);
AT(frFoundBlock, type, 36);
AT(frFoundBlock, kind, 38);

SIZE(frLineChunk, 48);
AT(frLineChunk, chunk, 16);
AT(frLineChunk, level, 40);

SIZE(frWalkCell, 56);
AT(frWalkCell, t_numerator, 24);
AT(frWalkCell, t, 40);
AT(frWalkCell, face_axis, 48);

SIZE(frFrameMove, 32);
AT(frFrameMove, kind, 24);
SIZE(frWindowMove, 56);
AT(frWindowMove, frame_move, 8);
AT(frWindowMove, dropped_chunks, 40);

SIZE(frChunkOfLevel, 32);
AT(frChunkOfLevel, level, 24);
SIZE(frStreamRadii, 16);
SIZE(frStreamStats, 104);
AT(frStreamStats, pending, 72);

SIZE(frViewCone, 56);
AT(frViewCone, direction, 24);
AT(frViewCone, cos_half_angle, 48);
SIZE(frSeenBlock, 48);
AT(frSeenBlock, since, 24);
AT(frSeenBlock, level, 40);
AT(frSeenBlock, type, 44);
SIZE(frSeenChunk, 48);
AT(frSeenChunk, last, 32);
AT(frSeenChunk, level, 40);

int main(void) {
  return 0;
}
