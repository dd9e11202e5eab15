/* SPDX-License-Identifier: Apache-2.0 */
/* Tests sight of boxes. */
#include <stdlib.h>

#include "check.h"

#define MANY 200

/* A wall of stone at x = 8, without the block y = z = 4. */
static frWorld* makeScene(void) {
  frWorld* world = makeWorld(1);
  const int64_t min[3] = {8, 0, 0};
  const int64_t max[3] = {8, 15, 15};
  const int64_t hole[3] = {8, 4, 4};
  OK(frWorld_FillBox(world, 0, min, max, 1));
  OK(frWorld_SetBlock(world, 0, hole, FR_AIR));
  return world;
}

/* Looks from x = 2, in front of the hole, at a cube of width 1. */
static frSightQuery look(double x, double y, double z) {
  const double eye[3] = {2, 4.5, 4.5};
  const double min[3] = {x, y, z};
  const double max[3] = {x + 1, y + 1, z + 1};
  frSightQuery query;
  OK(frMakeSightQuery(eye, min, max, &query));
  return query;
}

static void testQueriesOfSight(void) {
  const double eye[3] = {0.5, 1, 2};
  const double far_away[3] = {1e30, 0, 0};
  const double corners[6] = {1, 2, 3, 2, 3, 4};
  const double* min = corners;
  const double* max = corners + 3;
  frVectors eyes;
  frVectors mins;
  frVectors maxs;
  frSightQuery query;
  frSightQuery queries[2];
  OK(frMakeSightQuery(eye, min, max, &query));
  CHECK(query.eye[0] == 32768 && query.box.min[2] == 3 * 65536 && query.box.max[0] == 2 * 65536);
  memset(&eyes, 0, sizeof eyes);
  memset(&mins, 0, sizeof mins);
  memset(&maxs, 0, sizeof maxs);
  eyes.data = eye; /* the same one twice */
  mins.data = min;
  maxs.data = query.box.max;
  maxs.format = FR_UNITS;
  OK(frMakeSightQueries(&eyes, &mins, &maxs, 2, queries));
  CHECK(memcmp(&queries[0], &query, sizeof query) == 0);
  CHECK(memcmp(&queries[1], &query, sizeof query) == 0);
  mins.data = far_away;
  FAILS(FR_OUT_OF_RANGE, frMakeSightQueries(&eyes, &mins, &maxs, 2, queries));
  CHECK(memcmp(&queries[1], &query, sizeof query) == 0);
  FAILS(FR_OUT_OF_RANGE, frMakeSightQuery(eye, min, far_away, &query));
  CHECK(query.eye[0] == 0);
  FAILS(FR_INVALID_ARGUMENT, frMakeSightQuery(NULL, min, max, &query));
  FAILS(FR_INVALID_ARGUMENT, frMakeSightQueries(&eyes, NULL, &maxs, 2, queries));
}

static void testVisible(const frWorld* world) {
  const frSightQuery ahead = look(12, 4, 4);
  const frSightQuery aside = look(12, 9, 4);
  const frSightQuery outside = look(20, 4, 4);
  frSightQuery flat = look(12, 4, 4);
  int32_t sight = -1;
  SIZED(frSightAnswer, answer);
  SIZED(frSightOptions, options);
  OK(frWorld_Visible(world, &ahead, 1, NULL, &sight, &answer));
  CHECK(sight == FR_SIGHT_VISIBLE && answer.sight == FR_SIGHT_VISIBLE && !answer.is_wide);
  CHECK(answer.delta[0] > 0 && answer.delta_high[0] == 0 && answer.stats.rays >= 1);
  CHECK(answer.blocks_version > 0);
  OK(frWorld_Visible(world, &aside, 1, NULL, &sight, &answer));
  CHECK(sight == FR_SIGHT_HIDDEN && answer.delta[0] == 0);
  OK(frWorld_Visible(world, &outside, 1, NULL, &sight, NULL));
  CHECK(sight == FR_SIGHT_UNKNOWN);
  options.unloaded = FR_UNLOADED_TRANSPARENT;
  OK(frWorld_Visible(world, &outside, 1, &options, &sight, NULL));
  CHECK(sight == FR_SIGHT_VISIBLE);
  options.unloaded = FR_UNLOADED_OPAQUE;
  OK(frWorld_Visible(world, &outside, 1, &options, &sight, NULL));
  CHECK(sight == FR_SIGHT_HIDDEN);
  options.unloaded = 3;
  FAILS(FR_INVALID_ARGUMENT, frWorld_Visible(world, &outside, 1, &options, &sight, NULL));
  options.unloaded = 0;
  options.through = 1;
  OK(frWorld_Visible(world, &aside, 1, &options, &sight, NULL));
  CHECK(sight == FR_SIGHT_VISIBLE);
  options.through = 0;
  options.no_blocks = 1;
  OK(frWorld_Visible(world, &aside, 1, &options, &sight, NULL));
  CHECK(sight == FR_SIGHT_VISIBLE);
  flat.box.max[0] = flat.box.min[0];
  OK(frWorld_Visible(world, &flat, 1, NULL, &sight, NULL));
  CHECK(sight == FR_SIGHT_VISIBLE);
  flat.box.max[1] = flat.box.min[1];
  sight = -1;
  FAILS(FR_INVALID_ARGUMENT, frWorld_Visible(world, &flat, 1, NULL, &sight, NULL));
  FAILS(FR_INVALID_ARGUMENT, frWorld_Visible(world, &ahead, 2, NULL, &sight, NULL));
  FAILS(FR_INVALID_ARGUMENT, frWorld_Visible(world, NULL, 1, NULL, &sight, NULL));
  FAILS(FR_INVALID_ARGUMENT, frWorld_Visible(world, &ahead, 1, NULL, NULL, NULL));
  options.struct_size = 1;
  FAILS(FR_INVALID_ARGUMENT, frWorld_Visible(world, &ahead, 1, &options, &sight, NULL));
  CHECK(sight == -1);
}

/* Returns 0 for stone, and counts. */
static int32_t isNoStone(void* context, const frHit* hit) {
  ++*(int*)context;
  return hit->type != 1;
}

static void testOccluders(frWorld* world) {
  const frSightQuery ahead = look(12, 4, 4);
  const frSightQuery aside = look(12, 9, 4);
  const frFixedBox plug = {{3 * 65536, 0, 0}, {3 * 65536 + 1, 16 * 65536, 16 * 65536}};
  const uint64_t ignored = 5;
  frEntity box = 0;
  int calls = 0;
  int32_t sight = -1;
  SIZED(frSightOptions, options);
  SIZED(frEntityDef, def);
  options.occluders = &plug;
  options.occluder_count = 1;
  OK(frWorld_Visible(world, &ahead, 1, &options, &sight, NULL));
  CHECK(sight == FR_SIGHT_HIDDEN);
  options.occluders = NULL;
  FAILS(FR_INVALID_ARGUMENT, frWorld_Visible(world, &ahead, 1, &options, &sight, NULL));
  options.occluder_count = 0;
  options.block_filter = isNoStone;
  options.filter_context = &calls;
  OK(frWorld_Visible(world, &aside, 1, &options, &sight, NULL));
  CHECK(sight == FR_SIGHT_VISIBLE && calls > 0);
  options.block_filter = NULL;
  def.id = 5;
  def.shape = FR_BOX;
  def.position[0] = 4;
  def.position[1] = def.position[2] = 4.5;
  def.half_extents[0] = 0.1;
  def.half_extents[1] = def.half_extents[2] = 2;
  OK(frWorld_AddEntities(world, &def, 1, &box));
  OK(frWorld_Visible(world, &ahead, 1, &options, &sight, NULL));
  CHECK(sight == FR_SIGHT_VISIBLE);
  options.boxes_block = 1;
  OK(frWorld_Visible(world, &ahead, 1, &options, &sight, NULL));
  CHECK(sight == FR_SIGHT_HIDDEN);
  options.categories = 2;
  OK(frWorld_Visible(world, &ahead, 1, &options, &sight, NULL));
  CHECK(sight == FR_SIGHT_VISIBLE);
  options.categories = 0;
  options.ignore = &ignored;
  options.ignore_count = 1;
  OK(frWorld_Visible(world, &ahead, 1, &options, &sight, NULL));
  CHECK(sight == FR_SIGHT_VISIBLE);
  OK(frWorld_RemoveEntities(world, &box, 1));
}

static void testCertificates(const frWorld* world) {
  const frSightQuery ahead = look(12, 4, 4);
  const frSightQuery aside = look(12, 9, 4);
  frFixedBox boxes[16];
  size_t count = 99;
  int32_t hidden = -1;
  OK(frWorld_FindCertificate(world, &aside, 1, NULL, boxes, 16, &count));
  CHECK(count >= 1 && count <= 16);
  OK(frHides(boxes, count, &aside, &hidden));
  CHECK(hidden == 1);
  OK(frHides(boxes, count, &ahead, &hidden));
  CHECK(hidden == 0);
  OK(frHides(NULL, 0, &aside, &hidden));
  CHECK(hidden == 0);
  FAILS(FR_INVALID_ARGUMENT, frHides(NULL, 1, &aside, &hidden));
  OK(frHidesWithin(boxes, count, &aside, 0, &hidden));
  CHECK(hidden == 1);
  OK(frHidesWithin(boxes, count, &aside, 100 * (int64_t)FR_UNITS_PER_BLOCK, &hidden));
  CHECK(hidden == 0);
  FAILS(FR_INVALID_ARGUMENT, frHidesWithin(boxes, count, &aside, -1, &hidden));
  OK(frWorld_FindCertificate(world, &ahead, 1, NULL, boxes, 16, &count));
  CHECK(count == 0);
  OK(frWorld_FindCertificate(world, &aside, 1, NULL, NULL, 0, &count));
  CHECK(count >= 1);
  FAILS(FR_INVALID_ARGUMENT, frWorld_FindCertificate(world, &aside, 1, NULL, boxes, 16, NULL));
}

static void testExposure(const frWorld* world) {
  const frSightQuery ahead = look(12, 4, 4);
  const frSightQuery aside = look(12, 9, 4);
  const frSightQuery outside = look(20, 4, 4);
  double from = -1;
  double to = -1;
  SIZED(frSightOptions, options);
  frSightStats stats;
  OK(frWorld_Exposure(world, &aside, 1, NULL, &from, &to, NULL));
  CHECK(from == 0 && to == 0);
  OK(frWorld_Exposure(world, &ahead, 1, NULL, &from, &to, &stats));
  CHECK(from == 1 && to == 1 && stats.cuts >= 1);
  OK(frWorld_Exposure(world, &outside, 1, NULL, &from, &to, NULL));
  CHECK(from == 0 && to == 1);
  options.max_steps = 1;
  FAILS(FR_RESOURCE_EXHAUSTED, frWorld_Exposure(world, &aside, 1, &options, &from, &to, NULL));
  CHECK(from == 0 && to == 1);
  FAILS(FR_INVALID_ARGUMENT, frWorld_Exposure(world, &ahead, 1, NULL, &from, NULL, NULL));
}

/* Answers many queries, among them a wrong one, as they are answered one by one. */
static void testMany(frWorld* world, frExecutor* executor) {
  frSightQuery queries[MANY];
  uint8_t answers[MANY];
  frResult results[MANY];
  double from[MANY];
  double to[MANY];
  double one_from = 0;
  double one_to = 0;
  int32_t sight = 0;
  int i;
  for (i = 0; i < MANY; ++i)
    queries[i] = look(9 + i % 7, i * 0.071, 4);
  queries[70].box.max[0] = queries[70].box.min[0] - 1;
  queries[130] = queries[70];
  OK(frWorld_SetParallelFor(world, frExecutor_Run, executor));
  OK(frWorld_VisibleMany(world, queries, MANY, 1, NULL, answers, results));
  CHECK_ERROR("frWorld_VisibleMany: query 70: ");
  OK(frWorld_Exposures(world, queries, MANY, 1, NULL, from, to, NULL));
  CHECK_ERROR("frWorld_Exposures: query 70: ");
  for (i = 0; i < MANY; ++i) {
    if (i == 70 || i == 130) {
      CHECK(answers[i] == FR_SIGHT_UNDECIDED && results[i] == FR_INVALID_ARGUMENT);
      CHECK(from[i] == 0 && to[i] == 1);
      continue;
    }
    OK(frWorld_Visible(world, &queries[i], 1, NULL, &sight, NULL));
    OK(frWorld_Exposure(world, &queries[i], 1, NULL, &one_from, &one_to, NULL));
    CHECK(answers[i] == sight && results[i] == FR_OK);
    CHECK(from[i] == one_from && to[i] == one_to);
  }
  OK(frWorld_SetParallelFor(world, NULL, NULL));
  OK(frWorld_VisibleMany(world, NULL, 0, 1, NULL, NULL, NULL));
  FAILS(FR_INVALID_ARGUMENT, frWorld_VisibleMany(world, queries, SIZE_MAX, 1, NULL, answers, NULL));
  FAILS(FR_INVALID_ARGUMENT, frWorld_VisibleMany(world, NULL, 1, 1, NULL, answers, NULL));
  FAILS(FR_INVALID_ARGUMENT, frWorld_VisibleMany(world, queries, 1, 1, NULL, NULL, NULL));
  FAILS(FR_INVALID_ARGUMENT, frWorld_Exposures(world, queries, 1, 1, NULL, from, NULL, NULL));
}

/* A history answers as none would, before and after the hole is closed. */
static void testHistory(frWorld* world, const frVectors* eyes, const frVectors* mins,
                        const frVectors* maxs) {
  static const int64_t kHole[3] = {8, 4, 4};
  frBlockType of_hole = 0;
  uint8_t answers[6];
  uint8_t expected[6];
  frSightTableStats stats;
  frSightHistory* history = NULL;
  SIZED(frSightTableOptions, options);
  FAILS(FR_INVALID_ARGUMENT, frCreateSightHistory(NULL));
  OK(frCreateSightHistory(&history));
  options.history = history;
  OK(frWorld_VisibleBoxes(world, eyes, NULL, 2, mins, maxs, 3, 1, NULL, expected, NULL));
  OK(frWorld_VisibleBoxes(world, eyes, NULL, 2, mins, maxs, 3, 1, &options, answers, &stats));
  CHECK(memcmp(answers, expected, sizeof answers) == 0);
  CHECK(stats.pairs == 6 && stats.searched == 6);
  OK(frWorld_VisibleBoxes(world, eyes, NULL, 2, mins, maxs, 3, 1, &options, answers, &stats));
  CHECK(memcmp(answers, expected, sizeof answers) == 0);
  CHECK(stats.unchanged > 0 && stats.searched < 6);
  CHECK(stats.unchanged + stats.by_ray + stats.by_proof + stats.searched == stats.pairs);

  OK(frWorld_GetBlock(world, 0, kHole, &of_hole));
  OK(frWorld_SetBlock(world, 0, kHole, 1));
  OK(frWorld_VisibleBoxes(world, eyes, NULL, 2, mins, maxs, 3, 1, &options, answers, &stats));
  CHECK(expected[0] == FR_SIGHT_VISIBLE && answers[0] == FR_SIGHT_HIDDEN);
  OK(frWorld_SetBlock(world, 0, kHole, of_hole));
  OK(frDestroySightHistory(history));
  OK(frDestroySightHistory(NULL));
  FAILS(FR_INVALID_ARGUMENT, frDestroySightHistory(history));
  memset(answers, 77, sizeof answers);
  FAILS(FR_INVALID_ARGUMENT,
        frWorld_VisibleBoxes(world, eyes, NULL, 2, mins, maxs, 3, 1, &options, answers, NULL));
  CHECK_ERROR("history");
  CHECK(answers[0] == 77);
}

/* Answers three viewers, the second with two eyes, the third with none, for boxes ahead of the
 * hole, aside, and outside, as one by one. */
static void testTables(frWorld* world, frExecutor* executor) {
  static const double kEyes[9] = {2, 4.5, 4.5, 2, 4.5, 4.5, 12.5, 12, 4.5};
  static const double kMins[9] = {12, 4, 4, 12, 9, 4, 20, 4, 4};
  static const double kMaxs[9] = {13, 5, 5, 13, 10, 5, 21, 5, 5};
  static const uint32_t kEyeCounts[3] = {1, 2, 0};
  static const uint8_t kExpected[9] = {FR_SIGHT_VISIBLE, FR_SIGHT_HIDDEN,  FR_SIGHT_UNKNOWN,
                                       FR_SIGHT_VISIBLE, FR_SIGHT_VISIBLE, FR_SIGHT_UNKNOWN,
                                       FR_SIGHT_SKIPPED, FR_SIGHT_SKIPPED, FR_SIGHT_SKIPPED};
  uint8_t left_out[9] = {1, 0, 0, 0, 0, 0, 0, 0, 0};
  uint8_t answers[9];
  frVectors eyes;
  frVectors mins;
  frVectors maxs;
  frSightTableStats stats;
  SIZED(frSightOptions, each);
  SIZED(frSightTableOptions, options);
  memset(&eyes, 0, sizeof eyes);
  eyes.vector_stride = 3 * sizeof(double);
  eyes.component_stride = sizeof(double);
  mins = maxs = eyes;
  eyes.data = kEyes;
  mins.data = kMins;
  maxs.data = kMaxs;
  OK(frWorld_SetParallelFor(world, frExecutor_Run, executor));
  OK(frWorld_VisibleBoxes(world, &eyes, kEyeCounts, 3, &mins, &maxs, 3, 1, NULL, answers, &stats));
  CHECK(memcmp(answers, kExpected, sizeof answers) == 0);
  CHECK(stats.pairs == 6 && stats.undecided == 0 && stats.sight.rays >= 6);
  OK(frWorld_SetParallelFor(world, NULL, NULL));
  OK(frWorld_VisibleBoxes(world, &eyes, NULL, 3, &mins, &maxs, 3, 1, &options, answers, NULL));
  CHECK(memcmp(answers, kExpected, 3) == 0 && memcmp(answers + 3, kExpected, 3) == 0);
  CHECK(answers[6] == FR_SIGHT_VISIBLE && answers[7] == FR_SIGHT_VISIBLE);

  options.left_out = left_out;
  options.max_distance = 15 * (int64_t)FR_UNITS_PER_BLOCK;
  OK(frWorld_VisibleBoxes(world, &eyes, kEyeCounts, 1, &mins, &maxs, 3, 1, &options, answers,
                          NULL));
  CHECK(answers[0] == FR_SIGHT_SKIPPED && answers[1] == FR_SIGHT_HIDDEN);
  CHECK(answers[2] == FR_SIGHT_SKIPPED);
  options.left_out = NULL;
  options.max_distance = 0;
  options.each = &each;
  each.max_steps = 1;
  OK(frWorld_VisibleBoxes(world, &eyes, NULL, 1, &mins, &maxs, 2, 1, &options, answers, &stats));
  CHECK(answers[1] == FR_SIGHT_UNDECIDED && stats.undecided >= 1);
  options.if_undecided = FR_UNDECIDED_VISIBLE;
  OK(frWorld_VisibleBoxes(world, &eyes, NULL, 1, &mins, &maxs, 2, 1, &options, answers, NULL));
  CHECK(answers[1] == FR_SIGHT_VISIBLE);
  options.if_undecided = FR_UNDECIDED_HIDDEN;
  OK(frWorld_VisibleBoxes(world, &eyes, NULL, 1, &mins, &maxs, 2, 1, &options, answers, NULL));
  CHECK(answers[1] == FR_SIGHT_HIDDEN);

  testHistory(world, &eyes, &mins, &maxs);

  /* Nothing is written after an error. */
  memset(answers, 77, sizeof answers);
  options.if_undecided = 3;
  FAILS(FR_INVALID_ARGUMENT,
        frWorld_VisibleBoxes(world, &eyes, NULL, 1, &mins, &maxs, 2, 1, &options, answers, NULL));
  options.if_undecided = 0;
  options.max_distance = -1;
  FAILS(FR_INVALID_ARGUMENT,
        frWorld_VisibleBoxes(world, &eyes, NULL, 1, &mins, &maxs, 2, 1, &options, answers, NULL));
  FAILS(FR_INVALID_ARGUMENT,
        frWorld_VisibleBoxes(world, &eyes, NULL, 1, &maxs, &mins, 2, 1, NULL, answers, NULL));
  CHECK_ERROR("frWorld_VisibleBoxes: boxes[0]: ");
  FAILS(FR_INVALID_ARGUMENT,
        frWorld_VisibleBoxes(world, &eyes, NULL, 1, &mins, &maxs, 2, 1, NULL, NULL, NULL));
  FAILS(FR_INVALID_ARGUMENT,
        frWorld_VisibleBoxes(world, NULL, NULL, 1, &mins, &maxs, 2, 1, NULL, answers, NULL));
  FAILS(FR_INVALID_ARGUMENT, frWorld_VisibleBoxes(world, &eyes, NULL, SIZE_MAX / 2, &mins, &maxs,
                                                  SIZE_MAX / 2, 1, NULL, answers, NULL));
  CHECK(answers[0] == 77);
  OK(frWorld_VisibleBoxes(world, &eyes, NULL, 0, &mins, &maxs, 2, 1, NULL, NULL, NULL));
}

/* Accepts blocks before x = 10. */
static int32_t isNear(void* context, const frHit* hit) {
  return context == NULL && hit->cell[0] < 10;
}

static void testVisibleBlocks(frWorld* world) {
  const double eye[3] = {2, 4.5, 4.5};
  const double far_away[3] = {1e30, 0, 0};
  const int64_t ahead[3] = {12, 4, 4};
  const int64_t aside[3] = {12, 9, 4};
  const int64_t in_wall[3] = {8, 3, 3};
  const frBlockType water = 2;
  const frBlockType missing = 777;
  frFoundBlock found[4];
  size_t count = 99;
  SIZED(frQueryOptions, targets);
  SIZED(frSightOptions, options);
  OK(frWorld_SetBlock(world, 0, ahead, water));
  OK(frWorld_SetBlock(world, 0, aside, water));
  OK(frWorld_VisibleBlocks(world, eye, 20, 1, &water, 1, NULL, NULL, found, 4, &count));
  CHECK(count == 1 && found[0].block[1] == 4 && found[0].sight == FR_SIGHT_VISIBLE);
  CHECK(found[0].distance == 10 && found[0].type == water && found[0].kind == FR_PERMEABLE);
  /* The wall, but for its hole, and the block ahead. */
  OK(frWorld_VisibleBlocks(world, eye, 30, 1, NULL, 0, NULL, NULL, NULL, 0, &count));
  CHECK(count == 256);
  FAILS(FR_OUT_OF_RANGE,
        frWorld_VisibleBlocks(world, eye, 30, 1, NULL, 0, NULL, NULL, found, 4, &count));
  CHECK(count == 256 && found[0].sight == FR_SIGHT_VISIBLE);
  targets.solid_only = 1;
  OK(frWorld_VisibleBlocks(world, eye, 30, 1, NULL, 0, &targets, NULL, NULL, 0, &count));
  CHECK(count == 255);
  targets.solid_only = 0;
  options.through = 1;
  OK(frWorld_VisibleBlocks(world, eye, 20, 1, &water, 1, NULL, &options, found, 4, &count));
  CHECK(count == 2);
  options.through = 0;
  options.max_steps = 1;
  OK(frWorld_VisibleBlocks(world, eye, 20, 1, &water, 1, NULL, &options, found, 4, &count));
  CHECK(count == 2 && found[0].sight == FR_SIGHT_UNDECIDED && found[0].block[1] == 4);
  options.max_steps = 0;
  OK(frWorld_SetBlock(world, 0, in_wall, water));
  targets.block_filter = isNear;
  OK(frWorld_VisibleBlocks(world, eye, 20, 1, &water, 1, &targets, &options, found, 4, &count));
  CHECK(count == 1 && found[0].block[0] == 8);
  OK(frWorld_SetBlock(world, 0, in_wall, 1));
  OK(frWorld_SetBlock(world, 0, ahead, FR_AIR));
  OK(frWorld_SetBlock(world, 0, aside, FR_AIR));
  FAILS(FR_INVALID_ARGUMENT,
        frWorld_VisibleBlocks(world, eye, -1, 1, NULL, 0, NULL, NULL, found, 4, &count));
  FAILS(FR_INVALID_ARGUMENT,
        frWorld_VisibleBlocks(world, eye, 5, 1, &missing, 1, NULL, NULL, found, 4, &count));
  FAILS(FR_INVALID_ARGUMENT,
        frWorld_VisibleBlocks(world, eye, 5, 1, NULL, 1, NULL, NULL, found, 4, &count));
  FAILS(FR_INVALID_ARGUMENT,
        frWorld_VisibleBlocks(world, eye, 5, 1, NULL, 0, NULL, NULL, NULL, 4, &count));
  FAILS(FR_INVALID_ARGUMENT,
        frWorld_VisibleBlocks(world, NULL, 5, 1, NULL, 0, NULL, NULL, found, 4, &count));
  FAILS(FR_OUT_OF_RANGE,
        frWorld_VisibleBlocks(world, far_away, 5, 1, NULL, 0, NULL, NULL, found, 4, &count));
}

void testSight(void) {
  frWorld* world = makeScene();
  frExecutor* executor = NULL;
  OK(frCreateExecutor(2, &executor));
  testQueriesOfSight();
  testVisible(world);
  testOccluders(world);
  testCertificates(world);
  testExposure(world);
  testVisibleBlocks(world);
  testMany(world, executor);
  testTables(world, executor);
  OK(frDestroyExecutor(executor));
  OK(frDestroyWorld(world));
}
