// SPDX-License-Identifier: Apache-2.0
// Calls the caller's functions for hits.
#pragma once

#include "../../../query/query_options.h"
#include "../fractalray_c.h"

namespace fractalray::capi {

class WorldState;

// Returns the answer of a filter or a terminal test.
bool test(frPredicateFcn* predicate, void* context, const Hit& hit);
// Returns the response of an effect of a shot on a world. Throws a CallbackError for a number that
// is no response.
HitResponse respond(frEffectFcn* effect, void* context, const WorldState* world, const Hit& hit);

}  // namespace fractalray::capi
