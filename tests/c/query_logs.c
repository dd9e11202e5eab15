/* SPDX-License-Identifier: Apache-2.0 */
/* Tests query logs: what is written is answered equally by its replay, and differently by another
 * world. */
#include <math.h>

#include "check.h"
#include "logs_of_sight.h"

#define LOG FRACTALRAY_TEST_FOLDER "/capi.frlog"

#ifndef FRACTALRAY_C_FORMATS
static void testWithoutLogs(void) {
  frWorld* world = makeWorld(1);
  frReplay* replay = NULL;
  FAILS(FR_UNIMPLEMENTED, frWorld_BeginLog(world, LOG, 0));
  CHECK_ERROR("FRACTALRAY_C_FORMATS=ON");
  FAILS(FR_FAILED_PRECONDITION, frWorld_FlushLog(world));
  FAILS(FR_UNIMPLEMENTED, frCreateReplay(world, LOG, NULL, &replay));
  OK(frDestroyWorld(world));
}
#else
enum { kQueries = 10 }; /* those of askAll */

/* Makes the world of the logs: a stone behind water, and a sphere before them. */
static frWorld* loggedWorld(void) {
  const int64_t water[3] = {5, 1, 1};
  const int64_t stone[3] = {9, 1, 1};
  frWorld* world = makeWorld(2);
  OK(frWorld_SetBlock(world, 1, water, 2));
  OK(frWorld_SetBlock(world, 1, stone, 1));
  addSphere(world, 7, 2.5, 1.5, 1.5);
  return world;
}

static frLine alongX(void) {
  return segment(0.5, 1.5, 1.5, 15.5, 1.5, 1.5);
}

static void askAll(const frWorld* world) {
  const frLine line = alongX();
  const frLine above = segment(0.5, 8.5, 1.5, 15.5, 8.5, 1.5);
  frLevelPart parts[2];
  frHit hits[8];
  size_t count = 0;
  int32_t occlusion = 0;
  SIZED(frQueryResult, result);
  OK(frWorld_Shoot(world, &line, FR_ALL_LEVELS, NULL, hits, 8, &result));
  CHECK(result.hit_count == 3);
  OK(frWorld_ClosestHit(world, &line, FR_ALL_LEVELS, NULL, hits, NULL));
  OK(frWorld_Occluded(world, &line, FR_ALL_LEVELS, NULL, &occlusion, NULL, NULL));
  CHECK(occlusion == FR_BLOCKED);
  OK(frWorld_Occluded(world, &above, FR_ALL_LEVELS, NULL, &occlusion, NULL, NULL));
  OK(frWorld_GetLevelParts(world, &line, FR_ALL_LEVELS, parts, 2, &count));
  askSightOfLog(world);
}

static void writeLog(frWorld* world) {
  uint64_t queries = 0;
  OK(frWorld_BeginLog(world, LOG, 0));
  askAll(world);
  OK(frWorld_FlushLog(world));
  OK(frWorld_EndLog(world, &queries));
  CHECK(queries == kQueries);
}

/* Replays the log; returns how many queries had the outcome. */
static uint64_t countOf(frReplay* replay, int32_t outcome) {
  uint64_t count = 0;
  uint64_t number = 0;
  SIZED(frReplayed, replayed);
  do {
    OK(frReplay_Next(replay, &replayed));
    if (replayed.outcome == FR_REPLAY_END) break;
    CHECK(replayed.number == ++number && replayed.offset > 0);
    if (replayed.outcome == outcome) ++count;
  } while (number < 100);
  CHECK(replayed.struct_size == sizeof replayed && replayed.number == 0);
  return count;
}

static void testEqual(void) {
  frReplay* replay = NULL;
  frWorld* world = loggedWorld();
  writeLog(world);
  OK(frCreateReplay(world, LOG, NULL, &replay));
  FAILS(FR_INVALID_ARGUMENT, frDestroyWorld(world)); /* the replay has taken it over */
  CHECK(countOf(replay, FR_REPLAY_EQUAL) == kQueries);
  OK(frDestroyReplay(replay));
  FAILS(FR_INVALID_ARGUMENT, frDestroyReplay(replay));
  OK(frDestroyReplay(NULL));
}

/* Compares the answers to the shot, which now hits stone where it hit water. */
static void testAnswers(frReplay* replay) {
  frHit hits[8];
  frLevelPart parts[2];
  size_t count = 9;
  size_t length = 9;
  int32_t occlusion = 77;
  char reason[8];
  SIZED(frReplayed, replayed);
  SIZED(frQueryResult, result);
  FAILS(FR_FAILED_PRECONDITION, frReplay_GetAnswer(replay, FR_RECORDED, NULL, hits, 8, &result));
  OK(frReplay_Next(replay, &replayed));
  CHECK(replayed.outcome == FR_REPLAY_DIFFERENT && replayed.verb == FR_VERB_SHOOT);
  CHECK(replayed.number == 1 && replayed.levels == FR_ALL_LEVELS);
  CHECK(replayed.line.from[0] == FR_UNITS_PER_BLOCK / 2);
  OK(frReplay_GetReason(replay, reason, sizeof reason, &length));
  CHECK(length == 0 && reason[0] == '\0');
  OK(frReplay_GetAnswer(replay, FR_RECORDED, &occlusion, hits, 8, &result));
  CHECK(occlusion == 77); /* not written for a shot */
  CHECK(result.hit_count == 3 && result.terminated == 1 && result.result == FR_OK);
  CHECK(isnan(result.unknown_from) && isnan(result.stopped_at));
  CHECK(hits[0].kind == FR_HIT_ENTITY && hits[0].id == 7 && hits[0].half_extents[0] == 32768);
  CHECK(hits[1].kind == FR_HIT_BLOCK && hits[1].type == 2 && hits[1].cell[0] == 5);
  CHECK(hits[1].t == 0.3 && hits[1].distance == 4.5 && hits[1].point[0] == 5);
  CHECK(hits[1].face_axis == 0 && hits[1].normal[0] == -1 && hits[2].terminal == 1);
  OK(frReplay_GetAnswer(replay, FR_REPLAYED, NULL, hits, 8, &result));
  CHECK(result.hit_count == 2 && hits[1].type == 1);
  FAILS(FR_OUT_OF_RANGE, frReplay_GetAnswer(replay, FR_RECORDED, NULL, hits, 2, &result));
  CHECK(result.hit_count == 3);
  FAILS(FR_INVALID_ARGUMENT, frReplay_GetAnswer(replay, 2, NULL, hits, 8, &result));
  OK(frReplay_GetLevelParts(replay, FR_RECORDED, parts, 2, &count));
  CHECK(count == 0);
}

static void testDifferent(void) {
  const int64_t water[3] = {5, 1, 1};
  frReplay* replay = NULL;
  frWorld* world = loggedWorld();
  SIZED(frReplayOptions, options);
  SIZED(frReplayed, replayed);
  frHit hit;
  frLevelPart parts[2];
  size_t count = 0;
  int32_t occlusion = 77;
  writeLog(world);
  OK(frWorld_SetBlock(world, 1, water, 1));
  FAILS(FR_FAILED_PRECONDITION, frCreateReplay(world, LOG, NULL, &replay));
  CHECK_ERROR("its blocks are not the same; options->on_other_world");
  CHECK(replay == NULL);
  options.on_other_world = 1;
  OK(frCreateReplay(world, LOG, &options, &replay));
  testAnswers(replay);
  OK(frReplay_Next(replay, &replayed));
  CHECK(replayed.verb == FR_VERB_CLOSEST_HIT && replayed.outcome == FR_REPLAY_EQUAL);
  OK(frReplay_Next(replay, &replayed));
  CHECK(replayed.verb == FR_VERB_OCCLUDED && replayed.outcome == FR_REPLAY_EQUAL);
  OK(frReplay_GetAnswer(replay, FR_REPLAYED, &occlusion, &hit, 0, NULL));
  CHECK(occlusion == FR_BLOCKED);
  OK(frReplay_Next(replay, &replayed));
  OK(frReplay_Next(replay, &replayed));
  OK(frReplay_GetLevelParts(replay, FR_RECORDED, parts, 2, &count));
  CHECK(count == 2 && parts[0].level == 0 && parts[1].t1 > 0.9);
  FAILS(FR_INVALID_ARGUMENT, frReplay_GetSight(replay, FR_RECORDED, NULL, NULL, NULL));
  checkSightOfReplay(replay);
  OK(frReplay_Next(replay, &replayed));
  CHECK(replayed.outcome == FR_REPLAY_END);
  FAILS(FR_FAILED_PRECONDITION, frReplay_GetAnswer(replay, FR_REPLAYED, NULL, &hit, 0, NULL));
  OK(frDestroyReplay(replay));
}

/* Queries after an edit are run with `all` only; queries after a move of the frame are run. */
static void testLaterQueries(int32_t all) {
  const frLine line = alongX();
  frReplay* replay = NULL;
  frHit hits[4];
  frWorld* world = makeEmptyWorld(2);
  SIZED(frReplayOptions, options);
  SIZED(frChunkDef, chunk);
  OK(frWorld_LoadChunks(world, 1, &chunk, 1));
  OK(frWorld_BeginLog(world, LOG, 0));
  OK(frWorld_Climb(world, NULL, NULL));
  OK(frWorld_ClosestHit(world, &line, FR_ALL_LEVELS, NULL, hits, NULL));
  OK(frWorld_LoadChunks(world, 0, &chunk, 1));
  OK(frWorld_ClosestHit(world, &line, FR_ALL_LEVELS, NULL, hits, NULL));
  OK(frWorld_EndLog(world, NULL));
  OK(frDestroyWorld(world));

  world = makeEmptyWorld(2);
  OK(frWorld_LoadChunks(world, 1, &chunk, 1));
  options.all = all;
  OK(frCreateReplay(world, LOG, &options, &replay));
  CHECK(countOf(replay, FR_REPLAY_EQUAL) == (all ? 2 : 1));
  OK(frDestroyReplay(replay));
}

static frResult result_in_effect;
static int32_t logInEffect(void* context, const frHit* hit) {
  (void)hit;
  result_in_effect = frWorld_EndLog((frWorld*)context, NULL);
  return FR_STOP;
}

static int32_t acceptNone(void* context, const frHit* hit) {
  (void)context;
  (void)hit;
  return 0;
}

static void testCallbacksAndFilters(void) {
  const frLine line = alongX();
  frReplay* replay = NULL;
  frHit hits[4];
  char reason[64] = "";
  frWorld* world = loggedWorld();
  SIZED(frQueryOptions, options);
  SIZED(frReplayed, replayed);
  OK(frWorld_BeginLog(world, LOG, 1));
  OK(frWorld_OnBlockHit(world, 2, NULL, logInEffect, world));
  OK(frWorld_Shoot(world, &line, FR_ALL_LEVELS, NULL, hits, 4, NULL));
  CHECK(result_in_effect == FR_FAILED_PRECONDITION);
  options.block_filter = acceptNone;
  OK(frWorld_ClosestHit(world, &line, FR_ALL_LEVELS, &options, hits, NULL));
  OK(frWorld_OnBlockHit(world, 2, NULL, NULL, NULL));
  OK(frWorld_EndLog(world, NULL));

  OK(frCreateReplay(world, LOG, NULL, &replay));
  OK(frReplay_Next(replay, &replayed));
  CHECK(replayed.outcome == FR_REPLAY_EQUAL); /* ended where the effect has ended it */
  OK(frReplay_Next(replay, &replayed));
  CHECK(replayed.outcome == FR_REPLAY_NOT_REPLAYABLE);
  OK(frReplay_GetReason(replay, reason, sizeof reason, NULL));
  CHECK(strstr(reason, "filter") != NULL);
  FAILS(FR_FAILED_PRECONDITION, frReplay_GetAnswer(replay, FR_REPLAYED, NULL, hits, 4, NULL));
  OK(frDestroyReplay(replay));
}

static void testRefused(void) {
  const frLine line = alongX();
  frReplay* replay = NULL;
  frCursor* cursor = NULL;
  frWorld* snapshot = NULL;
  frWorld* world = loggedWorld();
  uint64_t queries = 9;
  SIZED(frReplayOptions, options);
  SIZED(frReplayed, replayed);
  FAILS(FR_FAILED_PRECONDITION, frWorld_EndLog(world, &queries));
  FAILS(FR_NOT_FOUND, frWorld_BeginLog(world, FRACTALRAY_TEST_FOLDER "/none/x", 0));
  FAILS(FR_INVALID_ARGUMENT, frWorld_BeginLog(world, NULL, 0));
  OK(frWorld_BeginLog(world, LOG, 0));
  FAILS(FR_FAILED_PRECONDITION, frWorld_BeginLog(world, LOG ".2", 0));
  FAILS(FR_FAILED_PRECONDITION, frCreateReplay(world, LOG, NULL, &replay));
  CHECK_ERROR("frWorld_EndLog");
  OK(frWorld_EndLog(world, &queries));
  CHECK(queries == 0);
  OK(frWorld_HitsAlong(world, &line, FR_ALL_LEVELS, NULL, &cursor));
  FAILS(FR_FAILED_PRECONDITION, frCreateReplay(world, LOG, NULL, &replay));
  CHECK_ERROR("1 other objects");
  OK(frDestroyCursor(cursor));
  OK(frWorld_Snapshot(world, &snapshot));
  FAILS(FR_FAILED_PRECONDITION, frCreateReplay(snapshot, LOG, NULL, &replay));
  OK(frWorld_BeginLog(snapshot, LOG ".2", 0)); /* which need not be ended */
  OK(frDestroyWorld(snapshot));
  options.struct_size = 1;
  FAILS(FR_INVALID_ARGUMENT, frCreateReplay(world, LOG, &options, &replay));
  FAILS(FR_INVALID_ARGUMENT, frCreateReplay(world, LOG, NULL, NULL));
  FAILS(FR_NOT_FOUND, frCreateReplay(world, LOG ".none", NULL, &replay));
  FAILS(FR_INVALID_ARGUMENT,
        frCreateReplay(world, FRACTALRAY_SOURCE_DIR "/README.md", NULL, &replay));
  OK(frCreateReplay(world, LOG, NULL, &replay));
  FAILS(FR_INVALID_ARGUMENT, frReplay_Next(replay, NULL));
  replayed.struct_size = 4;
  FAILS(FR_INVALID_ARGUMENT, frReplay_Next(replay, &replayed));
  OK(frDestroyReplay(replay));
  FAILS(FR_INVALID_ARGUMENT, frReplay_Next(replay, &replayed));
}

/* The end of a world is that of its log, whatever else still uses the world. */
static void testEndOfWorld(void) {
  const frLine line = alongX();
  frReplay* replay = NULL;
  frCursor* cursor = NULL;
  frHit hit;
  size_t count = 0;
  frWorld* world = loggedWorld();
  OK(frWorld_BeginLog(world, LOG, 0));
  OK(frWorld_HitsAlong(world, &line, FR_ALL_LEVELS, NULL, &cursor));
  OK(frCursor_Next(cursor, &hit, 1, &count));
  OK(frWorld_ClosestHit(world, &line, FR_ALL_LEVELS, NULL, &hit, NULL));
  OK(frDestroyWorld(world));
  OK(frCreateReplay(loggedWorld(), LOG, NULL, &replay));
  CHECK(countOf(replay, FR_REPLAY_EQUAL) == 1);
  OK(frDestroyReplay(replay));
  OK(frCursor_Next(cursor, &hit, 1, &count));
  CHECK(count == 1);
  OK(frDestroyCursor(cursor));
}

/* A full disk ends the log and no query; a log without its end is damage where it stops. */
static void testFullDiskAndDamage(void) {
  frReplay* replay = NULL;
  frWorld* world = loggedWorld();
  FILE* file;
  char bytes[400];
  size_t size;
  SIZED(frReplayed, replayed);
  if (frWorld_BeginLog(world, "/dev/full", 0) == FR_OK) { /* no such file on other systems */
    askAll(world);
    FAILS(FR_RESOURCE_EXHAUSTED, frWorld_FlushLog(world));
    FAILS(FR_RESOURCE_EXHAUSTED, frWorld_EndLog(world, NULL));
    FAILS(FR_FAILED_PRECONDITION, frWorld_EndLog(world, NULL));
  }
  writeLog(world);
  file = fopen(LOG, "rb");
  size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  CHECK(size == sizeof bytes);
  file = fopen(LOG, "wb");
  fwrite(bytes, 1, size, file);
  fclose(file);
  OK(frCreateReplay(world, LOG, NULL, &replay));
  OK(frReplay_Next(replay, &replayed));
  FAILS(FR_DATA_LOSS, frReplay_Next(replay, &replayed));
  CHECK_ERROR("byte ");
  FAILS(FR_FAILED_PRECONDITION, frReplay_Next(replay, &replayed));
  OK(frDestroyReplay(replay));
}
#endif

void testQueryLogs(void) {
#ifdef FRACTALRAY_C_FORMATS
  testEqual();
  testDifferent();
  testLaterQueries(0);
  testLaterQueries(1);
  testCallbacksAndFilters();
  testRefused();
  testEndOfWorld();
  testFullDiskAndDamage();
#else
  testWithoutLogs();
#endif
}
