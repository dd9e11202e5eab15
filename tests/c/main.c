/* SPDX-License-Identifier: Apache-2.0 */
/* Tests every function of the C interface, from C99. */
#include <stdlib.h>

#include "check.h"

int failures = 0;
const char* anchor_of_worlds = NULL;

void checkResult(frResult result, frResult expected, const char* call, int line) {
  size_t name = strcspn(call, "(");
  const char* error = frGetLastError();
  if (result != expected) {
    ++failures;
    fprintf(stderr, "line %d: %s is %s, not %s; last error: %s\n", line, call,
            frGetResultName(result), frGetResultName(expected), error);
  } else if (result != FR_OK && (strncmp(error, call, name) != 0 || strlen(error) < name + 4)) {
    ++failures;
    fprintf(stderr, "line %d: the error of %s is \"%s\"\n", line, call, error);
  }
}

frWorld* makeWorld(int32_t levels) {
  frWorld* world = NULL;
  frBlockType type;
  int32_t level;
  SIZED(frWorldDef, def);
  SIZED(frBlockTypeDef, stone);
  SIZED(frBlockTypeDef, water);
  SIZED(frChunkDef, chunk);
  def.version = FR_VERSION;
  def.levels = levels;
  def.anchor = anchor_of_worlds;
  OK(frCreateWorld(&def, &world));
  stone.name = "stone";
  OK(frWorld_AddBlockType(world, &stone, &type));
  CHECK(type == 1);
  water.name = "water";
  water.kind = FR_PERMEABLE;
  OK(frWorld_AddBlockType(world, &water, &type));
  CHECK(type == 2);
  for (level = 0; level < levels; ++level)
    OK(frWorld_LoadChunks(world, level, &chunk, 1));
  return world;
}

frWorld* makeEmptyWorld(int32_t levels) {
  const int64_t chunk[3] = {0, 0, 0};
  frWorld* world;
  int32_t level;
  anchor_of_worlds = "888";
  world = makeWorld(levels);
  anchor_of_worlds = NULL;
  for (level = 0; level < levels; ++level)
    OK(frWorld_UnloadChunk(world, level, chunk));
  return world;
}

frLine segment(double x0, double y0, double z0, double x1, double y1, double z1) {
  const double from[3] = {x0, y0, z0};
  const double to[3] = {x1, y1, z1};
  frLine line;
  double coordinates[6];
  memcpy(coordinates, from, sizeof from);
  memcpy(coordinates + 3, to, sizeof to);
  OK(frMakeSegment(coordinates, coordinates + 3, &line));
  return line;
}

frEntity addSphere(frWorld* world, uint64_t id, double x, double y, double z) {
  frEntity entity = 0;
  SIZED(frEntityDef, def);
  def.id = id;
  def.position[0] = x;
  def.position[1] = y;
  def.position[2] = z;
  def.half_extents[0] = 0.5;
  OK(frWorld_AddEntities(world, &def, 1, &entity));
  return entity;
}

int main(void) {
  testWorlds();
  testSavedWorlds();
  testBlockTypes();
  testChunks();
  testEngineChunks();
  testFingerprints();
  testEntities();
  testBindings();
  testQueries();
  testQueryLogs();
  testCallbacks();
  testCursors();
  testBatches();
  testHitOrder();
  testSearches();
  testSight();
  testBlasts();
  testWindow();
  testStreaming();
  testStreamedChanges();
  testBadStreaming();
  testSavedChanges();
  testVisibility();
  testErrors();
  if (failures > 0) fprintf(stderr, "%d checks failed\n", failures);
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
