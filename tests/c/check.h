/* SPDX-License-Identifier: Apache-2.0 */
/* Checks for the tests of the C interface that are C programs. */
#ifndef FRACTALRAY_TESTS_CAPI_CHECK_H
#define FRACTALRAY_TESTS_CAPI_CHECK_H

#include <stdio.h>
#include <string.h>

#include "../../bindings/c/fractalray_c.h"

extern int failures;

#define CHECK(condition)                                                      \
  do {                                                                        \
    if (!(condition)) {                                                       \
      ++failures;                                                             \
      fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
    }                                                                         \
  } while (0)

/* Checks that a call has a result, and that an error has a text that begins with the function. */
void checkResult(frResult result, frResult expected, const char* call, int line);
#define OK(call) checkResult((call), FR_OK, #call, __LINE__)
#define FAILS(code, call) checkResult((call), (code), #call, __LINE__)
/* Checks a part of the text of the last error. */
#define CHECK_ERROR(part) CHECK(strstr(frGetLastError(), (part)) != NULL)

/* Prepares a struct that begins with struct_size. */
#define SIZED(type, name)        \
  type name;                     \
  memset(&name, 0, sizeof name); \
  name.struct_size = (uint32_t)sizeof name

/* Makes a world with a loaded, empty chunk (0, 0, 0) on each level and the solid type "stone" (1)
 * and the permeable type "water" (2). */
frWorld* makeWorld(int32_t levels);
/* Makes such a world without chunks, whose level-0 chunk (0, 0, 0) is not at the edge of the root.
 */
frWorld* makeEmptyWorld(int32_t levels);
/* The path of its level-0 chunk (0, 0, 0); null for the root. */
extern const char* anchor_of_worlds;
/* Makes a segment between two points. */
frLine segment(double x0, double y0, double z0, double x1, double y1, double z1);
/* Adds a sphere of radius 0.5. */
frEntity addSphere(frWorld* world, uint64_t id, double x, double y, double z);

void testWorlds(void);
void testSavedWorlds(void);
void testBlockTypes(void);
void testChunks(void);
void testEngineChunks(void);
void testFingerprints(void);
void testEntities(void);
void testBindings(void);
void testQueries(void);
void testQueryLogs(void);
void testCallbacks(void);
void testCursors(void);
void testBatches(void);
void testHitOrder(void);
void testSearches(void);
void testSight(void);
void testBlasts(void);
void testWindow(void);
void testStreaming(void);
void testStreamedChanges(void);
void testBadStreaming(void);
void testSavedChanges(void);
void testVisibility(void);
void testErrors(void);

#endif
