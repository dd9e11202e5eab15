/* SPDX-License-Identifier: Apache-2.0 */
/* Tests worlds, snapshots, executors and block types. */
#include "check.h"

static void testSnapshot(void) {
  const int64_t block[3] = {3, 4, 5};
  frWorld* world = makeWorld(1);
  frWorld* snapshot = NULL;
  frBlockType type = 9;
  uint64_t before = 0;
  uint64_t after = 0;
  OK(frWorld_SetBlock(world, 0, block, 1));
  OK(frWorld_GetVersions(world, &before, NULL));
  OK(frWorld_Snapshot(world, &snapshot));
  OK(frWorld_SetBlock(world, 0, block, 2));
  OK(frWorld_GetVersions(world, &after, NULL));
  CHECK(after > before);
  OK(frWorld_GetBlock(snapshot, 0, block, &type));
  CHECK(type == 1);
  OK(frWorld_GetVersions(snapshot, &after, NULL));
  CHECK(after == before);
  FAILS(FR_FAILED_PRECONDITION, frWorld_SetBlock(snapshot, 0, block, 2));
  FAILS(FR_FAILED_PRECONDITION, frWorld_Snapshot(snapshot, &world));
  OK(frDestroyWorld(world));
  OK(frWorld_GetBlock(snapshot, 0, block, &type));
  CHECK(type == 1);
  OK(frDestroyWorld(snapshot));
}

static void count(void* context, size_t i) {
  ((int*)context)[i] += 1;
}

static void testExecutor(void) {
  frExecutor* executor = NULL;
  int32_t threads = 0;
  int runs[100] = {0};
  int i;
  OK(frCreateExecutor(2, &executor));
  OK(frExecutor_GetThreads(executor, &threads));
  CHECK(threads >= 1 && threads <= 2);
  frExecutor_Run(executor, 100, count, runs);
  for (i = 0; i < 100; ++i)
    CHECK(runs[i] == 1);
  OK(frDestroyExecutor(executor));
  OK(frDestroyExecutor(NULL));
  FAILS(FR_INVALID_ARGUMENT, frCreateExecutor(-1, &executor));
  FAILS(FR_INVALID_ARGUMENT, frCreateExecutor(1025, &executor));
  FAILS(FR_INVALID_ARGUMENT, frCreateExecutor(1, NULL));
}

void testWorlds(void) {
  frWorld* world = NULL;
  int32_t levels = 0;
  uint64_t entities = 1;
  SIZED(frWorldDef, def);
  def.version = FR_VERSION;
  OK(frCreateWorld(&def, &world));
  OK(frWorld_GetLevels(world, &levels));
  CHECK(levels == 1);
  OK(frWorld_GetVersions(world, NULL, &entities));
  OK(frWorld_SetParallelFor(world, NULL, NULL));
  OK(frDestroyWorld(world));
  OK(frDestroyWorld(NULL));
  CHECK(frGetVersion() == FR_VERSION);
  CHECK(strcmp(frGetResultName(FR_OUT_OF_RANGE), "OUT_OF_RANGE") == 0);
  CHECK(strcmp(frGetResultName(77), "UNKNOWN") == 0);
  def.levels = 11;
  FAILS(FR_INVALID_ARGUMENT, frCreateWorld(&def, &world));
  def.levels = -1;
  FAILS(FR_INVALID_ARGUMENT, frCreateWorld(&def, &world));
  def.levels = 2;
  def.anchor = "no path";
  FAILS(FR_INVALID_ARGUMENT, frCreateWorld(&def, &world));
  def.anchor = NULL;
  def.version = FR_VERSION + 1000;
  FAILS(FR_FAILED_PRECONDITION, frCreateWorld(&def, &world));
  def.version = FR_VERSION;
  def.struct_size = 4;
  FAILS(FR_INVALID_ARGUMENT, frCreateWorld(&def, &world));
  testSnapshot();
  testExecutor();
}

void testBlockTypes(void) {
  frWorld* world = makeWorld(1);
  frWorld* other = NULL;
  frBlockType type = 0;
  frChannel channel = 9;
  frChannel sight = 0;
  int32_t kind = -1;
  size_t types = 0;
  size_t channels = 0;
  size_t length = 0;
  char name[8];
  const int32_t empty = FR_EMPTY;
  SIZED(frWorldDef, def);
  SIZED(frBlockTypeDef, glass);
  OK(frWorld_AddChannel(world, "sight", &sight));
  CHECK(sight == 1);
  glass.name = "glass";
  glass.channels = &sight;
  glass.channel_kinds = &empty;
  glass.channel_count = 1;
  OK(frWorld_AddBlockType(world, &glass, &type));
  CHECK(type == 3);
  FAILS(FR_ALREADY_EXISTS, frWorld_AddBlockType(world, &glass, &type));
  OK(frWorld_GetBlockKind(world, 3, 0, &kind));
  CHECK(kind == FR_SOLID);
  OK(frWorld_GetBlockKind(world, 3, sight, &kind));
  CHECK(kind == FR_EMPTY);
  OK(frWorld_FindBlockType(world, "water", &type));
  CHECK(type == 2);
  FAILS(FR_NOT_FOUND, frWorld_FindBlockType(world, "lava", &type));
  OK(frWorld_FindChannel(world, "sight", &channel));
  CHECK(channel == sight);
  FAILS(FR_NOT_FOUND, frWorld_FindChannel(world, "smell", &channel));
  OK(frWorld_CountBlockTypes(world, &types, &channels));
  CHECK(types == 4 && channels == 2);
  OK(frWorld_GetBlockTypeName(world, 3, name, sizeof name, &length));
  CHECK(strcmp(name, "glass") == 0 && length == 5);
  OK(frWorld_GetBlockTypeName(world, 3, NULL, 0, &length));
  FAILS(FR_OUT_OF_RANGE, frWorld_GetBlockTypeName(world, 3, name, 5, &length));
  OK(frWorld_GetChannelName(world, sight, name, sizeof name, NULL));
  CHECK(strcmp(name, "sight") == 0);
  FAILS(FR_INVALID_ARGUMENT, frWorld_GetBlockTypeName(world, 4, name, sizeof name, NULL));
  FAILS(FR_INVALID_ARGUMENT, frWorld_GetChannelName(world, 2, name, sizeof name, NULL));
  FAILS(FR_INVALID_ARGUMENT, frWorld_GetBlockKind(world, 0, 2, &kind));
  FAILS(FR_INVALID_ARGUMENT, frWorld_AddChannel(world, "", &channel));
  glass.name = "ice";
  glass.kind = 3;
  FAILS(FR_INVALID_ARGUMENT, frWorld_AddBlockType(world, &glass, &type));
  def.version = FR_VERSION;
  def.block_types_of = world;
  OK(frCreateWorld(&def, &other));
  OK(frWorld_FindBlockType(other, "glass", &type));
  CHECK(type == 3);
  OK(frDestroyWorld(world));
  OK(frWorld_CountBlockTypes(other, &types, NULL));
  CHECK(types == 4);
  OK(frDestroyWorld(other));
}
