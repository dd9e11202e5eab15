/* SPDX-License-Identifier: Apache-2.0 */
#include "logs_of_sight.h"

#include "check.h"

static frVectors pointsAt(const double* points) {
  frVectors vectors;
  memset(&vectors, 0, sizeof vectors);
  vectors.data = points;
  vectors.vector_stride = 24;
  vectors.format = FR_F64;
  return vectors;
}

/* Looks at a box through the water, past the stone. */
static void askSight(const frWorld* world) {
  const double eye[3] = {0.5, 1.5, 1.5};
  const double min[3] = {12, 1.25, 1.25};
  const double max[3] = {13, 3, 1.75};
  frSightQuery query;
  int32_t sight = 0;
  double from = 0;
  double to = 1;
  OK(frMakeSightQuery(eye, min, max, &query));
  OK(frWorld_Visible(world, &query, FR_ALL_LEVELS, NULL, &sight, NULL));
  CHECK(sight == FR_SIGHT_VISIBLE);
  OK(frWorld_Exposure(world, &query, FR_ALL_LEVELS, NULL, &from, &to, NULL));
  CHECK(from > 0 && to < 1);
}

/* Who sees the box, which blocks are in sight, and what breaks at 8, 1.5, 1.5. */
static void askOtherVerbsOfSight(const frWorld* world) {
  const double eyes[6] = {0.5, 1.5, 1.5, 10.5, 1.5, 1.5};
  const double min[3] = {12, 1.25, 1.25};
  const double max[3] = {13, 1.75, 1.75};
  const double center[3] = {8, 1.5, 1.5};
  const int64_t resistances[3] = {0, 100, 100};
  const frBlastRay ray = {{FR_UNITS_PER_BLOCK / 2, 0, 0}, 1000};
  const frVectors eye_vectors = pointsAt(eyes);
  const frVectors mins = pointsAt(min);
  const frVectors maxs = pointsAt(max);
  uint8_t answers[2];
  frFoundBlock found[4];
  frBrokenBlock broken[4];
  frExposedEntity reached[4];
  size_t count = 0;
  SIZED(frBlastQuery, blast);
  SIZED(frBlastResult, result);
  OK(frWorld_VisibleBoxes(world, &eye_vectors, NULL, 2, &mins, &maxs, 1, FR_ALL_LEVELS, NULL,
                          answers, NULL));
  CHECK(answers[0] == FR_SIGHT_HIDDEN && answers[1] == FR_SIGHT_VISIBLE);
  OK(frWorld_VisibleBlocks(world, eyes, 12, FR_ALL_LEVELS, NULL, 0, NULL, NULL, found, 4, &count));
  CHECK(count == 2);
  memcpy(blast.center, center, sizeof center);
  blast.radius = 7;
  blast.rays = &ray;
  blast.ray_count = 1;
  blast.resistances = resistances;
  blast.resistance_count = 3;
  OK(frWorld_Blast(world, &blast, FR_ALL_LEVELS, NULL, NULL, broken, 4, reached, 4, &result));
  CHECK(result.block_count == 1 && result.entity_count == 1);
}

/* Compares those to two queries: stone where the water was hides more of the box. */
static void testAnswersOfSight(frReplay* replay) {
  int32_t sight = 77;
  double recorded[2] = {-1, -1};
  double replays[2] = {-1, -1};
  SIZED(frReplayed, replayed);
  OK(frReplay_Next(replay, &replayed));
  CHECK(replayed.verb == FR_VERB_VISIBLE && replayed.levels == FR_ALL_LEVELS);
  CHECK(replayed.sight.eye[0] == FR_UNITS_PER_BLOCK / 2);
  CHECK(replayed.sight.box.max[1] == 3 * (int64_t)FR_UNITS_PER_BLOCK);
  OK(frReplay_GetSight(replay, FR_RECORDED, &sight, &recorded[0], NULL));
  CHECK(sight == FR_SIGHT_VISIBLE && recorded[0] == -1);
  OK(frReplay_Next(replay, &replayed));
  CHECK(replayed.verb == FR_VERB_EXPOSURE && replayed.outcome == FR_REPLAY_DIFFERENT);
  OK(frReplay_GetSight(replay, FR_RECORDED, NULL, &recorded[0], &recorded[1]));
  OK(frReplay_GetSight(replay, FR_REPLAYED, NULL, &replays[0], &replays[1]));
  CHECK(replays[1] < recorded[0] && recorded[0] <= recorded[1] && recorded[1] < 1);
  FAILS(FR_INVALID_ARGUMENT, frReplay_GetSight(replay, 2, NULL, NULL, NULL));
}

/* Compares those to the last three queries: the stone that was added is in sight, and takes away
 * the sight of the sphere from the blast. */
static void testOtherAnswersOfSight(frReplay* replay) {
  uint8_t answers[2] = {77, 77};
  frFoundBlock found[4];
  frBrokenBlock broken[4];
  frExposedEntity reached[4];
  size_t count = 0;
  SIZED(frReplayed, replayed);
  SIZED(frBlastResult, result);
  OK(frReplay_Next(replay, &replayed));
  CHECK(replayed.verb == FR_VERB_VISIBLE_BOXES && replayed.outcome == FR_REPLAY_EQUAL);
  CHECK(replayed.viewer_count == 2 && replayed.box_count == 1);
  OK(frReplay_GetSights(replay, FR_REPLAYED, answers, 2, &count));
  CHECK(count == 2 && answers[0] == FR_SIGHT_HIDDEN && answers[1] == FR_SIGHT_VISIBLE);
  FAILS(FR_OUT_OF_RANGE, frReplay_GetSights(replay, FR_RECORDED, answers, 1, &count));
  FAILS(FR_INVALID_ARGUMENT, frReplay_GetSight(replay, FR_RECORDED, NULL, NULL, NULL));
  CHECK_ERROR("visibleBoxes");
  FAILS(FR_INVALID_ARGUMENT, frReplay_GetVisibleBlocks(replay, FR_RECORDED, found, 4, &count));
  OK(frReplay_Next(replay, &replayed));
  CHECK(replayed.verb == FR_VERB_VISIBLE_BLOCKS && replayed.outcome == FR_REPLAY_DIFFERENT);
  CHECK(replayed.center[0] == 0.5 && replayed.radius == 12 && replayed.box_count == 0);
  OK(frReplay_GetVisibleBlocks(replay, FR_RECORDED, found, 4, &count));
  CHECK(count == 2 && found[0].type == 2 && found[0].block[0] == 5);
  CHECK(found[0].sight == FR_SIGHT_VISIBLE && found[0].kind == FR_PERMEABLE);
  CHECK(found[1].type == 1 && found[1].block[0] == 9 && found[1].distance == 8.5);
  OK(frReplay_GetVisibleBlocks(replay, FR_REPLAYED, found, 4, &count));
  CHECK(count == 1 && found[0].type == 1 && found[0].block[0] == 5);
  FAILS(FR_INVALID_ARGUMENT,
        frReplay_GetBlast(replay, FR_RECORDED, broken, 4, reached, 4, &result));
  OK(frReplay_Next(replay, &replayed));
  CHECK(replayed.verb == FR_VERB_BLAST && replayed.outcome == FR_REPLAY_DIFFERENT);
  CHECK(replayed.center[0] == 8 && replayed.radius == 7);
  OK(frReplay_GetBlast(replay, FR_RECORDED, broken, 4, reached, 4, &result));
  CHECK(result.block_count == 1 && result.entity_count == 1 && result.samples == 0);
  CHECK(broken[0].block[0] == 9 && broken[0].type == 1 && broken[0].power == 900);
  CHECK(reached[0].id == 7 && reached[0].from > 0);
  OK(frReplay_GetBlast(replay, FR_REPLAYED, broken, 4, reached, 4, &result));
  CHECK(result.block_count == 1 && reached[0].to == 0);
  FAILS(FR_INVALID_ARGUMENT, frReplay_GetBlast(replay, FR_REPLAYED, broken, 4, reached, 4, NULL));
}

void askSightOfLog(const frWorld* world) {
  askSight(world);
  askOtherVerbsOfSight(world);
}

void checkSightOfReplay(frReplay* replay) {
  testAnswersOfSight(replay);
  testOtherAnswersOfSight(replay);
}
