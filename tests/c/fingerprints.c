/* SPDX-License-Identifier: Apache-2.0 */
/* Tests fingerprints of block types, blocks and entities. */
#include "check.h"

static uint64_t blocksOf(const frWorld* world, int64_t last_x) {
  const int64_t min[3] = {0, 0, 0};
  const int64_t max[3] = {last_x, 0, 0};
  uint64_t blocks = 1;
  OK(frWorld_Fingerprint(world, 0, min, max, &blocks, NULL));
  return blocks;
}

static uint64_t entitiesOf(const frWorld* world) {
  const int64_t chunk[3] = {0, 0, 0};
  uint64_t entities = 1;
  OK(frWorld_Fingerprint(world, 0, chunk, chunk, NULL, &entities));
  return entities;
}

static void testBlocks(void) {
  frWorld* one = makeWorld(1);
  frWorld* other = makeWorld(1);
  const int64_t block[3] = {3, 4, 5};
  const int64_t min[3] = {-1, 0, 0};
  const int64_t max[3] = {1, 1, 0};
  const uint64_t air = blocksOf(one, 0);
  uint64_t of_chunks[6] = {1, 1, 1, 1, 1, 1};
  size_t count = 0;
  CHECK(air != 0 && blocksOf(other, 0) == air && blocksOf(one, 100) == air);
  OK(frWorld_SetBlock(one, 0, block, 1));
  CHECK(blocksOf(one, 0) != air);
  OK(frWorld_SetBlock(other, 0, block, 2));
  CHECK(blocksOf(other, 0) != air && blocksOf(other, 0) != blocksOf(one, 0));
  OK(frWorld_SetBlock(other, 0, block, 1));
  CHECK(blocksOf(other, 0) == blocksOf(one, 0));

  OK(frWorld_FingerprintChunks(one, 0, min, max, NULL, 0, &count));
  CHECK(count == 6);
  OK(frWorld_FingerprintChunks(one, 0, min, max, of_chunks, 6, &count));
  CHECK(of_chunks[0] == 0 && of_chunks[1] == blocksOf(one, 0) && of_chunks[2] == 0);
  CHECK(of_chunks[3] == 0 && of_chunks[4] == 0 && of_chunks[5] == 0);
  FAILS(FR_OUT_OF_RANGE, frWorld_FingerprintChunks(one, 0, min, max, of_chunks, 2, &count));
  CHECK(count == 6);
  OK(frDestroyWorld(one));
  OK(frDestroyWorld(other));
}

static void testEntitiesOfBoxes(void) {
  frWorld* one = makeWorld(1);
  frWorld* other = makeWorld(1);
  frEntity gone = 0;
  CHECK(entitiesOf(one) == 0);
  gone = addSphere(other, 9, 1, 1, 1);
  OK(frWorld_RemoveEntities(other, &gone, 1));
  addSphere(one, 1, 2, 2, 2);
  addSphere(one, 2, 3, 3, 3);
  addSphere(other, 2, 3, 3, 3);
  CHECK(entitiesOf(one) != entitiesOf(other));
  addSphere(other, 1, 2, 2, 2);
  CHECK(entitiesOf(one) == entitiesOf(other) && entitiesOf(one) != 0);
  addSphere(other, 3, 20, 2, 2); /* in another chunk */
  CHECK(entitiesOf(one) == entitiesOf(other));
  OK(frDestroyWorld(one));
  OK(frDestroyWorld(other));
}

static void testTypes(void) {
  frWorld* one = makeWorld(1);
  frWorld* other = makeWorld(2);
  uint64_t fingerprints[2] = {0, 1};
  frChannel channel = 0;
  OK(frWorld_FingerprintBlockTypes(one, &fingerprints[0]));
  OK(frWorld_FingerprintBlockTypes(other, &fingerprints[1]));
  CHECK(fingerprints[0] == fingerprints[1]);
  OK(frWorld_AddChannel(other, "eye", &channel));
  OK(frWorld_FingerprintBlockTypes(other, &fingerprints[1]));
  CHECK(fingerprints[0] != fingerprints[1]);
  FAILS(FR_INVALID_ARGUMENT, frWorld_FingerprintBlockTypes(one, NULL));
  OK(frDestroyWorld(one));
  OK(frDestroyWorld(other));
}

static void testWrongBoxes(void) {
  frWorld* world = makeWorld(1);
  const int64_t first[3] = {0, 0, 0};
  const int64_t second[3] = {0, 1, 0};
  const int64_t least[3] = {INT64_MIN, INT64_MIN, INT64_MIN};
  const int64_t most[3] = {INT64_MAX, INT64_MAX, INT64_MAX};
  uint64_t number = 0;
  size_t count = 7;
  OK(frWorld_Fingerprint(world, 0, first, first, NULL, NULL));
  OK(frWorld_Fingerprint(world, 0, least, most, &number, NULL));
  CHECK(number == blocksOf(world, 0));
  FAILS(FR_INVALID_ARGUMENT, frWorld_Fingerprint(world, 0, second, first, &number, NULL));
  CHECK_ERROR("min[1] is 1, more than max[1], 0");
  FAILS(FR_INVALID_ARGUMENT, frWorld_Fingerprint(world, 1, first, first, &number, NULL));
  FAILS(FR_INVALID_ARGUMENT, frWorld_Fingerprint(world, 0, NULL, first, &number, NULL));
  FAILS(FR_INVALID_ARGUMENT, frWorld_FingerprintChunks(world, 0, least, most, &number, 1, &count));
  CHECK_ERROR("more than 1073741824 chunks");
  FAILS(FR_INVALID_ARGUMENT, frWorld_FingerprintChunks(world, 0, first, first, NULL, 1, &count));
  FAILS(FR_INVALID_ARGUMENT, frWorld_FingerprintChunks(world, 0, first, first, &number, 1, NULL));
  CHECK(count == 7);
  OK(frDestroyWorld(world));
}

void testFingerprints(void) {
  testBlocks();
  testEntitiesOfBoxes();
  testTypes();
  testWrongBoxes();
}
