/* Made by tools/scripts/generate_bindings.py from bindings/c/fractalray_c.h, which documents it; do not edit. */
/* SPDX-License-Identifier: Apache-2.0 */
/* Asserts the layouts that bindings rely on. Those of structs without pointers and size_t are the
 * same on all targets. Compiled only; for wasm32, too. */
#include "../../bindings/c/fractalray_c.h"

#define SIZE(type, size) typedef char type##_size[sizeof(type) == (size) ? 1 : -1]
#define AT(type, member, offset) \
  typedef char type##_##member[offsetof(type, member) == (offset) ? 1 : -1]

SIZE(frLine, 72);
AT(frLine, from, 0);
AT(frLine, to, 24);
AT(frLine, end_time, 48);
AT(frLine, begin_plane, 56);
AT(frLine, begin_axes, 64);
AT(frLine, reserved, 65);

SIZE(frHit, 168);
AT(frHit, t, 0);
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
AT(frHit, reserved, 137);
AT(frHit, plane, 140);
AT(frHit, half_extents, 144);

SIZE(frStats, 64);
AT(frStats, cells, 0);
AT(frStats, chunks, 8);
AT(frStats, index_cells, 16);
AT(frStats, entities_tested, 24);
AT(frStats, skips, 32);
AT(frStats, listed, 40);
AT(frStats, ordered, 48);
AT(frStats, direct, 56);

SIZE(frLoadSummary, 80);
AT(frLoadSummary, struct_size, 0);
AT(frLoadSummary, reserved, 4);
AT(frLoadSummary, chunks, 8);
AT(frLoadSummary, loaded, 16);
AT(frLoadSummary, not_generated, 24);
AT(frLoadSummary, damaged, 32);
AT(frLoadSummary, outside, 40);
AT(frLoadSummary, bytes, 48);
AT(frLoadSummary, named_damages, 56);
AT(frLoadSummary, defaulted_names, 64);
AT(frLoadSummary, unsupported, 72);

SIZE(frChunkInfo, 16);
AT(frChunkInfo, bytes, 0);
AT(frChunkInfo, state, 8);
AT(frChunkInfo, is_uniform, 12);
AT(frChunkInfo, is_borrowed, 13);
AT(frChunkInfo, is_borrowed_for_writing, 14);
AT(frChunkInfo, is_empty, 15);

SIZE(frLevelInfo, 64);
AT(frLevelInfo, loaded_chunks, 0);
AT(frLevelInfo, proto_chunks, 8);
AT(frLevelInfo, min, 16);
AT(frLevelInfo, max, 40);

SIZE(frEntityDef, 80);
AT(frEntityDef, struct_size, 0);
AT(frEntityDef, level, 4);
AT(frEntityDef, id, 8);
AT(frEntityDef, categories, 16);
AT(frEntityDef, position, 24);
AT(frEntityDef, half_extents, 48);
AT(frEntityDef, shape, 72);
AT(frEntityDef, entity_class, 76);

SIZE(frEntityInfo, 80);
AT(frEntityInfo, id, 0);
AT(frEntityInfo, categories, 8);
AT(frEntityInfo, position, 16);
AT(frEntityInfo, half_extents, 40);
AT(frEntityInfo, level, 64);
AT(frEntityInfo, index_level, 68);
AT(frEntityInfo, entity_class, 72);
AT(frEntityInfo, shape, 76);

SIZE(frBlockOfLevel, 32);
AT(frBlockOfLevel, block, 0);
AT(frBlockOfLevel, level, 24);
AT(frBlockOfLevel, reserved, 28);

SIZE(frRule, 24);
AT(frRule, per_hit, 0);
AT(frRule, per_block, 8);
AT(frRule, kind, 16);
AT(frRule, budget, 20);
AT(frRule, touch_costs, 21);
AT(frRule, per_pane, 22);
AT(frRule, reserved, 23);

SIZE(frQueryResult, 392);
AT(frQueryResult, struct_size, 0);
AT(frQueryResult, result, 4);
AT(frQueryResult, blocks_version, 8);
AT(frQueryResult, entities_version, 16);
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
AT(frQueryResult, truncated, 385);
AT(frQueryResult, has_budgets, 386);
AT(frQueryResult, progress, 387);
AT(frQueryResult, reserved, 388);

SIZE(frLevelPart, 24);
AT(frLevelPart, t0, 0);
AT(frLevelPart, t1, 8);
AT(frLevelPart, level, 16);
AT(frLevelPart, reserved, 20);

SIZE(frBatchResult, 112);
AT(frBatchResult, struct_size, 0);
AT(frBatchResult, reserved, 4);
AT(frBatchResult, blocks_version, 8);
AT(frBatchResult, entities_version, 16);
AT(frBatchResult, completed, 24);
AT(frBatchResult, errors, 32);
AT(frBatchResult, hits, 40);
AT(frBatchResult, stats, 48);

SIZE(frCompactHit, 64);
AT(frCompactHit, t, 0);
AT(frCompactHit, t_exit, 8);
AT(frCompactHit, block, 16);
AT(frCompactHit, entity, 40);
AT(frCompactHit, id, 48);
AT(frCompactHit, type, 56);
AT(frCompactHit, kind, 58);
AT(frCompactHit, level, 59);
AT(frCompactHit, face_axis, 60);
AT(frCompactHit, face_sign, 61);
AT(frCompactHit, step, 62);
AT(frCompactHit, flags, 63);

SIZE(frBlocker, 56);
AT(frBlocker, t, 0);
AT(frBlocker, block, 8);
AT(frBlocker, entity, 32);
AT(frBlocker, id, 40);
AT(frBlocker, level, 48);
AT(frBlocker, type, 52);
AT(frBlocker, kind, 54);
AT(frBlocker, reserved, 55);

SIZE(frRemoteInfo, 56);
AT(frRemoteInfo, struct_size, 0);
AT(frRemoteInfo, reserved, 4);
AT(frRemoteInfo, batch_lines, 8);
AT(frRemoteInfo, frame_bytes, 16);
AT(frRemoteInfo, connects, 24);
AT(frRemoteInfo, retry_us, 32);
AT(frRemoteInfo, block_types, 40);
AT(frRemoteInfo, tick, 48);

SIZE(frFedEntity, 80);
AT(frFedEntity, id, 0);
AT(frFedEntity, categories, 8);
AT(frFedEntity, position, 16);
AT(frFedEntity, half_extents, 40);
AT(frFedEntity, level, 64);
AT(frFedEntity, shape, 68);
AT(frFedEntity, entity_class, 72);
AT(frFedEntity, reserved, 76);

SIZE(frFedMove, 32);
AT(frFedMove, id, 0);
AT(frFedMove, position, 8);

SIZE(frFixedBox, 48);
AT(frFixedBox, min, 0);
AT(frFixedBox, max, 24);

SIZE(frSightQuery, 72);
AT(frSightQuery, eye, 0);
AT(frSightQuery, box, 24);

SIZE(frSightStats, 80);
AT(frSightStats, lines, 0);
AT(frSightStats, rays, 64);
AT(frSightStats, cuts, 72);

SIZE(frSightAnswer, 160);
AT(frSightAnswer, struct_size, 0);
AT(frSightAnswer, sight, 4);
AT(frSightAnswer, blocks_version, 8);
AT(frSightAnswer, entities_version, 16);
AT(frSightAnswer, delta, 24);
AT(frSightAnswer, delta_high, 48);
AT(frSightAnswer, is_wide, 72);
AT(frSightAnswer, is_unit, 73);
AT(frSightAnswer, reserved, 74);
AT(frSightAnswer, stats, 80);

SIZE(frSightTableStats, 128);
AT(frSightTableStats, sight, 0);
AT(frSightTableStats, pairs, 80);
AT(frSightTableStats, unchanged, 88);
AT(frSightTableStats, by_ray, 96);
AT(frSightTableStats, by_proof, 104);
AT(frSightTableStats, searched, 112);
AT(frSightTableStats, undecided, 120);

SIZE(frFoundEntity, 24);
AT(frFoundEntity, distance, 0);
AT(frFoundEntity, entity, 8);
AT(frFoundEntity, id, 16);

SIZE(frFoundBlock, 40);
AT(frFoundBlock, distance, 0);
AT(frFoundBlock, block, 8);
AT(frFoundBlock, level, 32);
AT(frFoundBlock, type, 36);
AT(frFoundBlock, kind, 38);
AT(frFoundBlock, sight, 39);

SIZE(frBlastRay, 32);
AT(frBlastRay, step, 0);
AT(frBlastRay, power, 24);

SIZE(frBrokenBlock, 56);
AT(frBrokenBlock, block, 0);
AT(frBrokenBlock, steps, 24);
AT(frBrokenBlock, power, 32);
AT(frBrokenBlock, level, 40);
AT(frBrokenBlock, ray, 44);
AT(frBrokenBlock, type, 48);
AT(frBrokenBlock, reserved, 50);

SIZE(frExposedEntity, 40);
AT(frExposedEntity, distance, 0);
AT(frExposedEntity, from, 8);
AT(frExposedEntity, to, 16);
AT(frExposedEntity, entity, 24);
AT(frExposedEntity, id, 32);

SIZE(frBlastResult, 48);
AT(frBlastResult, struct_size, 0);
AT(frBlastResult, reaches_unknown, 4);
AT(frBlastResult, reserved, 5);
AT(frBlastResult, blocks_version, 8);
AT(frBlastResult, entities_version, 16);
AT(frBlastResult, samples, 24);
AT(frBlastResult, block_count, 32);
AT(frBlastResult, entity_count, 40);

SIZE(frReplayOptions, 16);
AT(frReplayOptions, struct_size, 0);
AT(frReplayOptions, all, 4);
AT(frReplayOptions, on_other_world, 8);
AT(frReplayOptions, reserved, 12);

SIZE(frReplayed, 224);
AT(frReplayed, struct_size, 0);
AT(frReplayed, outcome, 4);
AT(frReplayed, number, 8);
AT(frReplayed, offset, 16);
AT(frReplayed, line, 24);
AT(frReplayed, levels, 96);
AT(frReplayed, verb, 100);
AT(frReplayed, sight, 104);
AT(frReplayed, viewer_count, 176);
AT(frReplayed, box_count, 184);
AT(frReplayed, center, 192);
AT(frReplayed, radius, 216);

SIZE(frLineChunk, 48);
AT(frLineChunk, t_enter, 0);
AT(frLineChunk, t_exit, 8);
AT(frLineChunk, chunk, 16);
AT(frLineChunk, level, 40);
AT(frLineChunk, state, 44);

SIZE(frWalkCell, 56);
AT(frWalkCell, cell, 0);
AT(frWalkCell, t_numerator, 24);
AT(frWalkCell, t_denominator, 32);
AT(frWalkCell, t, 40);
AT(frWalkCell, face_axis, 48);
AT(frWalkCell, face_sign, 49);
AT(frWalkCell, reserved, 50);

SIZE(frFrameMove, 32);
AT(frFrameMove, chunk, 0);
AT(frFrameMove, kind, 24);
AT(frFrameMove, levels, 28);

SIZE(frWindowMove, 56);
AT(frWindowMove, struct_size, 0);
AT(frWindowMove, reserved, 4);
AT(frWindowMove, frame_move, 8);
AT(frWindowMove, dropped_chunks, 40);
AT(frWindowMove, evicted, 48);

SIZE(frChunkOfLevel, 32);
AT(frChunkOfLevel, chunk, 0);
AT(frChunkOfLevel, level, 24);
AT(frChunkOfLevel, reserved, 28);

SIZE(frStreamRadii, 16);
AT(frStreamRadii, load, 0);
AT(frStreamRadii, keep, 8);

SIZE(frStreamStats, 104);
AT(frStreamStats, ticks, 0);
AT(frStreamStats, requested, 8);
AT(frStreamStats, loaded, 16);
AT(frStreamStats, unloaded, 24);
AT(frStreamStats, evicted, 32);
AT(frStreamStats, nonexistent, 40);
AT(frStreamStats, failed, 48);
AT(frStreamStats, timed_out, 56);
AT(frStreamStats, cancelled, 64);
AT(frStreamStats, pending, 72);
AT(frStreamStats, failing, 80);
AT(frStreamStats, chunks, 88);
AT(frStreamStats, bytes, 96);

SIZE(frViewCone, 56);
AT(frViewCone, from, 0);
AT(frViewCone, direction, 24);
AT(frViewCone, cos_half_angle, 48);

SIZE(frSeenBlock, 48);
AT(frSeenBlock, block, 0);
AT(frSeenBlock, since, 24);
AT(frSeenBlock, last, 32);
AT(frSeenBlock, level, 40);
AT(frSeenBlock, type, 44);
AT(frSeenBlock, reserved, 46);

SIZE(frSeenChunk, 48);
AT(frSeenChunk, chunk, 0);
AT(frSeenChunk, since, 24);
AT(frSeenChunk, last, 32);
AT(frSeenChunk, level, 40);
AT(frSeenChunk, reserved, 44);

#if UINTPTR_MAX > 0xffffffffu

SIZE(frVectors, 32);
AT(frVectors, data, 0);
AT(frVectors, vector_stride, 8);
AT(frVectors, component_stride, 16);
AT(frVectors, format, 24);
AT(frVectors, reserved, 28);

SIZE(frWorldDef, 48);
AT(frWorldDef, struct_size, 0);
AT(frWorldDef, version, 4);
AT(frWorldDef, levels, 8);
AT(frWorldDef, reserved, 12);
AT(frWorldDef, anchor, 16);
AT(frWorldDef, block_types_of, 24);
AT(frWorldDef, parallel_for, 32);
AT(frWorldDef, parallel_context, 40);

SIZE(frOpenOptions, 112);
AT(frOpenOptions, struct_size, 0);
AT(frOpenOptions, has_box, 4);
AT(frOpenOptions, reserved, 5);
AT(frOpenOptions, min_chunk, 8);
AT(frOpenOptions, max_chunk, 32);
AT(frOpenOptions, node_kinds, 56);
AT(frOpenOptions, mapblocks, 64);
AT(frOpenOptions, mapblock_bytes, 72);
AT(frOpenOptions, file_bytes, 80);
AT(frOpenOptions, named_damages, 88);
AT(frOpenOptions, block_types, 96);
AT(frOpenOptions, block_type_count, 104);

SIZE(frBlockTypeDef, 56);
AT(frBlockTypeDef, struct_size, 0);
AT(frBlockTypeDef, kind, 4);
AT(frBlockTypeDef, name, 8);
AT(frBlockTypeDef, channels, 16);
AT(frBlockTypeDef, channel_kinds, 24);
AT(frBlockTypeDef, channel_count, 32);
AT(frBlockTypeDef, channel_shapes, 40);
AT(frBlockTypeDef, shape, 48);
AT(frBlockTypeDef, reserved, 50);

SIZE(frIdStates, 16);
AT(frIdStates, struct_size, 0);
AT(frIdStates, id, 4);
AT(frIdStates, types, 8);

SIZE(frIdLayoutDef, 80);
AT(frIdLayoutDef, struct_size, 0);
AT(frIdLayoutDef, id_bytes, 4);
AT(frIdLayoutDef, strides, 8);
AT(frIdLayoutDef, types, 32);
AT(frIdLayoutDef, type_count, 40);
AT(frIdLayoutDef, states, 48);
AT(frIdLayoutDef, state_count, 56);
AT(frIdLayoutDef, state_offset, 64);
AT(frIdLayoutDef, state_bits, 72);

SIZE(frChunkDef, 56);
AT(frChunkDef, struct_size, 0);
AT(frChunkDef, source, 4);
AT(frChunkDef, chunk, 8);
AT(frChunkDef, layout, 32);
AT(frChunkDef, ids, 40);
AT(frChunkDef, uniform, 48);
AT(frChunkDef, reserved, 50);

SIZE(frEngineChunksDef, 40);
AT(frEngineChunksDef, struct_size, 0);
AT(frEngineChunksDef, width, 4);
AT(frEngineChunksDef, level, 8);
AT(frEngineChunksDef, source, 12);
AT(frEngineChunksDef, layout, 16);
AT(frEngineChunksDef, find, 24);
AT(frEngineChunksDef, context, 32);

SIZE(frLines, 144);
AT(frLines, struct_size, 0);
AT(frLines, is_rays, 4);
AT(frLines, count, 8);
AT(frLines, from, 16);
AT(frLines, to, 48);
AT(frLines, max_distances, 80);
AT(frLines, bounds, 88);
AT(frLines, lines, 96);
AT(frLines, levels, 104);
AT(frLines, ignore, 112);
AT(frLines, ignore_ends, 120);
AT(frLines, after, 128);
AT(frLines, after_ends, 136);

SIZE(frQueryOptions, 144);
AT(frQueryOptions, struct_size, 0);
AT(frQueryOptions, corner, 4);
AT(frQueryOptions, categories, 8);
AT(frQueryOptions, ignore, 16);
AT(frQueryOptions, ignore_count, 24);
AT(frQueryOptions, after, 32);
AT(frQueryOptions, after_count, 40);
AT(frQueryOptions, rules, 48);
AT(frQueryOptions, budgets, 56);
AT(frQueryOptions, block_filter, 64);
AT(frQueryOptions, entity_filter, 72);
AT(frQueryOptions, filter_context, 80);
AT(frQueryOptions, on_hit, 88);
AT(frQueryOptions, hit_context, 96);
AT(frQueryOptions, max_hits, 104);
AT(frQueryOptions, max_steps, 112);
AT(frQueryOptions, max_batch_steps, 120);
AT(frQueryOptions, channel, 128);
AT(frQueryOptions, no_blocks, 130);
AT(frQueryOptions, no_entities, 131);
AT(frQueryOptions, solid_only, 132);
AT(frQueryOptions, skip_start_inside, 133);
AT(frQueryOptions, report_unknown, 134);
AT(frQueryOptions, stop_at_unknown, 135);
AT(frQueryOptions, entities_block, 136);
AT(frQueryOptions, after_by_id, 137);
AT(frQueryOptions, reserved, 138);

SIZE(frConnectOptions, 48);
AT(frConnectOptions, struct_size, 0);
AT(frConnectOptions, reserved, 4);
AT(frConnectOptions, token, 8);
AT(frConnectOptions, deadline_us, 16);
AT(frConnectOptions, timeout_us, 24);
AT(frConnectOptions, world, 32);
AT(frConnectOptions, block_types, 40);

SIZE(frEntityTick, 64);
AT(frEntityTick, struct_size, 0);
AT(frEntityTick, is_whole, 4);
AT(frEntityTick, tick, 8);
AT(frEntityTick, added, 16);
AT(frEntityTick, added_count, 24);
AT(frEntityTick, moved, 32);
AT(frEntityTick, moved_count, 40);
AT(frEntityTick, removed, 48);
AT(frEntityTick, removed_count, 56);

SIZE(frSightOptions, 96);
AT(frSightOptions, struct_size, 0);
AT(frSightOptions, unloaded, 4);
AT(frSightOptions, categories, 8);
AT(frSightOptions, ignore, 16);
AT(frSightOptions, ignore_count, 24);
AT(frSightOptions, occluders, 32);
AT(frSightOptions, occluder_count, 40);
AT(frSightOptions, block_filter, 48);
AT(frSightOptions, entity_filter, 56);
AT(frSightOptions, filter_context, 64);
AT(frSightOptions, max_steps, 72);
AT(frSightOptions, through, 80);
AT(frSightOptions, channel, 88);
AT(frSightOptions, no_blocks, 90);
AT(frSightOptions, skip_start_inside, 91);
AT(frSightOptions, boxes_block, 92);
AT(frSightOptions, reserved, 93);

SIZE(frSightTableOptions, 40);
AT(frSightTableOptions, struct_size, 0);
AT(frSightTableOptions, if_undecided, 4);
AT(frSightTableOptions, each, 8);
AT(frSightTableOptions, left_out, 16);
AT(frSightTableOptions, max_distance, 24);
AT(frSightTableOptions, history, 32);

SIZE(frBlastQuery, 88);
AT(frBlastQuery, struct_size, 0);
AT(frBlastQuery, reserved, 4);
AT(frBlastQuery, center, 8);
AT(frBlastQuery, radius, 32);
AT(frBlastQuery, rays, 40);
AT(frBlastQuery, ray_count, 48);
AT(frBlastQuery, resistances, 56);
AT(frBlastQuery, resistance_count, 64);
AT(frBlastQuery, falloff, 72);
AT(frBlastQuery, max_samples, 80);

SIZE(frChunkSource, 56);
AT(frChunkSource, struct_size, 0);
AT(frChunkSource, keeps_changes, 4);
AT(frChunkSource, request, 8);
AT(frChunkSource, unloading, 16);
AT(frChunkSource, dropped, 24);
AT(frChunkSource, context, 32);
AT(frChunkSource, changes_path, 40);
AT(frChunkSource, syncs_changes, 48);
AT(frChunkSource, reserved, 52);

SIZE(frStreamOptions, 120);
AT(frStreamOptions, struct_size, 0);
AT(frStreamOptions, reserved, 4);
AT(frStreamOptions, radii, 8);
AT(frStreamOptions, radius_count, 16);
AT(frStreamOptions, is_fertile, 24);
AT(frStreamOptions, fertile_context, 32);
AT(frStreamOptions, fertile, 40);
AT(frStreamOptions, fertile_count, 48);
AT(frStreamOptions, chunks_per_tick, 56);
AT(frStreamOptions, bytes_per_tick, 64);
AT(frStreamOptions, max_bytes, 72);
AT(frStreamOptions, max_pending, 80);
AT(frStreamOptions, answer_ticks, 88);
AT(frStreamOptions, retry_ticks, 96);
AT(frStreamOptions, max_retry_ticks, 104);
AT(frStreamOptions, want_ticks, 112);

SIZE(frBlockChange, 48);
AT(frBlockChange, path, 0);
AT(frBlockChange, block, 8);
AT(frBlockChange, reverts_at, 32);
AT(frBlockChange, level, 40);
AT(frBlockChange, type, 44);
AT(frBlockChange, is_removed, 46);
AT(frBlockChange, reverts, 47);

SIZE(frVisibilityOptions, 48);
AT(frVisibilityOptions, struct_size, 0);
AT(frVisibilityOptions, levels, 4);
AT(frVisibilityOptions, rays, 8);
AT(frVisibilityOptions, distance, 16);
AT(frVisibilityOptions, forget_ticks, 24);
AT(frVisibilityOptions, filter, 32);
AT(frVisibilityOptions, entities_hide, 40);
AT(frVisibilityOptions, reserved, 44);

#elif defined(__wasm32__)

SIZE(frVectors, 32);
AT(frVectors, data, 0);
AT(frVectors, vector_stride, 8);
AT(frVectors, component_stride, 16);
AT(frVectors, format, 24);
AT(frVectors, reserved, 28);

SIZE(frWorldDef, 32);
AT(frWorldDef, struct_size, 0);
AT(frWorldDef, version, 4);
AT(frWorldDef, levels, 8);
AT(frWorldDef, reserved, 12);
AT(frWorldDef, anchor, 16);
AT(frWorldDef, block_types_of, 20);
AT(frWorldDef, parallel_for, 24);
AT(frWorldDef, parallel_context, 28);

SIZE(frOpenOptions, 104);
AT(frOpenOptions, struct_size, 0);
AT(frOpenOptions, has_box, 4);
AT(frOpenOptions, reserved, 5);
AT(frOpenOptions, min_chunk, 8);
AT(frOpenOptions, max_chunk, 32);
AT(frOpenOptions, node_kinds, 56);
AT(frOpenOptions, mapblocks, 64);
AT(frOpenOptions, mapblock_bytes, 72);
AT(frOpenOptions, file_bytes, 80);
AT(frOpenOptions, named_damages, 88);
AT(frOpenOptions, block_types, 96);
AT(frOpenOptions, block_type_count, 100);

SIZE(frBlockTypeDef, 36);
AT(frBlockTypeDef, struct_size, 0);
AT(frBlockTypeDef, kind, 4);
AT(frBlockTypeDef, name, 8);
AT(frBlockTypeDef, channels, 12);
AT(frBlockTypeDef, channel_kinds, 16);
AT(frBlockTypeDef, channel_count, 20);
AT(frBlockTypeDef, channel_shapes, 24);
AT(frBlockTypeDef, shape, 28);
AT(frBlockTypeDef, reserved, 30);

SIZE(frIdStates, 12);
AT(frIdStates, struct_size, 0);
AT(frIdStates, id, 4);
AT(frIdStates, types, 8);

SIZE(frIdLayoutDef, 64);
AT(frIdLayoutDef, struct_size, 0);
AT(frIdLayoutDef, id_bytes, 4);
AT(frIdLayoutDef, strides, 8);
AT(frIdLayoutDef, types, 32);
AT(frIdLayoutDef, type_count, 36);
AT(frIdLayoutDef, states, 40);
AT(frIdLayoutDef, state_count, 44);
AT(frIdLayoutDef, state_offset, 48);
AT(frIdLayoutDef, state_bits, 56);

SIZE(frChunkDef, 48);
AT(frChunkDef, struct_size, 0);
AT(frChunkDef, source, 4);
AT(frChunkDef, chunk, 8);
AT(frChunkDef, layout, 32);
AT(frChunkDef, ids, 36);
AT(frChunkDef, uniform, 40);
AT(frChunkDef, reserved, 42);

SIZE(frEngineChunksDef, 28);
AT(frEngineChunksDef, struct_size, 0);
AT(frEngineChunksDef, width, 4);
AT(frEngineChunksDef, level, 8);
AT(frEngineChunksDef, source, 12);
AT(frEngineChunksDef, layout, 16);
AT(frEngineChunksDef, find, 20);
AT(frEngineChunksDef, context, 24);

SIZE(frLines, 112);
AT(frLines, struct_size, 0);
AT(frLines, is_rays, 4);
AT(frLines, count, 8);
AT(frLines, from, 16);
AT(frLines, to, 48);
AT(frLines, max_distances, 80);
AT(frLines, bounds, 84);
AT(frLines, lines, 88);
AT(frLines, levels, 92);
AT(frLines, ignore, 96);
AT(frLines, ignore_ends, 100);
AT(frLines, after, 104);
AT(frLines, after_ends, 108);

SIZE(frQueryOptions, 104);
AT(frQueryOptions, struct_size, 0);
AT(frQueryOptions, corner, 4);
AT(frQueryOptions, categories, 8);
AT(frQueryOptions, ignore, 16);
AT(frQueryOptions, ignore_count, 20);
AT(frQueryOptions, after, 24);
AT(frQueryOptions, after_count, 28);
AT(frQueryOptions, rules, 32);
AT(frQueryOptions, budgets, 36);
AT(frQueryOptions, block_filter, 40);
AT(frQueryOptions, entity_filter, 44);
AT(frQueryOptions, filter_context, 48);
AT(frQueryOptions, on_hit, 52);
AT(frQueryOptions, hit_context, 56);
AT(frQueryOptions, max_hits, 64);
AT(frQueryOptions, max_steps, 72);
AT(frQueryOptions, max_batch_steps, 80);
AT(frQueryOptions, channel, 88);
AT(frQueryOptions, no_blocks, 90);
AT(frQueryOptions, no_entities, 91);
AT(frQueryOptions, solid_only, 92);
AT(frQueryOptions, skip_start_inside, 93);
AT(frQueryOptions, report_unknown, 94);
AT(frQueryOptions, stop_at_unknown, 95);
AT(frQueryOptions, entities_block, 96);
AT(frQueryOptions, after_by_id, 97);
AT(frQueryOptions, reserved, 98);

SIZE(frConnectOptions, 48);
AT(frConnectOptions, struct_size, 0);
AT(frConnectOptions, reserved, 4);
AT(frConnectOptions, token, 8);
AT(frConnectOptions, deadline_us, 16);
AT(frConnectOptions, timeout_us, 24);
AT(frConnectOptions, world, 32);
AT(frConnectOptions, block_types, 40);

SIZE(frEntityTick, 40);
AT(frEntityTick, struct_size, 0);
AT(frEntityTick, is_whole, 4);
AT(frEntityTick, tick, 8);
AT(frEntityTick, added, 16);
AT(frEntityTick, added_count, 20);
AT(frEntityTick, moved, 24);
AT(frEntityTick, moved_count, 28);
AT(frEntityTick, removed, 32);
AT(frEntityTick, removed_count, 36);

SIZE(frSightOptions, 72);
AT(frSightOptions, struct_size, 0);
AT(frSightOptions, unloaded, 4);
AT(frSightOptions, categories, 8);
AT(frSightOptions, ignore, 16);
AT(frSightOptions, ignore_count, 20);
AT(frSightOptions, occluders, 24);
AT(frSightOptions, occluder_count, 28);
AT(frSightOptions, block_filter, 32);
AT(frSightOptions, entity_filter, 36);
AT(frSightOptions, filter_context, 40);
AT(frSightOptions, max_steps, 48);
AT(frSightOptions, through, 56);
AT(frSightOptions, channel, 64);
AT(frSightOptions, no_blocks, 66);
AT(frSightOptions, skip_start_inside, 67);
AT(frSightOptions, boxes_block, 68);
AT(frSightOptions, reserved, 69);

SIZE(frSightTableOptions, 32);
AT(frSightTableOptions, struct_size, 0);
AT(frSightTableOptions, if_undecided, 4);
AT(frSightTableOptions, each, 8);
AT(frSightTableOptions, left_out, 12);
AT(frSightTableOptions, max_distance, 16);
AT(frSightTableOptions, history, 24);

SIZE(frBlastQuery, 72);
AT(frBlastQuery, struct_size, 0);
AT(frBlastQuery, reserved, 4);
AT(frBlastQuery, center, 8);
AT(frBlastQuery, radius, 32);
AT(frBlastQuery, rays, 40);
AT(frBlastQuery, ray_count, 44);
AT(frBlastQuery, resistances, 48);
AT(frBlastQuery, resistance_count, 52);
AT(frBlastQuery, falloff, 56);
AT(frBlastQuery, max_samples, 64);

SIZE(frChunkSource, 36);
AT(frChunkSource, struct_size, 0);
AT(frChunkSource, keeps_changes, 4);
AT(frChunkSource, request, 8);
AT(frChunkSource, unloading, 12);
AT(frChunkSource, dropped, 16);
AT(frChunkSource, context, 20);
AT(frChunkSource, changes_path, 24);
AT(frChunkSource, syncs_changes, 28);
AT(frChunkSource, reserved, 32);

SIZE(frStreamOptions, 96);
AT(frStreamOptions, struct_size, 0);
AT(frStreamOptions, reserved, 4);
AT(frStreamOptions, radii, 8);
AT(frStreamOptions, radius_count, 12);
AT(frStreamOptions, is_fertile, 16);
AT(frStreamOptions, fertile_context, 20);
AT(frStreamOptions, fertile, 24);
AT(frStreamOptions, fertile_count, 28);
AT(frStreamOptions, chunks_per_tick, 32);
AT(frStreamOptions, bytes_per_tick, 40);
AT(frStreamOptions, max_bytes, 48);
AT(frStreamOptions, max_pending, 56);
AT(frStreamOptions, answer_ticks, 64);
AT(frStreamOptions, retry_ticks, 72);
AT(frStreamOptions, max_retry_ticks, 80);
AT(frStreamOptions, want_ticks, 88);

SIZE(frBlockChange, 48);
AT(frBlockChange, path, 0);
AT(frBlockChange, block, 8);
AT(frBlockChange, reverts_at, 32);
AT(frBlockChange, level, 40);
AT(frBlockChange, type, 44);
AT(frBlockChange, is_removed, 46);
AT(frBlockChange, reverts, 47);

SIZE(frVisibilityOptions, 48);
AT(frVisibilityOptions, struct_size, 0);
AT(frVisibilityOptions, levels, 4);
AT(frVisibilityOptions, rays, 8);
AT(frVisibilityOptions, distance, 16);
AT(frVisibilityOptions, forget_ticks, 24);
AT(frVisibilityOptions, filter, 32);
AT(frVisibilityOptions, entities_hide, 36);
AT(frVisibilityOptions, reserved, 40);

#endif

int main(void) {
  return 0;
}
