// SPDX-License-Identifier: Apache-2.0
// Links debug drawing from outside.
#include <fractalray/query/explain/debug_draw.h>

absl::Status drawNothing(const fractalray::World& world, const fractalray::ShotResult& result) {
  return fractalray::debugDrawResult(world, result, {});
}
