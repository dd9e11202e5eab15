/* SPDX-License-Identifier: Apache-2.0 */
/* The callbacks of the C interface as imports of the module, and calls that need no memory for their
 * arguments.
 *
 * JavaScript supplies one function for each type of callback, which finds the caller's function by
 * the context, a number. frjs_Predicate() and the like return the addresses that C gets, so that
 * the table of functions never grows. No exception of JavaScript passes through the module: the
 * binding keeps it, ends the query and throws it again when the call has returned. */
#include "bindings/c/fractalray_c.h"

#define IMPORT(name) __attribute__((import_module("fractalray"), import_name(#name))) extern
#define EXPORT __attribute__((used, visibility("default")))

/* ---- Callbacks ------------------------------------------------------------------------------- */

IMPORT(predicate) int32_t frjsPredicate(void* context, const frHit* hit);
IMPORT(effect) int32_t frjsEffect(void* context, const frHit* hit);
IMPORT(block) frBlockType frjsBlock(void* context, const int64_t block[3]);

EXPORT frPredicateFcn* frjs_Predicate(void) { return frjsPredicate; }
EXPORT frEffectFcn* frjs_Effect(void) { return frjsEffect; }
EXPORT frBlockFcn* frjs_Block(void) { return frjsBlock; }

/* ---- Calls without memory for arguments ------------------------------------------------------ */
/* Each does in one call what takes two, or a write of its arguments to memory: of a short query the
 * border would else be half. A function that returns an answer returns -frResult after an error. */

/* As frMakeSegment. */
EXPORT frResult frjs_MakeSegment(double x0, double y0, double z0, double x1, double y1, double z1,
                                 frLine* line) {
  const double from[3] = {x0, y0, z0};
  const double to[3] = {x1, y1, z1};
  return frMakeSegment(from, to, line);
}

/* As frMakeRay. */
EXPORT frResult frjs_MakeRay(double x, double y, double z, double dx, double dy, double dz,
                             double max_distance, frLine* line) {
  const double origin[3] = {x, y, z};
  const double direction[3] = {dx, dy, dz};
  return frMakeRay(origin, direction, max_distance, 0, line);
}

/* As frMakeSegment and frWorld_ClosestHit. */
EXPORT frResult frjs_ClosestHit(const frWorld* world, double x0, double y0, double z0, double x1,
                                double y1, double z1, frLevelMask levels,
                                const frQueryOptions* options, frHit* hit) {
  frLine line;
  const frResult result = frjs_MakeSegment(x0, y0, z0, x1, y1, z1, &line);
  return result != FR_OK ? result : frWorld_ClosestHit(world, &line, levels, options, hit, 0);
}

/* As frMakeRay and frWorld_ClosestHit. */
EXPORT frResult frjs_ClosestHitOfRay(const frWorld* world, double x, double y, double z, double dx,
                                     double dy, double dz, double max_distance, frLevelMask levels,
                                     const frQueryOptions* options, frHit* hit) {
  frLine line;
  const frResult result = frjs_MakeRay(x, y, z, dx, dy, dz, max_distance, &line);
  return result != FR_OK ? result : frWorld_ClosestHit(world, &line, levels, options, hit, 0);
}

/* As frMakeSegment and frWorld_Occluded. Returns FR_CLEAR, FR_BLOCKED or FR_UNKNOWN. */
EXPORT int32_t frjs_Occluded(const frWorld* world, double x0, double y0, double z0, double x1,
                             double y1, double z1, frLevelMask levels,
                             const frQueryOptions* options) {
  frLine line;
  int32_t answer = FR_CLEAR;
  frResult result = frjs_MakeSegment(x0, y0, z0, x1, y1, z1, &line);
  if (result == FR_OK) result = frWorld_Occluded(world, &line, levels, options, &answer, 0, 0);
  return result == FR_OK ? answer : -result;
}

/* As frWorld_Shoot, or without a line as frWorld_Resume, with limits in place of those of the
 * options. */
EXPORT frResult frjs_Shoot(const frWorld* world, const frLine* line, frLevelMask levels,
                           const frQueryOptions* options, double max_hits, double max_steps,
                           frHit* hits, size_t capacity, frQueryResult* result) {
  frQueryOptions limited = {.struct_size = sizeof(limited)};
  if (options) limited = *options;
  limited.max_hits = (uint64_t)max_hits;
  limited.max_steps = (uint64_t)max_steps;
  if (!line) return frWorld_Resume(world, levels, &limited, hits, capacity, result);
  return frWorld_Shoot(world, line, levels, &limited, hits, capacity, result);
}

/* As frWorld_GetBlock. Returns the type. Requires: integers within +-2^53, as of the next. */
EXPORT int32_t frjs_GetBlock(const frWorld* world, int32_t level, double x, double y, double z) {
  const int64_t block[3] = {(int64_t)x, (int64_t)y, (int64_t)z};
  frBlockType type = FR_AIR;
  const frResult result = frWorld_GetBlock(world, level, block, &type);
  return result == FR_OK ? type : -result;
}

/* As frWorld_SetBlock. */
EXPORT frResult frjs_SetBlock(frWorld* world, int32_t level, double x, double y, double z,
                              int32_t type) {
  const int64_t block[3] = {(int64_t)x, (int64_t)y, (int64_t)z};
  return frWorld_SetBlock(world, level, block, (frBlockType)type);
}
