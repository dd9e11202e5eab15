// SPDX-License-Identifier: Apache-2.0
// Hashes answers of the C interface as tests/golden does those of the library.
#pragma once

#include <span>

#include "../../bindings/c/fractalray_c.h"
#include "../golden/answers.h"

namespace fractalray::golden {

// The answer to a shot of a line, in its world.
struct GoldenShot {
  const frWorld* world;
  const frLine* line;
  const frQueryResult* shot;
  std::span<const frHit> hits;
};

// Adds what a shot reports, with the parts of its line on each level.
void addShot(Hash& hash, const GoldenShot& answer);
// Adds members of an array.
template <class T>
void addAll(Hash& hash, const T* values, int count) {
  for (int i = 0; i < count; ++i)
    hash.add(values[i]);
}

}  // namespace fractalray::golden
