// SPDX-License-Identifier: Apache-2.0
// What is measured: which rays on which scenes, doing which work. Nothing is built until a plan is
// run.
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
  kPlainPass,  // our plain pass, where the grid is not all that there is
};

// One set of rays, and what is done with it.
struct SetPlan {
  std::string scene;  // as reported; several sets may share what is built
  std::string rays;
  std::size_t count = 0;  // of segments
  std::vector<Work> works;
  std::function<Rays(const Grid&, std::size_t count)> make;
  std::vector<std::string_view> systems{};  // all that can where empty
  Reference reference = Reference::kGrid;
};

// A scene that is built once, and the sets shot at it.
struct ScenePlan {
  std::function<Scene()> make;
  std::vector<SetPlan> sets{};
};

// All there is to measure, in the order of running. `quick`: with fewer segments, and without the
// larger of the swept scenes.
std::vector<ScenePlan> makeSuite(bool quick);

// "first_hit" and so on, as in the tables and in JSON.
std::string_view workName(Work work);
// All works there are.
std::vector<Work> allWorks();

}  // namespace fractalray::bench
