/* SPDX-License-Identifier: Apache-2.0 */
/* Tests blasts. */
#include <math.h>
#include <stdlib.h>

#include "check.h"

#define UNIT (1.0 / FR_UNITS_PER_BLOCK)

static const int64_t resistances[3] = {0, 10, 3};
static const frBlastRay ahead[1] = {{{FR_UNITS_PER_BLOCK / 2, 0, 0}, 30}};

/* Stone at x = 2, water at x = 3, and a wall of stone at x = 8. */
static frWorld* makeScene(void) {
  frWorld* world = makeWorld(1);
  const int64_t stone[3] = {2, 0, 0};
  const int64_t water[3] = {3, 0, 0};
  const int64_t min[3] = {8, 0, 0};
  const int64_t max[3] = {8, 15, 15};
  OK(frWorld_SetBlock(world, 0, stone, 1));
  OK(frWorld_SetBlock(world, 0, water, 2));
  OK(frWorld_FillBox(world, 0, min, max, 1));
  return world;
}

static frBlastQuery blastOf(const frBlastRay* rays, size_t count) {
  SIZED(frBlastQuery, query);
  query.center[0] = query.center[1] = query.center[2] = 0.5;
  query.radius = 6;
  query.rays = rays;
  query.ray_count = count;
  query.resistances = resistances;
  query.resistance_count = 3;
  query.falloff = 1;
  return query;
}

static void testCubeFan(void) {
  frBlastRay* rays = malloc(1352 * sizeof *rays);
  size_t count = 0;
  int64_t sum = 0;
  size_t i;
  OK(frMakeCubeFan(16, 0.3, 7, NULL, 0, &count));
  CHECK(count == 1352);
  OK(frMakeCubeFan(16, 0.3, 7, rays, 1352, &count));
  CHECK(rays[0].step[0] == -11351 && rays[0].step[1] == -11351 && rays[0].step[2] == -11351);
  for (i = 0; i < count; ++i) {
    CHECK(rays[i].power == 7);
    sum += rays[i].step[0] + rays[i].step[1] + rays[i].step[2];
  }
  CHECK(sum == 0);
  rays[8].power = -1;
  FAILS(FR_OUT_OF_RANGE, frMakeCubeFan(3, 1, 5, rays, 8, &count));
  CHECK(count == 26 && rays[7].power == 5 && rays[8].power == -1);
  count = 99;
  FAILS(FR_INVALID_ARGUMENT, frMakeCubeFan(1, 1, 5, rays, 8, &count));
  FAILS(FR_INVALID_ARGUMENT, frMakeCubeFan(257, 1, 5, rays, 8, &count));
  FAILS(FR_INVALID_ARGUMENT, frMakeCubeFan(4, 0, 5, rays, 8, &count));
  FAILS(FR_INVALID_ARGUMENT, frMakeCubeFan(4, nan(""), 5, rays, 8, &count));
  FAILS(FR_INVALID_ARGUMENT, frMakeCubeFan(4, 1, 5, NULL, 8, &count));
  FAILS(FR_INVALID_ARGUMENT, frMakeCubeFan(4, 1, 5, rays, 8, NULL));
  CHECK(count == 99);
  free(rays);
}

static void testBrokenBlocks(const frWorld* world) {
  frBlastQuery query = blastOf(ahead, 1);
  frBrokenBlock blocks[4];
  SIZED(frBlastResult, result);
  SIZED(frQueryOptions, options);
  /* Two samples in each block: 3 in air cost 3, 2 in stone 22, so 5 are left for the water. */
  OK(frWorld_Blast(world, &query, 1, NULL, NULL, blocks, 4, NULL, 0, &result));
  CHECK(result.block_count == 2 && result.entity_count == 0 && result.samples == 7);
  CHECK(result.blocks_version > 0 && !result.reaches_unknown);
  CHECK(blocks[0].type == 1 && blocks[0].block[0] == 2 && blocks[0].steps == 3);
  CHECK(blocks[0].power == 17 && blocks[0].ray == 0 && blocks[0].level == 0);
  CHECK(blocks[1].type == 2 && blocks[1].block[0] == 3 && blocks[1].power == 2);
  options.solid_only = 1;
  OK(frWorld_Blast(world, &query, 1, &options, NULL, NULL, 0, NULL, 0, &result));
  CHECK(result.block_count == 1);
  options.no_blocks = 1;
  OK(frWorld_Blast(world, &query, 1, &options, NULL, NULL, 0, NULL, 0, &result));
  CHECK(result.block_count == 0);
  query.center[0] = -0.5;
  OK(frWorld_Blast(world, &query, 1, NULL, NULL, NULL, 0, NULL, 0, &result));
  CHECK(result.reaches_unknown == 1);
  /* Types beyond the end, and those of INT64_MAX, never break. */
  query = blastOf(ahead, 1);
  query.resistance_count = 1;
  OK(frWorld_Blast(world, &query, 1, NULL, NULL, NULL, 0, NULL, 0, &result));
  CHECK(result.block_count == 0);
}

static void testReachedEntities(frWorld* world) {
  const uint64_t ignored = 7;
  frBlastQuery query = blastOf(NULL, 0);
  frExposedEntity found[3];
  frEntity near_one = addSphere(world, 7, 0.5, 4, 0.5);
  frEntity hidden = addSphere(world, 8, 10, 0.5, 0.5);
  frEntity handles[2];
  SIZED(frBlastResult, result);
  SIZED(frQueryOptions, options);
  SIZED(frSightOptions, sight);
  query.radius = 12;
  OK(frWorld_Blast(world, &query, 1, NULL, NULL, NULL, 0, found, 3, &result));
  CHECK(result.entity_count == 2 && result.entities_version > 0);
  CHECK(found[0].entity == near_one && found[0].id == 7 && found[0].distance == 3);
  CHECK(found[0].from == 1 && found[0].to == 1);
  CHECK(found[1].entity == hidden && found[1].id == 8 && found[1].to == 0);
  sight.no_blocks = 1;
  options.ignore = &ignored;
  options.ignore_count = 1;
  OK(frWorld_Blast(world, &query, 1, &options, &sight, NULL, 0, found, 3, &result));
  CHECK(result.entity_count == 1 && found[0].id == 8 && found[0].from == 1);
  sight.no_blocks = 0;
  sight.max_steps = 1;
  OK(frWorld_Blast(world, &query, 1, &options, &sight, NULL, 0, found, 3, &result));
  CHECK(found[0].from == 0 && found[0].to == 1);
  sight.struct_size = 3;
  FAILS(FR_INVALID_ARGUMENT,
        frWorld_Blast(world, &query, 1, &options, &sight, NULL, 0, found, 3, &result));
  CHECK_ERROR("sight->struct_size is 3");
  handles[0] = near_one;
  handles[1] = hidden;
  OK(frWorld_RemoveEntities(world, handles, 2));
}

/* The other array is complete, and both counts are those of the whole answer. */
static void testShortArrays(frWorld* world) {
  frBlastQuery query = blastOf(ahead, 1);
  frBrokenBlock blocks[2];
  frExposedEntity found[2];
  frEntity handles[2];
  SIZED(frBlastResult, result);
  handles[0] = addSphere(world, 1, 0.5, 3, 0.5);
  handles[1] = addSphere(world, 2, 0.5, 5, 0.5);
  blocks[1].steps = found[1].id = 99;
  FAILS(FR_OUT_OF_RANGE, frWorld_Blast(world, &query, 1, NULL, NULL, blocks, 1, found, 2, &result));
  CHECK_ERROR("blocks: ");
  CHECK(result.block_count == 2 && result.entity_count == 2);
  CHECK(blocks[0].steps == 3 && blocks[1].steps == 99 && found[1].id == 2);
  found[1].id = 99;
  FAILS(FR_OUT_OF_RANGE, frWorld_Blast(world, &query, 1, NULL, NULL, blocks, 2, found, 1, &result));
  CHECK_ERROR("entities: ");
  CHECK(result.block_count == 2 && result.entity_count == 2);
  CHECK(blocks[1].steps == 5 && found[0].id == 1 && found[1].id == 99);
  OK(frWorld_RemoveEntities(world, handles, 2));
}

/* Returns 0 for stone. */
static int32_t isNoStone(void* context, const frHit* hit) {
  ++*(int*)context;
  return hit->type != 1;
}

static void testFilter(const frWorld* world) {
  frBlastQuery query = blastOf(ahead, 1);
  frBrokenBlock blocks[4];
  int calls = 0;
  SIZED(frBlastResult, result);
  SIZED(frQueryOptions, options);
  options.block_filter = isNoStone;
  options.filter_context = &calls;
  OK(frWorld_Blast(world, &query, 1, &options, NULL, blocks, 4, NULL, 0, &result));
  CHECK(result.block_count == 1 && blocks[0].type == 2 && calls > 0);
}

/* On threads the outcome is the same. */
static void testThreads(frWorld* world) {
  static frBlastRay rays[1352];
  static frBrokenBlock serial[1000];
  static frBrokenBlock parallel[1000];
  frBlastQuery query = blastOf(rays, 1352);
  frExecutor* executor = NULL;
  size_t count = 0;
  size_t i;
  SIZED(frBlastResult, one);
  SIZED(frBlastResult, many);
  OK(frMakeCubeFan(16, 0.3, 60, rays, 1352, &count));
  query.center[0] = query.center[1] = query.center[2] = 6.5;
  OK(frWorld_Blast(world, &query, 1, NULL, NULL, serial, 1000, NULL, 0, &one));
  CHECK(one.block_count > 4 && one.block_count <= 1000);
  OK(frCreateExecutor(3, &executor));
  OK(frWorld_SetParallelFor(world, frExecutor_Run, executor));
  OK(frWorld_Blast(world, &query, 1, NULL, NULL, parallel, 1000, NULL, 0, &many));
  OK(frWorld_SetParallelFor(world, NULL, NULL));
  OK(frDestroyExecutor(executor));
  CHECK(many.block_count == one.block_count && many.samples == one.samples);
  for (i = 0; i < one.block_count && i < 1000; ++i)
    CHECK(memcmp(&serial[i], &parallel[i], sizeof serial[i]) == 0);
}

/* Refuses a blast, and writes nothing. */
static void refuses(const frWorld* world, frResult code, const frBlastQuery* query,
                    const char* error) {
  frBrokenBlock block;
  SIZED(frBlastResult, result);
  block.steps = 99;
  FAILS(code, frWorld_Blast(world, query, 1, NULL, NULL, &block, 1, NULL, 0, &result));
  CHECK_ERROR(error);
  CHECK(block.steps == 99 && result.samples == 0 && result.block_count == 0);
}

static void testWrongQueries(const frWorld* world) {
  const int64_t negative[1] = {-1};
  const frBlastRay still[1] = {{{0, 0, 0}, 5}};
  const frBlastRay far_away[1] = {{{0, 0, INT64_MIN}, 5}};
  const frBlastRay strong[1] = {{{FR_UNITS_PER_BLOCK, 0, 0}, INT64_MAX}};
  frBrokenBlock blocks[4];
  frBlastQuery query = blastOf(strong, 1);
  SIZED(frBlastResult, result);
  /* No power is too large. */
  OK(frWorld_Blast(world, &query, 1, NULL, NULL, blocks, 4, NULL, 0, &result));
  CHECK(result.block_count == 2 && blocks[0].power == INT64_MAX - 10 - 2);
  query = blastOf(still, 1);
  refuses(world, FR_INVALID_ARGUMENT, &query, "the step of ray 0 is zero");
  query.rays = far_away;
  refuses(world, FR_OUT_OF_RANGE, &query, "the step of ray 0");
  query.rays = NULL;
  refuses(world, FR_INVALID_ARGUMENT, &query, "query->rays is null");
  query = blastOf(ahead, 1);
  query.ray_count = SIZE_MAX;
#if SIZE_MAX > 0xffffffffu
  refuses(world, FR_INVALID_ARGUMENT, &query, "query->ray_count is 18446744073709551615");
#endif
  query = blastOf(ahead, 1);
  query.struct_size = 4;
  refuses(world, FR_INVALID_ARGUMENT, &query, "query->struct_size is 4");
  query = blastOf(ahead, 1);
  query.center[1] = nan("");
  refuses(world, FR_INVALID_ARGUMENT, &query, "centre");
  query.center[1] = 1e300;
  refuses(world, FR_OUT_OF_RANGE, &query, "centre");
  query = blastOf(ahead, 1);
  query.radius = -UNIT;
  refuses(world, FR_INVALID_ARGUMENT, &query, "radius");
  query.radius = 65537;
  refuses(world, FR_OUT_OF_RANGE, &query, "radius");
  query = blastOf(ahead, 1);
  query.falloff = -1;
  refuses(world, FR_INVALID_ARGUMENT, &query, "falloff is -1");
  query = blastOf(ahead, 1);
  query.resistances = negative;
  query.resistance_count = 1;
  refuses(world, FR_INVALID_ARGUMENT, &query, "the resistance of block type 0 is -1");
  query.resistances = NULL;
  refuses(world, FR_INVALID_ARGUMENT, &query, "query->resistances is null");
  query.resistance_count = 65537;
  refuses(world, FR_INVALID_ARGUMENT, &query, "query->resistance_count is 65537");
  query = blastOf(ahead, 1);
  query.max_samples = 6;
  refuses(world, FR_RESOURCE_EXHAUSTED, &query, "max_samples, 6");
  query.max_samples = 7;
  OK(frWorld_Blast(world, &query, 1, NULL, NULL, blocks, 4, NULL, 0, &result));
}

static void testWrongArguments(const frWorld* world) {
  const frBlastQuery query = blastOf(ahead, 1);
  SIZED(frBlastResult, result);
  SIZED(frQueryOptions, options);
  FAILS(FR_INVALID_ARGUMENT, frWorld_Blast(NULL, &query, 1, NULL, NULL, NULL, 0, NULL, 0, &result));
  FAILS(FR_INVALID_ARGUMENT, frWorld_Blast(world, NULL, 1, NULL, NULL, NULL, 0, NULL, 0, &result));
  FAILS(FR_INVALID_ARGUMENT, frWorld_Blast(world, &query, 1, NULL, NULL, NULL, 0, NULL, 0, NULL));
  FAILS(FR_INVALID_ARGUMENT,
        frWorld_Blast(world, &query, 1, NULL, NULL, NULL, 1, NULL, 0, &result));
  CHECK_ERROR("blocks is null");
  FAILS(FR_INVALID_ARGUMENT,
        frWorld_Blast(world, &query, 1, NULL, NULL, NULL, 0, NULL, 1, &result));
  CHECK_ERROR("entities is null");
  FAILS(FR_INVALID_ARGUMENT,
        frWorld_Blast(world, &query, 2, NULL, NULL, NULL, 0, NULL, 0, &result));
  options.channel = 9;
  FAILS(FR_INVALID_ARGUMENT,
        frWorld_Blast(world, &query, 1, &options, NULL, NULL, 0, NULL, 0, &result));
  result.struct_size = 2;
  FAILS(FR_INVALID_ARGUMENT,
        frWorld_Blast(world, &query, 1, NULL, NULL, NULL, 0, NULL, 0, &result));
  CHECK_ERROR("result->struct_size is 2");
  CHECK(result.block_count == 0);
}

void testBlasts(void) {
  frWorld* world = makeScene();
  testCubeFan();
  testBrokenBlocks(world);
  testReachedEntities(world);
  testShortArrays(world);
  testFilter(world);
  testThreads(world);
  testWrongQueries(world);
  testWrongArguments(world);
  OK(frDestroyWorld(world));
}
