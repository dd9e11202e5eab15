// SPDX-License-Identifier: Apache-2.0
// The parts that tests of the laws of sight share.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "../oracle/long_run.h"
#include "../oracle/rng.h"
#include "sight_scene.h"

namespace fractalray::sight_test {

// Return the answers to a case; a failure of the test if there is none.
SightAnswer answerTo(const SightCase& of);
Sight sightOf(const SightCase& of);
ExposureAnswer exposureOf(const SightCase& of);

// Returns a box between the eye and the target, mostly.
FixedBox extraOccluder(oracle::Rng& rng, const SightQuery& query);

// Returns a box around the target that is as wide, or up to 40,000 units wider on each side. A flat
// box stays flat if `keep_flat` is set.
FixedBox biggerBox(oracle::Rng& rng, const FixedBox& box, bool keep_flat);

// Cuts each listed occluder in two at a random plane.
void divideOccluders(oracle::Rng& rng, SightCase& boxes);

// Calls `check(rng, case)` for random cases of all kinds. To repeat one by its seed, it begins with
// that of each kind.
template <class Check>
void forRandomCases(std::string_view name, const Check& check) {
  oracle::Rng rng = oracle::rngOf(name);
  const bool is_repeated = oracle::repeatedSeed().has_value();
  for (int i = 0; i < rounds(120, 6000); ++i) {
    if (is_repeated && i < kSceneKinds) rng = oracle::rngOf(name);
    SCOPED_TRACE(oracle::repeatBy(rng.seed()));
    SightCase made = randomCase(rng, static_cast<SceneKind>(i % kSceneKinds));
    check(rng, made);
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << made.text();
      return;
    }
  }
}

}  // namespace fractalray::sight_test
