/* SPDX-License-Identifier: Apache-2.0 */
/* The queries of sight in the logs of query_logs.c: that of a world with water at block 5, stone at
 * 9 and a sphere at 2.5, and the replay on one with stone in place of the water. */
#ifndef FRACTALRAY_TESTS_CAPI_LOGS_OF_SIGHT_H
#define FRACTALRAY_TESTS_CAPI_LOGS_OF_SIGHT_H

#include "../../bindings/c/fractalray_c.h"

/* Asks a query of each verb: 5. */
void askSightOfLog(const frWorld* world);
/* Compares the answers to them, which are the next queries of the replay. */
void checkSightOfReplay(frReplay* replay);

#endif
