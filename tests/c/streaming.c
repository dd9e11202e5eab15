/* SPDX-License-Identifier: Apache-2.0 */
/* Tests streamers: requests that are pulled or called back, and their answers. */
#include "check.h"

enum { kMost = 64 };

static const double kViewer[3] = {8, 8, 8};

static frVectors viewers(void) {
  frVectors vectors;
  memset(&vectors, 0, sizeof vectors);
  vectors.data = kViewer;
  return vectors;
}

static frStreamStats statsOf(const frStreamer* streamer) {
  frStreamStats stats;
  memset(&stats, 0, sizeof stats);
  OK(frStreamer_GetStats(streamer, &stats));
  return stats;
}

static int32_t stateOf(const frWorld* world, int32_t level, int64_t x, int64_t y, int64_t z) {
  int64_t chunk[3];
  frChunkInfo info;
  chunk[0] = x;
  chunk[1] = y;
  chunk[2] = z;
  memset(&info, 0, sizeof info);
  OK(frWorld_GetChunk(world, level, chunk, &info));
  return info.state;
}

static size_t takeAll(frStreamer* streamer, uint64_t* requests) {
  size_t count = 0;
  OK(frStreamer_TakeRequests(streamer, requests, kMost, &count));
  return count;
}

/* Takes requests, the nearest first, and answers them in each of the ways. */
static void testPulledRequests(void) {
  frWorld* world = makeEmptyWorld(1);
  const frVectors at = viewers();
  const frStreamRadii radii = {1, 1};
  const int64_t zero[3] = {0, 0, 0};
  frStreamer* streamer = NULL;
  uint64_t requests[kMost];
  frChunkOfLevel loaded[kMost];
  int64_t chunk[3] = {9, 9, 9};
  int32_t level = 9;
  frResult error = FR_OK;
  char text[128];
  size_t count = 0;
  size_t i;
  SIZED(frStreamOptions, options);
  SIZED(frChunkDef, content);
  options.radii = &radii;
  options.radius_count = 1;
  options.retry_ticks = 1;
  OK(frCreateStreamer(world, NULL, &options, &streamer));
  OK(frStreamer_Tick(streamer, &at, 1));
  OK(frStreamer_TakeRequests(streamer, requests, 5, &count));
  CHECK(count == 5);
  count = takeAll(streamer, requests + 5);
  CHECK(count == 22 && takeAll(streamer, requests + 27) == 0);
  CHECK(stateOf(world, 0, 0, 0, 0) == FR_PROTO);
  OK(frStreamer_GetRequestPath(streamer, requests[0], text, sizeof text, NULL));
  CHECK(strcmp(text, "888") == 0);
  OK(frWorld_FindPath(world, text, &level, chunk));
  CHECK(level == 0 && memcmp(chunk, zero, sizeof chunk) == 0);
  OK(frStreamer_IsWanted(streamer, requests[0]));
  FAILS(FR_NOT_FOUND, frStreamer_IsWanted(streamer, 12345));
  FAILS(FR_NOT_FOUND, frStreamer_GetRequestPath(streamer, 0, text, sizeof text, NULL));
  FAILS(FR_INVALID_ARGUMENT, frStreamer_Answer(streamer, requests[0], FR_OK, NULL));
  FAILS(FR_INVALID_ARGUMENT, frStreamer_Answer(streamer, requests[0], FR_NOT_FOUND, &content));
  FAILS(FR_INVALID_ARGUMENT, frStreamer_Answer(streamer, requests[0], 77, NULL));
  content.source = FR_CHUNK_UNLOAD;
  FAILS(FR_INVALID_ARGUMENT, frStreamer_Answer(streamer, requests[0], FR_OK, &content));
  content.source = FR_CHUNK_UNIFORM;
  content.uniform = 9;
  FAILS(FR_INVALID_ARGUMENT, frStreamer_Answer(streamer, requests[0], FR_OK, &content));
  content.uniform = 1;
  OK(frStreamer_Answer(streamer, requests[0], FR_OK, &content));
  FAILS(FR_NOT_FOUND, frStreamer_Answer(streamer, requests[0], FR_OK, &content));
  OK(frStreamer_GetRequestPath(streamer, requests[1], text, sizeof text, NULL));
  OK(frWorld_FindPath(world, text, &level, chunk));
  OK(frStreamer_Answer(streamer, requests[1], FR_INTERNAL, NULL));
  for (i = 2; i < 27; ++i)
    OK(frStreamer_Answer(streamer, requests[i], FR_NOT_FOUND, NULL));
  OK(frStreamer_Tick(streamer, &at, 1));
  CHECK(stateOf(world, 0, 0, 0, 0) == FR_LOADED);
  OK(frStreamer_GetLoaded(streamer, loaded, kMost, &count));
  CHECK(count == 1 && loaded[0].level == 0 && loaded[0].chunk[0] == 0);
  OK(frStreamer_GetError(streamer, 0, chunk, &error, text, sizeof text, NULL));
  CHECK(error == FR_INTERNAL && strstr(text, "FR_INTERNAL") != NULL);
  CHECK(statsOf(streamer).nonexistent == 25 && statsOf(streamer).failed == 1);
  OK(frStreamer_Tick(streamer, &at, 1));
  OK(frStreamer_Tick(streamer, &at, 1));
  CHECK(takeAll(streamer, requests) == 1); /* the failed chunk, again */
  OK(frStreamer_Tick(streamer, NULL, 0));  /* nobody is there any longer */
  OK(frStreamer_GetUnloaded(streamer, loaded, kMost, &count));
  CHECK(count == 1 && stateOf(world, 0, 0, 0, 0) == FR_ABSENT);
  FAILS(FR_NOT_FOUND, frStreamer_Answer(streamer, requests[0], FR_OK, &content));
  OK(frDestroyStreamer(streamer));
  FAILS(FR_INVALID_ARGUMENT, frStreamer_Tick(streamer, &at, 1));
  OK(frDestroyWorld(world));
}

/* A source that answers at once: all stone. */
typedef struct Source {
  frWorld* world;
  frStreamer* streamer;
  int requests;
  int unloadings;
} Source;

static void answerAtOnce(void* context, uint64_t request, const char* path) {
  Source* source = (Source*)context;
  const frVectors at = viewers();
  const int64_t block[3] = {0, 0, 0};
  int64_t chunk[3];
  int32_t level;
  SIZED(frChunkDef, content);
  ++source->requests;
  OK(frWorld_FindPath(source->world, path, &level, chunk));
  content.uniform = 1;
  FAILS(FR_FAILED_PRECONDITION, frWorld_SetBlock(source->world, 0, block, 1));
  FAILS(FR_FAILED_PRECONDITION, frStreamer_Tick(source->streamer, &at, 1));
  FAILS(FR_FAILED_PRECONDITION, frDestroyStreamer(source->streamer));
  OK(frStreamer_Answer(source->streamer, request, FR_OK, &content));
}

static void countUnloading(void* context, int32_t level, const int64_t chunk[3]) {
  Source* source = (Source*)context;
  ++source->unloadings;
  if (source->world != NULL) {
    FAILS(FR_FAILED_PRECONDITION, frWorld_UnloadChunk(source->world, level, chunk));
  }
  FAILS(FR_FAILED_PRECONDITION, frDestroyStreamer(source->streamer));
}

static int32_t onlyWater(void* context, frBlockType type) {
  (void)context;
  return type == 2;
}

/* Requests that are called back, and what the types of blocks load. */
static void testCalledBack(int form) {
  frWorld* world = makeEmptyWorld(2);
  const frVectors at = viewers();
  const frStreamRadii radii[2] = {{0, 0}, {0, 0}};
  const uint8_t fertile[2] = {0, 1};
  const int64_t chunk[3] = {0, 0, 0};
  Source source;
  int tick;
  SIZED(frChunkSource, callbacks);
  SIZED(frStreamOptions, options);
  memset(&source, 0, sizeof source);
  source.world = world;
  callbacks.request = answerAtOnce;
  callbacks.unloading = countUnloading;
  callbacks.context = &source;
  options.radii = radii;
  options.radius_count = 2;
  if (form == 1) options.is_fertile = onlyWater;
  if (form == 2) {
    options.fertile = fertile; /* stone */
    options.fertile_count = 2;
  }
  OK(frCreateStreamer(world, &callbacks, &options, &source.streamer));
  for (tick = 0; tick < 4; ++tick)
    OK(frStreamer_Tick(source.streamer, &at, 1));
  CHECK(stateOf(world, 0, 0, 0, 0) == FR_LOADED);
  CHECK(stateOf(world, 1, 0, 0, 0) == (form == 1 ? FR_ABSENT : FR_LOADED));
  CHECK(source.requests >= 1 && source.unloadings == 0);
  OK(frWorld_Descend(world, chunk, NULL, NULL)); /* drops the chunk of level 0 */
  CHECK(source.unloadings == 1);
  options.is_fertile = onlyWater;
  options.fertile = fertile;
  options.fertile_count = 2;
  FAILS(FR_INVALID_ARGUMENT, frStreamer_SetOptions(source.streamer, &options));
  options.fertile = NULL;
  options.fertile_count = 0;
  options.radius_count = 1;
  FAILS(FR_INVALID_ARGUMENT, frStreamer_SetOptions(source.streamer, &options));
  OK(frStreamer_SetOptions(source.streamer, NULL));
  OK(frDestroyWorld(world)); /* the streamer lives on */
  source.world = NULL;
  OK(frStreamer_Tick(source.streamer, NULL, 0));
  OK(frDestroyStreamer(source.streamer));
}

/* Copies a path that was dropped. */
static void noteDropped(void* context, const char* path) {
  char* noted = (char*)context;
  CHECK(noted[0] == '\0' && strlen(path) < 16);
  strcpy(noted, path);
}

/* An answer that comes too late, since the viewer has left or the streamer ends, is dropped. */
static void testDropped(int is_called_back, int ends) {
  frWorld* world = makeEmptyWorld(1);
  const frVectors at = viewers();
  const frStreamRadii radii = {0, 0};
  frStreamer* streamer = NULL;
  uint64_t request = 0;
  size_t count = 0;
  size_t length = 0;
  char noted[16] = "";
  char path[16];
  SIZED(frChunkSource, source);
  SIZED(frStreamOptions, options);
  SIZED(frChunkDef, content);
  options.radii = &radii;
  options.radius_count = 1;
  source.context = noted;
  if (is_called_back) source.dropped = noteDropped;
  OK(frCreateStreamer(world, &source, &options, &streamer));
  OK(frStreamer_Tick(streamer, &at, 1));
  OK(frStreamer_TakeRequests(streamer, &request, 1, &count));
  OK(frStreamer_Answer(streamer, request, FR_OK, &content));
  if (!ends) {
    OK(frStreamer_Tick(streamer, NULL, 0));
    if (is_called_back) {
      FAILS(FR_NOT_FOUND, frStreamer_GetDropped(streamer, 0, path, sizeof path, NULL));
    } else {
      OK(frStreamer_GetDropped(streamer, 0, path, sizeof path, &length));
      CHECK(strcmp(path, "888") == 0 && length == 3);
      FAILS(FR_OUT_OF_RANGE, frStreamer_GetDropped(streamer, 0, path, 3, &length));
      FAILS(FR_NOT_FOUND, frStreamer_GetDropped(streamer, 1, path, sizeof path, &length));
      CHECK_ERROR("index is 1; the last tick dropped 1 chunks");
      OK(frStreamer_Tick(streamer, NULL, 0));
      FAILS(FR_NOT_FOUND, frStreamer_GetDropped(streamer, 0, path, sizeof path, &length));
    }
  }
  OK(frDestroyStreamer(streamer));
  CHECK(strcmp(noted, is_called_back ? "888" : "") == 0);
  OK(frDestroyWorld(world));
}

/* Answers from several threads at once. */
static void answerOnThread(void* context, uint64_t request, const char* path) {
  const Source* source = (const Source*)context;
  int64_t chunk[3];
  int32_t level;
  SIZED(frChunkDef, content);
  content.uniform = 1;
  if (frWorld_FindPath(source->world, path, &level, chunk) == FR_OK && chunk[1] >= 0) {
    content.uniform = FR_AIR;
  }
  frStreamer_Answer(source->streamer, request, FR_OK, &content);
}

static void testThreads(void) {
  frWorld* world = makeEmptyWorld(1);
  const frVectors at = viewers();
  const int64_t below[3] = {0, -1, 0};
  const int64_t above[3] = {0, 0, 0};
  frExecutor* executor = NULL;
  frBlockType type = 9;
  Source source;
  SIZED(frChunkSource, callbacks);
  memset(&source, 0, sizeof source);
  source.world = world;
  callbacks.request = answerOnThread;
  callbacks.context = &source;
  OK(frCreateExecutor(3, &executor));
  OK(frWorld_SetParallelFor(world, frExecutor_Run, executor));
  OK(frCreateStreamer(world, &callbacks, NULL, &source.streamer));
  OK(frStreamer_Tick(source.streamer, &at, 1));
  OK(frStreamer_Tick(source.streamer, &at, 1));
  CHECK(statsOf(source.streamer).failed == 0 && statsOf(source.streamer).loaded >= 64);
  OK(frWorld_GetBlock(world, 0, below, &type));
  CHECK(type == 1);
  OK(frWorld_GetBlock(world, 0, above, &type));
  CHECK(type == FR_AIR);
  OK(frDestroyStreamer(source.streamer));
  OK(frDestroyExecutor(executor));
  OK(frDestroyWorld(world));
}

/* A chunk that is answered after a move of the frame is loaded where it is then. */
static void testMoves(void) {
  frWorld* world = makeEmptyWorld(1);
  const frVectors at = viewers();
  const frStreamRadii radii = {1, 1};
  const int64_t next[3] = {1, 0, 0};
  frStreamer* streamer = NULL;
  uint64_t requests[kMost];
  int64_t chunk[3];
  int32_t level;
  char path[16];
  size_t count;
  size_t i;
  SIZED(frStreamOptions, options);
  SIZED(frChunkDef, content);
  options.radii = &radii;
  options.radius_count = 1;
  OK(frCreateStreamer(world, NULL, &options, &streamer));
  OK(frStreamer_Tick(streamer, &at, 1));
  count = takeAll(streamer, requests);
  OK(frWorld_Recenter(world, next, NULL, NULL));
  for (i = 0; i < count; ++i) {
    OK(frStreamer_GetRequestPath(streamer, requests[i], path, sizeof path, NULL));
    if (strcmp(path, "988") != 0) continue;
    OK(frWorld_FindPath(world, path, &level, chunk));
    CHECK(level == 0 && chunk[0] == 0 && chunk[1] == 0 && chunk[2] == 0);
    OK(frStreamer_Answer(streamer, requests[i], FR_OK, &content));
  }
  OK(frStreamer_Tick(streamer, &at, 1));
  CHECK(statsOf(streamer).loaded == 1 && stateOf(world, 0, 0, 0, 0) == FR_LOADED);
  OK(frDestroyStreamer(streamer));
  OK(frDestroyWorld(world));
}

/* Names chunks on a line, and single ones. */
static void testWants(void) {
  frWorld* world = makeEmptyWorld(1);
  const frLine line = segment(8, 8, 8, 200, 8, 8);
  const frLine no_line = {{0, 0, 0}, {0, 0, 0}, 0, 0, 0, {0}};
  frStreamer* streamer = NULL;
  frChunkOfLevel named[kMost];
  uint64_t requests[kMost];
  int64_t chunk[3];
  int32_t level;
  char path[16];
  size_t count = 0;
  OK(frCreateStreamer(world, NULL, NULL, &streamer));
  OK(frStreamer_Want(streamer, &line, FR_ALL_LEVELS, 3, named, kMost, &count));
  CHECK(count == 3 && named[0].chunk[0] == 0 && named[2].chunk[0] == 2);
  FAILS(FR_OUT_OF_RANGE, frStreamer_Want(streamer, &line, 1, 4, named, 1, &count));
  CHECK(count == 4);
  FAILS(FR_INVALID_ARGUMENT, frStreamer_Want(streamer, &line, 1, 0, named, kMost, &count));
  FAILS(FR_INVALID_ARGUMENT, frStreamer_Want(streamer, &no_line, 1, 3, named, kMost, &count));
  memset(named, 0, sizeof named);
  named[0].chunk[1] = -5;
  OK(frStreamer_WantChunks(streamer, named, 1, &count));
  CHECK(count == 1);
  named[0].level = 1;
  FAILS(FR_INVALID_ARGUMENT, frStreamer_WantChunks(streamer, named, 1, NULL));
  OK(frStreamer_Tick(streamer, NULL, 0));
  CHECK(takeAll(streamer, requests) == 5);
  OK(frStreamer_GetRequestPath(streamer, requests[4], path, sizeof path, NULL));
  OK(frWorld_FindPath(world, path, &level, chunk));
  CHECK(chunk[0] == 0 && chunk[1] == -5 && chunk[2] == 0);
  OK(frDestroyStreamer(streamer));
  OK(frDestroyWorld(world));
}

void testStreaming(void) {
  testPulledRequests();
  testCalledBack(0);
  testCalledBack(1);
  testCalledBack(2);
  testDropped(0, 0);
  testDropped(0, 1);
  testDropped(1, 0);
  testDropped(1, 1);
  testThreads();
  testMoves();
  testWants();
}
