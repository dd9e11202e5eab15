// SPDX-License-Identifier: Apache-2.0
#include "callback_scope.h"

namespace fractalray::capi {
namespace {

constinit thread_local int pure_depth = 0;
constinit thread_local const EffectScope* innermost_effect = nullptr;

}  // namespace

int& PureScope::depth() {
  return pure_depth;
}

const EffectScope*& EffectScope::innermost() {
  return innermost_effect;
}

bool EffectScope::isRunning(const WorldState* world) {
  for (const EffectScope* each = innermost_effect; each != nullptr; each = each->outer_) {
    if (each->world_ == world) return true;
  }
  return false;
}

}  // namespace fractalray::capi
