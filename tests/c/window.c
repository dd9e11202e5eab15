/* SPDX-License-Identifier: Apache-2.0 */
/* Tests moves of the frame, and errors that all functions have in common. */
#include "check.h"

void testWindow(void) {
  frWorld* world = makeWorld(2);
  frLeftOver* left_over = NULL;
  const int64_t chunk[3] = {0, 0, 0};
  const int64_t step[3] = {7, 10, 3};
  const int64_t units[3] = {65536, 0, 0};
  const int64_t far_away[3] = {INT64_MAX, 0, 0};
  int64_t after[3] = {0, 0, 0};
  int32_t level_after = 9;
  int32_t is_kept = 0;
  int32_t steps = 0;
  uint64_t evicted = 0;
  size_t count = 0;
  size_t length = 0;
  char path[16];
  SIZED(frWindowMove, move);
  addSphere(world, 7, 2.5, 2.5, 2.5);
  FAILS(FR_FAILED_PRECONDITION, frWorld_Climb(world, &move, NULL));
  OK(frWorld_Descend(world, chunk, &move, &left_over));
  OK(frDestroyLeftOver(left_over));
  CHECK(move.dropped_chunks == 1 && move.evicted == 1 && move.frame_move.kind == FR_DESCEND);
  OK(frWorld_GetEvicted(world, &evicted, 1, &count));
  CHECK(count == 1 && evicted == 7);
  OK(frWorld_GetAnchor(world, path, sizeof path, &length));
  CHECK(length == 3 && strcmp(path, "000") == 0);
  OK(frWorld_GetPath(world, 1, step, path, sizeof path, NULL));
  CHECK(strcmp(path, "000_7a3") == 0);
  FAILS(FR_OUT_OF_RANGE, frWorld_GetPath(world, 1, step, path, 7, NULL));
  FAILS(FR_INVALID_ARGUMENT, frWorld_GetPath(world, 2, step, path, sizeof path, NULL));
  OK(frFollowPath("7a3", chunk, after, &steps));
  CHECK(steps == 1 && after[0] == 7 && after[1] == 10 && after[2] == 3);
  FAILS(FR_INVALID_ARGUMENT, frFollowPath("7a", chunk, after, &steps));
  OK(frFrameMove_Chunk(&move.frame_move, 1, chunk, &level_after, after, &is_kept));
  CHECK(is_kept && level_after == 0);
  OK(frFrameMove_Chunk(&move.frame_move, 0, chunk, &level_after, after, &is_kept));
  CHECK(!is_kept);
  OK(frFrameMove_Block(&move.frame_move, 1, step, &level_after, after, &is_kept));
  CHECK(is_kept && after[1] == 10);
  OK(frFrameMove_Point(&move.frame_move, units, after, &is_kept));
  CHECK(is_kept && after[0] == 16 * 65536);
  FAILS(FR_OUT_OF_RANGE, frFrameMove_Point(&move.frame_move, far_away, after, &is_kept));
  FAILS(FR_OUT_OF_RANGE,
        frFrameMove_Chunk(&move.frame_move, 1, far_away, &level_after, after, &is_kept));
  FAILS(FR_INVALID_ARGUMENT,
        frFrameMove_Chunk(&move.frame_move, 2, chunk, &level_after, after, &is_kept));
  OK(frWorld_Climb(world, &move, NULL));
  CHECK(move.frame_move.kind == FR_CLIMB);
  move.frame_move.chunk[0] = 16;
  FAILS(FR_INVALID_ARGUMENT, frFrameMove_Point(&move.frame_move, units, after, &is_kept));
  move.frame_move.kind = 0;
  FAILS(FR_INVALID_ARGUMENT, frFrameMove_Point(&move.frame_move, units, after, &is_kept));
  move.struct_size = 1;
  FAILS(FR_INVALID_ARGUMENT, frWorld_Recenter(world, chunk, &move, NULL));
  OK(frWorld_Recenter(world, chunk, NULL, NULL));
  OK(frDestroyWorld(world));
}

void testErrors(void) {
  frWorld* world = makeWorld(1);
  const int64_t block[3] = {0, 0, 0};
  const frLine line = segment(0.5, 2.5, 2.5, 16.5, 2.5, 2.5);
  const frLine no_line = {{0, 0, 0}, {0, 0, 0}, 0, 0, 0, {0}};
  int64_t memory[8] = {0};
  frRules* rules = NULL;
  frHit hit;
  SIZED(frQueryOptions, options);
  SIZED(frQueryResult, result);
  FAILS(FR_INVALID_ARGUMENT, frWorld_SetBlock(NULL, 0, block, 1));
  FAILS(FR_INVALID_ARGUMENT, frWorld_SetBlock(world, 0, NULL, 1));
  FAILS(FR_INVALID_ARGUMENT, frWorld_SetBlock(world, 0, (const int64_t*)((char*)memory + 1), 1));
  OK(frCreateRules(&rules));
  FAILS(FR_INVALID_ARGUMENT, frWorld_SetBlock((frWorld*)rules, 0, block, 1));
  CHECK(strcmp(frGetLastError(),
               "frWorld_SetBlock: world is an object of another kind, or has been destroyed") == 0);
  OK(frDestroyRules(rules));
  FAILS(FR_INVALID_ARGUMENT, frDestroyRules(rules));
  CHECK(strcmp(frGetLastError(),
               "frDestroyRules: rules is an object of another kind, or has been destroyed") == 0);
  OK(frDestroyRules(NULL));
  FAILS(FR_INVALID_ARGUMENT, frWorld_ClosestHit(world, &no_line, 1, NULL, &hit, NULL));
  FAILS(FR_INVALID_ARGUMENT, frWorld_ClosestHit(world, &line, 0, NULL, &hit, NULL));
  FAILS(FR_INVALID_ARGUMENT, frWorld_ClosestHit(world, &line, 1u << 31, NULL, &hit, NULL));
  OK(frWorld_ClosestHit(world, &line, UINT32_MAX, NULL, &hit, NULL));
  options.corner = 3;
  FAILS(FR_INVALID_ARGUMENT, frWorld_ClosestHit(world, &line, 1, &options, &hit, NULL));
  options.corner = 0;
  options.channel = 1;
  FAILS(FR_INVALID_ARGUMENT, frWorld_ClosestHit(world, &line, 1, &options, &hit, NULL));
  options.channel = 0;
  options.struct_size = 0;
  FAILS(FR_INVALID_ARGUMENT, frWorld_ClosestHit(world, &line, 1, &options, &hit, NULL));
  options.struct_size = sizeof options;
  hit.kind = 3;
  options.after = &hit;
  options.after_count = 1;
  FAILS(FR_INVALID_ARGUMENT, frWorld_ClosestHit(world, &line, 1, &options, &hit, NULL));
  result.struct_size = 1000;
  FAILS(FR_INVALID_ARGUMENT, frWorld_Shoot(world, &line, 1, NULL, NULL, 0, &result));
  FAILS(FR_INVALID_ARGUMENT, frWorld_Shoot(world, &line, 1, NULL, NULL, 2, NULL));
  OK(frDestroyWorld(world));
}
