/* SPDX-License-Identifier: Apache-2.0 */
/* Streams a world without an end around a viewer who walks: asked for a chunk, answers it; and
 * lists what the viewer sees. */
#include <fractalray/fractalray_c.h>
#include <stdio.h>

/* Prints the error of a call that failed. */
static int failed(frResult result) {
  if (result != FR_OK) fprintf(stderr, "%s\n", frGetLastError());
  return result != FR_OK;
}

/* Answers all requests: stone below y = 0, air above. A disk or a network would answer later. */
static int answer(frStreamer* streamer, const frWorld* world, frBlockType stone) {
  uint64_t request;
  size_t count;
  while (frStreamer_TakeRequests(streamer, &request, 1, &count) == FR_OK && count == 1) {
    frChunkDef content = {.struct_size = sizeof content}; /* air */
    char path[64];
    int64_t chunk[3];
    int32_t level;
    if (failed(frStreamer_GetRequestPath(streamer, request, path, sizeof path, NULL)) ||
        failed(frWorld_FindPath(world, path, &level, chunk))) {
      return 1;
    }
    if (chunk[1] < 0) content.uniform = stone;
    if (failed(frStreamer_Answer(streamer, request, FR_OK, &content))) return 1;
  }
  return 0;
}

int main(void) {
  frWorldDef world_def = {
      .struct_size = sizeof world_def, .version = FR_VERSION, .anchor = "888_888"};
  frBlockTypeDef type_def = {.struct_size = sizeof type_def, .name = "stone"};
  frStreamRadii radii = {.load = 2, .keep = 3}; /* in chunks, around each viewer */
  frStreamOptions options = {
      .struct_size = sizeof options, .radii = &radii, .radius_count = 1, .chunks_per_tick = 256};
  frViewCone view = {.from = {8, 4, 8}, .direction = {1, -1, 0}, .cos_half_angle = 0.7};
  frVectors viewer = {.data = view.from};
  frWorld* world = NULL;
  frStreamer* streamer = NULL; /* without an frChunkSource: requests are taken */
  frVisibility* sight = NULL;
  frStreamStats stats;
  frBlockType stone;
  size_t blocks;
  if (failed(frCreateWorld(&world_def, &world)) ||
      failed(frWorld_AddBlockType(world, &type_def, &stone)) ||
      failed(frCreateStreamer(world, NULL, &options, &streamer)) ||
      failed(frCreateVisibility(world, NULL, &sight))) {
    return 1;
  }
  for (int tick = 0; tick < 64; ++tick) {
    if (failed(frStreamer_Tick(streamer, &viewer, 1)) || answer(streamer, world, stone) ||
        failed(frVisibility_Tick(sight, world, &view))) {
      return 1;
    }
    view.from[0] += 1; /* the viewer walks */
  }
  if (failed(frStreamer_GetStats(streamer, &stats)) ||
      failed(frVisibility_GetBlocks(sight, FR_IN_SIGHT, NULL, 0, &blocks))) {
    return 1;
  }
  printf("%d chunks loaded, %d of them unloaded again\n", (int)stats.loaded, (int)stats.unloaded);
  printf("the ground is %s\n", blocks > 0 ? "in sight" : "out of sight");
  frDestroyVisibility(sight);
  frDestroyStreamer(streamer);
  return failed(frDestroyWorld(world));
}
