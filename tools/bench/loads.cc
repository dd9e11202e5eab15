// SPDX-License-Identifier: Apache-2.0
#include "loads.h"

#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace fractalray::bench {
namespace {

// The reach of an explosion, and the distance of players along an axis, in blocks.
constexpr double kBlastReach = 8;
constexpr std::int64_t kPlayerDistance = 48;

// The systems that a game would use instead of its own loop, and that loop.
const std::vector<std::string_view> kLoadSystems{
    "fractalray",     "fractalray-segment", "fractalray-ray", "fractalray-raycast",
    "textbook-float", "textbook-double",    "openvdb",        "nanovdb",
    "embree",         "embree16",           "tinybvh"};

SetPlan loadSet(std::string rays, std::size_t count, Work work,
                std::function<Rays(const Grid&, std::size_t)> make) {
  return {.scene = "terrain",
          .rays = std::move(rays),
          .count = count,
          .works = {work},
          .make = std::move(make),
          .systems = kLoadSystems};
}

}  // namespace

SetPlan reachSet(std::string scene, int reach, std::size_t count) {
  return {.scene = std::move(scene),
          .rays = "reach-" + std::to_string(reach),
          .count = count,
          .works = {Work::kFirstHit},
          .make = [length = static_cast<double>(reach)](const Grid& grid, std::size_t rays) {
            return randomRays(grid, rays, {.min = length, .max = length});
          }};
}

void addLoads(std::size_t count, ScenePlan& plan) {
  for (const int reach : {6, 40, 120}) {
    SetPlan set = reachSet("terrain", reach, count);
    set.works.push_back(Work::kConvert);
    set.systems = kLoadSystems;
    plan.sets.push_back(std::move(set));
  }
  plan.sets.push_back(loadSet(
      "explosion", count, Work::kHitGroups,
      [](const Grid& grid, std::size_t rays) { return explosionRays(grid, rays, kBlastReach); }));
  plan.sets.push_back(loadSet(
      "corners", count, Work::kSightGroups,
      [](const Grid& grid, std::size_t rays) { return cornerRays(grid, rays, kPlayerDistance); }));
  plan.sets.push_back(loadSet("tiles", count, Work::kSightGroups, tileRays));
}

}  // namespace fractalray::bench
