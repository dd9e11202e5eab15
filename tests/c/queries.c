/* SPDX-License-Identifier: Apache-2.0 */
/* Tests queries along one line, rules and callbacks. */
#include <math.h>
#include <stdlib.h>

#include "check.h"

/* A wall of stone at x = 12, one block of water at x = 6, and a sphere at x = 9. */
static frWorld* makeScene(frEntity* entity) {
  frWorld* world = makeWorld(1);
  const int64_t min[3] = {12, 0, 0};
  const int64_t max[3] = {12, 15, 15};
  const int64_t water[3] = {6, 2, 2};
  OK(frWorld_FillBox(world, 0, min, max, 1));
  OK(frWorld_SetBlock(world, 0, water, 2));
  *entity = addSphere(world, 7, 9, 2.5, 2.5);
  return world;
}

static void testLines(void) {
  const double origin[3] = {0.5, 2.5, 2.5};
  const double direction[3] = {1, 0, 0};
  const double zero[3] = {0, 0, 0};
  const double far_away[3] = {1e30, 0, 0};
  const double bad[3] = {0, NAN, 0};
  const double bounds[6] = {0, 0, 0, 16, 16, 16};
  frLine line = segment(0, 0, 0, 3, 4, 0);
  double point[3] = {0, 0, 0};
  double length = 0;
  OK(frLine_GetPoint(&line, 0.5, point));
  CHECK(point[0] == 1.5 && point[1] == 2);
  FAILS(FR_INVALID_ARGUMENT, frLine_GetPoint(&line, NAN, point));
  FAILS(FR_INVALID_ARGUMENT, frLine_GetPoint(&line, INFINITY, point));
  CHECK(point[0] == 1.5 && point[1] == 2);
  OK(frLine_GetLength(&line, &length));
  CHECK(length == 5);
  OK(frMakeRay(origin, direction, INFINITY, NULL, &line));
  OK(frMakeRay(origin, direction, 10, bounds, &line));
  CHECK(line.end_time > 0);
  FAILS(FR_INVALID_ARGUMENT, frMakeRay(origin, zero, 10, NULL, &line));
  CHECK(line.end_time == 0);
  FAILS(FR_INVALID_ARGUMENT, frMakeRay(origin, direction, -1, NULL, &line));
  FAILS(FR_INVALID_ARGUMENT, frMakeSegment(origin, bad, &line));
  FAILS(FR_OUT_OF_RANGE, frMakeSegment(origin, far_away, &line));
  FAILS(FR_INVALID_ARGUMENT, frMakeSegment(NULL, origin, &line));
  line.from[0] = INT64_MIN;
  FAILS(FR_OUT_OF_RANGE, frLine_GetLength(&line, &length));
}

/* The ends of a line may lie in the memory that the line is written to. */
static void testLinesInPlace(void) {
  const frLine segment_apart = segment(0.5, 1, 2, 3, 4, 5);
  const double origin[3] = {0.5, 1, 2};
  const double direction[3] = {3, 4, 5};
  union {
    double ends[6];
    frLine line;
  } place;
  frLine ray_apart;
  OK(frMakeRay(origin, direction, 10, NULL, &ray_apart));
  memcpy(place.ends, origin, sizeof origin);
  memcpy(place.ends + 3, direction, sizeof direction);
  OK(frMakeSegment(place.ends, place.ends + 3, &place.line));
  CHECK(memcmp(&place.line, &segment_apart, sizeof segment_apart) == 0);
  memcpy(place.ends, origin, sizeof origin);
  memcpy(place.ends + 3, direction, sizeof direction);
  OK(frMakeRay(place.ends, place.ends + 3, 10, NULL, &place.line));
  CHECK(memcmp(&place.line, &ray_apart, sizeof ray_apart) == 0);
}

static void testShots(frWorld* world, frEntity entity) {
  const frLine line = segment(0.5, 2.5, 2.5, 16.5, 2.5, 2.5);
  frHit hits[4];
  frHit more[4];
  uint64_t ignored = 7;
  SIZED(frQueryOptions, options);
  SIZED(frQueryResult, result);
  OK(frWorld_Shoot(world, &line, FR_ALL_LEVELS, NULL, hits, 4, &result));
  CHECK(result.hit_count == 3 && result.terminated && !result.truncated);
  CHECK(isnan(result.unknown_from) && isnan(result.stopped_at));
  CHECK(memcmp(&result.line, &line, sizeof line) == 0);
  CHECK(hits[0].kind == FR_HIT_BLOCK && hits[0].type == 2 && hits[0].cell[0] == 6);
  CHECK(hits[0].distance == 5.5 && hits[0].face_axis == 0 && hits[0].face_sign == -1);
  CHECK(hits[1].kind == FR_HIT_ENTITY && hits[1].id == 7 && hits[1].entity == entity);
  CHECK(hits[1].shape == FR_SPHERE && hits[1].half_extents[2] == 32768);
  CHECK(hits[2].type == 1 && hits[2].terminal && hits[2].normal[0] == -1);
  FAILS(FR_OUT_OF_RANGE, frWorld_Shoot(world, &line, 1, NULL, more, 2, &result));
  CHECK(result.hit_count == 3 && memcmp(more, hits, 2 * sizeof hits[0]) == 0);
  OK(frWorld_Shoot(world, &line, 1, NULL, NULL, 0, NULL));
  options.max_hits = 2;
  OK(frWorld_Shoot(world, &line, 1, &options, more, 4, &result));
  CHECK(result.hit_count == 2 && result.truncated);
  options.max_hits = 0;
  OK(frWorld_Resume(world, 1, &options, more, 4, &result));
  CHECK(result.hit_count == 3 && memcmp(more, hits, 3 * sizeof hits[0]) == 0);
  options.after = hits;
  options.after_count = 2;
  OK(frWorld_Shoot(world, &line, 1, &options, more, 4, &result));
  CHECK(result.hit_count == 1 && memcmp(more, hits + 2, sizeof hits[0]) == 0);
  options.after_count = 0;
  options.ignore = &ignored;
  options.ignore_count = 1;
  options.solid_only = 1;
  OK(frWorld_Shoot(world, &line, 1, &options, more, 4, &result));
  CHECK(result.hit_count == 1);
  options.no_blocks = 1;
  options.report_unknown = 1;
  OK(frWorld_Shoot(world, &line, 1, &options, more, 4, &result));
  CHECK(result.hit_count == 0 && result.unknown_from == 15.5 / 16);
  options.max_steps = 1;
  options.no_blocks = 0;
  FAILS(FR_RESOURCE_EXHAUSTED, frWorld_Shoot(world, &line, 1, &options, more, 4, &result));
}

static void testFirstHits(frWorld* world) {
  const frLine line = segment(0.5, 2.5, 2.5, 16.5, 2.5, 2.5);
  const frLine away = segment(0.5, 2.5, 2.5, 0.5, 8.5, 2.5);
  const frLine outside = segment(0.5, 2.5, 2.5, -30, 2.5, 2.5);
  int32_t occlusion = -1;
  frHit hit;
  frLine image;
  frLevelPart parts[2];
  size_t count = 0;
  SIZED(frQueryOptions, options);
  SIZED(frQueryResult, result);
  OK(frWorld_ClosestHit(world, &line, 1, NULL, &hit, &result));
  CHECK(hit.type == 2 && result.hit_count == 1 && !result.terminated && result.stats.chunks >= 1);
  options.solid_only = 1;
  options.no_entities = 1;
  OK(frWorld_ClosestHit(world, &line, 1, &options, &hit, NULL));
  CHECK(hit.type == 1 && hit.terminal);
  OK(frWorld_Reflect(world, &line, &hit, &image));
  CHECK(image.begin_axes == 1 && image.begin_plane == 12 * 65536);
  OK(frWorld_ClosestHit(world, &image, 1, NULL, &hit, NULL));
  CHECK(hit.kind == FR_HIT_ENTITY);
  FAILS(FR_INVALID_ARGUMENT, frWorld_Reflect(world, &line, &hit, &image));
  OK(frWorld_ClosestHit(world, &away, 1, NULL, &hit, NULL));
  CHECK(hit.kind == FR_HIT_NONE);
  OK(frWorld_Occluded(world, &line, 1, NULL, &occlusion, &hit, &result));
  CHECK(occlusion == FR_BLOCKED && hit.type == 1);
  OK(frWorld_Occluded(world, &away, 1, NULL, &occlusion, NULL, NULL));
  CHECK(occlusion == FR_CLEAR);
  OK(frWorld_Occluded(world, &outside, 1, NULL, &occlusion, &hit, NULL));
  CHECK(occlusion == FR_UNKNOWN && hit.kind == FR_HIT_NONE);
  OK(frWorld_GetLevelParts(world, &line, 1, parts, 2, &count));
  CHECK(count == 1 && parts[0].level == 0 && parts[0].t0 == 0 && parts[0].t1 == 15.5 / 16);
}

static void testRules(frWorld* world) {
  const frLine line = segment(0.5, 2.5, 2.5, 16.5, 2.5, 2.5);
  const double none[FR_MAX_BUDGETS] = {0};
  frRules* rules = NULL;
  uint8_t budget = 9;
  frRule rule;
  SIZED(frQueryOptions, options);
  SIZED(frQueryResult, result);
  OK(frCreateRules(&rules));
  OK(frRules_AddBudget(rules, 0.5, &budget));
  CHECK(budget == 0);
  memset(&rule, 0, sizeof rule);
  rule.kind = FR_RULE_COST;
  rule.per_block = 1;
  OK(frRules_SetBlock(rules, 2, &rule, FR_ALL_LEVELS));
  options.rules = rules;
  OK(frWorld_Shoot(world, &line, 1, &options, NULL, 0, &result));
  CHECK(result.hit_count == 1 && result.has_budgets && result.budgets[0] == 0);
  CHECK(result.stopped_at == 6.0 / 16);
  rule.per_block = 0.25;
  OK(frRules_SetBlock(rules, 2, &rule, FR_ALL_LEVELS));
  rule.kind = FR_RULE_STOP;
  OK(frRules_SetEntities(rules, 1, &rule, FR_ALL_LEVELS));
  OK(frWorld_Shoot(world, &line, 1, &options, NULL, 0, &result));
  CHECK(result.hit_count == 2 && result.budgets[0] == 0.25 && result.budgets_at_start[0] == 0.5);
  options.budgets = none;
  OK(frWorld_Shoot(world, &line, 1, &options, NULL, 0, &result));
  CHECK(result.hit_count == 1);
  options.rules = NULL;
  FAILS(FR_INVALID_ARGUMENT, frWorld_Shoot(world, &line, 1, &options, NULL, 0, &result));
  rule.kind = 3;
  FAILS(FR_INVALID_ARGUMENT, frRules_SetBlock(rules, 2, &rule, FR_ALL_LEVELS));
  rule.kind = FR_RULE_COST;
  rule.budget = 1;
  FAILS(FR_INVALID_ARGUMENT, frRules_SetBlock(rules, 2, &rule, FR_ALL_LEVELS));
  FAILS(FR_INVALID_ARGUMENT, frRules_SetEntities(rules, 0, &rule, FR_ALL_LEVELS));
  FAILS(FR_INVALID_ARGUMENT, frRules_AddBudget(rules, NAN, &budget));
  OK(frDestroyRules(rules));
}

void testQueries(void) {
  frEntity entity = 0;
  frWorld* world = makeScene(&entity);
  testLines();
  testLinesInPlace();
  testShots(world, entity);
  testFirstHits(world);
  testRules(world);
  OK(frDestroyWorld(world));
}

/* What the callbacks of a test have seen. */
typedef struct Log {
  frWorld* world;
  int calls;
  int32_t response;
  uint64_t last_id;
} Log;

static int32_t note(void* context, const frHit* hit) {
  Log* log = (Log*)context;
  ++log->calls;
  log->last_id = hit->id;
  return log->response;
}

static int32_t removeEntity(void* context, const frHit* hit) {
  Log* log = (Log*)context;
  ++log->calls;
  if (log->response == FR_STOP) FAILS(FR_FAILED_PRECONDITION, frDestroyWorld(log->world));
  OK(frWorld_RemoveEntities(log->world, &hit->entity, 1));
  return FR_CONTINUE;
}

static int32_t isTerminal(void* context, const frHit* hit) {
  Log* log = (Log*)context;
  FAILS(FR_FAILED_PRECONDITION, frWorld_SetBlock(log->world, 0, hit->cell, 1));
  FAILS(FR_FAILED_PRECONDITION, frDestroyWorld(log->world));
  return 1;
}

static int32_t isStone(void* context, const frHit* hit) {
  ++((Log*)context)->calls;
  return hit->type == 1;
}

void testCallbacks(void) {
  const frLine line = segment(0.5, 2.5, 2.5, 16.5, 2.5, 2.5);
  frEntity entity = 0;
  frWorld* world = makeScene(&entity);
  frWorld* snapshot = NULL;
  frEntityInfo info;
  Log log = {NULL, 0, FR_CONTINUE, 0};
  SIZED(frQueryOptions, options);
  SIZED(frQueryResult, result);
  log.world = world;
  options.on_hit = note;
  options.hit_context = &log;
  OK(frWorld_Shoot(world, &line, 1, &options, NULL, 0, &result));
  CHECK(log.calls == 3);
  log.response = FR_STOP;
  OK(frWorld_Shoot(world, &line, 1, &options, NULL, 0, &result));
  CHECK(log.calls == 4 && result.hit_count == 1);
  log.response = 42;
  memset(&result, 0, sizeof result);
  result.struct_size = (uint32_t)sizeof result;
  FAILS(FR_INVALID_ARGUMENT, frWorld_Shoot(world, &line, 1, &options, NULL, 0, &result));
  CHECK(log.calls == 5 && result.line.end_time == 0 && result.hit_count == 0);
  log.response = FR_AGAIN;
  OK(frWorld_Shoot(world, &line, 1, &options, NULL, 0, &result));
  CHECK(result.hit_count == 3);
  options.on_hit = NULL;
  options.block_filter = isStone;
  options.filter_context = &log;
  OK(frWorld_Shoot(world, &line, 1, &options, NULL, 0, &result));
  CHECK(result.hit_count == 2);
  OK(frWorld_OnBlockHit(world, 2, isTerminal, NULL, &log));
  OK(frWorld_Shoot(world, &line, 1, NULL, NULL, 0, &result));
  CHECK(result.hit_count == 1);
  OK(frWorld_OnBlockHit(world, 2, NULL, NULL, NULL));
  OK(frWorld_OnEntityHit(world, 0, NULL, removeEntity, &log));
  OK(frWorld_Snapshot(world, &snapshot));
  log.calls = 0;
  log.response = FR_CONTINUE;
  OK(frWorld_Shoot(snapshot, &line, 1, NULL, NULL, 0, &result));
  CHECK(log.calls == 1 && result.hit_count == 3);
  OK(frWorld_Shoot(world, &line, 1, NULL, NULL, 0, &result));
  CHECK(result.hit_count == 2);
  entity = addSphere(world, 9, 9, 2.5, 2.5);
  log.response = FR_STOP;
  OK(frWorld_Shoot(world, &line, 1, NULL, NULL, 0, &result));
  CHECK(result.hit_count == 3 && frWorld_GetEntity(world, entity, &info) == FR_NOT_FOUND);
  OK(frWorld_OnEntityHit(world, 0, NULL, NULL, NULL));
  log.response = FR_CONTINUE;
  log.calls = 0;
  OK(frWorld_OnAnyBlockHit(world, note, &log));
  OK(frWorld_OnAnyEntityHit(world, note, &log));
  entity = addSphere(world, 8, 9, 2.5, 2.5);
  OK(frWorld_Shoot(world, &line, 1, NULL, NULL, 0, &result));
  CHECK(log.calls == 3);
  OK(frWorld_OnAnyBlockHit(world, NULL, NULL));
  OK(frWorld_OnAnyEntityHit(world, NULL, NULL));
  OK(frWorld_Shoot(world, &line, 1, NULL, NULL, 0, &result));
  CHECK(log.calls == 3);
  FAILS(FR_INVALID_ARGUMENT, frWorld_OnBlockHit(world, 3, NULL, note, &log));
  OK(frWorld_OnBlockHit(world, 60000, NULL, NULL, NULL));
  OK(frDestroyWorld(snapshot));
  OK(frDestroyWorld(world));
}

void testCursors(void) {
  const frLine line = segment(0.5, 2.5, 2.5, 16.5, 2.5, 2.5);
  const int64_t from[3] = {0, 0, 0};
  const int64_t to[3] = {3, 1, 0};
  const int64_t widths[3] = {1, 1, 1};
  const int64_t zero[3] = {0, 0, 0};
  uint64_t* ignored = (uint64_t*)malloc(sizeof *ignored);
  frEntity entity = 0;
  frWorld* world = makeScene(&entity);
  frCursor* cursor = NULL;
  frChunkCursor* chunks = NULL;
  frWalk* walk = NULL;
  frHit hits[4];
  frLineChunk on_line[4];
  frWalkCell cells[8];
  uint64_t crossings = 0;
  size_t count = 0;
  SIZED(frQueryOptions, options);
  SIZED(frQueryResult, result);
  options.ignore = ignored;
  options.ignore_count = 1;
  *ignored = 99;
  OK(frWorld_HitsAlong(world, &line, 1, &options, &cursor));
  free(ignored);
  OK(frCursor_Next(cursor, hits, 1, &count));
  CHECK(count == 1 && hits[0].type == 2);
  OK(frWorld_RemoveEntities(world, &entity, 1));
  OK(frDestroyWorld(world));
  OK(frCursor_Next(cursor, hits, 4, &count));
  CHECK(count == 1 && hits[0].type == 1);
  OK(frCursor_Next(cursor, hits, 4, &count));
  CHECK(count == 0);
  OK(frCursor_GetResult(cursor, &result));
  CHECK(result.hit_count == 2 && result.terminated);
  FAILS(FR_INVALID_ARGUMENT, frCursor_Next(cursor, NULL, 1, &count));
  OK(frDestroyCursor(cursor));
  world = makeScene(&entity);
  OK(frWorld_ChunksOn(world, &line, 1, FR_CORNER_BOTH, 0, &chunks));
  OK(frDestroyWorld(world));
  OK(frChunkCursor_Next(chunks, on_line, 4, &count));
  CHECK(count == 2 && on_line[0].state == FR_LOADED && on_line[1].state == FR_ABSENT);
  CHECK(on_line[1].chunk[0] == 1 && on_line[1].t_enter == 15.5 / 16);
  OK(frChunkCursor_Next(chunks, on_line, 4, &count));
  CHECK(count == 0);
  OK(frDestroyChunkCursor(chunks));
  OK(frCreateWalk(2, from, to, widths, FR_CORNER_STAIRCASE, &walk));
  OK(frWalk_GetCrossings(walk, &crossings));
  CHECK(crossings == 4);
  OK(frWalk_Next(walk, cells, 2, &count));
  CHECK(count == 2 && cells[0].face_axis == -1 && cells[1].cell[0] == 1 &&
        cells[1].face_sign == -1);
  CHECK(cells[1].t_numerator * 3 == cells[1].t_denominator);
  OK(frWalk_Next(walk, cells, 8, &count));
  CHECK(count == 3 && cells[2].cell[1] == 1 && cells[2].t == 1);
  OK(frWalk_Next(walk, cells, 8, &count));
  CHECK(count == 0);
  OK(frDestroyWalk(walk));
  FAILS(FR_INVALID_ARGUMENT, frCreateWalk(4, from, to, widths, 0, &walk));
  FAILS(FR_INVALID_ARGUMENT, frCreateWalk(3, from, to, zero, 0, &walk));
  FAILS(FR_INVALID_ARGUMENT, frCreateWalk(3, from, to, widths, 3, &walk));
}
