/* SPDX-License-Identifier: Apache-2.0 */
/* Tests entities, and those that belong to blocks. */
#include <math.h>

#include "check.h"

static frVectors at(const double* position) {
  frVectors vectors;
  memset(&vectors, 0, sizeof vectors);
  vectors.data = position;
  vectors.vector_stride = 24;
  return vectors;
}

void testEntities(void) {
  frWorld* world = makeWorld(1);
  const double position[3] = {4.5, 5.5, 6.5};
  const float floats[3] = {1.5F, 2.5F, 3.5F};
  const double bad[3] = {NAN, 0, 0};
  frEntity entity = addSphere(world, 7, 2.5, 2.5, 2.5);
  frEntity other = addSphere(world, 8, 3.5, 2.5, 2.5);
  frEntity found = 0;
  frEntity stale = entity;
  frEntity all[2];
  frEntityInfo info;
  frVectors vectors = at(position);
  int64_t chunks[81];
  size_t count = 0;
  int32_t is_done = 0;
  SIZED(frEntityDef, def);
  CHECK(entity != 0 && entity < UINT64_C(1) << 53 && entity != other);
  OK(frWorld_MoveEntities(world, &entity, &vectors, 1));
  OK(frWorld_GetEntity(world, entity, &info));
  CHECK(info.id == 7 && info.position[0] == 9 * 32768 && info.half_extents[0] == 32768);
  CHECK(info.shape == FR_SPHERE && info.categories == 1);
  vectors.data = floats;
  vectors.format = FR_F32;
  OK(frWorld_MoveEntities(world, &entity, &vectors, 1));
  OK(frWorld_GetEntity(world, entity, &info));
  CHECK(info.position[2] == 7 * 32768);
  vectors.format = FR_UNITS;
  FAILS(FR_INVALID_ARGUMENT, frWorld_MoveEntities(world, &entity, &vectors, 1));
  vectors = at(bad);
  FAILS(FR_INVALID_ARGUMENT, frWorld_MoveEntities(world, &entity, &vectors, 1));
  def.shape = FR_BOX;
  def.half_extents[0] = def.half_extents[1] = def.half_extents[2] = 0.25;
  def.entity_class = 5;
  OK(frWorld_UpdateEntities(world, &entity, &def, FR_SET_SHAPE | FR_SET_CLASS | FR_SET_CATEGORIES,
                            1));
  OK(frWorld_GetEntity(world, entity, &info));
  CHECK(info.shape == FR_BOX && info.entity_class == 5 && info.categories == 0);
  FAILS(FR_INVALID_ARGUMENT, frWorld_UpdateEntities(world, &entity, &def, 32, 1));
  OK(frWorld_FindEntity(world, 8, &found));
  CHECK(found == other);
  FAILS(FR_NOT_FOUND, frWorld_FindEntity(world, 9, &found));
  OK(frWorld_GetEntities(world, all, 2, &count));
  CHECK(count == 2);
  OK(frWorld_GetEntityChunks(world, entity, chunks, 27, &count));
  CHECK(count == 1 && chunks[0] == 0);
  OK(frWorld_RefineEntities(world, 10, &is_done));
  CHECK(is_done == 1);
  OK(frWorld_OptimizeEntities(world, &count));
  CHECK(count == 0);
  OK(frWorld_OptimizeEntities(world, NULL));
  OK(frWorld_RemoveEntities(world, &entity, 1));
  FAILS(FR_NOT_FOUND, frWorld_RemoveEntities(world, &stale, 1));
  FAILS(FR_NOT_FOUND, frWorld_GetEntity(world, stale, &info));
  FAILS(FR_NOT_FOUND, frWorld_GetEntityChunks(world, UINT64_MAX, chunks, 27, &count));
  entity = addSphere(world, 7, 2.5, 2.5, 2.5);
  CHECK(entity != stale);
  FAILS(FR_NOT_FOUND, frWorld_GetEntity(world, stale, &info));
  def.id = 8;
  FAILS(FR_ALREADY_EXISTS, frWorld_AddEntities(world, &def, 1, &found));
  def.id = 9;
  def.shape = 2;
  FAILS(FR_INVALID_ARGUMENT, frWorld_AddEntities(world, &def, 1, &found));
  def.shape = FR_BOX;
  def.half_extents[1] = -1;
  FAILS(FR_INVALID_ARGUMENT, frWorld_AddEntities(world, &def, 1, &found));
  def.half_extents[1] = 100;
  FAILS(FR_INVALID_ARGUMENT, frWorld_AddEntities(world, &def, 1, &found));
  OK(frDestroyWorld(world));
}

static frWorld* makeAnchoredWorld(void) {
  frWorld* world = NULL;
  anchor_of_worlds = "888";
  world = makeWorld(1);
  anchor_of_worlds = NULL;
  return world;
}

/* A shot whose effect moves a block with its entities; the filter is called again by that edit. */
typedef struct Removal {
  frBindings* bindings;
  int is_moving;
  int filtered; /* while the block was moved */
} Removal;

static int32_t destroyBindings(void* context, const frHit* hit) {
  Removal* removal = (Removal*)context;
  (void)hit;
  if (removal->is_moving) {
    ++removal->filtered;
    FAILS(FR_FAILED_PRECONDITION, frDestroyBindings(removal->bindings));
    FAILS(FR_FAILED_PRECONDITION, frBindings_Clear(removal->bindings));
  }
  return 1;
}

static int32_t moveBlock(void* context, const frHit* hit) {
  Removal* removal = (Removal*)context;
  const int64_t to[3] = {hit->cell[0], 9, 9};
  removal->is_moving = 1;
  OK(frBindings_MoveBlock(removal->bindings, 0, hit->cell, to));
  removal->is_moving = 0;
  return FR_STOP;
}

static void testBindingsInUse(void) {
  frWorld* world = makeWorld(1);
  const frLine line = segment(0.5, 2.5, 2.5, 15.5, 2.5, 2.5);
  const int64_t min[3] = {2, 2, 2};
  const int64_t max[3] = {14, 2, 2};
  Removal removal = {NULL, 0, 0};
  SIZED(frQueryOptions, options);
  options.block_filter = destroyBindings;
  options.on_hit = moveBlock;
  options.filter_context = options.hit_context = &removal;
  OK(frWorld_FillBox(world, 0, min, max, 2));
  OK(frCreateBindings(world, &removal.bindings));
  OK(frBindings_Bind(removal.bindings, addSphere(world, 7, 2.5, 9, 9), 0, min));
  OK(frWorld_Shoot(world, &line, 1, &options, NULL, 0, NULL));
  CHECK(removal.filtered > 0);
  OK(frDestroyBindings(removal.bindings));
  OK(frDestroyWorld(world));
}

void testBindings(void) {
  frWorld* world = makeAnchoredWorld();
  frBindings* bindings = NULL;
  const int64_t from[3] = {2, 2, 2};
  const int64_t to[3] = {4, 2, 2};
  const int64_t chunk[3] = {0, 0, 0};
  const int64_t next_chunk[3] = {1, 0, 0};
  frEntity entity = addSphere(world, 7, 2.5, 2.5, 2.5);
  frEntity bound[2] = {0, 0};
  frEntityInfo info;
  frBlockOfLevel block;
  frFrameMove move;
  size_t count = 0;
  OK(frWorld_SetBlock(world, 0, from, 1));
  OK(frCreateBindings(world, &bindings));
  FAILS(FR_NOT_FOUND, frBindings_GetBlock(bindings, entity, &block));
  OK(frBindings_Bind(bindings, entity, 0, from));
  OK(frBindings_MoveBlock(bindings, 0, from, to));
  OK(frBindings_GetBlock(bindings, entity, &block));
  CHECK(block.block[0] == 4 && block.level == 0);
  OK(frWorld_GetEntity(world, entity, &info));
  CHECK(info.position[0] == 9 * 32768);
  OK(frBindings_GetEntities(bindings, 0, to, bound, 2, &count));
  CHECK(count == 1 && bound[0] == entity);
  OK(frBindings_GetEntitiesInChunk(bindings, 0, chunk, NULL, 0, &count));
  CHECK(count == 1);
  OK(frBindings_Unbind(bindings, entity));
  FAILS(FR_NOT_FOUND, frBindings_Unbind(bindings, entity));
  OK(frBindings_Bind(bindings, entity, 0, to));
  memset(&move, 0, sizeof move);
  move.kind = FR_RECENTER;
  move.levels = 1;
  move.chunk[0] = 1;
  OK(frWorld_Recenter(world, next_chunk, NULL, NULL));
  OK(frBindings_Follow(bindings, &move, NULL, 0, &count));
  CHECK(count == 0);
  OK(frBindings_GetBlock(bindings, entity, &block));
  CHECK(block.block[0] == 4 - 16);
  move.levels = 2;
  FAILS(FR_INVALID_ARGUMENT, frBindings_Follow(bindings, &move, NULL, 0, &count));
  OK(frBindings_RemoveBlock(bindings, 0, block.block));
  FAILS(FR_NOT_FOUND, frWorld_GetEntity(world, entity, &info));
  entity = addSphere(world, 9, -2.5, 2.5, 2.5);
  OK(frBindings_Bind(bindings, entity, 0, block.block));
  OK(frBindings_RemoveUnloaded(bindings, &count));
  CHECK(count == 0);
  {
    const int64_t moved_chunk[3] = {-1, 0, 0};
    OK(frBindings_UnloadChunk(bindings, 0, moved_chunk));
  }
  FAILS(FR_NOT_FOUND, frWorld_GetEntity(world, entity, &info));
  FAILS(FR_NOT_FOUND, frBindings_Bind(bindings, entity, 0, to));
  OK(frBindings_Clear(bindings));
  OK(frDestroyWorld(world));
  OK(frBindings_Clear(bindings));
  OK(frDestroyBindings(bindings));
  testBindingsInUse();
}
