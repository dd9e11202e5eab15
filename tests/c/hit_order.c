/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the order of hits of one line in two worlds, each of which has a part of the blocks, and
 * the same spheres with other handles. */
#include "check.h"

/* Water at x = 4 and stone at x = 12 in the first, water at x = 8 and stone at x = 14 in the
 * second; spheres 1 and 2 at x = 6 and 10 in both. */
static frWorld* makePart(int is_second) {
  frWorld* world = makeWorld(1);
  int64_t block[3] = {4, 2, 2};
  if (is_second) block[0] = 8;
  OK(frWorld_SetBlock(world, 0, block, 2));
  block[0] = is_second ? 14 : 12;
  OK(frWorld_SetBlock(world, 0, block, 1));
  if (is_second) addSphere(world, 2, 10, 2.5, 2.5);
  addSphere(world, 1, 6, 2.5, 2.5);
  if (!is_second) addSphere(world, 2, 10, 2.5, 2.5);
  return world;
}

static size_t shootAlong(const frWorld* world, const frLine* line, const frQueryOptions* options,
                         frHit* hits) {
  SIZED(frQueryResult, result);
  OK(frWorld_Shoot(world, line, 1, options, hits, 8, &result));
  return (size_t)result.hit_count;
}

static void testComparison(const frLine* line, const frHit* hits) {
  frLine zero;
  frHit other;
  int32_t order = 7;
  OK(frCompareHits(line, 1, FR_CORNER_BOTH, &hits[0], &hits[1], &order));
  CHECK(order == -1);
  OK(frCompareHits(line, 0, FR_CORNER_BOTH, &hits[3], &hits[1], &order));
  CHECK(order == 1);
  OK(frCompareHits(line, 1, FR_CORNER_STAIRCASE, &hits[1], &hits[1], &order));
  CHECK(order == 0);
  order = 7;
  memset(&zero, 0, sizeof zero);
  FAILS(FR_INVALID_ARGUMENT, frCompareHits(&zero, 1, FR_CORNER_BOTH, &hits[0], &hits[1], &order));
  FAILS(FR_INVALID_ARGUMENT, frCompareHits(line, 11, FR_CORNER_BOTH, &hits[0], &hits[1], &order));
  CHECK_ERROR("levels is 11");
  FAILS(FR_INVALID_ARGUMENT, frCompareHits(line, -1, FR_CORNER_BOTH, &hits[0], &hits[1], &order));
  FAILS(FR_INVALID_ARGUMENT, frCompareHits(line, 1, 3, &hits[0], &hits[1], &order));
  FAILS(FR_INVALID_ARGUMENT, frCompareHits(line, 2, FR_CORNER_BOTH, &hits[0], &hits[1], &order));
  CHECK_ERROR("hit a: the hit of block [4, 2, 2] of level 0");
  FAILS(FR_INVALID_ARGUMENT, frCompareHits(line, 1, FR_CORNER_BOTH, &hits[0], NULL, &order));
  FAILS(FR_INVALID_ARGUMENT, frCompareHits(line, 1, FR_CORNER_BOTH, &hits[0], &hits[1], NULL));
  other = hits[1];
  other.kind = 9;
  FAILS(FR_INVALID_ARGUMENT, frCompareHits(line, 1, FR_CORNER_BOTH, &hits[0], &other, &order));
  CHECK(order == 7);
}

/* hits: four of the first world, then those of the second. */
static void testMerge(const frLine* line, frHit* hits, size_t size) {
  uint64_t ends[3];
  const uint64_t falling[2] = {4, 3};
  frHit merged[8];
  frHit swapped[8];
  size_t count = 0;
  ends[0] = 4;
  ends[1] = ends[2] = size;
  OK(frMergeHits(line, 1, FR_CORNER_BOTH, hits, ends, 3, merged, 8, &count));
  CHECK(count == 5 && merged[0].cell[0] == 4 && merged[1].id == 1 && merged[2].cell[0] == 8);
  CHECK(merged[3].id == 2 && merged[4].cell[0] == 12 && merged[4].terminal);
  CHECK(merged[1].entity == hits[1].entity && merged[1].entity != hits[4].entity);
  CHECK(memcmp(&merged[3], &hits[2], sizeof hits[2]) == 0);
  FAILS(FR_OUT_OF_RANGE, frMergeHits(line, 1, FR_CORNER_BOTH, hits, ends, 3, swapped, 2, &count));
  CHECK(count == 5 && memcmp(swapped, merged, 2 * sizeof merged[0]) == 0);
  count = 0;
  OK(frMergeHits(line, 1, FR_CORNER_BOTH, hits, ends, 3, NULL, 0, &count));
  CHECK(count == 5);
  OK(frMergeHits(line, 1, FR_CORNER_BOTH, NULL, NULL, 0, merged, 8, &count));
  CHECK(count == 0);
  /* After an error nothing is written. */
  count = 77;
  memcpy(swapped, hits, size * sizeof hits[0]);
  swapped[5] = hits[4];
  swapped[4] = hits[5];
  FAILS(FR_INVALID_ARGUMENT,
        frMergeHits(line, 1, FR_CORNER_BOTH, swapped, ends, 3, merged, 8, &count));
  CHECK_ERROR("list 1, hit 1: ");
  swapped[5].kind = 9;
  FAILS(FR_INVALID_ARGUMENT,
        frMergeHits(line, 1, FR_CORNER_BOTH, swapped, ends, 3, merged, 8, &count));
  CHECK_ERROR("hits[5]: ");
  FAILS(FR_INVALID_ARGUMENT,
        frMergeHits(line, 1, FR_CORNER_BOTH, hits, falling, 2, merged, 8, &count));
  CHECK_ERROR("ends[1] is 3");
  ends[2] = UINT64_MAX;
  FAILS(FR_INVALID_ARGUMENT,
        frMergeHits(line, 1, FR_CORNER_BOTH, hits, ends, 3, merged, 8, &count));
  ends[2] = size;
  FAILS(FR_INVALID_ARGUMENT,
        frMergeHits(line, 1, FR_CORNER_BOTH, NULL, ends, 3, merged, 8, &count));
  FAILS(FR_INVALID_ARGUMENT,
        frMergeHits(line, 1, FR_CORNER_BOTH, hits, NULL, 3, merged, 8, &count));
  FAILS(FR_INVALID_ARGUMENT, frMergeHits(line, 1, FR_CORNER_BOTH, hits, ends, 3, NULL, 8, &count));
  CHECK(count == 77 && merged[3].id == 2);
  /* In place. */
  OK(frMergeHits(line, 1, FR_CORNER_BOTH, hits, ends, 3, hits, size, &count));
  CHECK(count == 5 && memcmp(hits, merged, 5 * sizeof merged[0]) == 0);
}

void testHitOrder(void) {
  frWorld* first = makePart(0);
  frWorld* second = makePart(1);
  const frLine line = segment(0.5, 2.5, 2.5, 15.5, 2.5, 2.5);
  frHit hits[16];
  frHit rest[8];
  size_t size = shootAlong(first, &line, NULL, hits);
  SIZED(frQueryOptions, options);
  CHECK(size == 4);
  size += shootAlong(second, &line, NULL, hits + 4);
  CHECK(size == 8);
  testComparison(&line, hits);
  /* After the first two hits of the first world, in the second one. */
  options.after = hits;
  options.after_count = 2;
  CHECK(shootAlong(second, &line, &options, rest) == 2);
  options.after_by_id = 1;
  CHECK(shootAlong(second, &line, &options, rest) == 3);
  CHECK(rest[0].cell[0] == 8 && rest[1].id == 2 && rest[2].cell[0] == 14);
  testMerge(&line, hits, size);
  OK(frDestroyWorld(first));
  OK(frDestroyWorld(second));
}
