// SPDX-License-Identifier: Apache-2.0
// Random worlds with eyes and boxes that look for trouble in them: on planes, edges and corners of
// blocks and a unit or two away from them, flat boxes, boxes in walls, eyes in blocks. Filters
// leave out some of the blocks and of the entities.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../oracle/random_scene.h"
#include "../oracle/rng.h"
#include "../oracle/sight_oracle.h"
#include "../oracle/witness_oracle.h"

namespace fractalray::sight_test {

// A query in a world of its own.
struct SightCase {
  std::unique_ptr<World> world;
  std::unique_ptr<EntityIndex> entities;
  std::vector<FixedBox> occluders;
  SightQuery query;
  LevelMask levels;
  SightOptions options;           // without what the members below add to it, see allOptions()
  std::vector<EntityId> ignored;  // for filter.ignore
  // For filter.block_filter and entity_filter: one in so many blocks, and entities, is refused;
  // none if 0.
  std::int64_t refused_every = 0;

  RayQueryService service() const { return RayQueryService(*world, *entities); }
  // Returns the options of the query. The case outlives them, and stays as it is.
  SightOptions allOptions() const;
  // Returns true if the filter accepts a block.
  bool accepts(int level, const BlockCoord& at) const;
  // Returns the boxes that occlude: those of the options, and entities.
  std::vector<FixedBox> listedBoxes() const;
  // Returns all occluders, of which the query may leave some out because the eye is inside: blocks,
  // box entities, and boxes.
  std::vector<oracle::Occluder> occludersOfAll() const;
  // Returns what the oracle needs to know, of the space between the eye and the box.
  oracle::SightScene scene() const;
  std::string text() const;
};
std::string textOf(const FixedBox& box);

// Returns a case without blocks and without a query.
SightCase emptyCase(int levels = 1);
// Returns an eye and a box, both between two corners, mostly on planes between cubes of a width or
// near them. The box may end beyond.
SightQuery randomQuery(oracle::Rng& rng, const Vec3i& low, const Vec3i& high, std::int64_t width);

// The kinds of worlds.
enum class SceneKind {
  kGrid,      // some blocks of one chunk
  kChequer,   // walls with cracks of measure zero only
  kBoxes,     // boxes in units, anywhere: cracks below a unit
  kUnloaded,  // chunks are missing
  kLevels,    // several levels, nested; masks with a gap
  kShapes,    // blocks that do not fill their cube
  kFar,       // near the ends of the frame
};
inline constexpr int kSceneKinds = 7;

SightCase randomCase(oracle::Rng& rng, SceneKind kind);

// Returns how often a test is repeated: `many` times if FRACTALRAY_LONG_TESTS is set.
int rounds(int few, int many);

}  // namespace fractalray::sight_test
