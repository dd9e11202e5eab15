// SPDX-License-Identifier: Apache-2.0
// Viewers and boxes for tests of visibleBoxes(), and its answers as visible() alone gives them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../../query/sight_table.h"
#include "../oracle/exact.h"
#include "../oracle/rng.h"
#include "sight_scene.h"

namespace fractalray::sight_test {

// Viewers with their eyes, and boxes.
struct TableScene {
  std::vector<std::vector<Vec3i>> eyes;
  std::vector<FixedBox> boxes;

  std::vector<SightViewer> viewers() const {
    std::vector<SightViewer> viewers;
    viewers.reserve(eyes.size());
    for (const std::vector<Vec3i>& each : eyes)
      viewers.push_back({.eyes = each});
    return viewers;
  }
};

// Returns the square of the distance from an eye to a box.
inline oracle::Integer squareOfDistance(const Vec3i& eye, const FixedBox& box) {
  oracle::Integer square = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t nearest = std::clamp(eye[axis], box.min[axis], box.max[axis]);
    const oracle::Integer apart = oracle::Integer(nearest) - oracle::Integer(eye[axis]);
    square += apart * apart;
  }
  return square;
}

// Returns the answers of visible(), pair by pair.
inline std::vector<Sight> answersOneByOne(const RayQueryService& service, const TableScene& scene,
                                          LevelMask levels, const SightTableOptions& options) {
  std::vector<Sight> answers;
  const oracle::Integer most = options.max_distance;
  for (std::size_t viewer = 0; viewer < scene.eyes.size(); ++viewer) {
    for (std::size_t box = 0; box < scene.boxes.size(); ++box) {
      Sight best = Sight::kSkipped;
      const bool is_left_out = options.leaves_out && options.leaves_out(viewer, box);
      for (const Vec3i& eye : scene.eyes[viewer]) {
        if (is_left_out || squareOfDistance(eye, scene.boxes[box]) > most * most) continue;
        SightAnswer answer;
        service.visible({eye, scene.boxes[box]}, levels, options.each, answer).IgnoreError();
        const auto is_better = [](Sight a, Sight b) {
          if (b == Sight::kSkipped || a == Sight::kVisible) return true;
          if (b == Sight::kVisible) return false;
          return a > b;  // undecided, it may be visible; else by rank
        };
        if (is_better(answer.sight, best)) best = answer.sight;
      }
      answers.push_back(best == Sight::kUndecided ? options.if_undecided : best);
    }
  }
  return answers;
}

}  // namespace fractalray::sight_test
