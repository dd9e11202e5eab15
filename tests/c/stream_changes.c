/* SPDX-License-Identifier: Apache-2.0 */
/* Tests edits through streamers, and wrong arguments of streamers. */
#include <math.h>

#include "check.h"

static const double kViewer[3] = {8, 8, 8};

static frVectors viewers(void) {
  frVectors vectors;
  memset(&vectors, 0, sizeof vectors);
  vectors.data = kViewer;
  return vectors;
}

/* Edits in chunks that are loaded and in others, by index and by path, and their end. */
void testStreamedChanges(void) {
  frWorld* world = makeEmptyWorld(1);
  const frVectors at = viewers();
  const frStreamRadii radii = {0, 0};
  const int64_t block[3] = {1, 2, 3};
  frStreamer* streamer = NULL;
  frBlockChange changes[2];
  frBlockType type = 9;
  uint64_t request = 0;
  size_t count = 0;
  SIZED(frChunkSource, source);
  SIZED(frStreamOptions, options);
  SIZED(frChunkDef, content);
  memset(changes, 0, sizeof changes);
  memcpy(changes[0].block, block, sizeof block);
  changes[0].type = 1;
  changes[1].path = "888";
  changes[1].block[0] = 15;
  changes[1].type = 2;
  changes[1].reverts = 1;
  changes[1].reverts_at = 100;
  options.radii = &radii;
  options.radius_count = 1;
  OK(frCreateStreamer(world, NULL, &options, &streamer));
  FAILS(FR_FAILED_PRECONDITION, frStreamer_SetBlocks(streamer, changes, 2));
  OK(frDestroyStreamer(streamer));
  source.keeps_changes = 1;
  OK(frCreateStreamer(world, &source, &options, &streamer));
  OK(frStreamer_SetBlocks(streamer, changes, 2));
  OK(frStreamer_Tick(streamer, &at, 1));
  OK(frStreamer_TakeRequests(streamer, &request, 1, &count));
  CHECK(count == 1);
  content.source = FR_CHUNK_UNLOAD;
  FAILS(FR_INVALID_ARGUMENT, frStreamer_Answer(streamer, request, FR_OK, &content));
  CHECK_ERROR("chunk->source is FR_CHUNK_UNLOAD");
  content.source = FR_CHUNK_COPY;
  FAILS(FR_INVALID_ARGUMENT, frStreamer_Answer(streamer, request, FR_OK, &content));
  CHECK_ERROR("chunk: ids is null");
  content.source = FR_CHUNK_UNIFORM;
  OK(frStreamer_Answer(streamer, request, FR_OK, &content)); /* air */
  OK(frStreamer_Tick(streamer, &at, 1));
  OK(frWorld_GetBlock(world, 0, block, &type));
  CHECK(type == 1);
  OK(frWorld_GetBlock(world, 0, changes[1].block, &type));
  CHECK(type == 2);
  OK(frStreamer_MaintainChanges(streamer)); /* nothing to do for changes in memory */
  OK(frStreamer_RevertChanges(streamer, 99, 10, &count));
  CHECK(count == 0);
  OK(frStreamer_RevertChanges(streamer, 100, 10, &count));
  OK(frWorld_GetBlock(world, 0, changes[1].block, &type));
  CHECK(count == 1 && type == FR_AIR);
  changes[0].is_removed = 1;
  OK(frStreamer_SetBlocks(streamer, changes, 1));
  OK(frWorld_GetBlock(world, 0, block, &type));
  CHECK(type == FR_AIR);
  changes[0].is_removed = 0;
  changes[1].type = 77;
  FAILS(FR_INVALID_ARGUMENT, frStreamer_SetBlocks(streamer, changes, 2));
  CHECK_ERROR("changes[1]: block type 77");
  changes[1].block[0] = 16;
  FAILS(FR_INVALID_ARGUMENT, frStreamer_SetBlocks(streamer, changes, 2));
  CHECK_ERROR("changes[1]: block has 16");
  changes[1].path = "xyz";
  FAILS(FR_INVALID_ARGUMENT, frStreamer_SetBlocks(streamer, changes + 1, 1));
  changes[0].level = 3;
  FAILS(FR_INVALID_ARGUMENT, frStreamer_SetBlocks(streamer, changes, 1));
  OK(frDestroyStreamer(streamer));
  OK(frDestroyWorld(world));
}

void testBadStreaming(void) {
  frWorld* world = makeEmptyWorld(1);
  frWorld* snapshot = NULL;
  frStreamer* streamer = NULL;
  static const uint8_t fertile[65537];
  const double far_away[3] = {1e300, 0, 0};
  const int64_t chunk[3] = {0, 0, 0};
  frStreamRadii radii = {3, 2};
  frChunkOfLevel wanted[2];
  frVectors at = viewers();
  int64_t index[3];
  int32_t level;
  frResult error;
  SIZED(frStreamOptions, options);
  memset(wanted, 0, sizeof wanted);
  OK(frWorld_Snapshot(world, &snapshot));
  FAILS(FR_FAILED_PRECONDITION, frCreateStreamer(snapshot, NULL, NULL, &streamer));
  options.radii = &radii;
  options.radius_count = 1;
  FAILS(FR_INVALID_ARGUMENT, frCreateStreamer(world, NULL, &options, &streamer));
  radii.load = NAN;
  FAILS(FR_INVALID_ARGUMENT, frCreateStreamer(world, NULL, &options, &streamer));
  radii.load = 2;
  options.radius_count = (size_t)-1; /* refused before the array is read, which is shorter */
  FAILS(FR_INVALID_ARGUMENT, frCreateStreamer(world, NULL, &options, &streamer));
  options.radius_count = 0;
  options.fertile = fertile;
  options.fertile_count = 65537;
  FAILS(FR_INVALID_ARGUMENT, frCreateStreamer(world, NULL, &options, &streamer));
  options.struct_size = 1;
  FAILS(FR_INVALID_ARGUMENT, frCreateStreamer(world, NULL, &options, &streamer));
  FAILS(FR_INVALID_ARGUMENT, frCreateStreamer(world, NULL, NULL, NULL));
  OK(frCreateStreamer(world, NULL, NULL, &streamer));
  FAILS(FR_INVALID_ARGUMENT, frStreamer_Tick(streamer, NULL, 1));
  at.data = far_away;
  FAILS(FR_OUT_OF_RANGE, frStreamer_Tick(streamer, &at, 1));
  at.format = 5;
  FAILS(FR_INVALID_ARGUMENT, frStreamer_Tick(streamer, &at, 1));
  wanted[1].level = 1;
  FAILS(FR_INVALID_ARGUMENT, frStreamer_WantChunks(streamer, wanted, 2, NULL));
  CHECK_ERROR("chunks[1]: level 1");
  FAILS(FR_INVALID_ARGUMENT, frStreamer_GetError(streamer, 1, chunk, &error, NULL, 0, NULL));
  FAILS(FR_OUT_OF_RANGE, frWorld_FindPath(world, "", &level, index));
  FAILS(FR_OUT_OF_RANGE, frWorld_FindPath(world, "888_111", &level, index));
  FAILS(FR_INVALID_ARGUMENT, frWorld_FindPath(world, "88", &level, index));
  OK(frDestroyStreamer(streamer));
  OK(frDestroyWorld(snapshot));
  OK(frDestroyWorld(world));
}
