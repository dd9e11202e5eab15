/* SPDX-License-Identifier: Apache-2.0 */
/* Tests batches, walks and searches. */
#include <math.h>
#include <stdlib.h>

#include "check.h"

enum { kLines = 10000 };

/* Runs tasks twice, backwards, and leaves out the first. */
static void runOddly(void* context, size_t tasks, frTaskFcn* task, void* task_context) {
  size_t i;
  for (i = tasks; i-- > 1;) {
    task(task_context, i);
    task(task_context, i);
  }
  task(task_context, tasks + 5);
  ++*(int*)context;
}

/* A floor of stone at y = 0, and lines down to it from points of a row, whose memory is x, z, y. */
typedef struct Row {
  frWorld* world;
  double* from;
  double* to;
  frLines lines;
  int runs; /* of runOddly: counted here, since the world keeps the address */
} Row;

static Row makeRow(void) {
  Row row;
  const int64_t min[3] = {0, 0, 0};
  const int64_t max[3] = {15, 0, 15};
  size_t i;
  row.runs = 0;
  row.world = makeWorld(1);
  OK(frWorld_FillBox(row.world, 0, min, max, 1));
  row.from = (double*)malloc(3 * kLines * sizeof(double));
  row.to = (double*)malloc(3 * kLines * sizeof(double));
  for (i = 0; i < kLines; ++i) {
    row.from[i] = row.to[i] = 16.0 * (double)i / kLines;
    row.from[kLines + i] = 5;
    row.to[kLines + i] = i % 2 == 0 ? 0.5 : 3;
    row.from[2 * kLines + i] = row.to[2 * kLines + i] = 4.5;
  }
  memset(&row.lines, 0, sizeof row.lines);
  row.lines.struct_size = sizeof row.lines;
  row.lines.count = kLines;
  row.lines.from.data = row.from;
  row.lines.to.data = row.to;
  row.lines.from.vector_stride = row.lines.to.vector_stride = 8;
  row.lines.from.component_stride = row.lines.to.component_stride = 8 * kLines;
  return row;
}

static uint64_t stepsOf(const frStats* stats) {
  return stats->cells + stats->index_cells + stats->entities_tested + stats->skips + stats->listed +
         stats->ordered;
}

static void testFirstHits(Row* row) {
  frHit* hits = (frHit*)malloc(kLines * sizeof(frHit));
  double* unknown = (double*)malloc(kLines * sizeof(double));
  frResult* results = (frResult*)malloc(kLines * sizeof(frResult));
  uint8_t* answers = (uint8_t*)malloc(kLines);
  frBlocker* blockers = (frBlocker*)malloc(kLines * sizeof(frBlocker));
  int right = 1;
  size_t i;
  SIZED(frQueryOptions, options);
  SIZED(frBatchResult, batch);
  OK(frWorld_SetParallelFor(row->world, runOddly, &row->runs));
  OK(frWorld_ClosestHits(row->world, &row->lines, 1, NULL, hits, unknown, results, &batch));
  CHECK(row->runs > 0 && batch.completed == kLines && batch.errors == 0 &&
        batch.hits == kLines / 2);
  for (i = 0; i < kLines; ++i) {
    right = right && results[i] == FR_OK && isnan(unknown[i]) &&
            hits[i].kind == (i % 2 == 0 ? FR_HIT_BLOCK : FR_HIT_NONE) &&
            (i % 2 == 1 || hits[i].cell[0] == (int64_t)(16 * i / kLines));
  }
  CHECK(right);
  OK(frWorld_OccludedMany(row->world, &row->lines, 1, NULL, answers, blockers, results, &batch));
  CHECK(batch.hits == kLines / 2);
  for (i = 0; i < kLines; ++i)
    right = right && answers[i] == (i % 2 == 0 ? FR_BLOCKED : FR_CLEAR) &&
            blockers[i].kind == (i % 2 == 0 ? FR_HIT_BLOCK : FR_HIT_NONE);
  CHECK(right);
  options.max_batch_steps = stepsOf(&batch.stats) / 2;
  OK(frWorld_OccludedMany(row->world, &row->lines, 1, &options, answers, NULL, results, &batch));
  CHECK(batch.completed > 0 && batch.completed < kLines && batch.errors <= 1);
  CHECK(results[batch.completed] == FR_RESOURCE_EXHAUSTED && results[0] == FR_OK);
  CHECK(answers[kLines - 1] == FR_UNKNOWN);
  row->from[3] = NAN;
  OK(frWorld_ClosestHits(row->world, &row->lines, 1, NULL, hits, NULL, results, &batch));
  CHECK(batch.errors == 1 && results[3] == FR_INVALID_ARGUMENT && hits[3].kind == FR_HIT_NONE);
  CHECK(strstr(frGetLastError(), "line 3") != NULL);
  row->from[3] = row->to[3];
  free(hits);
  free(unknown);
  free(results);
  free(answers);
  free(blockers);
}

/* Hits in brief are those of frWorld_ClosestHits, and can be completed. */
static void testCompactHits(Row* row) {
  frHit* hits = (frHit*)malloc(kLines * sizeof(frHit));
  frCompactHit* compact = (frCompactHit*)malloc(kLines * sizeof(frCompactHit));
  const frLine line = segment(0, 5, 4.5, 0, 0.5, 4.5); /* line 0 */
  frHit full;
  int right = 1;
  size_t i;
  SIZED(frBatchResult, batch);
  OK(frWorld_ClosestHits(row->world, &row->lines, 1, NULL, hits, NULL, NULL, NULL));
  OK(frWorld_CompactHits(row->world, &row->lines, 1, NULL, compact, NULL, NULL, &batch));
  CHECK(batch.completed == kLines && batch.hits == kLines / 2);
  for (i = 0; i < kLines; ++i) {
    right = right && compact[i].kind == hits[i].kind && compact[i].t == hits[i].t &&
            compact[i].t_exit == hits[i].t_exit && compact[i].type == hits[i].type &&
            compact[i].face_axis == hits[i].face_axis &&
            compact[i].face_sign == hits[i].face_sign &&
            (hits[i].kind == FR_HIT_NONE || compact[i].block[0] == hits[i].cell[0]) &&
            ((compact[i].flags & FR_HIT_TERMINAL) != 0) == (hits[i].terminal != 0);
  }
  CHECK(right && (compact[0].flags & FR_HIT_TERMINAL) != 0);
  OK(frWorld_GetFullHit(row->world, &line, &compact[0], &full));
  CHECK(memcmp(&full, &hits[0], sizeof full) == 0);
  FAILS(FR_INVALID_ARGUMENT, frWorld_GetFullHit(row->world, &line, &compact[1], &full));
  compact[0].t = NAN;
  FAILS(FR_INVALID_ARGUMENT, frWorld_GetFullHit(row->world, &line, &compact[0], &full));
  FAILS(FR_INVALID_ARGUMENT,
        frWorld_CompactHits(row->world, &row->lines, 1, NULL, NULL, NULL, NULL, NULL));
  free(hits);
  free(compact);
}

/* Runs tasks as it should, but tries to destroy their world. */
static void runAndDestroy(void* context, size_t tasks, frTaskFcn* task, void* task_context) {
  size_t i;
  FAILS(FR_FAILED_PRECONDITION, frDestroyWorld((frWorld*)context));
  FAILS(FR_FAILED_PRECONDITION, frWorld_SetParallelFor((frWorld*)context, NULL, NULL));
  for (i = 0; i < tasks; ++i)
    task(task_context, i);
}

static void testWorldInUse(Row* row) {
  frHit* hits = (frHit*)malloc(kLines * sizeof(frHit));
  uint8_t* answers = (uint8_t*)malloc(kLines);
  frShotBatch* batch = NULL;
  OK(frWorld_SetParallelFor(row->world, runAndDestroy, row->world));
  OK(frCreateShotBatch(&batch));
  OK(frWorld_ClosestHits(row->world, &row->lines, 1, NULL, hits, NULL, NULL, NULL));
  OK(frWorld_OccludedMany(row->world, &row->lines, 1, NULL, answers, NULL, NULL, NULL));
  OK(frWorld_ShootMany(row->world, &row->lines, 1, NULL, batch));
  OK(frWorld_SetParallelFor(row->world, NULL, NULL));
  OK(frDestroyShotBatch(batch));
  free(hits);
  free(answers);
}

/* Batches run on the calling thread once the executor of their world is destroyed. */
static void testDestroyedExecutor(Row* row) {
  frHit* hits = (frHit*)malloc(kLines * sizeof(frHit));
  frExecutor* executor = NULL;
  SIZED(frBatchResult, batch);
  OK(frCreateExecutor(2, &executor));
  OK(frWorld_SetParallelFor(row->world, frExecutor_Run, executor));
  OK(frDestroyExecutor(executor));
  OK(frWorld_ClosestHits(row->world, &row->lines, 1, NULL, hits, NULL, NULL, &batch));
  CHECK(batch.completed == kLines && batch.hits == kLines / 2);
  OK(frWorld_SetParallelFor(row->world, NULL, NULL));
  free(hits);
}

/* A batch writes nothing if one of its lines is in error, however late; and it may write its hits
 * over those after which its lines resume. */
static void testLists(Row* row) {
  frHit* hits = (frHit*)calloc(kLines, sizeof(frHit));
  uint64_t* ends = (uint64_t*)malloc(kLines * sizeof(uint64_t));
  int right = 1;
  size_t found = 0;
  size_t i;
  frHit first;
  frLines lines = row->lines;
  SIZED(frBatchResult, batch);
  SIZED(frQueryOptions, options);
  OK(frWorld_ClosestHits(row->world, &lines, 1, NULL, hits, NULL, NULL, NULL));
  for (i = 0; i < kLines; ++i) {
    if (hits[i].kind != FR_HIT_NONE) hits[found++] = hits[i];
    ends[i] = found;
  }
  first = hits[0];
  lines.after = hits;
  lines.after_ends = ends;
  ends[kLines - 1] = 0;
  FAILS(FR_INVALID_ARGUMENT,
        frWorld_ClosestHits(row->world, &lines, 1, NULL, hits, NULL, NULL, NULL));
  CHECK(memcmp(&hits[0], &first, sizeof first) == 0);
  ends[kLines - 1] = found;
  OK(frWorld_ClosestHits(row->world, &lines, 1, NULL, hits, NULL, NULL, &batch));
  CHECK(batch.errors == 0);
  for (i = 0; i < kLines; ++i)
    right = right && hits[i].kind == FR_HIT_NONE;
  CHECK(right);
  lines.count = 1;
  lines.after = NULL;
  ends[0] = 0;
  options.after = &first;
  options.after_count = 1;
  OK(frWorld_ClosestHits(row->world, &lines, 1, NULL, hits, NULL, NULL, NULL));
  CHECK(hits[0].kind == FR_HIT_BLOCK);
  OK(frWorld_ClosestHits(row->world, &lines, 1, &options, hits, NULL, NULL, NULL));
  CHECK(hits[0].kind == FR_HIT_NONE);
  free(hits);
  free(ends);
}

static int32_t stop(void* context, const frHit* hit) {
  (void)hit;
  ++*(int*)context;
  return FR_STOP;
}

static void testShots(Row* row) {
  frShotBatch* batch = NULL;
  frQueryResult* results = (frQueryResult*)calloc(kLines, sizeof(frQueryResult));
  frHit hit;
  int calls = 0;
  uint64_t hits = 0;
  SIZED(frQueryOptions, options);
  SIZED(frBatchResult, summary);
  results->struct_size = sizeof(frQueryResult);
  options.on_hit = stop;
  options.hit_context = &calls;
  OK(frCreateShotBatch(&batch));
  OK(frWorld_ShootMany(row->world, &row->lines, 1, &options, batch));
  CHECK(calls == kLines / 2);
  OK(frShotBatch_GetSummary(batch, &summary));
  CHECK(summary.completed == kLines && summary.hits == kLines / 2 && summary.errors == 0);
  OK(frShotBatch_GetResults(batch, 0, kLines, results));
  CHECK(results[2].result == FR_OK && results[2].hit_count == 1 && results[2].hits_begin == 1);
  CHECK(results[3].hit_count == 0 && results[3].progress == FR_DONE);
  OK(frShotBatch_GetHits(batch, 1, 1, &hit));
  CHECK(hit.kind == FR_HIT_BLOCK && hit.terminal);
  FAILS(FR_OUT_OF_RANGE, frShotBatch_GetHits(batch, kLines / 2, 1, &hit));
  FAILS(FR_OUT_OF_RANGE, frShotBatch_GetResults(batch, 1, kLines, results));
  options.max_batch_steps = stepsOf(&summary.stats) / 2;
  calls = 0;
  OK(frWorld_ShootMany(row->world, &row->lines, 1, &options, batch));
  OK(frShotBatch_GetSummary(batch, &summary));
  CHECK(summary.completed < kLines);
  hits = summary.hits;
  options.max_batch_steps = 0;
  OK(frWorld_ResumeMany(row->world, &row->lines, 1, &options, batch));
  OK(frShotBatch_GetSummary(batch, &summary));
  CHECK(summary.completed == kLines && summary.hits == kLines / 2 && hits < summary.hits);
  CHECK(calls == kLines / 2);
  OK(frDestroyShotBatch(batch));
  free(results);
}

static void testFormats(Row* row) {
  const float from[3] = {3.5F, 5, 4.5F};
  const float down[6] = {0, -1, 0, 0, 1, 0};
  const double reach[2] = {10, 10};
  const frLevelMask masks[2] = {1, 0};
  const uint64_t ends[2] = {1, 0};
  frLine fixed[2];
  frHit hits[2];
  frResult results[2];
  SIZED(frLines, lines);
  lines.count = 2;
  lines.is_rays = 1;
  lines.from.data = from;
  lines.from.format = lines.to.format = FR_F32;
  lines.to.data = down;
  lines.to.vector_stride = 12;
  lines.max_distances = reach;
  OK(frWorld_ClosestHits(row->world, &lines, 1, NULL, hits, NULL, results, NULL));
  CHECK(hits[0].kind == FR_HIT_BLOCK && hits[0].distance == 4 && hits[1].kind == FR_HIT_NONE);
  lines.levels = masks;
  OK(frWorld_ClosestHits(row->world, &lines, 1, NULL, hits, NULL, results, NULL));
  CHECK(results[0] == FR_OK && results[1] == FR_INVALID_ARGUMENT);
  lines.levels = NULL;
  lines.ignore = ends;
  lines.ignore_ends = ends;
  FAILS(FR_INVALID_ARGUMENT,
        frWorld_ClosestHits(row->world, &lines, 1, NULL, hits, NULL, results, NULL));
  lines.ignore_ends = NULL;
  lines.from.format = FR_UNITS;
  FAILS(FR_INVALID_ARGUMENT,
        frWorld_ClosestHits(row->world, &lines, 1, NULL, hits, NULL, results, NULL));
  fixed[0] = segment(3.5, 5, 4.5, 3.5, 0, 4.5);
  fixed[1] = fixed[0];
  memset(&lines.from, 0, 2 * sizeof lines.from);
  lines.lines = fixed;
  OK(frWorld_ClosestHits(row->world, &lines, 1, NULL, hits, NULL, NULL, NULL));
  CHECK(hits[1].distance == 4);
  FAILS(FR_INVALID_ARGUMENT,
        frWorld_ClosestHits(row->world, &lines, 1, NULL, NULL, NULL, NULL, NULL));
  lines.lines = NULL;
  FAILS(FR_INVALID_ARGUMENT,
        frWorld_ClosestHits(row->world, &lines, 1, NULL, hits, NULL, NULL, NULL));
}

/* Walks of many lines have the cells of single walks. */
static void testWalks(void) {
  const double from[9] = {0.5, 0.5, 0.5, NAN, 0.5, 0.5, 0.5, 2.5, 0.5};
  const double to[9] = {3.5, 0.5, 0.5, 1.5, 0.5, 0.5, 1.5, 2.5, 0.5};
  const int64_t widths[3] = {FR_UNITS_PER_BLOCK, FR_UNITS_PER_BLOCK, FR_UNITS_PER_BLOCK};
  const int64_t narrow[3] = {1, 0, 1};
  const double distances[3] = {2, 2, INFINITY};
  uint64_t ends[3];
  int64_t cells[3 * 8];
  double times[8];
  frResult results[3];
  size_t count = 0;
  size_t errors = 0;
  frLines lines;
  memset(&lines, 0, sizeof lines);
  lines.struct_size = sizeof lines;
  lines.count = 3;
  lines.from.data = from;
  lines.to.data = to;
  lines.from.vector_stride = lines.to.vector_stride = 24;
  lines.from.component_stride = lines.to.component_stride = 8;
  OK(frWalkMany(&lines, widths, FR_CORNER_BOTH, ends, cells, times, 8, &count, results, &errors));
  CHECK(count == 6 && ends[0] == 4 && ends[1] == 4 && ends[2] == 6);
  CHECK(cells[3 * 3] == 3 && cells[3 * 3 + 1] == 0 && cells[3 * 4 + 1] == 2 && times[0] == 0 &&
        times[3] == 2.5 / 3 && times[5] == 0.5);
  CHECK(errors == 1 && results[0] == FR_OK && results[1] == FR_INVALID_ARGUMENT);
  CHECK(strstr(frGetLastError(), "line 1") != NULL);
  OK(frWalkMany(&lines, widths, FR_CORNER_BOTH, ends, NULL, NULL, 0, &count, NULL, NULL));
  CHECK(count == 6);
  cells[3 * 5] = 77;
  FAILS(FR_OUT_OF_RANGE,
        frWalkMany(&lines, widths, FR_CORNER_BOTH, ends, cells, NULL, 5, &count, NULL, &errors));
  CHECK(count == 6 && ends[2] == 6 && errors == 1 && cells[3 * 5] == 77);
  FAILS(FR_INVALID_ARGUMENT,
        frWalkMany(&lines, widths, 9, ends, cells, times, 8, &count, NULL, NULL));
  FAILS(FR_INVALID_ARGUMENT,
        frWalkMany(&lines, narrow, FR_CORNER_BOTH, ends, cells, times, 8, &count, NULL, NULL));
  /* Rays end at their distance; an infinite one is refused. */
  lines.is_rays = 1;
  lines.max_distances = distances;
  OK(frWalkMany(&lines, widths, FR_CORNER_STAIRCASE, ends, cells, times, 8, &count, results,
                &errors));
  CHECK(ends[0] == 3 && errors == 2 && results[2] == FR_RESOURCE_EXHAUSTED);
}

void testBatches(void) {
  Row row = makeRow();
  testWalks();
  testFirstHits(&row);
  testCompactHits(&row);
  testWorldInUse(&row);
  testDestroyedExecutor(&row);
  testLists(&row);
  testShots(&row);
  testFormats(&row);
  OK(frDestroyWorld(row.world));
  free(row.from);
  free(row.to);
}

void testSearches(void) {
  frWorld* world = makeWorld(1);
  const double center[3] = {2.5, 2.5, 2.5};
  const double bad[3] = {NAN, 0, 0};
  const double far_away[3] = {1e300, 0, 0};
  const double max[3] = {3.5, 3.5, 3.5};
  const int64_t block[3] = {3, 2, 2};
  frEntity near_by = addSphere(world, 7, 4.5, 2.5, 2.5);
  frFoundEntity found[2];
  frFoundBlock blocks[2];
  size_t count = 0;
  addSphere(world, 8, 9.5, 2.5, 2.5);
  OK(frWorld_SetBlock(world, 0, block, 2));
  OK(frWorld_EntitiesInSphere(world, center, 2, 1, NULL, found, 2, &count));
  CHECK(count == 1 && found[0].entity == near_by && found[0].distance == 1.5);
  OK(frWorld_EntitiesInSphere(world, center, INFINITY, 1, NULL, NULL, 0, &count));
  CHECK(count == 2);
  FAILS(FR_OUT_OF_RANGE,
        frWorld_EntitiesInSphere(world, center, INFINITY, 1, NULL, found, 1, &count));
  OK(frWorld_EntitiesInBox(world, center, max, 1, NULL, found, 2, &count));
  CHECK(count == 0);
  OK(frWorld_NearestEntities(world, center, INFINITY, 1, NULL, found, 1, &count));
  CHECK(count == 1 && found[0].id == 7);
  OK(frWorld_BlocksInSphere(world, center, 1, 1, NULL, blocks, 2, &count));
  CHECK(count == 1 && blocks[0].type == 2 && blocks[0].kind == FR_PERMEABLE &&
        blocks[0].distance == 0.5 && blocks[0].block[0] == 3);
  OK(frWorld_BlocksInBox(world, center, max, 1, NULL, blocks, 2, &count));
  CHECK(count == 1);
  FAILS(FR_INVALID_ARGUMENT, frWorld_EntitiesInBox(world, max, center, 1, NULL, found, 2, &count));
  FAILS(FR_INVALID_ARGUMENT, frWorld_BlocksInSphere(world, bad, 1, 1, NULL, blocks, 2, &count));
  FAILS(FR_INVALID_ARGUMENT, frWorld_NearestEntities(world, center, -1, 1, NULL, found, 1, &count));
  /* A position that is out of range, unlike an array that is too short, leaves the count. */
  count = 0;
  FAILS(FR_OUT_OF_RANGE, frWorld_EntitiesInSphere(world, far_away, 1, 1, NULL, found, 1, &count));
  CHECK(count == 0);
  FAILS(FR_INVALID_ARGUMENT, frWorld_EntitiesInSphere(world, center, 1, 2, NULL, found, 1, &count));
  OK(frDestroyWorld(world));
}
