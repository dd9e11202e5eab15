/* SPDX-License-Identifier: Apache-2.0 */
/* The smallest C program that shoots: one chunk with a wall in it, a creature in front of it, and a
 * bullet that hits both. */
#include <fractalray/fractalray_c.h>
#include <stdio.h>

/* Called for each hit, in the order of distance. */
static int32_t onHit(void* context, const frHit* hit) {
  (void)context;
  if (hit->kind == FR_HIT_ENTITY) {
    printf("entity %d after %g blocks\n", (int)hit->id, hit->distance);
  } else {
    printf("stone at x = %g\n", hit->point[0]);
  }
  return FR_CONTINUE; /* a solid block ends the shot whatever this returns */
}

/* Prints the error of a call that failed. */
static int failed(frResult result) {
  if (result != FR_OK) fprintf(stderr, "%s\n", frGetLastError());
  return result != FR_OK;
}

int main(void) {
  frWorldDef world_def = {.struct_size = sizeof world_def, .version = FR_VERSION};
  frWorld* world = NULL;
  if (failed(frCreateWorld(&world_def, &world))) return 1; /* 1.0 is the width of a block */

  frBlockTypeDef type_def = {.struct_size = sizeof type_def, .name = "stone"}; /* solid */
  frChunkDef chunk = {.struct_size = sizeof chunk}; /* 16 x 16 x 16 blocks of air at (0, 0, 0) */
  const int64_t min[3] = {12, 0, 0}, max[3] = {12, 15, 15};
  frBlockType stone = FR_AIR;
  if (failed(frWorld_AddBlockType(world, &type_def, &stone)) ||
      failed(frWorld_LoadChunks(world, 0, &chunk, 1)) ||
      failed(frWorld_FillBox(world, 0, min, max, stone))) { /* a wall at x = 12 */
    return 1;
  }

  frEntityDef creature = {.struct_size = sizeof creature,
                          .id = 7,
                          .position = {8, 4, 8},
                          .half_extents = {1}}; /* a sphere of radius 1 */
  frEntity entity = 0;
  if (failed(frWorld_AddEntities(world, &creature, 1, &entity))) return 1;

  const double from[3] = {2, 4, 8}, to[3] = {30, 4, 8};
  frQueryOptions options = {.struct_size = sizeof options, .on_hit = onHit};
  frLine bullet;
  if (failed(frMakeSegment(from, to, &bullet))) return 1;
  if (failed(frWorld_Shoot(world, &bullet, FR_ALL_LEVELS, &options, NULL, 0, NULL))) return 1;
  return failed(frDestroyWorld(world));
}
