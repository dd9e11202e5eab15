/* SPDX-License-Identifier: Apache-2.0 */
/* Tests views: the blocks and chunks in sight. */
#include <math.h>
#include <stdlib.h>

#include "check.h"

enum { kMost = 4096 };

/* Makes a world of a chunk with a wall of stone at x = 12, around it unknown. */
static frWorld* makeWall(void) {
  frWorld* world = makeWorld(1);
  const int64_t min[3] = {12, 0, 0};
  const int64_t max[3] = {12, 15, 15};
  OK(frWorld_FillBox(world, 0, min, max, 1));
  return world;
}

static frViewCone viewFrom(double x, double y, double z) {
  frViewCone view;
  memset(&view, 0, sizeof view);
  view.from[0] = x;
  view.from[1] = y;
  view.from[2] = z;
  view.direction[0] = 1;
  view.cos_half_angle = 0.9;
  return view;
}

/* Returns 1 if all blocks are of the wall. */
static int isWall(const frSeenBlock* blocks, size_t count) {
  size_t i;
  for (i = 0; i < count; ++i)
    if (blocks[i].block[0] != 12 || blocks[i].type != 1 || blocks[i].level != 0) return 0;
  return 1;
}

/* A wall comes into sight, and goes out of it once nothing is in the way. */
static void testLineOfSight(void) {
  frWorld* world = makeWall();
  const frViewCone view = viewFrom(2.5, 8.5, 8.5);
  const int64_t in_front[3] = {12, 8, 8};
  const int64_t elsewhere[3] = {3, 3, 3};
  const int64_t chunk[3] = {0, 0, 0};
  frVisibility* visibility = NULL;
  frSeenBlock* blocks = (frSeenBlock*)malloc(kMost * sizeof(frSeenBlock));
  frSeenChunk chunks[4];
  frChunkOfLevel unknown[8];
  uint64_t ticks = 0;
  size_t seen = 0;
  size_t count = 0;
  SIZED(frVisibilityOptions, options);
  SIZED(frChunkDef, air);
  options.rays = 500;
  options.distance = 100;
  options.forget_ticks = 2;
  OK(frCreateVisibility(world, &options, &visibility));
  OK(frVisibility_Tick(visibility, world, &view));
  OK(frVisibility_GetBlocks(visibility, FR_IN_SIGHT, blocks, kMost, &seen));
  CHECK(seen > 20 && isWall(blocks, seen) && blocks[0].since == 1 && blocks[0].last == 1);
  OK(frVisibility_GetBlocks(visibility, FR_CAME_INTO_SIGHT, blocks, kMost, &count));
  CHECK(count == seen && isWall(blocks, count));
  FAILS(FR_OUT_OF_RANGE, frVisibility_GetBlocks(visibility, FR_IN_SIGHT, blocks, 3, &count));
  CHECK(count == seen);
  OK(frVisibility_GetChunks(visibility, FR_IN_SIGHT, chunks, 4, &count));
  CHECK(count == 1 && chunks[0].chunk[0] == 0 && chunks[0].since == 1);
  OK(frVisibility_FindBlock(visibility, 0, in_front, blocks));
  CHECK(blocks[0].block[1] == 8);
  FAILS(FR_NOT_FOUND, frVisibility_FindBlock(visibility, 0, elsewhere, blocks));
  FAILS(FR_INVALID_ARGUMENT, frVisibility_FindBlock(visibility, 1, in_front, blocks));
  OK(frVisibility_FindChunk(visibility, 0, chunk, chunks));
  FAILS(FR_NOT_FOUND, frVisibility_FindChunk(visibility, 0, elsewhere, chunks));
  OK(frVisibility_GetEntered(visibility, unknown, 8, &count)); /* up to the wall */
  CHECK(count == 1 && unknown[0].level == 0 && memcmp(unknown[0].chunk, chunk, sizeof chunk) == 0);
  OK(frWorld_LoadChunks(world, 0, &air, 1)); /* the wall is gone */
  OK(frVisibility_Tick(visibility, world, &view));
  OK(frVisibility_GetUnknown(visibility, unknown, 8, &count));
  CHECK(count >= 1 && unknown[0].chunk[0] == 1 && unknown[0].chunk[1] == 0);
  OK(frVisibility_Tick(visibility, world, &view));
  OK(frVisibility_GetBlocks(visibility, FR_WENT_OUT_OF_SIGHT, blocks, kMost, &count));
  CHECK(count == seen);
  OK(frVisibility_GetChunks(visibility, FR_WENT_OUT_OF_SIGHT, chunks, 4, &count));
  CHECK(count == 1);
  OK(frVisibility_GetTicks(visibility, &ticks));
  CHECK(ticks == 3);
  OK(frVisibility_Clear(visibility));
  OK(frVisibility_GetBlocks(visibility, FR_IN_SIGHT, NULL, 0, &count));
  CHECK(count == 0);
  OK(frDestroyVisibility(visibility));
  OK(frDestroyWorld(world));
  free(blocks);
}

/* Snapshots may be looked at until the frame moves, other worlds never; filters hide blocks. */
static void testViewedWorlds(void) {
  frWorld* world;
  frWorld* other = makeWall();
  frWorld* snapshot = NULL;
  const frViewCone view = viewFrom(2.5, 8.5, 8.5);
  const int64_t chunk[3] = {0, 0, 1};
  frVisibility* visibility = NULL;
  size_t count = 0;
  SIZED(frVisibilityOptions, options);
  SIZED(frQueryOptions, filter);
  anchor_of_worlds = "888";
  world = makeWall();
  anchor_of_worlds = NULL;
  OK(frWorld_Snapshot(world, &snapshot));
  FAILS(FR_FAILED_PRECONDITION, frCreateVisibility(snapshot, NULL, &visibility));
  OK(frCreateVisibility(world, NULL, &visibility));
  OK(frVisibility_Tick(visibility, snapshot, &view));
  OK(frVisibility_GetBlocks(visibility, FR_IN_SIGHT, NULL, 0, &count));
  CHECK(count > 0);
  FAILS(FR_FAILED_PRECONDITION, frVisibility_Tick(visibility, other, &view));
  OK(frWorld_Recenter(world, chunk, NULL, NULL));
  FAILS(FR_FAILED_PRECONDITION, frVisibility_Tick(visibility, snapshot, &view));
  OK(frVisibility_Tick(visibility, world, &view));
  OK(frDestroyVisibility(visibility));
  filter.no_blocks = 1;
  options.filter = &filter;
  OK(frCreateVisibility(other, &options, &visibility));
  filter.no_blocks = 0; /* the view has a copy */
  OK(frVisibility_Tick(visibility, other, &view));
  OK(frVisibility_GetBlocks(visibility, FR_IN_SIGHT, NULL, 0, &count));
  CHECK(count == 0);
  OK(frDestroyWorld(other)); /* the view lives on */
  OK(frVisibility_GetBlocks(visibility, FR_IN_SIGHT, NULL, 0, &count));
  FAILS(FR_INVALID_ARGUMENT, frVisibility_Tick(visibility, other, &view));
  OK(frDestroyVisibility(visibility));
  OK(frDestroyWorld(snapshot));
  OK(frDestroyWorld(world));
}

/* A snapshot of a destroyed world is none of a new one, which may be at the same address. */
static void testViewedSnapshotOfDestroyedWorld(void) {
  const frViewCone view = viewFrom(2.5, 8.5, 8.5);
  int attempt;
  for (attempt = 0; attempt < 50; ++attempt) {
    frWorld* world = makeWorld(1);
    frWorld* snapshot = NULL;
    frVisibility* visibility = NULL;
    OK(frWorld_Snapshot(world, &snapshot));
    OK(frDestroyWorld(world));
    world = makeWorld(1);
    OK(frCreateVisibility(world, NULL, &visibility));
    FAILS(FR_FAILED_PRECONDITION, frVisibility_Tick(visibility, snapshot, &view));
    OK(frDestroyVisibility(visibility));
    OK(frDestroyWorld(snapshot));
    OK(frDestroyWorld(world));
  }
}

/* Returns the blocks of water at x = 12 that are seen past an entity in front of them. */
static size_t seenOfWater(const frVisibilityOptions* options) {
  frWorld* world = makeWorld(1);
  const int64_t min[3] = {12, 0, 0};
  const int64_t max[3] = {12, 15, 15};
  const frViewCone view = viewFrom(2.5, 8.5, 8.5);
  frVisibility* visibility = NULL;
  size_t count = 0;
  OK(frWorld_FillBox(world, 0, min, max, 2));
  addSphere(world, 7, 3.2, 8.5, 8.5); /* hides the whole cone */
  OK(frCreateVisibility(world, options, &visibility));
  OK(frVisibility_Tick(visibility, world, &view));
  OK(frVisibility_GetBlocks(visibility, FR_IN_SIGHT, NULL, 0, &count));
  OK(frDestroyVisibility(visibility));
  OK(frDestroyWorld(world));
  return count;
}

/* The members of a filter that a view reads, and those that it does not. */
static void testViewFilters(void) {
  const uint64_t ignored = 7;
  SIZED(frVisibilityOptions, options);
  SIZED(frQueryOptions, filter);
  options.filter = &filter;
  CHECK(seenOfWater(&options) > 0);
  filter.no_entities = 1; /* not read: entities_hide says it */
  options.entities_hide = 1;
  CHECK(seenOfWater(&options) == 0);
  filter.categories = 2; /* none of the entity's */
  CHECK(seenOfWater(&options) > 0);
  filter.categories = 0;
  filter.ignore = &ignored;
  filter.ignore_count = 1;
  CHECK(seenOfWater(&options) > 0);
  filter.solid_only = 1;
  CHECK(seenOfWater(&options) == 0);
}

static void testBadViews(void) {
  frWorld* world = makeWall();
  frVisibility* visibility = NULL;
  frViewCone view = viewFrom(2.5, 8.5, 8.5);
  frSeenBlock block;
  size_t count = 0;
  SIZED(frVisibilityOptions, options);
  SIZED(frQueryOptions, filter);
  options.distance = -1;
  FAILS(FR_INVALID_ARGUMENT, frCreateVisibility(world, &options, &visibility));
  options.distance = NAN;
  FAILS(FR_INVALID_ARGUMENT, frCreateVisibility(world, &options, &visibility));
  options.distance = 0;
  options.rays = 1048577;
  FAILS(FR_INVALID_ARGUMENT, frCreateVisibility(world, &options, &visibility));
  options.rays = UINT64_MAX;
  FAILS(FR_INVALID_ARGUMENT, frCreateVisibility(world, &options, &visibility));
  options.rays = 0;
  options.filter = &filter;
  filter.channel = 9;
  FAILS(FR_INVALID_ARGUMENT, frCreateVisibility(world, &options, &visibility));
  CHECK_ERROR("channel 9");
  options.struct_size = 0;
  FAILS(FR_INVALID_ARGUMENT, frCreateVisibility(world, &options, &visibility));
  OK(frCreateVisibility(world, NULL, &visibility));
  view.cos_half_angle = 2;
  FAILS(FR_INVALID_ARGUMENT, frVisibility_Tick(visibility, world, &view));
  view.cos_half_angle = -1;
  view.direction[0] = 0;
  FAILS(FR_INVALID_ARGUMENT, frVisibility_Tick(visibility, world, &view));
  view.from[0] = 1e300;
  FAILS(FR_OUT_OF_RANGE, frVisibility_Tick(visibility, world, &view));
  FAILS(FR_INVALID_ARGUMENT, frVisibility_Tick(visibility, NULL, &view));
  FAILS(FR_INVALID_ARGUMENT, frVisibility_Tick(visibility, world, NULL));
  FAILS(FR_INVALID_ARGUMENT, frVisibility_GetBlocks(visibility, 3, &block, 1, &count));
  FAILS(FR_INVALID_ARGUMENT, frVisibility_GetChunks(visibility, FR_IN_SIGHT, NULL, 1, &count));
  OK(frDestroyVisibility(visibility));
  FAILS(FR_INVALID_ARGUMENT, frDestroyVisibility(visibility));
  OK(frDestroyWorld(world));
}

void testVisibility(void) {
  testLineOfSight();
  testViewedWorlds();
  testViewedSnapshotOfDestroyedWorld();
  testViewFilters();
  testBadViews();
}
