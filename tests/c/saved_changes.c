/* SPDX-License-Identifier: Apache-2.0 */
/* Tests changes that streamers keep in a file, and a library without such files. */
#include <stdio.h>

#include "check.h"

#define CHANGES FRACTALRAY_TEST_FOLDER "/saved.changes"

static frChunkSource sourceOf(const char* path) {
  SIZED(frChunkSource, source);
  source.keeps_changes = 1;
  source.changes_path = path;
  return source;
}

#ifndef FRACTALRAY_C_FORMATS
void testSavedChanges(void) {
  const frChunkSource source = sourceOf(CHANGES);
  frWorld* world = makeEmptyWorld(1);
  frStreamer* streamer = NULL;
  FAILS(FR_UNIMPLEMENTED, frCreateStreamer(world, &source, NULL, &streamer));
  CHECK_ERROR("FRACTALRAY_C_FORMATS=ON");
  CHECK(streamer == NULL);
  OK(frDestroyWorld(world));
}
#else
/* Makes a world as makeEmptyWorld() does, in which stone is 2 and water is 1. */
static frWorld* makeWorldOfOtherTypes(void) {
  frWorld* world = NULL;
  frBlockType type;
  SIZED(frWorldDef, def);
  SIZED(frBlockTypeDef, added);
  def.version = FR_VERSION;
  def.anchor = "888";
  OK(frCreateWorld(&def, &world));
  added.name = "water";
  OK(frWorld_AddBlockType(world, &added, &type));
  added.name = "stone";
  OK(frWorld_AddBlockType(world, &added, &type));
  CHECK(type == 2);
  return world;
}

static void removeFile(void) {
  remove(CHANGES);
  remove(CHANGES "-wal");
  remove(CHANGES "-shm");
}

/* Loads the chunk (0, 0, 0) of air, and returns a block of it. */
static frBlockType loadAndGet(frWorld* world, frStreamer* streamer, const int64_t block[3]) {
  const double viewer[3] = {8, 8, 8};
  frVectors viewers;
  frBlockType type = 99;
  uint64_t request = 0;
  size_t count = 0;
  SIZED(frChunkDef, air);
  memset(&viewers, 0, sizeof viewers);
  viewers.data = viewer;
  OK(frStreamer_Tick(streamer, &viewers, 1));
  OK(frStreamer_TakeRequests(streamer, &request, 1, &count));
  OK(frStreamer_Answer(streamer, request, FR_OK, &air));
  OK(frStreamer_Tick(streamer, &viewers, 1));
  OK(frWorld_GetBlock(world, 0, block, &type));
  return type;
}

static frStreamer* openStreamer(frWorld* world, int32_t syncs) {
  const frStreamRadii radii = {0, 0};
  frChunkSource source = sourceOf(CHANGES);
  frStreamer* streamer = NULL;
  SIZED(frStreamOptions, options);
  options.radii = &radii;
  options.radius_count = 1;
  source.syncs_changes = syncs;
  OK(frCreateStreamer(world, &source, &options, &streamer));
  return streamer;
}

/* A change is there after the streamer and its world are gone, under the name of its type. */
static void testChangesOutliveTheWorld(int32_t syncs) {
  const int64_t block[3] = {1, 2, 3};
  frWorld* world = makeEmptyWorld(1);
  frStreamer* streamer;
  frBlockChange change;
  size_t count = 0;
  removeFile();
  memset(&change, 0, sizeof change);
  memcpy(change.block, block, sizeof block);
  change.type = 1;
  change.reverts = 1;
  change.reverts_at = 100;
  streamer = openStreamer(world, syncs);
  OK(frStreamer_SetBlocks(streamer, &change, 1));
  OK(frStreamer_MaintainChanges(streamer));
  OK(frDestroyStreamer(streamer));
  OK(frDestroyWorld(world));

  world = makeWorldOfOtherTypes();
  streamer = openStreamer(world, syncs);
  CHECK(loadAndGet(world, streamer, block) == 2);
  OK(frStreamer_RevertChanges(streamer, 100, 10, &count));
  CHECK(count == 1);
  OK(frDestroyStreamer(streamer));
  OK(frDestroyWorld(world));

  world = makeEmptyWorld(1);
  streamer = openStreamer(world, syncs);
  CHECK(loadAndGet(world, streamer, block) == FR_AIR);
  OK(frDestroyStreamer(streamer));
  OK(frDestroyWorld(world));
  removeFile();
}

static void testBadFiles(void) {
  frWorld* world = makeEmptyWorld(1);
  frChunkSource source = sourceOf(FRACTALRAY_TEST_FOLDER "/no such folder/saved.changes");
  frStreamer* streamer = NULL;
  frStreamer* other = NULL;
  FAILS(FR_NOT_FOUND, frCreateStreamer(world, &source, NULL, &streamer));
  CHECK_ERROR("no such folder");
  source.changes_path = FRACTALRAY_SOURCE_DIR "/README.md";
  FAILS(FR_INVALID_ARGUMENT, frCreateStreamer(world, &source, NULL, &streamer));
  CHECK_ERROR("README.md");
  source.keeps_changes = 0;
  FAILS(FR_INVALID_ARGUMENT, frCreateStreamer(world, &source, NULL, &streamer));
  CHECK_ERROR("source->changes_path is set and source->keeps_changes is 0");
  CHECK(streamer == NULL);
  removeFile();
  streamer = openStreamer(world, 0);
  source = sourceOf(CHANGES);
  FAILS(FR_UNAVAILABLE, frCreateStreamer(world, &source, NULL, &other));
  OK(frDestroyStreamer(streamer));
  OK(frCreateStreamer(world, &source, NULL, &other));
  OK(frDestroyStreamer(other));
  OK(frDestroyWorld(world));
  removeFile();
}

void testSavedChanges(void) {
  testChangesOutliveTheWorld(0);
  testChangesOutliveTheWorld(1);
  testBadFiles();
}
#endif
