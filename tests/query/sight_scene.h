// SPDX-License-Identifier: Apache-2.0
// Random worlds with eyes and boxes that look for trouble in them: on planes, edges and corners of
// blocks and a unit or two away from them, flat boxes, boxes in walls, eyes in blocks.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../oracle/random_scene.h"
#include "../oracle/rng.h"
#include "../oracle/sight_oracle.h"

namespace fractalray::sight_test {

// A query in a world of its own.
struct SightCase {
  std::unique_ptr<World> world;
  std::unique_ptr<EntityIndex> entities;
  std::vector<FixedBox> occluders;
  SightQuery query;
  LevelMask levels;
  SightOptions options;  // but for `occluders`, see optionsOf()

  RayQueryService service() const { return RayQueryService(*world, *entities); }
  SightOptions allOptions() const {
    SightOptions all = options;
    all.occluders = occluders;
    return all;
  }
  // Returns what the oracle needs to know, of the space between the eye and the box.
  oracle::SightScene scene() const;
  std::string text() const;
};

// The kinds of worlds.
enum class SceneKind {
  kGrid,      // some blocks of one chunk
  kChequer,   // walls with cracks of measure zero only
  kBoxes,     // boxes in units, anywhere: cracks below a unit
  kUnloaded,  // chunks are missing
  kLevels,    // several levels, nested
  kShapes,    // blocks that do not fill their cube
  kFar,       // near the end of the frame
};
inline constexpr int kSceneKinds = 7;

SightCase randomCase(oracle::Rng& rng, SceneKind kind);

// Returns the same, with other members of the query chosen at random.
SightQuery randomQuery(oracle::Rng& rng, const Vec3i& low, const Vec3i& high, std::int64_t width);

// Returns why an answer is wrong, or nothing: compares it with the oracle, checks the witness, and
// proves the certificate again.
std::optional<std::string> faultOf(const SightCase& of, const SightAnswer& answer,
                                   const oracle::ExactSight& exact);

}  // namespace fractalray::sight_test
