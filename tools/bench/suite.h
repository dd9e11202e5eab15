// SPDX-License-Identifier: Apache-2.0
// The plan of the measurements: sets of rays on scenes, doing works. Nothing is built until a plan
// is run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "rays.h"
#include "scene.h"
#include "system.h"

namespace fractalray::bench {

enum class Reference : std::uint8_t {
  kGrid,       // block by block on the grid
  kPlainPass,  // our plain pass, if the scene is more than the grid, or lines are too long for it
};

// One set of rays, and the works done with it.
struct SetPlan {
  std::string scene;  // as reported; several sets may share what is built
  std::string rays;
  std::size_t count = 0;  // of segments
  std::vector<Work> works;
  std::function<Rays(const Grid&, std::size_t count)> make;
  std::vector<std::string_view> systems{};  // if empty, all that can
  Reference reference = Reference::kGrid;
};

// A scene that is built once, and the sets shot at it.
struct ScenePlan {
  std::function<Scene()> make;
  std::vector<SetPlan> sets{};
};

// Returns all plans, in the order of running. `quick`: with fewer segments, and without the larger
// of the swept scenes.
std::vector<ScenePlan> makeSuite(bool quick);

// Returns "first_hit" and so on, as in the tables and in JSON.
std::string_view workName(Work work);
// Returns all works.
std::vector<Work> allWorks();

}  // namespace fractalray::bench
